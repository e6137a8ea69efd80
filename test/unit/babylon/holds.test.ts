// Pins that are not rigid: springs that let go, room to move, rails.
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { ClothBehavior, ClothFiles, ClothTearing, MaxDistanceHold, paint, RailHold, select, SoftHold } from "../../../src/index";
import type { ClothOptions, PinHold, SoftHoldOptions } from "../../../src/index";
import { column, disposeWorlds, makeWorld, messageOf, rows, toWorld } from "./harness";

afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

/** Of a square metre of cloth [kg], and what it weighs [N]. */
const MASS = 0.2;
const WEIGHT = MASS * 9.81;
const STEP = 1 / 60;

/** A square metre that hangs in the xy plane by its upper edge. */
function hang(hold: PinHold | null, options: ClothOptions = {}, target?: (world: ReturnType<typeof makeWorld>) => TransformNode) {
    const world = makeWorld();
    const mesh = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 8 }, world.scene);
    mesh.rotation.x = -Math.PI / 2;
    const cloth = new ClothBehavior({ wind: null, fabric: { arealDensity: MASS, damping: 0 }, autoStep: false, ...options });
    const node = target?.(world) ?? null;
    const pin = cloth.pin(select.edge("+z"), node, hold);
    mesh.addBehavior(cloth);
    const run = (seconds: number): void => {
        for (let i = 0; i < Math.round(seconds / STEP); i++) cloth.step(STEP);
    };
    const above = (): number[] => rows(cloth.getParticlePositions(), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    return { ...world, mesh, cloth, pin, node, run, above };
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, x) => sum + x, 0) / numbers.length;

describe("damped springs", () => {
    /** Where all of a sheet on a spring is along x after each step [m]. */
    function swing(options: SoftHoldOptions, seconds: number, more: ClothOptions = {}): number[] {
        const { scene } = makeWorld();
        const mesh = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 4 }, scene);
        const fabric = { arealDensity: MASS, damping: 0 };
        const cloth = new ClothBehavior({ wind: null, fabric, autoStep: false, gravity: Vector3.Zero(), ...more });
        cloth.pin(select.all(), null, new SoftHold(options));
        mesh.addBehavior(cloth);
        cloth.step(STEP);
        if (!more.gravity) cloth.applyImpulse(Vector3.Zero(), new Vector3(0.1, 0, 0), 100);
        return Array.from({ length: Math.round(seconds / STEP) }, () => {
            cloth.step(STEP);
            return mean(column(cloth.getParticlePositions(), 0));
        });
    }

    /** Times at which it comes through the middle, upwards [steps]. */
    const crossings = (x: readonly number[]): number[] =>
        x.flatMap((now, k) => (k > 0 && x[k - 1] < 0 && now >= 0 ? [k - now / (now - x[k - 1])] : []));

    test.each([
        [5, 0],
        [20, 0.2],
        [20, 1],
    ])("of %s N/m and %s N s/m swing and come to rest as theory has it", (stiffness, damping) => {
        const x = swing({ stiffness, damping }, 6);
        const times = crossings(x);
        const rate = damping / (2 * MASS);
        const theory = (2 * Math.PI) / Math.sqrt(stiffness / MASS - rate * rate);
        const period = ((times[times.length - 1] - times[0]) / (times.length - 1)) * STEP;
        expect(Math.abs(period / theory - 1)).toBeLessThan(0.01);
        // Logarithmic decrement, of the farthest of the first swing and of the third.
        const farthest = (k: number): number => Math.max(...x.slice(Math.floor(times[k]), Math.ceil(times[k + 1])));
        expect(Math.abs(Math.log(farthest(0) / farthest(2)) - 2 * rate * theory)).toBeLessThan(0.03 + 0.01 * 2 * rate * theory);
    });

    test("hang by weight over stiffness, however stiff the damper", () => {
        for (const damping of [1, 30]) {
            const x = swing({ stiffness: 20, damping }, 16, { gravity: new Vector3(9.81, 0, 0) });
            // The mean of places, of which those at the border weigh less.
            expect(Math.abs(x[x.length - 1] / (WEIGHT / 20) - 1)).toBeLessThan(0.01);
        }
    });

    test("hold whatever they are asked for without a start", () => {
        for (const stiffness of [1e3, 1e6, Infinity])
            for (const damping of [0, 1e6])
                for (const x of swing({ stiffness, damping }, 1)) expect(Math.abs(x)).toBeLessThan(0.02);
    });
});

describe("soft holds", () => {
    test("give by weight over stiffness", () => {
        const { run, above } = hang(new SoftHold({ stiffness: 40 }), { fabric: { arealDensity: MASS, damping: 3 } });
        run(8);
        expect(0.5 - mean(column(above(), 1))).toBeCloseTo(WEIGHT / 40, 3);
    });

    test("let go of what pulls harder, and hold what does not", () => {
        const firm = hang(new SoftHold({ maxForce: 4 * WEIGHT }), {});
        firm.run(2);
        expect(firm.pin.particleCount).toBe(9);
        expect(Math.min(...column(firm.above(), 1))).toBeGreaterThan(0.45);
        const weak = hang(new SoftHold({ maxForce: 0.7 * WEIGHT }), {});
        weak.run(2);
        expect(weak.pin.particleCount).toBe(0);
        expect(Math.max(...column(weak.above(), 1))).toBeLessThan(-5);
    });

    test("slip: cloth that is pulled by less than its weight falls the slower for it", () => {
        const { run, cloth } = hang(new SoftHold({ maxForce: 0.5 * WEIGHT, slips: true }), {});
        const before = mean(column(cloth.getParticlePositions(), 1));
        run(1);
        const fallen = before - mean(column(cloth.getParticlePositions(), 1));
        expect(fallen / (0.5 * 9.81 * 0.5)).toBeCloseTo(1, 1);
    });
});

describe("loose holds", () => {
    test("let no particle go farther, wherever their carrier goes, and keep it where the distance is 0", () => {
        const world = makeWorld();
        const mesh = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 8 }, world.scene);
        const node = new TransformNode("node", world.scene);
        const distances = Float32Array.from({ length: 81 }, (_, v) => (v % 9) * 0.02);
        const cloth = new ClothBehavior({ autoStep: false });
        cloth.pin(select.all(), node, new MaxDistanceHold(distances));
        mesh.addBehavior(cloth);
        const rest = cloth.getParticlePositions();
        let farthest = 0;
        for (let i = 1; i <= 120; i++) {
            node.position.set(Math.sin(i / 10), Math.sin(i / 7), 0);
            cloth.step(STEP);
            const x = cloth.getParticlePositions();
            for (let v = 0; v < 81; v++) {
                const p = cloth.particleOfVertex(v);
                const gone = [0, 1, 2].map((c) => x[3 * p + c] - rest[3 * p + c] - node.position.asArray()[c]);
                const distance = Math.hypot(...gone);
                farthest = Math.max(farthest, distance);
                expect(distance).toBeLessThan(distances[v] + 1e-5);
            }
        }
        expect(farthest).toBeGreaterThan(0.1);
    });

    test("take painted distances", () => {
        const { scene } = makeWorld();
        const mesh = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 2 }, scene);
        const colors = Float32Array.from({ length: 36 }, (_, i) => (i % 4 === 1 ? (i >> 2) / 8 : 1));
        const context = (kind: string, data: Float32Array): void => void mesh.setVerticesData(kind, data, false, data.length / 9);
        const read = (from: ReturnType<typeof paint.mask>): number[] =>
            Array.from(from.read({ vertexCount: 9, mesh, positions: new Float32Array(27), colors: null, scratch: Vector3.Zero() }));
        context("color", colors);
        read(paint.vertexColor("g", 0.1, 0.5)).forEach((d, v) => expect(d).toBeCloseTo(0.1 + (0.4 * v) / 8, 6));
        context(
            "softness",
            Float32Array.from({ length: 9 }, (_, v) => v),
        );
        const image = { data: Uint8Array.of(0, 0, 0, 255, 255, 0, 0, 255), width: 2, height: 1 };
        expect(read(paint.mask(image, 1, 3)).slice(0, 3)).toEqual([1, 3, 3]);
        expect(messageOf(() => read(paint.attribute("soft")))).toBe(
            'paint: attribute(kind) must be an attribute of "sheet" (position, normal, uv, color, softness), got "soft"',
        );
    });
});

describe("rail holds", () => {
    /** A rail of a square's upper edge, mesh-local, sloping down to +x when the mesh is turned. */
    const straight = [new Vector3(-4, 0, 0.5), new Vector3(4, 0, 0.5)];

    function slide(friction: number, slope: number) {
        const held = hang(new RailHold(straight, { friction }), {});
        // Gravity is turned, not the mesh.
        held.cloth.gravity = new Vector3(9.81 * Math.sin(slope), -9.81 * Math.cos(slope), 0);
        return held;
    }

    test("cloth slides down a slope as a body does, on the rail", () => {
        const { run, cloth, above } = slide(0, 0.4);
        run(0.5);
        const gone = mean(column(cloth.getParticlePositions(), 0));
        expect(gone / (0.5 * 9.81 * Math.sin(0.4) * 0.25)).toBeCloseTo(1, 1);
        for (const y of column(above(), 1)) expect(y).toBeCloseTo(0.5, 4);
    });

    test("friction above the slope's tangent holds it, below it slows it", () => {
        const held = slide(1.5 * Math.tan(0.3), 0.3);
        held.run(1);
        expect(Math.abs(mean(column(held.above(), 0)))).toBeLessThan(0.02);
        const slowed = slide(0.5 * Math.tan(0.3), 0.3);
        slowed.run(0.5);
        const share = mean(column(slowed.cloth.getParticlePositions(), 0)) / (0.5 * 9.81 * Math.sin(0.3) * 0.125);
        expect(share).toBeGreaterThan(0.8);
        expect(share).toBeLessThan(1.2);
    });

    test("a rail that moves along itself takes what it rubs along, and slides through what it does not", () => {
        const wayOf = (friction: number): number => {
            const rail = new RailHold([new Vector3(-4, 0.5, 0), new Vector3(4, 0.5, 0)], { friction });
            const { node, cloth, above } = hang(rail, {}, ({ scene }) => new TransformNode("rail", scene));
            for (let i = 0; i < 60; i++) {
                node!.position.x += 0.5 * STEP;
                cloth.step(STEP);
            }
            return mean(column(above(), 0));
        };
        expect(wayOf(2)).toBeCloseTo(0.5, 2);
        expect(wayOf(0)).toBeCloseTo(0, 2);
    });

    test("beyond the end of a rail that gives, friction drives nothing off", () => {
        for (const friction of [0, 0.5, 3]) {
            const rail = new RailHold([new Vector3(-2, 0, 0.5), new Vector3(-1, 0, 0.5)], { friction, stiffness: 20 });
            const { run, cloth } = hang(rail, { fabric: { arealDensity: MASS, damping: 3 } });
            cloth.gravity = Vector3.Zero();
            run(5);
            for (const x of cloth.getParticlePositions()) expect(Math.abs(x)).toBeLessThan(3);
        }
    });

    test("drawn by one ring, the others follow in their order and apart, to the rail's end and no further", () => {
        const corners = [new Vector3(-0.5, 0, 0.5), new Vector3(0, 0.2, 0.5), new Vector3(0.5, 0, 0.5), new Vector3(1, 0, 0.5)];
        const { run, cloth, above, scene } = hang(new RailHold(corners, { spacing: 0.04 }), {});
        const hand = new TransformNode("hand", scene);
        hand.position.set(0.5, 0.5, 0);
        cloth.pin([8], hand);
        run(0.5);
        for (let i = 0; i < 50; i++) {
            hand.position.x -= 0.01;
            cloth.step(STEP);
        }
        const x = column(above(), 0);
        for (let i = 1; i < 9; i++) expect(x[i] - x[i - 1]).toBeGreaterThan(0.03);
        expect(Math.min(...x)).toBeGreaterThan(-0.5 - 1e-5);
        // On the bent piece of the rail; the hand holds the last ring beside it.
        const z = column(above(), 2);
        for (let i = 0; i < 8; i++) expect(Math.abs(z[i])).toBeCloseTo(0.2 * (1 + x[i] / 0.5), 4);
    });
});

test("on a cord, rings are drawn along at their greatest distance", () => {
    const hold = new RailHold([new Vector3(-0.5, 0, 0.5), new Vector3(2, 0, 0.5)], { friction: 0, maxSpacing: 0.13 });
    const { run, cloth, above, scene } = hang(hold, { fabric: { stretchStiffness: 0 } });
    const hand = new TransformNode("hand", scene);
    hand.position.set(0.5, 0.5, 0);
    cloth.pin([8], hand);
    run(0.5);
    for (let i = 0; i < 60; i++) {
        hand.position.x += 0.01;
        cloth.step(STEP);
    }
    run(1);
    const x = column(above(), 0);
    expect(x[8]).toBeCloseTo(1.1, 5);
    for (let i = 1; i < 9; i++) expect(x[i] - x[i - 1]).toBeLessThan(0.13 + 1e-5);
    expect(x[0]).toBeGreaterThan(1.1 - 8 * 0.13 - 1e-4);
    expect(messageOf(() => new RailHold([Vector3.Zero(), Vector3.Up()], { spacing: 0.2, maxSpacing: 0.1 }))).toBe(
        "RailHold: maxSpacing must be a number >= the spacing of 0.2, got 0.1",
    );
});

describe("maxDistance of a cloth", () => {
    /** Free in the xy plane, 1 m wide; how far each particle is from its place at rest. */
    function leash(options: ClothOptions = {}) {
        const { scene } = makeWorld();
        const mesh = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 8, updatable: true }, scene);
        mesh.rotation.x = -Math.PI / 2;
        const cloth = new ClothBehavior({ autoStep: false, ...options });
        const rest = mesh.getVerticesData("position")!.slice();
        mesh.addBehavior(cloth);
        const run = (steps: number) => {
            for (let i = 0; i < steps; i++) cloth.step(STEP);
        };
        const gone = (): number[] => {
            const x = cloth.getParticlePositions();
            const at = toWorld(mesh, rest);
            return Array.from({ length: 81 }, (_, p) => Math.hypot(...[0, 1, 2].map((c) => x[3 * p + c] - at[3 * p + c])));
        };
        return { scene, mesh, cloth, run, gone };
    }

    test("holds all of it near where the mesh at rest is, whenever it is set; null lets it go", () => {
        const { mesh, cloth, run, gone } = leash({ maxDistance: 0.2 });
        run(120);
        expect(Math.max(...gone())).toBeCloseTo(0.2, 4);
        expect(Math.min(...gone())).toBeCloseTo(0.2, 2);
        expect(cloth.pins).toEqual([]);
        cloth.maxDistance = 0.1;
        run(60);
        expect(Math.max(...gone())).toBeCloseTo(0.1, 4);
        mesh.position.x += 0.3;
        run(60);
        expect(Math.max(...gone())).toBeCloseTo(0.1, 4);
        cloth.maxDistance = null;
        run(60);
        expect(Math.min(...gone())).toBeGreaterThan(1);
    });

    test("by painted colours and by numbers, beside pins; wrong ones change nothing", () => {
        const { mesh, cloth, run, gone } = leash({ pins: [{ select: [0] }] });
        const distances = Array.from({ length: 81 }, (_, v) => 0.02 + v / 400);
        expect(messageOf(() => (cloth.maxDistance = [1, 2]))).toBe(
            'ClothBehavior: maxDistance must be 81 numbers, one for each vertex of "sheet", got 2',
        );
        expect(messageOf(() => (cloth.maxDistance = paint.attribute("_CLOTH")))).toContain("_CLOTH");
        expect([cloth.maxDistance, cloth.pins.length]).toEqual([null, 1]);
        const colours = new Float32Array(4 * 81).map((_, i) => distances[i >> 2]);
        mesh.setVerticesData("color", colours);
        for (const given of [distances, paint.vertexColor("r")]) {
            cloth.maxDistance = given;
            run(60);
            gone().forEach((distance, p) => expect(distance).toBeLessThan(distances[cloth.particleOfVertex(p)] + 1e-4));
            expect(gone()[0]).toBeLessThan(1e-6);
        }
        cloth.pins = [];
        run(60);
        expect(gone()[0]).toBeCloseTo(0.02, 3);
    });

    test("is written to files to the bit, with the motion, and outlives tears", () => {
        const first = leash({ pins: [{ select: [80] }] });
        first.run(10);
        first.cloth.maxDistance = Array.from({ length: 81 }, (_, v) => 0.05 + v / 800);
        first.run(20);
        const data = JSON.parse(JSON.stringify(ClothFiles.serialize(first.cloth, { state: true })));
        const { scene } = makeWorld();
        const copy = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 8 }, scene);
        copy.rotation.x = -Math.PI / 2;
        const second = ClothFiles.parse(data, scene);
        copy.addBehavior(second);
        first.run(60);
        for (let i = 0; i < 60; i++) second.step(STEP);
        expect(Array.from(second.getParticlePositions())).toEqual(Array.from(first.cloth.getParticlePositions()));
        const tearing = new ClothTearing({ strain: Infinity });
        first.mesh.addBehavior(tearing);
        expect(first.cloth.cut(new Vector3(-1, -0.03, 0), new Vector3(1, -0.1, 0), 1)).toBe(true);
        first.run(60);
        expect(first.cloth.particleCount).toBeGreaterThan(81);
        const y = column(first.cloth.getParticlePositions(), 1);
        expect(Math.min(...y)).toBeGreaterThan(-0.5 - 0.16);
    });
});

test("holds are written to files, and go on from there to the bit", () => {
    const points = [new Vector3(-2, 0, 0.5), new Vector3(2, 0, 0.5)];
    const holds = [
        new SoftHold({ stiffness: 40, maxForce: WEIGHT, slips: true }),
        new SoftHold({ maxForce: 4 * WEIGHT }),
        new MaxDistanceHold(0.01),
        new MaxDistanceHold({ read: ({ vertexCount }) => Float32Array.from({ length: vertexCount }, (_, v) => v / 400) }),
        new RailHold(points, { friction: 0.2, spacing: 0.01, maxSpacing: 0.15 }),
    ];
    for (const hold of holds) {
        const first = hang(hold);
        first.run(0.5);
        const data = JSON.parse(JSON.stringify(ClothFiles.serialize(first.cloth, { state: true })));
        const { scene } = makeWorld();
        const copy = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 8 }, scene);
        copy.rotation.x = -Math.PI / 2;
        const second = ClothFiles.parse(data, scene);
        copy.addBehavior(second);
        const again = hang(hold);
        again.run(1);
        for (let i = 0; i < 30; i++) second.step(STEP);
        expect(Array.from(second.getParticlePositions())).toEqual(Array.from(again.cloth.getParticlePositions()));
    }
});

test("wrong holds are told", () => {
    const points = [Vector3.Zero(), Vector3.Right()];
    const wrong: [() => unknown, string][] = [
        [() => new SoftHold({ stiffness: 0 }), "SoftHold: stiffness must be a finite number > 0, got 0"],
        [() => new SoftHold({ maxForce: NaN }), "SoftHold: maxForce must be a finite number > 0, got NaN"],
        [() => new SoftHold({ slips: 1 } as never), "SoftHold: slips must be true or false, got 1"],
        [
            () => new SoftHold({ force: 1 } as never),
            'SoftHold: unknown option "force"; the options are stiffness, maxForce, slips, damping; did you mean "maxForce"?',
        ],
        [() => new MaxDistanceHold(-1), "MaxDistanceHold: maxDistance must be a finite number >= 0, got -1"],
        [
            () => new MaxDistanceHold({} as never),
            "MaxDistanceHold: maxDistance must be a number, a number for each vertex, or a paint, got an object (Object)",
        ],
        [() => new RailHold([points[0]]), "RailHold: points must be two vectors or more, got 1"],
        [() => new RailHold([points[0], points[0]]), "RailHold: points must be at more than one place, got 2"],
        [() => new RailHold(points, { friction: -1 }), "RailHold: friction must be a finite number >= 0, got -1"],
        [() => paint.vertexColor("x" as never), 'paint: vertexColor(channel) must be "r", "g", "b" or "a", got "x"'],
        [() => paint.vertexColor("r", NaN), "paint: vertexColor(from) must be a finite number, got NaN"],
        [
            () => new ClothBehavior().pin([0], null, {} as never),
            "ClothBehavior: pin: hold must be a SoftHold, MaxDistanceHold, RailHold or PlaneHold, got an object (Object)",
        ],
        [
            () => hang(new MaxDistanceHold([1, 2])),
            'MaxDistanceHold: maxDistance must be 81 numbers, one for each vertex of "sheet", got 2',
        ],
    ];
    for (const [make, message] of wrong) expect(messageOf(make)).toBe(message);
});
