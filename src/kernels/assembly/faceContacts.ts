/**
 * Contacts of cloth triangles with solids. On a coarse cloth, particle contacts alone would leave triangles in the solid.
 *
 * A solid with a *core* is the set of points nearer to a small box than a radius, or that box grown by its rim: a ball's core is its
 * centre, a capsule's its axis. The point q of the triangle and the point s of the core that are nearest to each other (found by
 * alternating projection: both are convex) give a direction, and the solid's plane in that direction holds the point of the triangle. The
 * correction is shared by the corners by their shares in the point (Jakobsen 2001, section 5).
 *
 *      a ●───────●────● b      the plane through the solid's farthest point along n = (q - s) / |q - s|
 *         ╲   q  ↑   ╱
 *          ╲    ╭s╮ ╱
 */
import { BOX_RIM_SHARE, FACE_CONVERGENCE, FACE_CORNER_SHARE, FACE_ITERATIONS, MAX_CUT_PUSH, MAX_CONVERGENCE_RATIO } from "./tunables.generated";
import { dotColumns, joinHigh, joinLow, square, zipHigh, zipLow } from "./simd";
import { ColliderData, ContactArrays, ContactRecord, ParticleArrays, rowOffset, Scratch, scratch, SolidData, FaceContactArrays, FaceContactCounter, FaceContactRecord, wordOffset } from "./layout.generated";
import { addFaceBeside, findWayOut, isAnySqueezed } from "./faceShapeOverlap";
import { findDeepestPoint } from "./deepestPoint";
import { rotateToWorld } from "./solids";
import { cornerOf, writeTriangle } from "./faceCandidates";
import { float, word } from "./memory";


// @ts-ignore: decorator
@inline
function splatAt(solid: usize, slot: usize): v128 {
    return v128.load32_splat(solid + slot);
}

/** Puts four points, one of each triangle, in coordinates of the core, into the scratch as columns. */
// @ts-ignore: decorator
@inline
function recordCorner(solid: usize, place: usize, r0: v128, r1: v128, r2: v128, r3: v128): void {
    const origin = v128.load(solid, SolidData.toFrame + 48);
    r0 = f32x4.sub(r0, origin);
    r1 = f32x4.sub(r1, origin);
    r2 = f32x4.sub(r2, origin);
    r3 = f32x4.sub(r3, origin);
    const xy01 = zipLow(r0, r1);
    const xy23 = zipLow(r2, r3);
    const x = joinLow(xy01, xy23);
    const y = joinHigh(xy01, xy23);
    const z = joinLow(zipHigh(r0, r1), zipHigh(r2, r3));
    const turn = solid + SolidData.toFrame;
    for (let c: usize = 0; c < 12; c += 4) {
        const along = dotColumns(x, y, z, splatAt(turn, c), splatAt(turn, c + 16), splatAt(turn, c + 32));
        v128.store(scratch + place + wordOffset(c), f32x4.mul(along, splatAt(solid, SolidData.scale + c)), Scratch.corners);
    }
}

// @ts-ignore: decorator
@inline
function corner(place: usize): v128 {
    return v128.load(scratch + place, Scratch.corners);
}

// @ts-ignore: decorator
@inline
function clamp(value: v128, most: v128): v128 {
    return f32x4.pmax(f32x4.neg(most), f32x4.pmin(most, value));
}

/** The share t of a way that goes `along` of its square, from 0 to 1. */
// @ts-ignore: decorator
@inline
function shareOf(along: v128, squared: v128): v128 {
    return f32x4.pmax(f32x4.splat(0), f32x4.pmin(f32x4.splat(1), f32x4.div(along, f32x4.pmax(squared, f32x4.splat(1e-20)))));
}

/** Four candidates at a time, in step with the SIMD kernel. */
export function detectFaceContacts(particles: ParticleArrays, collider: ColliderData, found: FaceContactArrays): void {
    const positions = particles.positions;
    const triangles = found.triangles;
    const candidates = found.candidates;
    const first = found.records;
    let record = first;
    const last = first + <usize>found.capacity * FaceContactRecord.count;
    let next = load<u32>(found.progress, FaceContactCounter.next);
    const end = load<u32>(found.progress, FaceContactCounter.end);
    const maySqueeze = load<u32>(found.contacts.hasOpposing) > 0 && load<f32>(collider, SolidData.coreMargin) > 0;
    for (; next < end && record + 4 * FaceContactRecord.count <= last; next += 4) {
        const t0 = triangleAt(triangles, candidates, next);
        const t1 = triangleAt(triangles, candidates, min(next + 1, end - 1));
        const t2 = triangleAt(triangles, candidates, min(next + 2, end - 1));
        const t3 = triangleAt(triangles, candidates, min(next + 3, end - 1));
        const count = min<u32>(end - next, 4);
        let asked: u32 = (1 << count) - 1;
        if (maySqueeze) {
            for (let k: u32 = 0; k < count; k++) {
                const t = triangleAt(triangles, candidates, next + k);
                if (!isAnySqueezed(found.contacts, collider, t)) continue;
                record = addFaceBeside(particles, collider, found, record, t);
                asked &= ~(1 << k);
            }
        }
        if (asked != 0) record = addFaceContacts(particles, collider, record, positions, asked, t0, t1, t2, t3);
    }
    store<u32>(found.progress, min(next, end), FaceContactCounter.next);
    const count = <u32>((record - first) / FaceContactRecord.count);
    store<u32>(found.progress, count, FaceContactCounter.recordCount);
    if (load<u32>(found.contacts.supportMode) > 0) recordCorners(first, record, found.contacts);
}

// @ts-ignore: decorator
@inline
function triangleAt(triangles: usize, candidates: usize, i: u32): usize {
    return triangles + <usize>word(candidates, i) * 12;
}

/** A coordinate of the edge or corner of a box that holds what is off a point of its core by d. */
// @ts-ignore: decorator
@inline
function edgeOf(core: v128, d: v128, rim: v128): v128 {
    return f32x4.add(core, clamp(f32x4.mul(d, f32x4.splat(1 / BOX_RIM_SHARE)), rim));
}

/** Adds the contacts of those of four triangles whose bits are set in `asked`; returns the address of the next record. */
function addFaceContacts(
    particles: ParticleArrays, collider: usize, record: usize, positions: usize, asked: u32, t0: usize, t1: usize, t2: usize, t3: usize,
): usize {
    const zero = f32x4.splat(0);
    const one = f32x4.splat(1);
    for (let k: usize = 0; k < 3; k++) {
        recordCorner(collider, 48 * k,
            v128.load(cornerOf(positions, t0, k)), v128.load(cornerOf(positions, t1, k)),
            v128.load(cornerOf(positions, t2, k)), v128.load(cornerOf(positions, t3, k)));
    }
    const thickness = splatAt(collider, SolidData.keptDistance);
    let rim = splatAt(collider, SolidData.coreMargin);
    const ax = corner(0), ay = corner(16), az = corner(32);
    let bx = corner(48), by = corner(64), bz = corner(80);
    let cx = corner(96), cy = corner(112), cz = corner(128);
    let coreX = splatAt(collider, SolidData.core);
    let coreY = splatAt(collider, SolidData.core + 4);
    let coreZ = splatAt(collider, SolidData.core + 8);
    const radius = splatAt(collider, SolidData.radius);
    const slope = splatAt(collider, SolidData.slope);
    const scaleX = splatAt(collider, SolidData.scale);
    const scaleY = splatAt(collider, SolidData.scale + 4);
    const scaleZ = splatAt(collider, SolidData.scale + 8);
    const most = f32x4.add(rim, f32x4.add(radius, f32x4.mul(f32x4.abs(slope), coreY)));
    let isNear = isWithin(ax, bx, cx, f32x4.add(f32x4.add(coreX, most), f32x4.mul(thickness, scaleX)));
    isNear = v128.and(isNear, isWithin(ay, by, cy, f32x4.add(f32x4.add(coreY, most), f32x4.mul(thickness, scaleY))));
    isNear = v128.and(isNear, isWithin(az, bz, cz, f32x4.add(f32x4.add(coreZ, most), f32x4.mul(thickness, scaleZ))));
    if (!v128.any_true(isNear)) return record;
    const third = f32x4.splat(1.0 / 3.0);
    let qx = f32x4.mul(f32x4.add(ax, f32x4.add(bx, cx)), third);
    let qy = f32x4.mul(f32x4.add(ay, f32x4.add(by, cy)), third);
    let qz = f32x4.mul(f32x4.add(az, f32x4.add(bz, cz)), third);
    bx = f32x4.sub(bx, ax);
    by = f32x4.sub(by, ay);
    bz = f32x4.sub(bz, az);
    cx = f32x4.sub(cx, ax);
    cy = f32x4.sub(cy, ay);
    cz = f32x4.sub(cz, az);
    const bb = dotColumns(bx, by, bz, bx, by, bz);
    const bc = dotColumns(bx, by, bz, cx, cy, cz);
    const cc = dotColumns(cx, cy, cz, cx, cy, cz);
    const ee = f32x4.sub(f32x4.add(bb, cc), f32x4.add(bc, bc));
    const area = f32x4.sub(f32x4.mul(bb, cc), f32x4.mul(bc, bc));
    const lean = splatAt(collider, SolidData.normalSlope);
    const isLeaning = load<f32>(collider, SolidData.normalSlope) != 0;
    let sx = clamp(qx, coreX);
    let sy = clamp(isLeaning ? f32x4.sub(qy, f32x4.mul(lean, f32x4.sqrt(f32x4.add(square(qx), square(qz))))) : qy, coreY);
    let sz = clamp(qz, coreZ);
    // Extent of a box solid along n.
    let beyond = zero;
    let b = zero, c = zero, nx = zero, ny = zero, nz = zero, distance = zero;
    // The last move, and its square.
    let lx = zero, ly = zero, lz = zero, last = zero;
    const isBox = load<f32>(collider, SolidData.coreMargin) > 0;
    let isDeep = false;
    for (let step = 0; ; step++) {
        const dx = f32x4.sub(sx, ax);
        const dy = f32x4.sub(sy, ay);
        const dz = f32x4.sub(sz, az);
        const db = dotColumns(dx, dy, dz, bx, by, bz);
        const dc = dotColumns(dx, dy, dz, cx, cy, cz);
        const v = f32x4.sub(f32x4.mul(cc, db), f32x4.mul(bc, dc));
        const w = f32x4.sub(f32x4.mul(bb, dc), f32x4.mul(bc, db));
        const isInside = v128.and(
            v128.and(f32x4.ge(v, zero), f32x4.ge(w, zero)), v128.and(f32x4.le(f32x4.add(v, w), area), f32x4.gt(area, zero)));
        // Of the edges: shares, and squared distances, less that from a.
        const tb = shareOf(db, bb);
        const tc = shareOf(dc, cc);
        const de = f32x4.add(f32x4.sub(f32x4.sub(dc, db), bc), bb);
        const te = shareOf(de, ee);
        const toB = f32x4.mul(tb, f32x4.sub(f32x4.mul(tb, bb), f32x4.add(db, db)));
        const toC = f32x4.mul(tc, f32x4.sub(f32x4.mul(tc, cc), f32x4.add(dc, dc)));
        const toE = f32x4.add(
            f32x4.sub(bb, f32x4.add(db, db)), f32x4.mul(te, f32x4.sub(f32x4.mul(te, ee), f32x4.add(de, de))));
        const isE = v128.and(f32x4.lt(toE, toB), f32x4.lt(toE, toC));
        const isC = f32x4.lt(toC, toB);
        b = v128.bitselect(f32x4.sub(one, te), v128.andnot(tb, isC), isE);
        c = v128.bitselect(te, v128.and(tc, isC), isE);
        b = v128.bitselect(f32x4.div(v, area), b, isInside);
        c = v128.bitselect(f32x4.div(w, area), c, isInside);
        qx = f32x4.add(ax, f32x4.add(f32x4.mul(bx, b), f32x4.mul(cx, c)));
        qy = f32x4.add(ay, f32x4.add(f32x4.mul(by, b), f32x4.mul(cy, c)));
        qz = f32x4.add(az, f32x4.add(f32x4.mul(bz, b), f32x4.mul(cz, c)));
        if (step > <i32>FACE_ITERATIONS) break;
        let mx = sx, my = sy, mz = sz;
        sx = clamp(qx, coreX);
        sy = clamp(isLeaning ? f32x4.sub(qy, f32x4.mul(lean, f32x4.sqrt(f32x4.add(square(qx), square(qz))))) : qy, coreY);
        sz = clamp(qz, coreZ);
        mx = f32x4.sub(sx, mx);
        my = f32x4.sub(sy, my);
        mz = f32x4.sub(sz, mz);
        const squared = dotColumns(mx, my, mz, mx, my, mz);
        const isOn = v128.and(isNear, f32x4.gt(squared, f32x4.splat(FACE_CONVERGENCE)));
        if (step < <i32>FACE_ITERATIONS - 1 && v128.any_true(isOn)) {
            if (!isBox && (step & 1) == 1) {
                let more = f32x4.div(dotColumns(mx, my, mz, lx, ly, lz), f32x4.pmax(f32x4.splat(1e-20), last));
                more = f32x4.pmax(zero, f32x4.pmin(f32x4.splat(MAX_CONVERGENCE_RATIO), more));
                more = v128.and(f32x4.div(more, f32x4.sub(one, more)), isOn);
                sx = clamp(f32x4.add(sx, f32x4.mul(mx, more)), coreX);
                sy = clamp(f32x4.add(sy, f32x4.mul(my, more)), coreY);
                sz = clamp(f32x4.add(sz, f32x4.mul(mz, more)), coreZ);
            }
            lx = mx;
            ly = my;
            lz = mz;
            last = squared;
            continue;
        }
        nx = f32x4.sub(qx, sx);
        ny = f32x4.sub(qy, sy);
        nz = f32x4.sub(qz, sz);
        distance = f32x4.sqrt(dotColumns(nx, ny, nz, nx, ny, nz));
        nx = f32x4.mul(f32x4.div(nx, distance), scaleX);
        ny = f32x4.mul(f32x4.div(ny, distance), scaleY);
        nz = f32x4.mul(f32x4.div(nz, distance), scaleZ);
        if (!isBox) break;
        if (!isDeep && v128.any_true(v128.and(isNear, f32x4.le(distance, splatAt(collider, SolidData.coreTolerance))))) {
            // Once more with a core that is not cut.
            isDeep = true;
            const deeper = f32x4.sub(splatAt(collider, SolidData.deepCoreMargin), rim);
            rim = f32x4.add(rim, deeper);
            coreX = f32x4.sub(coreX, deeper);
            coreY = f32x4.sub(coreY, deeper);
            coreZ = f32x4.sub(coreZ, deeper);
            sx = clamp(sx, coreX);
            sy = clamp(sy, coreY);
            sz = clamp(sz, coreZ);
            step = -1;
            continue;
        }
        beyond = f32x4.add(
            dotColumns(nx, ny, nz, sx, sy, sz), f32x4.mul(rim, f32x4.add(f32x4.abs(nx), f32x4.add(f32x4.abs(ny), f32x4.abs(nz)))));
        sx = edgeOf(sx, f32x4.sub(qx, sx), rim);
        sy = edgeOf(sy, f32x4.sub(qy, sy), rim);
        sz = edgeOf(sz, f32x4.sub(qz, sz), rim);
        step = <i32>FACE_ITERATIONS;
    }
    const length = f32x4.sqrt(dotColumns(nx, ny, nz, nx, ny, nz));
    nx = f32x4.div(nx, length);
    ny = f32x4.div(ny, length);
    nz = f32x4.div(nz, length);
    let depth: v128;
    if (isBox) {
        const halfX = f32x4.add(coreX, rim), halfY = f32x4.add(coreY, rim), halfZ = f32x4.add(coreZ, rim);
        depth = f32x4.add(thickness, depthIn(halfX, halfY, halfZ, qx, qy, qz, beyond, nx, ny, nz));
        const isShallow = v128.and(
            v128.and(isNear, f32x4.gt(distance, splatAt(collider, SolidData.coreTolerance))), f32x4.lt(f32x4.abs(depth), f32x4.splat(MAX_CUT_PUSH)));
        if (v128.any_true(isShallow)) {
            findDeepestPoint(collider, qx, qy, qz, b, c);
            const db = v128.load(scratch, Scratch.surface + 16);
            const dc = v128.load(scratch, Scratch.surface + 32);
            const dx = f32x4.add(ax, f32x4.add(f32x4.mul(bx, db), f32x4.mul(cx, dc)));
            const dy = f32x4.add(ay, f32x4.add(f32x4.mul(by, db), f32x4.mul(cy, dc)));
            const dz = f32x4.add(az, f32x4.add(f32x4.mul(bz, db), f32x4.mul(cz, dc)));
            const out = f32x4.pmin(f32x4.splat(MAX_CUT_PUSH), depthIn(halfX, halfY, halfZ, dx, dy, dz, beyond, nx, ny, nz));
            const isDeeper = v128.and(isShallow, f32x4.gt(out, f32x4.pmax(zero, depth)));
            b = v128.bitselect(db, b, isDeeper);
            c = v128.bitselect(dc, c, isDeeper);
            qx = v128.bitselect(dx, qx, isDeeper);
            qy = v128.bitselect(dy, qy, isDeeper);
            qz = v128.bitselect(dz, qz, isDeeper);
            depth = v128.bitselect(out, depth, isDeeper);
        }
    } else {
        beyond = f32x4.add(radius, f32x4.mul(slope, sy));
        depth = f32x4.add(thickness, f32x4.div(f32x4.sub(beyond, distance), length));
    }
    const a = f32x4.sub(one, f32x4.add(b, c));
    let isOut = f32x4.gt(distance, splatAt(collider, SolidData.coreTolerance));
    isNear = v128.and(isNear, f32x4.le(f32x4.pmax(a, f32x4.pmax(b, c)), f32x4.splat(FACE_CORNER_SHARE)));
    if (isBox && v128.any_true(v128.andnot(isNear, isOut))) {
        findWayOut(collider);
        const ox = v128.load(scratch, Scratch.surface + 16), oy = v128.load(scratch, Scratch.surface + 32), oz = v128.load(scratch, Scratch.surface + 48);
        nx = v128.bitselect(nx, ox, isOut);
        ny = v128.bitselect(ny, oy, isOut);
        nz = v128.bitselect(nz, oz, isOut);
        depth = v128.bitselect(depth, f32x4.splat(MAX_CUT_PUSH), isOut);
        isOut = f32x4.gt(dotColumns(nx, ny, nz, nx, ny, nz), zero);
    }
    isNear = v128.and(isNear, v128.and(f32x4.gt(depth, zero), isOut));
    let mask = <u32>i32x4.bitmask(isNear) & asked;
    if (mask == 0) return record;
    const turn = collider + SolidData.toFrame;
    const wx = rotateToWorld(collider, 0, nx, ny, nz);
    const wy = rotateToWorld(collider, 16, nx, ny, nz);
    const wz = rotateToWorld(collider, 32, nx, ny, nz);
    const offset = f32x4.add(
        f32x4.add(depth, dotColumns(wx, wy, wz, splatAt(turn, 48), splatAt(turn, 52), splatAt(turn, 56))),
        dotColumns(nx, ny, nz, f32x4.div(qx, scaleX), f32x4.div(qy, scaleY), f32x4.div(qz, scaleZ)));
    const place = scratch + Scratch.corners;
    v128.store(place, offset, 0);
    v128.store(place, wx, 16);
    v128.store(place, wy, 32);
    v128.store(place, wz, 48);
    v128.store(place, a, 64);
    v128.store(place, b, 80);
    v128.store(place, c, 96);
    const inverseMasses = particles.inverseMasses;
    for (let lane: usize = 0; lane < 4; lane++, mask >>= 1) {
        if ((mask & 1) == 0) continue;
        const t = lane == 0 ? t0 : lane == 1 ? t1 : lane == 2 ? t2 : t3;
        const ia = load<u32>(t, 0), ib = load<u32>(t, 4), ic = load<u32>(t, 8);
        if (!(inverseMass(inverseMasses, ia) + inverseMass(inverseMasses, ib) + inverseMass(inverseMasses, ic) > 0)) continue;
        const from = place + wordOffset(lane);
        record = writeTriangle(
            record, t, load<f32>(from, 0), load<f32>(from, 16), load<f32>(from, 32), load<f32>(from, 48), load<f32>(from, 64),
            load<f32>(from, 80), load<f32>(from, 96));
    }
    return record;
}

/** Depth of points q in a box of these half extents, at most the depth behind the plane with unit normals n, down to `most`. */
function depthIn(halfX: v128, halfY: v128, halfZ: v128, qx: v128, qy: v128, qz: v128, most: v128, nx: v128, ny: v128, nz: v128): v128 {
    const zero = f32x4.splat(0);
    const ex = f32x4.sub(f32x4.abs(qx), halfX);
    const ey = f32x4.sub(f32x4.abs(qy), halfY);
    const ez = f32x4.sub(f32x4.abs(qz), halfZ);
    const deepest = f32x4.pmax(ex, f32x4.pmax(ey, ez));
    const outside = f32x4.sqrt(
        f32x4.add(square(f32x4.pmax(zero, ex)), f32x4.add(square(f32x4.pmax(zero, ey)), square(f32x4.pmax(zero, ez)))));
    const above = v128.bitselect(outside, deepest, f32x4.gt(deepest, zero));
    return f32x4.pmin(f32x4.sub(most, dotColumns(nx, ny, nz, qx, qy, qz)), f32x4.neg(above));
}

/** True if the range of three coordinates comes within `reach` of 0. */
// @ts-ignore: decorator
@inline
function isWithin(a: v128, b: v128, c: v128, reach: v128): v128 {
    return v128.and(
        f32x4.le(f32x4.pmin(a, f32x4.pmin(b, c)), reach),
        f32x4.ge(f32x4.pmax(a, f32x4.pmax(b, c)), f32x4.neg(reach)));
}

// @ts-ignore: decorator
@inline
function inverseMass(inverseMasses: usize, particle: u32): f32 {
    return float(inverseMasses, particle);
}

function recordCorners(record: usize, end: usize, contacts: ContactArrays): void {
    const rows = contacts.records;
    let rowsEnd = rows;
    const zero = f32x4.splat(0);
    for (; record < end; record += FaceContactRecord.count) {
        for (let corner: usize = 0; corner < 12; corner += 4) {
            const row = load<u32>(record + corner) & ~63;
            let known = rows;
            while (known < rowsEnd && load<u32>(known, ContactRecord.row) != row) known += ContactRecord.count;
            if (known < rowsEnd) continue;
            store<u32>(rowsEnd, row, ContactRecord.row);
            v128.store(rowsEnd, zero, ContactRecord.depths);
            rowsEnd += ContactRecord.count;
        }
    }
    store<u32>(contacts.recordCount, <u32>((rowsEnd - rows) / ContactRecord.count));
}
