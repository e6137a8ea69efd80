/** Contacts with planes and rectangles; specification: scalar/plane.ts. Four particles at once, as columns. */
import { hasMotion, mapPoint, resolveContacts } from "./contacts";
import { dotColumns, joinHigh, joinLow, zipHigh, zipLow } from "./lanes";
import { ColliderData, Contact, ParticleArrays, PlaneData, rowOffset } from "./layout.generated";

/** Which of four points are between the edges of the rectangle with this unit map. */
// @ts-ignore: decorator
@inline
function areBetweenEdges(unit: usize, x: v128, y: v128, z: v128): v128 {
    const one = f32x4.splat(1);
    return v128.and(
        f32x4.le(f32x4.abs(mapPoint(unit, 0, x, y, z)), one), f32x4.le(f32x4.abs(mapPoint(unit, 1, x, y, z)), one));
}

/** The sign bits of four sides: -0 behind, +0 in front. */
// @ts-ignore: decorator
@inline
function signsOf(sides: usize, isHalfSpace: bool): v128 {
    return isHalfSpace ? f32x4.splat(0) : v128.and(v128.load(sides), f32x4.splat(-0.0));
}

export function findSides(particles: ParticleArrays, collider: ColliderData): void {
    let previous = particles.previous;
    let inverseMasses = particles.inverseMasses;
    const zero = f32x4.splat(0);
    const normalX = v128.load32_splat(collider, PlaneData.normalBefore);
    const normalY = v128.load32_splat(collider, PlaneData.normalBefore + 4);
    const normalZ = v128.load32_splat(collider, PlaneData.normalBefore + 8);
    const offset = v128.load32_splat(collider, PlaneData.offsetBefore);
    const lowest = f32x4.neg(v128.load32_splat(collider, PlaneData.recovery));
    const unit = collider + PlaneData.toUnitBefore;
    const minus = f32x4.splat(-0.0);
    const end = previous + rowOffset(particles.paddedCount);
    for (let sides = collider + PlaneData.sides; previous < end; previous += 64, inverseMasses += 16, sides += 16) {
        const p0 = v128.load(previous, 0);
        const p1 = v128.load(previous, 16);
        const p2 = v128.load(previous, 32);
        const p3 = v128.load(previous, 48);
        const xy01 = zipLow(p0, p1);
        const xy23 = zipLow(p2, p3);
        const px = joinLow(xy01, xy23);
        const py = joinHigh(xy01, xy23);
        const pz = joinLow(zipHigh(p0, p1), zipHigh(p2, p3));
        const height = f32x4.sub(dotColumns(px, py, pz, normalX, normalY, normalZ), offset);
        const side = v128.load(sides);
        const isNew = f32x4.eq(side, zero);
        const isBehind = f32x4.lt(v128.xor(height, v128.and(side, minus)), lowest);
        if (!v128.any_true(v128.or(isNew, isBehind))) continue;
        const isHeld = v128.andnot(
            v128.and(f32x4.gt(v128.load(inverseMasses), zero), areBetweenEdges(unit, px, py, pz)), isNew);
        const old = v128.or(side, v128.and(isNew, f32x4.splat(1)));
        v128.store(sides, v128.xor(old, v128.and(v128.andnot(isBehind, isHeld), minus)));
    }
}

export function findSupports(particles: ParticleArrays, collider: ColliderData): void {
    let x = particles.positions;
    let supports = particles.supports;
    const zero = f32x4.splat(0);
    const normalX = v128.load32_splat(collider, PlaneData.normal);
    const normalY = v128.load32_splat(collider, PlaneData.normal + 4);
    const normalZ = v128.load32_splat(collider, PlaneData.normal + 8);
    const offset = v128.load32_splat(collider, PlaneData.offset);
    const thickness = v128.load32_splat(collider, Contact.thickness);
    const isHalfSpace = load<f32>(collider, PlaneData.recovery) == Infinity;
    const unit = collider + PlaneData.toUnit;
    const end = x + rowOffset(particles.paddedCount);
    for (let sides = collider + PlaneData.sides; x < end; x += 64, supports += 64, sides += 16) {
        const r0 = v128.load(x, 0);
        const r1 = v128.load(x, 16);
        const r2 = v128.load(x, 32);
        const r3 = v128.load(x, 48);
        let xy01 = zipLow(r0, r1);
        let xy23 = zipLow(r2, r3);
        const px = joinLow(xy01, xy23);
        const py = joinHigh(xy01, xy23);
        const pz = joinLow(zipHigh(r0, r1), zipHigh(r2, r3));
        const s0 = v128.load(supports, 0);
        const s1 = v128.load(supports, 16);
        const s2 = v128.load(supports, 32);
        const s3 = v128.load(supports, 48);
        xy01 = zipLow(s0, s1);
        xy23 = zipLow(s2, s3);
        const zw01 = zipHigh(s0, s1);
        const zw23 = zipHigh(s2, s3);
        const sx = joinLow(xy01, xy23);
        const sy = joinHigh(xy01, xy23);
        const sz = joinLow(zw01, zw23);
        const sw = joinHigh(zw01, zw23);
        const side = signsOf(sides, isHalfSpace);
        const gap = f32x4.sub(v128.xor(f32x4.sub(dotColumns(px, py, pz, normalX, normalY, normalZ), offset), side), thickness);
        const hasNone = f32x4.eq(dotColumns(sx, sy, sz, sx, sy, sz), zero);
        const isNearer = f32x4.lt(gap, f32x4.sub(dotColumns(px, py, pz, sx, sy, sz), sw));
        const mask = v128.and(v128.or(hasNone, isNearer), areBetweenEdges(unit, px, py, pz));
        if (!v128.any_true(mask)) continue;
        const nx = v128.bitselect(v128.xor(normalX, side), sx, mask);
        const ny = v128.bitselect(v128.xor(normalY, side), sy, mask);
        const nz = v128.bitselect(v128.xor(normalZ, side), sz, mask);
        const nw = v128.bitselect(f32x4.add(v128.xor(offset, side), thickness), sw, mask);
        xy01 = zipLow(nx, ny);
        xy23 = zipHigh(nx, ny);
        const z01 = zipLow(nz, nw);
        const z23 = zipHigh(nz, nw);
        v128.store(supports, joinLow(xy01, z01), 0);
        v128.store(supports, joinHigh(xy01, z01), 16);
        v128.store(supports, joinLow(xy23, z23), 32);
        v128.store(supports, joinHigh(xy23, z23), 48);
    }
}

export function collidePlane(particles: ParticleArrays, collider: ColliderData): void {
    let x = particles.positions;
    let previous = particles.previous;
    let residuals = particles.residuals;
    let inverseMasses = particles.inverseMasses;
    const zero = f32x4.splat(0);
    const normalX = v128.load32_splat(collider, PlaneData.normal);
    const normalY = v128.load32_splat(collider, PlaneData.normal + 4);
    const normalZ = v128.load32_splat(collider, PlaneData.normal + 8);
    const offset = v128.load32_splat(collider, PlaneData.offset);
    const isHalfSpace = load<f32>(collider, PlaneData.recovery) == Infinity;
    const thickness = v128.load32_splat(collider, Contact.thickness);
    const unit = collider + PlaneData.toUnit;
    const isMoving = hasMotion(collider);
    const end = x + rowOffset(particles.paddedCount);
    for (let sides = collider + PlaneData.sides; x < end; x += 64, previous += 64, residuals += 64, inverseMasses += 16, sides += 16) {
        const r0 = v128.load(x, 0);
        const r1 = v128.load(x, 16);
        const r2 = v128.load(x, 32);
        const r3 = v128.load(x, 48);
        const xy01 = zipLow(r0, r1);
        const xy23 = zipLow(r2, r3);
        const px = joinLow(xy01, xy23);
        const py = joinHigh(xy01, xy23);
        const pz = joinLow(zipHigh(r0, r1), zipHigh(r2, r3));
        const side = signsOf(sides, isHalfSpace);
        const height = f32x4.sub(dotColumns(px, py, pz, normalX, normalY, normalZ), offset);
        const depth = f32x4.sub(thickness, v128.xor(height, side));
        let isInside = v128.and(f32x4.gt(depth, zero), f32x4.gt(v128.load(inverseMasses), zero));
        if (!v128.any_true(isInside)) continue;
        isInside = v128.and(isInside, areBetweenEdges(unit, px, py, pz));
        if (!v128.any_true(isInside)) continue;
        resolveContacts(
            x, previous, residuals, collider, isMoving, isInside, depth, px, py, pz,
            v128.xor(normalX, side), v128.xor(normalY, side), v128.xor(normalZ, side),
        );
    }
}
