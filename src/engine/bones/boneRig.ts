import { ArenaStruct } from "../memory/arenaArrays";
import { BONE_STEP, MAX_BONE_STEPS } from "../tunables";
import {
    BoneChainLayout,
    BoneFrame,
    BoneMap,
    IS_ROOT,
    JointFrame,
    JointIndex,
    JointRate,
    JointState,
} from "../../kernels/boneLayout";
import type { BoneChainArrays } from "../../kernels/boneLayout";
import type { Kernels } from "../../kernels/kernelTable";
import { bonesKernels } from "../../kernels/modules/bones.generated";
import { NONE } from "../../kernels/structSchema";

/** Joints of a rig, parents first, and what ties them. */
export interface BoneRigShape {
    readonly joints: readonly {
        /** Index of the parent joint, or of a root, and which of both it is. */
        readonly parent: number;
        readonly isRoot: boolean;
        /** Index of the anchor; -1: none. */
        readonly anchor: number;
        /** Indices of its colliders. */
        readonly colliders: readonly number[];
    }[];
    readonly rootCount: number;
    readonly anchorCount: number;
    readonly colliderCount: number;
    /** Pairs of joints whose tails are tied, and the distance of those at rest [m]. */
    readonly links: readonly { readonly a: number; readonly b: number; readonly length: number }[];
    /** First and end of joints and of links that are solved together. */
    readonly levels: readonly (readonly [number, number, number, number])[];
    readonly isExact: boolean;
}

/** Physics of a joint. */
export interface JointPhysics {
    /** Angular frequency of the spring towards the pose [1/s]. */
    stiffness: number;
    /** Rate at which velocity decays [1/s]; Infinity: at once. */
    damping: number;
    /** Radius of the tail [m]. */
    radius: number;
    /** Largest angle to the pose [rad]. */
    limitAngle: number;
    /** Length of the bone at rest [m]. */
    length: number;
}

/** Places of numbers that change, in the descriptor. */
const [STEP_COUNT, NEXT] = ["stepCount", "next"].map((name) => Object.keys(BoneChainLayout).indexOf(name));
/** Frame rate for which VRMC_springBone's numbers are made [1/s]: its damping and forces are a frame's. */
const SPRING_BONE_RATE = 60;
/** A pull beside which no motion counts, in bone lengths: it places a tail in the pose. */
const PLACING_PULL = 1e9;
/** Rounding of sums of frame times, in steps. */
const ROUNDING = 1e-6;

/** Bone chains as the kernel has them, with their clock; see assembly/boneChains.ts. */
export class BoneRig extends ArenaStruct implements BoneChainArrays {
    readonly jointCount: number;
    readonly rootCount: number;
    readonly anchorCount: number;
    readonly colliderCount: number;
    readonly listCount: number;
    readonly linkCount: number;
    readonly levelCount: number;
    readonly mapCount = MAX_BONE_STEPS + 1;
    stepCount = 0;
    readonly isExact: boolean;
    next = 0;
    joints!: Uint32Array;
    colliderLists!: Uint32Array;
    links!: Uint32Array;
    levels!: Uint32Array;
    poses!: Float64Array;
    previousPoses!: Float64Array;
    rates!: Float64Array;
    states!: Float64Array;
    frames!: Float64Array;
    bends!: Float64Array;
    roots!: Float64Array;
    previousRoots!: Float64Array;
    currentRoots!: Float64Array;
    anchorMaps!: Float64Array;
    colliders!: Float64Array;
    previousColliders!: Float64Array;
    currentColliders!: Float64Array;
    linkLengths!: Float64Array;
    frame!: Float64Array;
    /** True if this frame was too long for its steps: what is left of it carries the chains along. */
    isLate = false;
    /** Time between the last step and the frame's end [s]. */
    private _late = 0;
    /** That of which the rates are; NaN: of none. */
    private _ratedLate = NaN;

    constructor(
        private readonly _kernels: Kernels,
        shape: BoneRigShape,
        private readonly _physics: readonly JointPhysics[],
    ) {
        super(BoneChainLayout);
        const { joints, links, levels } = shape;
        this.jointCount = joints.length;
        this.rootCount = shape.rootCount;
        this.anchorCount = shape.anchorCount;
        this.colliderCount = shape.colliderCount;
        this.listCount = joints.reduce((sum, { colliders }) => sum + colliders.length, 0);
        this.linkCount = links.length;
        this.levelCount = levels.length;
        this.isExact = shape.isExact;
        _kernels.add(bonesKernels);
        this._allocate(_kernels.arena);
        let list = 0;
        joints.forEach(({ parent, isRoot, anchor, colliders }, j) => {
            const o = j * JointIndex.count;
            this.joints[o + JointIndex.parent] = isRoot ? (parent | IS_ROOT) >>> 0 : parent;
            this.joints[o + JointIndex.anchor] = anchor < 0 ? NONE : anchor;
            this.joints[o + JointIndex.firstCollider] = list;
            for (const collider of colliders) this.colliderLists[list++] = collider;
            this.joints[o + JointIndex.colliderEnd] = list;
        });
        links.forEach(({ a, b, length }, k) => {
            this.links[2 * k] = a;
            this.links[2 * k + 1] = b;
            this.linkLengths[k] = length;
        });
        levels.forEach((level, l) => this.levels.set(level, 4 * l));
        this.frame[BoneFrame.linkScale] = 1;
    }

    /** Takes the physics of the joints again, which have changed. */
    updatePhysics(): void {
        this._ratedLate = NaN;
    }

    /** Begins a frame: what poses, roots and colliders are is from now on what they were. @param seconds time that passes [s] */
    beginFrame(seconds: number): void {
        this.previousPoses.set(this.poses);
        this.previousRoots.set(this.roots);
        this.previousColliders.set(this.colliders);
        this.isLate = false;
        const { frame } = this;
        if (this.isExact) {
            this.stepCount = seconds > 0 ? 1 : 0;
            frame[BoneFrame.firstShare] = 1;
            this._late = seconds;
        } else {
            const time = this._late + seconds;
            let steps = Math.floor(time / BONE_STEP + ROUNDING);
            frame[BoneFrame.firstShare] = seconds > 0 ? Math.min(1, Math.max(0, (BONE_STEP - this._late) / seconds)) : 1;
            frame[BoneFrame.stepShare] = seconds > 0 ? BONE_STEP / seconds : 0;
            this._late = Math.max(0, time - steps * BONE_STEP);
            if (steps > MAX_BONE_STEPS) {
                steps = MAX_BONE_STEPS;
                this.isLate = true;
            }
            this.stepCount = steps;
        }
    }

    /** Writes what the joints' physics make of the times of this frame. */
    writeRates(): void {
        if (this._late !== this._ratedLate) this._writeRates();
    }

    /** Tells the kernel the numbers of this frame. @param next address of the next rig; 0: none */
    writeFrame(next: number): void {
        this.descriptor[STEP_COUNT] = this.stepCount;
        this.descriptor[NEXT] = this.next = next;
    }

    /** Share of the frame at the end of a step, or after the last one, at its end. */
    shareAt(step: number): number {
        const { frame } = this;
        return step < this.stepCount ? Math.min(1, frame[BoneFrame.firstShare] + step * frame[BoneFrame.stepShare]) : 1;
    }

    /** Has everything be from the frame's begin on where it is at its end. */
    skipMotion(): void {
        this.previousPoses.set(this.poses);
        this.previousRoots.set(this.roots);
        this.previousColliders.set(this.colliders);
    }

    /** Carries the tails of the chains of a root along with it, through its motion in this frame. @param motion rigid map, as {@link BoneMap} */
    carryJoint(joint: number, motion: Float64Array): void {
        const { states } = this;
        const o = joint * JointState.count;
        for (let k = 0; k < JointState.count; k += 3) {
            const x = states[o + k];
            const y = states[o + k + 1];
            const z = states[o + k + 2];
            for (let c = 0; c < 3; c++) {
                states[o + k + c] = x * motion[c] + y * motion[3 + c] + z * motion[6 + c];
                if (k === JointState.tail) states[o + k + c] += motion[BoneMap.translation + c];
            }
        }
    }

    /** Places all tails in the pose, at rest, out of the colliders; in the exact mode, wherever those are. */
    settle(): void {
        const { rates, states, frames, jointCount, colliders } = this;
        const places = this.isExact ? colliders.slice() : colliders;
        if (this.isExact) colliders.fill(0);
        for (let j = 0; j < jointCount; j++) {
            rates[j * JointRate.count + JointRate.lateKeep] = rates[j * JointRate.count + JointRate.latePush] = 0;
            rates[j * JointRate.count + JointRate.latePull] = PLACING_PULL;
        }
        states.fill(0);
        this.skipMotion();
        this.stepCount = 0;
        this.writeFrame(0);
        this._kernels.stepBoneChains(this);
        colliders.set(places);
        this.previousColliders.set(places);
        for (let j = 0; j < jointCount; j++) {
            for (let c = 0; c < 3; c++) states[j * JointState.count + c] = frames[j * JointFrame.count + JointFrame.tail + c];
        }
        this._late = 0;
        this._ratedLate = NaN;
        this._writeRates();
    }

    /** Share of a displacement that is kept, and displacement per acceleration, of all joints. */
    private _writeRates(): void {
        const { rates, isExact, _late: late, _physics: physics } = this;
        const isWhole = Number.isNaN(this._ratedLate);
        this._ratedLate = late;
        const step = isExact ? late : BONE_STEP;
        let rated = NaN;
        let [keep, push, lateKeep, latePush] = [0, 0, 0, 0];
        for (let j = 0, o = 0; j < physics.length; j++, o += JointRate.count) {
            const { stiffness, damping, radius, limitAngle, length } = physics[j];
            if (damping !== rated) {
                rated = damping;
                if (isExact) {
                    keep = Math.exp(-damping / SPRING_BONE_RATE);
                    push = step / SPRING_BONE_RATE;
                } else {
                    push = pushOf(damping, step);
                    latePush = pushOf(damping, late);
                    const share = damping > 0 ? Math.expm1(-damping * late) / Math.expm1(-damping * step) : late / step;
                    keep = Math.exp(-damping * step);
                    lateKeep = late > 0 ? share * keep : 0;
                }
            }
            const square = stiffness * stiffness * (isExact ? length : 1);
            rates[o + JointRate.lateKeep] = lateKeep;
            rates[o + JointRate.latePush] = latePush;
            rates[o + JointRate.latePull] = square * latePush;
            if (!isWhole && !isExact) continue;
            rates[o + JointRate.keep] = keep;
            rates[o + JointRate.push] = push;
            rates[o + JointRate.pull] = square * push;
            rates[o + JointRate.radius] = radius;
            rates[o + JointRate.limitCosine] = isExact || limitAngle >= Math.PI ? -1 : Math.cos(limitAngle);
        }
    }
}

/**
 * Displacement by an acceleration in so long a step [s²], such that the steady speed is that of VRMC_springBone's numbers at 60 Hz at any
 * step: t τ (1 - e^(-c t)) / (1 - e^(-c τ)), τ = 1/60 s.
 */
function pushOf(damping: number, seconds: number): number {
    const unit = 1 / SPRING_BONE_RATE;
    return damping > 0 ? unit * seconds * (Math.expm1(-damping * seconds) / Math.expm1(-damping * unit)) : seconds * seconds;
}

/** Moves rigs through their frames, in one call. All have begun it. */
export function stepBoneRigs(kernels: Kernels, rigs: readonly BoneRig[]): void {
    if (rigs.length === 0) return;
    for (let i = 0; i < rigs.length; i++) {
        rigs[i].writeFrame(i + 1 < rigs.length ? rigs[i + 1].descriptor.byteOffset : 0);
    }
    kernels.stepBoneChains(rigs[0]);
}
