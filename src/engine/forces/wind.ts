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

/** A wind in numbers: a mean velocity, gusts that travel with it, and what its air is. */
export interface WindData {
    /** Mean velocity in world axes [m/s]; what is not finite does not blow. */
    readonly velocity: VectorLike;
    /** Strength of gusts as a share of the speed, >= 0. */
    readonly turbulence: number;
    /** Length of the longest gusts along the wind [m], > 0. */
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

/** Octaves of gusts that a body meets as a whole; the next one travels over it as a wave. */
const OCTAVES = 4;
/** Ratio of the speeds of an octave and the next longer one: Kolmogorov's law, speed ∝ length^⅓. */
const OCTAVE_RATIO = 0.7937005259840998;
/** Speeds of gusts along the wind, across it and up, per turbulence and speed of the wind. */
const GUST_SCALES = [1.25, 0.9, 0.45];
/** Width of a gust over its length. */
const GUST_WIDTH = 0.5;

/** Along and across the wind [gust lengths]: argument of addOctave, as are the sums its results. A fraction as an argument would be boxed. */
const gustPlace = new Float64Array(2);
const gustSums = new Float64Array(3);
const side = new Float64Array(3);

/**
 * The field of a wind in numbers, which may change at any time: its gusts go on from where they are. They are frozen into the air that travels along
 * a fixed axis (Taylor's hypothesis), a sum of octaves of smooth noise over the place along the axis and across it:
 *
 *     u / U = 1 + turbulence Σ 2^(-k/3) noise(2^k place / gustLength),  k = 0 … 3, and as a wave over the body k = 4
 *
 * so that what is near meets the same gust, and each gust is met by what is downwind of it, later.
 */
export class GustyWind implements WindField {
    /** Time of the last change of the travel's rate [s], and the gust lengths that had passed the world's origin until then. */
    private _rateChangeTime = 0;
    private _travelled = 0;
    /** Gust lengths a second. */
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

    sample(clock: WorldClock, uniforms: Float32Array, origin: ArrayLike<number>): void {
        const { turbulence } = this._wind;
        const { _velocity: velocity, zone } = this;
        velocity[0] = this._wind.velocity.x;
        velocity[1] = this._wind.velocity.y;
        velocity[2] = this._wind.velocity.z;
        zone?.rotateToWorld(velocity);
        const x = velocity[0];
        const y = velocity[1];
        const z = velocity[2];
        let speed = Math.sqrt(x * x + y * y + z * z);
        // A vector changed in place is not checked by the setter; air that is not finite is none.
        uniforms[Uniform.airDensity] = speed < Infinity ? this._wind.airDensity : 0;
        if (!(speed < Infinity)) return;
        uniforms[Uniform.drag] = this._wind.drag;
        uniforms[Uniform.skinFriction] = this._wind.skinFriction;
        if (speed > MAX_SPEED) {
            velocity[0] *= MAX_SPEED / speed;
            velocity[1] *= MAX_SPEED / speed;
            velocity[2] *= MAX_SPEED / speed;
            speed = MAX_SPEED;
        }
        this._updateVelocity(clock);
        for (let c = 0; c < 3; c++) uniforms[Uniform.windVelocity + c] = velocity[c];
        const swing = turbulence * speed;
        if (swing > 0) this._addGusts(clock, uniforms, origin);
        else uniforms.fill(0, Uniform.gustVelocity, Uniform.gustPhase + 1);
    }

    private _addGusts(clock: WorldClock, uniforms: Float32Array, origin: ArrayLike<number>): void {
        const { _axis: axis, _velocity: velocity } = this;
        const { turbulence, gustLength, seed } = this._wind;
        const swing = turbulence * Math.sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2]);
        writeSide(axis);
        const travelled = this._travelled + (clock.worldTime - this._rateChangeTime) * this._travelRate;
        let along = 0;
        let across = 0;
        for (let c = 0; c < 3; c++) {
            const place = uniforms[Uniform.middle + c] + origin[c];
            along += place * axis[c];
            across += place * side[c];
        }
        gustPlace[0] = along / gustLength - travelled;
        gustPlace[1] = across / (GUST_WIDTH * gustLength);
        // Where the axis is chosen anew, the gusts at the origin stay.
        writeSide(velocity);
        gustSums.fill(0);
        for (let k = 0; k < OCTAVES; k++) addOctave(k, seed);
        // Gusts do not turn the wind back.
        const gust = Math.max(GUST_SCALES[0] * gustSums[0], -1 / turbulence);
        addTurned(
            uniforms,
            Uniform.windVelocity,
            velocity,
            turbulence * gust,
            swing * GUST_SCALES[1] * gustSums[1],
            swing * GUST_SCALES[2] * gustSums[2],
        );
        gustSums.fill(0);
        addOctave(OCTAVES, seed);
        uniforms.fill(0, Uniform.gustVelocity, Uniform.gustVelocity + 3);
        addTurned(
            uniforms,
            Uniform.gustVelocity,
            velocity,
            turbulence * GUST_SCALES[0] * gustSums[0],
            swing * GUST_SCALES[1] * gustSums[1],
            swing * GUST_SCALES[2] * gustSums[2],
        );
        const waves = 2 ** OCTAVES / gustLength;
        uniforms[Uniform.gustWave] = axis[0] * waves;
        // Gusts lean.
        uniforms[Uniform.gustWave + 1] = (axis[1] + 0.3) * waves;
        uniforms[Uniform.gustWave + 2] = axis[2] * waves;
        const phase = 2 ** OCTAVES * travelled;
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
        const travelRate = (axis[0] * x + axis[1] * y + axis[2] * z) / gustLength;
        if (travelRate === this._travelRate) return;
        // From the beginning, unless it has blown before.
        if (this._travelRate !== 0) {
            this._travelled += (time - this._rateChangeTime) * this._travelRate;
            this._rateChangeTime = time;
        }
        this._travelRate = travelRate;
    }
}

/** Writes the level unit vector across a direction. */
function writeSide(direction: Float64Array): void {
    const level = Math.sqrt(direction[0] * direction[0] + direction[2] * direction[2]);
    side[0] = level > 0 ? direction[2] / level : 1;
    side[2] = level > 0 ? -direction[0] / level : 0;
}

/** Adds a vector to a slot of the uniforms: a share of the wind's velocity, and speeds across it and up [m/s]. */
function addTurned(uniforms: Float32Array, slot: number, velocity: Float64Array, share: number, across: number, up: number): void {
    for (let c = 0; c < 3; c++) uniforms[slot + c] += share * velocity[c] + across * side[c];
    uniforms[slot + 1] += up;
}

/**
 * Adds an octave of gusts at the place: smooth noise in [-1, 1] in each direction, random values at integers joined by smoothsteps. Same bits in every
 * engine.
 */
function addOctave(k: number, seed: number): void {
    let scale = 1;
    let strength = 1;
    for (let i = 0; i < k; i++) {
        scale *= 2;
        strength *= OCTAVE_RATIO;
    }
    const u = gustPlace[0] * scale;
    const v = gustPlace[1] * scale;
    const i = Math.floor(u);
    const j = Math.floor(v);
    const f = (u - i) * (u - i) * (3 - 2 * (u - i));
    const g = (v - j) * (v - j) * (3 - 2 * (v - j));
    for (let c = 0; c < 3; c++) {
        const lane = j * 64 + 8 * k + c;
        const near = random(i, lane, seed) * (1 - f) + random(i + 1, lane, seed) * f;
        const far = random(i, lane + 64, seed) * (1 - f) + random(i + 1, lane + 64, seed) * f;
        gustSums[c] += (strength * (near + (far - near) * g)) / 0x80000000;
    }
}

/** Integer hash of two integers and a seed, 32 bits with sign: a fraction would be boxed. */
function random(i: number, lane: number, seed: number): number {
    let h = Math.imul(i | 0, 0x9e3779b1) ^ Math.imul((seed * 1024) | 0, 0x85ebca6b) ^ Math.imul(lane | 0, 0xc2b2ae35);
    h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
    h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
    return h ^ (h >>> 15);
}
