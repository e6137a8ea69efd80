/** Bone chains in files: they go on as the ones that were written. */
import { AppendSceneAsync } from "@babylonjs/core/Loading/sceneLoader";
import "@babylonjs/core/Loading/Plugins/babylonFileLoader";
import "@babylonjs/core/Materials/colorCurves";
import "@babylonjs/core/Materials/standardMaterial";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { SceneSerializer } from "@babylonjs/core/Misc/sceneSerializer";
import { afterEach, expect, test } from "@jest/globals";
import "../../../../src/files";
import { BoneChainBehavior, ClothFiles, Wind } from "../../../../src/index";
import type { BoneChainOptions } from "../../../../src/index";
import { disposeWorlds, FRAME, makeWorld, messageOf } from "../harness";
import { makeTail } from "./rigs";

afterEach(() => disposeWorlds());

/** A head with two tails and a ball, and chains on it. */
function makeHead(options: (ball: Mesh) => BoneChainOptions) {
    const world = makeWorld();
    const root = new Mesh("root", world.scene);
    const tails = ["Left", "Right"].map((name, i) => makeTail(world.scene, root, { name, at: new Vector3(0.1 * i, 0, 0) }));
    const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.2 }, world.scene);
    ball.parent = root;
    ball.position.set(0.05, -0.2, 0.02);
    const chains = new BoneChainBehavior(options(ball));
    root.addBehavior(chains);
    return { ...world, root, tails, ball, chains };
}

const OPTIONS = (ball: Mesh): BoneChainOptions => ({
    chains: [{ root: ({ name }) => name === "Left_0" }, { root: "Right_0", end: "Right_4", radius: [0.01, 0.02], colliders: [] }],
    stiffness: (place) => 12 - 8 * place,
    damping: 3,
    gravity: new Vector3(0, -9.81, 0),
    colliders: [ball],
    wind: new Wind({ velocity: new Vector3(1, 0, 0) }),
    inertia: { anchor: ball, linear: 0.5 },
    limitAngle: 1,
});

/** Rotations of the tails after a swing. */
function swing({ root, frame }: { root: Mesh; frame: (ms: number) => void }, nodes: readonly TransformNode[]): number[] {
    for (let i = 0; i < 60; i++) {
        root.position.x = 0.2 * Math.sin(i / 8);
        frame(FRAME);
    }
    return nodes.flatMap(({ rotationQuaternion }) => rotationQuaternion!.asArray());
}

test("chains parsed from JSON move as those that were written", () => {
    const first = makeHead(OPTIONS);
    const data = JSON.stringify(ClothFiles.serializeChains(first.chains));
    const second = makeHead((ball) => ({ chains: [{ root: "Left_0" }], colliders: [ball] }));
    second.root.removeBehavior(second.chains);
    const parsed = ClothFiles.parseChains(JSON.parse(data) as ReturnType<typeof ClothFiles.serializeChains>, second.scene);
    second.root.addBehavior(parsed);
    expect(swing(second, second.tails.flat())).toEqual(swing(first, first.tails.flat()));
});

test("a scene's file holds bones as they are animated, and the chains", async () => {
    const first = makeHead(OPTIONS);
    const before = first.tails.flat().map(({ rotationQuaternion }) => rotationQuaternion!.asArray());
    swing(first, first.tails.flat());
    const file = JSON.stringify(ClothFiles.writeScene(first.scene, () => SceneSerializer.Serialize(first.scene) as object));
    const { scene } = makeWorld();
    await AppendSceneAsync(`data:${file}`, scene, { pluginExtension: ".babylon" });
    const nodes = first.tails.flat().map(({ name }) => scene.getTransformNodeByName(name)!);
    expect(nodes.map(({ rotationQuaternion }) => rotationQuaternion!.asArray())).toEqual(before);
    ClothFiles.readScene(scene);
    const chains = scene.getMeshByName("root")!.getBehaviorByName("BoneChains") as unknown as BoneChainBehavior;
    expect(chains.jointCount).toBe(first.chains.jointCount);
    expect(chains.colliders).toHaveLength(1);
});

test("what is wrong with data is told", () => {
    const { chains, scene } = makeHead(OPTIONS);
    const data = ClothFiles.serializeChains(chains);
    const parse = (change: object) => messageOf(() => ClothFiles.parseChains({ ...data, ...change } as typeof data, scene));
    expect(parse({ options: { stifness: 1 } })).toMatch(/stifness.*stiffness/);
    expect(parse({ chains: [{ root: { node: "Middle_0" } }] })).toMatch(/Middle_0/);
    expect(parse({ chains: 3 })).toMatch(/chains.*list.*3/);
    expect(messageOf(() => ClothFiles.serializeChains(new BoneChainBehavior({ chains: [{ root: "a" }] })))).toMatch(/on a node/);
});
