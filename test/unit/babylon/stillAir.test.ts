import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, describe, expect, test } from "@jest/globals";
import { ClothBehavior, ClothFiles, Fabrics, PlantBehavior, RopeBehavior, select, Wind, Winds } from "babylon-cloth";
import "babylon-cloth/files";
import type { ClothOptions } from "babylon-cloth";
import { column, disposeWorlds, FRAME, makeSquare, makeWorld } from "./harness";

afterEach(disposeWorlds);

const G = 9.81;
/** Speed at which a flat sheet of cotton falls [m/s]. */
const TERMINAL = Math.sqrt((2 * Fabrics.cotton.arealDensity * G) / (1.2 * 1.2));

/** A flat sheet that falls in a scene with a wind, or none; `seconds` later. */
function fall(options: ClothOptions, { wind, seconds = 1 }: { wind?: Wind; seconds?: number } = {}) {
    const { scene, frame } = makeWorld();
    if (wind) Winds.add(scene, wind);
    const cloth = new ClothBehavior({ gravity: new Vector3(0, -G, 0), ...options });
    const mesh = makeSquare(scene);
    mesh.addBehavior(cloth);
    const places = (): number[] =>
        [0, 1, 2].map((c) => column(cloth.getParticlePositions(), c).reduce((sum, x) => sum + x, 0) / cloth.particleCount);
    frame(FRAME, Math.round(seconds * 60) - 1);
    const before = places();
    frame();
    const after = places();
    return { cloth, places: after, velocity: after.map((x, c) => (x - before[c]) * 60) };
}

describe("air by default", () => {
    test("is still, of 1.2 kg/m³; undefined is the default; null is vacuum", () => {
        for (const options of [{}, { wind: undefined }]) {
            expect(Math.abs(-fall(options).velocity[1] / TERMINAL - 1)).toBeLessThan(0.01);
        }
        expect(Math.abs(-fall({ wind: null, fabric: { damping: 0 } }).velocity[1] / G - 1)).toBeLessThan(0.02);
        const cloth = new ClothBehavior({ wind: null });
        expect(cloth.wind).toBe(null);
        cloth.wind = undefined;
        expect(cloth.wind).toBe(undefined);
    });

    test("winds of the scene blow in it, and not in vacuum", () => {
        const wind = new Wind({ velocity: new Vector3(0, 0, 3), turbulence: 0 });
        expect(fall({}, { wind }).velocity[2]).toBeGreaterThan(0.02);
        const { velocity } = fall({ wind: null, fabric: { damping: 0 } }, { wind });
        expect(Math.abs(velocity[2])).toBeLessThan(1e-3);
        expect(Math.abs(-velocity[1] / G - 1)).toBeLessThan(0.02);
    });

    test("is still around the zone of a wind, its own or the scene's, whatever the density in the zone", () => {
        const { scene } = makeWorld();
        const node = new TransformNode("far", scene);
        node.position.set(30, 0, 0);
        for (const airDensity of [1.2, 1000]) {
            const wind = new Wind({ velocity: new Vector3(0, 5, 0), airDensity, zone: { shape: "box", node } });
            for (const speed of [fall({ wind }), fall({}, { wind })].map(({ velocity }) => -velocity[1])) {
                expect(Math.abs(speed / TERMINAL - 1)).toBeLessThan(0.01);
            }
        }
    });

    test("in a box that the cloth has half of its particles in, the rest is in still air", () => {
        const { scene, frame } = makeWorld();
        const node = MeshBuilder.CreateBox("pool", { size: 2 }, scene);
        node.position.set(1.1, 0, 0);
        node.scaling.setAll(2);
        const wind = new Wind({ airDensity: 1000, zone: { shape: "box", node, falloff: 1e-3 } });
        const cloth = new ClothBehavior({ gravity: new Vector3(0, -G, 0), wind });
        makeSquare(scene).addBehavior(cloth);
        frame(FRAME, 12);
        const speeds = cloth.getParticlePositions().slice();
        frame();
        cloth.getParticlePositions().forEach((x, k) => (speeds[k] = 60 * (speeds[k] - x)));
        expect(Math.max(...column(speeds, 1))).toBeLessThan(1.05 * TERMINAL);
        expect(Math.max(...column(speeds, 1))).toBeGreaterThan(0.5);
        expect(Math.min(...column(speeds, 1))).toBeLessThan(0.2);
    });

    test("lets cloth sleep", () => {
        const { scene, frame } = makeWorld();
        const ground = MeshBuilder.CreateGround("ground", { width: 4, height: 4 }, scene);
        const lying = new ClothBehavior({ colliders: [ground] });
        const hanging = new ClothBehavior({ pins: [{ select: select.edge("+z") }], fabric: { damping: 4 } });
        const mesh = makeSquare(scene);
        mesh.position.y = 0.05;
        mesh.addBehavior(lying);
        const curtain = makeSquare(scene);
        curtain.rotation.x = -Math.PI / 2;
        curtain.position.set(5, 3, 0);
        curtain.addBehavior(hanging);
        frame(FRAME, 480);
        expect(lying.stats.isAsleep).toBe(true);
        expect(hanging.stats.isAsleep).toBe(true);
    });

    test("is not written to files, vacuum is", () => {
        for (const Behavior of [ClothBehavior, RopeBehavior, PlantBehavior]) {
            expect(JSON.parse(JSON.stringify(ClothFiles.serialize(new Behavior()))).options).not.toHaveProperty("wind");
            expect(ClothFiles.serialize(new Behavior({ wind: null })).options.wind).toBe(null);
        }
        const { scene } = makeWorld();
        const data = new ClothBehavior().serialize();
        expect(ClothBehavior.Parse(JSON.parse(JSON.stringify(data)), scene).wind).toBe(undefined);
        expect(ClothBehavior.Parse({ ...data, options: { wind: null } }, scene).wind).toBe(null);
    });
});
