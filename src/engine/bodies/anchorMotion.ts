import { JumpDetector } from "../collision/shapes/jumpDetector";
import type { MotionLimit } from "../collision/shapes/jumpDetector";
import {
    identity,
    invert,
    isFiniteAffine,
    isIdentity,
    multiply,
    relativeToOrigin,
    setIdentity,
    transformPoint,
} from "../math/affine";
import type { Affine } from "../math/affine";
import { RigidPath, shareBeyond } from "../math/rigidMotion";
import { SUDDEN_SPEED_SHARE } from "../tunables";

/** Inertia of a body, see {@link InertiaOptions}. */
export interface InertiaSettings {
    linear: number;
    angular: number;
    air: number;
    maxSpeed: number;
    maxAngularSpeed: number;
}

/** Limits of motion in a frame; a fifth of the speed limit [m/s] within a frame is sudden. */
export interface SuddennessLimit extends MotionLimit {
    readonly speedLimit: number;
}

/** Settings of the body that count for a frame of its anchor. */
export interface FrameSettings {
    readonly sleepSpeed: number;
    readonly fixedTimeStep: number;
    readonly maxStepsPerFrame: number;
}

/** Rounding of coordinates in a 32-bit matrix, as a share of them. */
const MATRIX_ROUNDING = 2 ** -22;

/** Within a call: maps of the world, and two points [m]. */
const [back, product, current] = [identity(), identity(), identity()];
const [place, end] = [new Float64Array(3), new Float64Array(3)];

/** Motion of an anchor from frame to frame and from step to step. Maps are of the world, rigid; from which pose to which, their comments say. */
export class AnchorMotion {
    /** True if the anchor moves in this frame or moved in the last step. */
    isMoving = false;
    /** Motion that is left of this frame: its start → its end. */
    readonly frame = identity();
    /** End of the last step → start of this frame; within a frame's steps, negative in time. */
    readonly sinceStep = identity();
    /** Displacement relative to the anchor that counts as none in this frame [m]: sleep and the rounding of 32-bit matrices. */
    tolerance = 0;
    /** The last step: its start → its end. */
    readonly lastStep = identity();
    protected readonly _stepPath = new RigidPath();
    /** Steps in which nothing is felt, since the anchor got its speed all at once: the body has it, too. */
    protected _unfeltSteps = 0;
    /** World matrix of the anchor now. */
    private readonly _world = identity();
    private readonly _framePath = new RigidPath();
    /** Velocity and angular velocity of the anchor in the last frame [m/s], [rad/s], its length [s], and what is felt of their change, times that [m]. */
    private readonly _velocities = new Float64Array(6);
    private _lastSeconds = 0;
    private _feltChange = 0;
    private readonly _detector = new JumpDetector();

    /** @param world matrix of the anchor when the body was attached, row vectors */
    constructor(
        /** May be replaced by others with the same anchor. */
        public settings: InertiaSettings,
        world: ArrayLike<number>,
    ) {
        this._world.set(world);
    }

    /**
     * Begins a frame.
     * @param world matrix of the anchor, row vectors; one that is not finite and invertible stays where it was
     * @returns true if the anchor jumps
     */
    beginFrame(world: ArrayLike<number>, limit: SuddennessLimit, settings: FrameSettings): boolean {
        const { frame, _framePath: path, sinceStep: since, _detector: detector, _world: before } = this;
        multiply(since, frame, product);
        since.set(product);
        setIdentity(frame);
        for (let c = 0; c < 3; c++) place[c] = before[12 + c];
        if (isFiniteAffine(world)) {
            current.set(world);
            if (invert(before, back)) multiply(back, current, frame);
            before.set(world);
        }
        path.set(frame, place);
        path.write(1, frame);
        const { elapsed } = limit;
        for (let c = 0; c < 3; c++) detector.way[c] = path.to[c] - path.from[c];
        const isJump = detector.isJump(limit);
        // Those that the frame has a part in, one more than it is long, and one after it: a dash ends there.
        if (detector.isSudden(SUDDEN_SPEED_SHARE * limit.speedLimit))
            this._unfeltSteps = 2 + Math.min(settings.maxStepsPerFrame, Math.ceil(elapsed / settings.fixedTimeStep));
        this._measureChange(elapsed);
        const reach = Math.abs(before[12]) + Math.abs(before[13]) + Math.abs(before[14]);
        this.tolerance = settings.sleepSpeed * elapsed + MATRIX_ROUNDING * reach;
        this.isMoving = !isIdentity(frame) || !isIdentity(since) || !isIdentity(this.lastStep);
        return isJump;
    }

    private _measureChange(seconds: number): void {
        const { _framePath: path, _velocities: velocities, settings } = this;
        this._feltChange = 0;
        for (let c = 0; c < 3; c++) {
            const v = (path.to[c] - path.from[c]) / seconds;
            const w = path.rotation[c] / seconds;
            this._feltChange += settings.linear * Math.abs(v - velocities[c]) + settings.angular * Math.abs(w - velocities[3 + c]);
            velocities[c] = v;
            velocities[3 + c] = w;
        }
        this._feltChange *= Math.min(seconds, this._lastSeconds);
        this._lastSeconds = seconds;
    }

    /** Share of this frame's motion that exceeds the maxima, 0..1. @param seconds length of the frame */
    excessShare(seconds: number): number {
        const {
            _framePath: { from, to, rotation },
            settings,
        } = this;
        const distance = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
        const angle = Math.hypot(rotation[0], rotation[1], rotation[2]);
        return Math.max(shareBeyond(distance, settings.maxSpeed * seconds), shareBeyond(angle, settings.maxAngularSpeed * seconds));
    }

    /** A first part of this frame's motion, as a rigid map of the world. */
    readShare(share: number): Affine {
        const part = identity();
        this._framePath.write(share, part);
        return part;
    }

    /** A first share of this frame's motion has passed: what is left of the frame begins there, where the body has come along. */
    protected _dropShare(share: number): void {
        const { frame, _framePath: path, sinceStep: since } = this;
        const carried = this.readShare(share);
        if (!invert(carried, back)) return;
        multiply(back, frame, product);
        frame.set(product);
        transformPoint(carried, path.from, 0, place, 0);
        path.set(frame, place);
        this._turnStep(carried);
        multiply(back, since, product);
        multiply(product, carried, since);
    }

    /** Has the last step begin where a motion of the anchor has brought it. */
    private _turnStep(carried: Affine): void {
        if (!invert(carried, back)) return;
        multiply(back, this.lastStep, product);
        multiply(product, carried, this.lastStep);
    }

    /** A teleport of the body or of its anchor: in this frame the anchor does not move; its velocity goes on with the next. */
    teleport(): void {
        this._unfeltSteps = 0;
        this._turnStep(this.frame);
        setIdentity(this.frame);
        setIdentity(this.sinceStep);
        this._framePath.set(this.frame, this._framePath.to);
    }

    /** Goes on to a fraction of this frame's motion. */
    protected _advance(fraction: number): void {
        const { sinceStep: since, lastStep: step, _framePath: path, _stepPath: stepPath } = this;
        path.write(fraction, product);
        multiply(since, product, step);
        if (!invert(product, since)) setIdentity(since);
        // The place where the step begins: where it ends, before.
        for (let c = 0; c < 3; c++) end[c] = path.from[c] + (path.to[c] - path.from[c]) * fraction;
        if (invert(step, product)) transformPoint(product, end, 0, place, 0);
        stepPath.set(step, place);
    }

    /** True if nothing is felt in this frame but what was in the last, to the tolerance. */
    get isSteady(): boolean {
        return this._feltChange <= this.tolerance;
    }

    /**
     * Writes the anchor's motion since the drawn state, as a map of simulation space.
     * @param motion `alpha` says where between the start (0) and the end (1) of the last step that state is; `map` is written
     */
    readRenderMotion(motion: { readonly alpha: number; readonly map: Affine }, origin: ArrayLike<number>): void {
        this._stepPath.write(motion.alpha, current);
        if (!invert(current, back)) setIdentity(back);
        multiply(back, this.lastStep, current);
        multiply(current, this.sinceStep, product);
        multiply(product, this.frame, current);
        relativeToOrigin(current, origin, motion.map);
    }

    /** Follows a move of the world's origin [m], x y z. */
    shiftOrigin(by: readonly number[]): void {
        for (const map of [this.frame, this.sinceStep, this.lastStep])
            for (let c = 0; c < 3; c++) map[12 + c] += by[c] - by[0] * map[c] - by[1] * map[4 + c] - by[2] * map[8 + c];
        for (let c = 0; c < 3; c++) {
            this._world[12 + c] += by[c];
            for (const { from, to } of [this._framePath, this._stepPath]) {
                from[c] += by[c];
                to[c] += by[c];
            }
        }
    }

    /** Forgets what the anchor has done. */
    reset(): void {
        for (const map of [this.frame, this.sinceStep, this.lastStep]) setIdentity(map);
        this._feltChange = 0;
        this._velocities.fill(0);
    }
}
