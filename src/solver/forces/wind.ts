import { Uniform } from "../../kernels/layout";
import { MAX_SPEED } from "../settings";
import type { WindField } from "../settings";
import type { VectorLike } from "../vector";

/** A wind in numbers: a mean velocity, slow changes of its strength and direction, and gusts that travel with it. */
export interface WindData {
    /** Mean velocity in world axes [m/s]; what is not finite does not blow. */
    readonly velocity: VectorLike;
    /** Strength of gusts as a share of the speed, >= 0. */
    readonly turbulence: number;
    /** Length of a gust along the wind [m], > 0. */
    readonly gustLength: number;
    /** Force of the air per area and speed across the cloth [kg/(m² s)], >= 0. */
    readonly drag: number;
    /** Chooses among gust patterns. */
    readonly seed: number;
}

/** Whether a value says all that a wind needs. */
export function isWindData(value: unknown): value is WindData {
    const wind = value as Partial<WindData> | null | undefined;
    const numbers = [wind?.turbulence, wind?.gustLength, wind?.drag, wind?.seed];
    return typeof wind?.velocity === "object" && numbers.every((number) => typeof number === "number");
}

/** The field of a wind in numbers, which may change at any time. */
export class GustyWind implements WindField {
    constructor(private readonly _wind: WindData) {}

    sample(time: number, uniforms: Float32Array): number {
        const { turbulence, gustLength, drag, seed } = this._wind;
        let { x, y, z } = this._wind.velocity;
        let speed = Math.sqrt(x * x + y * y + z * z);
        // A vector changed in place is not checked by the setter; air that is not finite does not blow.
        if (!(speed < Infinity)) return 0;
        if (speed > MAX_SPEED) {
            x *= MAX_SPEED / speed;
            y *= MAX_SPEED / speed;
            z *= MAX_SPEED / speed;
            speed = MAX_SPEED;
        }
        const rate = speed / gustLength;
        const t = time * rate;
        const swing = turbulence * speed;
        const strength = 1 + turbulence * noise(0.5 * t, seed);
        uniforms[Uniform.windVelocity] = x * strength + 0.5 * swing * noise(0.7 * t, seed + 1);
        uniforms[Uniform.windVelocity + 1] = y * strength + 0.25 * swing * noise(0.6 * t, seed + 2);
        uniforms[Uniform.windVelocity + 2] = z * strength + 0.5 * swing * noise(0.8 * t, seed + 3);
        // The travelling gust blows with the wind and, with noise, across it.
        const across = 0.6 * swing * noise(0.9 * t, seed + 4);
        const inverse = speed > 0 ? 1 / speed : 0;
        uniforms[Uniform.gustVelocity] = swing * x * inverse * 0.7 + across * z * inverse;
        uniforms[Uniform.gustVelocity + 1] = swing * y * inverse * 0.7 + 0.3 * across;
        uniforms[Uniform.gustVelocity + 2] = swing * z * inverse * 0.7 - across * x * inverse;
        const wave = inverse / gustLength;
        uniforms[Uniform.gustWave] = x * wave;
        uniforms[Uniform.gustWave + 1] = y * wave + 0.3 / gustLength;
        uniforms[Uniform.gustWave + 2] = z * wave;
        uniforms[Uniform.gustPhase] = t - Math.floor(t);
        return drag;
    }
}

/** Smooth noise in [-1, 1] over t: random values at the integers, joined by smoothsteps. Same bits in every engine. */
function noise(t: number, seed: number): number {
    const i = Math.floor(t);
    const f = t - i;
    const a = random(i, seed);
    return (a + (random(i + 1, seed) - a) * f * f * (3 - 2 * f)) / 0x80000000;
}

/** Integer hash of (i, seed), 32 bits with sign: a fraction would be boxed. */
function random(i: number, seed: number): number {
    let h = Math.imul(i | 0, 0x9e3779b1) ^ Math.imul((seed * 1024) | 0, 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
    h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
    return h ^ (h >>> 15);
}
