/*
 * One class, of which half is what its public methods promise, so a few lines more than 400: what stands alone (trajectory, pace, bounds, displacement)
 * is beside it.
 */
import { BOUNDS_MARGIN, DEEP_DEPTH, MAX_CARRIED_MOTION } from "../../tunables";
import type { Arena, BlockLayout } from "../../../kernels/arena";
import { Contact, STATIC_PRIORITY } from "../../../kernels/contactLayout";
import type { ContactArrays } from "../../../kernels/contactLayout";
import type { ParticleArrays } from "../../../kernels/layout";
import type { Kernels } from "../../../kernels/kernelTable";
import { identity, invert, multiply, writeDisplacement } from "../../math/affine";
import type { Affine } from "../../math/affine";
import { partOfMotion } from "../../math/rigidMotion";
import { ArenaArrays } from "../../memory/arenaArrays";
import type { Clock, StepSettings } from "../../time/clock";
import type { Fabric } from "../../materials/fabric";
import { areEqual } from "../../math/vector";
import { JumpDetector } from "./jumpDetector";
import type { MotionLimit } from "./jumpDetector";
import { mayComeWithin } from "../broadphase/bounds";
import type { Bounds } from "../broadphase/bounds";
import type { DynamicBodyProxy } from "./dynamicBodyProxy";
import type { StartDepths } from "./startDepths";
import { defaultColliderSettings } from "../../state/colliderSettings";
import type { ColliderSettings } from "../../state/colliderSettings";
import type { RenderMotion } from "../../state/renderState";
import { Trajectory, measureDisplacement } from "./trajectory";

const WHOLE_FRAME = { fraction: 1 };
/** Within a call. */
const [drawn, simulated, followed] = [identity(), identity(), identity()];
/** Within a call: how far a collider can reach along each axis, and how far it moves [m]. A function's result would be boxed. */
const [reaches, moved] = [new Float64Array(3), new Float64Array(1)];
type PoseSource = Readonly<{ pose: Affine; revision: number }>;
/** Shape that rope segments test directly. */
export type SegmentShape = "hull" | "cylinder" | "mesh";
let lastId = 0;
/**
 * A collider as one body meets it: a shape that its particles stay outside of. It is the image of a unit shape under an affine *pose* (unit frame → simulation
 * space), given once a frame; within the frame it moves in a straight line from the last pose to the new one.
 * One file per shape; shapes/registry.ts lists them. Longer than files are here: it is what all shapes share, and in two it would cost apps more.
 */
export abstract class Collider extends ArenaArrays {
    settings: ColliderSettings = defaultColliderSettings();
    /** True once {@link setPose} has set a pose; until then the collider meets nothing. */
    hasPose = false;
    /** True if the cloth may touch it in the present substep. */
    isNear = false;
    /** Body that receives the contact impulses; null: they are not measured. */
    dynamicBody: DynamicBodyProxy | null = null;
    /** Kernel data: Contact's slots, then the shape's. */
    data!: Float32Array;
    /** Another of its shape, which stands for it in the drawn state (see response/renderContacts.ts); released with it. */
    renderCopy: Collider | null = null;
    /** Depths of particles that the body began with inside it; null: none. */
    startDepths: StartDepths | null = null;
    /** True until the first response of the first step with a pose: its overlaps are initial, see startDepths.ts. */
    isStarting = false;
    private _hasBegun = false;
    /** Box of all places from and to which it can push particles, simulation space [m], as {@link Bounds}; null: not known. */
    readonly box: Bounds | null = null;

    /** Data whose slots tell what triangles keep off (see SolidData), of shapes that may have a core; null: particles alone keep off. */
    get core(): Float32Array | null {
        return null;
    }

    /** Shape for rope segments; null: segments use the core, as triangles do. */
    get segmentShape(): SegmentShape | null {
        return null;
    }

    /** Range of the body's face candidates near it in the present step; -1: not collected yet. */
    firstCandidate = -1;
    lastCandidate = 0;

    /** True if the shape is concave: a contact's plane may cut another part of it. */
    readonly isConcave: boolean = false;
    /** Displacement in the present substep [m] if it exceeds DEEP_DEPTH, so that it may tunnel; else 0. */
    fastMotion = 0;
    /** Shapes that come after all others in a substep, and so hold against what these push into them. */
    readonly isOneSided: boolean = false;

    /** Number among all; later ones have higher. */
    readonly id = ++lastId;
    protected readonly _trajectory = new Trajectory();
    protected readonly _pose = this._trajectory.pose;
    protected readonly _to = this._trajectory.to;
    /** True if it is at rest and the pose is unchanged. */
    private _isStill = false;
    /** Steps since it last moved; STATIC_PRIORITY and more: it never has. */
    protected _stepsAtRest = STATIC_PRIORITY;
    /** Revision of what it follows that its pose is of. */
    private _revision = 0;
    private readonly _jumpDetector = new JumpDetector();
    /** Largest displacement of its material within its frame since the last frame [m]. */
    protected _innerMotion = 0;
    /** True if it keeps per-particle memory. */
    protected _hasMemory = false;
    /** Number of times the per-particle memory was cleared; other holders of such memory clear theirs when it changes. */
    forgetCount = 0;

    /** @param _memorySlot first of the slots in which it remembers something of each particle, from substep to substep; left out: of none */
    constructor(
        arena: Arena,
        private readonly _slotCount: number,
        private readonly _memorySlot = _slotCount,
    ) {
        super();
        this._allocate(arena);
        this.data[Contact.id] = this.id;
    }

    protected override _cut(layout: BlockLayout): void {
        this.data = layout.float32(this._slotCount);
    }

    override release(): void {
        super.release();
        this.renderCopy?.release();
        this.renderCopy = null;
    }

    /** Tells the pose of a new frame. */
    setPose(pose: ArrayLike<number>): void {
        const isFirst = !this.hasPose;
        this.hasPose = true;
        if (this._trajectory.setTarget(pose) || isFirst) this._updateShape(this._to);
    }

    /** Derives what follows from the turn and stretch of the pose of the frame's end alone, which is told where those are new. */
    protected _updateShape(_target: Affine): void {}

    /** A new frame that tells no pose: it stays where the last one left it, at rest. */
    holdPose(): void {
        this._trajectory.holdTarget();
    }

    /**
     * Takes the pose of a new frame from what it follows (see worldCollider.ts); {@link rebase} keeps it in step with the origin.
     * @param origin world position of simulation space's origin [m]
     * @param motion what counts as motion; what suddenly comes farther stands there without any
     */
    updatePose({ pose, revision }: PoseSource, origin: Float64Array, motion: MotionLimit): void {
        if (revision === this._revision) {
            if (this._isStill) return this._jumpDetector.rest(motion);
            this.holdPose();
            this._isStill = !this._trajectory.isMoving;
        } else {
            this._isStill = false;
            this._revision = revision;
            followed.set(pose);
            for (let c = 0; c < 3; c++) followed[12 + c] -= origin[c];
            this.setPose(followed);
            this._onPoseChanged();
        }
        if (!this.detectsJumps) return;
        const { _jumpDetector: detector } = this;
        const { from, to } = this._trajectory;
        for (let c = 0; c < 3; c++) detector.way[c] = to[12 + c] - from[12 + c];
        detector.way[3] = this._innerMotion;
        if (detector.isJump(motion)) this.teleport();
    }

    /** Called where it has a new pose of what it follows: of poses that show the same solid, the body may take another one. */
    protected _onPoseChanged(): void {}

    /** True if it has a centre that can jump. */
    protected get detectsJumps(): boolean {
        return true;
    }

    /** Forgets where the collider has been: in the next step it stands at its latest pose, without motion. */
    teleport(): void {
        this._trajectory.hasStart = this._isStill = false;
        this.forgetParticles();
    }

    /** It meets nothing until it is given a pose again, where it then stands. */
    leave(): void {
        this.teleport();
        this.hasPose = false;
        this._revision = -1;
        this.dynamicBody = null;
        this.startDepths = null;
    }

    /** Restarts the motion after a jump of the body. */
    teleportWithBody(): void {
        this.teleport();
    }

    /**
     * Passes over the first part of this frame's motion, whose time is dropped.
     * @param carried motion of the body meanwhile, an affine map of simulation space
     * @param share of the frame that is dropped, 0..1
     */
    dropMotion(carried: Affine, share: number): void {
        const { _trajectory: trajectory } = this;
        // A physics engine's bodies have a share of the frame of their own, see Clock.engineShare.
        if (!this.hasPose || !trajectory.hasStart || this.dynamicBody) return;
        const { from, to } = trajectory;
        const motion = identity();
        if (areEqual(from, to) || !invert(from, motion)) return;
        multiply(Float64Array.from(motion), to, motion);
        const start = identity();
        multiply(from, partOfMotion(motion, from.subarray(12, 15), share), start);
        multiply(from, carried, drawn);
        measureDisplacement(drawn, start, moved);
        this._isStill = false;
        // A little way against the cloth is swept in the steps that are left: a jump would put it inside.
        if (moved[0] <= MAX_CARRIED_MOTION) return trajectory.startFrom(drawn);
        // A particle on one side of it need not be there now.
        this.forgetParticles();
        trajectory.startFrom(start);
    }

    /** True if it has come along in this frame with what carries the body, or is new. @param carried motion of that, an affine map of simulation space */
    isCarriedBy(carried: Affine): boolean {
        const { from, to, hasStart } = this._trajectory;
        if (!this.hasPose || !hasStart) return this.hasPose;
        multiply(from, carried, drawn);
        measureDisplacement(drawn, to, moved);
        return moved[0] <= MAX_CARRIED_MOTION;
    }

    /** Upper bound of its motion in this frame [m]. */
    get displacement(): number {
        const { from, to } = this._trajectory;
        if (!this.hasPose || !this._trajectory.hasStart) return 0;
        measureDisplacement(from, to, moved);
        return moved[0];
    }

    /** Begins anew with its body: stands where it is, and goes on from there with the next frame; what it is moved by is forgotten, too. */
    reset(): void {
        this.teleport();
        if (this.hasPose) this._placeAtPose();
        this._stepsAtRest = STATIC_PRIORITY;
        this.startDepths = null;
        this._hasBegun = false;
        this.dynamicBody?.reset();
    }

    /** True if its motion in this frame is that of an anchor, to a tolerance [m]. @param motion map of simulation space */
    goesWith(motion: Affine, tolerance: number): boolean {
        const { from, to, hasStart } = this._trajectory;
        if (!this.hasPose || !hasStart || this.dynamicBody || this._innerMotion > tolerance) return false;
        multiply(from, motion, drawn);
        measureDisplacement(drawn, to, moved);
        return moved[0] <= tolerance;
    }

    /** True if its motion in this frame can disturb a body at rest. @param bounds the body's box; `isCarried`: what it sweeps, carried along */
    mayDisturb(bounds: Bounds, fabric: Fabric, isCarried = false): boolean {
        const { data, dynamicBody } = this;
        const { friction, margin } = this.settings;
        // What takes impulses is held by them, and goes back from where they have taken it.
        if (dynamicBody && (data[Contact.contactMass] > 0 || dynamicBody.isDrifting)) return true;
        if (data[Contact.thickness] !== Math.fround(fabric.thickness + margin)) return this.hasPose;
        if (data[Contact.friction] !== Math.fround(friction ?? fabric.friction)) return this.hasPose;
        return (isCarried || this._trajectory.isMoving) && this.mayComeWithin(bounds, Math.max(0, fabric.thickness + margin));
    }

    /** True if it does not move in the present step and has not moved since the last one. */
    get isAtRest(): boolean {
        return !this._trajectory.isMoving;
    }

    /** True if it, or its skin, moves in the present substep. */
    get isMoving(): boolean {
        return this._stepsAtRest === 0;
    }

    /** True if it can touch a box in the present step; conservative. */
    mayEnter(bounds: Bounds, substepCount: number, fabric: Fabric): boolean {
        if (!this.hasPose) return false;
        if (this._trajectory.isMoving) return this._maySweep(bounds, fabric);
        this.moveTo(1, substepCount, fabric);
        return this.mayTouch(bounds);
    }

    /** True if it can touch a box in the present step, in which it moves; conservative. */
    protected _maySweep(bounds: Bounds, fabric: Fabric): boolean {
        // Boxes of what is fast hold the thickness twice.
        const thickness = Math.max(0, fabric.thickness + this.settings.margin);
        const { stepFrom, stepTo } = this._trajectory;
        this._measureReach(stepFrom, stepTo);
        return mayComeWithin(stepFrom, stepTo, reaches, BOUNDS_MARGIN + 2 * thickness, bounds);
    }

    /** Writes the box that it stays in during the present step, with as much about it as its first number says [m]. */
    measureStep(box: Bounds): void {
        const { stepFrom: from, stepTo: to } = this._trajectory;
        const distance = box[0];
        const bounds = this.isAtRest ? this.box : null;
        if (!bounds) this._measureReach(from, to);
        for (let c = 0; c < 3; c++) {
            const reach = distance + reaches[c];
            box[c] = bounds ? bounds[c] - distance : Math.min(from[12 + c], to[12 + c]) - reach;
            box[4 + c] = bounds ? bounds[4 + c] + distance : Math.max(from[12 + c], to[12 + c]) + reach;
        }
    }

    /** True if it can come within `distance` [m] of a box in this frame; conservative. */
    protected mayComeWithin(bounds: Bounds, distance: number): boolean {
        const { from } = this._trajectory;
        this._measureReach(from, this._to);
        return mayComeWithin(from, this._to, reaches, distance, bounds);
    }

    /** Largest reach from the centres of two poses, and between them, with the size of the frame's end [m]. */
    private _measureReach(from: Affine, to: Affine): void {
        reaches.fill(0);
        this.expandReach(reaches, from);
        this.expandReach(reaches, to);
        this.expandReach(reaches, this._to);
    }

    /**
     * Widens a reach, x y z [m], to how far from the centre of a pose {@link mayTouch} can find it, there and between it and another: the
     * image of [-1, 1]³ does. What it finds counts, not what touches: bodies in its reach get further passes.
     */
    protected expandReach(reach: Float64Array, m: Affine): void {
        for (let c = 0; c < 3; c++) reach[c] = Math.max(reach[c], Math.abs(m[c]) + Math.abs(m[4 + c]) + Math.abs(m[8 + c]));
    }

    /** Lets the steps of a frame pass in which no one looks. */
    skipFrame(clock: Clock, settings: StepSettings): void {
        const { _trajectory: trajectory } = this;
        if (trajectory.hasStart && !trajectory.isMoving) return;
        for (let s = 1; s <= clock.steps; s++) {
            clock.beginStep(s, settings);
            this.beginStep(clock);
        }
        trajectory.pose.set(trajectory.stepTo);
    }

    /**
     * Measures the displacement of the collider from its drawn to its present pose.
     * @param motion of the whole drawn state
     * @param target its first slot: an upper bound of the displacement of a point of the unit shape [m]
     */
    measureRenderLag(motion: RenderMotion, target: Float64Array): void {
        target[0] = 0;
        if (!this.hasPose || (!this._trajectory.isMoving && !motion.isMoving)) return;
        this._updateRenderPose(motion);
        measureDisplacement(drawn, this._to, target);
    }

    /** Moves the ghost from the drawn to the present pose of the collider, in a step that takes the place of time. */
    placeRenderCopy(motion: RenderMotion): void {
        const { renderCopy: ghost } = this;
        if (!ghost || !this.hasPose) return;
        ghost.settings = this.settings;
        ghost.data[Contact.id] = this.data[Contact.id];
        this._updateRenderPose(motion);
        ghost.setPose(drawn);
        ghost.teleport();
        ghost.beginStep(WHOLE_FRAME);
        ghost.setPose(this._to);
        ghost.beginStep(WHOLE_FRAME);
        ghost._copyMemory(this);
        ghost.startDepths = this.startDepths;
    }

    /** Remembers what another of its shape does. */
    private _copyMemory({ data, _hasMemory }: Collider): void {
        this._hasMemory = _hasMemory;
        if (_hasMemory) for (let i = this._memorySlot; i < data.length; i++) this.data[i] = data[i];
    }

    private _updateRenderPose({ alpha, map, isMoving }: RenderMotion): void {
        if (!isMoving) return this._trajectory.interpolate(alpha, drawn);
        this._trajectory.interpolate(alpha, simulated);
        multiply(simulated, map, drawn);
    }

    /** True if this collider has priority over another: particles between the two are kept out of the one that has rested longer. */
    hasPriorityOver(other: Collider): boolean {
        if (this.isOneSided !== other.isOneSided) return other.isOneSided;
        if (this._stepsAtRest !== other._stepsAtRest) return this._stepsAtRest > other._stepsAtRest;
        return this.data[Contact.id] < other.data[Contact.id];
    }

    /** Begins a step that ends where the clock says within this frame's motion. */
    beginStep({ fraction }: Pick<Clock, "fraction">): void {
        this._stepsAtRest++;
        this.isStarting = this.hasPose && !this._hasBegun;
        this._hasBegun = this.hasPose;
        if (!this.hasPose) return;
        const { _trajectory: trajectory } = this;
        if (!trajectory.hasStart) this._placeAtPose();
        trajectory.beginStep(fraction);
    }

    private _placeAtPose(): void {
        this._trajectory.reset();
        this._writeShape(this._trajectory.pose);
    }

    /** Moves to where it is after `done` of `count` substeps and writes the kernel's data. */
    moveTo(done: number, count: number, fabric: Fabric): void {
        const { data, settings, dynamicBody, _trajectory: trajectory } = this;
        const { pose, before } = trajectory;
        const thickness = Math.fround(fabric.thickness + settings.margin);
        // Not `??`: a number that meets a null is boxed.
        if (settings.friction === null) data[Contact.friction] = fabric.friction;
        else data[Contact.friction] = settings.friction;
        data[Contact.restitution] = settings.restitution;
        data[Contact.dynamicMass] = dynamicBody ? dynamicBody.mass : 0;
        data[Contact.contactMass] = 0;
        data[Contact.priority] = this._stepsAtRest;
        dynamicBody?.advance(data);
        // Until a step has passed without motion: it also goes back.
        if (dynamicBody?.isDrifting) this._trajectory.isMoving = true;
        if (!this._trajectory.isMoving && data[Contact.thickness] === thickness) return;
        data[Contact.thickness] = thickness;
        trajectory.moveTo(done, count);
        dynamicBody?.applyDrift(pose);
        const isStill = areEqual(before, pose);
        if (!isStill) this._stepsAtRest = 0;
        measureDisplacement(before, pose, moved);
        this.fastMotion = moved[0] > Math.max(DEEP_DEPTH, thickness) ? moved[0] : 0;
        for (let c = 0; c < 3; c++) data[Contact.centre + c] = pose[12 + c];
        // What the product of a pose and its inverse leaves of a motion that is none had all that lies there carried along and measured.
        if (isStill) data.fill(0, Contact.motion, Contact.motion + 16);
        else writeDisplacement(before, pose, data, Contact.motion);
        this._writeShape(before);
        // At rest again once a whole step has passed without motion.
        if (done === count && isStill && areEqual(pose, this._to)) this._trajectory.isMoving = false;
    }

    /** Follows a move of the origin by (dx, dy, dz). */
    rebase(dx: number, dy: number, dz: number): void {
        this._trajectory.rebase(dx, dy, dz);
        this._isStill = false;
    }

    /** Writes the shape's own slots for the present pose; `before` is that of a substep ago. */
    protected abstract _writeShape(before: Affine): void;

    /** True if the cloth's box can touch the shape in this substep. */
    abstract mayTouch(bounds: Bounds): boolean;

    /** Called in a substep in which it is near, before anything is pushed. */
    prepareContacts(_kernels: Kernels, _particles: ParticleArrays): void {}

    /** Called in a substep in which it is not near: forgets the particles. */
    forgetParticles(): void {
        this.forgetCount++;
        if (this._hasMemory) this.data.fill(0, this._memorySlot);
        this._hasMemory = false;
    }

    /** Finds its contacts with the particles as they are. */
    abstract detect(kernels: Kernels, particles: ParticleArrays, contacts: ContactArrays): void;

    /** Detects contacts regardless of the particles' paths in this substep: a particle inside leaves by the nearest way. Meshes use the remembered side. */
    detectStatic(kernels: Kernels, particles: ParticleArrays, contacts: ContactArrays): void {
        this.detect(kernels, particles, contacts);
    }

    /** Moves where particles in contact were a substep ago along with what moves in its frame: before they are answered, share 1, and back, -1. */
    shiftParticles(_kernels: Kernels, _particles: ParticleArrays, _contacts: ContactArrays, _share: number): void {}

    /** Notes itself as what particles in contact with the shapes before it must not be pushed into, see SupportRecord. */
    recordSupport(_kernels: Kernels, _particles: ParticleArrays, _contacts: ContactArrays): void {}
}
