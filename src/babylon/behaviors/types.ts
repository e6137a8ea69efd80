import type { Collider } from "../colliders/colliderOptions";
import type { VectorLike } from "../../engine/index";
import type { BodyInstance } from "./bodyInstance";
import { constraintKinds, stageNames, measureStretch } from "../../engine/index";

/** A particle, or a triangle of cloth whose corners are farther off, that came to a collider. One object for all: copy what you keep. */
export interface ClothCollision {
    /** Collider in contact. */
    collider: Collider;
    /** The particle, of a triangle its nearest corner; see {@link ClothBehavior.particleOfVertex}. */
    particle: number;
    /** Contact point on the collider's surface, world space [m]. */
    readonly point: VectorLike;
    /** Unit normal out of the collider, world axes. */
    readonly normal: VectorLike;
    /** Closing speed along the normal of the collider's surface [m/s]. */
    speed: number;
}

/** Mean time that each stage of a frame takes, its steps and substeps together [ms]; in the order of the stages. */
export interface StageMilliseconds {
    /** Air and added forces. */
    forces: number;
    /** Verlet integration, or the body's own solver. */
    integrate: number;
    /** Pins and holds that follow their nodes. */
    attachments: number;
    /** Bending, shear, limits, tethers and lengths. */
    constraints: number;
    /** The material's largest strain. */
    strainLimit: number;
    /** Search for the colliders that are near. */
    broadPhase: number;
    /** Contacts with colliders. */
    contacts: number;
    /** Lengths once more, after contact. */
    contactConstraints: number;
    /** Second response to contacts, and penetration recovery. */
    recovery: number;
    /** Pins' last word, and reactions of what carries them. */
    reactions: number;
    /** Write-back: transforms, normals, tangents, bounds, upload. */
    write: number;
    /** All of them. */
    total: number;
}

/** Numbers about a running cloth, computed when read; zeros while not attached. */
export interface ClothStats {
    /** Number of particles. */
    readonly particleCount: number;
    /** Number of constraints by kind: sticks that are `structural` and `shear`, stencils that `bend`, `unilateralLimits` over two edges, `farUnilateralLimits` over more, and `tethers`. */
    readonly counts: Readonly<Record<string, number>>;
    /**
     * A frame's time by phase [ms], as a mean over about the last 60 frames, since browsers' clocks tick in 0.1 to 1 ms; the
     * object is reused. Each frame is measured from the first reading on, one in 64 before: zeros in the first half second, and while the cloth sleeps.
     */
    readonly milliseconds: StageMilliseconds;
    /** True if the cloth rests and is not computed until something disturbs it; see `cloth.sleepSpeed`. */
    readonly isAsleep: boolean;
    /** Mean elongation of the structural sticks, max(0, length / rest - 1). */
    readonly meanStretch: number;
    /** Largest elongation of a structural stick. */
    readonly maxStretch: number;
    /** Kinetic energy [J]. */
    readonly kineticEnergy: number;
}

const CONSTRAINT_NAMES = Object.keys(constraintKinds);

/** Reads the numbers of a running cloth. */
export class StatsReader implements ClothStats {
    private readonly _stretch = new Float64Array(2);
    private readonly _milliseconds = Object.fromEntries(
        [...stageNames, "write", "total"].map((name) => [name, 0]),
    ) as unknown as StageMilliseconds;

    constructor(private readonly _attachment: () => BodyInstance | null) {}

    get particleCount(): number {
        return this._attachment()?.cloth.state.particleCount ?? 0;
    }

    get counts(): Readonly<Record<string, number>> {
        const constraints = this._attachment()?.cloth.constraints;
        return Object.fromEntries(
            CONSTRAINT_NAMES.map((name) => [name, constraints?.find((kind) => kind.name === name)?.count ?? 0]),
        );
    }

    get milliseconds(): StageMilliseconds {
        const instance = this._attachment();
        const result = this._milliseconds;
        if (instance) instance.stopwatch.isOn = instance.cloth.stopwatch.isOn = true;
        result.total = result.write = instance?.stopwatch.means[0] ?? 0;
        stageNames.forEach((stage, i) => {
            result[stage] = instance?.cloth.stopwatch.means[i] ?? 0;
            result.total += result[stage];
        });
        return result;
    }

    get isAsleep(): boolean {
        return this._attachment()?.cloth.isAsleep ?? false;
    }

    get meanStretch(): number {
        return this._measureStretch()[0];
    }

    get maxStretch(): number {
        return this._measureStretch()[1];
    }

    private _measureStretch(): Float64Array {
        const cloth = this._attachment()?.cloth;
        return cloth ? measureStretch(cloth, this._stretch) : this._stretch.fill(0);
    }

    get kineticEnergy(): number {
        return this._attachment()?.cloth.kineticEnergy ?? 0;
    }
}
