import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { ClothBehavior, Gusts, select, Wind } from "../../../src/index";
import type { ClothOptions, GustName, WindOptions } from "../../../src/index";
import { Uniform } from "../../../src/kernels/layout";
import { GustyWind } from "../../../src/engine/index";
import type { WindData } from "../../../src/engine/index";
import { column, disposeWorlds, FRAME, makeSquare, makeWorld, messageOf } from "./harness";

afterEach(disposeWorlds);

const VALUES: Required<WindOptions> = {
    velocity: new Vector3(1, 2, 3),
    gusts: "gusty",
    turbulence: 0.7,
    gustLength: 5,
    airDensity: 0.9,
    drag: 1.5,
    skinFriction: 0.1,
    seed: 42,
    zone: null,
};
const NAMES = Object.keys(VALUES) as (keyof WindOptions)[];

describe("options", () => {
    test.each(NAMES)("%s is a property", (name) => {
        expect(new Wind(VALUES)[name]).toBe(VALUES[name]);
        const wind = new Wind();
        Object.assign(wind, { [name]: VALUES[name] });
        expect(wind[name]).toBe(VALUES[name]);
    });

    test("defaults", () => {
        const wind = new Wind();
        expect(Object.fromEntries(NAMES.map((name) => [name, wind[name]]))).toEqual({
            velocity: new Vector3(0, 0, 0),
            gusts: "breezy",
            turbulence: 0.3,
            gustLength: 50,
            airDensity: 1.2,
            drag: 1.2,
            skinFriction: 0.02,
            seed: 0,
            zone: null,
        });
    });

    test.each([
        [{ velocity: 5 }, "Wind: velocity must be a Vector3, got 5"],
        [{ velocity: new Vector3(0, Infinity, 0) }, "Wind: velocity.y must be a finite number, got Infinity"],
        [{ velocity: null }, "Wind: velocity must be a Vector3, got null"],
        [{ turbulence: -1 }, "Wind: turbulence must be a finite number >= 0, got -1"],
        [{ gustLength: 0 }, "Wind: gustLength must be a finite number > 0, got 0"],
        [{ airDensity: "thin" }, 'Wind: airDensity must be a finite number >= 0, got "thin"'],
        [{ drag: NaN }, "Wind: drag must be a finite number >= 0, got NaN"],
        [{ skinFriction: -0.1 }, "Wind: skinFriction must be a finite number >= 0, got -0.1"],
        [{ seed: "a" }, 'Wind: seed must be a finite number, got "a"'],
        [{ speed: 1 }, `Wind: unknown option "speed"; the options are ${NAMES.join(", ")}; did you mean "seed"?`],
        [null, "Wind: options must be an object, got null"],
        [7, "Wind: options must be an object, got 7"],
    ])("wrong: %p", (options, message) => {
        expect(messageOf(() => new Wind(options as never))).toBe(message);
        if (typeof options !== "object" || options === null || "speed" in options) return;
        const wind = new Wind();
        expect(messageOf(() => Object.assign(wind, options))).toBe(message);
    });
});

/** What the wind writes at a time. */
function sample(wind: Wind, time: number): { air: number[]; wind: number[] } {
    const uniforms = new Float32Array(Uniform.count);
    GustyWind.forWind(wind as unknown as WindData).sample({ worldTime: time }, uniforms, [0, 0, 0]);
    return {
        air: [Uniform.airDensity, Uniform.drag, Uniform.skinFriction].map((slot) => uniforms[slot]),
        wind: Array.from(uniforms.subarray(Uniform.windVelocity, Uniform.gustPhase + 1)),
    };
}

test("without a velocity no wind blows, whatever else is said", () => {
    const { velocity } = new Wind({ turbulence: 0.5 } as Partial<WindOptions> as WindOptions);
    expect([velocity.x, velocity.y, velocity.z]).toEqual([0, 0, 0]);
});

test("gusts by name set turbulence and gustLength, which win where they are given", () => {
    for (const [name, preset] of Object.entries(Gusts)) expect(new Wind({ gusts: name as GustName })).toMatchObject(preset);
    expect(new Wind({ turbulence: 0.1, gusts: "squally" })).toMatchObject({ turbulence: 0.1, gustLength: 100, gusts: "squally" });
    const wind = new Wind({ gustLength: 3 });
    wind.gusts = "gusty";
    expect(wind).toMatchObject(Gusts.gusty);
    expect(messageOf(() => new Wind({ gusts: "wild" as GustName }))).toBe(
        'Wind: gusts must be one of steady, breezy, gusty, squally, got "wild"',
    );
});

describe("the field", () => {
    test("steady without turbulence", () => {
        const wind = new Wind({ velocity: new Vector3(3, 0, 4), turbulence: 0 });
        for (const time of [0, 0.3, 100]) {
            const {
                air,
                wind: [x, y, z, ...gust],
            } = sample(wind, time);
            expect(air).toEqual([1.2, 1.2, 0.02].map(Math.fround));
            expect([x, y, z]).toEqual([3, 0, 4]);
            expect(gust.slice(0, 3).map(Math.abs)).toEqual([0, 0, 0]);
        }
    });

    test("blows in every version as it did: replays depend on it", () => {
        const wind = new Wind({ velocity: new Vector3(3, -2, 4), turbulence: 0.4, gustLength: 2, seed: 7.5 });
        const waves = [0.4, 1.9, 7.3, 1234.5].map((time) => sample(wind, time).wind.map((x) => Number(x.toFixed(4))));
        expect(waves).toEqual([
            [1.294, -1.7081, 4.6672, 0.0583, -0.2383, -0.2055, 4.4567, -0.5711, 5.9423, 0.2325],
            [5.068, -3.2955, 5.8454, 0.1015, 0.2395, -0.664, 4.4567, -0.5711, 5.9423, 0.8545],
            [0.7935, -0.4, 3.6142, 0.3554, -0.5773, 0.5404, 4.4567, -0.5711, 5.9423, 0.4936],
            [2.0318, -0.7853, 3.3017, 0.3333, 0.136, -0.646, 4.4567, -0.5711, 5.9423, 0.8876],
        ]);
    });

    test("changes smoothly, stays finite, keeps its mean, and is the same for the same seed", () => {
        const make = (seed: number): Wind => new Wind({ velocity: new Vector3(5, 0, 0), turbulence: 0.2, gustLength: 24, seed });
        const times = Array.from({ length: 6000 }, (_, i) => i / 60);
        const xs = times.map((time) => sample(make(1), time).wind[0]);
        expect(xs.every(Number.isFinite)).toBe(true);
        expect(Math.max(...xs.slice(1).map((x, i) => Math.abs(x - xs[i])))).toBeLessThan(0.5);
        expect(xs.reduce((sum, x) => sum + x) / xs.length / 5).toBeCloseTo(1, 1);
        expect(sample(make(1), 7)).toEqual(sample(make(1), 7));
        expect(sample(make(2), 7)).not.toEqual(sample(make(1), 7));
    });

    test.each([0, 1e-9, 1e6, 1e12])("is finite at time %d", (time) => {
        for (const velocity of [new Vector3(0, 0, 0), new Vector3(1e-30, 0, 0), new Vector3(1e4, 1e4, 0)]) {
            const { air, wind } = sample(new Wind({ velocity, turbulence: 1 }), time);
            expect([...air, ...wind].every(Number.isFinite)).toBe(true);
        }
    });

    test("gusts go on from where they are when the wind changes: no jump anywhere near, as it freshens and turns", () => {
        const wind = new Wind({ velocity: new Vector3(5, 0, 0), turbulence: 0.5, gustLength: 48 });
        /** The gust's phase at a place [cycles], and the wind. */
        const at = (time: number, x: number, z: number): number[] => {
            const [u, v, w, , , , kx, , kz, phase] = sample(wind, time).wind;
            return [u, v, w, kx * x + kz * z - phase];
        };
        const place = [40, -25] as const;
        let before = at(1000, ...place);
        for (let frame = 1; frame < 600; frame++) {
            const angle = frame / 400;
            const speed = 5 + 4 * Math.sin(frame / 50);
            wind.velocity = new Vector3(speed * Math.cos(angle), 0, speed * Math.sin(angle));
            const now = at(1000 + frame / 60, ...place);
            for (let c = 0; c < 3; c++) expect(Math.abs(now[c] - before[c])).toBeLessThan(0.6);
            const passed = now[3] - before[3];
            // Far away the axis may be chosen anew, once.
            if (angle < 1) expect(Math.abs(passed - Math.round(passed))).toBeLessThan((1.1 * speed) / 3 / 60);
            before = now;
        }
    });

    test("a velocity that was made NaN in place does not blow", () => {
        const velocity = new Vector3(1, 0, 0);
        const wind = new Wind({ velocity });
        velocity.x = NaN;
        expect(sample(wind, 0).air[0]).toBe(0);
    });
});

describe("on cloth", () => {
    const still = { x: 0, y: 0, z: 0 };

    /** A sheet across z, held at the left, after a second. */
    function blow(wind: Wind | null, turn = 0): number {
        const { scene, frame } = makeWorld();
        const mesh = MeshBuilder.CreateGround("flag", { width: 1, height: 1, subdivisions: 6 }, scene);
        mesh.rotation.x = turn;
        const cloth = new ClothBehavior({ wind, gravity: still, fabric: { damping: 0 } });
        mesh.addBehavior(cloth);
        frame(FRAME, 30);
        return column(cloth.getParticlePositions(), 2).reduce((sum, z) => sum + z) / 49;
    }

    test("pushes a sheet across it, not one along it, either side alike", () => {
        const wind = new Wind({ velocity: new Vector3(0, 0, 4), turbulence: 0, skinFriction: 0 });
        expect(Math.abs(blow(wind))).toBeLessThan(1e-4);
        expect(blow(wind, Math.PI / 2)).toBeGreaterThan(0.5);
        expect(blow(wind, -Math.PI / 2)).toBeCloseTo(blow(wind, Math.PI / 2), 4);
        expect(Math.abs(blow(null, Math.PI / 2))).toBeLessThan(1e-6);
    });

    test("does not blow faster than itself", () => {
        const wind = new Wind({ velocity: new Vector3(0, 0, 4), turbulence: 0, drag: 1e6 });
        expect(blow(wind, Math.PI / 2)).toBeLessThan(4 * 0.5 + 1e-3);
        expect(blow(wind, Math.PI / 2)).toBeGreaterThan(1.9);
    });

    test("still air brakes", () => {
        const fall = (wind: Wind | null): number => {
            const { scene, frame } = makeWorld();
            const cloth = new ClothBehavior({ wind, fabric: { damping: 0 } });
            makeSquare(scene).addBehavior(cloth);
            frame(FRAME, 60);
            return -column(cloth.getParticlePositions(), 1).reduce((sum, y) => sum + y) / cloth.particleCount;
        };
        expect(fall(null) / 4.905).toBeCloseTo(1, 1);
        // v tanh(g t / v) integrated, v² = 2 σ g / (ρ drag).
        const speed = Math.sqrt((2 * 0.2 * 9.807) / (1.2 * 1.2));
        expect(fall(new Wind()) / ((speed * speed * Math.log(Math.cosh(9.807 / speed))) / 9.807)).toBeCloseTo(1, 1);
    });

    test("a change of the shared wind reaches every cloth at once", () => {
        const { scene, frame } = makeWorld();
        const wind = new Wind();
        const clothes = [0, 1].map((i) => {
            const mesh = makeSquare(scene, 4, `flag ${i}`);
            const cloth = new ClothBehavior({ wind, gravity: still, pins: [{ select: select.edge("-x") }] });
            mesh.addBehavior(cloth);
            return cloth;
        });
        frame(FRAME, 10);
        for (const cloth of clothes) expect(cloth.stats.kineticEnergy).toBeLessThan(1e-10);
        wind.velocity = new Vector3(0, 5, 0);
        frame(FRAME, 10);
        for (const cloth of clothes) expect(cloth.stats.kineticEnergy).toBeGreaterThan(0);
    });

    test("a storm leaves the cloth in one piece", () => {
        const { scene, frame } = makeWorld();
        const wind = new Wind({ velocity: new Vector3(300, 100, -200), turbulence: 3, drag: 50 });
        const cloth = new ClothBehavior({ wind, pins: [{ select: select.edge("-x") }] });
        makeSquare(scene).addBehavior(cloth);
        frame(FRAME, 120);
        expect(cloth.getParticlePositions().every(Number.isFinite)).toBe(true);
        expect(cloth.stats.meanStretch).toBeLessThan(0.5);
    });
});

describe("one wind is one field of the world", () => {
    /** When each wind was asked. */
    const heard = new Map<unknown, number[]>();
    afterEach(() => {
        jest.restoreAllMocks();
    });

    /** A wind that writes down when it was asked, and a cloth for it. */
    function listen(scene: Scene, options: ClothOptions = {}, name = "cloth"): { cloth: ClothBehavior; times: number[] } {
        const times: number[] = [];
        const wind = new Wind();
        jest.spyOn(GustyWind.prototype, "sample").mockImplementation(function (this: object, { worldTime }) {
            heard.get((this as { _wind: Wind })._wind)!.push(worldTime);
            return 0;
        });
        heard.set(wind, times);
        const cloth = new ClothBehavior({ wind, ...options });
        makeSquare(scene, 2, name).addBehavior(cloth);
        return { cloth, times };
    }

    test("the same time for all cloths of a scene, whenever they came", () => {
        const { scene, frame } = makeWorld();
        const first = listen(scene);
        frame(FRAME, 30);
        const second = listen(scene);
        const lazy = listen(scene, { autoStep: false });
        first.cloth.reset();
        frame();
        lazy.cloth.step(FRAME / 1000);
        for (const { times } of [first, second, lazy]) expect(times[times.length - 1]).toBeCloseTo(30 / 60, 9);
        // Time that one drops, another has.
        frame(500);
        frame();
        lazy.cloth.step(FRAME / 1000);
        for (const { times } of [first, second, lazy]) expect(times[times.length - 1]).toBeCloseTo(31 / 60 + 0.5, 9);
        const mesh = first.cloth.attachedNode!;
        mesh.removeBehavior(first.cloth);
        mesh.addBehavior(first.cloth);
        frame();
        expect(first.times[first.times.length - 1]).toBeCloseTo(32 / 60 + 0.5, 9);
    });

    test("it goes on while a cloth is paused, and at any frame rate", () => {
        const { scene, frame } = makeWorld();
        const [one, other] = [listen(scene), listen(scene, { fixedTimeStep: 1 / 45 })];
        one.cloth.enabled = false;
        frame(7, 100);
        one.cloth.enabled = true;
        frame(7, 100);
        for (const { times } of [one, other]) {
            const last = times[times.length - 1];
            expect(last).toBeLessThan(1.4);
            expect(last).toBeGreaterThan(1.4 - 2 / 45);
        }
    });

    test("where the scene does not run, what is stepped by hand has its own time", () => {
        const { scene } = makeWorld();
        const { cloth, times } = listen(scene, { autoStep: false });
        for (let i = 0; i < 100; i++) cloth.step(1 / 60);
        expect(times).toHaveLength(100);
        times.forEach((time, i) => expect(time).toBeCloseTo(i / 60, 9));
    });

    test("a scene that stops leaves its time to the hand, and takes it back", () => {
        const { scene, frame } = makeWorld();
        const { cloth, times } = listen(scene, { autoStep: false });
        frame(FRAME, 60);
        for (let i = 0; i < 60; i++) cloth.step(1 / 60);
        expect(times[times.length - 1]).toBeCloseTo(1 + 58 / 60, 6);
        frame(FRAME, 60);
        cloth.step(1 / 60);
        expect(times[times.length - 1]).toBeCloseTo(2 - 1 / 60, 6);
    });

    test("the same gust at the same place, whatever the cloth's own origin", () => {
        const { scene, frame } = makeWorld();
        const wind = new Wind({ velocity: new Vector3(2, 3, 1), turbulence: 1, gustLength: 2 });
        // Sheets in one place, which have come there from elsewhere with the origins that they had; the last one from far.
        const heights = [0, 1, -1, 700].map((x, i) => {
            const mesh = MeshBuilder.CreateGround(
                `sheet ${i}`,
                { width: 4, height: 1, subdivisionsX: 16, subdivisionsY: 4 },
                scene,
            );
            mesh.position.set(x, 0, 0);
            const cloth = new ClothBehavior({ wind, gravity: { x: 0, y: 0, z: 0 }, fabric: { arealDensity: 50 } });
            mesh.addBehavior(cloth);
            if (x !== 0) {
                cloth.reset();
                mesh.position.x = 0;
                cloth.teleport();
            }
            return {
                cloth,
                at: (at: number): number => cloth.getParticlePositions()[3 * (2 * 17 + (at - mesh.position.x + 2) / 0.25) + 1],
            };
        });
        frame(FRAME, 40);
        const values = [0, 0.25, 0.5].map((x) => heights.map(({ at }) => at(x)));
        for (const [reference, ...others] of values) {
            expect(Math.abs(reference)).toBeGreaterThan(1e-3);
            for (const value of others) expect(Math.abs(value / reference - 1)).toBeLessThan(0.03);
        }
        // It does blow differently elsewhere.
        expect(Math.abs(values[0][0] / values[2][0] - 1)).toBeGreaterThan(0.05);
    });
});
