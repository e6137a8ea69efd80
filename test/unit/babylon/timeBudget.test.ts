// A scene's cloths take no more of a frame than they may: those beyond it wait, and are carried along.
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { ClothBehavior, select, TimeBudget, Wind } from "../../../src/index";
import type { ClothOptions } from "../../../src/index";
import { difference, disposeWorlds, FRAME, listen, makeSquare, makeWorld, messageOf } from "./harness";
import type { World } from "./harness";

/** What the clock shows [ms]. */
let clock = 0;

beforeEach(() => {
    listen("warn");
    jest.spyOn(performance, "now").mockImplementation(() => clock);
});

afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

/** Air that takes a millisecond whenever it is asked: once a step of each cloth in it. */
class SlowAir extends Wind {
    steps = 0;

    override get turbulence(): number {
        this.steps++;
        clock++;
        return 0;
    }
}

/** A cloth that hangs on a hand; a step of it takes a millisecond. */
function hang(
    { scene }: World,
    x: number,
    options: ClothOptions = {},
): { cloth: ClothBehavior; hand: TransformNode; air: SlowAir } {
    const hand = new TransformNode(`hand ${x}`, scene);
    const mesh = makeSquare(scene, 10, `cloth ${x}`);
    mesh.position.x = 2 * x;
    const air = new SlowAir();
    const cloth = new ClothBehavior({ wind: air, pins: [{ select: select.edge("-x"), target: hand }], ...options });
    mesh.addBehavior(cloth);
    return { cloth, hand, air };
}

const hangMany = (world: World, count: number) => Array.from({ length: count }, (_, x) => hang(world, x));

describe("a time budget", () => {
    test("is Infinity at first, and nothing is measured", () => {
        const world = makeWorld();
        hangMany(world, 3);
        expect(TimeBudget.get(world.scene)).toBe(Infinity);
        jest.mocked(performance.now).mockClear();
        world.frame(FRAME, 5);
        const reads = jest.mocked(performance.now).mock.calls.length;
        TimeBudget.set(world.scene, 100);
        expect(TimeBudget.get(world.scene)).toBe(100);
        world.frame(FRAME, 5);
        // Babylon reads the clock for itself.
        expect(jest.mocked(performance.now).mock.calls.length).toBeGreaterThan(2 * reads);
        TimeBudget.set(world.scene, Infinity);
        jest.mocked(performance.now).mockClear();
        world.frame(FRAME, 5);
        expect(jest.mocked(performance.now)).toHaveBeenCalledTimes(reads);
    });

    test("that suffices changes nothing, to the bit", () => {
        const [free, limited] = [makeWorld(), makeWorld()];
        const [a, b] = [hangMany(free, 7), hangMany(limited, 7)];
        TimeBudget.set(limited.scene, 1000);
        b[3].cloth.priority = 5;
        for (let f = 0; f < 40; f++) {
            for (const { hand } of [...a, ...b]) hand.position.y = 0.1 * Math.sin(f / 10);
            for (const world of [free, limited]) world.frame(FRAME * [1, 0.4, 2.7][f % 3]);
        }
        a.forEach(({ cloth }, i) => expect(b[i].cloth.getParticlePositions()).toEqual(cloth.getParticlePositions()));
    });

    test("is shared alike, and no frame takes more", () => {
        const world = makeWorld();
        const all = hangMany(world, 12);
        TimeBudget.set(world.scene, 4.5);
        world.frame(FRAME, 12);
        for (const { air } of all) air.steps = 0;
        for (let f = 0; f < 60; f++) {
            const before = clock;
            world.frame();
            expect(clock - before).toBeLessThanOrEqual(4.5);
        }
        for (const { air } of all) expect(Math.abs(air.steps - 20)).toBeLessThanOrEqual(1);
    });

    test("goes to those of higher priority first", () => {
        const world = makeWorld();
        const all = hangMany(world, 12);
        const [{ cloth, air }] = all.slice(-1);
        cloth.priority = 1000;
        TimeBudget.set(world.scene, 3.5);
        world.frame(FRAME, 12);
        air.steps = 0;
        world.frame(FRAME, 60);
        expect(air.steps).toBe(60);
        for (const other of all) expect(other.air.steps).toBeGreaterThan(8);
    });

    test("is no one's who sleeps", () => {
        const world = makeWorld();
        const sleepers = Array.from({ length: 6 }, (_, x) =>
            hang(world, x, { wind: null, fabric: { damping: 1e3 }, gravity: new Vector3(0, 0, 0) }),
        );
        const awake = hangMany(world, 3);
        world.frame(FRAME, 60);
        for (const { cloth } of sleepers) expect(cloth.stats.isAsleep).toBe(true);
        TimeBudget.set(world.scene, 3.5);
        world.frame(FRAME, 10);
        for (const { air } of awake) air.steps = 0;
        world.frame(FRAME, 30);
        for (const { air } of awake) expect(air.steps).toBe(30);
        for (const { cloth } of sleepers) expect(cloth.stats.isAsleep).toBe(true);
    });

    test("carries those that wait along with their pins: they neither lag, nor stretch, nor are flung", () => {
        const world = makeWorld();
        const all = Array.from({ length: 5 }, (_, i) => hang(world, i, { fabric: { damping: 3 } }));
        const { cloth, hand } = all[2];
        const flat = cloth.getParticlePositions();
        const pinned = [...flat.keys()].filter((k) => k % 3 === 0 && flat[k] < 3.5 + 1e-6);
        expect(pinned).toHaveLength(11);
        world.frame(FRAME, 200);
        const shape = cloth.getParticlePositions();
        TimeBudget.set(world.scene, 2.5);
        // On and on, at 3 m/s in the end: what is carried along without a step goes as fast.
        let x = 0;
        for (let f = 0; f < 240; f++) {
            x += Math.min(f / 60, 3) / 60;
            for (const other of all) other.hand.position.x = x;
            world.frame();
            if (f % 10 > 0) continue;
            const now = cloth.getParticlePositions();
            for (const k of pinned) expect(Math.abs(now[k] - hand.position.x - 3.5)).toBeLessThan(1e-4);
            expect(cloth.stats.maxStretch).toBeLessThan(0.02);
            expect(Math.sqrt((2 * cloth.stats.kineticEnergy) / 0.2)).toBeLessThan(3.1);
        }
        // And it hangs as it did, so much farther.
        world.frame(FRAME, 500);
        const now = cloth.getParticlePositions().map((p, k) => (k % 3 === 0 ? p - x : p));
        expect(difference(now, shape)).toBeLessThan(0.01);
    });

    test("is refused where it is none", () => {
        const { scene } = makeWorld();
        for (const value of [0, -1, NaN, "4"]) {
            expect(messageOf(() => TimeBudget.set(scene, value as number))).toMatch(
                /^TimeBudget: set: milliseconds must be a number > 0 \(Infinity = no budget\), got /,
            );
        }
        expect(messageOf(() => TimeBudget.set(null!, 4))).toMatch(/^TimeBudget: set: scene must be a Scene, got null/);
        expect(messageOf(() => TimeBudget.get(undefined!))).toMatch(/^TimeBudget: get: scene must be a Scene/);
        expect(messageOf(() => new ClothBehavior({ priority: NaN }))).toMatch(
            /^ClothBehavior: priority must be a finite number, got NaN/,
        );
    });
});
