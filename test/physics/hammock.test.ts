/** Bodies of a physics engine on a hammock, at any frame rate: what lies on cloth gains no energy from long frames. */
import { afterEach, describe, expect, test } from "@jest/globals";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { ClothBehavior, Fabrics, select } from "../../src/index";
import type { ClothOptions } from "../../src/index";
import { disposeWorlds } from "../unit/babylon/harness";
import type { World } from "../unit/babylon/harness";
import { makeBody, makePhysicalWorld } from "./havok";

afterEach(disposeWorlds);

const PINS = [{ select: select.edge("-x") }, { select: select.edge("+x") }];
/** Physics passes 0.1 s of a longer frame: so many frames show seconds of it. */
const SECONDS = 5;

/** Highest places of the boxes in so many frames a second, in all and in the second half of the time [m]. */
function watch(world: World, rate: number, boxes: readonly Mesh[]): { highest: number; late: number } {
    const frames = SECONDS * Math.max(10, rate);
    let highest = -Infinity;
    let late = -Infinity;
    for (let frame = 0; frame < frames; frame++) {
        world.frame(1000 / rate);
        const top = Math.max(...boxes.map((box) => box.position.y));
        highest = Math.max(highest, top);
        if (frame > frames / 2) late = Math.max(late, top);
    }
    return { highest, late };
}

function hang(world: World, width: number, subdivisionsX: number, subdivisionsY: number, options: ClothOptions) {
    const mesh = MeshBuilder.CreateGround("hammock", { width, height: 1, subdivisionsX, subdivisionsY }, world.scene);
    const cloth = new ClothBehavior({ pins: PINS, ...options });
    return { mesh, cloth };
}

describe("on a hammock", () => {
    test.each([60, 30, 20, 10, 3])("a box is not thrown up at %d frames a second", (rate) => {
        const world = makePhysicalWorld();
        const { mesh, cloth } = hang(world, 2, 16, 16, { fabric: { arealDensity: 0.4 } });
        mesh.addBehavior(cloth);
        const box = MeshBuilder.CreateBox("box", { size: 0.4 }, world.scene);
        box.position.y = 0.3;
        makeBody(box, PhysicsShapeType.BOX, 3);
        cloth.addCollider(box);
        expect(watch(world, rate, [box]).highest).toBeLessThan(0.4);
    });

    const rates = [144, 60, 45, 30, 20, 15, 10, 3, 2];
    test.each(rates)("three boxes fall on each other, and stay low, at %d frames a second", (rate) => {
        const world = makePhysicalWorld();
        const { mesh, cloth } = hang(world, 2.2, 22, 10, {
            fabric: { ...Fabrics.canvas, friction: 0.6 },
            substepCount: 8,
        });
        const positions = mesh.getVerticesData("position")!;
        for (let o = 0; o < positions.length; o += 3) positions[o + 1] = -0.45 * (1 - (positions[o] / 1.1) ** 2);
        mesh.setVerticesData("position", positions);
        mesh.addBehavior(cloth);
        const boxes = [3, 2, 1].map((mass, i) => {
            const box = MeshBuilder.CreateBox("box", { width: 0.4, height: 0.24, depth: 0.34 }, world.scene);
            box.position.set(0.22 * (i - 1), 0.2 + 0.15 * i, 0.04 * (1 - i));
            box.rotation.y = 0.25 * i;
            makeBody(box, PhysicsShapeType.BOX, mass).setAngularDamping(1);
            cloth.addCollider(box);
            return box;
        });
        const { highest, late } = watch(world, rate, boxes);
        expect(highest).toBeLessThan(0.55);
        expect(late).toBeLessThan(0.2);
    });
});
