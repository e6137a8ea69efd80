import { MAX_CARRIER_MASS_RATIO } from "../tunables";
import { ROW, rowOf } from "../../kernels/layout";
import type { BodyDefinition } from "./bodyDefinition";
import type { ClothSettings } from "./settings";
import type { BodyState } from "./state";

/** The part of a set of pins that decides the masses of its particles. */
interface PinnedSet {
    readonly particles: Uint32Array;
    /** Particles that no later set holds. */
    readonly ownedIndices: Iterable<number> & { readonly length: number };
    /** True if the particles follow their node exactly. */
    readonly isFixed: boolean;
    /** Mass of a dynamic node that the pins pull [kg]; 0: none. */
    readonly carrierMass: number;
    /** Factor on the particles' mass, >= 1. */
    readonly massScale: number;
    readonly dynamicCarrier: { minMassAt(x: number, y: number, z: number): number } | null;
    /** Claims its particles that are not in `taken` yet. */
    resolveOverlaps(taken: Set<number>): void;
}

/** The masses of a body's particles: its shares of what its plan weighs. What is pinned counts as infinitely heavy. */
export class Masses {
    private readonly _shares: Float32Array;
    private readonly _densityOf: BodyDefinition["density"];
    private _density = 0;
    private _arePinsStale = true;
    /** The particles that pins hold. */
    private readonly _pinned = new Set<number>();

    constructor(
        private readonly _state: BodyState,
        { shares, density }: Pick<BodyDefinition, "shares" | "density">,
    ) {
        this._shares = shares;
        this._densityOf = density;
    }

    /** Mass of a particle [kg]; pinned or not. */
    massOf(particle: number): number {
        return Math.fround(this._density * this._shares[particle]);
    }

    /** Kinetic energy of all particles [J]. @param substep in which their displacement is counted [s] */
    kineticEnergy(substep: number): number {
        const { positions: x, previous: p, residuals: r, particleCount } = this._state;
        let sum = 0;
        for (let i = 0, o = 0; i < particleCount; i++, o += ROW) {
            const dx = x[o] - p[o] + r[o];
            const dy = x[o + 1] - p[o + 1] + r[o + 1];
            const dz = x[o + 2] - p[o + 2] + r[o + 2];
            sum += this.massOf(i) * (dx * dx + dy * dy + dz * dz);
        }
        return (0.5 * sum) / (substep * substep);
    }

    /** To be called after a change of pins. */
    invalidate(): void {
        this._arePinsStale = true;
    }

    /** Writes the inverse masses anew, where density or pins have changed. */
    update(settings: ClothSettings, pins: readonly PinnedSet[]): void {
        const density = this._densityOf(settings);
        if (!this._arePinsStale && this._density === density) return;
        this._density = density;
        if (this._arePinsStale) this._assignPinOwners(pins);
        this._arePinsStale = false;
        const { inverseMasses, particleCount } = this._state;
        for (let i = 0; i < particleCount; i++) {
            const mass = this.massOf(i);
            inverseMasses[i] = mass > 0 ? 1 / mass : 0;
        }
        for (const particle of this._pinned) inverseMasses[particle] = 0;
        for (const set of pins) if (set.isFixed && set.carrierMass > 0) this._writeCarrierMasses(set);
        for (const { particles, massScale: heaviness } of pins)
            for (const p of heaviness > 1 ? particles : []) inverseMasses[p] /= heaviness;
        this._state.hasDynamicCarrier = pins.some(({ carrierMass: takerMass }) => takerMass > 0);
        this._state.massRevision++;
    }

    /** Shares out what is held: what several sets hold is the last one's. */
    private _assignPinOwners(pins: readonly PinnedSet[]): void {
        this._pinned.clear();
        for (let i = pins.length - 1; i >= 0; i--) pins[i].resolveOverlaps(this._pinned);
    }

    /**
     * Gives particles that pull what carries them a share of what resists there, for the constraints to move: what they do to them is the pull.
     * No more than so many times their own: what moves less is lost in 32 bits.
     */
    private _writeCarrierMasses({ ownedIndices: own, dynamicCarrier: drift }: PinnedSet): void {
        const { inverseMasses, positions: x } = this._state;
        for (const particle of own) {
            const o = rowOf(particle);
            const resisting = drift!.minMassAt(x[o], x[o + 1], x[o + 2]) / own.length;
            const mass = Math.min(resisting, MAX_CARRIER_MASS_RATIO * this.massOf(particle));
            inverseMasses[particle] = mass > 0 ? 1 / mass : 0;
        }
    }
}
