import type { Kernels } from "../../kernels/kernelTable";
import type { AirArrays, ParticleArrays } from "../../kernels/layout";
import { deriveFabric, Fabrics } from "../materials/fabric";
import type { WindZoneVolume } from "./windZones";
import type { Fabric } from "../materials/fabric";

/** Settings that can change while the cloth runs. Plain data; units SI. */
export interface ClothSettings {
    /** Acceleration of gravity in world axes [m/s²], x y z. */
    readonly gravity: Float64Array;
    /** Slices of a fixed step. Stretch falls as 1/n², cost grows as n. */
    substepCount: number;
    /** Fixed step [s]. */
    fixedTimeStep: number;
    /** Most fixed steps in one frame; time beyond is dropped. */
    maxStepsPerFrame: number;
    fabric: Fabric;
    /** Slack of a tether over the distance along the cloth, as a share; Infinity: no tethers. */
    tetherSlack: number;
    /** A body in which nothing is faster for half a second (or that stays in its place on something, see sleep.ts) comes to rest and is not computed until it is disturbed [m/s]; 0: never. */
    sleepSpeed: number;
    /** The body's own wind, beside the world's; null: vacuum, the world's winds included. */
    wind: WindField | null;
    /** By what method its particles move. */
    solver: SolverName;
    /** Damping of its springs, as a share of their stiffness [s], where the method has springs. */
    springDamping: number;
}

/** The methods: the default, with passes of constraints, then those of solvers/solvers.ts. */
export type SolverName =
    | "xpbd"
    | "explicitEuler"
    | "symplecticEuler"
    | "midpoint"
    | "rungeKutta4"
    | "verlet"
    | "implicit"
    | "implicitBuckling"
    | "squareRootFree";
/** All of them, the default first. */
export const solverNames: readonly SolverName[] = [
    "xpbd",
    "explicitEuler",
    "symplecticEuler",
    "midpoint",
    "rungeKutta4",
    "verlet",
    "implicit",
    "implicitBuckling",
    "squareRootFree",
];

/** Clock of the world [s]. */
export interface WorldClock {
    readonly worldTime: number;
}

/** A wind as the solver sees it. */
export interface WindField {
    /** Volume in which the wind blows; null: everywhere. */
    readonly zone: WindZoneVolume | null;
    /** True if the wind blows; false: its air only damps motion. */
    readonly isActive: boolean;
    /**
     * Writes the wind at the time that a clock shows of the world [s], about the uniforms' `middle`, into their wind slots: velocity, gust, wave, and the gust's phase at
     * the world's origin; density of the air (0: none) and its coefficients. The time as an argument would be boxed.
     * @param origin world position of simulation space's origin [m]
     */
    sample(clock: WorldClock, uniforms: Float32Array, origin: ArrayLike<number>): void;
    /** Adds what the uniforms hold of it to the velocities of the air. */
    addToAir(kernels: Kernels, particles: ParticleArrays, air: AirArrays): void;
}

/** The defaults: cotton in four substeps of 1/60 s, without gravity or air. */
export function defaultSettings(): ClothSettings {
    return {
        gravity: new Float64Array(3),
        substepCount: 4,
        fixedTimeStep: 1 / 60,
        // Down to 15 frames a second in real time.
        maxStepsPerFrame: 4,
        fabric: deriveFabric(Fabrics.cotton, {}),
        tetherSlack: 0,
        // Half a millimetre in the time that it takes to fall asleep.
        sleepSpeed: 1e-3,
        wind: null,
        solver: solverNames[0],
        springDamping: 1e-3,
    };
}

/**
 * Settings as they were asked for, with other steps. A class: of objects that are made of the asked ones (Object.create) each has a shape of its own, and what is
 * looked up in many of them is looked up ten times as slowly.
 */
export abstract class SettingsView<Asked extends ClothSettings> implements ClothSettings {
    constructor(protected readonly _asked: Asked) {}

    abstract get substepCount(): number;
    abstract get fixedTimeStep(): number;
    abstract get maxStepsPerFrame(): number;

    get gravity(): Float64Array {
        return this._asked.gravity;
    }

    get fabric(): Fabric {
        return this._asked.fabric;
    }

    get tetherSlack(): number {
        return this._asked.tetherSlack;
    }

    get sleepSpeed(): number {
        return this._asked.sleepSpeed;
    }

    get wind(): WindField | null {
        return this._asked.wind;
    }

    get solver(): SolverName {
        return this._asked.solver;
    }

    get springDamping(): number {
        return this._asked.springDamping;
    }
}
