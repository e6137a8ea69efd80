import { ROW, rowOf, Uniform } from "../../src/kernels/layout";
import type { AirArrays, ParticleArrays } from "../../src/kernels/layout";

/**
 * A wind that blows everywhere: windVelocity + gustVelocity · wave(gustWave · x - gustPhase) is added to the velocity of the air
 * at each particle. The wave is a smooth periodic curve made of two parabolas.
 */
export function addWind(particles: ParticleArrays, air: AirArrays): void {
    const { uniforms, paddedCount } = particles;
    for (let o = 0, end = rowOf(paddedCount); o < end; o += ROW) {
        add(air.airMotion, o, uniforms, gustAt(particles.positions, o, uniforms), 1, 1);
    }
}

/** In a cube of side 1 in the zone's frame. */
export function addBoxWind(particles: ParticleArrays, air: AirArrays): void {
    const { positions: x, uniforms, paddedCount } = particles;
    for (let o = 0, end = rowOf(paddedCount); o < end; o += ROW) {
        const u = unitOf(x, o, uniforms, 0);
        const v = unitOf(x, o, uniforms, 1);
        const w = unitOf(x, o, uniforms, 2);
        const distance = 2 * Math.max(Math.abs(u), Math.abs(v), Math.abs(w));
        add(air.airMotion, o, uniforms, gustAt(x, o, uniforms), strengthAt(distance, uniforms), 1);
    }
}

/** In a ball of diameter 1. */
export function addSphereWind(particles: ParticleArrays, air: AirArrays): void {
    const { positions: x, uniforms, paddedCount } = particles;
    for (let o = 0, end = rowOf(paddedCount); o < end; o += ROW) {
        const u = unitOf(x, o, uniforms, 0);
        const v = unitOf(x, o, uniforms, 1);
        const w = unitOf(x, o, uniforms, 2);
        const distance = 2 * Math.sqrt(u * u + v * v + w * w);
        add(air.airMotion, o, uniforms, gustAt(x, o, uniforms), strengthAt(distance, uniforms), 1);
    }
}

/**
 * In a cone along w from 0 to 1, of radius ¼ (1 + w): a jet, whose momentum, speed × radius squared, is constant: its speed is 1 / (1 + w).
 *
 *     ▌⟋‾‾‾
 *     ▌ ──→ w        ▌ fan
 *     ▌⟍___
 */
export function addConeWind(particles: ParticleArrays, air: AirArrays): void {
    const { positions: x, uniforms, paddedCount } = particles;
    for (let o = 0, end = rowOf(paddedCount); o < end; o += ROW) {
        const u = unitOf(x, o, uniforms, 0);
        const v = unitOf(x, o, uniforms, 1);
        const w = unitOf(x, o, uniforms, 2);
        const slowing = 1 / (1 + Math.max(w, 0));
        const distance = w < 0 ? 2 : Math.max(w, 4 * Math.sqrt(u * u + v * v) * slowing);
        add(air.airMotion, o, uniforms, gustAt(x, o, uniforms), strengthAt(distance, uniforms), slowing);
    }
}

/** Coordinate `c` of a particle in the zone's unit frame. */
function unitOf(x: Float32Array, o: number, uniforms: Float32Array, c: number): number {
    const m = Uniform.zone + c;
    return x[o] * uniforms[m] + x[o + 1] * uniforms[m + 4] + x[o + 2] * uniforms[m + 8] + uniforms[m + 12];
}

/** Strength of the wind, with a smooth onset, at a distance from a zone's middle, 1 at its edge. */
function strengthAt(distance: number, uniforms: Float32Array): number {
    const s = Math.max(0, Math.min(1, (1 - distance) * uniforms[Uniform.zoneEdge]));
    return s * s * (3 - 2 * s);
}

function gustAt(x: Float32Array, o: number, uniforms: Float32Array): number {
    const k = Uniform.gustWave;
    return wave(uniforms[k] * x[o] + uniforms[k + 1] * x[o + 1] + uniforms[k + 2] * x[o + 2] - uniforms[Uniform.gustPhase]);
}

/** Adds a wind to a row of the air; where it is strong, the density is the uniforms'. */
function add(rows: Float32Array, o: number, uniforms: Float32Array, gust: number, strength: number, speed: number): void {
    const share = strength * speed;
    for (let c = 0; c < 3; c++) {
        rows[o + c] += (uniforms[Uniform.windVelocity + c] + uniforms[Uniform.gustVelocity + c] * gust) * share;
    }
    rows[o + 3] -= rows[o + 3] * strength;
}

/** A smooth wave of period 1 and amplitude 1: sin(2πt) with each half replaced by a parabola. */
function wave(t: number): number {
    const f = t - Math.floor(t);
    const h = f < 0.5 ? f : f - 0.5;
    const parabola = 16 * h * (0.5 - h);
    return f < 0.5 ? parabola : -parabola;
}
