import { JUMP_FACTOR } from "../../tunables";

/** Limit of motion; beyond it, a jump. */
export interface MotionLimit {
    /** The longest distance in a frame that is motion in any case [m]. */
    readonly distance: number;
    /** Length of the frame [s], > 0. */
    readonly seconds: number;
}

/** Everything is motion. */
export const NO_LIMIT: MotionLimit = { distance: Infinity, seconds: 1 };

/** Tells a jump of something from its motion: it is faster than a limit, all of a sudden. What keeps its speed for two frames moves. */
export class JumpDetector {
    /** Way since the last frame, x y z and what it moves within itself [m]. */
    readonly way = new Float64Array(4);
    /** Velocity in the last frame, likewise [m/s]. */
    private readonly _velocity = new Float64Array(4);
    /** Square of the speed in this frame, and of its change since the last [m²/s²]. */
    squaredSpeed = 0;
    squaredChange = 0;

    /** To be asked once a frame, when {@link way} has been told. */
    isJump(limit: MotionLimit): boolean {
        const { way, _velocity: velocity } = this;
        let speed = 0;
        let change = 0;
        let distance = 0;
        for (let c = 0; c < 4; c++) {
            const v = way[c] / limit.seconds;
            const dv = v - velocity[c];
            velocity[c] = v;
            speed += v * v;
            change += dv * dv;
            distance += way[c] * way[c];
        }
        this.squaredSpeed = speed;
        this.squaredChange = change;
        const share = 1 - 1 / JUMP_FACTOR;
        return distance > limit.distance * limit.distance && change > share * share * speed;
    }

    /** True if the speed came in this frame: beyond a change of speed [m/s] it is no motion of anything that is worn. */
    isSudden(change: number): boolean {
        return this.squaredChange > change * change && 4 * this.squaredSpeed >= this.squaredChange;
    }
}
