// A character that is copied: what its cape hangs on and meets is the copy's own.
import { Bone } from "@babylonjs/core/Bones/bone";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import "@babylonjs/core/Meshes/instancedMesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { AssetContainer } from "@babylonjs/core/assetContainer";
import type { Scene } from "@babylonjs/core/scene";
import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { ClothBehavior, Colliders, select } from "babylon-cloth";
import { afterEach, describe, expect, test } from "@jest/globals";
import { disposeWorlds, FRAME, makeWorld, worldVertices } from "./harness";

afterEach(disposeWorlds);

/** A root with a neck, a body of capsules, and a cape that hangs on the neck; on a bone of the body's, if it is to be. */
function makeCharacter(scene: Scene, onBone = false) {
    const root = new TransformNode("root", scene);
    const neck = new TransformNode("neck", scene);
    neck.parent = root;
    neck.position.y = 1.5;
    const body = MeshBuilder.CreateCapsule("body", { radius: 0.15, height: 1.2 }, scene);
    body.parent = root;
    body.position.set(0, 0.8, -0.25);
    const skeleton = new Skeleton("skeleton", "skeleton", scene);
    const bone = new Bone("spine", skeleton, null, Matrix.Identity());
    const count = body.getTotalVertices();
    body.setVerticesData(VertexBuffer.MatricesIndicesKind, new Float32Array(4 * count));
    body.setVerticesData(
        VertexBuffer.MatricesWeightsKind,
        Float32Array.from({ length: 4 * count }, (_, i) => (i % 4 === 0 ? 1 : 0)),
    );
    body.skeleton = skeleton;
    const cape = MeshBuilder.CreateGround("cape", { width: 0.5, height: 1, subdivisions: 10 }, scene);
    cape.parent = root;
    cape.rotation.x = -Math.PI / 2;
    cape.position.y = 1;
    const colliders = onBone ? Colliders.fromSkeleton(body) : [{ source: body, shape: "capsule" as const }];
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("+z"), target: onBone ? bone : neck }], colliders });
    cape.addBehavior(cloth);
    return { root, neck, body, cape, cloth, skeleton };
}

const COPIES: [string, (character: ReturnType<typeof makeCharacter>, scene: Scene) => TransformNode][] = [
    ["root.clone", ({ root }) => root.clone("second", null)!],
    ["instantiateHierarchy", ({ root }) => root.instantiateHierarchy(null, { doNotInstantiate: true })!],
    [
        "instantiateModelsToScene",
        ({ root, neck, body, cape, skeleton }, scene) => {
            const container = new AssetContainer(scene);
            container.transformNodes.push(root, neck);
            container.meshes.push(body, cape);
            container.skeletons.push(skeleton);
            return container.instantiateModelsToScene((name) => `${name} 2`, false, { doNotInstantiate: true })
                .rootNodes[0] as TransformNode;
        },
    ],
];

describe.each(COPIES)("by %s", (name, copy) => {
    test.each([false, true])("its cape goes with it and meets its own body (bones: %s)", async (onBone) => {
        const { scene, frame } = makeWorld();
        const character = makeCharacter(scene, onBone);
        await character.cloth.whenReady();
        frame(FRAME, 60);
        const still = worldVertices(character.cape);
        const second = copy(character, scene);
        const cape = second.getChildMeshes().find((mesh) => mesh.name.includes("cape")) as Mesh;
        const cloth = cape.getBehaviorByName("Cloth") as ClothBehavior;
        expect(cloth).toBeInstanceOf(ClothBehavior);
        frame(FRAME, 30);
        // Where skeletons are shared, so are bones.
        const isShared = onBone && name !== "instantiateModelsToScene" && cloth.pins[0].target === character.cloth.pins[0].target;
        if (!isShared) {
            expect(cloth.pins[0].target).not.toBe(character.cloth.pins[0].target);
            for (let f = 0; f < 60; f++) {
                second.position.x += 0.05;
                frame();
            }
        }
        if (!onBone) expect(cloth.colliders[0].source).not.toBe(character.cloth.colliders[0].source);
        frame(FRAME, 180);
        const [first, other] = [worldVertices(character.cape), worldVertices(cape)];
        const shift = second.position.x;
        for (let i = 0; i < first.length; i += 3) {
            for (let c = 0; c < 3; c++) {
                expect(Math.abs(first[i + c] - still[i + c])).toBeLessThan(0.05);
                // It still swings.
                expect(Math.abs(other[i + c] - (c === 0 ? shift : 0) - first[i + c])).toBeLessThan(0.1);
            }
        }
        character.root.dispose();
        frame(FRAME, 10);
        expect(cloth.pins).toHaveLength(isShared ? cloth.pins.length : 1);
        expect(Vector3.Distance(cape.getAbsolutePosition(), new Vector3(shift, 1, 0))).toBeLessThan(1e-6);
    });
});

test("a copy of the cape alone hangs on the same neck", () => {
    const { scene, frame } = makeWorld();
    const { cape, neck, body } = makeCharacter(scene);
    const copy = cape.clone("second");
    frame(FRAME, 3);
    const cloth = copy.getBehaviorByName("Cloth") as ClothBehavior;
    expect([cloth.pins[0].target, cloth.colliders[0].source]).toEqual([neck, body]);
});
