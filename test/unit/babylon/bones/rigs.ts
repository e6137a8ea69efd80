/** Rigs of nodes for tests of bone chains. */
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";

/** Nodes in a row, each so far from the one before. */
export function makeChain(scene: Scene, name: string, parent: TransformNode, offsets: readonly Vector3[]): TransformNode[] {
    const nodes: TransformNode[] = [];
    for (const [i, offset] of offsets.entries()) {
        const node = new TransformNode(`${name}_${i}`, scene);
        node.parent = nodes[i - 1] ?? parent;
        node.position.copyFrom(offset);
        node.rotationQuaternion = Quaternion.Identity();
        nodes.push(node);
    }
    return nodes;
}

/** A chain of so many joints that hangs down from a place, and its tail. */
export function makeTail(
    scene: Scene,
    parent: TransformNode,
    { joints = 6, length = 0.08, name = "Tail", at = Vector3.Zero() } = {},
) {
    return makeChain(
        scene,
        name,
        parent,
        Array.from({ length: joints + 1 }, (_, i) => (i === 0 ? at : new Vector3(0, -length, 0))),
    );
}

/** Directions of bones in the world, x y z each. */
export function directionsOf(nodes: readonly TransformNode[]): Vector3[] {
    for (const node of nodes) node.computeWorldMatrix(true);
    return nodes.slice(1).map((node, i) => node.absolutePosition.subtract(nodes[i].absolutePosition).normalize());
}

/** Largest angle between directions [rad]. */
export function largestAngle(a: readonly Vector3[], b: readonly Vector3[]): number {
    return Math.max(...a.map((v, i) => 2 * Math.asin(Math.min(1, v.subtract(b[i]).length() / 2))));
}
