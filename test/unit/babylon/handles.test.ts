// Handles do not hand out insides: lists are frozen copies, a fabric says how to change it, and its thickness stays what a builder fitted it to.
import "@babylonjs/core/Materials/standardMaterial";
import "@babylonjs/core/Meshes/instancedMesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { ParticleSystem } from "@babylonjs/core/Particles/particleSystem";
import { ClothBehavior, ClothBuilder, ClothParticles, Fabrics, RopeBehavior } from "babylon-cloth";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { disposeWorlds, FRAME, listen, makeSquare, makeWorld, messageOf, told, worldVertices } from "./harness";

afterEach(disposeWorlds);

describe("lists", () => {
    test("of a cloth: pushing throws, and every later frame, reset and disposal goes on", () => {
        const { scene, frame } = makeWorld();
        const mesh = makeSquare(scene);
        const ball = MeshBuilder.CreateSphere("ball", {}, scene);
        const cloth = new ClothBehavior({ pins: [{ select: [0] }], colliders: [ball], wind: null });
        mesh.addBehavior(cloth);
        frame(FRAME);
        const { pins, colliders } = cloth;
        expect(() => (pins as unknown[]).push({ select: [1] })).toThrow(TypeError);
        expect(() => (colliders as unknown[]).push(mesh)).toThrow(TypeError);
        expect(() => (colliders as unknown[]).splice(0)).toThrow(TypeError);
        expect([cloth.pins.length, cloth.colliders.length]).toEqual([1, 1]);
        frame(FRAME, 3);
        cloth.reset();
        cloth.pins = [...cloth.pins, { select: [1] }];
        expect(cloth.pins[0]).toBe(pins[0]);
        frame(FRAME);
        expect(worldVertices(mesh).every(Number.isFinite)).toBe(true);
        mesh.dispose();
    });

    test("copies stay as they were while pins and colliders go", () => {
        const { scene } = makeWorld();
        const cloth = new ClothBehavior({ pins: [{ select: [0] }, { select: [1] }], wind: null });
        makeSquare(scene).addBehavior(cloth);
        for (const pin of cloth.pins) cloth.unpin(pin);
        expect(cloth.pins.length).toBe(0);
    });

    test("of ropes and particles", () => {
        const { scene } = makeWorld();
        const particles = new ClothParticles(new ParticleSystem("rain", 10, scene));
        for (const list of [new RopeBehavior().pins, particles.colliders, particles.cloths]) {
            expect(() => (list as unknown[]).push(0)).toThrow(TypeError);
        }
    });
});

describe("a fabric", () => {
    test("says how to change one property", () => {
        const cloth = new ClothBehavior({ wind: null });
        expect(messageOf(() => ((cloth.fabric as { damping: number }).damping = 2))).toBe(
            "ClothBehavior: set fabric = { ...cloth.fabric, damping: 2 }, not fabric.damping",
        );
        expect(() => Object.assign(cloth.fabric, { dampng: 2 })).toThrow(TypeError);
        cloth.fabric = { ...cloth.fabric, damping: 2 };
        expect(cloth.fabric).toEqual({ ...Fabrics.cotton, damping: 2 });
        expect(JSON.parse(JSON.stringify(cloth.fabric)).damping).toBe(2);
        expect(structuredClone(cloth.fabric).damping).toBe(2);
        expect(cloth.fabric).toBe(cloth.fabric);
    });

    test("keeps the thickness that a builder fitted to its edges, by name and by properties", () => {
        const { scene } = makeWorld();
        const { cloth } = ClothBuilder.CreateFlag("flag", { width: 3, height: 2, subdivisions: 24, wind: "still" }, scene);
        const { thickness } = cloth.fabric;
        expect(thickness).toBeCloseTo(0.045, 3);
        cloth.fabric = "silk";
        expect(cloth.fabric).toEqual({ ...Fabrics.silk, thickness });
        cloth.fabric = { damping: 3 };
        expect(cloth.fabric).toEqual({ ...Fabrics.cotton, damping: 3, thickness });
        cloth.fabric = { ...Fabrics.denim };
        expect(cloth.fabric).toEqual(Fabrics.denim);
        cloth.fabric = "silk";
        expect(cloth.fabric).toEqual(Fabrics.silk);
        cloth.fabric = { thickness: 0.02 };
        cloth.fabric = "wool";
        expect(cloth.fabric).toEqual({ ...Fabrics.wool, thickness: 0.02 });
        expect(() => (cloth.fabric = "slik" as never)).toThrow('did you mean "silk"?');
    });
});

describe("what else shows or moves the mesh of running cloth is warned about once", () => {
    beforeEach(() => listen("warn"));
    afterEach(() => void jest.restoreAllMocks());

    test.each<[string, (mesh: Mesh) => void]>([
        ['"square" has an instance', (mesh) => mesh.createInstance("again")],
        ['"square" has a PhysicsImpostor', (mesh) => Object.assign(mesh, { physicsImpostor: {} })],
    ])("%s", (message, change) => {
        const { scene, frame } = makeWorld();
        const mesh = makeSquare(scene);
        mesh.addBehavior(new ClothBehavior({ pins: [{ select: [0] }], wind: null }));
        frame(FRAME, 2);
        expect(told("warn")).toEqual([]);
        change(mesh);
        frame(FRAME, 3);
        expect(told("warn")).toEqual([expect.stringContaining(message)]);
        expect(worldVertices(mesh).every(Number.isFinite)).toBe(true);
    });
});
