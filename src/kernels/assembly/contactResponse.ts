/** Contacts, four particles at once, as columns. */
import { DYNAMIC_LOAD_FACTOR, MIN_THICKNESS, PINCHED_SHARE, PRIORITY_LIMIT, PRIORITY_STEPS, RESTING_FALLS } from "./tunables.generated";
import { dotColumns, joinHigh, joinLow, square, storeRows, xyz0, zipHigh, zipLow } from "./simd";
import { BLOCK, ColliderData, Contact, ContactArrays, ContactRecord, ParticleArrays, ROW, rowOffset, SupportRecord, Uniform, wordOffset } from "./layout.generated";

const TOUCHING: f32 = 1e-30;
const EQUAL: f32 = 0.5;

/** Column `slot` of an affine map (row vectors, shape [4, 4]) applied to four points. */
// @ts-ignore: decorator
@inline
export function mapPoint(map: usize, slot: usize, x: v128, y: v128, z: v128): v128 {
    map += wordOffset(slot);
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
export function writeContacts(record: usize, row: usize, mask: v128, depth: v128, nx: v128, ny: v128, nz: v128): usize {
    store<u32>(record, <u32>row, ContactRecord.row);
    const none = f32x4.eq(depth, f32x4.splat(0));
    v128.store(record, v128.and(v128.or(depth, v128.and(none, f32x4.splat(-TOUCHING))), mask), ContactRecord.depths);
    v128.store(record, nx, ContactRecord.normals);
    v128.store(record, ny, ContactRecord.normals + 16);
    v128.store(record, nz, ContactRecord.normals + 32);
    return record + ContactRecord.count;
}

/** Stores the number of records: those before `end`. */
// @ts-ignore: decorator
@inline
export function endContacts(contacts: ContactArrays, end: usize): void {
    store<u32>(contacts.recordCount, <u32>((end - contacts.records) / ContactRecord.count));
}

/** Address beyond the last record. */
// @ts-ignore: decorator
@inline
export function contactsEnd(contacts: ContactArrays): usize {
    return contacts.records + <usize>load<u32>(contacts.recordCount) * ContactRecord.count;
}

/** True if a collider's material moves. */
function hasMotion(collider: usize): bool {
    const motion = collider + Contact.motion;
    return v128.any_true(v128.or(
        v128.or(xyz0(v128.load(motion, 0)), xyz0(v128.load(motion, 16))),
        v128.or(xyz0(v128.load(motion, 32)), xyz0(v128.load(motion, 48))),
    ));
}

/** The share of a slide that friction takes back, at a contact of some depth. */
// @ts-ignore: decorator
@inline
function heldShare(collider: usize, depth: v128, x: v128, y: v128, z: v128): v128 {
    const slide = f32x4.sqrt(dotColumns(x, y, z, x, y, z));
    const grip = f32x4.mul(v128.load32_splat(collider, Contact.friction), depth);
    return v128.bitselect(f32x4.div(grip, slide), f32x4.splat(1), f32x4.gt(slide, grip));
}

/** Particles without a contact keep their positions to the last bit. */
export function resolveContacts(particles: ParticleArrays, collider: ColliderData, contacts: ContactArrays): void {
    // Loops of their own: most colliders pay for neither.
    if (load<f32>(collider, Contact.restitution) > 0 || load<f32>(collider, Contact.dynamicMass) > 0) {
        resolveAll(particles, collider, contacts, true);
    } else {
        resolveAll(particles, collider, contacts, false);
    }
}

/** @param isRich true with restitution or reaction impulses; a compile-time constant */
// @ts-ignore: decorator
@inline
function resolveAll(particles: ParticleArrays, collider: ColliderData, contacts: ContactArrays, isRich: bool): void {
    const zero = f32x4.splat(0);
    const positions = particles.positions;
    const previous = particles.previous;
    const residuals = particles.residuals;
    const motion = collider + Contact.motion;
    const isMoving = hasMotion(collider);
    const supportMode = load<u32>(contacts.supportMode) > 0;
    const restitution: f32 = isRich ? load<f32>(collider, Contact.restitution) : 0;
    const isGivenBack = isRich && load<f32>(collider, Contact.dynamicMass) > 0;
    const share: f32 = isGivenBack ? reactionShare(particles, collider, contacts) : 1;
    const end = contactsEnd(contacts);
    const name = v128.load32_splat(collider, Contact.id);
    const shallow = f32x4.splat(PINCHED_SHARE * max<f32>(MIN_THICKNESS, load<f32>(collider, Contact.thickness)));
    const grip = load<f32>(collider, Contact.maxFrictionDepth);
    const gripped = f32x4.splat(grip > 0 ? grip : <f32>Infinity);
    // The box of the block that is being pushed.
    const boxes = particles.blockBounds;
    let box = boxes;
    let low = v128.load(box, 0);
    let high = v128.load(box, 16);
    for (let record = contacts.records; record < end; record += ContactRecord.count) {
        const row = <usize>load<u32>(record, ContactRecord.row);
        const depth = v128.load(record, ContactRecord.depths);
        const nx = v128.load(record, ContactRecord.normals);
        const ny = v128.load(record, ContactRecord.normals + 16);
        const nz = v128.load(record, ContactRecord.normals + 32);
        const isInside = f32x4.gt(depth, zero);
        const rows = positions + row;
        const x0 = v128.load(rows, 0);
        const x1 = v128.load(rows, 16);
        const x2 = v128.load(rows, 32);
        const x3 = v128.load(rows, 48);
        let xy01 = zipLow(x0, x1);
        let xy23 = zipLow(x2, x3);
        const x = joinLow(xy01, xy23);
        const y = joinHigh(xy01, xy23);
        const z = joinLow(zipHigh(x0, x1), zipHigh(x2, x3));
        const previousRows = previous + row;
        const residualRows = residuals + row;
        const p0 = f32x4.sub(v128.load(previousRows, 0), v128.load(residualRows, 0));
        const p1 = f32x4.sub(v128.load(previousRows, 16), v128.load(residualRows, 16));
        const p2 = f32x4.sub(v128.load(previousRows, 32), v128.load(residualRows, 32));
        const p3 = f32x4.sub(v128.load(previousRows, 48), v128.load(residualRows, 48));
        xy01 = zipLow(p0, p1);
        xy23 = zipLow(p2, p3);
        const px = joinLow(xy01, xy23);
        const py = joinHigh(xy01, xy23);
        const pz = joinLow(zipHigh(p0, p1), zipHigh(p2, p3));

        let cx = f32x4.add(x, f32x4.mul(nx, depth));
        let cy = f32x4.add(y, f32x4.mul(ny, depth));
        let cz = f32x4.add(z, f32x4.mul(nz, depth));
        let dx = f32x4.sub(cx, px);
        let dy = f32x4.sub(cy, py);
        let dz = f32x4.sub(cz, pz);
        if (isMoving) {
            dx = f32x4.sub(dx, mapPoint(motion, 0, cx, cy, cz));
            dy = f32x4.sub(dy, mapPoint(motion, 1, cx, cy, cz));
            dz = f32x4.sub(dz, mapPoint(motion, 2, cx, cy, cz));
        }
        let normal = dotColumns(dx, dy, dz, nx, ny, nz);
        dx = f32x4.sub(dx, f32x4.mul(normal, nx));
        dy = f32x4.sub(dy, f32x4.mul(normal, ny));
        dz = f32x4.sub(dz, f32x4.mul(normal, nz));
        const opposing = supportMode ? v128.load(contacts.opposing + (row >> 2)) : zero;
        const pinched = f32x4.pmin(depth, shallow);
        let held = heldShare(collider, v128.bitselect(pinched, f32x4.pmin(depth, gripped), f32x4.ne(opposing, zero)), dx, dy, dz);
        let endX = f32x4.sub(cx, f32x4.mul(dx, held));
        let endY = f32x4.sub(cy, f32x4.mul(dy, held));
        let endZ = f32x4.sub(cz, f32x4.mul(dz, held));
        let away = f32x4.pmax(zero, normal);
        if (isRich && restitution > 0) away = f32x4.sub(normal, bounce(particles.uniforms, f32x4.sub(normal, depth), restitution));

        let intoX = zero, intoY = zero, intoZ = zero;
        if (supportMode) {
            const support = supportAt(contacts.supports, row);
            const sx = v128.load(support, SupportRecord.normals);
            const sy = v128.load(support, SupportRecord.normals + 16);
            const sz = v128.load(support, SupportRecord.normals + 32);
            const sw = v128.load(support, SupportRecord.offsets);
            const height = f32x4.sub(dotColumns(x, y, z, sx, sy, sz), sw);
            const gap = f32x4.pmax(zero, height);
            const slope = dotColumns(nx, ny, nz, sx, sy, sz);
            const hasNone = f32x4.eq(dotColumns(sx, sy, sz, sx, sy, sz), zero);
            const isKnown = v128.andnot(f32x4.eq(opposing, name), hasNone);
            const isSqueezed = v128.and(
                isInside, v128.bitselect(isKnown, f32x4.lt(f32x4.add(f32x4.mul(depth, slope), gap), zero), f32x4.eq(opposing, name)));
            if (v128.any_true(isSqueezed)) {
                if (load<u32>(contacts.supportMode) > 1) {
                    const place = contacts.newOpposing + (row >> 2);
                    v128.store(place, v128.bitselect(name, v128.load(place), isSqueezed));
                    store<u32>(contacts.hasOpposing, 2);
                }
                const along = f32x4.pmin(zero, slope);
                const isAgainst = f32x4.lt(along, zero);
                const distance = v128.and(f32x4.pmin(depth, f32x4.neg(f32x4.div(gap, along))), isAgainst);
                const fall = v128.andnot(gap, isAgainst);
                cx = f32x4.sub(f32x4.add(x, f32x4.mul(nx, distance)), f32x4.mul(sx, fall));
                cy = f32x4.sub(f32x4.add(y, f32x4.mul(ny, distance)), f32x4.mul(sy, fall));
                cz = f32x4.sub(f32x4.add(z, f32x4.mul(nz, distance)), f32x4.mul(sz, fall));
                const mx = mapPoint(motion, 0, cx, cy, cz);
                const my = mapPoint(motion, 1, cx, cy, cz);
                const mz = mapPoint(motion, 2, cx, cy, cz);
                dx = f32x4.sub(f32x4.sub(cx, px), mx);
                dy = f32x4.sub(f32x4.sub(cy, py), my);
                dz = f32x4.sub(f32x4.sub(cz, pz), mz);
                normal = dotColumns(dx, dy, dz, nx, ny, nz);
                const rise = dotColumns(dx, dy, dz, sx, sy, sz);
                dx = f32x4.sub(dx, f32x4.mul(rise, sx));
                dy = f32x4.sub(dy, f32x4.mul(rise, sy));
                dz = f32x4.sub(dz, f32x4.mul(rise, sz));
                let ox = f32x4.sub(nx, f32x4.mul(slope, sx));
                let oy = f32x4.sub(ny, f32x4.mul(slope, sy));
                let oz = f32x4.sub(nz, f32x4.mul(slope, sz));
                const length = f32x4.add(f32x4.sqrt(dotColumns(ox, oy, oz, ox, oy, oz)), f32x4.splat(1e-20));
                ox = f32x4.div(ox, length);
                oy = f32x4.div(oy, length);
                oz = f32x4.div(oz, length);
                const back = f32x4.pmin(
                    f32x4.pmax(zero, f32x4.neg(dotColumns(dx, dy, dz, ox, oy, oz))), f32x4.pmax(zero, dotColumns(mx, my, mz, ox, oy, oz)));
                ox = f32x4.mul(ox, back);
                oy = f32x4.mul(oy, back);
                oz = f32x4.mul(oz, back);
                dx = f32x4.add(dx, ox);
                dy = f32x4.add(dy, oy);
                dz = f32x4.add(dz, oz);
                held = heldShare(collider, pinched, dx, dy, dz);
                const left = supportShare(v128.load(support, SupportRecord.priority), load<f32>(collider, Contact.priority));
                const right = f32x4.sub(f32x4.splat(1), left);
                const overlap = f32x4.sub(depth, distance);
                const into = v128.and(isSqueezed, f32x4.div(
                    f32x4.mul(f32x4.mul(right, f32x4.neg(along)), v128.and(overlap, f32x4.gt(f32x4.add(overlap, normal), zero))),
                    f32x4.add(left, f32x4.mul(right, square(along)))));
                intoX = f32x4.mul(sx, into);
                intoY = f32x4.mul(sy, into);
                intoZ = f32x4.mul(sz, into);
                endX = v128.bitselect(f32x4.add(f32x4.sub(cx, f32x4.mul(dx, held)), f32x4.sub(ox, intoX)), endX, isSqueezed);
                endY = v128.bitselect(f32x4.add(f32x4.sub(cy, f32x4.mul(dy, held)), f32x4.sub(oy, intoY)), endY, isSqueezed);
                endZ = v128.bitselect(f32x4.add(f32x4.sub(cz, f32x4.mul(dz, held)), f32x4.sub(oz, intoZ)), endZ, isSqueezed);
                away = v128.bitselect(f32x4.pmin(distance, f32x4.pmax(zero, normal)), away, isSqueezed);
            }
            const isNew = v128.and(f32x4.ne(depth, zero), hasNone);
            v128.store(support, v128.bitselect(nx, sx, isNew), SupportRecord.normals);
            v128.store(support, v128.bitselect(ny, sy, isNew), SupportRecord.normals + 16);
            v128.store(support, v128.bitselect(nz, sz, isNew), SupportRecord.normals + 32);
            v128.store(support, v128.bitselect(f32x4.add(dotColumns(x, y, z, nx, ny, nz), depth), sw, isNew), SupportRecord.offsets);
            const firmness = v128.load(support, SupportRecord.priority);
            v128.store(support, v128.bitselect(v128.load32_splat(collider, Contact.priority), firmness, isNew), SupportRecord.priority);
        }

        endX = v128.bitselect(endX, x, isInside);
        endY = v128.bitselect(endY, y, isInside);
        endZ = v128.bitselect(endZ, z, isInside);
        storeRows(rows, endX, endY, endZ);
        const rowsBox = boxes + row / rowOffset(BLOCK) * (2 * ROW);
        if (rowsBox != box) {
            storeBox(box, low, high);
            box = rowsBox;
            low = v128.load(box, 0);
            high = v128.load(box, 16);
        }
        const y0 = v128.load(rows, 0), y1 = v128.load(rows, 16), y2 = v128.load(rows, 32), y3 = v128.load(rows, 48);
        low = f32x4.pmin(low, f32x4.pmin(f32x4.pmin(y0, y1), f32x4.pmin(y2, y3)));
        high = f32x4.pmax(high, f32x4.pmax(f32x4.pmax(y0, y1), f32x4.pmax(y2, y3)));
        // Masked last: normals beside the contacts may be no numbers.
        let rx = v128.and(f32x4.sub(f32x4.mul(nx, away), intoX), isInside);
        let ry = v128.and(f32x4.sub(f32x4.mul(ny, away), intoY), isInside);
        let rz = v128.and(f32x4.sub(f32x4.mul(nz, away), intoZ), isInside);
        if (isRich && isGivenBack) {
            const left = f32x4.splat(1 - share);
            const gx = f32x4.sub(f32x4.sub(endX, x), rx);
            const gy = f32x4.sub(f32x4.sub(endY, y), ry);
            const gz = f32x4.sub(f32x4.sub(endZ, z), rz);
            const taken = f32x4.mul(massesOf(particles, row, isInside), f32x4.splat(share));
            addImpulse(collider, endX, endY, endZ, f32x4.mul(gx, taken), f32x4.mul(gy, taken), f32x4.mul(gz, taken));
            rx = f32x4.add(rx, f32x4.mul(gx, left));
            ry = f32x4.add(ry, f32x4.mul(gy, left));
            rz = f32x4.add(rz, f32x4.mul(gz, left));
        }
        subtractRows(residualRows, rx, ry, rz);
    }
    storeBox(box, low, high);
}

/** Address of the supports of the four particles in a row (byte offset). */
// @ts-ignore: decorator
@inline
export function supportAt(supports: usize, row: usize): usize {
    return supports + row / (4 * ROW) * SupportRecord.count;
}

/** Shares of overlaps that supports leave to a collider. */
// @ts-ignore: decorator
@inline
function supportShare(supports: v128, collider: f32): v128 {
    const more = f32x4.sub(supports, f32x4.splat(min<f32>(collider, <f32>PRIORITY_LIMIT)));
    return f32x4.pmin(f32x4.splat(1), f32x4.add(f32x4.splat(EQUAL), f32x4.div(more, f32x4.splat(<f32>PRIORITY_STEPS))));
}

/** Separation speeds after contacts with approach velocity `speed`, along the normals. */
function bounce(uniforms: usize, speed: v128, restitution: f32): v128 {
    const zero = f32x4.splat(0);
    const gravity = f32x4.abs(v128.load(uniforms, Uniform.gravity));
    const fall = f32x4.extract_lane(gravity, 0) + f32x4.extract_lane(gravity, 1) + f32x4.extract_lane(gravity, 2);
    const isFast = f32x4.lt(speed, f32x4.splat(-<f32>RESTING_FALLS * fall));
    const back = v128.and(f32x4.mul(speed, f32x4.splat(-restitution)), isFast);
    return v128.bitselect(speed, back, f32x4.ge(speed, zero));
}

/** Masses of those of the four particles in `row` (byte offset) that are in `mask`. */
// @ts-ignore: decorator
@inline
function massesOf(particles: ParticleArrays, row: usize, mask: v128): v128 {
    const weights = v128.load(particles.inverseMasses + row / ROW * sizeof<f32>());
    return v128.and(f32x4.div(f32x4.splat(1), weights), v128.and(f32x4.gt(weights, f32x4.splat(0)), mask));
}

/** Share of their velocity change by contacts that particles keep; stores the mass of those in contact. */
function reactionShare(particles: ParticleArrays, collider: usize, contacts: ContactArrays): f32 {
    const zero = f32x4.splat(0);
    const end = contactsEnd(contacts);
    let sums = zero;
    for (let record = contacts.records; record < end; record += ContactRecord.count) {
        const isInside = f32x4.gt(v128.load(record, ContactRecord.depths), zero);
        sums = f32x4.add(sums, massesOf(particles, <usize>load<u32>(record, ContactRecord.row), isInside));
    }
    const sum = f32x4.extract_lane(sums, 0) + f32x4.extract_lane(sums, 1) + f32x4.extract_lane(sums, 2) + f32x4.extract_lane(sums, 3);
    store<f32>(collider, sum, Contact.contactMass);
    const mass = load<f32>(collider, Contact.dynamicMass);
    return mass / (mass + <f32>DYNAMIC_LOAD_FACTOR / load<f32>(particles.uniforms, Uniform.substepShare) * sum);
}

/** Adds the changes of four particles' momenta (columns p) and their moments to the collider's reaction impulse. */
function addImpulse(collider: usize, x: v128, y: v128, z: v128, px: v128, py: v128, pz: v128): void {
    accumulate(collider + Contact.impulse, px, py, pz);
    x = f32x4.sub(x, v128.load32_splat(collider, Contact.centre));
    y = f32x4.sub(y, v128.load32_splat(collider, Contact.centre + 4));
    z = f32x4.sub(z, v128.load32_splat(collider, Contact.centre + 8));
    accumulate(
        collider + Contact.angularImpulse, f32x4.sub(f32x4.mul(y, pz), f32x4.mul(z, py)), f32x4.sub(f32x4.mul(z, px), f32x4.mul(x, pz)),
        f32x4.sub(f32x4.mul(x, py), f32x4.mul(y, px)));
}

/** Adds the sums of three columns to the row at an address. */
// @ts-ignore: decorator
@inline
function accumulate(row: usize, x: v128, y: v128, z: v128): void {
    const zero = f32x4.splat(0);
    const xy01 = zipLow(x, y);
    const xy23 = zipHigh(x, y);
    const z01 = zipLow(z, zero);
    const z23 = zipHigh(z, zero);
    const sum = f32x4.add(
        f32x4.add(joinLow(xy01, z01), joinHigh(xy01, z01)), f32x4.add(joinLow(xy23, z23), joinHigh(xy23, z23)));
    v128.store(row, f32x4.add(v128.load(row), sum));
}

// @ts-ignore: decorator
@inline
function storeBox(box: usize, low: v128, high: v128): void {
    v128.store(box, low, 0);
    v128.store(box, high, 16);
}

/** True if the particles of the block with this box can come into contact with the collider's; conservative. */
// @ts-ignore: decorator
@inline
export function mayTouchBlock(box: usize, collider: usize): bool {
    return mayTouch(v128.load(box, 0), v128.load(box, 16), collider);
}

/** True if four particles on their paths can come into contact with the collider's box; conservative. */
// @ts-ignore: decorator
@inline
export function mayTouchRows(x: usize, previous: usize, collider: usize): bool {
    const x0 = v128.load(x, 0), x1 = v128.load(x, 16), x2 = v128.load(x, 32), x3 = v128.load(x, 48);
    const p0 = v128.load(previous, 0), p1 = v128.load(previous, 16), p2 = v128.load(previous, 32), p3 = v128.load(previous, 48);
    return mayTouch(
        f32x4.pmin(f32x4.pmin(f32x4.pmin(x0, x1), f32x4.pmin(x2, x3)), f32x4.pmin(f32x4.pmin(p0, p1), f32x4.pmin(p2, p3))),
        f32x4.pmax(f32x4.pmax(f32x4.pmax(x0, x1), f32x4.pmax(x2, x3)), f32x4.pmax(f32x4.pmax(p0, p1), f32x4.pmax(p2, p3))),
        collider);
}

// @ts-ignore: decorator
@inline
function mayTouch(low: v128, high: v128, collider: usize): bool {
    return !v128.any_true(v128.or(
        f32x4.gt(low, v128.load(collider, Contact.maximum)), f32x4.lt(high, v128.load(collider, Contact.minimum))));
}

/** Subtracts four columns from four rows. */
// @ts-ignore: decorator
@inline
export function subtractRows(rows: usize, x: v128, y: v128, z: v128): void {
    const zero = f32x4.splat(0);
    const xy01 = zipLow(x, y);
    const xy23 = zipHigh(x, y);
    const z01 = zipLow(z, zero);
    const z23 = zipHigh(z, zero);
    v128.store(rows, f32x4.sub(v128.load(rows, 0), joinLow(xy01, z01)), 0);
    v128.store(rows, f32x4.sub(v128.load(rows, 16), joinHigh(xy01, z01)), 16);
    v128.store(rows, f32x4.sub(v128.load(rows, 32), joinLow(xy23, z23)), 32);
    v128.store(rows, f32x4.sub(v128.load(rows, 48), joinHigh(xy23, z23)), 48);
}
