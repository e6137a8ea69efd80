/** Spring bones of VRM files, 1.0 and 0.x, become bone chains. */
import { LoadAssetContainerAsync } from "@babylonjs/core/Loading/sceneLoader";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import "@babylonjs/loaders/glTF/2.0";
import { afterEach, describe, expect, test } from "@jest/globals";
import type { BoneChainBehavior } from "../../../../src/index";
import "../../../../src/vrm";
import { disposeWorlds, FRAME, makeWorld } from "../harness";
import { directionsOf } from "./rigs";

afterEach(() => disposeWorlds());

const nodes = [
    { name: "Hips", children: [1] },
    { name: "Head", translation: [0, 1.5, 0], children: [2] },
    { name: "Hair_0", children: [3, 6], translation: [0, 0.1, -0.1] },
    { name: "Hair_1", children: [4], translation: [0, -0.1, 0] },
    { name: "Between", children: [5], translation: [0, -0.05, 0] },
    { name: "Hair_2", translation: [0, -0.05, 0] },
    { name: "Side", translation: [0.1, 0, 0] },
];
const vrm1 = {
    specVersion: "1.0",
    colliders: [
        { node: 1, shape: { sphere: { offset: [0, 0, 0], radius: 0.05 } } },
        {
            node: 1,
            shape: { sphere: { radius: 0 } },
            extensions: {
                VRMC_springBone_extended_collider: {
                    specVersion: "1.0",
                    shape: { plane: { offset: [0, 0, -0.15], normal: [0, 0, 1] } },
                },
            },
        },
        { node: 1, shape: { capsule: { offset: [0, 0, 0], tail: [0, 0.2, 0], radius: 0.02 } } },
    ],
    colliderGroups: [{ colliders: [0, 1] }, { colliders: [2] }],
    springs: [
        {
            center: 0,
            colliderGroups: [0],
            joints: [
                { node: 2, stiffness: 0.5, gravityPower: 0.2, gravityDir: [0, 0, -1], dragForce: 0.4, hitRadius: 0.01 },
                { node: 3, stiffness: 0.5 },
                { node: 5 },
            ],
        },
    ],
};
const vrm0 = {
    secondaryAnimation: {
        boneGroups: [
            {
                stiffiness: 0.5,
                gravityPower: 0.3,
                gravityDir: { x: 1, y: 0, z: 0 },
                dragForce: 0.4,
                hitRadius: 0.02,
                bones: [2],
                colliderGroups: [0],
            },
        ],
        colliderGroups: [{ node: 1, colliders: [{ offset: { x: 0, y: 0, z: 0.05 }, radius: 0.05 }] }],
    },
};

/** A binary glTF file without a buffer. */
function glbOf(file: object): Buffer {
    const text = JSON.stringify(file);
    const json = Buffer.from(text.padEnd(4 * Math.ceil(text.length / 4)));
    const head = Buffer.alloc(20);
    [0x46546c67, 2, 20 + json.length, json.length, 0x4e4f534a].forEach((word, i) => head.writeUInt32LE(word, 4 * i));
    return Buffer.concat([head, json]);
}

async function load(extensions: object, { mode = undefined as "stable" | "exact" | undefined, rightHanded = false } = {}) {
    const world = makeWorld({ rightHanded });
    const file = {
        asset: { version: "2.0" },
        extensionsUsed: Object.keys(extensions),
        extensions,
        scene: 0,
        scenes: [{ nodes: [0] }],
        nodes,
    };
    const source = `data:;base64,${glbOf(file).toString("base64")}`;
    const container = await LoadAssetContainerAsync(source, world.scene, {
        pluginExtension: ".vrm",
        pluginOptions: { gltf: { extensionOptions: { VRMC_springBone: mode ? { mode } : {} } } },
    });
    container.addAllToScene();
    const root = container.rootNodes[0] as Mesh;
    const behavior = root.getBehaviorByName("BoneChains") as BoneChainBehavior | null;
    const named = (name: string): TransformNode =>
        container.transformNodes.concat(container.meshes).find((node) => node.name === name)!;
    return { ...world, container, root, behavior, named };
}

describe("version 1", () => {
    test("springs are chains with their numbers, colliders and centers", async () => {
        const { behavior, named } = await load({ VRMC_springBone: vrm1 });
        expect(behavior!.mode).toBe("stable");
        expect(behavior!.jointCount).toBe(2);
        expect(behavior!.colliders.map(({ shape }) => shape)).toEqual(["sphere", "halfSpace", "capsule"]);
        const [chain] = behavior!.chains;
        expect(chain.inertia).toEqual({ anchor: named("Hips"), linear: 0, angular: 0 });
        expect((chain.damping as number[])[0]).toBeCloseTo(-60 * Math.log(0.6), 9);
        expect((chain.stiffness as number[]).slice(0, 2)).toEqual(
            [Math.sqrt(30 / 0.1), Math.sqrt(30 / 0.1)].map((x) => expect.closeTo(x, 3)),
        );
        expect(chain.colliders).toHaveLength(2);
        expect(chain.radius).toEqual([0.01, 0, 0]);
    });

    test.each([false, true])(
        "hair swings the way its gravity points (right-handed scene: %s), and stops at the plane",
        async (rightHanded) => {
            const { frame, named } = await load({ VRMC_springBone: vrm1 }, { rightHanded });
            frame(0);
            frame(FRAME, 120);
            const [first] = directionsOf([named("Hair_0"), named("Hair_1")]);
            const local = Vector3.TransformNormal(first, named("Head").getWorldMatrix().clone().invert());
            expect(local.z).toBeLessThan(-0.2);
            expect(named("Between").rotationQuaternion!.equals(Quaternion.Identity())).toBe(true);
            const tip = Vector3.TransformCoordinates(
                named("Hair_1").getAbsolutePosition(),
                named("Head").getWorldMatrix().clone().invert(),
            );
            expect(tip.z).toBeGreaterThan(-0.15 + 0.01 - 1e-4);
        },
    );

    test("the mode comes from the loader's options", async () => {
        const { behavior } = await load({ VRMC_springBone: vrm1 }, { mode: "exact" });
        expect(behavior!.mode).toBe("exact");
    });

    test("instances of a container have chains of their own", async () => {
        const { container, scene, frame } = await load({ VRMC_springBone: vrm1 });
        const { rootNodes } = container.instantiateModelsToScene((name) => `${name} again`);
        frame(0);
        frame(FRAME, 30);
        const chains = rootNodes[0].getBehaviorByName("BoneChains") as BoneChainBehavior | null;
        expect(chains?.jointCount).toBe(2);
        rootNodes[0].dispose();
        container.dispose();
        frame();
        expect(scene.transformNodes).toHaveLength(0);
    });
});

describe("version 0", () => {
    test("all descendants of a root are joints, with end tails of 7 cm", async () => {
        const { behavior, frame, named } = await load({ VRM: vrm0 });
        expect(behavior!.jointCount).toBe(5);
        frame(0);
        frame(FRAME, 120);
        const [first] = directionsOf([named("Hair_0"), named("Hair_1")]);
        // The file's x is the scene's -x.
        expect(first.x).toBeLessThan(-0.2);
    });
});

test("files without spring bones have none; numbers that are none are named", async () => {
    const { behavior } = await load({});
    expect(behavior).toBeNull();
    const broken = { ...vrm1, colliders: [{ node: 1, shape: { sphere: { radius: "wide" } } }] };
    await expect(load({ VRMC_springBone: broken })).rejects.toThrow(/VrmLoader: colliders\[0\] must be of finite numbers/);
});
