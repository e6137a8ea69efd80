import type { Kernels } from "../../kernels/kernelTable";
import { Uniform } from "../../kernels/layout";
import type { AirArrays, ParticleArrays } from "../../kernels/layout";
import { windKernels } from "../../kernels/modules/wind.generated";
import { MAX_SPEED } from "../tunables";
import type { WindField, WorldClock } from "../state/settings";
import type { VectorLike } from "../math/vector";
import { windFieldOf, registerWindField } from "./windFields";
import { WindZoneVolume } from "../state/windZones";
import type { WindZoneData } from "../state/windZones";

/** A wind in numbers: a mean velocity, slow changes of its strength and direction, gusts that travel with it, and what its air is. */
export interface WindData {
    /** Mean velocity in world axes [m/s]; what is not finite does not blow. */
    readonly velocity: VectorLike;
    /** Strength of gusts as a share of the speed, >= 0. */
    readonly turbulence: number;
    /** Length of a gust along the wind [m], > 0. */
    readonly gustLength: number;
    /** Density of the air [kg/m³], >= 0. */
    readonly airDensity: number;
    /** Coefficient of the force across a face, >= 0. */
    readonly drag: number;
    /** Coefficient of the force along a face, both of its sides together, >= 0. */
    readonly skinFriction: number;
    /** Chooses among gust patterns. */
    readonly seed: number;
    /** Zone of the wind; its velocity is in the zone's axes. Null: everywhere. */
    readonly zone: WindZoneData | null;
}

/** Gusts keep their axis while the wind turns by less than this, as a cosine: a wave that turned would sweep over what is far away. */
const AXIS_COSINE = 0.5;

/**
 * The field of a wind in numbers, which may change at any time: its gusts go on from where they are. They travel through the world
 * by a wave along a fixed axis, as far as the wind has gone.
 */
export class GustyWind implements WindField {
    /** Time of the last change of rates [s], and the gusts that had passed the world's origin until then: in all, and along the axis. */
    private _rateChangeTime = 0;
    private _passedGusts = 0;
    private _travelledGusts = 0;
    /** Gusts a second. */
    private _gustRate = 0;
    private _travelRate = 0;
    private readonly _axis = new Float64Array(3);
    private readonly _velocity = new Float64Array(3);
    private _zoneData: WindZoneData | null = null;
    private _zone: WindZoneVolume | null = null;

    private constructor(private readonly _wind: WindData) {}

    get zone(): WindZoneVolume | null {
        const { zone } = this._wind;
        if (zone !== this._zoneData) this._zone = zone && new WindZoneVolume(zone);
        this._zoneData = zone;
        return this._zone;
    }

    get isActive(): boolean {
        const { x, y, z } = this._wind.velocity;
        return x !== 0 || y !== 0 || z !== 0;
    }

    /** The field of a wind: one, for all that it blows on. */
    static forWind(wind: WindData): WindField {
        return windFieldOf(wind) ?? registerWindField(wind, new GustyWind(wind));
    }

    sample(clock: WorldClock, uniforms: Float32Array): void {
        const { turbulence, gustLength, seed } = this._wind;
        const { _velocity: velocity, zone } = this;
        velocity[0] = this._wind.velocity.x;
        velocity[1] = this._wind.velocity.y;
        velocity[2] = this._wind.velocity.z;
        zone?.rotateToWorld(velocity);
        let x = velocity[0];
        let y = velocity[1];
        let z = velocity[2];
        let speed = Math.sqrt(x * x + y * y + z * z);
        // A vector changed in place is not checked by the setter; air that is not finite is none.
        uniforms[Uniform.airDensity] = speed < Infinity ? this._wind.airDensity : 0;
        if (!(speed < Infinity)) return;
        uniforms[Uniform.drag] = this._wind.drag;
        uniforms[Uniform.skinFriction] = this._wind.skinFriction;
        if (speed > MAX_SPEED) {
            velocity[0] = x *= MAX_SPEED / speed;
            velocity[1] = y *= MAX_SPEED / speed;
            velocity[2] = z *= MAX_SPEED / speed;
            speed = MAX_SPEED;
        }
        const inverse = speed > 0 ? 1 / speed : 0;
        this._updateVelocity(clock);
        const time = clock.worldTime;
        const t = this._passedGusts + (time - this._rateChangeTime) * this._gustRate;
        const swing = turbulence * speed;
        const strength = 1 + turbulence * noise(0.5 * t, seed);
        uniforms[Uniform.windVelocity] = x * strength + 0.5 * swing * noise(0.7 * t, seed + 1);
        uniforms[Uniform.windVelocity + 1] = y * strength + 0.25 * swing * noise(0.6 * t, seed + 2);
        uniforms[Uniform.windVelocity + 2] = z * strength + 0.5 * swing * noise(0.8 * t, seed + 3);
        // The travelling gust blows with the wind and, with noise, across it.
        const across = 0.6 * swing * noise(0.9 * t, seed + 4);
        uniforms[Uniform.gustVelocity] = swing * x * inverse * 0.7 + across * z * inverse;
        uniforms[Uniform.gustVelocity + 1] = swing * y * inverse * 0.7 + 0.3 * across;
        uniforms[Uniform.gustVelocity + 2] = swing * z * inverse * 0.7 - across * x * inverse;
        const { _axis: axis } = this;
        uniforms[Uniform.gustWave] = axis[0] / gustLength;
        uniforms[Uniform.gustWave + 1] = (axis[1] + 0.3) / gustLength;
        uniforms[Uniform.gustWave + 2] = axis[2] / gustLength;
        const phase = this._travelledGusts + (time - this._rateChangeTime) * this._travelRate;
        uniforms[Uniform.gustPhase] = phase - Math.floor(phase);
    }

    addToAir(kernels: Kernels, particles: ParticleArrays, air: AirArrays): void {
        kernels.add(windKernels);
        if (this.zone) this.zone.add(kernels, particles, air);
        else kernels.addWind(particles, air);
    }

    /** Takes in a velocity that may have changed. Its numbers as arguments would be boxed. */
    private _updateVelocity(clock: WorldClock): void {
        const { _axis: axis } = this;
        const { gustLength } = this._wind;
        const x = this._velocity[0];
        const y = this._velocity[1];
        const z = this._velocity[2];
        const speed = Math.sqrt(x * x + y * y + z * z);
        const inverse = speed > 0 ? 1 / speed : 0;
        const time = clock.worldTime;
        if ((axis[0] * x + axis[1] * y + axis[2] * z) * inverse < AXIS_COSINE && inverse > 0) {
            axis[0] = x * inverse;
            axis[1] = y * inverse;
            axis[2] = z * inverse;
        }
        const rate = inverse > 0 ? 1 / (inverse * gustLength) : 0;
        const travelRate = (axis[0] * x + axis[1] * y + axis[2] * z) / gustLength;
        if (rate === this._gustRate && travelRate === this._travelRate) return;
        // From the beginning, unless it has blown before.
        if (this._gustRate > 0) {
            this._passedGusts += (time - this._rateChangeTime) * this._gustRate;
            this._travelledGusts += (time - this._rateChangeTime) * this._travelRate;
            this._rateChangeTime = time;
        }
        this._gustRate = rate;
        this._travelRate = travelRate;
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
