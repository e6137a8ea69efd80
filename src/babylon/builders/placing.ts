import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";

/** The box around a node and all that it carries, world axes [m]; without meshes, the place of the node. */
export function boxOf(node: TransformNode): { low: number[]; high: number[] } {
    node.computeWorldMatrix(true);
    const { min, max } = node.getHierarchyBoundingVectors(true);
    if (!(min.x <= max.x)) min.copyFrom(max.copyFrom(node.absolutePosition));
    return { low: min.asArray(), high: max.asArray() };
}

/** Puts a mesh that hangs on an upright pole beside it, its origin `gap` [m] beyond the pole's side and below its top, and has the pole carry it. */
export function hangBeside(mesh: Mesh, pole: TransformNode, gap: number, below: number): void {
    const { low, high } = boxOf(pole);
    mesh.position.set(high[0] + gap, high[1] - below, (low[2] + high[2]) / 2);
    mesh.setParent(pole);
}

/** What carries the two ends of a cloth. */
export type Posts = readonly [left: TransformNode, right: TransformNode];

/** Middle of a node's box, and its top, world axes [m]. */
function middleOf(node: TransformNode): { x: number; z: number; top: number } {
    const { low, high } = boxOf(node);
    return { x: (low[0] + high[0]) / 2, z: (low[2] + high[2]) / 2, top: high[1] };
}

/** Distance of two posts' middles [m]. */
export function gapOf([left, right]: Posts): number {
    const a = middleOf(left);
    const b = middleOf(right);
    return Math.hypot(b.x - a.x, b.z - a.z);
}

/** Puts a mesh's origin midway between two posts, `below` the lower one's top [m], its x axis from the left one to the right one. */
export function hangBetween(mesh: Mesh, [left, right]: Posts, below: number): void {
    const a = middleOf(left);
    const b = middleOf(right);
    mesh.position.set((a.x + b.x) / 2, Math.min(a.top, b.top) - below, (a.z + b.z) / 2);
    mesh.rotation.y = Math.atan2(a.z - b.z, b.x - a.x);
}
