/** Cost of bone chains: 100 avatars of 30 chains of 6 joints, each with 4 capsules, without Babylon's own matrices. */
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Scene } from "@babylonjs/core/scene";
import { FreeCamera } from "@babylonjs/core/Cameras/freeCamera";
import { onNode } from "../../src/babylon/colliders/skeleton/boneShape";
import { BoneChainBehavior } from "../../src/index";
import { BoneChainScene } from "../../src/babylon/bones/boneChainScene";
import { atMost } from "./report";
import type { Section } from "./report";
import { cpuTime } from "./timing";

const CHAINS = 30;
const JOINTS = 6;

/** Cost of a chain and frame, poses put back included [µs], least of several runs. */
export function boneChainsSection(): Section {
    const costs = [1, 10, 100].map((avatars) => Math.min(...Array.from({ length: 3 }, () => chainCost(avatars, 200))));
    return {
        tables: [
            {
                title: `Bone chains of ${JOINTS} joints with 4 capsules, ${CHAINS} an avatar`,
                columns: ["avatars", "µs a chain", "ms a frame"],
                rows: [1, 10, 100].map((avatars, i) => [
                    String(avatars),
                    costs[i].toFixed(2),
                    ((costs[i] * avatars * CHAINS) / 1000).toFixed(2),
                ]),
            },
        ],
        bars: [atMost("a bone chain of 6 joints, 100 avatars", costs[2], 2, " µs")],
        data: costs,
    };
}

/** @returns µs a chain */
function chainCost(avatars: number, frames: number): number {
    const engine = new NullEngine();
    const scene = new Scene(engine);
    scene.activeCamera = new FreeCamera("camera", Vector3.Zero(), scene);
    const roots: Mesh[] = [];
    const all: BoneChainBehavior[] = [];
    for (let a = 0; a < avatars; a++) {
        const root = new Mesh(`avatar${a}`, scene);
        roots.push(root);
        const head = new TransformNode("head", scene);
        head.parent = root;
        const chains = Array.from({ length: CHAINS }, (_, i) => {
            let parent: TransformNode = head;
            let first: TransformNode | null = null;
            for (let j = 0; j <= JOINTS; j++) {
                const node = new TransformNode(`${i}.${j}`, scene);
                node.parent = parent;
                node.rotationQuaternion = Quaternion.Identity();
                node.position.set(j ? 0 : 0.1 * Math.cos(i), j ? -0.05 : 0, j ? 0.01 : 0.1 * Math.sin(i));
                first ??= node;
                parent = node;
            }
            return { root: first! };
        });
        const colliders = [-0.1, -0.2, -0.3, -0.4].map((y) =>
            onNode({ name: "c", carrier: head, start: [0, y, 0], end: [0, y - 0.1, 0], startRadius: 0.06, endRadius: 0.06 }, head),
        );
        const behavior = new BoneChainBehavior({ chains, colliders, gravity: new Vector3(0, -2, 0) });
        root.addBehavior(behavior);
        all.push(behavior);
    }
    scene.render();
    const chains = BoneChainScene.of(scene);
    let spent = 0;
    for (let f = 0; f < frames; f++) {
        const t = f / 60;
        for (const root of roots) {
            root.position.z = Math.sin(3 * t);
            root.rotation.y = Math.sin(2 * t);
            root.computeWorldMatrix(true);
            root.getChildTransformNodes(true)[0].computeWorldMatrix(true);
        }

        (chains as unknown as { _hasTime: boolean })._hasTime = true;
        (chains.loop as unknown as { seconds: number }).seconds = 1 / 60;
        const start = cpuTime();
        (chains as unknown as { _putBack(): void })._putBack();
        chains.onDraw();
        spent += cpuTime() - start;
    }
    engine.dispose();
    return (1000 * spent) / frames / avatars / CHAINS;
}
