import { afterEach, describe, expect, jest, test } from "@jest/globals";
import "@babylonjs/core/Materials/standardMaterial";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Logger } from "@babylonjs/core/Misc/logger";
import { Scene } from "@babylonjs/core/scene";
import { ClothBuilder, RopeBehavior, Wind, Winds, WindSpeeds } from "babylon-cloth";
import type { RopeOptions } from "babylon-cloth";

const engine = new NullEngine();
const newScene = (): Scene => {
    const scene = new Scene(engine);
    scene.gravity = new Vector3(0, -9.81, 0);
    return scene;
};
const path = Array.from({ length: 33 }, (_, i) => new Vector3(i / 16 - 1, 2, 0));
const aside = (z: number): Vector3[] => path.map((p) => p.add(new Vector3(0, 0, z)));
const run = (rope: RopeBehavior, seconds: number): void => {
    for (let k = 0; k < 60 * seconds; k++) rope.step(1 / 60);
};
const particle = (rope: RopeBehavior, i: number): number[] => Array.from(rope.getParticlePositions().slice(3 * i, 3 * i + 3));

afterEach(() => void jest.restoreAllMocks());

describe("RopeBehavior", () => {
    test.each([
        ["a tube", (scene: Scene) => MeshBuilder.CreateTube("m", { path, radius: 0.02, tessellation: 12 }, scene), 33],
        ["a tube with caps", (scene: Scene) => MeshBuilder.CreateTube("m", { path, radius: 0.02, cap: Mesh.CAP_ALL }, scene), 33],
        ["lines", (scene: Scene) => MeshBuilder.CreateLines("m", { points: path }, scene), 33],
        [
            "a cylinder",
            (scene: Scene) => MeshBuilder.CreateCylinder("m", { height: 2, diameter: 0.05, subdivisions: 20 }, scene),
            21,
        ],
    ])("finds the centre line of %s, and hangs it by its start", (_name, make, particleCount) => {
        const mesh = make(newScene());
        // What stands upright on its end does not fall.
        mesh.rotation.z = 0.5;
        const rope = new RopeBehavior({ start: mesh, damping: 3 });
        mesh.addBehavior(rope);
        expect(rope.particleCount).toBe(particleCount);
        expect(rope.length).toBeCloseTo(2, 3);
        const first = particle(rope, 0);
        run(rope, 6);
        expect(particle(rope, 0)).toEqual(first);
        const last = particle(rope, particleCount - 1);
        expect(Math.hypot(last[0] - first[0], last[2] - first[2])).toBeLessThan(0.05);
        expect(first[1] - last[1]).toBeCloseTo(2, 2);
        expect(mesh.getBoundingInfo().boundingBox.minimumWorld.y).toBeCloseTo(last[1], 1);
    });

    test.each([
        [64, Mesh.NO_CAP],
        [8, Mesh.NO_CAP],
        [64, Mesh.CAP_ALL],
        [10, Mesh.CAP_END],
    ])("finds the centre line of a tube that is bent over a post: %i vertices around, caps %i", (tessellation, cap) => {
        const bent = Array.from({ length: 49 }, (_, i) => {
            const along = (i / 48 - 0.5) * 2.4;
            const down = Math.max(0, Math.abs(along) - (Math.PI / 2) * 0.22);
            const turn = (along - Math.sign(along) * down) / 0.22;
            return new Vector3(0.22 * Math.sin(turn), 0.22 * Math.cos(turn) - down, 0.1 * turn);
        });
        const mesh = MeshBuilder.CreateTube("m", { path: bent, radius: 0.02, tessellation, cap }, newScene());
        const rope = new RopeBehavior();
        mesh.addBehavior(rope);
        expect(rope.particleCount).toBe(49);
        bent.forEach((place, i) => {
            const [x, y, z] = particle(rope, i);
            expect(Math.hypot(x - place.x, y - place.y, z - place.z)).toBeLessThan(1e-3);
        });
    });

    test("a ribbon is a rope, too", () => {
        const mesh = MeshBuilder.CreateRibbon("m", { pathArray: [path, aside(0.05)] }, newScene());
        const rope = new RopeBehavior({ start: mesh });
        mesh.addBehavior(rope);
        expect(rope.length! / 2).toBeCloseTo(1, 1);
    });

    test("vertices keep their distance from the line, and normals point away from it, however it turns", () => {
        const mesh = MeshBuilder.CreateTube("m", { path, radius: 0.02, tessellation: 8, updatable: true }, newScene());
        const rope = new RopeBehavior({ start: mesh, endMass: 0.3 });
        mesh.addBehavior(rope);
        let [farthest, least] = [0, 1];
        for (let k = 0; k < 90; k++) {
            rope.step(1 / 60);
            const positions = mesh.getVerticesData("position")!;
            const normals = mesh.getVerticesData("normal")!;
            for (let v = 0; v < positions.length / 3; v++) {
                const ring = Math.floor(v / (positions.length / 99));
                const centre = [0, 0, 0];
                const size = positions.length / 99;
                for (let i = 0; i < size; i++) for (let c = 0; c < 3; c++) centre[c] += positions[3 * (ring * size + i) + c] / size;
                const out = [0, 1, 2].map((c) => positions[3 * v + c] - centre[c]);
                // The first vertex of a ring is there twice: its middle is a little off.
                farthest = Math.max(farthest, Math.abs(Math.hypot(...out) - 0.02));
                least = Math.min(
                    least,
                    out.reduce((sum, x, c) => sum + x * normals[3 * v + c], 0),
                );
            }
        }
        expect(farthest).toBeLessThan(0.004);
        expect(least).toBeGreaterThan(0.015);
    });

    test("is tied to nodes, and let go", () => {
        const scene = newScene();
        const hook = new TransformNode("hook", scene);
        const mesh = MeshBuilder.CreateTube("m", { path, radius: 0.02 }, scene);
        const rope = new RopeBehavior({ start: hook });
        mesh.addBehavior(rope);
        hook.position.set(0, 1, 0);
        run(rope, 0.2);
        rope.step(1 / 30);
        expect(particle(rope, 0)[1]).toBeCloseTo(3, 2);
        rope.start = null;
        run(rope, 1);
        expect(particle(rope, 0)[1]).toBeLessThan(1);
    });

    test("has its ends beside its pins, in any order", () => {
        const scene = newScene();
        const hook = new TransformNode("hook", scene);
        hook.position.set(-1, 2, 0);
        const mesh = MeshBuilder.CreateTube("rope", { path, radius: 0.02 }, scene);
        const rope = new RopeBehavior({ start: hook, end: mesh, pins: [{ select: (_, v) => v === 100 }] });
        mesh.addBehavior(rope);
        const namesOf = ({ start, end }: RopeBehavior) => [start, end].map((node) => (node as TransformNode | null)?.name);
        expect([...namesOf(rope), rope.pins.length]).toEqual(["hook", "rope", 1]);
        const [copy] = mesh.clone("copy").behaviors as RopeBehavior[];
        copy.step(1 / 60);
        expect([...namesOf(copy), copy.pins.length]).toEqual(["hook", "copy", 1]);
        rope.pins = [];
        expect(namesOf(rope)).toEqual(["hook", "rope"]);
        jest.spyOn(Logger, "Warn").mockImplementation(() => {});
        hook.dispose();
        run(rope, 0.1);
        expect([...namesOf(rope), rope.pins.length]).toEqual([undefined, "rope", 0]);
    });

    test("lets go, with one warning, where its node is disposed of", () => {
        const warn = jest.spyOn(Logger, "Warn").mockImplementation(() => {});
        const scene = newScene();
        const hook = new TransformNode("hook", scene);
        const mesh = MeshBuilder.CreateTube("m", { path, radius: 0.02 }, scene);
        const rope = new RopeBehavior({ start: hook });
        mesh.addBehavior(rope);
        run(rope, 0.1);
        hook.dispose();
        run(rope, 1);
        expect(particle(rope, 0)[1]).toBeLessThan(0);
        expect(warn).toHaveBeenCalledTimes(1);
    });

    test("is a winch: its length changes while it runs", () => {
        const mesh = MeshBuilder.CreateTube("m", { path, radius: 0.02 }, newScene());
        const rope = new RopeBehavior({ start: mesh, endMass: 2, damping: 3 });
        mesh.addBehavior(rope);
        run(rope, 4);
        for (let k = 0; k < 60; k++) {
            rope.length! -= 1 / 60;
            rope.step(1 / 60);
        }
        expect(rope.length).toBeCloseTo(1, 3);
        run(rope, 2);
        const [start, end] = [particle(rope, 0), particle(rope, 32)];
        expect(Math.hypot(end[0] - start[0], end[1] - start[1], end[2] - start[2])).toBeCloseTo(1, 2);
    });

    // The whole of a frame's change in the first of its steps threw the load 4 m up at 15 frames a second.
    test.each([15, 24, 40, 60, 144])("is a winch that draws its load evenly, at %d frames a second", (rate) => {
        const line = Array.from({ length: 23 }, (_, i) => new Vector3(0, (-i / 22) * 1.6, 0));
        const mesh = MeshBuilder.CreateTube("m", { path: line, radius: 0.018 }, newScene());
        const rope = new RopeBehavior({ start: mesh, endMass: 20, damping: 0.2, autoStep: false });
        mesh.addBehavior(rope);
        let most = 0;
        for (let t = 0; t < 12; t += 1 / rate) {
            rope.length = 1.95 - 0.35 * Math.cos(0.8 * t);
            rope.step(1 / rate);
            most = Math.max(most, Math.abs(particle(rope, 0)[1] - particle(rope, 22)[1] - rope.length));
        }
        // What it is behind by: at most two frames and a step of 0.28 m/s.
        expect(most).toBeLessThan(0.28 * (2 / rate + 1 / 60) + 0.005);
    });

    test("drifts in its own wind and in its scene's, with the wind", () => {
        const swayOf = (wind: Wind | null, isInScene: boolean): number => {
            const scene = newScene();
            if (wind && isInScene) Winds.add(scene, wind);
            const mesh = MeshBuilder.CreateTube("m", { path, radius: 0.02 }, scene);
            mesh.rotation.z = -Math.PI / 2;
            const rope = new RopeBehavior({ start: mesh, damping: 3, radius: 0.02, wind: isInScene ? undefined : wind });
            mesh.addBehavior(rope);
            run(rope, 4);
            return particle(rope, 32)[2] - particle(rope, 0)[2];
        };
        const wind = new Wind({ velocity: new Vector3(0, 0, 5), turbulence: 0 });
        expect(Math.abs(swayOf(null, false))).toBeLessThan(1e-3);
        expect(swayOf(wind, false)).toBeGreaterThan(0.3);
        expect(swayOf(wind, true)).toBeCloseTo(swayOf(wind, false), 6);
        expect(() => new RopeBehavior({ wind: 3 as never })).toThrow("RopeBehavior: wind must be a Wind or null, got 3");
        const { rope } = ClothBuilder.CreateRope("named", { wind: "breeze" }, newScene());
        const { x, y, z } = rope.wind!.velocity;
        expect(Math.hypot(x, y, z)).toBeCloseTo(WindSpeeds.breeze, 6);
        expect(() => ClothBuilder.CreateRope("named", { wind: "typhoon" as never }, newScene())).toThrow("wind must be one of");
    });

    test("gives its mesh the rest shape back", () => {
        const mesh = MeshBuilder.CreateTube("m", { path, radius: 0.02 }, newScene());
        const before = Array.from(mesh.getVerticesData("position")!);
        const rope = new RopeBehavior();
        mesh.addBehavior(rope);
        run(rope, 0.5);
        mesh.removeBehavior(rope);
        expect(Array.from(mesh.getVerticesData("position")!)).toEqual(before);
        expect(rope.particleCount).toBe(0);
    });

    test.each([
        [{ length: 0 }, "RopeBehavior: length must be a finite number > 0, got 0"],
        [{ linearDensity: NaN }, "RopeBehavior: linearDensity must be a finite number > 0, got NaN"],
        [{ stretchStiffness: NaN }, "RopeBehavior: stretchStiffness must be a number > 0 (Infinity = inextensible), got NaN"],
        [{ bendStiffness: Infinity }, "RopeBehavior: bendStiffness must be a finite number >= 0, got Infinity"],
        [{ segmentCount: 0 }, "RopeBehavior: segmentCount must be an integer from 1 to 4096, got 0"],
        [{ fabric: {} }, 'RopeBehavior: unknown option "fabric"'],
    ])("%p is refused", (options, message) => {
        expect(() => new RopeBehavior(options as RopeOptions)).toThrow(message);
    });

    test.each([
        ["a box", (scene: Scene) => MeshBuilder.CreateBox("m", {}, scene)],
        ["a sphere", (scene: Scene) => MeshBuilder.CreateSphere("m", {}, scene)],
        ["two lines", (scene: Scene) => MeshBuilder.CreateLineSystem("m", { lines: [path, aside(1)] }, scene)],
        ["dashed lines", (scene: Scene) => MeshBuilder.CreateDashedLines("m", { points: path }, scene)],
        ["a tube of no length", (scene: Scene) => MeshBuilder.CreateTube("m", { path: [path[0], path[0]] }, scene)],
    ])("%s is no rope", (_name, make) => {
        const mesh = make(newScene());
        expect(() => mesh.addBehavior(new RopeBehavior())).toThrow(/^RopeBehavior: mesh "m" must/);
        expect(mesh.geometry).not.toBeNull();
    });
});

describe("ClothBuilder.CreateRope", () => {
    test("hangs between two nodes", () => {
        const scene = newScene();
        const [start, end] = [-1, 1].map((x) => {
            const node = new TransformNode("n", scene);
            node.position.set(x, 3, 0);
            return node;
        });
        const mesh = ClothBuilder.CreateRope("rope", { start, end, length: 3, radius: 0.02, damping: 3 }, scene);
        run(mesh.rope, 3);
        const last = mesh.rope.particleCount - 1;
        particle(mesh.rope, 0).forEach((x, c) => expect(x).toBeCloseTo([-1, 3, 0][c], 4));
        particle(mesh.rope, last).forEach((x, c) => expect(x).toBeCloseTo([1, 3, 0][c], 4));
        // Length 3 over 2: a = 0.6164.
        expect(particle(mesh.rope, last / 2)[1]).toBeCloseTo(3 - 1.0033, 1);
    });

    test("is refused where it would be too short, and nothing is left", () => {
        const scene = newScene();
        expect(() => ClothBuilder.CreateRope("rope", { from: Vector3.Zero(), to: new Vector3(2, 0, 0), length: 1 }, scene)).toThrow(
            "ClothBuilder: CreateRope: length must be at least the 2 m between its ends, got 1",
        );
        expect(scene.meshes).toHaveLength(0);
    });
});
