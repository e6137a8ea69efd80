import { Uniform } from "../layout";
import type { AirArrays, ParticleArrays } from "../layout";

/**
 * A wind that blows everywhere: windVelocity + gustVelocity · wave(gustWave · x - gustPhase) is added to the velocity of the air
 * at each particle, and there is air. The wave is a smooth periodic curve made of two parabolas.
 */
export function addWind(particles: ParticleArrays, air: AirArrays): void {
    const { positions: x, uniforms, paddedCount } = particles;
    const { pushes: velocities } = air;
    const wind = Uniform.windVelocity;
    const gust = Uniform.gustVelocity;
    const kx = uniforms[Uniform.gustWave];
    const ky = uniforms[Uniform.gustWave + 1];
    const kz = uniforms[Uniform.gustWave + 2];
    const phase = uniforms[Uniform.gustPhase];
    for (let o = 0, end = paddedCount * 4; o < end; o += 4) {
        const strength = wave(kx * x[o] + ky * x[o + 1] + kz * x[o + 2] - phase);
        for (let c = 0; c < 3; c++) velocities[o + c] += uniforms[wind + c] + uniforms[gust + c] * strength;
        velocities[o + 3] = 1;
    }
}

/** A smooth wave of period 1 and amplitude 1: sin(2πt) with each half replaced by a parabola. */
function wave(t: number): number {
    const f = t - Math.floor(t);
    const h = f < 0.5 ? f : f - 0.5;
    const parabola = 16 * h * (0.5 - h);
    return f < 0.5 ? parabola : -parabola;
}
