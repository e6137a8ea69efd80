import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Uniform } from "../kernels/layout";
import { finiteVector } from "../solver/fabric";
import { MAX_SPEED } from "../solver/settings";
import type { WindField } from "../solver/settings";
import { finite, knownOptions, nonNegative, positive, reject } from "../solver/validate";

/** What a wind is made of; every option is a property of {@link Wind} too. */
export interface WindOptions {
    /** Mean velocity in world axes [m/s]. Default (0, 0, 0): still air, which only brakes. */
    velocity: Vector3 | { x: number; y: number; z: number };
    /** Strength of gusts as a share of the speed, 0 = steady. Default 0.3. */
    turbulence?: number;
    /** Length of a gust along the wind [m]. Default 3. */
    gustLength?: number;
    /** Force of the air per area and speed across the cloth [kg/(m² s)] = [N s/m³]. Default 2. */
    drag?: number;
    /** Chooses among gust patterns; the same seed gives the same gusts. Default 0. */
    seed?: number;
}

const NAMES = ["velocity", "turbulence", "gustLength", "drag", "seed"] as const;

/**
 * A wind field: a mean velocity, slow changes of strength and direction, and gusts that travel with the wind. It acts on
 * each triangle along its normal, in proportion to its area and to the wind relative to the moving cloth (Mosegaard). One
 * wind may blow on any number of cloths; change its properties at any time.
 */
export class Wind implements WindField {
    private _velocity = { x: 0, y: 0, z: 0 };
    private _turbulence = 0.3;
    private _gustLength = 3;
    private _drag = 2;
    private _seed = 0;

    /** @throws RangeError on an unknown option or a value out of range */
    constructor(options: WindOptions = { velocity: { x: 0, y: 0, z: 0 } }) {
        if (typeof options !== "object" || options === null) reject("Wind", "options", "an object", options);
        knownOptions("Wind", options, NAMES);
        for (const [name, value] of Object.entries(options)) {
            if (value !== undefined) (this as Record<string, unknown>)[name] = value;
        }
    }

    /** Mean velocity in world axes [m/s]. The vector that was set, so that it may be changed in place. */
    get velocity(): { x: number; y: number; z: number } {
        return this._velocity;
    }
    set velocity(value: { x: number; y: number; z: number }) {
        finiteVector("Wind", "velocity", value);
        this._velocity = value;
    }

    /** Strength of gusts as a share of the speed, >= 0. */
    get turbulence(): number {
        return this._turbulence;
    }
    set turbulence(value: number) {
        this._turbulence = nonNegative("Wind", "turbulence", value);
    }

    /** Length of a gust along the wind [m], > 0. */
    get gustLength(): number {
        return this._gustLength;
    }
    set gustLength(value: number) {
        this._gustLength = positive("Wind", "gustLength", value);
    }

    /** Force of the air per area and speed across the cloth [kg/(m² s)], >= 0. */
    get drag(): number {
        return this._drag;
    }
    set drag(value: number) {
        this._drag = nonNegative("Wind", "drag", value);
    }

    /** Chooses among gust patterns. */
    get seed(): number {
        return this._seed;
    }
    set seed(value: number) {
        this._seed = finite("Wind", "seed", value);
    }

    /** See WindField: for the solver. */
    sample(time: number, uniforms: Float32Array): number {
        let { x, y, z } = this._velocity;
        let speed = Math.sqrt(x * x + y * y + z * z);
        // A vector changed in place is not checked by the setter; air that is not finite does not blow.
        if (!(speed < Infinity)) return 0;
        if (speed > MAX_SPEED) {
            x *= MAX_SPEED / speed;
            y *= MAX_SPEED / speed;
            z *= MAX_SPEED / speed;
            speed = MAX_SPEED;
        }
        const rate = speed / this._gustLength;
        const t = time * rate;
        const swing = this._turbulence * speed;
        const strength = 1 + this._turbulence * noise(0.5 * t, this._seed);
        uniforms[Uniform.windVelocity] = x * strength + 0.5 * swing * noise(0.7 * t, this._seed + 1);
        uniforms[Uniform.windVelocity + 1] = y * strength + 0.25 * swing * noise(0.6 * t, this._seed + 2);
        uniforms[Uniform.windVelocity + 2] = z * strength + 0.5 * swing * noise(0.8 * t, this._seed + 3);
        // The travelling gust blows with the wind and, with noise, across it.
        const across = 0.6 * swing * noise(0.9 * t, this._seed + 4);
        const inverse = speed > 0 ? 1 / speed : 0;
        uniforms[Uniform.gustVelocity] = swing * x * inverse * 0.7 + across * z * inverse;
        uniforms[Uniform.gustVelocity + 1] = swing * y * inverse * 0.7 + 0.3 * across;
        uniforms[Uniform.gustVelocity + 2] = swing * z * inverse * 0.7 - across * x * inverse;
        const wave = inverse / this._gustLength;
        uniforms[Uniform.gustWave] = x * wave;
        uniforms[Uniform.gustWave + 1] = y * wave + 0.3 / this._gustLength;
        uniforms[Uniform.gustWave + 2] = z * wave;
        uniforms[Uniform.gustPhase] = t - Math.floor(t);
        return this._drag;
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
