import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { ClothBehavior, PlantBehavior, Wind } from "../../../src/index";
import type { PlantOptions } from "../../../src/index";
import { difference, disposeWorlds, FRAME, listen, makeWorld, messageOf, worldVertices } from "./harness";

afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

/** A stem with two leaves, 1 m high, in one mesh. */
function makeShrub(scene: Scene): Mesh {
    const stem = MeshBuilder.CreateCylinder("stem", { height: 1, diameter: 0.08, subdivisions: 10, tessellation: 8 }, scene);
    stem.position.y = 0.5;
    const leaves = [-1, 1].map((side) => {
        const leaf = MeshBuilder.CreateGround("leaf", { width: 0.4, height: 0.1, subdivisions: 4 }, scene);
        leaf.position.set(0.2 * side, 0.9, 0);
        return leaf;
    });
    return Mesh.MergeMeshes([stem, ...leaves], true)!;
}

const root = (position: { y: number }): boolean => position.y < 0.01;
const still = Vector3.Zero();
const heightsOf = (body: ClothBehavior | PlantBehavior): Float32Array => body.getParticlePositions().filter((_, k) => k % 3 === 1);
const run = (plant: PlantBehavior, seconds: number): void => {
    for (let k = 0; k < 60 * seconds; k++) plant.step(1 / 60);
};

describe("PlantBehavior", () => {
    test("keeps the shape that it was modelled in, sways in the wind, and springs back", () => {
        const { scene } = makeWorld();
        const mesh = MeshBuilder.CreateCylinder("stem", { height: 1, diameter: 0.08, subdivisions: 10, tessellation: 8 }, scene);
        const plant = new PlantBehavior({ pins: [{ select: ({ y }) => y < -0.49 }], gravity: still, damping: 2 });
        mesh.addBehavior(plant);
        expect(plant.particleCount).toBe(8 * 11 + 2);
        const shape = worldVertices(mesh);
        run(plant, 1);
        expect(difference(worldVertices(mesh), shape)).toBeLessThan(1e-4);
        plant.wind = new Wind({ velocity: new Vector3(20, 0, 0), turbulence: 0 });
        run(plant, 1);
        const bent = difference(worldVertices(mesh), shape);
        expect(bent).toBeGreaterThan(0.02);
        expect(bent).toBeLessThan(0.9);
        plant.wind = null;
        run(plant, 6);
        expect(difference(worldVertices(mesh), shape)).toBeLessThan(0.1 * bent);
        mesh.removeBehavior(plant);
        expect(difference(worldVertices(mesh), shape)).toBeLessThan(1e-6);
    });

    test("parts that hang on nothing fall; a pot carries what is pinned", () => {
        const { scene } = makeWorld();
        const shrub = makeShrub(scene);
        const pot = new TransformNode("pot", scene);
        const plant = new PlantBehavior({ pins: [{ select: root, target: pot }], thickness: 0.003 });
        shrub.addBehavior(plant);
        pot.position.x = 0.5;
        run(plant, 2);
        const box = shrub.getBoundingInfo().boundingBox;
        // The leaves have no vertex in common with the stem.
        expect(box.minimumWorld.y).toBeLessThan(-2);
        const tip = plant.getParticlePositions().slice(3 * plant.particleOfVertex(0), 3 * plant.particleOfVertex(0) + 3);
        expect(tip.every(Number.isFinite)).toBe(true);
    });

    test("is live: stiffness, density, thickness, damping; and copied with its mesh", () => {
        const { scene } = makeWorld();
        const mesh = MeshBuilder.CreateGround("blade", { width: 0.05, height: 0.6, subdivisionsX: 1, subdivisionsY: 12 }, scene);
        const plant = new PlantBehavior({ pins: [{ select: ({ z }) => z < -0.24 }], stiffness: 1e8, thickness: 0.002 });
        mesh.addBehavior(plant);
        run(plant, 4);
        const sag = (): number => mesh.getBoundingInfo().boundingBox.minimumWorld.y;
        const soft = sag();
        expect(soft).toBeLessThan(-0.02);
        plant.stiffness = 1e10;
        run(plant, 4);
        expect(sag()).toBeGreaterThan(0.5 * soft);
        const [copy] = mesh.clone("copy").behaviors as PlantBehavior[];
        expect([copy.stiffness, copy.thickness, copy.pins.length]).toEqual([1e10, 0.002, 1]);
        plant.thickness = 0.01;
        plant.density = 100;
        run(plant, 2);
        expect(sag()).toBeGreaterThan(-0.02);
    });

    test("with selfCollision cloth that falls on it lies on it, from then on and until it is off; a copy has it too", async () => {
        const world = makeWorld();
        const mesh = MeshBuilder.CreateSphere("jelly", { segments: 6, diameter: 0.4 }, world.scene);
        const plant = new PlantBehavior({
            gravity: still,
            stiffness: 1e6,
            damping: 20,
            selfCollision: "triangles",
            selfThickness: 0.02,
        });
        mesh.addBehavior(plant);
        const sheet = MeshBuilder.CreateGround("sheet", { width: 0.5, height: 0.5, subdivisions: 12 }, world.scene);
        sheet.position.y = 0.25;
        const cloth = new ClothBehavior({ selfCollision: "triangles", selfThickness: 0.02, fabric: { arealDensity: 0.05 } });
        sheet.addBehavior(cloth);
        await Promise.all([plant.whenReady(), cloth.whenReady()]);
        // The plant weighs 34 kg, the sheet 12 g.
        world.frame(FRAME, 60);
        const gap = (): number => Math.max(...heightsOf(cloth)) - Math.max(...heightsOf(plant));
        expect(Math.abs(gap() - 0.02)).toBeLessThan(0.004);
        const twin = mesh.clone("copy");
        const [copy] = twin.behaviors as PlantBehavior[];
        expect([copy.selfCollision, copy.selfThickness]).toEqual(["triangles", 0.02]);
        twin.dispose();
        plant.selfCollision = false;
        world.frame(FRAME, 60);
        expect(gap()).toBeLessThan(-0.2);
    });

    test.each<[PlantOptions, string]>([
        [{ stiffness: -1 }, "PlantBehavior: stiffness must be a number >= 0"],
        [{ density: 0 }, "PlantBehavior: density must be a finite number > 0, got 0"],
        [{ thickness: NaN }, "PlantBehavior: thickness must be a finite number > 0, got NaN"],
        [
            { selfCollision: true } as never,
            'PlantBehavior: selfCollision must be false, "particles", "triangles" or "robust", got true',
        ],
        [{ selfThickness: -1 }, "PlantBehavior: selfThickness must be a finite number >= 0"],
        [{ fabric: {} } as PlantOptions, 'PlantBehavior: unknown option "fabric"'],
    ])("%j is refused", (options, message) => {
        expect(messageOf(() => new PlantBehavior(options))).toContain(message);
    });

    test("a mesh that is too fine is refused, and is as before; so is one without triangles", () => {
        listen("error");
        const { scene } = makeWorld();
        const fine = MeshBuilder.CreateSphere("fine", { segments: 60 }, scene);
        const shape = worldVertices(fine);
        expect(messageOf(() => fine.addBehavior(new PlantBehavior()))).toContain("use a coarser one");
        expect(difference(worldVertices(fine), shape)).toBe(0);
        const empty = new Mesh("empty", scene);
        expect(messageOf(() => empty.addBehavior(new PlantBehavior()))).toContain('PlantBehavior: mesh "empty"');
    });
});
