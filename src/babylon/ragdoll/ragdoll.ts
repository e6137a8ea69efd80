import type { Skeleton } from "@babylonjs/core/Bones/skeleton";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { identity, invert, isFiniteAffine, multiply, newScheduleEntry, reject, share } from "../../engine/index";
import type { Affine } from "../../engine/index";
import { worldMatrixOf } from "../support/carriers";
import { readRotation } from "../support/nodePose";
import { SceneLoop } from "../scene/sceneLoop";
import type { FrameListener } from "../scene/sceneLoop";
import { checkSkinned } from "../colliders/skeleton/fitBones";
import { BonePose, BonePoses } from "./bonePoses";
import type { Limb } from "./limb";
import { joinLimbs, makeLimbs, stepLimbs } from "./limbs";
import { OWNER, readLimits } from "./ragdollOptions";
import type { RagdollLimb, RagdollLimit, RagdollOptions } from "./ragdollOptions";

/** Within a call. */
const [toMesh, toParent, local] = [identity(), identity(), identity()];
const [now, then] = [identity(), identity()];
const pose = new Float64Array(BonePose.count);
const quaternion = new Float64Array(4);

/**
 * A ragdoll of a skinned mesh: a hidden rigid body for each bone, fitted to the skin that the bone moves, and joined at the bones' heads. The bodies' motion is written
 * to the bones, or to their linked transform nodes (glTF).
 *
 *     const ragdoll = Ragdoll.fromSkeleton(hero, { blend: 0, colliders: [ground, ...stairs] });
 *     ragdoll.blend = 1; // Falls from the animation's pose, with its velocity.
 *
 * Bodies that are joined, or overlap in the bind pose, do not collide. Small bones (fingers, toes) keep their animation. Bodies are stepped before cloths: a cape on
 * colliders of the same skeleton follows.
 */
export class Ragdoll {
    /** The bones that have bodies, parents first. */
    readonly limbs: readonly RagdollLimb[];
    private readonly _limbs: readonly Limb[];
    private readonly _skeleton: Skeleton;
    private readonly _poses: BonePoses;
    private readonly _limitOf: (bone: string) => RagdollLimit;
    private readonly _loop: SceneLoop;
    private readonly _listeners: readonly [FrameListener, FrameListener];
    /** Limb of each bone. */
    private readonly _limbOf: readonly (Limb | undefined)[];
    /** Bone matrices in the mesh's space: scratch. */
    private readonly _bones: readonly Affine[];
    private readonly _previousBones: readonly Affine[];
    /** World matrix of the mesh: current, of the last frame, and of {@link BonePoses.previous}. */
    private readonly _world = identity();
    private readonly _lastWorld = identity();
    private readonly _previousPoseWorld = identity();
    private _blend: number;
    private _isRunning = false;
    private _areJoined = false;
    private _isStepping = false;
    /** Frames since poses last changed, and the duration of that change [s]. */
    private _age = Infinity;
    private _seconds = 0;
    /** True if bones must be written. */
    private _isStale = true;

    /**
     * Creates bodies for a mesh's bones in the bind pose; then moves them to the animation's pose.
     * @throws RangeError on a mesh without skeleton or weights, without bones of sufficient size, or with non-uniform scale; on an unknown option or a value out of range
     */
    static fromSkeleton(mesh: AbstractMesh, options: RagdollOptions = {}): Ragdoll {
        return new Ragdoll(mesh, options);
    }

    private constructor(
        /** The skinned mesh. */
        readonly mesh: AbstractMesh,
        options: RagdollOptions,
    ) {
        checkSkinned(OWNER, mesh);
        this._blend = share(OWNER, "blend", options?.blend ?? 1);
        this._limitOf = readLimits(options);
        this._skeleton = mesh.skeleton!;
        this._poses = new BonePoses(mesh);
        const { bones } = this._poses;
        this._bones = bones.map(identity);
        this._previousBones = bones.map(identity);
        this._world.set(worldMatrixOf(mesh));
        bones.forEach((_, i) => this._poses.composeBone(i, this._poses.current, this._bones));
        this._loop = SceneLoop.of(mesh.getScene());
        // The first listener reads the animation before the bodies are stepped, the second writes bones afterwards.
        const idle = { turn: newScheduleEntry(), runsFirst: true, beginFrame: () => null, skipFrame() {}, onDraw() {} };
        this._listeners = [
            { ...idle, beginFrame: () => this._beginFrame(this._loop.seconds) },
            { ...idle, onDraw: () => this._writeBones() },
        ];
        this._loop.add(this._listeners[0]);
        try {
            this.limbs = this._limbs = makeLimbs(mesh, this._poses, this._bones, this._world, options);
        } catch (error) {
            this._loop.remove(this._listeners[0]);
            throw error;
        }
        this._loop.add(this._listeners[1]);
        this._limbOf = bones.map((_, i) => this._limbs.find(({ boneNumber }) => boneNumber === i));
        mesh.onDisposeObservable.add(this._disposeObservers);
    }

    /**
     * Blend of animation (0) and ragdoll (1): bone positions and rotations are interpolated. It may be changed at any time. When it leaves 0, bodies start in the animation's
     * pose with its velocity; at 0 they are disabled and cost nothing.
     */
    get blend(): number {
        return this._blend;
    }
    set blend(value: number) {
        this._isStale ||= value !== this._blend;
        this._blend = share(OWNER, "blend", value);
        if (value > 0 === this._isRunning) return;
        this._readAnimation(0);
        this._startOrStop();
    }

    /** True (default) to step with the scene's frames; false: only by {@link step}. */
    get autoStep(): boolean {
        return this.limbs[0].body.autoStep;
    }
    set autoStep(value: boolean) {
        for (const { body } of this.limbs) body.autoStep = value;
    }

    /** True if all bodies sleep. */
    get isAsleep(): boolean {
        const { _limbs: limbs } = this;
        for (let i = 0; i < limbs.length; i++) if (!limbs[i].runningBody?.isAsleep) return false;
        return this._isRunning;
    }

    /** Steps manually; requires `autoStep: false`. @param seconds time to add [s], negative or NaN counts as 0 @throws RangeError when it is no number */
    step(seconds: number): void {
        if (typeof seconds !== "number") reject(OWNER, "step(seconds)", "a number", seconds);
        this._isStepping = true;
        this._beginFrame(seconds);
        if (this._isRunning) stepLimbs(this._loop, this._limbs, seconds);
        this._writeBones();
        this._isStepping = false;
    }

    /** Resets the bodies to the animation's pose, at rest. */
    reset(): void {
        this._poses.read();
        if (this._isRunning) this._stop();
        this._age = Infinity;
        this._seconds = 0;
    }

    /** Resolves when all modules of its bodies are loaded; see {@link BodyBehavior.whenReady}. */
    async whenReady(): Promise<void> {
        await Promise.all(this.limbs.map(({ body }) => body.whenReady()));
    }

    /** Ends it; bones stay as they are. Called when the mesh is disposed. Idempotent. */
    dispose(): void {
        for (const listener of this._listeners) this._loop.remove(listener);
        this.mesh.onDisposeObservable.removeCallback(this._disposeObservers);
        for (const { mesh } of this.limbs) mesh.dispose();
    }

    private readonly _disposeObservers = (): void => this.dispose();

    /** Reads the animation, and starts or stops the bodies. */
    private _beginFrame(seconds: number): null {
        if (this.mesh.skeleton !== this._skeleton) this.dispose();
        else if (this._isStepping || this.autoStep) {
            this._readAnimation(seconds);
            this._startOrStop();
        }
        return null;
    }

    /** Starts or stops the bodies as {@link blend} requires. */
    private _startOrStop(): void {
        if (this._blend > 0 === this._isRunning) return;
        if (this._isRunning) this._stop();
        else this._start();
    }

    private _readAnimation(seconds: number): void {
        const { _poses: poses, _world: world, _lastWorld: last } = this;
        last.set(world);
        world.set(worldMatrixOf(this.mesh));
        let isChanged = poses.read();
        for (let i = 0; i < 16; i++) isChanged ||= world[i] !== last[i];
        this._isStale ||= isChanged;
        if (!(seconds > 0)) return;
        // The change from the bind pose is no motion.
        this._age = this._seconds > 0 ? this._age + 1 : Infinity;
        if (isChanged || !(this._seconds > 0)) {
            this._age = this._seconds > 0 ? 0 : Infinity;
            poses.storePrevious();
            this._previousPoseWorld.set(last);
            this._seconds = seconds;
        }
    }

    /** Starts the bodies in the animation's pose with its velocity. */
    private _start(): void {
        const { _limbs: limbs, _poses: poses, _bones: bones, _previousBones: before } = this;
        if (!limbs.every(({ runningBody }) => runningBody)) return;
        if (!this._areJoined) joinLimbs(limbs, poses.parents, this._limitOf);
        this._areJoined = true;
        for (let i = 0; i < bones.length; i++) {
            poses.composeBone(i, poses.current, bones);
            poses.composeBone(i, poses.previous, before);
        }
        if (!limbs.every(({ boneNumber }) => isFiniteAffine(bones[boneNumber])) || !isFiniteAffine(this._world)) return;
        // An animation that was stopped in this frame still moved in the last one.
        const seconds = this._age <= 1 ? this._seconds : 0;
        for (const limb of limbs) {
            multiply(bones[limb.boneNumber], this._world, now);
            multiply(before[limb.boneNumber], this._previousPoseWorld, then);
            limb.start(now, then, seconds);
        }
        this._isRunning = this._isStale = true;
    }

    private _stop(): void {
        for (const limb of this._limbs) {
            limb.stop();
            this._poses.write(limb.boneNumber, pose, 0);
        }
        this._isRunning = false;
    }

    /** Writes the blend of bodies and animation to the bones. */
    private _writeBones(): void {
        if (!this._isRunning || (!this._isStale && this.isAsleep)) return;
        const { _poses: poses, _bones: bones } = this;
        if (!invert(this._world, toMesh)) return;
        this._isStale = false;
        for (let i = 0; i < bones.length; i++) {
            const limb = this._limbOf[i];
            if (limb) {
                limb.readBoneWorld(now);
                multiply(now, toMesh, bones[i]);
                this._writeBone(i);
            } else poses.composeBone(i, poses.current, bones);
        }
    }

    private _writeBone(i: number): void {
        const { _poses: poses, _bones: bones } = this;
        const parent = poses.parents[i];
        if (!invert(parent < 0 ? poses.rootMatrix() : bones[parent], toParent)) return;
        multiply(bones[i], toParent, local);
        if (!isFiniteAffine(local)) return;
        const o = i * BonePose.count + BonePose.scaling;
        readRotation(local, poses.current[o], poses.current[o + 1], quaternion);
        for (let c = 0; c < 3; c++) pose[BonePose.position + c] = local[12 + c];
        for (let c = 0; c < 4; c++) pose[BonePose.rotation + c] = quaternion[c];
        poses.write(i, pose, this._blend);
    }
}
