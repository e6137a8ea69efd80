/**
 * Four floats at once. A *row* is one particle, x y z 0; a *column* is one coordinate of four particles. Kernels load
 * rows, since particles are addressed one by one, and turn them into columns where four results are wanted.
 *
 * Every function is inlined; the shuffles are those that one x86 or ARM instruction can do.
 */

import { Scratch, scratch } from "./layout.generated";

/**
 * A constant of a loop, held at place `i` (0..7) of the instance's scratch bytes. TurboFan moves pure
 * instructions into the loop that uses them, where they run in every turn; a load stays where it is.
 */
// @ts-ignore: decorator
@inline
export function hoist(v: v128, i: usize): v128 {
    const place = scratch + i * 16;
    v128.store(place, v, Scratch.constants);
    return v128.load(place, Scratch.constants);
}

/** Lane 0 in all lanes. */
// @ts-ignore: decorator
@inline
export function splat0(v: v128): v128 {
    return v128.shuffle<f32>(v, v, 0, 0, 0, 0);
}

/** Lane 1 in all lanes. */
// @ts-ignore: decorator
@inline
export function splat1(v: v128): v128 {
    return v128.shuffle<f32>(v, v, 1, 1, 1, 1);
}

/** Lane 2 in all lanes. */
// @ts-ignore: decorator
@inline
export function splat2(v: v128): v128 {
    return v128.shuffle<f32>(v, v, 2, 2, 2, 2);
}

/** Lane 3 in all lanes. */
// @ts-ignore: decorator
@inline
export function splat3(v: v128): v128 {
    return v128.shuffle<f32>(v, v, 3, 3, 3, 3);
}

/** a0 b0 a1 b1 */
// @ts-ignore: decorator
@inline
export function zipLow(a: v128, b: v128): v128 {
    return v128.shuffle<f32>(a, b, 0, 4, 1, 5);
}

/** a2 b2 a3 b3 */
// @ts-ignore: decorator
@inline
export function zipHigh(a: v128, b: v128): v128 {
    return v128.shuffle<f32>(a, b, 2, 6, 3, 7);
}

/** a0 a1 b0 b1 */
// @ts-ignore: decorator
@inline
export function joinLow(a: v128, b: v128): v128 {
    return v128.shuffle<f32>(a, b, 0, 1, 4, 5);
}

/** a2 a3 b2 b3 */
// @ts-ignore: decorator
@inline
export function joinHigh(a: v128, b: v128): v128 {
    return v128.shuffle<f32>(a, b, 2, 3, 6, 7);
}

/** x y z 0 of a vector whose last lane holds something else. */
// @ts-ignore: decorator
@inline
export function xyz0(v: v128): v128 {
    return f32x4.replace_lane(v, 3, 0);
}

// @ts-ignore: decorator
@inline
export function square(v: v128): v128 {
    return f32x4.mul(v, v);
}

/** The largest of four. */
// @ts-ignore: decorator
@inline
export function largestOf(v: v128): f32 {
    const pairs = f32x4.pmax(v, v128.shuffle<f32>(v, v, 2, 3, 0, 1));
    return max(f32x4.extract_lane(pairs, 0), f32x4.extract_lane(pairs, 1));
}

/** Sum of x y z of a row. */
// @ts-ignore: decorator
@inline
export function sum3(v: v128): f32 {
    return f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + f32x4.extract_lane(v, 2);
}

/** Three products summed, for dot products of columns. */
// @ts-ignore: decorator
@inline
export function dotColumns(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
    return f32x4.add(f32x4.add(f32x4.mul(ax, bx), f32x4.mul(ay, by)), f32x4.mul(az, bz));
}

/** Dot products of four pairs of rows. */
// @ts-ignore: decorator
@inline
export function dotRows(a0: v128, b0: v128, a1: v128, b1: v128, a2: v128, b2: v128, a3: v128, b3: v128): v128 {
    const p0 = f32x4.mul(a0, b0);
    const p1 = f32x4.mul(a1, b1);
    const p2 = f32x4.mul(a2, b2);
    const p3 = f32x4.mul(a3, b3);
    const xy01 = zipLow(p0, p1);
    const xy23 = zipLow(p2, p3);
    const z01 = zipHigh(p0, p1);
    const z23 = zipHigh(p2, p3);
    return f32x4.add(f32x4.add(joinLow(xy01, xy23), joinHigh(xy01, xy23)), joinLow(z01, z23));
}

/** Squared lengths of four rows. */
// @ts-ignore: decorator
@inline
export function squaredLengths(d0: v128, d1: v128, d2: v128, d3: v128): v128 {
    const xy01 = zipLow(d0, d1);
    const xy23 = zipLow(d2, d3);
    const z01 = zipHigh(d0, d1);
    const z23 = zipHigh(d2, d3);
    const x = joinLow(xy01, xy23);
    const y = joinHigh(xy01, xy23);
    const z = joinLow(z01, z23);
    return f32x4.add(f32x4.add(square(x), square(y)), square(z));
}

/** Cross product of two rows; the last lane stays 0. */
// @ts-ignore: decorator
@inline
export function cross(a: v128, b: v128): v128 {
    const c = f32x4.sub(
        f32x4.mul(a, v128.shuffle<f32>(b, b, 1, 2, 0, 3)),
        f32x4.mul(v128.shuffle<f32>(a, a, 1, 2, 0, 3), b),
    );
    return v128.shuffle<f32>(c, c, 1, 2, 0, 3);
}

/** Four columns x y z as rows of consecutive particles. */
// @ts-ignore: decorator
@inline
export function storeRows(rows: usize, x: v128, y: v128, z: v128): void {
    const zero = f32x4.splat(0);
    const xy01 = zipLow(x, y);
    const xy23 = zipHigh(x, y);
    const z01 = zipLow(z, zero);
    const z23 = zipHigh(z, zero);
    v128.store(rows, joinLow(xy01, z01), 0);
    v128.store(rows, joinHigh(xy01, z01), 16);
    v128.store(rows, joinLow(xy23, z23), 32);
    v128.store(rows, joinHigh(xy23, z23), 48);
}
