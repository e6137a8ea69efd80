import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { ClothBehavior, select } from "../../../src/index";
import { makeSquare } from "./harness";
import type { World } from "./harness";

/** A square of cloth that hangs by one edge on a hand, with a ball to meet. */
export function hang(world: World, name = "square") {
    const mesh = makeSquare(world.scene, 6, name);
    const ball = MeshBuilder.CreateSphere(`${name} ball`, { diameter: 0.5 }, world.scene);
    const hand = new TransformNode(`${name} hand`, world.scene);
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("-x"), target: hand }], colliders: [ball] });
    mesh.addBehavior(cloth);
    return { mesh, ball, hand, cloth };
}
