/** Contacts with planes and rectangles. Four particles at once, as columns. */
import { writeContacts, contactsEnd, endContacts, mapPoint, supportAt } from "./contactResponse";
import { dotColumns, joinHigh, joinLow, zipHigh, zipLow } from "./simd";
import { ColliderData, Contact, ContactArrays, ContactRecord, STATIC_PRIORITY, ParticleArrays, PlaneData, SupportRecord, rowOffset } from "./layout.generated";

/** Mask of four points between the edges of the rectangle with this unit map. */
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

/**
 * A rectangle's particle keeps its face, however deep something has pressed it in, until it goes round an edge. Where it was
 * a substep ago, against the rectangle as it stood then, tells: beyond the edges, and more than the recovery behind its
 * face, it belongs to the other one. Pinned particles go where they are carried.
 */
export function detectSides(particles: ParticleArrays, collider: ColliderData): void {
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

/** Plane: a half-space, or a rectangle that is solid on both faces. */
export function detectPlaneContacts(particles: ParticleArrays, collider: ColliderData, contacts: ContactArrays): void {
    const zero = f32x4.splat(0);
    const positions = particles.positions;
    let inverseMasses = particles.inverseMasses;
    let record = contacts.records;
    const normalX = v128.load32_splat(collider, PlaneData.normal);
    const normalY = v128.load32_splat(collider, PlaneData.normal + 4);
    const normalZ = v128.load32_splat(collider, PlaneData.normal + 8);
    const offset = v128.load32_splat(collider, PlaneData.offset);
    const isHalfSpace = load<f32>(collider, PlaneData.recovery) == Infinity;
    const thickness = v128.load32_splat(collider, Contact.thickness);
    const unit = collider + PlaneData.toUnit;
    const end = positions + rowOffset(particles.paddedCount);
    let sides = collider + PlaneData.sides;
    for (let x = positions; x < end; x += 64, inverseMasses += 16, sides += 16) {
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
        record = writeContacts(
            record, x - positions, isInside, depth, v128.xor(normalX, side), v128.xor(normalY, side), v128.xor(normalZ, side));
    }
    endContacts(contacts, record);
}

/** See {@link detectPlaneContacts}. */
export function detectSupports(particles: ParticleArrays, collider: ColliderData, contacts: ContactArrays): void {
    const zero = f32x4.splat(0);
    const positions = particles.positions;
    const normalX = v128.load32_splat(collider, PlaneData.normal);
    const normalY = v128.load32_splat(collider, PlaneData.normal + 4);
    const normalZ = v128.load32_splat(collider, PlaneData.normal + 8);
    const offset = v128.load32_splat(collider, PlaneData.offset);
    const thickness = v128.load32_splat(collider, Contact.thickness);
    const isHalfSpace = load<f32>(collider, PlaneData.recovery) == Infinity;
    const unit = collider + PlaneData.toUnit;
    const end = contactsEnd(contacts);
    for (let record = contacts.records; record < end; record += ContactRecord.count) {
        const row = <usize>load<u32>(record, ContactRecord.row);
        const support = supportAt(contacts.supports, row);
        const r0 = v128.load(positions + row, 0);
        const r1 = v128.load(positions + row, 16);
        const r2 = v128.load(positions + row, 32);
        const r3 = v128.load(positions + row, 48);
        const xy01 = zipLow(r0, r1);
        const xy23 = zipLow(r2, r3);
        const px = joinLow(xy01, xy23);
        const py = joinHigh(xy01, xy23);
        const pz = joinLow(zipHigh(r0, r1), zipHigh(r2, r3));
        const sx = v128.load(support, SupportRecord.normals);
        const sy = v128.load(support, SupportRecord.normals + 16);
        const sz = v128.load(support, SupportRecord.normals + 32);
        const sw = v128.load(support, SupportRecord.offsets);
        const side = signsOf(collider + PlaneData.sides + (row >> 2), isHalfSpace);
        const gap = f32x4.sub(v128.xor(f32x4.sub(dotColumns(px, py, pz, normalX, normalY, normalZ), offset), side), thickness);
        const hasNone = f32x4.eq(dotColumns(sx, sy, sz, sx, sy, sz), zero);
        const isNearer = f32x4.lt(gap, f32x4.sub(dotColumns(px, py, pz, sx, sy, sz), sw));
        const mask = v128.and(v128.or(hasNone, isNearer), areBetweenEdges(unit, px, py, pz));
        v128.store(support, v128.bitselect(v128.xor(normalX, side), sx, mask), SupportRecord.normals);
        v128.store(support, v128.bitselect(v128.xor(normalY, side), sy, mask), SupportRecord.normals + 16);
        v128.store(support, v128.bitselect(v128.xor(normalZ, side), sz, mask), SupportRecord.normals + 32);
        v128.store(support, v128.bitselect(f32x4.add(v128.xor(offset, side), thickness), sw, mask), SupportRecord.offsets);
        const firmness = v128.load(support, SupportRecord.priority);
        v128.store(support, v128.bitselect(f32x4.splat(STATIC_PRIORITY), firmness, mask), SupportRecord.priority);
    }
}
