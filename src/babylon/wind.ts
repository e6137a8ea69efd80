import { finiteVector } from "../solver/vector";
import type { VectorLike } from "../solver/vector";
import { finite, knownOptions, nonNegative, positive, reject } from "../solver/validate";

/** What a wind is made of; every option is a property of {@link Wind} too. */
export interface WindOptions {
    /** Mean velocity in world axes [m/s]. Default (0, 0, 0): still air, which only brakes. */
    velocity: VectorLike;
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
export class Wind {
    private _velocity: VectorLike = { x: 0, y: 0, z: 0 };
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
    get velocity(): VectorLike {
        return this._velocity;
    }
    set velocity(value: VectorLike) {
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
}
