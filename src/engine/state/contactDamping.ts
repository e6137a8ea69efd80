import { CONTACT_DAMPING_SPEED, MAX_CONTACT_DAMPING } from "../tunables";
import { Contact } from "../../kernels/contactLayout";
import { Uniform } from "../../kernels/layout";
import type { ClothSettings } from "./settings";
import type { BodyState } from "./state";

/**
 * exp(-x) for x >= 0 from additions and multiplications only, so that every engine gets the same bits: a Taylor series of
 * x / 2ⁿ < 1/8, squared n times. Relative error below 1e-13.
 */
export function deterministicExp(x: number): number {
    // Below the smallest double.
    if (x > 750) return 0;
    let halvings = 0;
    while (x > 0.125) {
        x *= 0.5;
        halvings++;
    }
    let sum = 1;
    for (let k = 9; k >= 1; k--) sum = 1 - (x / k) * sum;
    for (; halvings > 0; halvings--) sum *= sum;
    return sum;
}

/*
 * Friction within the cloth: a body that lies on a collider is damped more the slower it is. As dry friction, that takes the same from motion however slow
 * it is, and so ends it.
 */

/** The parts of a body that settling reads. */
interface DampedBody {
    readonly state: BodyState;
    readonly settings: ClothSettings;
    readonly hasWind: boolean;
    /** Motion relative to an anchor; null: the world. */
    readonly inertia: { readonly relativeMotion: number } | null;
}

/** Damping of a body: that of its fabric, and more while it lies on something. */
export class ContactDamping {
    /** True if the body has met a collider that takes no impulses in its last step, or lies on a body that has. */
    isTouched = false;
    /** Damping × substep of the last step, and the share of their speed that this leaves particles. */
    private _damping = NaN;
    private _keptShare = NaN;

    /** Begins a step, once the uniforms are written. */
    begin(): void {
        this.isTouched = false;
    }

    /** Notes contact with a collider in this substep. A collider that takes impulses is moved by them: it does not lie still. @param data see Contact */
    recordContact(data: Float32Array): void {
        if (!(data[Contact.dynamicMass] > 0)) this.isTouched = true;
    }

    /** Writes the displacement by gravity in a substep of the next step, and the share of displacement that damping leaves. */
    writeUniforms(body: DampedBody): void {
        const { state, settings, hasWind } = body;
        const { uniforms } = state;
        const { fabric, gravity, fixedTimeStep, substepCount } = settings;
        const substep = fixedTimeStep / substepCount;
        const damping = fabric.damping * substep;
        // A function's result is boxed, and so may be what is written to a field.
        if (damping !== this._damping) {
            this._keptShare = deterministicExp(damping);
            this._damping = damping;
        }
        let settling = 0;
        // Cloth that hangs free, or in the wind, swings on.
        if (this.isTouched && !hasWind) {
            const motion = body.inertia ? body.inertia.relativeMotion : uniforms[Uniform.motion];
            const speed = motion / fixedTimeStep;
            settling = CONTACT_DAMPING_SPEED / Math.max(speed, CONTACT_DAMPING_SPEED / MAX_CONTACT_DAMPING);
        }
        uniforms[Uniform.displacementFactor] = this._keptShare / (1 + damping * settling);
        for (let c = 0; c < 3; c++) uniforms[Uniform.gravity + c] = gravity[c] * substep * substep;
    }
}
