import { JUMP_FACTOR } from "../../tunables";

/** Limit of motion; beyond it, a jump. */
export interface MotionLimit {
    /** The longest distance in a frame that is motion in any case [m]. */
    readonly distance: number;
    /** Length of the frame [s], > 0, and the same, at least a fixed step. */
    readonly elapsed: number;
    readonly seconds: number;
}

/** Everything is motion. */
export const NO_LIMIT: MotionLimit = { distance: Infinity, elapsed: 1, seconds: 1 };

/** Frames whose velocities a sudden one is compared with: a physics engine in lockstep moves nothing in three frames of four at 240 Hz. */
const HISTORY = 4;
const LANES = 4;

/** Velocities of the last frames. */
class VelocityHistory {
    private readonly _velocities = new Float64Array(HISTORY * LANES);
    private _last = 0;
    /** Squares of the speed in this frame, of its change since the last one, and of the least change since the last few [m²/s²]. */
    speed = 0;
    change = 0;
    leastChange = 0;

    /** @param way [m], x y z and motion within itself; `limit` has the frame's length, which as an argument would be boxed */
    push(way: Float64Array, limit: MotionLimit, isByStep: boolean): void {
        const { _velocities: velocities } = this;
        const seconds = isByStep ? limit.seconds : limit.elapsed;
        this.speed = 0;
        for (let c = 0; c < LANES; c++) this.speed += (way[c] / seconds) * (way[c] / seconds);
        this.leastChange = Infinity;
        for (let k = HISTORY - 1; k >= 0; k--) {
            const o = LANES * ((this._last + HISTORY - k) % HISTORY);
            this.change = 0;
            for (let c = 0; c < LANES; c++) this.change += (way[c] / seconds - velocities[o + c]) ** 2;
            this.leastChange = Math.min(this.leastChange, this.change);
        }
        this._last = (this._last + 1) % HISTORY;
        for (let c = 0; c < LANES; c++) velocities[LANES * this._last + c] = way[c] / seconds;
    }
}

/**
 * Tells a jump of something from its motion: it is faster than a limit, all of a sudden. What keeps its speed for two frames moves. Speeds
 * are measured both ways: what moves with the frames has them by the frame's length, however uneven; what a physics engine moves in fixed
 * steps has them by at least a step.
 */
export class JumpDetector {
    /** Way since the last frame, x y z and what it moves within itself [m]. */
    readonly way = new Float64Array(LANES);
    private readonly _byFrame = new VelocityHistory();
    private readonly _byStep = new VelocityHistory();
    /** Frames in a row in which it has not moved; no more than count. */
    private _stillFrames = 0;

    /** To be asked once a frame, when {@link way} has been told. */
    isJump(limit: MotionLimit): boolean {
        const { way, _byFrame: byFrame, _byStep: byStep } = this;
        this._stillFrames = 0;
        byFrame.push(way, limit, false);
        byStep.push(way, limit, true);
        let distance = 0;
        for (let c = 0; c < LANES; c++) distance += way[c] * way[c];
        const share = 1 - 1 / JUMP_FACTOR;
        const isNew = byFrame.change > share * share * byFrame.speed && byStep.change > share * share * byStep.speed;
        return distance > limit.distance * limit.distance && isNew;
    }

    /** Takes note of a frame in which it has not moved, in place of {@link isJump}. */
    rest(limit: MotionLimit): void {
        if (this._stillFrames === HISTORY) return;
        this._stillFrames++;
        this.way.fill(0);
        this._byFrame.push(this.way, limit, false);
        this._byStep.push(this.way, limit, true);
    }

    /** True if the speed came in this frame: beyond a change of speed [m/s] it is no motion of anything that is worn. */
    isSudden(change: number): boolean {
        return isSuddenIn(this._byFrame, change) && isSuddenIn(this._byStep, change);
    }
}

function isSuddenIn({ speed, leastChange }: VelocityHistory, change: number): boolean {
    return leastChange > change * change && 4 * speed >= leastChange;
}
