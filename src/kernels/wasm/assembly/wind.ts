/** Wind; specification: scalar/wind.ts. */
import { cross, dotRows, splat0, splat1, splat2, splat3, squaredLengths, xyz0 } from "./lanes";
import {
    UNIFORM_DRAG_TIME, UNIFORM_GUST_PHASE, UNIFORM_GUST_VELOCITY, UNIFORM_GUST_WAVE, UNIFORM_SUBSTEP,
    UNIFORM_WIND_VELOCITY,
} from "./slots";

/** Sum of three rows. */
// @ts-ignore: decorator
@inline
function sumOf(base: usize, a: usize, b: usize, c: usize): v128 {
    return f32x4.add(f32x4.add(v128.load(base + a), v128.load(base + b)), v128.load(base + c));
}

/** Normal (b-a)×(c-a) of a triangle. */
// @ts-ignore: decorator
@inline
function normalOf(x: usize, a: usize, b: usize, c: usize): v128 {
    const pa = v128.load(x + a);
    return cross(f32x4.sub(v128.load(x + b), pa), f32x4.sub(v128.load(x + c), pa));
}

// @ts-ignore: decorator
@inline
function subtractFrom(row: usize, v: v128): void {
    v128.store(row, f32x4.sub(v128.load(row), v));
}

/** Four scalars from an array. */
// @ts-ignore: decorator
@inline
function gather(base: usize, i0: usize, i1: usize, i2: usize, i3: usize): v128 {
    let v = v128.load32_zero(base + (i0 >> 2));
    v = v128.load32_lane(base + (i1 >> 2), v, 1);
    v = v128.load32_lane(base + (i2 >> 2), v, 2);
    return v128.load32_lane(base + (i3 >> 2), v, 3);
}

/**
 * Four triangles at once: their velocities are read before any of the four pushes. Impulses are added one triangle
 * after the other, so that triangles of a group may share particles.
 */
export function applyWind(
    x: usize, previous: usize, inverseMasses: usize, triangles: usize, triangleCount: usize, uniforms: usize,
): void {
    const zero = f32x4.splat(0);
    const one = f32x4.splat(1);
    const half = f32x4.splat(0.5);
    const substep = load<f32>(uniforms, UNIFORM_SUBSTEP);
    const third = f32x4.splat(1 / (substep * 3));
    const stepThird = f32x4.splat(substep / 3);
    const halfDrag = f32x4.splat(0.5 * load<f32>(uniforms, UNIFORM_DRAG_TIME));
    const wind = xyz0(v128.load(uniforms, UNIFORM_WIND_VELOCITY));
    const gustVelocity = xyz0(v128.load(uniforms, UNIFORM_GUST_VELOCITY));
    const gustWave = xyz0(v128.load(uniforms, UNIFORM_GUST_WAVE));
    const phase = v128.load32_splat(uniforms, UNIFORM_GUST_PHASE);
    for (let t: usize = 0; t < triangleCount; t += 4) {
        const last = triangleCount - 1;
        const t0 = triangles + t * 12;
        const t1 = triangles + min(t + 1, last) * 12;
        const t2 = triangles + min(t + 2, last) * 12;
        const t3 = triangles + min(t + 3, last) * 12;
        const a0 = <usize>load<u32>(t0) << 4, b0 = <usize>load<u32>(t0, 4) << 4, c0 = <usize>load<u32>(t0, 8) << 4;
        const a1 = <usize>load<u32>(t1) << 4, b1 = <usize>load<u32>(t1, 4) << 4, c1 = <usize>load<u32>(t1, 8) << 4;
        const a2 = <usize>load<u32>(t2) << 4, b2 = <usize>load<u32>(t2, 4) << 4, c2 = <usize>load<u32>(t2, 8) << 4;
        const a3 = <usize>load<u32>(t3) << 4, b3 = <usize>load<u32>(t3, 4) << 4, c3 = <usize>load<u32>(t3, 8) << 4;
        const n0 = normalOf(x, a0, b0, c0);
        const n1 = normalOf(x, a1, b1, c1);
        const n2 = normalOf(x, a2, b2, c2);
        const n3 = normalOf(x, a3, b3, c3);
        // Wind relative to the mean velocity of the corners, without the gust.
        const r0 = f32x4.sub(wind, f32x4.mul(f32x4.sub(sumOf(x, a0, b0, c0), sumOf(previous, a0, b0, c0)), third));
        const r1 = f32x4.sub(wind, f32x4.mul(f32x4.sub(sumOf(x, a1, b1, c1), sumOf(previous, a1, b1, c1)), third));
        const r2 = f32x4.sub(wind, f32x4.mul(f32x4.sub(sumOf(x, a2, b2, c2), sumOf(previous, a2, b2, c2)), third));
        const r3 = f32x4.sub(wind, f32x4.mul(f32x4.sub(sumOf(x, a3, b3, c3), sumOf(previous, a3, b3, c3)), third));
        const doubleArea = f32x4.sqrt(squaredLengths(n0, n1, n2, n3));
        const steady = dotRows(n0, r0, n1, r1, n2, r2, n3, r3);
        const gusty = dotRows(n0, gustVelocity, n1, gustVelocity, n2, gustVelocity, n3, gustVelocity);
        const cycles = f32x4.sub(
            dotRows(
                v128.load(x + a0), gustWave, v128.load(x + a1), gustWave,
                v128.load(x + a2), gustWave, v128.load(x + a3), gustWave,
            ),
            phase,
        );
        const fraction = f32x4.sub(cycles, f32x4.floor(cycles));
        const isFirstHalf = f32x4.lt(fraction, half);
        const h = v128.bitselect(fraction, f32x4.sub(fraction, half), isFirstHalf);
        const parabola = f32x4.mul(f32x4.mul(f32x4.splat(16), h), f32x4.sub(half, h));
        const gust = v128.bitselect(parabola, f32x4.neg(parabola), isFirstHalf);
        const crossing = f32x4.add(steady, f32x4.mul(gusty, gust));
        const wa = gather(inverseMasses, a0, a1, a2, a3);
        const wb = gather(inverseMasses, b0, b1, b2, b3);
        const wc = gather(inverseMasses, c0, c1, c2, c3);
        const mobility = f32x4.add(f32x4.add(wa, wb), wc);
        const implicit = f32x4.add(
            one, f32x4.mul(f32x4.mul(f32x4.mul(halfDrag, doubleArea), mobility), f32x4.splat(<f32>(2.0 / 3.0))),
        );
        const k = v128.and(
            f32x4.mul(f32x4.div(f32x4.mul(halfDrag, crossing), f32x4.mul(doubleArea, implicit)), stepThird),
            f32x4.gt(doubleArea, zero),
        );
        const ka = f32x4.mul(k, wa);
        const kb = f32x4.mul(k, wb);
        const kc = f32x4.mul(k, wc);
        subtractFrom(previous + a0, f32x4.mul(n0, splat0(ka)));
        subtractFrom(previous + b0, f32x4.mul(n0, splat0(kb)));
        subtractFrom(previous + c0, f32x4.mul(n0, splat0(kc)));
        if (t + 1 > last) return;
        subtractFrom(previous + a1, f32x4.mul(n1, splat1(ka)));
        subtractFrom(previous + b1, f32x4.mul(n1, splat1(kb)));
        subtractFrom(previous + c1, f32x4.mul(n1, splat1(kc)));
        if (t + 2 > last) return;
        subtractFrom(previous + a2, f32x4.mul(n2, splat2(ka)));
        subtractFrom(previous + b2, f32x4.mul(n2, splat2(kb)));
        subtractFrom(previous + c2, f32x4.mul(n2, splat2(kc)));
        if (t + 3 > last) return;
        subtractFrom(previous + a3, f32x4.mul(n3, splat3(ka)));
        subtractFrom(previous + b3, f32x4.mul(n3, splat3(kb)));
        subtractFrom(previous + c3, f32x4.mul(n3, splat3(kc)));
    }
}
