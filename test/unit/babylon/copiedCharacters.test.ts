// A character that is copied: what its cape hangs on and meets is the copy's own.
import { Bone } from "@babylonjs/core/Bones/bone";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import "@babylonjs/core/Meshes/instancedMesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { AssetContainer, KeepAssets } from "@babylonjs/core/assetContainer";
import type { Scene } from "@babylonjs/core/scene";
import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { ClothBehavior, Colliders, Wind, select } from "babylon-cloth";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { column, difference, disposeWorlds, FRAME, listen, makeSquare, makeWorld, told, worldVertices } from "./harness";

beforeEach(() => listen("warn"));
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

describe.each([false, true])("of a container that is not in the scene (its bone linked to a node: %s)", (isLinked) => {
    test.each([false, true])("the copies are cloth, each on its own bone (cloth made in there: %s)", async (isMadeInside) => {
        const { scene, frame } = makeWorld();
        const { root, body, cape, cloth } = makeCharacter(scene, true);
        await cloth.whenReady();
        const { bones } = body.skeleton!;
        if (isLinked) {
            const joint = new TransformNode("joint", scene);
            joint.parent = root;
            joint.position.copyFrom(body.position);
            bones[0].linkTransformNode(joint);
        }
        if (isMadeInside) cape.removeBehavior(cloth);
        else frame(FRAME, 60);
        const still = worldVertices(cape);
        const container = new AssetContainer(scene);
        container.moveAllFromScene(keptOf(scene));
        if (isMadeInside)
            cape.addBehavior(
                new ClothBehavior({
                    pins: [{ select: select.edge("+z"), target: bones[0] }],
                    colliders: Colliders.fromSkeleton(body),
                }),
            );
        const roots = [0, 1].map((i) => {
            const [copy] = container.instantiateModelsToScene((name) => `${name} ${i}`, false, { doNotInstantiate: true })
                .rootNodes as TransformNode[];
            copy.position.x = 3 * i;
            return copy;
        });
        const capes = roots.map((copy) => copy.getChildMeshes().find((mesh) => mesh.name.includes("cape")) as Mesh);
        const cloths = capes.map((mesh) => mesh.getBehaviorByName("Cloth") as ClothBehavior);
        for (let f = 0; f < 60; f++) {
            roots[1].position.z += 0.02;
            frame();
        }
        frame(FRAME, 240);
        expect(told("warn").filter((line) => /stands still|disposed|dropped/.test(line))).toEqual([]);
        cloths.forEach(({ pins, colliders }, i) => {
            const own = roots[i].getChildMeshes().find(({ skeleton }) => skeleton)!.skeleton!;
            expect(pins.map(({ target }) => target)).toEqual([own.bones[0]]);
            expect(own).not.toBe(body.skeleton);
            expect(colliders.map(({ source }) => (source as { carrier?: unknown }).carrier)).toEqual([own.bones[0]]);
        });
        const [first, second] = capes.map(worldVertices);
        const moved = first.map((x, k) => x + [3, 0, 1.2][k % 3]);
        expect(difference(second, moved)).toBeLessThan(0.1);
        if (!isMadeInside) expect(difference(first, still)).toBeLessThan(0.1);
        // An end of the pinned row.
        expect(Math.hypot(...[0, 1, 2].map((c) => first[c] - [-0.25, 1.5, 0][c]))).toBeLessThan(0.01);
    });
});

/** All of a scene that stays there. */
function keptOf(scene: Scene): KeepAssets {
    const kept = new KeepAssets();
    kept.cameras.push(...scene.cameras);
    return kept;
}

describe.each(COPIES)("by %s, the zone of a wind", (_, copy) => {
    test("is on the copy's own node, for all that share the wind", () => {
        const { scene, frame } = makeWorld();
        const character = makeCharacter(scene);
        const { root, cape, cloth } = character;
        const fan = new TransformNode("fan", scene);
        fan.parent = root;
        fan.scaling.setAll(4);
        const sash = makeSquare(scene, 4, "sash");
        sash.parent = root;
        const velocity = new Vector3(0, 0, 8);
        const wind = new Wind({ velocity, gusts: "steady", drag: 1.5, zone: { shape: "sphere", node: fan, falloff: 0.5 } });
        const own = new ClothBehavior({ pins: [{ select: select.edge("-x") }], wind });
        sash.addBehavior(own);
        cloth.wind = wind;
        const second = copy(character, scene);
        second.position.x = 40;
        frame(FRAME, 60);
        const cloths = second
            .getChildMeshes()
            .flatMap(({ behaviors }) => behaviors.filter(({ name }) => name === "Cloth")) as unknown as ClothBehavior[];
        const copied = cloths.map((each) => each.wind!);
        // A container holds what it was told of.
        expect(copied.length).toBeGreaterThan(0);
        for (const each of copied) {
            expect(each).toBe(copied[0]);
            expect(each).not.toBe(wind);
            expect([each.zone!.node.parent, each.zone!.falloff, each.drag, each.gusts]).toEqual([second, 0.5, 1.5, "steady"]);
        }
        expect([cloth.wind, wind.zone!.node]).toEqual([wind, fan]);
        // It blows there.
        const at = cloths.find(({ attachedNode }) => attachedNode!.name.includes("cape"))!.attachedNode!;
        const blown = [cape, at].map((mesh) => column(worldVertices(mesh), 2).reduce((sum, z) => sum + z, 0) / 121);
        expect(Math.abs(blown[1] - blown[0])).toBeLessThan(0.1);
        expect(Math.min(...blown)).toBeGreaterThan(0.2);
        // A wind without a zone, or on a node that was not copied, is shared.
        velocity.setAll(0);
        expect(copied[0].velocity.z).toBe(8);
        const alone = cape.clone("alone");
        frame();
        expect((alone.getBehaviorByName("Cloth") as ClothBehavior).wind).toBe(wind);
    });
});
