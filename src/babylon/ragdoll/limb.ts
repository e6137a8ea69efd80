import type { Bone } from "@babylonjs/core/Bones/bone";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Scene } from "@babylonjs/core/scene";
import { determinant, dot, identity, invert, multiply, scale, subtract } from "../../engine/index";
import type { Affine, RigidBody, RigidBodySettings, Vector, VectorLike } from "../../engine/index";
import { RigidBodyBallJoint, RigidBodyHinge } from "../rigidbody/joints";
import type { RigidBodyJoint } from "../rigidbody/joints";
import { runningBodyOf } from "../rigidbody/jointRegistry";
import { RigidBodyBehavior } from "../rigidbody/rigidBodyBehavior";
import type { RigidBodyOptions } from "../rigidbody/rigidBodyBehavior";
import { worldMatrixOf } from "../support/carriers";
import { readRotation } from "../support/nodePose";
import { bindOf } from "../colliders/skeleton/fitBones";
import type { FittedBone } from "../colliders/skeleton/fitBones";
import type { Capsule } from "../colliders/skeleton/fitCapsule";
import { makeLimbBox } from "./limbBox";
import type { RagdollHinge, RagdollLimb, RagdollLimit } from "./ragdollOptions";

/** Factor on capsule radii in the overlap test: boxes stick out of their capsules. */
const OVERLAP_FACTOR = 1.1;
/** Samples along a capsule in the overlap test, as shares of its axis. */
const SAMPLES = [0, 0.25, 0.5, 0.75, 1];

/** Within a call. */
const [world, before] = [identity(), identity()];
const [quaternion, older] = [new Float64Array(4), new Float64Array(4)];
const [at, velocity, rate] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];

/** A bone with its rigid body, a hidden box, joined to that of the nearest parent that has one. */
export class Limb implements RagdollLimb {
    readonly bone: Bone;
    readonly mesh: Mesh;
    readonly body: RigidBodyBehavior;
    joint: RigidBodyJoint | null = null;
    /** Index among the skeleton's bones. */
    readonly boneNumber: number;
    private readonly _capsule: Capsule;
    /** The user's collision group; the body's is 0 while it is stopped. */
    private _group: number;
    /** From the bone's space to the box's, and back. */
    private readonly _toBox = identity();
    private readonly _toBone = identity();
    /** World position of the bone's head in the bind pose [m]. */
    private readonly _head: Vector;
    /** World matrix of the mesh when the ragdoll was made. */
    private readonly _toWorld: Affine;

    /** @param toWorld from the mesh's local space @throws Error if the box cannot be a rigid body */
    constructor({ bone, capsule }: FittedBone, boneIndex: number, toWorld: Affine, options: RigidBodyOptions, scene: Scene) {
        this.bone = bone;
        this.boneNumber = boneIndex;
        this._capsule = capsule;
        this._toWorld = toWorld.slice();
        this.mesh = makeLimbBox(`${bone.name} (ragdoll)`, capsule, toWorld, scene);
        this.body = new RigidBodyBehavior({ ...options, enabled: false });
        multiply(bindOf(bone), toWorld, world);
        this._head = [world[12], world[13], world[14]];
        this._toBox.set(world);
        const { x, y, z } = this.mesh.position;
        [x, y, z].forEach((coordinate, c) => (this._toBox[12 + c] -= coordinate));
        invert(this._toBox, this._toBone);
        try {
            // Babylon defers what is added to a mesh while a scene is loading.
            this.body.attach(this.mesh);
            this.mesh.addBehavior(this.body);
            this._group = this.body.collisionGroup;
            this.stop();
        } catch (error) {
            this.mesh.dispose();
            throw error;
        }
    }

    /** The running body; null while its kernels are loaded. */
    get runningBody(): RigidBody | null {
        return runningBodyOf(this.body);
    }

    /** Joins it to another in the bind pose. */
    join(parent: Limb, { swing, twist, hinge }: RagdollLimit): void {
        const [hx, hy, hz] = this._head;
        const { x, y, z } = this.mesh.position;
        if (hinge) {
            const limits = { min: hinge.min, max: hinge.max };
            const point = { x: hx, y: hy, z: hz };
            this.joint = new RigidBodyHinge(this.body, parent.body, { point, axis: this._axisOf(hinge), limits });
            return;
        }
        const axis = { x: x - hx, y: y - hy, z: z - hz };
        const isLong = Math.hypot(axis.x, axis.y, axis.z) > 0;
        this.joint = new RigidBodyBallJoint(this.body, parent.body, {
            point: { x: hx, y: hy, z: hz },
            ...(isLong && { axis }),
            ...(swing !== undefined && { swing }),
            ...(twist !== undefined && { twist }),
        });
    }

    /** Hinge axis in the world; reversed for a mirrored mesh. */
    private _axisOf({ axis: { x, y, z } }: RagdollHinge): VectorLike {
        const { _toWorld: m } = this;
        const sign = determinant(m) < 0 ? -1 : 1;
        const along = (c: number): number => sign * (x * m[c] + y * m[4 + c] + z * m[8 + c]);
        return { x: along(0), y: along(1), z: along(2) };
    }

    /** Volume of its box [m³]; 0 while its kernels are loaded. */
    get volume(): number {
        const { runningBody } = this;
        return runningBody ? (runningBody.settings as RigidBodySettings).body.volume : 0;
    }

    /** Disables contacts with another limb. */
    ignoreContactsWith(other: Limb): void {
        const { runningBody } = this;
        runningBody?.steppingGroup.ignorePair(runningBody.groupMember, other.runningBody!.groupMember);
    }

    /** True if both overlap in the bind pose. */
    overlaps({ _capsule: other }: Limb): boolean {
        return SAMPLES.some((share) => {
            const { start, end, startRadius, endRadius } = this._capsule;
            const place = start.map((x, c) => x + (end[c] - x) * share) as unknown as Vector;
            return OVERLAP_FACTOR * (startRadius + (endRadius - startRadius) * share) > distanceToCapsule(other, place);
        });
    }

    /** Starts its body at a bone's pose with the bone's velocity. @param now world matrix of the bone @param then the one before @param seconds time between both [s]; 0: at rest */
    start(now: Affine, then: Affine, seconds: number): void {
        multiply(this._toBone, now, world);
        multiply(this._toBone, then, before);
        this._moveToPose();
        this.body.collisionGroup = this._group;
        this.body.enabled = true;
        const { runningBody } = this;
        if (!runningBody || !(seconds > 0)) return;
        readRotation(before, 1, 1, older);
        for (let c = 0; c < 3; c++) {
            const [d, e] = [(c + 1) % 3, (c + 2) % 3];
            at[c] = world[12 + c] - runningBody.origin[c];
            velocity[c] = (world[12 + c] - before[12 + c]) / seconds;
            const half = quaternion[c] * older[3] - quaternion[3] * older[c] - quaternion[d] * older[e] + quaternion[e] * older[d];
            const isBack =
                quaternion[0] * older[0] + quaternion[1] * older[1] + quaternion[2] * older[2] + quaternion[3] * older[3] < 0;
            rate[c] = ((isBack ? -2 : 2) * half) / seconds;
        }
        // A faster bone was teleported.
        if (Math.hypot(...velocity) <= this.body.teleportSpeed) runningBody.setVelocity(at, velocity, rate);
    }

    /** Disables its body and its contacts. */
    stop(): void {
        const { body } = this;
        this._group = body.collisionGroup;
        body.collisionGroup = 0;
        body.enabled = false;
    }

    private _moveToPose(): void {
        const { mesh } = this;
        readRotation(world, 1, 1, quaternion);
        mesh.position.set(world[12], world[13], world[14]);
        mesh.rotationQuaternion ??= mesh.rotation.toQuaternion();
        mesh.rotationQuaternion.copyFromFloats(quaternion[0], quaternion[1], quaternion[2], quaternion[3]);
        this.body.reset();
    }

    /** World matrix of the bone by its body. */
    readBoneWorld(target: Affine): void {
        world.set(worldMatrixOf(this.mesh));
        multiply(this._toBox, world, target);
    }
}

/** Signed distance of a point from a capsule's surface, negative inside. */
function distanceToCapsule({ start, end, startRadius, endRadius }: Capsule, place: Vector): number {
    const along = subtract(end, start);
    const squared = dot(along, along);
    const share = squared > 0 ? Math.min(1, Math.max(0, dot(subtract(place, start), along) / squared)) : 0;
    const off = subtract(subtract(place, start), scale(along, share));
    return Math.sqrt(dot(off, off)) - OVERLAP_FACTOR * (startRadius + (endRadius - startRadius) * share);
}
