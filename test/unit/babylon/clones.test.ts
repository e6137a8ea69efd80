// clone() of a mesh that is cloth makes a cloth.
import "@babylonjs/core/Materials/standardMaterial";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import {
    ClothBehavior,
    ClothBuilder,
    ClothFiles,
    ClothTearing,
    Fabrics,
    MaxDistanceHold,
    SoftHold,
    Wind,
    select,
} from "babylon-cloth";
import { afterEach, describe, expect, test } from "@jest/globals";
import { NAMES, VALUES, valueOf } from "./everyOption";
import { column, difference, disposeWorlds, FRAME, makeSquare, makeWorld, worldVertices } from "./harness";

afterEach(disposeWorlds);

/** A number for each vertex of a square of 6 × 6 [m]. */
const NUMBERS = Array.from({ length: 49 }, (_, v) => 0.05 + v / 500);

/** A flag that has been swinging for a while. */
function fly(options: object = {}) {
    const world = makeWorld();
    const mesh = makeSquare(world.scene, 10, "flag");
    const wind = new Wind({ velocity: new Vector3(3, 0, 1) });
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("-x") }], wind, fabric: Fabrics.silk, ...options });
    mesh.addBehavior(cloth);
    world.frame(FRAME, 60);
    return { ...world, mesh, cloth, wind };
}

const clothOn = (mesh: Mesh) => mesh.getBehaviorByName("Cloth") as ClothBehavior;

/** What is drawn, as far from its mesh's place as it is. */
const drawn = (mesh: Mesh) => Float64Array.from(mesh.getVerticesData("position")!);

describe("a clone of a mesh that is cloth", () => {
    test("is cloth at once, of the same settings, wind, pins and colliders", () => {
        const world = makeWorld();
        const { scene } = world;
        const pole = new TransformNode("pole", scene);
        const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.3 }, scene);
        ball.position.y = -2;
        const hold = new SoftHold({ stiffness: 50 });
        const mesh = makeSquare(scene, 6, "flag");
        const cloth = new ClothBehavior({
            pins: [{ select: (p) => p.x < -0.49, target: pole, hold }],
            colliders: [{ source: ball, friction: 0.2, margin: 0.01, shape: "box" }],
            substepCount: 6,
            fabric: Fabrics.denim,
            priority: 4,
        });
        mesh.addBehavior(cloth);
        const copy = clothOn(mesh.clone("copy"));
        expect(copy).not.toBe(cloth);
        expect(copy).toMatchObject({ substepCount: 6, fabric: Fabrics.denim, priority: 4, autoStep: true });
        expect(copy.pins.map(({ target, particleCount, hold }) => [target, particleCount, hold])).toEqual([[pole, 7, hold]]);
        expect(copy.colliders.map(({ source, shape, friction, margin }) => [source, shape, friction, margin])).toEqual([
            [ball, "box", 0.2, 0.01],
        ]);
        copy.substepCount = 2;
        expect(cloth.substepCount).toBe(6);
    });

    test.each(NAMES)("has its %s, given at first or set since", (name) => {
        const world = makeWorld();
        const [first, second] = ["first", "second"].map((each) => makeSquare(world.scene, 6, each));
        first.addBehavior(new ClothBehavior({ [name]: VALUES[name] }));
        const later = new ClothBehavior();
        second.addBehavior(later);
        world.frame();
        Object.assign(later, { [name]: VALUES[name] });
        for (const mesh of [first, second]) expect(valueOf(clothOn(mesh.clone("copy")), name)).toEqual(VALUES[name]);
    });

    test("has what was changed of pins and colliders since", () => {
        const { scene } = makeWorld();
        const mesh = makeSquare(scene, 6, "flag");
        const cloth = new ClothBehavior({ pins: [{ select: [0] }, { select: [1] }] });
        mesh.addBehavior(cloth);
        cloth.unpin(cloth.pins[0]);
        const settings = { friction: 0.7, restitution: 0.3, influence: 0.5, margin: 0.02, group: 4, mask: 8 };
        const ball = MeshBuilder.CreateSphere("ball", {}, scene);
        ball.position.y = -5;
        Object.assign(cloth.addCollider(ball, { inside: true }), settings);
        const copy = clothOn(mesh.clone("copy"));
        expect(copy.pins.map(({ select: vertices }) => vertices)).toEqual([[1]]);
        expect(copy.colliders.map(({ source }) => source)).toEqual([ball]);
        expect(copy.colliders[0]).toMatchObject(settings);
        expect(ClothFiles.serialize(copy).colliders).toEqual(ClothFiles.serialize(cloth).colliders);
    });

    test.each([
        ["maxDistance", { maxDistance: NUMBERS }],
        ["a MaxDistanceHold", { pins: [{ select: select.all(), hold: new MaxDistanceHold(NUMBERS) }] }],
    ])("of a torn one is held as that is: %s by numbers for each vertex", (_, options) => {
        const { scene, frame } = makeWorld();
        const mesh = makeSquare(scene, 6, "sheet");
        const cloth = new ClothBehavior(options);
        mesh.addBehavior(cloth);
        mesh.addBehavior(new ClothTearing({ strain: Infinity }));
        frame();
        expect(cloth.cut(new Vector3(0.03, 0, -1), new Vector3(0.03, 0, 1))).toBe(true);
        const copy = mesh.clone("copy");
        const data = JSON.parse(JSON.stringify(ClothFiles.serialize(cloth)));
        frame(FRAME, 60);
        expect(clothOn(copy).particleCount).toBe(cloth.particleCount);
        expect(difference(clothOn(copy).getParticlePositions(), cloth.getParticlePositions())).toBeLessThan(5e-3);
        // A file has a number for each vertex of the torn mesh.
        const file = copy.clone("file");
        file.removeBehavior(clothOn(file));
        file.addBehavior(ClothFiles.parse(data, scene));
        frame(FRAME, 60);
        const heights = column(clothOn(file).getParticlePositions(), 1);
        expect(Math.max(...heights)).toBeLessThan(-0.04);
        expect(Math.min(...heights)).toBeGreaterThan(-0.16);
    });

    test("is carried by its own children where the other is by its", () => {
        const { scene, frame } = makeWorld();
        const curtain = ClothBuilder.CreateCurtain("curtain", { width: 1, height: 1, pleats: 2, subdivisions: 16 }, scene);
        frame(FRAME, 10);
        const copy = curtain.clone("copy");
        copy.position.set(3, 1, 0);
        const alone = curtain.clone("alone", null, true);
        frame(FRAME, 30);
        const targets = clothOn(copy).pins.map(({ target }) => target as TransformNode);
        expect(targets.every(({ parent }) => parent === copy)).toBe(true);
        expect(targets.map(({ name }) => name)).toEqual(curtain.cloth.pins.map(({ target }) => `copy.${target!.name}`));
        const moved = worldVertices(curtain).map((x, k) => x + [3, 1, 0][k % 3]);
        expect(difference(worldVertices(copy), moved)).toBeLessThan(0.03);
        // Without children, it is carried as the other is.
        clothOn(alone).pins.forEach(({ target }, i) => expect(target === curtain.cloth.pins[i].target).toBe(true));
    });

    test("goes on from the drape and motion of its moment, as the other does", () => {
        const { mesh, cloth, frame } = fly();
        const copy = mesh.clone("copy");
        for (let f = 0; f < 30; f++) {
            frame();
            expect(difference(clothOn(copy).getParticlePositions(), cloth.getParticlePositions())).toBeLessThan(5e-3);
            expect(difference(drawn(copy), drawn(mesh))).toBeLessThan(5e-3);
        }
    });

    test("comes along to where it is put before the next frame, and to another parent", () => {
        const { scene, mesh, frame } = fly();
        const parent = new TransformNode("parent", scene);
        parent.position.set(0, 5, 0);
        const [near, far] = [mesh.clone("near", parent), mesh.clone("far")];
        far.position.x += 0.4;
        frame();
        const at = worldVertices(mesh);
        for (const [copy, way] of [
            [near, [0, 5, 0]],
            [far, [0.4, 0, 0]],
        ] as const) {
            const moved = at.map((x, k) => x + way[k % 3]);
            // Gusts differ from place to place.
            expect(difference(worldVertices(copy), moved)).toBeLessThan(0.01);
            expect(clothOn(copy).stats.maxStretch).toBeLessThan(0.05);
        }
    });

    test("has its own life: its clone, its end", () => {
        const { mesh, cloth, frame } = fly();
        const copy = mesh.clone("copy");
        const third = copy.clone("third");
        expect(clothOn(third).attachedNode).toBe(third);
        mesh.removeBehavior(cloth);
        frame(FRAME, 3);
        copy.dispose();
        frame(FRAME, 30);
        expect(Math.max(...drawn(mesh).filter((_, k) => k % 3 === 1))).toBe(0);
        expect(clothOn(third).getParticlePositions().every(Number.isFinite)).toBe(true);
        expect(third.getVerticesData("position")).not.toEqual(mesh.getVerticesData("position"));
    });

    test("of a tool, which hides it, draws the cloth and is none", () => {
        const { mesh, frame } = fly();
        const helper = mesh.clone("helper");
        helper.reservedDataStore = { hidden: true };
        frame();
        expect(helper.behaviors).toEqual([]);
        expect(helper.geometry).toBe(mesh.geometry);
    });

    test("that a builder has made has its behavior at hand", () => {
        const { scene } = makeWorld();
        const flag = ClothBuilder.CreateFlag("flag", {}, scene);
        const copy = flag.clone("copy") as typeof flag;
        expect(copy.cloth).toBe(clothOn(copy));
        expect(copy.cloth).not.toBe(flag.cloth);
    });
});
