/**
 * Triangles whose corners are on two sides of a box: its rim has cut them, and no direction from its core leads out.
 *
 *     a ●  door        A corner b between two opposing contacts stays. A corner in front of the box, as seen from b's support, moves aside until
 *     ══╲══════┐       the triangle can go round the rim.
 *        ╲     │ →     If no corner has opposing contacts, the triangle's point leaves over the nearest face that it does not span.
 *     ━━━━●b━━━━━ wall
 */
import { MAX_CUT_PUSH } from "./tunables.generated";
import { supportAt } from "./contactResponse";
import { ColliderData, Contact, ContactArrays, ParticleArrays, rowOffset, Scratch, scratch, SolidData, SupportRecord, FaceContactArrays, wordOffset } from "./layout.generated";
import { cornerOf, scaledRow, writeTriangle } from "./faceCandidates";
import { float, word } from "./memory";


/** True if a solid presses any of a triangle's corners against a support. */
export function isAnySqueezed(contacts: ContactArrays, collider: ColliderData, triangle: usize): bool {
    for (let k: usize = 0; k < 3; k++) if (isSqueezed(contacts, collider, triangle, k)) return true;
    return false;
}

// @ts-ignore: decorator
@inline
function isSqueezed(contacts: ContactArrays, collider: usize, triangle: usize, k: usize): bool {
    const particle = <usize>word(triangle, k);
    return float(contacts.opposing, particle) == load<f32>(collider, Contact.id);
}

/** Half extent of a box along an axis of its frame, independent of the core's depth. */
// @ts-ignore: decorator
@inline
function sizeOf(collider: usize, axis: usize): f32 {
    return load<f32>(collider + wordOffset(axis), SolidData.core) + load<f32>(collider, SolidData.coreMargin);
}

/** A coordinate of the corner k in the solid's frame, as {@link addAside} has put it into the scratch. */
// @ts-ignore: decorator
@inline
function coordinate(k: usize, axis: usize): f32 {
    return load<f32>(scratch + rowOffset(k) + wordOffset(axis), Scratch.corners);
}

/** Adds pushes to the corners of a triangle in front of a box that presses another corner against a support; returns the address of the next record. */
export function addFaceBeside(
    particles: ParticleArrays, collider: ColliderData, found: FaceContactArrays, record: usize, triangle: usize,
): usize {
    const contacts = found.contacts;
    let mass: f32 = 0;
    for (let k: usize = 0; k < 3; k++) {
        mass += load<f32>(particles.inverseMasses + wordOffset(word(triangle, k)));
        v128.store(scratch + rowOffset(k), scaledRow(collider, v128.load(cornerOf(particles.positions, triangle, k))), Scratch.corners);
    }
    if (!(mass > 0)) return record;
    for (let axis: usize = 0; axis < 3; axis++) {
        const reach = sizeOf(collider, axis) + load<f32>(collider, SolidData.keptDistance);
        const a = coordinate(0, axis), b = coordinate(1, axis), c = coordinate(2, axis);
        if (min(a, min(b, c)) > reach || max(a, max(b, c)) < -reach) return record;
    }
    let held: usize = 0;
    while (!isSqueezed(contacts, collider, triangle, held)) held++;
    const row = rowOffset(word(triangle, held));
    const support = supportAt(found.previousSupports, row & ~63) + ((row & 63) >> 2);
    const sx = load<f32>(support, SupportRecord.normals);
    const sy = load<f32>(support, SupportRecord.normals + 16);
    const sz = load<f32>(support, SupportRecord.normals + 32);
    const turn = collider + SolidData.toFrame;
    let across: usize = 0;
    let facing: f32 = 0;
    for (let axis: usize = 0; axis < 3; axis++) {
        const column = turn + wordOffset(axis);
        const along = load<f32>(column) * sx + load<f32>(column, 16) * sy + load<f32>(column, 32) * sz;
        if (!(abs(along) > abs(facing))) continue;
        facing = along;
        across = axis;
    }
    if (!(abs(facing) > 0)) return record;
    const front = sizeOf(collider, across);
    let depth = <f32>Infinity;
    let corner: usize = 0;
    let nearest: usize = 0;
    let sign: f32 = 0;
    for (let axis: usize = 0; axis < 3; axis++) {
        if (axis == across) continue;
        const end = sizeOf(collider, axis) + load<f32>(collider, Contact.thickness);
        for (let s: f32 = 1; s >= -1; s -= 2) {
            let most = -<f32>Infinity;
            let farthest: usize = 0;
            for (let k: usize = 0; k < 3; k++) {
                const height = coordinate(k, across);
                if (!((facing < 0 ? -height : height) > front) || isSqueezed(contacts, collider, triangle, k)) continue;
                const left = end - s * coordinate(k, axis);
                if (!(left > most)) continue;
                most = left;
                farthest = k;
            }
            if (most == -<f32>Infinity) return record;
            if (!(most < depth)) continue;
            depth = most;
            corner = farthest;
            nearest = axis;
            sign = s;
        }
    }
    if (!(depth > 0)) return record;
    const rows = turn + wordOffset(nearest);
    const nx = sign * load<f32>(rows), ny = sign * load<f32>(rows, 16), nz = sign * load<f32>(rows, 32);
    const offset = min(depth, MAX_CUT_PUSH) + nx * load<f32>(turn, 48) + ny * load<f32>(turn, 52) + nz * load<f32>(turn, 56)
        + sign * coordinate(corner, nearest);
    return writeTriangle(
        record, triangle, offset, nx, ny, nz, corner == 0 ? 1 : 0, corner == 1 ? 1 : 0, corner == 2 ? 1 : 0);
}

/** Stores the exit along one axis, of four triangles with corners between `low` and `high`, if it is the nearest so far. Columns: least, and n x y z. */
// @ts-ignore: decorator
@inline
function recordWayOut(collider: usize, place: usize, axis: usize, low: v128, high: v128): void {
    const zero = f32x4.splat(0);
    const size = f32x4.splat(sizeOf(collider, axis));
    const spans = v128.and(f32x4.lt(low, f32x4.neg(size)), f32x4.gt(high, size));
    const up = f32x4.sub(size, low);
    const down = f32x4.add(size, high);
    const isUp = f32x4.le(up, down);
    const distance = f32x4.pmin(down, up);
    let least = v128.load(place);
    const isNearer = v128.andnot(f32x4.lt(distance, least), spans);
    v128.store(place, v128.bitselect(distance, least, isNearer));
    for (let c: usize = 0; c < 3; c++) {
        const n = place + 16 + rowOffset(c);
        const own = c == axis ? v128.bitselect(f32x4.splat(1), f32x4.splat(-1), isUp) : zero;
        v128.store(n, v128.bitselect(own, v128.load(n), isNearer));
    }
}

/** Finds the exit directions of four triangles, whose corners are columns in the scratch, out of a box: unit normals to Scratch.surface + 16, zeros where there is none. */
export function findWayOut(collider: ColliderData): void {
    const place = scratch + Scratch.surface;
    v128.store(place, f32x4.splat(Infinity));
    for (let c: usize = 16; c < 64; c += 16) v128.store(place + c, f32x4.splat(0));
    for (let axis: usize = 0; axis < 3; axis++) {
        const corners = scratch + rowOffset(axis);
        const a = v128.load(corners, Scratch.corners), b = v128.load(corners, Scratch.corners + 48), c = v128.load(corners, Scratch.corners + 96);
        recordWayOut(collider, place, axis, f32x4.pmin(a, f32x4.pmin(b, c)), f32x4.pmax(a, f32x4.pmax(b, c)));
    }
}
