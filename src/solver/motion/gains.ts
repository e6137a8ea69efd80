import { ROW } from "../../kernels/layout";
import type { Masses } from "../materials/masses";
import type { ClothSettings } from "../settings";
import type { BodyState } from "../state";

/*
 * A body that nothing acts upon loses, in any time, at least what its damping takes. Constraints and contact that do not agree may give that
 * back: then it shakes for ever. What is found to gain so is damped more, until something acts upon it.
 *
 *     owed += 2 d E_kin Δt - (E before - E now),   E = E_kin + E_pot, means of a second,   never below zero
 *
 * What is bent or stretched gives back what it holds, and that is not reckoned with: so it has to be owed more than the motion holds itself.
 */

/** Energies are means of so many looks, this long apart [s]. */
const LOOKS = 10;
const BETWEEN = 0.1;
/** What is owed, over the kinetic energy, that is no longer what was bent or stretched. */
const MOST_OWED = 2;
/** At most so many times the damping in addition: what shakes even so goes nowhere. */
export const MOST = 1000;
/** What is slower need not be looked at [m/s]. */
const SLOW = 1e-3;

/** What is asked of a body. */
export interface Gainer {
    readonly state: BodyState;
    readonly masses: Masses;
    readonly settings: ClothSettings;
    readonly origin: Float64Array;
    /** What displacements are of [s]. */
    readonly substep: number;
}

/** Watches whether a body gains energy from nothing. */
export class Gains {
    /** How many times its damping it is to be damped in addition. */
    more = 0;
    private _untilLook = BETWEEN;
    private _looks = 0;
    /** Sums of the present looks, and the mean before [J]; NaN: none. */
    private _kinetic = 0;
    private _energy = 0;
    private _before = NaN;
    private _owed = 0;
    /** Of all particles [kg]. */
    private _mass = 0;

    /** To be called when something has acted upon the body. */
    forget(): void {
        this.more = this._looks = this._kinetic = this._energy = this._owed = 0;
        this._before = NaN;
    }

    /** Whether it is time to look. @param seconds since this was asked last */
    isTime(seconds: number): boolean {
        this._untilLook -= seconds;
        if (this._untilLook > 0) return false;
        this._untilLook = BETWEEN;
        return true;
    }

    /** Looks at a body that nothing acts upon. */
    look(body: Gainer): void {
        const kinetic = body.masses.kineticEnergy(body.substep);
        this._kinetic += kinetic;
        this._energy += kinetic + this._potentialEnergy(body);
        if (++this._looks === LOOKS) this._reckon(Math.min(2 * body.settings.fabric.damping * (1 + this.more), 1 / body.substep));
    }

    /** @param rate at which damping takes kinetic energy [1/s] */
    private _reckon(rate: number): void {
        const kinetic = this._kinetic / LOOKS;
        const energy = this._energy / LOOKS;
        const lost = this._before - energy;
        this._before = energy;
        this._looks = this._kinetic = this._energy = 0;
        if (!(kinetic > 0.5 * this._mass * SLOW * SLOW) || Number.isNaN(lost)) {
            this._owed = 0;
            return;
        }
        this._owed = Math.max(0, this._owed + rate * kinetic * LOOKS * BETWEEN - lost);
        if (this._owed < MOST_OWED * kinetic) return;
        this._owed = 0;
        this.more = Math.min(MOST, 2 * this.more + 1);
    }

    /** Energy of the particles in gravity [J]; of pinned ones, too. */
    private _potentialEnergy({ state, masses, settings, origin }: Gainer): number {
        const { positions: x, particleCount } = state;
        const [gx, gy, gz] = settings.gravity;
        let sum = 0;
        this._mass = 0;
        for (let i = 0, o = 0; i < particleCount; i++, o += ROW) {
            const mass = masses.of(i);
            sum -= mass * (gx * (x[o] + origin[0]) + gy * (x[o + 1] + origin[1]) + gz * (x[o + 2] + origin[2]));
            this._mass += mass;
        }
        return sum;
    }
}
