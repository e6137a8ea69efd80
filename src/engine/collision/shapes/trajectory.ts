import { identity, lerp } from "../../math/affine";
import type { Affine } from "../../math/affine";

/** Of poses of colliders: what no cloth without them loads. */

/** result = a + (b - a) done / count, entry by entry: integers are not boxed. */
export function lerpBySteps(a: Affine, b: Affine, done: number, count: number, result: Affine): void {
    const t = done / count;
    for (let i = 0; i < 16; i++) result[i] = a[i] + (b[i] - a[i]) * t;
}

/** Writes an upper bound of the displacements of the points of [-1, 1]³ from one pose to another to the first slot: returned, it would be boxed. */
export function measureDisplacement(from: Affine, to: Affine, target: Float64Array): void {
    let sum = 0;
    for (let r = 0; r < 16; r += 4) {
        const x = to[r] - from[r],
            y = to[r + 1] - from[r + 1],
            z = to[r + 2] - from[r + 2];
        sum += Math.sqrt(x * x + y * y + z * z);
    }
    target[0] = sum;
}

/**
 * The poses of what moves in a straight line from frame to frame, and in the steps and substeps between:
 *
 *     from ──┬──── stepFrom ─── before ─ pose ─── stepTo ──┬── to
 *          frame                   substep               frame
 */
export class Trajectory {
    /** Pose at the last frame, and now. */
    readonly from: Affine = identity();
    readonly to: Affine = identity();
    /** Pose at the start and at the end of the present step. */
    readonly stepFrom: Affine = identity();
    readonly stepTo: Affine = identity();
    /** Pose at the end of the present substep, and at its start. */
    readonly pose: Affine = identity();
    readonly before: Affine = identity();
    /** All that the next substeps follow from. */
    readonly poses: readonly Affine[] = [this.from, this.to, this.stepFrom, this.stepTo, this.pose];
    /** True if the present step has a start; until then it stands at its latest pose, without motion. */
    hasStart = false;
    /** True if it moves in this frame, or has moved since the last step. */
    isMoving = false;

    /** Takes the pose of a new frame. @returns whether its turn or stretch is new */
    setTarget(pose: ArrayLike<number>): boolean {
        const { to } = this;
        let isTurned = false;
        this.from.set(to);
        for (let i = 0; i < 16; i++) {
            if (to[i] === pose[i]) continue;
            to[i] = pose[i];
            this.isMoving = true;
            isTurned ||= i < 12;
        }
        return isTurned;
    }

    /** A new frame without a new pose. */
    holdTarget(): void {
        if (this.isMoving) this.from.set(this.to);
    }

    /** Stands at its latest pose. */
    reset(): void {
        this.hasStart = this.isMoving = true;
        this.from.set(this.to);
        this.stepTo.set(this.to);
        this.pose.set(this.to);
    }

    /** Has the frame's motion begin at another pose, where it stands now. */
    startFrom(pose: Affine): void {
        this.isMoving = true;
        this.from.set(pose);
        this.stepTo.set(pose);
        this.pose.set(pose);
    }

    /** Begins a step that ends at a fraction of this frame's motion. */
    beginStep(fraction: number): void {
        // At rest, the last step has ended where this one does.
        if (!this.isMoving) return;
        this.stepFrom.set(this.stepTo);
        lerp(this.from, this.to, fraction, this.stepTo);
    }

    /** Moves to where it is after `done` of `count` substeps. */
    moveTo(done: number, count: number): void {
        this.before.set(this.pose);
        lerpBySteps(this.stepFrom, this.stepTo, done, count, this.pose);
    }

    /** Pose at a fraction of the present step. */
    interpolate(share: number, target: Affine): void {
        if (this.hasStart) lerp(this.stepFrom, this.stepTo, share, target);
        else target.set(this.to);
    }

    /** Follows a move of the origin by (dx, dy, dz). */
    rebase(dx: number, dy: number, dz: number): void {
        for (const m of this.poses) {
            m[12] -= dx;
            m[13] -= dy;
            m[14] -= dz;
        }
        this.isMoving = true;
    }
}
