import type { Behavior } from "@babylonjs/core/Behaviors/behavior";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Node } from "@babylonjs/core/node";
import { afterEach, expect, test } from "@jest/globals";
import { ClothBehavior } from "../../src/index";
import { difference, disposeWorlds, makeSquare, makeWorld, messageOf } from "../unit/babylon/harness";

afterEach(disposeWorlds);

/** The weld's tolerance came from the bounding box of all vertices, and so did the origin of simulation space. */
test("a vertex of no triangle, 10 km away, changes nothing", () => {
    const { scene, frame } = makeWorld();
    const [plain, stray] = ["plain", "stray"].map((name) => makeSquare(scene, 20, name));
    stray.setVerticesData("position", [...stray.getVerticesData("position")!, 1e4, 0, 0]);
    stray.removeVerticesData("uv");
    stray.setVerticesData("normal", [...stray.getVerticesData("normal")!, 0, 1, 0]);
    const clothes = [plain, stray].map((mesh) => {
        const cloth = new ClothBehavior({ pins: [{ select: [0] }] });
        mesh.addBehavior(cloth);
        return cloth;
    });
    expect(clothes[1].particleCount).toBe(441);
    frame(undefined, 30);
    expect(difference(clothes[1].getParticlePositions(), clothes[0].getParticlePositions())).toBe(0);
});

test("a TransformNode, as of a glTF node of several primitives, is told which meshes to take", () => {
    const { scene } = makeWorld();
    const node = new TransformNode("dress", scene);
    makeSquare(scene, 2, "skirt").parent = node;
    expect(messageOf(() => node.addBehavior(new ClothBehavior() as unknown as Behavior<Node>))).toBe(
        'ClothBehavior: mesh "dress" must have a geometry, got none (TransformNode); add it to one of these, the others as parts: "skirt"',
    );
});
