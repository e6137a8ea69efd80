/** Contacts with triangle meshes. Four particles at once, as columns, by one way through the tree. */
import { MESH_PLANE_SLACK, MESH_SEAM, MESH_SEARCH_SHARE } from "./tunables.generated";
import { writeContacts, endContacts, mayTouchBlock } from "./contactResponse";
import { dotColumns, joinHigh, joinLow, square, zipHigh, zipLow } from "./simd";
import {
    BLOCK, Contact, ContactArrays, MeshArrays, MeshData, MeshNode, MeshMemory, MeshTriangle, ParticleArrays, ROW, rowOffset, Scratch, scratch,
    SkinMemory, SolidData,
} from "./layout.generated";
import { anchor, boundBySkin } from "./skin";
import { frameCoordinate, rotateToWorld } from "./solids";

/** Direction of the way out of a closed mesh: along no axis. */
const PATH_X: f32 = 0.137;
const PATH_Y: f32 = 0.953;
const PATH_Z: f32 = 0.271;
/** A radius within which nothing is. */
const NO_HIT: f32 = -1e30;

/** When the path first crosses a triangle, 0..1, else 2; that triangle's plane, the normal towards the path's start. */
// Slots of a search's results, byte offsets from Scratch.found.
const TIME: usize = 0;
const CROSSED: usize = 16;
/** Winding: entries of the path less exits. */
const WINDING: usize = 80;
/** Distance of the nearest triangle from the path's end, if it is less than the radius; from its nearest point to the end. */
const DISTANCE: usize = 96;
const AWAY: usize = 112;
/** Normal of the nearest triangle, towards the path's start, and its number. */
const NORMAL: usize = 160;
const NEAREST: usize = 208;

/**
 * Contacts with a triangle mesh. Its plane nearest to a particle holds it, as long as the particle is near the place from which
 * the plane was found. Then the plane is found anew, from the path that leads from that place to the particle:
 *
 *     place ●         crossed a triangle: that triangle holds it, and the place stays, however often it is pressed through
 *            ╲ ↑ n    else: it is on its own side, its position becomes the place, the nearest triangle its plane
 *     ━━━━━━━━●━━━━
 *              ● q
 *
 * If only one side is solid, a path from the other passes.
 * The place is in the mesh's frame and moves with it. At first it is the particle's position a substep ago; if that is inside a closed mesh,
 * the nearest triangle is the exit.
 */
export function detectMeshContacts(particles: ParticleArrays, mesh: MeshArrays, contacts: ContactArrays): void {
    const zero = f32x4.splat(0);
    const data = mesh.data;
    const positions = particles.positions;
    const inverseMasses = particles.inverseMasses;
    const lowest = f32x4.neg(v128.load32_splat(data, Contact.supportDistance));
    const frame = data + SolidData.toFrame;
    const slots = mesh.vertexCount > 0 ? SkinMemory.count : MeshMemory.count;
    let record = contacts.records;
    let place = data + MeshData.memory;
    let x = positions;
    const end = positions + rowOffset(particles.paddedCount);
    for (let box = particles.blockBounds; x < end; box += 2 * ROW) {
        const blockEnd = min(end, x + rowOffset(BLOCK));
        const isNear = mayTouchBlock(box, data);
        for (; x < blockEnd; x += 64, place += slots) {
            const isFree = f32x4.gt(v128.load(inverseMasses + ((x - positions) >> 2)), zero);
            if (!isNear || !v128.any_true(isFree)) {
                v128.store(place, zero, MeshMemory.radius);
                continue;
            }
            const r0 = v128.load(x, 0), r1 = v128.load(x, 16), r2 = v128.load(x, 32), r3 = v128.load(x, 48);
            const xy01 = zipLow(r0, r1);
            const xy23 = zipLow(r2, r3);
            const wx = joinLow(xy01, xy23);
            const wy = joinHigh(xy01, xy23);
            const wz = joinLow(zipHigh(r0, r1), zipHigh(r2, r3));
            const qx = frameCoordinate(frame, 0, wx, wy, wz);
            const qy = frameCoordinate(frame, 1, wx, wy, wz);
            const qz = frameCoordinate(frame, 2, wx, wy, wz);
            const dx = f32x4.sub(qx, v128.load(place, 0));
            const dy = f32x4.sub(qy, v128.load(place, 16));
            const dz = f32x4.sub(qz, v128.load(place, 32));
            const isOut = v128.andnot(isFree, f32x4.lt(dotColumns(dx, dy, dz, dx, dy, dz), v128.load(place, MeshMemory.radius)));
            if (v128.any_true(isOut)) {
                updateMemory(mesh, place, x + (particles.previous - positions), qx, qy, qz, isOut);
                v128.store(place, v128.and(v128.load(place, MeshMemory.radius), isFree), MeshMemory.radius);
            }
            const nx = v128.load(place, MeshMemory.normal);
            const ny = v128.load(place, MeshMemory.normal + 16);
            const nz = v128.load(place, MeshMemory.normal + 32);
            const height = f32x4.sub(dotColumns(nx, ny, nz, qx, qy, qz), v128.load(place, MeshMemory.offset));
            const depth = f32x4.sub(v128.load32_splat(data, MeshData.keptDistance), height);
            const isInside = v128.and(f32x4.gt(depth, lowest), isFree);
            if (!v128.any_true(isInside)) continue;
            record = writeContacts(
                record, x - positions, isInside, depth,
                rotateToWorld(data, 0, nx, ny, nz), rotateToWorld(data, 16, nx, ny, nz), rotateToWorld(data, 32, nx, ny, nz));
        }
    }
    endContacts(contacts, record);
}

/** Updates the memory of the particle at slot o, which is at q in the frame, at slot s. */
function updateMemory(mesh: MeshArrays, place: usize, previous: usize, qx: v128, qy: v128, qz: v128, isOut: v128): void {
    const zero = f32x4.splat(0);
    const data = mesh.data;
    const found = scratch + Scratch.found;
    const nowhere = f32x4.splat(NO_HIT);
    const size = v128.load32_splat(data, MeshData.size);
    const kept = v128.load32_splat(data, MeshData.keptDistance);
    const oldX = v128.load(place, 0);
    const oldY = v128.load(place, 16);
    const oldZ = v128.load(place, 32);
    let cx = oldX;
    let cy = oldY;
    let cz = oldZ;
    let isInside = zero;
    const isNew = v128.and(isOut, f32x4.eq(v128.load(place, MeshMemory.radius), zero));
    if (v128.any_true(isNew)) {
        const r0 = v128.load(previous, 0), r1 = v128.load(previous, 16), r2 = v128.load(previous, 32), r3 = v128.load(previous, 48);
        const xy01 = zipLow(r0, r1);
        const xy23 = zipLow(r2, r3);
        const wx = joinLow(xy01, xy23);
        const wy = joinHigh(xy01, xy23);
        const wz = joinLow(zipHigh(r0, r1), zipHigh(r2, r3));
        cx = v128.bitselect(frameCoordinate(data + SolidData.toFrameBefore, 0, wx, wy, wz), cx, isNew);
        cy = v128.bitselect(frameCoordinate(data + SolidData.toFrameBefore, 1, wx, wy, wz), cy, isNew);
        cz = v128.bitselect(frameCoordinate(data + SolidData.toFrameBefore, 2, wx, wy, wz), cz, isNew);
        if (load<f32>(data, MeshData.isClosed) > 0) {
            search(
                mesh, cx, cy, cz,
                f32x4.add(cx, f32x4.mul(size, f32x4.splat(PATH_X))),
                f32x4.add(cy, f32x4.mul(size, f32x4.splat(PATH_Y))),
                f32x4.add(cz, f32x4.mul(size, f32x4.splat(PATH_Z))),
                v128.bitselect(zero, nowhere, isNew));
            isInside = v128.and(isNew, f32x4.ne(v128.load(found, WINDING), zero));
            cx = v128.bitselect(qx, cx, isInside);
            cy = v128.bitselect(qy, cy, isInside);
            cz = v128.bitselect(qz, cz, isInside);
        }
    }
    const dx = f32x4.sub(qx, cx);
    const dy = f32x4.sub(qy, cy);
    const dz = f32x4.sub(qz, cz);
    const moved = f32x4.sqrt(dotColumns(dx, dy, dz, dx, dy, dz));
    const reached = f32x4.add(f32x4.add(kept, moved), v128.load32_splat(data, MeshData.motion));
    const radius = v128.bitselect(size, f32x4.mul(f32x4.splat(2), reached), isInside);
    const within = mesh.vertexCount > 0 ? boundBySkin(mesh, place, qx, qy, qz, radius) : radius;
    search(mesh, cx, cy, cz, qx, qy, qz, v128.bitselect(within, nowhere, isOut));
    const distance = v128.load(found, DISTANCE);
    const nearest = v128.bitselect(v128.load(found, NEAREST), f32x4.splat(-1), f32x4.lt(distance, radius));
    const isCrossed = v128.andnot(f32x4.le(v128.load(found, TIME), f32x4.splat(1)), isInside);
    const isClear = v128.andnot(
        v128.or(isInside, f32x4.gt(distance, f32x4.mul(f32x4.splat(MESH_SEARCH_SHARE), kept))), isCrossed);
    const isNone = v128.andnot(f32x4.eq(distance, radius), isCrossed);
    const away = v128.andnot(
        f32x4.div(
            v128.or(f32x4.splat(1), v128.and(isInside, f32x4.splat(-0.0))), f32x4.pmax(distance, f32x4.splat(1e-20))),
        isNone);
    const ax = v128.load(found, AWAY);
    const ay = v128.load(found, AWAY + 16);
    const az = v128.load(found, AWAY + 32);
    let nx = v128.bitselect(
        v128.load(found, CROSSED), v128.bitselect(f32x4.mul(ax, away), v128.load(found, NORMAL), isClear), isCrossed);
    let ny = v128.bitselect(
        v128.load(found, CROSSED + 16), v128.bitselect(f32x4.mul(ay, away), v128.load(found, NORMAL + 16), isClear), isCrossed);
    let nz = v128.bitselect(
        v128.load(found, CROSSED + 32), v128.bitselect(f32x4.mul(az, away), v128.load(found, NORMAL + 32), isClear), isCrossed);
    const px = f32x4.sub(qx, ax);
    const py = f32x4.sub(qy, ay);
    const pz = f32x4.sub(qz, az);
    let offset = v128.bitselect(f32x4.mul(f32x4.splat(-2), kept), dotColumns(nx, ny, nz, px, py, pz), isNone);
    offset = v128.bitselect(v128.load(found, CROSSED + 48), offset, isCrossed);
    cx = v128.bitselect(v128.bitselect(f32x4.add(px, f32x4.mul(nx, kept)), qx, isInside), cx, isClear);
    cy = v128.bitselect(v128.bitselect(f32x4.add(py, f32x4.mul(ny, kept)), qy, isInside), cy, isClear);
    cz = v128.bitselect(v128.bitselect(f32x4.add(pz, f32x4.mul(nz, kept)), qz, isInside), cz, isClear);
    const ball = square(f32x4.pmax(f32x4.sub(distance, kept), f32x4.pmin(f32x4.mul(f32x4.splat(MESH_PLANE_SLACK), kept), distance)));
    if (v128.any_true(v128.and(isCrossed, isOut))) {
        const one = f32x4.splat(1);
        const above = f32x4.sub(dotColumns(nx, ny, nz, cx, cy, cz), offset);
        const below = f32x4.sub(dotColumns(nx, ny, nz, qx, qy, qz), offset);
        const depth = f32x4.sub(kept, below);
        search(
            mesh, cx, cy, cz, f32x4.add(qx, f32x4.mul(nx, depth)), f32x4.add(qy, f32x4.mul(ny, depth)),
            f32x4.add(qz, f32x4.mul(nz, depth)), v128.bitselect(zero, nowhere, v128.and(isCrossed, isOut)));
        const isBlocked = v128.and(isCrossed, f32x4.le(v128.load(found, TIME), one));
        const fall = f32x4.pmax(f32x4.splat(1e-20), f32x4.sub(above, below));
        const t = share(f32x4.div(f32x4.sub(above, f32x4.pmin(kept, above)), fall));
        const tx = f32x4.add(cx, f32x4.mul(dx, t));
        const ty = f32x4.add(cy, f32x4.mul(dy, t));
        const tz = f32x4.add(cz, f32x4.mul(dz, t));
        const length = f32x4.pmax(f32x4.splat(1e-20), moved);
        nx = v128.bitselect(f32x4.div(f32x4.sub(cx, qx), length), nx, isBlocked);
        ny = v128.bitselect(f32x4.div(f32x4.sub(cy, qy), length), ny, isBlocked);
        nz = v128.bitselect(f32x4.div(f32x4.sub(cz, qz), length), nz, isBlocked);
        offset = v128.bitselect(f32x4.sub(dotColumns(nx, ny, nz, tx, ty, tz), kept), offset, isBlocked);
    }
    storeMasked(place, 0, cx, isOut);
    storeMasked(place, 16, cy, isOut);
    storeMasked(place, 32, cz, isOut);
    storeMasked(place, MeshMemory.radius, v128.bitselect(ball, f32x4.splat(-1), v128.andnot(isClear, isInside)), isOut);
    storeMasked(place, MeshMemory.normal, nx, isOut);
    storeMasked(place, MeshMemory.normal + 16, ny, isOut);
    storeMasked(place, MeshMemory.normal + 32, nz, isOut);
    storeMasked(place, MeshMemory.offset, offset, isOut);
    if (mesh.vertexCount == 0) return;
    // A crossed triangle holds a particle at its present position.
    const isTold = v128.andnot(isOut, v128.andnot(isCrossed, isNew));
    if (v128.any_true(isTold)) anchor(mesh, place, v128.bitselect(f32x4.splat(-1), nearest, isCrossed), isTold);
}

/** Writes those of four numbers that are in the mask. */
// @ts-ignore: decorator
@inline
function storeMasked(place: usize, slot: usize, value: v128, mask: v128): void {
    v128.store(place + slot, v128.bitselect(value, v128.load(place + slot), mask));
}

// @ts-ignore: decorator
@inline
function splat(triangle: usize, slot: usize): v128 {
    return v128.load32_splat(triangle + slot);
}

/** Dot product with a vector of the triangle, at a slot. */
// @ts-ignore: decorator
@inline
function along(triangle: usize, slot: usize, x: v128, y: v128, z: v128): v128 {
    return dotColumns(x, y, z, splat(triangle, slot), splat(triangle, slot + 4), splat(triangle, slot + 8));
}

// @ts-ignore: decorator
@inline
function share(x: v128): v128 {
    return f32x4.pmin(f32x4.splat(1), f32x4.pmax(f32x4.splat(0), x));
}

/** Mask of barycentric shares inside a triangle enlarged by this much. */
// @ts-ignore: decorator
@inline
function areIn(v: v128, w: v128, seam: f32): v128 {
    const low = f32x4.splat(-seam);
    return v128.and(
        v128.and(f32x4.ge(v, low), f32x4.ge(w, low)), f32x4.le(f32x4.add(v, w), f32x4.splat(1 + seam)));
}

/** The least lanes of three columns, x y z z. */
// @ts-ignore: decorator
@inline
function leastRow(x: v128, y: v128, z: v128): v128 {
    const xy = f32x4.pmin(zipLow(x, y), zipHigh(x, y));
    const zz = f32x4.pmin(zipLow(z, z), zipHigh(z, z));
    return f32x4.pmin(joinLow(xy, zz), joinHigh(xy, zz));
}

// @ts-ignore: decorator
@inline
function greatestRow(x: v128, y: v128, z: v128): v128 {
    const xy = f32x4.pmax(zipLow(x, y), zipHigh(x, y));
    const zz = f32x4.pmax(zipLow(z, z), zipHigh(z, z));
    return f32x4.pmax(joinLow(xy, zz), joinHigh(xy, zz));
}

/** Finds the triangles that the path from c to q crosses, and the one nearest to q within a radius. */
function search(mesh: MeshArrays, cx: v128, cy: v128, cz: v128, qx: v128, qy: v128, qz: v128, radius: v128): void {
    const zero = f32x4.splat(0);
    const found = scratch + Scratch.found;
    const dx = f32x4.sub(qx, cx);
    const dy = f32x4.sub(qy, cy);
    const dz = f32x4.sub(qz, cz);
    const lowX = f32x4.pmin(cx, qx), highX = f32x4.pmax(cx, qx);
    const lowY = f32x4.pmin(cy, qy), highY = f32x4.pmax(cy, qy);
    const lowZ = f32x4.pmin(cz, qz), highZ = f32x4.pmax(cz, qz);
    let best = radius;
    // The box of all four paths, grown by their search radius.
    let low = leastRow(f32x4.sub(lowX, best), f32x4.sub(lowY, best), f32x4.sub(lowZ, best));
    let high = greatestRow(f32x4.add(highX, best), f32x4.add(highY, best), f32x4.add(highZ, best));
    memory.fill(found, 0, 224);
    v128.store(found, f32x4.splat(2), TIME);
    const triangles = mesh.triangles;
    const front = load<f32>(mesh.data, MeshData.front);
    // A path comes upon the surface from this side.
    const areBoth = f32x4.eq(f32x4.splat(front), zero);
    const isTurned = f32x4.lt(f32x4.splat(front), zero);
    const nodes = mesh.nodes;
    const end = nodes + <usize>mesh.nodeCount * MeshNode.count;
    for (let node = nodes; node < end;) {
        // The fourth lanes hold integers.
        const isNear = v128.and(f32x4.le(low, v128.load(node, MeshNode.maximum)), f32x4.ge(high, v128.load(node, MeshNode.minimum)));
        if ((i32x4.bitmask(isNear) & 7) != 7) {
            node = nodes + <usize>load<u32>(node, MeshNode.next) * MeshNode.count;
            continue;
        }
        const range = load<u32>(node, MeshNode.triangles);
        node += MeshNode.count;
        let t = triangles + <usize>(range >>> 3) * MeshTriangle.count;
        let triangle = <f32>(range >>> 3);
        for (const last = t + <usize>(range & 7) * MeshTriangle.count; t < last; t += MeshTriangle.count, triangle++) {
            const ax = f32x4.sub(qx, splat(t, 0));
            const ay = f32x4.sub(qy, splat(t, 4));
            const az = f32x4.sub(qz, splat(t, 8));
            const height = along(t, MeshTriangle.normal, ax, ay, az);
            const before = f32x4.sub(height, along(t, MeshTriangle.normal, dx, dy, dz));
            const isFront = f32x4.gt(before, zero);
            const isSolid = v128.or(areBoth, v128.xor(isFront, isTurned));
            const isThrough = v128.and(v128.xor(isFront, f32x4.gt(height, zero)), isSolid);
            // The sign that turns the normal towards the path's start.
            const turn = v128.andnot(f32x4.splat(-0.0), isFront);
            if (v128.any_true(isThrough)) {
                const back = f32x4.div(height, f32x4.sub(height, before));
                const x = f32x4.sub(ax, f32x4.mul(dx, back));
                const y = f32x4.sub(ay, f32x4.mul(dy, back));
                const z = f32x4.sub(az, f32x4.mul(dz, back));
                const v = along(t, MeshTriangle.dualB, x, y, z);
                const w = along(t, MeshTriangle.dualC, x, y, z);
                const one = v128.xor(f32x4.splat(1), turn);
                const turns = v128.and(one, v128.and(isThrough, areIn(v, w, 0)));
                v128.store(found, f32x4.add(v128.load(found, WINDING), turns), WINDING);
                const time = f32x4.sub(f32x4.splat(1), back);
                const first = v128.load(found, TIME);
                const isFirst = v128.and(v128.and(isThrough, f32x4.lt(time, first)), areIn(v, w, MESH_SEAM));
                if (v128.any_true(isFirst)) {
                    v128.store(found, v128.bitselect(time, first, isFirst), TIME);
                    for (let k: usize = 0; k < 4; k++) {
                        storeMasked(found, CROSSED + 16 * k, v128.xor(splat(t, MeshTriangle.normal + 4 * k), turn), isFirst);
                    }
                }
            }
            if (!v128.any_true(v128.and(f32x4.lt(f32x4.abs(height), best), isSolid))) continue;
            const v = along(t, MeshTriangle.dualB, ax, ay, az);
            const w = along(t, MeshTriangle.dualC, ax, ay, az);
            const isOver = areIn(v, w, 0);
            let x = f32x4.mul(height, splat(t, MeshTriangle.normal));
            let y = f32x4.mul(height, splat(t, MeshTriangle.normal + 4));
            let z = f32x4.mul(height, splat(t, MeshTriangle.normal + 8));
            let distance = f32x4.abs(height);
            if (!i32x4.all_true(isOver)) {
                const bx = splat(t, MeshTriangle.ab), by = splat(t, MeshTriangle.ab + 4), bz = splat(t, MeshTriangle.ab + 8);
                const ex = splat(t, MeshTriangle.ac), ey = splat(t, MeshTriangle.ac + 4), ez = splat(t, MeshTriangle.ac + 8);
                const u1 = share(f32x4.mul(dotColumns(ax, ay, az, bx, by, bz), splat(t, MeshTriangle.inverseAB)));
                const x1 = f32x4.sub(ax, f32x4.mul(u1, bx));
                const y1 = f32x4.sub(ay, f32x4.mul(u1, by));
                const z1 = f32x4.sub(az, f32x4.mul(u1, bz));
                const s1 = dotColumns(x1, y1, z1, x1, y1, z1);
                const u2 = share(f32x4.mul(dotColumns(ax, ay, az, ex, ey, ez), splat(t, MeshTriangle.inverseAC)));
                const x2 = f32x4.sub(ax, f32x4.mul(u2, ex));
                const y2 = f32x4.sub(ay, f32x4.mul(u2, ey));
                const z2 = f32x4.sub(az, f32x4.mul(u2, ez));
                const s2 = dotColumns(x2, y2, z2, x2, y2, z2);
                const fx = f32x4.sub(ex, bx), fy = f32x4.sub(ey, by), fz = f32x4.sub(ez, bz);
                const gx = f32x4.sub(ax, bx), gy = f32x4.sub(ay, by), gz = f32x4.sub(az, bz);
                const u3 = share(f32x4.mul(dotColumns(gx, gy, gz, fx, fy, fz), splat(t, MeshTriangle.inverseBC)));
                const x3 = f32x4.sub(gx, f32x4.mul(u3, fx));
                const y3 = f32x4.sub(gy, f32x4.mul(u3, fy));
                const z3 = f32x4.sub(gz, f32x4.mul(u3, fz));
                const s3 = dotColumns(x3, y3, z3, x3, y3, z3);
                const is2 = f32x4.lt(s2, s1);
                const s12 = f32x4.pmin(s1, s2);
                const is3 = f32x4.lt(s3, s12);
                distance = v128.bitselect(distance, f32x4.sqrt(f32x4.pmin(s12, s3)), isOver);
                x = v128.bitselect(x, v128.bitselect(x3, v128.bitselect(x2, x1, is2), is3), isOver);
                y = v128.bitselect(y, v128.bitselect(y3, v128.bitselect(y2, y1, is2), is3), isOver);
                z = v128.bitselect(z, v128.bitselect(z3, v128.bitselect(z2, z1, is2), is3), isOver);
            }
            const isBest = v128.and(f32x4.lt(distance, best), isSolid);
            if (!v128.any_true(isBest)) continue;
            best = v128.bitselect(distance, best, isBest);
            low = leastRow(f32x4.sub(lowX, best), f32x4.sub(lowY, best), f32x4.sub(lowZ, best));
            high = greatestRow(f32x4.add(highX, best), f32x4.add(highY, best), f32x4.add(highZ, best));
            storeMasked(found, NEAREST, f32x4.splat(triangle), isBest);
            storeMasked(found, AWAY, x, isBest);
            storeMasked(found, AWAY + 16, y, isBest);
            storeMasked(found, AWAY + 32, z, isBest);
            for (let k: usize = 0; k < 3; k++) {
                storeMasked(found, NORMAL + 16 * k, v128.xor(splat(t, MeshTriangle.normal + 4 * k), turn), isBest);
            }
        }
    }
    v128.store(found, best, DISTANCE);
}
