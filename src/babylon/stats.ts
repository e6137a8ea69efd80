import type { Attachment } from "./attachment";
import { PHASES } from "../solver/body";
import { constraintKinds } from "../solver/constraints/registry";

const CONSTRAINT_NAMES = Object.keys(constraintKinds);

/** Milliseconds of a frame by phase. */
export interface PhaseMilliseconds {
    /** Wind. */
    forces: number;
    /** Moving the particles and pins. */
    integrate: number;
    /** Sticks and tethers. */
    constraints: number;
    /** Colliders. */
    collide: number;
    /** Write-back: transforms, normals, tangents, bounds, upload. */
    write: number;
    /** All of them. */
    total: number;
}

/** Numbers about a running cloth, computed when read; zeros while not attached. */
export class ClothStats {
    private readonly _stretch = new Float64Array(2);
    private readonly _milliseconds: PhaseMilliseconds = { forces: 0, integrate: 0, constraints: 0, collide: 0, write: 0, total: 0 };

    constructor(private readonly _attachment: () => Attachment | null) {}

    /**
     * Name of the backend that computes; null while not attached. It differs from the one that was asked for
     * (`cloth.backend`) where that is refused or its memory is full.
     */
    get backend(): string | null {
        return this._attachment()?.cloth.kernels.name ?? null;
    }

    /** Number of particles. */
    get particleCount(): number {
        return this._attachment()?.cloth.state.particleCount ?? 0;
    }

    /** Number of constraints by kind: sticks that are `structural`, `shear` and `bend`, `longLimits` and `tethers`. */
    get counts(): Readonly<Record<string, number>> {
        const constraints = this._attachment()?.cloth.constraints;
        return Object.fromEntries(CONSTRAINT_NAMES.map((name, i) => [name, constraints?.[i].count ?? 0]));
    }

    /**
     * A frame's time by phase [ms], as a mean over about the last 60 frames, since browsers' clocks tick in 0.1 to 1 ms; the
     * object is reused. Measured from the first reading on: zeros until the next frame.
     */
    get milliseconds(): PhaseMilliseconds {
        const run = this._attachment();
        const result = this._milliseconds;
        if (run) run.stopwatch.isOn = run.cloth.stopwatch.isOn = true;
        result.total = result.write = run?.stopwatch.means[0] ?? 0;
        PHASES.forEach((phase, i) => {
            result[phase] = run?.cloth.stopwatch.means[i] ?? 0;
            result.total += result[phase];
        });
        return result;
    }

    /** Mean elongation of the structural sticks, max(0, length / rest - 1). */
    get meanStretch(): number {
        return this._attachment()?.cloth.measureStretch(this._stretch)[0] ?? 0;
    }

    /** Largest elongation of a structural stick. */
    get maxStretch(): number {
        return this._attachment()?.cloth.measureStretch(this._stretch)[1] ?? 0;
    }

    /** Kinetic energy [J]. */
    get kineticEnergy(): number {
        return this._attachment()?.cloth.kineticEnergy ?? 0;
    }
}
