/** Numbers by particle: stretch where it is, and a cost that adds up to what is measured. */
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { afterEach, describe, expect, test } from "@jest/globals";
import { ClothBehavior, ClothMeasures, select } from "../../../src/index";
import { disposeWorlds, makeSquare, makeWorld, messageOf } from "./harness";

afterEach(disposeWorlds);

describe("ClothMeasures", () => {
    test("stretch is that of the edges as they are drawn", () => {
        const { scene, frame } = makeWorld();
        const mesh = makeSquare(scene);
        const rest = Float32Array.from(mesh.getVerticesData("position")!);
        const cloth = new ClothBehavior({ wind: null, pins: [{ select: select.edge("-x") }], fabric: { stretchStiffness: 50 } });
        mesh.addBehavior(cloth);
        frame(undefined, 30);
        const target = new Float32Array(cloth.particleCount + 1).fill(9);
        expect(ClothMeasures.stretch(cloth, target)).toBe(target);
        expect(target[cloth.particleCount]).toBe(9);

        const drawn = mesh.getVerticesData("position")!;
        const indices = mesh.getIndices()!;
        const length = (x: ArrayLike<number>, a: number, b: number): number =>
            Math.hypot(x[3 * b] - x[3 * a], x[3 * b + 1] - x[3 * a + 1], x[3 * b + 2] - x[3 * a + 2]);
        const shortest = length(rest, 0, 1);
        const expected = new Float32Array(cloth.particleCount);
        for (let i = 0; i < indices.length; i++) {
            const [a, b] = [indices[i], indices[i - (i % 3) + ((i + 1) % 3)]];
            // Diagonals are shear.
            if (length(rest, a, b) > 1.2 * shortest) continue;
            const strain = length(drawn, a, b) / length(rest, a, b) - 1;
            for (const p of [a, b].map((v) => cloth.particleOfVertex(v))) expected[p] = Math.max(expected[p], strain);
        }
        const stretch = ClothMeasures.stretch(cloth);
        expect(Math.max(...expected)).toBeGreaterThan(0.05);
        for (let p = 0; p < stretch.length; p++) expect(stretch[p]).toBeCloseTo(expected[p], 4);
    });

    test("costs add up to a frame's, and what touches has more", () => {
        const { scene, frame } = makeWorld();
        const mesh = makeSquare(scene);
        const cloth = new ClothBehavior({ fabric: { thickness: 0.02 }, sleepSpeed: 0 });
        const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.4 }, scene);
        ball.position.set(0, -0.21, 0);
        mesh.addBehavior(cloth);
        cloth.addCollider(ball);
        expect(Math.max(...ClothMeasures.cost(cloth))).toBe(0);
        // By then it no longer bounces.
        frame(undefined, 60);
        const cost = ClothMeasures.cost(cloth);
        const sum = cost.reduce((total, value) => total + value, 0);
        expect(sum / cloth.stats.milliseconds.total).toBeCloseTo(1, 3);
        const x = cloth.getParticlePositions();
        const distance = (p: number): number => Math.hypot(x[3 * p], x[3 * p + 1] - ball.position.y, x[3 * p + 2]);
        const touching = [...cost.keys()].filter((p) => distance(p) < 0.221);
        const free = [...cost.keys()].filter((p) => distance(p) > 0.26);
        expect(touching.length).toBeGreaterThan(0);
        const mean = (chosen: number[]): number => chosen.reduce((total, p) => total + cost[p], 0) / chosen.length;
        expect(mean(touching)).toBeGreaterThan(mean(free));
    });

    test("refuses what it cannot measure", () => {
        const { scene, frame } = makeWorld();
        const cloth = new ClothBehavior();
        expect(messageOf(() => ClothMeasures.stretch(cloth))).toMatch(
            /^ClothMeasures: stretch\(cloth\) must be a ClothBehavior on a mesh/,
        );
        makeSquare(scene).addBehavior(cloth);
        frame();
        expect(messageOf(() => ClothMeasures.cost(cloth, new Float32Array(3)))).toMatch(
            /^ClothMeasures: cost\(target\) must be a Float32Array of \d+/,
        );
    });
});
