import type { Bone } from "@babylonjs/core/Bones/bone";
import type { Node } from "@babylonjs/core/node";
import type { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import type { BodyRuntime } from "../behaviors/bodyRuntime";
import { worldMatrixOf } from "../support/carriers";

/** Node or bone with a recorded pose. */
export type PosedNode = TransformNode | Bone;

/** True of a bone, whichever Babylon made it. */
export function isBone(node: Node): node is Bone {
    return node.getClassName() === "Bone";
}

/** Nodes and bones of a scene by key. Those that files leave out come last, so that the others have the same keys in a copy. */
export function keyNodes(scene: Scene, byKey = new Map<string, PosedNode>()): Map<string, PosedNode> {
    const nodes: PosedNode[] = [...scene.transformNodes, ...scene.meshes, ...scene.skeletons.flatMap(({ bones }) => bones)];
    const known = new Set(byKey.values());
    for (const isLeftOut of [false, true])
        for (const node of nodes) {
            if (known.has(node) || Boolean(node.doNotSerialize) !== isLeftOut) continue;
            let key = node.name;
            for (let i = 1; byKey.has(key); i++) key = `${node.name}#${i}`;
            byKey.set(key, node);
        }
    return byKey;
}

/**
 * Pose as numbers: of a bone its local matrix; of a node 1 if enabled, its world matrix, position, scaling, and quaternion or Euler
 * angles. Skeletons read what is local, all else the world matrix.
 */
export function poseOf(node: PosedNode, target: number[]): number[] {
    if (isBone(node)) {
        target.length = 16;
        const { m } = node.getLocalMatrix();
        for (let i = 0; i < 16; i++) target[i] = m[i];
        return target;
    }
    target.length = 1;
    target[0] = node.isEnabled(false) ? 1 : 0;
    const world = worldMatrixOf(node);
    for (let i = 0; i < 16; i++) target.push(world[i]);
    for (const vector of [node.position, node.scaling]) target.push(vector.x, vector.y, vector.z);
    const turn: Quaternion | Vector3 = node.rotationQuaternion ?? node.rotation;
    target.push(turn.x, turn.y, turn.z);
    if ("w" in turn) target.push(turn.w);
    return target;
}

/** Hash of the positions of bodies, to the bit (FNV-1a, 32 bits). */
export function hashOf(runtimes: readonly BodyRuntime[]): number {
    let hash = 0x811c9dc5;
    for (const { instance } of runtimes) {
        const { positions } = instance!.cloth.state;
        const words = new Uint32Array(positions.buffer, positions.byteOffset, positions.length);
        for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ words[i], 0x01000193);
    }
    return hash >>> 0;
}
