import type { Bone } from "@babylonjs/core/Bones/bone";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { JointPose, identity, multiply, transformPoint, writeQuaternion } from "../../engine/index";
import { parentOf } from "./chainJoints";
import type { FoundJoint } from "./chainJoints";
import { JointNode } from "./jointNode";

/** Within a call. */
const place = new Float64Array(3);
const local = identity();

/** Reads the pose of a joint under its parent, and where its tail is. */
export class JointPoseReader {
    private readonly _path: readonly JointNode[];

    /** @param tail node at the tail; null: none @param between nodes from the joint to its tail, which keep their pose */
    constructor(
        readonly node: JointNode,
        private readonly _joint: FoundJoint,
        readonly tail: JointNode | null,
        between: readonly (Bone | TransformNode)[],
    ) {
        this._path = between.map((each) => new JointNode(each, null));
    }

    /** Writes a record of {@link JointPose} at a slot. */
    read(poses: Float64Array, o: number, isRest: boolean): void {
        const { node, _joint: joint } = this;
        node.read();
        const q = isRest && !joint.isPassive ? node.rest : node.animated;
        poses[o] = q.x;
        poses[o + 1] = q.y;
        poses[o + 2] = q.z;
        poses[o + 3] = q.w;
        const p = node.position;
        poses[o + JointPose.translation] = p.x;
        poses[o + JointPose.translation + 1] = p.y;
        poses[o + JointPose.translation + 2] = p.z;
        const s = node.scaling;
        poses[o + JointPose.scaling] = s.x;
        poses[o + JointPose.scaling + 1] = s.y;
        poses[o + JointPose.scaling + 2] = s.z;
        if (joint.isPassive) return;
        this._readTail();
        poses[o + JointPose.tail] = place[0] * s.x;
        poses[o + JointPose.tail + 1] = place[1] * s.y;
        poses[o + JointPose.tail + 2] = place[2] * s.z;
    }

    /** Place of the tail in the joint's space, to {@link place}. */
    private _readTail(): void {
        const { tail, _path: path, _joint: joint } = this;
        if (tail) {
            const { position } = tail;
            place[0] = position.x;
            place[1] = position.y;
            place[2] = position.z;
            for (let k = path.length - 1; k >= 0; k--) throughParent(path[k], place);
            return;
        }
        // As long as the chain says, in the direction in which the joint lies from its parent.
        const { position: p } = this.node;
        const length = Math.sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
        const scale = length > 0 ? joint.chain.endLength! / length : 0;
        place[0] = p.x * scale;
        place[1] = p.y * scale;
        place[2] = p.z * scale;
    }
}

/** Places of the tails in the world as bones rest [m], for the lengths of links. */
export function restTails(
    poses: readonly JointPoseReader[],
    parents: readonly { readonly parent: number; readonly isRoot: boolean }[],
    roots: readonly { readonly world: Float64Array }[],
): Float64Array[] {
    const worlds: Float64Array[] = [];
    return poses.map(({ node, tail }, j) => {
        const world = identity();
        const { x, y, z, w } = node.rest;
        const s = node.scaling;
        writeQuaternion(x, y, z, w, local);
        [s.x, s.y, s.z].forEach((scale, r) => {
            for (let c = 0; c < 3; c++) local[4 * r + c] *= scale;
        });
        local.set([node.position.x, node.position.y, node.position.z], 12);
        const { parent, isRoot } = parents[j];
        multiply(local, isRoot ? roots[parent].world : worlds[parent], world);
        worlds.push(world);
        const end = tail?.position;
        const point = Float64Array.of(end?.x ?? 0, end?.y ?? 0, end?.z ?? 0);
        transformPoint(world, point, 0, point, 0);
        return point;
    });
}

/** Nodes between a joint and its tail, which keep their pose. */
export function nodesBetween(target: Bone | TransformNode, tail: Bone | TransformNode | null): (Bone | TransformNode)[] {
    const found: (Bone | TransformNode)[] = [];
    for (let each = tail && parentOf(tail); each && each !== target; each = parentOf(each)) found.unshift(each);
    return found;
}

/** Takes a place from a node's space to its parent's. */
function throughParent(node: JointNode, point: Float64Array): void {
    node.read();
    const { x: sx, y: sy, z: sz } = node.scaling;
    const { x: qx, y: qy, z: qz, w: qw } = node.animated;
    const x = point[0] * sx;
    const y = point[1] * sy;
    const z = point[2] * sz;
    const tx = 2 * (qy * z - qz * y);
    const ty = 2 * (qz * x - qx * z);
    const tz = 2 * (qx * y - qy * x);
    const { position: p } = node;
    point[0] = p.x + x + qw * tx + qy * tz - qz * ty;
    point[1] = p.y + y + qw * ty + qz * tx - qx * tz;
    point[2] = p.z + z + qw * tz + qx * ty - qy * tx;
}
