import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, describe, expect, test } from "@jest/globals";
import { ClothBehavior, Wind, Winds } from "../../../src/index";
import { column, disposeWorlds, FRAME, makeSquare, makeWorld, messageOf } from "./harness";

afterEach(disposeWorlds);

const still = { x: 0, y: 0, z: 0 };

/** Mean height of a cloth's particles [m]. */
function heightOf(cloth: ClothBehavior): number {
    return column(cloth.getParticlePositions(), 1).reduce((sum, y) => sum + y) / cloth.particleCount;
}

describe("winds of a scene", () => {
    test("blow on all its cloths, present and future, until they are removed; on no other scene's", () => {
        const { scene, frame } = makeWorld();
        const other = makeWorld();
        const make = (where = scene): ClothBehavior => {
            const cloth = new ClothBehavior({ gravity: still });
            makeSquare(where).addBehavior(cloth);
            return cloth;
        };
        const wind = new Wind({ velocity: new Vector3(0, 5, 0), turbulence: 0 });
        const [first, elsewhere] = [make(), make(other.scene)];
        Winds.add(scene, wind);
        Winds.add(scene, wind);
        const second = make();
        frame(FRAME, 20);
        other.frame(FRAME, 20);
        expect(heightOf(first)).toBeGreaterThan(0.3);
        expect(heightOf(second)).toBeCloseTo(heightOf(first), 5);
        expect(heightOf(elsewhere)).toBeCloseTo(0, 5);
        Winds.remove(scene, wind);
        Winds.remove(scene, wind);
        const third = make();
        frame(FRAME, 20);
        expect(heightOf(third)).toBeCloseTo(0, 5);
    });

    test("a fan on a node: where it points and reaches, and no more once it is disposed", () => {
        const { scene, frame } = makeWorld();
        const fan = new TransformNode("fan", scene);
        fan.position.set(0, -1, 0);
        // Babylon's forward, z, upwards.
        fan.rotation.x = -Math.PI / 2;
        fan.scaling.set(4, 4, 3);
        Winds.add(scene, new Wind({ velocity: new Vector3(0, 0, 6), turbulence: 0, zone: { shape: "cone", node: fan } }));
        const make = (x: number): ClothBehavior => {
            const mesh = makeSquare(scene);
            mesh.position.x = x;
            const cloth = new ClothBehavior({ gravity: still });
            mesh.addBehavior(cloth);
            return cloth;
        };
        const [above, aside] = [make(0), make(5)];
        frame(FRAME, 20);
        expect(heightOf(above)).toBeGreaterThan(0.2);
        expect(heightOf(aside)).toBeCloseTo(0, 5);
        fan.dispose();
        const late = make(0);
        frame(FRAME, 20);
        expect(heightOf(late)).toBeCloseTo(0, 5);
    });

    test("a zone is as large as the mesh that carries it shows it", () => {
        const { scene, frame } = makeWorld();
        const box = MeshBuilder.CreateBox("box", { size: 1 }, scene);
        box.scaling.set(10, 1, 10);
        const wind = new Wind({ velocity: new Vector3(0, 5, 0), turbulence: 0, zone: { shape: "box", node: box, falloff: 0.1 } });
        const cloths = [0, 0.6].map((y) => {
            const mesh = makeSquare(scene);
            mesh.position.y = y;
            const cloth = new ClothBehavior({ gravity: still, wind });
            mesh.addBehavior(cloth);
            return cloth;
        });
        frame(FRAME, 5);
        expect(heightOf(cloths[0])).toBeGreaterThan(0.005);
        expect(heightOf(cloths[1])).toBeCloseTo(0.6, 6);
    });
});

test("what is no zone, scene or wind is refused", () => {
    const { scene } = makeWorld();
    const node = new TransformNode("node", scene);
    const zone = (value: unknown): string => messageOf(() => new Wind({ zone: value as never }));
    expect(zone(5)).toBe("Wind: zone must be { shape, node, falloff? } or null, got 5");
    expect(zone({ shape: "ring", node })).toBe('Wind: zone: shape must be one of box, sphere, cone, got "ring"');
    expect(zone({ shape: "box" })).toBe("Wind: zone: node must be a TransformNode, got undefined");
    expect(zone({ shape: "box", node, falloff: 2 })).toBe("Wind: zone: falloff must be a number > 0 and <= 1, got 2");
    expect(zone({ shape: "box", node, size: 2 })).toBe('Wind: zone: unknown option "size"; the options are shape, node, falloff');
    expect(messageOf(() => Winds.add(null as never, new Wind()))).toBe("Winds: add: scene must be a Scene, got null");
    expect(messageOf(() => Winds.add(scene, 3 as never))).toBe("Winds: add: wind must be a Wind, got 3");
    const wind = new Wind({ zone: { shape: "sphere", node } });
    expect(wind.zone).toMatchObject({ shape: "sphere", node, falloff: 0.25 });
    wind.zone = null;
    expect(wind.zone).toBe(null);
});
