import type { FollowerState } from "../files/format/fileFormat";

/** Largest speed and acceleration of a follower, in its unit per second and per second². */
export interface FollowLimits {
    readonly speed: number;
    readonly acceleration: number;
}

/**
 * A number that follows a goal. The goal may jump; the number accelerates towards it, keeps to the largest speed, and brakes in time to stop there.
 *
 *     speed = min(limit, √(2 · acceleration · distance to the goal))
 */
export class Follower {
    value: number;
    goal: number;
    private readonly _start: number;
    private _velocity: number;

    constructor(
        state: FollowerState,
        private readonly _limits: FollowLimits,
    ) {
        ({ start: this._start, value: this.value, velocity: this._velocity, goal: this.goal } = state);
    }

    get state(): FollowerState {
        return { start: this._start, value: this.value, velocity: this._velocity, goal: this.goal };
    }

    /** Goes back to its first number; the goal stays. */
    restart(): void {
        this.value = this._start;
        this._velocity = 0;
    }

    /** Goes on towards the goal. @returns true if the number has changed */
    advance(seconds: number): boolean {
        const distance = this.goal - this.value;
        if (distance === 0 || !(seconds > 0)) return false;
        const { speed, acceleration } = this._limits;
        const wanted = Math.sign(distance) * Math.min(speed, Math.sqrt(2 * acceleration * Math.abs(distance)));
        const change = acceleration * seconds;
        this._velocity = Math.min(this._velocity + change, Math.max(this._velocity - change, wanted));
        const step = this._velocity * seconds;
        const isThere = step / distance >= 1;
        this.value = isThere ? this.goal : this.value + step;
        if (isThere) this._velocity = 0;
        return true;
    }
}
