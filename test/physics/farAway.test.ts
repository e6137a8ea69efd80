import { afterEach, describe, expect, test } from "@jest/globals";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Logger } from "@babylonjs/core/Misc/logger";
import { Scene } from "@babylonjs/core/scene";
import { ClothBehavior, Wind, select } from "babylon-cloth";

Logger.LogLevels = Logger.ErrorLogLevel;

const scenes: Scene[] = [];
afterEach(() => {
    for (const scene of scenes.splice(0)) scene.getEngine().dispose();
});

/** Whole metres and 1/128 m are exact in 32-bit world matrices 100 km away: what differs is the cloth's own doing. */
const FAR = new Vector3(100_000, 0, 100_000);

describe("far from the origin", () => {
    /** A ground held by one edge swings down into the way of a ball, in the wind; all of it about `place`. */
    function play(place: Vector3, seconds: number): { positions: number[][]; drawn: number[][]; stretch: number } {
        const scene = new Scene(new NullEngine());
        scenes.push(scene);
        const mesh = MeshBuilder.CreateGround("cloth", { width: 1, height: 1, subdivisions: 12, updatable: true }, scene);
        mesh.position.copyFrom(place);
        const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.5 }, scene);
        const rail = new TransformNode("rail", scene);
        const put = (time: number): void => {
            ball.position.copyFrom(place).addInPlaceFromFloats(0, -0.5, Math.round(128 * (0.75 - time)) / 128);
            rail.position.copyFrom(place).addInPlaceFromFloats(Math.round(32 * time) / 128, 0, 0);
        };
        put(0);
        const cloth = new ClothBehavior({
            autoStep: false,
            pins: [{ select: select.edge("-x"), target: rail }],
            colliders: [ball],
            // Without gusts: these are of the place, as they should be.
            wind: new Wind({ velocity: new Vector3(2, 0, 1), turbulence: 0 }),
        });
        mesh.addBehavior(cloth);
        const positions: number[][] = [];
        const drawn: number[][] = [];
        for (let frame = 1; frame <= seconds * 60; frame++) {
            put(frame / 60);
            cloth.step(1 / 60);
            if (frame % 12 === 0) {
                // getParticlePositions is in world space, 32 bits: as coarse as 8 mm out there. The mesh is local and fine.
                positions.push(Array.from(cloth.getParticlePositions(), (x, i) => x - place.asArray()[i % 3]));
                drawn.push(localPositions(mesh));
            }
        }
        return { positions, drawn, stretch: cloth.stats.meanStretch };
    }

    test("100 km away, with pins on a moving rail, a moving ball and wind: the same motion as at the origin", () => {
        const near = play(Vector3.Zero(), 1.5);
        const far = play(FAR, 1.5);
        expect(largestDifference(near.drawn, far.drawn)).toBeLessThan(1e-3);
        expect(largestDifference(near.positions, far.positions)).toBeLessThan(0.01);
        expect(far.stretch).toBeCloseTo(near.stretch, 3);
        // And it did move.
        expect(Math.min(...far.drawn[far.drawn.length - 1])).toBeLessThan(-0.5);
    });

    test("a cloth carried off to 100 km at 1 km/s arrives in one piece", () => {
        const scene = new Scene(new NullEngine());
        scenes.push(scene);
        const mesh = MeshBuilder.CreateGround("cloth", { width: 1, height: 1, subdivisions: 10, updatable: true }, scene);
        const cloth = new ClothBehavior({ autoStep: false, pins: [{ select: select.edge("-x") }] });
        mesh.addBehavior(cloth);
        for (let frame = 1; frame <= 6000; frame++) {
            mesh.position.x = (100_000 * frame) / 6000;
            if (frame % 6 === 0) cloth.step(1 / 60);
        }
        for (let frame = 0; frame < 300; frame++) cloth.step(1 / 60);
        const local = localPositions(mesh);
        expect(local.every(Number.isFinite)).toBe(true);
        expect(cloth.stats.meanStretch).toBeLessThan(0.01);
        // It hangs from its edge at x = -0.5.
        for (let i = 0; i < local.length; i += 3) {
            expect(Math.abs(local[i] + 0.5)).toBeLessThan(0.3);
            expect(local[i + 1]).toBeLessThan(0.01);
        }
        expect(Math.min(...local)).toBeCloseTo(-1, 1);
    });

    test("a mesh that is put elsewhere at once (teleported by 100 km) recovers", () => {
        const scene = new Scene(new NullEngine());
        scenes.push(scene);
        const mesh = MeshBuilder.CreateGround("cloth", { width: 1, height: 1, subdivisions: 10, updatable: true }, scene);
        const cloth = new ClothBehavior({ autoStep: false, pins: [{ select: select.corners("-x") }] });
        mesh.addBehavior(cloth);
        for (let frame = 0; frame < 60; frame++) cloth.step(1 / 60);
        mesh.position.copyFrom(FAR);
        for (let frame = 0; frame < 900; frame++) cloth.step(1 / 60);
        expect(cloth.stats.meanStretch).toBeLessThan(0.01);
        const local = localPositions(mesh);
        for (let i = 0; i < local.length; i++) expect(Math.abs(local[i])).toBeLessThan(1.6);
    });
});

function localPositions(mesh: Mesh): number[] {
    return Array.from(mesh.getVerticesData("position")!);
}

function largestDifference(a: number[][], b: number[][]): number {
    let largest = 0;
    a.forEach((row, r) => row.forEach((x, i) => (largest = Math.max(largest, Math.abs(x - b[r][i])))));
    return largest;
}
