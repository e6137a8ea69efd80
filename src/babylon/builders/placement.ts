import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";

/** Bounding box of a node and its descendants, world axes [m]; without meshes, the node's position. */
export function boxOf(node: TransformNode): { low: number[]; high: number[] } {
    node.computeWorldMatrix(true);
    const { min, max } = node.getHierarchyBoundingVectors(true);
    if (!(min.x <= max.x)) min.copyFrom(max.copyFrom(node.absolutePosition));
    return { low: min.asArray(), high: max.asArray() };
}

/** Puts a mesh that hangs on an upright pole beside it, its origin `gap` [m] beyond the pole's side and below its top, and makes it the pole's child. */
export function hangBeside(mesh: Mesh, pole: TransformNode, gap: number, below: number): void {
    const { low, high } = boxOf(pole);
    mesh.position.set(high[0] + gap, high[1] - below, (low[2] + high[2]) / 2);
    parentInPlace(mesh, pole);
}

/** Makes a mesh a child of a node without moving it. `setParent` of Babylon 9.34 misplaces children of a parent with a pivot. */
export function parentInPlace(mesh: Mesh, node: TransformNode): void {
    const local = mesh.computeWorldMatrix(true).multiply(node.computeWorldMatrix(true).clone().invert());
    const turn = mesh.rotation.toQuaternion();
    local.decompose(mesh.scaling, turn, mesh.position);
    turn.toEulerAnglesToRef(mesh.rotation);
    mesh.parent = node;
}

/** Nodes that the two ends of a cloth follow. */
export type Posts = readonly [left: TransformNode, right: TransformNode];

/** Middle of a node's box, its top, and half of its width and depth, world axes [m]. */
function middleOf(node: TransformNode): { x: number; z: number; top: number; halfX: number; halfZ: number } {
    const { low, high } = boxOf(node);
    const [halfX, halfZ] = [(high[0] - low[0]) / 2, (high[2] - low[2]) / 2];
    return { x: low[0] + halfX, z: low[2] + halfZ, top: high[1], halfX, halfZ };
}

/** Distance of the cloth's ends from the middle of a post, over the post's half thickness: the cloth ends beside it. */
const POST_CLEARANCE = 1.05;

/** Distance of two posts [m]: between the sides that their boxes turn to each other, or, where they overlap, their middles. */
export function gapOf([left, right]: Posts): number {
    const a = middleOf(left);
    const b = middleOf(right);
    const [dx, dz] = [Math.abs(b.x - a.x), Math.abs(b.z - a.z)];
    const apart = Math.hypot(dx, dz);
    const thick = POST_CLEARANCE * Math.min((a.halfX + b.halfX) / dx, (a.halfZ + b.halfZ) / dz);
    return thick < 1 ? apart * (1 - thick) : apart;
}

/** Puts a mesh's origin midway between two posts, `below` the lower one's top [m], its x axis from the left one to the right one. */
export function hangBetween(mesh: Mesh, [left, right]: Posts, below: number): void {
    const a = middleOf(left);
    const b = middleOf(right);
    mesh.position.set((a.x + b.x) / 2, Math.min(a.top, b.top) - below, (a.z + b.z) / 2);
    mesh.rotation.y = Math.atan2(a.z - b.z, b.x - a.x);
}
