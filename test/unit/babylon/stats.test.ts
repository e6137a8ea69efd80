import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { ClothBehavior, select, Wind } from "../../../src/index";
import { stageNames } from "../../../src/engine/index";
import { disposeWorlds, FRAME, makeSquare, makeWorld, rows } from "./harness";

afterEach(disposeWorlds);

describe("stats", () => {
    test("zeros while there is no mesh", () => {
        const { stats } = new ClothBehavior();
        expect(stats.particleCount).toBe(0);
        expect(stats.counts).toMatchObject({ structural: 0, shear: 0, bend: 0, unilateralLimits: 0, tethers: 0 });
        expect([stats.meanStretch, stats.maxStretch, stats.kineticEnergy]).toEqual([0, 0, 0]);
        for (const milliseconds of Object.values(stats.milliseconds)) expect(milliseconds).toBe(0);
    });

    test("what the mesh is made of", () => {
        const { scene } = makeWorld();
        const cloth = new ClothBehavior({});
        makeSquare(scene, 4).addBehavior(cloth);
        const { stats } = cloth;
        expect(stats.particleCount).toBe(25);
        // The edges of 16 squares, a diagonal of each, and straight ones over two squares and from side to side.
        expect(stats.counts).toMatchObject({
            structural: 40,
            shear: 16,
            unilateralLimits: 30,
            farUnilateralLimits: 12,
            tethers: 0,
        });
        cloth.pin([0]);
        cloth.step(1 / 60);
        expect(stats.counts.tethers).toBe(24);
    });

    test("milliseconds by stage add up to the total", () => {
        const { scene, frame } = makeWorld();
        const ball = MeshBuilder.CreateSphere("ball", {}, scene);
        const cloth = new ClothBehavior({ wind: new Wind(), colliders: [ball], pins: [{ select: [0] }] });
        makeSquare(scene, 10).addBehavior(cloth);
        // The first reading turns the clock on.
        expect(cloth.stats.milliseconds.total).toBe(0);
        frame(FRAME, 5);
        const { total, ...phases } = cloth.stats.milliseconds;
        expect(Object.keys(phases)).toEqual([...stageNames, "write"]);
        const values = Object.values(phases);
        expect(values.every((value) => value >= 0 && value < 1000)).toBe(true);
        expect(values.reduce((sum, value) => sum + value)).toBeCloseTo(total, 9);
        expect(phases.constraints + phases.write).toBeGreaterThan(0);
    });

    test.each([59.94, 72, 144])("milliseconds that are read for the first time after 8 s at %d Hz", (rate) => {
        const { scene, frame } = makeWorld();
        const node = new TransformNode("hand", scene);
        const cloth = new ClothBehavior({ wind: null, pins: [{ select: [0], target: node }] });
        makeSquare(scene, 10).addBehavior(cloth);
        for (let i = 0; i < 8 * rate; i++) {
            node.position.x = 0.1 * Math.sin(i / 10);
            frame(1000 / rate);
        }
        const { total, constraints, write } = cloth.stats.milliseconds;
        for (const milliseconds of [total, constraints, write]) expect(milliseconds).toBeGreaterThan(0);
        expect(total).toBeLessThan(1000);
    });

    test("milliseconds are a mean, so that a clock of whole milliseconds tells them", () => {
        const { scene, frame } = makeWorld();
        const cloth = new ClothBehavior({ pins: [{ select: [0] }] });
        makeSquare(scene, 4).addBehavior(cloth);
        void cloth.stats.milliseconds;
        // Each reading of the clock is 0.137 ms later, and whole milliseconds are told; every phase of four substeps takes some.
        let now = 0;
        const clock = jest.spyOn(performance, "now").mockImplementation(() => Math.floor((now += 0.137)));
        const totals: number[] = [];
        try {
            frame(FRAME, 60);
            for (let i = 0; i < 60; i++) {
                frame();
                totals.push(cloth.stats.milliseconds.total);
            }
            const { write, integrate } = cloth.stats.milliseconds;
            expect(write).toBeCloseTo(0.137, 1);
            expect(integrate).toBeCloseTo(4 * 0.137, 1);
            expect(Math.max(...totals) / Math.min(...totals)).toBeLessThan(1.1);
            // What it was long ago does not count.
            clock.mockImplementation(() => 0);
            frame(FRAME, 400);
            expect(cloth.stats.milliseconds.total).toBeLessThan(0.01);
        } finally {
            clock.mockRestore();
        }
    });

    test("stretch: mean and largest elongation", () => {
        const { scene, frame } = makeWorld();
        const [left, right] = [new TransformNode("left", scene), new TransformNode("right", scene)];
        const cloth = new ClothBehavior({
            gravity: Vector3.Zero(),
            tetherSlack: Infinity,
            pins: [
                { select: select.edge("-x"), target: left },
                { select: select.edge("+x"), target: right },
            ],
        });
        makeSquare(scene, 1).addBehavior(cloth);
        frame();
        expect(cloth.stats.maxStretch).toBeLessThan(1e-6);
        right.position.x = 0.5;
        frame(FRAME, 2);
        // Two edges along x are longer by half, two across keep their length.
        expect(cloth.stats.maxStretch).toBeCloseTo(0.5, 5);
        expect(cloth.stats.meanStretch).toBeCloseTo(0.25, 5);
        right.position.x = -0.5;
        frame(FRAME, 2);
        expect(cloth.stats.maxStretch).toBeLessThan(1e-6);
    });

    test("kinetic energy of a free fall", () => {
        const { scene, frame } = makeWorld();
        const cloth = new ClothBehavior({ wind: null, fabric: { damping: 0, arealDensity: 0.5 } });
        makeSquare(scene).addBehavior(cloth);
        expect(cloth.stats.kineticEnergy).toBe(0);
        frame(FRAME, 30);
        // m v²/2 with m = 0.5 kg, v = g · 0.5 s.
        expect(cloth.stats.kineticEnergy).toBeCloseTo(0.25 * (9.81 / 2) ** 2, 1);
    });
});

describe("particles", () => {
    test("positions in world space, into the caller's array too", () => {
        const { scene } = makeWorld();
        const mesh = makeSquare(scene);
        mesh.position.set(1000, 2, -3000);
        const cloth = new ClothBehavior();
        expect(cloth.getParticlePositions()).toEqual(new Float32Array(0));
        mesh.addBehavior(cloth);
        const target = new Float32Array(200);
        expect(cloth.getParticlePositions(target)).toBe(target);
        expect(rows(target, [0])).toEqual([999.5, 2, -2999.5]);
        expect(target[147]).toBe(0);
        expect(cloth.getParticlePositions().length).toBe(147);
    });

    test("every vertex has a particle, at its place", () => {
        const { scene } = makeWorld();
        const box = MeshBuilder.CreateBox("box", {}, scene);
        const cloth = new ClothBehavior();
        box.addBehavior(cloth);
        expect(cloth.particleCount).toBe(8);
        const particles = cloth.getParticlePositions();
        const vertices = box.getVerticesData("position")!;
        for (let v = 0; v < 24; v++) expect(rows(particles, [cloth.particleOfVertex(v)])).toEqual(rows(vertices, [v]));
    });

    test("an impulse moves those within its radius, and only those", () => {
        const { scene } = makeWorld();
        const cloth = new ClothBehavior({
            gravity: Vector3.Zero(),
            autoStep: false,
            fabric: { damping: 0, stretchStiffness: 0, shearStiffness: 0, bendStiffness: 0, arealDensity: 1 },
        });
        const mesh = makeSquare(scene, 10);
        mesh.position.set(40, 8, -30);
        mesh.addBehavior(cloth);
        cloth.applyImpulse(new Vector3(40.5, 8, -29.5), new Vector3(0, 0.01, 0), 0.35);
        cloth.step(1 / 60);
        const x = cloth.getParticlePositions();
        for (let i = 0; i < cloth.particleCount; i++) {
            const [px, py, pz] = rows(x, [i]);
            const isNear = Math.hypot(px - 40.5, pz + 29.5) < 0.35 - 1e-4;
            expect(py > 8).toBe(isNear);
        }
        expect(cloth.stats.kineticEnergy).toBeGreaterThan(0);
        const before = cloth.stats.kineticEnergy;
        cloth.applyImpulse(new Vector3(50, 0, 0), new Vector3(0, 1, 0), 1);
        expect(cloth.stats.kineticEnergy).toBe(before);
    });

    test("the radius of an impulse is half a metre unless said", () => {
        const { scene } = makeWorld();
        const run = (...radius: number[]): Float32Array => {
            const cloth = new ClothBehavior({ gravity: Vector3.Zero(), autoStep: false });
            MeshBuilder.CreateGround("sheet", { width: 4, height: 4, subdivisions: 20 }, scene).addBehavior(cloth);
            cloth.applyImpulse(new Vector3(0.1, 0, 0.1), new Vector3(0, 0.1, 0), ...radius);
            cloth.step(1 / 60);
            return cloth.getParticlePositions();
        };
        expect(run()).toEqual(run(0.5));
        expect(run()).not.toEqual(run(0.6));
    });

    test("an impulse beyond all measure leaves every number finite", () => {
        const { scene, frame } = makeWorld();
        const cloth = new ClothBehavior({ pins: [{ select: [0] }] });
        makeSquare(scene).addBehavior(cloth);
        for (const size of [1e3, 1e10, 1e100, 1e308]) {
            for (const radius of [1e-3, 1, 1e6]) {
                cloth.applyImpulse(new Vector3(0.1, 0, 0.1), new Vector3(size, -size, size), radius);
                frame(FRAME, 2);
                expect(cloth.getParticlePositions().every(Number.isFinite)).toBe(true);
            }
        }
        frame(FRAME, 300);
        expect(cloth.stats.maxStretch).toBeLessThan(0.5);
    });
});
