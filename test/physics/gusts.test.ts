import { describe, expect, test } from "@jest/globals";
import { Uniform } from "../../src/kernels/layout";
import { GustyWind } from "../../src/engine/index";
import type { WindData } from "../../src/engine/index";

const SPEED = 4.4;
const BREEZE: WindData = {
    velocity: { x: SPEED, y: 0, z: 0 },
    turbulence: 0.3,
    gustLength: 50,
    airDensity: 1.2,
    drag: 1.2,
    skinFriction: 0.02,
    seed: 0,
    zone: null,
};

/** Velocity of a wind at a place, in the world, at 20 Hz [m/s]. */
function record(wind: WindData, seconds: number, place: readonly number[] = [0, 0, 0]): number[][] {
    const uniforms = new Float32Array(Uniform.count);
    const field = GustyWind.forWind(wind);
    return Array.from({ length: 20 * seconds }, (_, i) => {
        uniforms.set([0, 0, 0], Uniform.middle);
        field.sample({ worldTime: i / 20 }, uniforms, place);
        const cycles = place.reduce((sum, x, c) => sum + x * uniforms[Uniform.gustWave + c], -uniforms[Uniform.gustPhase]);
        const wave = Math.sin(2 * Math.PI * cycles);
        return [0, 1, 2].map((c) => uniforms[Uniform.windVelocity + c] + uniforms[Uniform.gustVelocity + c] * wave);
    });
}

const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;

/** Means over a time, one after the other. */
function means(values: readonly number[], seconds: number, every: number): number[] {
    const result: number[] = [];
    for (let i = 0; i + 20 * seconds <= values.length; i += every) result.push(mean(values.slice(i, i + 20 * seconds)));
    return result;
}

function correlation(a: readonly number[], b: readonly number[]): number {
    const [ma, mb] = [mean(a), mean(b)];
    const product = (p: readonly number[], mp: number, q: readonly number[], mq: number): number =>
        mean(p.map((x, i) => (x - mp) * (q[i] - mq)));
    return product(a, ma, b, mb) / Math.sqrt(product(a, ma, a, ma) * product(b, mb, b, mb));
}

describe("wind at a point, near the ground", () => {
    const seeds = Array.from({ length: 20 }, (_, i) => i);

    test("two minutes of a breeze: gust factor of three seconds, lulls of ten, a direction that wanders", () => {
        const records = seeds.map((seed) => record({ ...BREEZE, seed }, 120));
        const speeds = records.map((values) => values.map(([x]) => x));
        const factors = speeds.map((u) => Math.max(...means(u, 3, 5)) / mean(u));
        const spreads = speeds.map((u) => {
            const ten = means(u, 10, 200);
            return (Math.max(...ten) - Math.min(...ten)) / 2 / mean(u);
        });
        const turns = records.map((values) => {
            const angles = means(
                values.map(([x, , z]) => Math.atan2(z, x)),
                3,
                60,
            );
            return Math.sqrt(mean(angles.map((a) => a * a)));
        });
        expect(mean(factors)).toBeGreaterThan(1.4);
        expect(mean(factors)).toBeLessThan(1.7);
        expect(mean(spreads)).toBeGreaterThan(0.25);
        expect(mean(spreads)).toBeLessThan(0.4);
        expect(mean(turns)).toBeGreaterThan(0.07);
        expect(mean(turns)).toBeLessThan(0.3);
        expect(Math.abs(mean(speeds.map(mean)) / SPEED - 1)).toBeLessThan(0.05);
    });

    test("is as in its neighbourhood, and otherwise far away; downwind it comes later", () => {
        const together = (place: readonly number[], delay = 0): number =>
            mean(
                seeds.map((seed) => {
                    const here = record({ ...BREEZE, seed }, 120).map(([x]) => x);
                    const there = record({ ...BREEZE, seed }, 120, place).map(([x]) => x);
                    return correlation(here.slice(0, here.length - delay), there.slice(delay));
                }),
            );
        expect(together([0, 0, 2])).toBeGreaterThan(0.85);
        expect(together([0, 0, 100])).toBeLessThan(0.3);
        expect(together([22, 0, 0])).toBeLessThan(0.6);
        expect(together([22, 0, 0], 100)).toBeGreaterThan(0.9);
    });

    test("has no gust of its own length: energy in every octave, most in the longest", () => {
        const power = [0.1, 0.2, 0.4, 0.8].map((hertz) =>
            mean(
                seeds.map((seed) => {
                    const u = record({ ...BREEZE, seed }, 120).map(([x]) => x - SPEED);
                    let [re, im] = [0, 0];
                    u.forEach((x, i) => {
                        re += x * Math.cos((2 * Math.PI * hertz * i) / 20);
                        im += x * Math.sin((2 * Math.PI * hertz * i) / 20);
                    });
                    return re * re + im * im;
                }),
            ),
        );
        for (let k = 0; k + 1 < power.length; k++) expect(power[k + 1]).toBeLessThan(power[k]);
        expect(power[3]).toBeGreaterThan(1e-3 * power[0]);
    });

    test("a gust that is longer than the wind's speed allows does not blow backwards", () => {
        for (const [x] of record({ ...BREEZE, turbulence: 3 }, 120)) expect(x).toBeGreaterThan(-2 * SPEED);
    });
});
