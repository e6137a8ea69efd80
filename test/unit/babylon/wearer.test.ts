// Capes on those who wear them: they begin behind the figure as it stands, whichever way it looks, and stay out of it.
import "@babylonjs/core/Materials/standardMaterial";
import { Bone } from "@babylonjs/core/Bones/bone";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { ClothBuilder } from "babylon-cloth";
import type { ClothMesh } from "babylon-cloth";
import { afterEach, describe, expect, test } from "@jest/globals";
import { disposeWorlds, FRAME, makeWorld, messageOf, worldVertices } from "./harness";

afterEach(disposeWorlds);

/** Body, arms and head as capsules [m]: the middles of their ends, and radii. The figure looks along z. */
const limbs: [from: number[], to: number[], radius: number][] = [
    [[0, 0.9, 0], [0, 1.3, 0], 0.15],
    [[-0.24, 0.85, 0], [-0.22, 1.35, 0], 0.05],
    [[0.24, 0.85, 0], [0.22, 1.35, 0], 0.05],
    [[0, 1.6, 0.02], [0, 1.65, 0.02], 0.1],
];

/** A figure of {@link limbs} and its shoulders, which lie within it as bones do. */
function makeFigure(scene: Scene): { figure: TransformNode; shoulders: [TransformNode, TransformNode] } {
    const figure = new TransformNode("figure", scene);
    for (const [from, to, radius] of limbs) {
        const [a, b] = [Vector3.FromArray(from), Vector3.FromArray(to)];
        const height = Vector3.Distance(a, b) + 2 * radius;
        const limb = MeshBuilder.CreateCapsule("limb", { height, radius, orientation: b.subtract(a).normalize() }, scene);
        limb.position = a.add(b).scale(0.5);
        limb.parent = figure;
    }
    const shoulderAt = (x: number): TransformNode => {
        const shoulder = new TransformNode("shoulder", scene);
        shoulder.position.set(x, 1.36, 0);
        shoulder.parent = figure;
        return shoulder;
    };
    // Who looks along z has the left hand at -x in a left-handed scene.
    const left = scene.useRightHandedSystem ? 0.18 : -0.18;
    return { figure, shoulders: [shoulderAt(left), shoulderAt(-left)] };
}

/** How deep the deepest vertex is inside the limbs of a figure [m]. */
function deepest(cape: ClothMesh, figure: TransformNode): number {
    const world = worldVertices(cape);
    const inverse = figure.computeWorldMatrix(true).clone().invert();
    let most = -Infinity;
    for (let i = 0; i < world.length; i += 3) {
        const p = Vector3.TransformCoordinates(Vector3.FromArray(world, i), inverse);
        for (const [from, to, radius] of limbs) {
            const [a, axis] = [Vector3.FromArray(from), Vector3.FromArray(to).subtract(Vector3.FromArray(from))];
            const share = Math.min(1, Math.max(0, Vector3.Dot(p.subtract(a), axis) / axis.lengthSquared()));
            most = Math.max(most, radius - Vector3.Distance(p, a.add(axis.scale(share))));
        }
    }
    return most;
}

describe.each([
    ["left-handed", false],
    ["right-handed", true],
])("a cape in a %s scene", (_, rightHanded) => {
    test.each([0, 1.1, Math.PI])("begins behind who looks to %f, and stays out of the walker", (turn) => {
        const { scene, frame } = makeWorld({ rightHanded });
        const { figure, shoulders } = makeFigure(scene);
        figure.rotation.y = turn;
        figure.position.set(3, 0.2, -1);
        const cape = ClothBuilder.CreateCape("cape", { wearer: figure, shoulders, height: 0.9 }, scene);
        expect(deepest(cape, figure)).toBeLessThan(0);
        const middle = Vector3.TransformCoordinates(
            cape.getBoundingInfo().boundingBox.centerWorld,
            figure.computeWorldMatrix().clone().invert(),
        );
        expect(middle.z).toBeLessThan(-0.1);

        for (let i = 0; i < 120; i++) {
            figure.position.x += 0.6 * Math.sin(turn) * (FRAME / 1000);
            figure.position.z += 0.6 * Math.cos(turn) * (FRAME / 1000);
            frame();
        }
        expect(deepest(cape, figure)).toBeLessThan(0.001);
        expect(cape.cloth.stats.maxStretch).toBeLessThan(0.06);
    });
});

test("the pose of a skinned wearer counts", () => {
    const { scene } = makeWorld();
    const body = MeshBuilder.CreateBox("body", { width: 0.5, height: 1.6, depth: 0.3 }, scene);
    const vertexCount = body.getTotalVertices();
    body.setVerticesData("matricesIndices", new Array<number>(4 * vertexCount).fill(0));
    body.setVerticesData(
        "matricesWeights",
        Array.from({ length: 4 * vertexCount }, (_, i) => (i % 4 === 0 ? 1 : 0)),
    );
    body.skeleton = new Skeleton("skeleton", "skeleton", scene);
    const bone = new Bone("bone", body.skeleton, null, Matrix.Identity());
    bone.setPosition(new Vector3(0, 0, -0.4));
    const shoulders = [-0.2, 0.2].map((x) => {
        const shoulder = new TransformNode("shoulder", scene);
        shoulder.position.set(x, 0.7, -0.4);
        return shoulder;
    });
    const cape = ClothBuilder.CreateCape("cape", { wearer: body, shoulders: [shoulders[0], shoulders[1]], height: 1 }, scene);
    const depths = Array.from(worldVertices(cape)).filter((_, i) => i % 3 === 2);
    expect(Math.max(...depths)).toBeLessThan(-0.55);
    expect(Math.max(...depths)).toBeGreaterThan(-0.6);
});

test.each([
    [{ wearer: 1 }, "ClothBuilder: CreateCape: wearer must be a node, got 1"],
    [
        "no shoulders",
        'ClothBuilder: CreateCape: wearer must be a node whose meshes have a skeleton where there are no shoulders, got "figure"',
    ],
])("%j", (options, message) => {
    const { scene } = makeWorld();
    const wearer = new TransformNode("figure", scene);
    expect(
        messageOf(() => ClothBuilder.CreateCape("cape", typeof options === "string" ? { wearer } : (options as never), scene)),
    ).toBe(message);
});
