/** Contacts, four particles at once, as columns; specification: scalar/contacts.ts. */
import { dotColumns, joinHigh, joinLow, storeRows, xyz0, zipHigh, zipLow } from "./lanes";
import { ColliderData, Contact, ContactArrays, ContactRecord, ParticleArrays, SupportRecord } from "./layout.generated";

/** Column `slot` of an affine map (row vectors, shape [4, 4]) applied to four points. */
// @ts-ignore: decorator
@inline
export function mapPoint(map: usize, slot: usize, x: v128, y: v128, z: v128): v128 {
    map += slot << 2;
    return f32x4.add(
        dotColumns(x, y, z, v128.load32_splat(map, 0), v128.load32_splat(map, 16), v128.load32_splat(map, 32)),
        v128.load32_splat(map, 48),
    );
}

/**
 * Writes a record: the contacts of those of the four particles in `row` (byte offset) that are in `mask`, `depth` inside
 * along the unit normals n. Returns the address of the next record.
 */
// @ts-ignore: decorator
@inline
export function addContacts(record: usize, row: usize, mask: v128, depth: v128, nx: v128, ny: v128, nz: v128): usize {
    store<u32>(record, <u32>row, ContactRecord.row);
    v128.store(record, v128.and(depth, mask), ContactRecord.depths);
    v128.store(record, nx, ContactRecord.normals);
    v128.store(record, ny, ContactRecord.normals + 16);
    v128.store(record, nz, ContactRecord.normals + 32);
    return record + ContactRecord.count;
}

/** Notes how many records there are: those before `end`. */
// @ts-ignore: decorator
@inline
export function endContacts(contacts: ContactArrays, end: usize): void {
    store<u32>(contacts.solidCount, 0);
    store<u32>(contacts.recordCount, <u32>((end - contacts.records) / ContactRecord.count));
}

/** Address beyond the last record. */
// @ts-ignore: decorator
@inline
export function contactsEnd(contacts: ContactArrays): usize {
    return contacts.records + <usize>load<u32>(contacts.recordCount) * ContactRecord.count;
}

export function answerContacts(particles: ParticleArrays, collider: ColliderData, contacts: ContactArrays): void {
    const zero = f32x4.splat(0);
    const positions = particles.positions;
    const previous = particles.previous;
    const residuals = particles.residuals;
    const isMoving = hasMotion(collider);
    const hasSupports = load<u32>(contacts.solidCount) > 0;
    const end = contactsEnd(contacts);
    let support = contacts.supports;
    for (let record = contacts.records; record < end; record += ContactRecord.count, support += SupportRecord.count) {
        const row = <usize>load<u32>(record, ContactRecord.row);
        const depth = v128.load(record, ContactRecord.depths);
        const nx = v128.load(record, ContactRecord.normals);
        const ny = v128.load(record, ContactRecord.normals + 16);
        const nz = v128.load(record, ContactRecord.normals + 32);
        const x0 = v128.load(positions + row, 0);
        const x1 = v128.load(positions + row, 16);
        const x2 = v128.load(positions + row, 32);
        const x3 = v128.load(positions + row, 48);
        const xy01 = zipLow(x0, x1);
        const xy23 = zipLow(x2, x3);
        const x = joinLow(xy01, xy23);
        const y = joinHigh(xy01, xy23);
        const z = joinLow(zipHigh(x0, x1), zipHigh(x2, x3));
        const isInside = f32x4.gt(depth, zero);
        let isSqueezed = zero;
        if (hasSupports) {
            const sx = v128.load(support, SupportRecord.normals);
            const sy = v128.load(support, SupportRecord.normals + 16);
            const sz = v128.load(support, SupportRecord.normals + 32);
            const along = dotColumns(nx, ny, nz, sx, sy, sz);
            isSqueezed = v128.and(
                isInside, f32x4.lt(f32x4.add(f32x4.mul(depth, along), gapAbove(support, x, y, z)), zero));
        }
        const mask = v128.andnot(isInside, isSqueezed);
        answer(positions + row, previous + row, residuals + row, collider, isMoving, mask, depth, x, y, z, nx, ny, nz);
        if (v128.any_true(isSqueezed)) {
            answerSqueezed(
                positions + row, previous + row, residuals + row, collider, support, isSqueezed, depth, nx, ny, nz);
        }
    }
}

/** How far four points are above their supports, at least 0. */
// @ts-ignore: decorator
@inline
function gapAbove(support: usize, x: v128, y: v128, z: v128): v128 {
    const height = dotColumns(
        x, y, z, v128.load(support, SupportRecord.normals), v128.load(support, SupportRecord.normals + 16),
        v128.load(support, SupportRecord.normals + 32));
    return f32x4.pmax(f32x4.splat(0), f32x4.sub(height, v128.load(support, SupportRecord.offsets)));
}

/** Whether a collider's material moves at all; most do not. */
function hasMotion(collider: usize): bool {
    const motion = collider + Contact.motion;
    return v128.any_true(v128.or(
        v128.or(xyz0(v128.load(motion, 0)), xyz0(v128.load(motion, 16))),
        v128.or(xyz0(v128.load(motion, 32)), xyz0(v128.load(motion, 48))),
    ));
}

/**
 * Answers the contacts of the particles in `mask`, which are `depth` inside along the unit normals n; the others keep
 * their places to the last bit.
 */
// @ts-ignore: decorator
@inline
function answer(
    rows: usize, previousRows: usize, residualRows: usize, collider: usize, isMoving: bool, mask: v128, depth: v128,
    x: v128, y: v128, z: v128, nx: v128, ny: v128, nz: v128,
): void {
    const zero = f32x4.splat(0);
    const p0 = f32x4.sub(v128.load(previousRows, 0), v128.load(residualRows, 0));
    const p1 = f32x4.sub(v128.load(previousRows, 16), v128.load(residualRows, 16));
    const p2 = f32x4.sub(v128.load(previousRows, 32), v128.load(residualRows, 32));
    const p3 = f32x4.sub(v128.load(previousRows, 48), v128.load(residualRows, 48));
    const xy01 = zipLow(p0, p1);
    const xy23 = zipLow(p2, p3);
    const px = joinLow(xy01, xy23);
    const py = joinHigh(xy01, xy23);
    const pz = joinLow(zipHigh(p0, p1), zipHigh(p2, p3));

    const cx = f32x4.add(x, f32x4.mul(nx, depth));
    const cy = f32x4.add(y, f32x4.mul(ny, depth));
    const cz = f32x4.add(z, f32x4.mul(nz, depth));
    let dx = f32x4.sub(cx, px);
    let dy = f32x4.sub(cy, py);
    let dz = f32x4.sub(cz, pz);
    if (isMoving) {
        const motion = collider + Contact.motion;
        dx = f32x4.sub(dx, mapPoint(motion, 0, cx, cy, cz));
        dy = f32x4.sub(dy, mapPoint(motion, 1, cx, cy, cz));
        dz = f32x4.sub(dz, mapPoint(motion, 2, cx, cy, cz));
    }
    const normal = dotColumns(dx, dy, dz, nx, ny, nz);
    dx = f32x4.sub(dx, f32x4.mul(normal, nx));
    dy = f32x4.sub(dy, f32x4.mul(normal, ny));
    dz = f32x4.sub(dz, f32x4.mul(normal, nz));
    const slide = f32x4.sqrt(dotColumns(dx, dy, dz, dx, dy, dz));
    const grip = f32x4.mul(v128.load32_splat(collider, Contact.friction), depth);
    const stick = v128.bitselect(f32x4.div(grip, slide), f32x4.splat(1), f32x4.gt(slide, grip));
    storeRows(
        rows,
        v128.bitselect(f32x4.sub(cx, f32x4.mul(dx, stick)), x, mask),
        v128.bitselect(f32x4.sub(cy, f32x4.mul(dy, stick)), y, mask),
        v128.bitselect(f32x4.sub(cz, f32x4.mul(dz, stick)), z, mask),
    );
    const away = f32x4.pmax(zero, normal);
    subtractRows(residualRows, mask, f32x4.mul(nx, away), f32x4.mul(ny, away), f32x4.mul(nz, away));
}

/** Subtracts four columns from those of four rows that are in `mask`. */
// @ts-ignore: decorator
@inline
function subtractRows(rows: usize, mask: v128, x: v128, y: v128, z: v128): void {
    const zero = f32x4.splat(0);
    x = v128.and(x, mask);
    y = v128.and(y, mask);
    z = v128.and(z, mask);
    const xy01 = zipLow(x, y);
    const xy23 = zipHigh(x, y);
    const z01 = zipLow(z, zero);
    const z23 = zipHigh(z, zero);
    v128.store(rows, f32x4.sub(v128.load(rows, 0), joinLow(xy01, z01)), 0);
    v128.store(rows, f32x4.sub(v128.load(rows, 16), joinHigh(xy01, z01)), 16);
    v128.store(rows, f32x4.sub(v128.load(rows, 32), joinLow(xy23, z23)), 32);
    v128.store(rows, f32x4.sub(v128.load(rows, 48), joinHigh(xy23, z23)), 48);
}

/** Answers the contacts of the particles in `mask` that are squeezed against their supports; the others keep their places. */
// @ts-ignore: decorator
@inline
function answerSqueezed(
    rows: usize, previousRows: usize, residualRows: usize, collider: usize, support: usize, mask: v128, depth: v128,
    nx: v128, ny: v128, nz: v128,
): void {
    const zero = f32x4.splat(0);
    const sx = v128.load(support, SupportRecord.normals);
    const sy = v128.load(support, SupportRecord.normals + 16);
    const sz = v128.load(support, SupportRecord.normals + 32);
    const x0 = v128.load(rows, 0);
    const x1 = v128.load(rows, 16);
    const x2 = v128.load(rows, 32);
    const x3 = v128.load(rows, 48);
    let xy01 = zipLow(x0, x1);
    let xy23 = zipLow(x2, x3);
    const x = joinLow(xy01, xy23);
    const y = joinHigh(xy01, xy23);
    const z = joinLow(zipHigh(x0, x1), zipHigh(x2, x3));
    const p0 = f32x4.sub(v128.load(previousRows, 0), v128.load(residualRows, 0));
    const p1 = f32x4.sub(v128.load(previousRows, 16), v128.load(residualRows, 16));
    const p2 = f32x4.sub(v128.load(previousRows, 32), v128.load(residualRows, 32));
    const p3 = f32x4.sub(v128.load(previousRows, 48), v128.load(residualRows, 48));
    xy01 = zipLow(p0, p1);
    xy23 = zipLow(p2, p3);
    const px = joinLow(xy01, xy23);
    const py = joinHigh(xy01, xy23);
    const pz = joinLow(zipHigh(p0, p1), zipHigh(p2, p3));

    const gap = gapAbove(support, x, y, z);
    const along = dotColumns(nx, ny, nz, sx, sy, sz);
    const distance = f32x4.neg(f32x4.div(gap, along));
    const cx = f32x4.add(x, f32x4.mul(nx, distance));
    const cy = f32x4.add(y, f32x4.mul(ny, distance));
    const cz = f32x4.add(z, f32x4.mul(nz, distance));
    const motion = collider + Contact.motion;
    let dx = f32x4.sub(f32x4.sub(cx, px), mapPoint(motion, 0, cx, cy, cz));
    let dy = f32x4.sub(f32x4.sub(cy, py), mapPoint(motion, 1, cx, cy, cz));
    let dz = f32x4.sub(f32x4.sub(cz, pz), mapPoint(motion, 2, cx, cy, cz));
    const normal = dotColumns(dx, dy, dz, nx, ny, nz);
    const into = dotColumns(dx, dy, dz, sx, sy, sz);
    dx = f32x4.sub(dx, f32x4.mul(into, sx));
    dy = f32x4.sub(dy, f32x4.mul(into, sy));
    dz = f32x4.sub(dz, f32x4.mul(into, sz));
    let ox = f32x4.sub(nx, f32x4.mul(along, sx));
    let oy = f32x4.sub(ny, f32x4.mul(along, sy));
    let oz = f32x4.sub(nz, f32x4.mul(along, sz));
    const length = f32x4.add(f32x4.sqrt(dotColumns(ox, oy, oz, ox, oy, oz)), f32x4.splat(1e-20));
    ox = f32x4.div(ox, length);
    oy = f32x4.div(oy, length);
    oz = f32x4.div(oz, length);
    const out = dotColumns(dx, dy, dz, ox, oy, oz);
    const back = f32x4.pmin(zero, out);
    dx = f32x4.sub(dx, f32x4.mul(out, ox));
    dy = f32x4.sub(dy, f32x4.mul(out, oy));
    dz = f32x4.sub(dz, f32x4.mul(out, oz));
    const slide = f32x4.sqrt(dotColumns(dx, dy, dz, dx, dy, dz));
    const grip = f32x4.mul(v128.load32_splat(collider, Contact.friction), depth);
    const stick = v128.bitselect(f32x4.div(grip, slide), f32x4.splat(1), f32x4.gt(slide, grip));
    storeRows(
        rows,
        v128.bitselect(f32x4.sub(f32x4.sub(cx, f32x4.mul(dx, stick)), f32x4.mul(ox, back)), x, mask),
        v128.bitselect(f32x4.sub(f32x4.sub(cy, f32x4.mul(dy, stick)), f32x4.mul(oy, back)), y, mask),
        v128.bitselect(f32x4.sub(f32x4.sub(cz, f32x4.mul(dz, stick)), f32x4.mul(oz, back)), z, mask),
    );
    const away = f32x4.pmin(distance, f32x4.pmax(zero, normal));
    subtractRows(residualRows, mask, f32x4.mul(nx, away), f32x4.mul(ny, away), f32x4.mul(nz, away));
}
