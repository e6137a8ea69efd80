import type { Fabric } from "./fabric";

/** What can be changed while the cloth runs. Plain data; units SI. */
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
    /** How much longer than the distance over the cloth a tether is, as a share; Infinity: no tethers. */
    tetherSlack: number;
    /** A body in which nothing is faster for half a second comes to rest and is not computed until it is disturbed [m/s]; 0: never. */
    sleepSpeed: number;
    /** Wind, or null for vacuum with nothing but the fabric's damping. */
    wind: WindField | null;
}

/** A wind as the solver sees it. */
export interface WindField {
    /**
     * Writes the wind at `time` of the world [s] into the uniforms' wind slots: velocity, gust, wave, and the gust's phase at
     * the world's origin.
     * @returns the linear drag of cloth against it [kg/(m² s)]; 0 for no effect
     */
    sample(time: number, uniforms: Float32Array): number;
}

/** Default number of substeps. */
export const DEFAULT_SUBSTEPS = 4;
/** Most substeps: a thousand times less stretch than with four is beyond what anyone sees, or waits for. */
export const MAX_SUBSTEPS = 256;
/** Default fixed step [s]. */
export const DEFAULT_FIXED_STEP = 1 / 60;
/** Default cap of steps a frame: down to 15 frames a second in real time. */
export const DEFAULT_MAX_STEPS = 4;

/** Default speed below which a body falls asleep [m/s]: half a millimetre in the time that it takes to do so. */
export const DEFAULT_SLEEP_SPEED = 1e-3;

/**
 * Speed limit of a particle along each axis [m/s]. Far above anything that cloth does; it keeps every state finite whatever
 * the kicks. Do not use it to tame a scene: it is not a physical effect.
 */
export const MAX_SPEED = 1000;
