import { Contact } from "../../kernels/contactLayout";
import { Uniform } from "../../kernels/layout";
import { decay } from "../decay";
import type { ClothSettings } from "../settings";
import type { BodyState } from "../state";

/*
 * What lies on something is damped more the slower it is: friction within the cloth, which, as dry friction does, takes the same from motion however
 * slow that is, and so ends it. Slow means against what it lies on: a platform that moves evenly changes nothing.
 */

/** So much speed more in the time in which damping takes a share of 1 - 1/e [m/s] ... */
const SETTLING_SPEED = 0.15;
/** ... and at most so many times the damping in addition. */
const MOST_SETTLING = 20;

/** What is asked of a body. */
interface Settler {
    readonly state: BodyState;
    readonly settings: ClothSettings;
    readonly isWindy: boolean;
}

/** What damps a body: its fabric, and more what it lies on. */
export class Settling {
    /** Whether it has met, in its last step, what takes no impulses, or lies on what has: it may lie on that. */
    isTouched = false;
    /** How far the centre of that moves in a substep [m]; of several, that of the slowest. */
    private readonly _ground = new Float64Array(3);
    /** See {@link _measureMotion}. */
    private readonly _moved = new Float64Array(1);
    /** Damping × substep, as last reckoned with, and the share of their speed that this leaves particles. */
    private _damping = NaN;
    private _kept = NaN;

    /** Begins a step, once the uniforms are written. */
    begin(): void {
        this.isTouched = false;
        this._ground.fill(0);
    }

    /** Notes that the body touches a collider, whose data these are, in this substep. What takes impulses is moved by them: it does not lie still. */
    touch(data: Float32Array): void {
        if (data[Contact.takerMass] > 0) return;
        const { _ground: ground } = this;
        let x = data[Contact.motion + 12],
            y = data[Contact.motion + 13],
            z = data[Contact.motion + 14];
        // Its centre's: what turns in place, smooth, takes nothing along.
        for (let r = 0; r < 3; r++) {
            const centre = data[Contact.centre + r];
            const row = Contact.motion + 4 * r;
            x += centre * data[row];
            y += centre * data[row + 1];
            z += centre * data[row + 2];
        }
        const least = ground[0] * ground[0] + ground[1] * ground[1] + ground[2] * ground[2];
        if (this.isTouched && x * x + y * y + z * z > least) return;
        this.isTouched = true;
        ground[0] = x;
        ground[1] = y;
        ground[2] = z;
    }

    /** Notes that the body lies on another, and so on what that has met. */
    lieOn({ _ground }: Settling): void {
        this.isTouched = true;
        this._ground.set(_ground);
    }

    /** Writes what gravity does and damping leaves in a substep of the next step. What settles keeps what it has in common with its ground. */
    write(body: Settler): void {
        const { _ground: ground } = this;
        const { uniforms } = body.state;
        const { fabric, gravity, fixedTimeStep, substepCount } = body.settings;
        const substep = fixedTimeStep / substepCount;
        const damping = fabric.damping * substep;
        // A function's result is boxed, and so may be what is written to a field.
        if (damping !== this._damping) {
            this._kept = decay(damping);
            this._damping = damping;
        }
        let settling = 0;
        // What hangs free, or in the wind, swings on.
        if (this.isTouched && !body.isWindy) {
            this._measureMotion(body);
            const speed = this._moved[0] / fixedTimeStep;
            settling = SETTLING_SPEED / Math.max(speed, SETTLING_SPEED / MOST_SETTLING);
        }
        const kept = this._kept / (1 + damping * settling);
        uniforms[Uniform.keptDisplacement] = kept;
        for (let c = 0; c < 3; c++)
            uniforms[Uniform.gravity + c] = gravity[c] * substep * substep + (this._kept - kept) * ground[c];
    }

    /** Writes the largest displacement along an axis in the last step, less that of the ground [m]. */
    private _measureMotion({ state, settings }: Settler): void {
        const { _ground: ground, _moved: moved } = this;
        moved[0] = state.uniforms[Uniform.motion];
        if (ground[0] === 0 && ground[1] === 0 && ground[2] === 0) return;
        const { positions: x, stepStart, particleCount } = state;
        moved[0] = 0;
        for (let c = 0; c < 3; c++) {
            const gone = settings.substepCount * ground[c];
            for (let i = 0, o = c; i < particleCount; i++, o += 4) {
                const distance = Math.abs(x[o] - stepStart[o] - gone);
                if (distance > moved[0]) moved[0] = distance;
            }
        }
    }

    /** What it knows of the last step, as numbers, for another to {@link take}. */
    copy(): Float64Array {
        return Float64Array.of(this.isTouched ? 1 : 0, ...this._ground);
    }

    /** Goes on from what another knew. */
    take(numbers: Float64Array): void {
        this.isTouched = numbers[0] === 1;
        this._ground.set(numbers.subarray(1, 4));
    }
}
