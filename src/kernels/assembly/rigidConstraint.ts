/**
 * Rigidity constraints of two bodies at once, one body per double lane. The results equal those of engine/rigidbody/rigidMotion.ts to the bit. Roots and divisions
 * of both bodies overlap.
 */
import { joinHigh, joinLow, zipHigh, zipLow } from "./simd";
import { RigidBodyArrays, RigidBodyPose, rowOffset } from "./layout.generated";

/** See rigidbody/rigidMotion.ts. */
const MAX_TURN: f64 = 0.45;
const DIVISIONS: i32 = 24;
const DIVISION_TOLERANCE: f64 = 1e-9;

/** The first numbers of two rows, the second and the third, in doubles. */
// @ts-ignore: decorator
@inline
function firsts(low: v128): v128 {
    return f64x2.promote_low_f32x4(low);
}

// @ts-ignore: decorator
@inline
function seconds(low: v128): v128 {
    return f64x2.promote_low_f32x4(joinHigh(low, low));
}

// @ts-ignore: decorator
@inline
function thirds(high: v128): v128 {
    return f64x2.promote_low_f32x4(high);
}

/** As they are kept. */
// @ts-ignore: decorator
@inline
function rounded(v: v128): v128 {
    return f64x2.promote_low_f32x4(f32x4.demote_f64x2_zero(v));
}

// @ts-ignore: decorator
@inline
function plus(a: v128, b: v128): v128 {
    return f64x2.add(a, b);
}

// @ts-ignore: decorator
@inline
function less(a: v128, b: v128): v128 {
    return f64x2.sub(a, b);
}

// @ts-ignore: decorator
@inline
function times(a: v128, b: v128): v128 {
    return f64x2.mul(a, b);
}

// @ts-ignore: decorator
@inline
function over(a: v128, b: v128): v128 {
    return f64x2.div(a, b);
}

// @ts-ignore: decorator
@inline
function dot(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
    return plus(plus(times(ax, bx), times(ay, by)), times(az, bz));
}

/** Signs of the four particles along each axis of the box: they lie at (+ + +), (+ - -), (- + -) and (- - +). */
// @ts-ignore: decorator
@inline
function alongFirst(a: v128, b: v128, c: v128, d: v128, by: v128): v128 {
    return rounded(over(less(less(plus(a, b), c), d), by));
}

// @ts-ignore: decorator
@inline
function alongSecond(a: v128, b: v128, c: v128, d: v128, by: v128): v128 {
    return rounded(over(less(plus(less(a, b), c), d), by));
}

// @ts-ignore: decorator
@inline
function alongThird(a: v128, b: v128, c: v128, d: v128, by: v128): v128 {
    return rounded(over(plus(less(less(a, b), c), d), by));
}

// @ts-ignore: decorator
@inline
function meanOf(a: v128, b: v128, c: v128, d: v128): v128 {
    return rounded(times(plus(plus(plus(a, b), c), d), f64x2.splat(0.25)));
}

/** Writes three numbers of each to a row of its own. */
// @ts-ignore: decorator
@inline
function storePair(a: usize, b: usize, slot: usize, x: v128, y: v128, z: v128): void {
    const xy = zipLow(f32x4.demote_f64x2_zero(x), f32x4.demote_f64x2_zero(y));
    const z0 = f32x4.demote_f64x2_zero(z);
    v128.store(a + slot, v128.shuffle<f32>(xy, z0, 0, 1, 4, 6));
    v128.store(b + slot, v128.shuffle<f32>(xy, z0, 2, 3, 5, 7));
}

/** Half of their rotation about an axis; see readTurning. */
// @ts-ignore: decorator
@inline
function halfTurnOf(sd: v128, se: v128, forth: v128, back: v128): v128 {
    const zero = f64x2.splat(0);
    return rounded(over(less(times(sd, plus(zero, forth)), times(se, plus(zero, back))), times(f64x2.splat(2), plus(sd, se))));
}

// @ts-ignore: decorator
@inline
function complementRoot(x: v128, y: v128, z: v128): v128 {
    return f64x2.sqrt(less(f64x2.splat(1), f64x2.pmin(f64x2.splat(0.75), dot(x, y, z, x, y, z))));
}

/** Displacement of the end of an axis. */
// @ts-ignore: decorator
@inline
function chord(a: v128, ux: v128, b: v128, uy: v128, c: v128, uz: v128): v128 {
    return rounded(times(f64x2.splat(2), plus(plus(times(a, ux), times(b, uy)), times(c, uz))));
}

/** Solves the distance constraints of two bodies without partially free pins, or of one body passed twice. */
export function solveRigidConstraints(a: RigidBodyArrays, b: RigidBodyArrays): void {
    const pa = a.pose, pb = b.pose;
    const zero = f64x2.splat(0);
    const one = f64x2.splat(1);
    const ra = v128.load(pa, RigidBodyPose.radii), rb = v128.load(pb, RigidBodyPose.radii);
    const radii = zipLow(ra, rb);
    const rx = firsts(radii), ry = seconds(radii), rz = thirds(zipHigh(ra, rb));
    const four = f64x2.splat(4);
    const byX = times(four, rx), byY = times(four, ry), byZ = times(four, rz);

    // Centre and axes before, and how they move.
    const xa = a.particles.positions, xb = b.particles.positions;
    const qa = a.particles.previous, qb = b.particles.previous;
    const sa = a.particles.residuals, sb = b.particles.residuals;
    let u = v128.load(qa, 0), v = v128.load(qb, 0);
    const q0 = zipLow(u, v), q0z = thirds(zipHigh(u, v));
    u = v128.load(qa, 16); v = v128.load(qb, 16);
    const q1 = zipLow(u, v), q1z = thirds(zipHigh(u, v));
    u = v128.load(qa, 32); v = v128.load(qb, 32);
    const q2 = zipLow(u, v), q2z = thirds(zipHigh(u, v));
    u = v128.load(qa, 48); v = v128.load(qb, 48);
    const q3 = zipLow(u, v), q3z = thirds(zipHigh(u, v));
    u = v128.load(xa, 0); v = v128.load(xb, 0);
    const x0 = zipLow(u, v), x0z = thirds(zipHigh(u, v));
    u = v128.load(xa, 16); v = v128.load(xb, 16);
    const x1 = zipLow(u, v), x1z = thirds(zipHigh(u, v));
    u = v128.load(xa, 32); v = v128.load(xb, 32);
    const x2 = zipLow(u, v), x2z = thirds(zipHigh(u, v));
    u = v128.load(xa, 48); v = v128.load(xb, 48);
    const x3 = zipLow(u, v), x3z = thirds(zipHigh(u, v));
    u = v128.load(sa, 0); v = v128.load(sb, 0);
    const s0 = zipLow(u, v), s0z = thirds(zipHigh(u, v));
    u = v128.load(sa, 16); v = v128.load(sb, 16);
    const s1 = zipLow(u, v), s1z = thirds(zipHigh(u, v));
    u = v128.load(sa, 32); v = v128.load(sb, 32);
    const s2 = zipLow(u, v), s2z = thirds(zipHigh(u, v));
    u = v128.load(sa, 48); v = v128.load(sb, 48);
    const s3 = zipLow(u, v), s3z = thirds(zipHigh(u, v));

    let e0 = firsts(q0), e1 = firsts(q1), e2 = firsts(q2), e3 = firsts(q3);
    let d0 = plus(less(firsts(x0), e0), firsts(s0)), d1 = plus(less(firsts(x1), e1), firsts(s1));
    let d2 = plus(less(firsts(x2), e2), firsts(s2)), d3 = plus(less(firsts(x3), e3), firsts(s3));
    let cx = meanOf(e0, e1, e2, e3), mx = meanOf(d0, d1, d2, d3);
    let ux = alongFirst(e0, e1, e2, e3, byX), vx = alongSecond(e0, e1, e2, e3, byY), wx = alongThird(e0, e1, e2, e3, byZ);
    let tx = alongFirst(d0, d1, d2, d3, byX), fx = alongSecond(d0, d1, d2, d3, byY), gx = alongThird(d0, d1, d2, d3, byZ);
    e0 = seconds(q0); e1 = seconds(q1); e2 = seconds(q2); e3 = seconds(q3);
    d0 = plus(less(seconds(x0), e0), seconds(s0)); d1 = plus(less(seconds(x1), e1), seconds(s1));
    d2 = plus(less(seconds(x2), e2), seconds(s2)); d3 = plus(less(seconds(x3), e3), seconds(s3));
    let cy = meanOf(e0, e1, e2, e3), my = meanOf(d0, d1, d2, d3);
    let uy = alongFirst(e0, e1, e2, e3, byX), vy = alongSecond(e0, e1, e2, e3, byY), wy = alongThird(e0, e1, e2, e3, byZ);
    let ty = alongFirst(d0, d1, d2, d3, byX), fy = alongSecond(d0, d1, d2, d3, byY), gy = alongThird(d0, d1, d2, d3, byZ);
    d0 = plus(less(x0z, q0z), s0z); d1 = plus(less(x1z, q1z), s1z);
    d2 = plus(less(x2z, q2z), s2z); d3 = plus(less(x3z, q3z), s3z);
    let cz = meanOf(q0z, q1z, q2z, q3z), mz = meanOf(d0, d1, d2, d3);
    let uz = alongFirst(q0z, q1z, q2z, q3z, byX), vz = alongSecond(q0z, q1z, q2z, q3z, byY);
    let tz = alongFirst(d0, d1, d2, d3, byX), fz = alongSecond(d0, d1, d2, d3, byY), gz = alongThird(d0, d1, d2, d3, byZ);

    // Without skew.
    let scale = over(one, f64x2.sqrt(dot(ux, uy, uz, ux, uy, uz)));
    ux = rounded(times(ux, scale)); uy = rounded(times(uy, scale)); uz = rounded(times(uz, scale));
    const lean = dot(ux, uy, uz, vx, vy, vz);
    vx = rounded(less(vx, times(lean, ux))); vy = rounded(less(vy, times(lean, uy))); vz = rounded(less(vz, times(lean, uz)));
    scale = over(one, f64x2.sqrt(dot(vx, vy, vz, vx, vy, vz)));
    vx = rounded(times(vx, scale)); vy = rounded(times(vy, scale)); vz = rounded(times(vz, scale));
    wx = rounded(less(times(uy, vz), times(uz, vy)));
    wy = rounded(less(times(uz, vx), times(ux, vz)));
    let wz = rounded(less(times(ux, vy), times(uy, vx)));
    storePair(pa, pb, RigidBodyPose.before, cx, cy, cz);
    storePair(pa, pb, RigidBodyPose.before + 16, ux, uy, uz);
    storePair(pa, pb, RigidBodyPose.before + 32, vx, vy, vz);
    storePair(pa, pb, RigidBodyPose.before + 48, wx, wy, wz);
    storePair(pa, pb, RigidBodyPose.moment, zero, zero, zero);

    // Rotation to apply.
    const sx = times(rx, rx), sy = times(ry, ry), sz = times(rz, rz);
    let bx = halfTurnOf(sy, sz, dot(wx, wy, wz, fx, fy, fz), dot(vx, vy, vz, gx, gy, gz));
    let by = halfTurnOf(sz, sx, dot(ux, uy, uz, gx, gy, gz), dot(wx, wy, wz, tx, ty, tz));
    let bz = halfTurnOf(sx, sy, dot(vx, vy, vz, tx, ty, tz), dot(ux, uy, uz, fx, fy, fz));
    storePair(pa, pb, RigidBodyPose.halfTurn, bx, by, bz);
    const most = f64x2.splat(MAX_TURN);
    const size = f64x2.sqrt(dot(bx, by, bz, bx, by, bz));
    const isMore = f64x2.gt(size, most);
    if (v128.any_true(isMore)) {
        scale = over(most, size);
        bx = v128.bitselect(times(bx, scale), bx, isMore);
        by = v128.bitselect(times(by, scale), by, isMore);
        bz = v128.bitselect(times(bz, scale), bz, isMore);
    }
    const ax = over(less(sy, sz), plus(sy, sz)), ay = over(less(sz, sx), plus(sz, sx)), az = over(less(sx, sy), plus(sx, sy));
    let x = bx, y = by, z = bz;
    let isOpen = i64x2.splat(-1);
    for (let k = 0; k < DIVISIONS; k++) {
        const w = complementRoot(x, y, z);
        const nextX = over(less(bx, times(times(ax, y), z)), w);
        const nextY = over(less(by, times(times(ay, z), x)), w);
        const nextZ = over(less(bz, times(times(az, x), y)), w);
        const change = plus(plus(f64x2.abs(less(nextX, x)), f64x2.abs(less(nextY, y))), f64x2.abs(less(nextZ, z)));
        x = v128.bitselect(nextX, x, isOpen);
        y = v128.bitselect(nextY, y, isOpen);
        z = v128.bitselect(nextZ, z, isOpen);
        isOpen = v128.and(isOpen, f64x2.gt(change, f64x2.splat(DIVISION_TOLERANCE)));
        if (!v128.any_true(isOpen)) break;
    }
    const w = complementRoot(x, y, z);
    const xx = times(x, x), yy = times(y, y), zz = times(z, z), xy = times(x, y), yz = times(y, z), zx = times(x, z);
    const ofX = times(w, x), ofY = times(w, y), ofZ = times(w, z);
    const a0 = f64x2.neg(plus(yy, zz)), a1 = plus(xy, ofZ), a2 = less(zx, ofY);
    tx = chord(a0, ux, a1, vx, a2, wx); ty = chord(a0, uy, a1, vy, a2, wy); tz = chord(a0, uz, a1, vz, a2, wz);
    const b0 = less(xy, ofZ), b1 = plus(xx, zz), b2 = plus(yz, ofX);
    fx = chordBack(b0, ux, b1, vx, b2, wx); fy = chordBack(b0, uy, b1, vy, b2, wy); fz = chordBack(b0, uz, b1, vz, b2, wz);
    const c0 = plus(zx, ofY), c1 = less(yz, ofX), c2 = plus(xx, yy);
    gx = chordLast(c0, ux, c1, vx, c2, wx); gy = chordLast(c0, uy, c1, vy, c2, wy); gz = chordLast(c0, uz, c1, vz, c2, wz);
    ux = rounded(plus(ux, tx)); uy = rounded(plus(uy, ty)); uz = rounded(plus(uz, tz));
    vx = rounded(plus(vx, fx)); vy = rounded(plus(vy, fy)); vz = rounded(plus(vz, fz));
    wx = rounded(plus(wx, gx)); wy = rounded(plus(wy, gy)); wz = rounded(plus(wz, gz));
    cx = rounded(plus(cx, mx)); cy = rounded(plus(cy, my)); cz = rounded(plus(cz, mz));
    storePair(pa, pb, RigidBodyPose.centre, cx, cy, cz);
    storePair(pa, pb, RigidBodyPose.axes, ux, uy, uz);
    storePair(pa, pb, RigidBodyPose.axes + 16, vx, vy, vz);
    storePair(pa, pb, RigidBodyPose.axes + 32, wx, wy, wz);
    storePair(pa, pb, RigidBodyPose.move, mx, my, mz);
    storePair(pa, pb, RigidBodyPose.axisMoves, tx, ty, tz);
    storePair(pa, pb, RigidBodyPose.axisMoves + 16, fx, fy, fz);
    storePair(pa, pb, RigidBodyPose.axisMoves + 32, gx, gy, gz);

    // Their spins.
    const half = f64x2.splat(2);
    const spinX = over(plus(plus(plus(zero, crossed(uy, tz, uz, ty)), crossed(vy, fz, vz, fy)), crossed(wy, gz, wz, gy)), half);
    const spinY = over(plus(plus(plus(zero, crossed(uz, tx, ux, tz)), crossed(vz, fx, vx, fz)), crossed(wz, gx, wx, gz)), half);
    const spinZ = over(plus(plus(plus(zero, crossed(ux, ty, uy, tx)), crossed(vx, fy, vy, fx)), crossed(wx, gy, wy, gx)), half);
    storePair(pa, pb, RigidBodyPose.spin, spinX, spinY, spinZ);
    storePair(pa, pb, RigidBodyPose.spinBefore, spinX, spinY, spinZ);
    writeBody(a);
    if (pa !== pb) writeBody(b);
}

// @ts-ignore: decorator
@inline
function chordBack(a: v128, ux: v128, b: v128, uy: v128, c: v128, uz: v128): v128 {
    return rounded(times(f64x2.splat(2), plus(less(times(a, ux), times(b, uy)), times(c, uz))));
}

// @ts-ignore: decorator
@inline
function chordLast(a: v128, ux: v128, b: v128, uy: v128, c: v128, uz: v128): v128 {
    return rounded(times(f64x2.splat(2), less(plus(times(a, ux), times(b, uy)), times(c, uz))));
}

// @ts-ignore: decorator
@inline
function crossed(a: v128, b: v128, c: v128, d: v128): v128 {
    return less(times(a, b), times(c, d));
}

/** Numbers of a row in doubles: the first two, and the third. */
// @ts-ignore: decorator
@inline
function low(row: v128): v128 {
    return f64x2.promote_low_f32x4(row);
}

// @ts-ignore: decorator
@inline
function high(row: v128): v128 {
    return f64x2.promote_low_f32x4(joinHigh(row, row));
}

// @ts-ignore: decorator
@inline
function rowOf(xy: v128, z: v128): v128 {
    return joinLow(f32x4.demote_f64x2_zero(xy), f32x4.demote_f64x2_zero(z));
}

// @ts-ignore: decorator
@inline
function inAxes(l: v128, m: v128, n: v128, u: v128, v: v128, w: v128): v128 {
    return plus(plus(times(l, u), times(m, v)), times(n, w));
}

/** Writes the four particles, in their residuals how the body moves, and its points, but those that pins hold. */
function writeBody(body: RigidBodyArrays): void {
    const pose = body.pose;
    let c = v128.load(pose, RigidBodyPose.centre);
    let u = v128.load(pose, RigidBodyPose.axes), v = v128.load(pose, RigidBodyPose.axes + 16), w = v128.load(pose, RigidBodyPose.axes + 32);
    const cL = low(c), uL = low(u), vL = low(v), wL = low(w);
    const cH = high(c), uH = high(u), vH = high(v), wH = high(w);
    let x = body.particles.positions;
    const toResidual = body.particles.residuals - x;
    const toPrevious = body.particles.previous - x;
    let local = body.locals;
    for (const end = x + rowOffset(body.particleCount); x < end; x += 16) {
        const row = v128.load(local);
        local += 16;
        if (f32x4.extract_lane(row, 3) > 0) continue;
        const lm = low(row), n0 = high(row);
        const l = v128.shuffle<f64>(lm, lm, 0, 0), m = v128.shuffle<f64>(lm, lm, 1, 1), n = v128.shuffle<f64>(n0, n0, 0, 0);
        v128.store(x, rowOf(plus(cL, inAxes(l, m, n, uL, vL, wL)), plus(cH, inAxes(l, m, n, uH, vH, wH))));
        v128.store(x + toResidual, f32x4.splat(0));
    }
    c = v128.load(pose, RigidBodyPose.move);
    u = v128.load(pose, RigidBodyPose.axisMoves); v = v128.load(pose, RigidBodyPose.axisMoves + 16); w = v128.load(pose, RigidBodyPose.axisMoves + 32);
    const mL = low(c), tL = low(u), fL = low(v), gL = low(w);
    const mH = high(c), tH = high(u), fH = high(v), gH = high(w);
    x = body.particles.positions;
    local = body.locals;
    for (const end = x + 64; x < end; x += 16) {
        const row = v128.load(local);
        local += 16;
        if (f32x4.extract_lane(row, 3) > 0) continue;
        const lm = low(row), n0 = high(row);
        const l = v128.shuffle<f64>(lm, lm, 0, 0), m = v128.shuffle<f64>(lm, lm, 1, 1), n = v128.shuffle<f64>(n0, n0, 0, 0);
        const now = v128.load(x), before = v128.load(x + toPrevious);
        const rL = less(plus(mL, inAxes(l, m, n, tL, fL, gL)), less(low(now), low(before)));
        const rH = less(plus(mH, inAxes(l, m, n, tH, fH, gH)), less(high(now), high(before)));
        v128.store(x + toResidual, rowOf(rL, rH));
    }
}
