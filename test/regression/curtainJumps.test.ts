// A curtain's `open` and `tied` may be set to any value at any time: rings and band follow at a speed that cloth can follow. A ring that jumped 1.4 m threw
// the curtain 2 m above its rail, stretched by 1,389 %.
import "@babylonjs/core/Materials/standardMaterial";
import { ClothBuilder } from "babylon-cloth";
import type { CurtainMesh } from "babylon-cloth";
import { afterEach, expect, test } from "@jest/globals";
import { disposeWorlds, FRAME, makeWorld, worldVertices } from "../unit/babylon/harness";

afterEach(disposeWorlds);

const RATES = {
    "60 Hz": [FRAME],
    "59.94 Hz": [1000 / 59.94],
    "144 Hz": [1000 / 144],
    jitter: [7, 25, 11, 40, 16],
    "late frames": [16, 16, 250, 16],
};

/** Lets a curtain move. @returns its largest stretch beyond that at rest, and how far it rises above its rail [m] */
function play(times: readonly number[], seconds: number, width: number, change: (curtain: CurtainMesh, frame: number) => void) {
    const { scene, frame } = makeWorld();
    const options = { width, height: 1.33 * width, wind: "still", subdivisions: 48 } as const;
    const curtain = ClothBuilder.CreateCurtain("curtain", options, scene);
    frame(FRAME, 20);
    const atRest = curtain.cloth.stats.maxStretch;
    let [stretch, above] = [0, 0];
    for (let i = 0, passed = 0; passed < 1000 * seconds; passed += times[i++ % times.length]) {
        change(curtain, i);
        frame(times[i % times.length]);
        above = worldVertices(curtain).reduce((most, y, k) => (k % 3 === 1 ? Math.max(most, y) : most), above);
        stretch = Math.max(stretch, curtain.cloth.stats.maxStretch - atRest);
    }
    return { stretch, above, curtain };
}

test.each(Object.entries(RATES))(
    "open = 1 at once: the rings go there in time, and the cloth stays below the rail, %s",
    (_, times) => {
        const { stretch, above, curtain } = play(times, 4, 1.8, (curtain) => (curtain.open = 1));
        expect(curtain.open).toBe(1);
        expect(curtain.rings.at(-1)!.position.x).toBeCloseTo(-0.9 + 0.22 * 1.8, 9);
        expect(stretch).toBeLessThan(0.1);
        expect(above).toBeLessThan(0.05);
    },
);

test.each([0.2, 6])("open = 1 at once, %f m wide", (width) => {
    const { stretch, above, curtain } = play([FRAME], 4, width, (curtain) => (curtain.open = 1));
    expect(curtain.rings.at(-1)!.position.x).toBeCloseTo(-0.28 * width, 9);
    expect(stretch).toBeLessThan(0.1);
    expect(above).toBeLessThan(0.035 * width);
});

test.each([1, 2, 3])("open and tied at random, seed %i", (seed) => {
    let state = seed;
    const random = () => (state = (state * 16807) % 2147483647) / 2147483647;
    const { stretch, above } = play(RATES.jitter, 12, 1.8, (curtain) => {
        if (random() < 0.03) curtain.open = random() < 0.5 ? random() : Math.round(random());
        if (random() < 0.03) curtain.tied = random() < 0.5 ? random() : Math.round(random());
    });
    expect(stretch).toBeLessThan(0.8);
    expect(above).toBeLessThan(0.06);
});

test("a curtain that is paused keeps its rings until it moves again", () => {
    const places: number[] = [];
    const { stretch, above } = play([FRAME], 3, 1.8, (curtain, frame) => {
        curtain.cloth.enabled = frame < 10 || frame > 70;
        if (frame === 20) curtain.open = 1;
        places.push(curtain.rings.at(-1)!.position.x);
    });
    expect(places[69]).toBe(places[0]);
    expect(places.at(-1)).toBeLessThan(-0.4);
    expect(stretch).toBeLessThan(0.1);
    expect(above).toBeLessThan(0.05);
});

test("stepped by hand, many steps in one frame of the scene", () => {
    const { stretch, above } = play([FRAME], 1, 1.8, (curtain) => {
        curtain.cloth.autoStep = false;
        curtain.open = 1;
        for (let step = 0; step < 10; step++) curtain.cloth.step(FRAME / 1000);
    });
    expect(stretch).toBeLessThan(0.1);
    expect(above).toBeLessThan(0.05);
});

test("after a reset it opens and is tied again from its first shape", () => {
    const { stretch, above, curtain } = play([FRAME], 8, 1.8, (curtain, frame) => {
        if (frame === 0) curtain.open = curtain.tied = 0.7;
        if (frame === 200) curtain.cloth.reset();
        if (frame === 300) curtain.open = 0;
    });
    expect(curtain.rings.at(-1)!.position.x).toBeCloseTo(0.9, 9);
    expect(Math.max(...worldVertices(curtain).filter((_, k) => k % 3 === 0))).toBeLessThan(0.95);
    expect(stretch).toBeLessThan(0.6);
    expect(above).toBeLessThan(0.05);
});
