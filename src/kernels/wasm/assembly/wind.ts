/** Winds; specification: scalar/wind.ts. */
import { dotColumns, hoist, joinHigh, joinLow, splat0, splat1, splat2, splat3, zipHigh, zipLow } from "./lanes";
import { AirArrays, ParticleArrays, Uniform, rowOffset } from "./layout.generated";

/** See wave() in the specification. */
// @ts-ignore: decorator
@inline
function wave(cycles: v128): v128 {
    const half = f32x4.splat(0.5);
    const fraction = f32x4.sub(cycles, f32x4.floor(cycles));
    const isFirstHalf = f32x4.lt(fraction, half);
    const h = v128.bitselect(fraction, f32x4.sub(fraction, half), isFirstHalf);
    const parabola = f32x4.mul(f32x4.mul(f32x4.splat(16), h), f32x4.sub(half, h));
    return v128.bitselect(parabola, f32x4.neg(parabola), isFirstHalf);
}

/** Adds a wind to a row of the air, and says that there is air. */
// @ts-ignore: decorator
@inline
function add(row: usize, wind: v128, gust: v128, strength: v128): void {
    const sum = f32x4.add(v128.load(row), f32x4.add(wind, f32x4.mul(gust, strength)));
    v128.store(row, f32x4.replace_lane(sum, 3, 1));
}

export function addWind(particles: ParticleArrays, air: AirArrays): void {
    const uniforms = particles.uniforms;
    const wind = hoist(v128.load(uniforms, Uniform.windVelocity), 0);
    const gust = hoist(v128.load(uniforms, Uniform.gustVelocity), 1);
    const waveX = v128.load32_splat(uniforms, Uniform.gustWave);
    const waveY = v128.load32_splat(uniforms, Uniform.gustWave + 4);
    const waveZ = v128.load32_splat(uniforms, Uniform.gustWave + 8);
    const phase = v128.load32_splat(uniforms, Uniform.gustPhase);
    let row = air.pushes;
    let x = particles.positions;
    const end = x + rowOffset(particles.paddedCount);
    for (; x < end; x += 64, row += 64) {
        const a0 = v128.load(x, 0);
        const a1 = v128.load(x, 16);
        const a2 = v128.load(x, 32);
        const a3 = v128.load(x, 48);
        const xy01 = zipLow(a0, a1);
        const xy23 = zipLow(a2, a3);
        const z = joinLow(zipHigh(a0, a1), zipHigh(a2, a3));
        const cycles = dotColumns(joinLow(xy01, xy23), joinHigh(xy01, xy23), z, waveX, waveY, waveZ);
        const strength = wave(f32x4.sub(cycles, phase));
        add(row, wind, gust, splat0(strength));
        add(row + 16, wind, gust, splat1(strength));
        add(row + 32, wind, gust, splat2(strength));
        add(row + 48, wind, gust, splat3(strength));
    }
}
