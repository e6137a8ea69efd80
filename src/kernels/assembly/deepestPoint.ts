/** The deepest points of four triangles in a box, as columns. */
import { Scratch, scratch, SolidData } from "./layout.generated";

// @ts-ignore: decorator
@inline
function corner(place: usize): v128 {
    return v128.load(scratch + place, Scratch.corners);
}

/** Half extent of a box along an axis of its frame, by the axis's offset. */
// @ts-ignore: decorator
@inline
function sizeOf(solid: usize, axis: usize): v128 {
    return f32x4.add(v128.load32_splat(solid + axis, SolidData.core), v128.load32_splat(solid, SolidData.coreMargin));
}

/** Distance beyond a face of points, one coordinate of which is a + b · shares of b + c · shares of c. */
// @ts-ignore: decorator
@inline
function beyond(size: v128, a: v128, b: v128, c: v128, shareB: v128, shareC: v128): v128 {
    return f32x4.sub(f32x4.abs(f32x4.add(a, f32x4.add(f32x4.mul(b, shareB), f32x4.mul(c, shareC)))), size);
}

/** Keeps the points of these shares if they are in the triangles, and deeper than those in the scratch: heights, shares of b, and of c. */
// @ts-ignore: decorator
@inline
function testEdgePoint(solid: usize, b: v128, c: v128): void {
    const ax = corner(0), ay = corner(16), az = corner(32);
    const height = f32x4.pmax(
        beyond(sizeOf(solid, 0), ax, f32x4.sub(corner(48), ax), f32x4.sub(corner(96), ax), b, c),
        f32x4.pmax(
            beyond(sizeOf(solid, 4), ay, f32x4.sub(corner(64), ay), f32x4.sub(corner(112), ay), b, c),
            beyond(sizeOf(solid, 8), az, f32x4.sub(corner(80), az), f32x4.sub(corner(128), az), b, c)));
    const zero = f32x4.splat(0);
    const least = v128.load(scratch, Scratch.surface);
    const isDeeper = v128.and(
        v128.and(f32x4.ge(b, zero), f32x4.ge(c, zero)),
        v128.and(f32x4.le(f32x4.add(b, c), f32x4.splat(1)), f32x4.lt(height, least)));
    v128.store(scratch, v128.bitselect(height, least, isDeeper), Scratch.surface);
    v128.store(scratch, v128.bitselect(b, v128.load(scratch, Scratch.surface + 16), isDeeper), Scratch.surface + 16);
    v128.store(scratch, v128.bitselect(c, v128.load(scratch, Scratch.surface + 32), isDeeper), Scratch.surface + 32);
}

/** Deepest points on the edges, where two faces are equally deep; the arguments are the differences of depth at a, and of b and c from it. */
function testEdge(solid: usize, a: v128, b: v128, c: v128): void {
    const zero = f32x4.splat(0);
    testEdgePoint(solid, f32x4.div(f32x4.neg(a), b), zero);
    testEdgePoint(solid, zero, f32x4.div(f32x4.neg(a), c));
    const t = f32x4.div(f32x4.add(a, b), f32x4.sub(b, c));
    testEdgePoint(solid, f32x4.sub(f32x4.splat(1), t), t);
}

/** A coordinate of a corner, or of a way from one, towards the side on which q is. */
// @ts-ignore: decorator
@inline
function towards(q: v128, value: v128): v128 {
    return v128.xor(value, v128.and(q, f32x4.splat(-0.0)));
}

/** Writes shares of b and c behind the first column of the surface in the scratch; those of the points q are b and c. */
// @ts-ignore: decorator
@inline
export function findDeepestPoint(solid: usize, qx: v128, qy: v128, qz: v128, b: v128, c: v128): void {
    v128.store(scratch, f32x4.splat(Infinity), Scratch.surface);
    testEdgePoint(solid, b, c);
    const ax = corner(0), ay = corner(16), az = corner(32);
    const fx = f32x4.sub(towards(qx, ax), sizeOf(solid, 0));
    const fy = f32x4.sub(towards(qy, ay), sizeOf(solid, 4));
    const fz = f32x4.sub(towards(qz, az), sizeOf(solid, 8));
    const gx = towards(qx, f32x4.sub(corner(48), ax));
    const gy = towards(qy, f32x4.sub(corner(64), ay));
    const gz = towards(qz, f32x4.sub(corner(80), az));
    const hx = towards(qx, f32x4.sub(corner(96), ax));
    const hy = towards(qy, f32x4.sub(corner(112), ay));
    const hz = towards(qz, f32x4.sub(corner(128), az));
    const ua = f32x4.sub(fx, fy), ub = f32x4.sub(gx, gy), uc = f32x4.sub(hx, hy);
    const va = f32x4.sub(fy, fz), vb = f32x4.sub(gy, gz), vc = f32x4.sub(hy, hz);
    const determinant = f32x4.sub(f32x4.mul(ub, vc), f32x4.mul(uc, vb));
    testEdgePoint(
        solid,
        f32x4.div(f32x4.sub(f32x4.mul(uc, va), f32x4.mul(ua, vc)), determinant),
        f32x4.div(f32x4.sub(f32x4.mul(ua, vb), f32x4.mul(ub, va)), determinant));
    testEdge(solid, ua, ub, uc);
    testEdge(solid, va, vb, vc);
    testEdge(solid, f32x4.sub(fz, fx), f32x4.sub(gz, gx), f32x4.sub(hz, hx));
}
