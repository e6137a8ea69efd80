/** Winds. Four particles at once, as columns. */
import { dotColumns, joinHigh, joinLow, splat0, splat1, splat2, splat3, square, zipHigh, zipLow } from "./simd";
import { AirArrays, ParticleArrays, Uniform, rowOffset } from "./layout.generated";

/** See wave() in test/reference/wind.ts. */
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

// @ts-ignore: decorator
@inline
function column0(a0: v128, a1: v128, a2: v128, a3: v128): v128 {
    return joinLow(zipLow(a0, a1), zipLow(a2, a3));
}

// @ts-ignore: decorator
@inline
function column1(a0: v128, a1: v128, a2: v128, a3: v128): v128 {
    return joinHigh(zipLow(a0, a1), zipLow(a2, a3));
}

// @ts-ignore: decorator
@inline
function column2(a0: v128, a1: v128, a2: v128, a3: v128): v128 {
    return joinLow(zipHigh(a0, a1), zipHigh(a2, a3));
}

/** The gust at four particles. */
// @ts-ignore: decorator
@inline
function gustAt(x: usize, uniforms: usize): v128 {
    const a0 = v128.load(x, 0);
    const a1 = v128.load(x, 16);
    const a2 = v128.load(x, 32);
    const a3 = v128.load(x, 48);
    const cycles = dotColumns(
        column0(a0, a1, a2, a3), column1(a0, a1, a2, a3), column2(a0, a1, a2, a3),
        v128.load32_splat(uniforms, Uniform.gustWave),
        v128.load32_splat(uniforms, Uniform.gustWave + 4),
        v128.load32_splat(uniforms, Uniform.gustWave + 8),
    );
    return wave(f32x4.sub(cycles, v128.load32_splat(uniforms, Uniform.gustPhase)));
}

/** Coordinate `c` of four particles in the zone's unit frame. */
// @ts-ignore: decorator
@inline
function unitOf(x: usize, uniforms: usize, c: usize): v128 {
    const a0 = v128.load(x, 0);
    const a1 = v128.load(x, 16);
    const a2 = v128.load(x, 32);
    const a3 = v128.load(x, 48);
    const sum = dotColumns(
        column0(a0, a1, a2, a3), column1(a0, a1, a2, a3), column2(a0, a1, a2, a3),
        v128.load32_splat(uniforms + c * 4, Uniform.zone),
        v128.load32_splat(uniforms + c * 4, Uniform.zone + 16),
        v128.load32_splat(uniforms + c * 4, Uniform.zone + 32),
    );
    return f32x4.add(sum, v128.load32_splat(uniforms + c * 4, Uniform.zone + 48));
}

// @ts-ignore: decorator
@inline
function strengthAt(distance: v128, uniforms: usize): v128 {
    const one = f32x4.splat(1);
    const edge = v128.load32_splat(uniforms, Uniform.zoneEdge);
    const s = f32x4.pmax(f32x4.splat(0), f32x4.pmin(one, f32x4.mul(f32x4.sub(one, distance), edge)));
    return f32x4.mul(square(s), f32x4.sub(f32x4.splat(3), f32x4.mul(f32x4.splat(2), s)));
}

/** Adds a wind to a row of the air; where it is strong, the density is the uniforms'. */
// @ts-ignore: decorator
@inline
function add(row: usize, uniforms: usize, gust: v128, strength: v128, share: v128): void {
    const before = v128.load(row);
    const wind = v128.load(uniforms, Uniform.windVelocity);
    const blowing = f32x4.add(wind, f32x4.mul(v128.load(uniforms, Uniform.gustVelocity), gust));
    const sum = f32x4.add(before, f32x4.mul(blowing, share));
    v128.store(row, v128.shuffle<f32>(sum, f32x4.sub(before, f32x4.mul(before, strength)), 0, 1, 2, 7));
}

// @ts-ignore: decorator
@inline
function addFour(rows: usize, uniforms: usize, gust: v128, strength: v128, share: v128): void {
    add(rows, uniforms, splat0(gust), splat0(strength), splat0(share));
    add(rows + 16, uniforms, splat1(gust), splat1(strength), splat1(share));
    add(rows + 32, uniforms, splat2(gust), splat2(strength), splat2(share));
    add(rows + 48, uniforms, splat3(gust), splat3(strength), splat3(share));
}

export function addWind(particles: ParticleArrays, air: AirArrays): void {
    const uniforms = particles.uniforms;
    const one = f32x4.splat(1);
    let rows = air.airMotion;
    let x = particles.positions;
    const end = x + rowOffset(particles.paddedCount);
    for (; x < end; x += 64, rows += 64) addFour(rows, uniforms, gustAt(x, uniforms), one, one);
}

export function addBoxWind(particles: ParticleArrays, air: AirArrays): void {
    const uniforms = particles.uniforms;
    let rows = air.airMotion;
    let x = particles.positions;
    const end = x + rowOffset(particles.paddedCount);
    for (; x < end; x += 64, rows += 64) {
        const u = f32x4.abs(unitOf(x, uniforms, 0));
        const v = f32x4.abs(unitOf(x, uniforms, 1));
        const w = f32x4.abs(unitOf(x, uniforms, 2));
        const strength = strengthAt(f32x4.mul(f32x4.splat(2), f32x4.pmax(f32x4.pmax(u, v), w)), uniforms);
        addFour(rows, uniforms, gustAt(x, uniforms), strength, strength);
    }
}

export function addSphereWind(particles: ParticleArrays, air: AirArrays): void {
    const uniforms = particles.uniforms;
    let rows = air.airMotion;
    let x = particles.positions;
    const end = x + rowOffset(particles.paddedCount);
    for (; x < end; x += 64, rows += 64) {
        const u = unitOf(x, uniforms, 0);
        const v = unitOf(x, uniforms, 1);
        const w = unitOf(x, uniforms, 2);
        const distance = f32x4.mul(f32x4.splat(2), f32x4.sqrt(dotColumns(u, v, w, u, v, w)));
        const strength = strengthAt(distance, uniforms);
        addFour(rows, uniforms, gustAt(x, uniforms), strength, strength);
    }
}

export function addConeWind(particles: ParticleArrays, air: AirArrays): void {
    const uniforms = particles.uniforms;
    const zero = f32x4.splat(0);
    const one = f32x4.splat(1);
    let rows = air.airMotion;
    let x = particles.positions;
    const end = x + rowOffset(particles.paddedCount);
    for (; x < end; x += 64, rows += 64) {
        const u = unitOf(x, uniforms, 0);
        const v = unitOf(x, uniforms, 1);
        const w = unitOf(x, uniforms, 2);
        const slowing = f32x4.div(one, f32x4.add(one, f32x4.pmax(w, zero)));
        const aside = f32x4.sqrt(f32x4.add(square(u), square(v)));
        const distance = f32x4.pmax(w, f32x4.mul(f32x4.mul(f32x4.splat(4), aside), slowing));
        const strength = v128.and(strengthAt(distance, uniforms), f32x4.ge(w, zero));
        addFour(rows, uniforms, gustAt(x, uniforms), strength, f32x4.mul(strength, slowing));
    }
}
