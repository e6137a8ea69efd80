/** Contacts with solids, four particles at once, as columns. */
import { SWEEP_ITERATIONS, SWEEP_TOLERANCE } from "./tunables.generated";
import { writeContacts, endContacts, mayTouchBlock, mayTouchRows } from "./contactResponse";
import { dotColumns, joinHigh, joinLow, zipHigh, zipLow } from "./simd";
import { BLOCK, ColliderData, Contact, ContactArrays, ParticleArrays, ROW, rowOffset, Scratch, scratch, SolidData, wordOffset } from "./layout.generated";


/** Stores the distances and the unit gradients found by a solid's `measure`. */
// @ts-ignore: decorator
@inline
export function recordSurface(distance: v128, x: v128, y: v128, z: v128): void {
    v128.store(scratch, distance, Scratch.surface);
    v128.store(scratch, x, Scratch.surface + 16);
    v128.store(scratch, y, Scratch.surface + 32);
    v128.store(scratch, z, Scratch.surface + 48);
}

/** A coordinate of four points in a solid's frame. */
// @ts-ignore: decorator
@inline
export function frameCoordinate(frame: usize, slot: usize, x: v128, y: v128, z: v128): v128 {
    const turn = frame + wordOffset(slot);
    return dotColumns(
        f32x4.sub(x, v128.load32_splat(frame, 48)), f32x4.sub(y, v128.load32_splat(frame, 52)), f32x4.sub(z, v128.load32_splat(frame, 56)),
        v128.load32_splat(turn, 0), v128.load32_splat(turn, 16), v128.load32_splat(turn, 32));
}

/** b with the sign of a. */
// @ts-ignore: decorator
@inline
export function withSign(a: v128, b: v128): v128 {
    return v128.xor(b, v128.and(a, f32x4.splat(-0.0)));
}

/**
 * Contacts with a solid. A particle that has hardly moved against it is tested at its present position, along the gradient there. One that
 * has moved by more than the sweep may have come through: its path, straight in the solid's frame, is followed in steps as
 * long as the distance (sphere tracing, Hart 1996), and the plane at the point of impact holds it.
 *
 *      q0 ●
 *          ╲   ↑ n        depth = thickness - (d + n · (q1 - q))
 *       ━━━━●━━━━━━ q
 *       ░░░░░╲░░░░░
 *             ● q1
 */
// @ts-ignore: decorator
@inline
export function detectSolidContacts<S>(particles: ParticleArrays, collider: ColliderData, contacts: ContactArrays): void {
    const zero = f32x4.splat(0);
    const one = f32x4.splat(1);
    const positions = particles.positions;
    const toPrevious = particles.previous - positions;
    const inverseMasses = particles.inverseMasses;
    const solid = changetype<S>(collider);
    let record = contacts.records;
    let x = positions;
    const end = positions + rowOffset(particles.paddedCount);
    for (let box = particles.blockBounds; x < end; box += 2 * ROW) {
        const blockEnd = min(end, x + rowOffset(BLOCK));
        if (!mayTouchBlock(box, collider)) {
            x = blockEnd;
            continue;
        }
        for (; x < blockEnd; x += 64) {
            const isFree = f32x4.gt(v128.load(inverseMasses + ((x - positions) >> 2)), zero);
            if (!v128.any_true(isFree) || !mayTouchRows(x, x + toPrevious, collider)) continue;
            let r0 = v128.load(x, 0), r1 = v128.load(x, 16), r2 = v128.load(x, 32), r3 = v128.load(x, 48);
            let xy01 = zipLow(r0, r1);
            let xy23 = zipLow(r2, r3);
            let wx = joinLow(xy01, xy23);
            let wy = joinHigh(xy01, xy23);
            let wz = joinLow(zipHigh(r0, r1), zipHigh(r2, r3));
            const qx = frameCoordinate(collider + SolidData.toFrame, 0, wx, wy, wz);
            const qy = frameCoordinate(collider + SolidData.toFrame, 1, wx, wy, wz);
            const qz = frameCoordinate(collider + SolidData.toFrame, 2, wx, wy, wz);
            const p = x + toPrevious;
            r0 = v128.load(p, 0);
            r1 = v128.load(p, 16);
            r2 = v128.load(p, 32);
            r3 = v128.load(p, 48);
            xy01 = zipLow(r0, r1);
            xy23 = zipLow(r2, r3);
            wx = joinLow(xy01, xy23);
            wy = joinHigh(xy01, xy23);
            wz = joinLow(zipHigh(r0, r1), zipHigh(r2, r3));
            // Back from the end of the path to its start.
            const bx = f32x4.sub(frameCoordinate(collider + SolidData.toFrameBefore, 0, wx, wy, wz), qx);
            const by = f32x4.sub(frameCoordinate(collider + SolidData.toFrameBefore, 1, wx, wy, wz), qy);
            const bz = f32x4.sub(frameCoordinate(collider + SolidData.toFrameBefore, 2, wx, wy, wz), qz);
            const sweep = v128.load32_splat(collider, SolidData.sweep);
            const thickness = v128.load32_splat(collider, Contact.thickness);
            const length = f32x4.sqrt(dotColumns(bx, by, bz, bx, by, bz));
            const isFast = v128.and(f32x4.gt(length, sweep), isFree);
            const near = v128.load32_splat(collider, Contact.supportDistance);
            if (isDefined(solid.areBeyond)) {
                if (!v128.any_true(isFast) && solid.areBeyond(qx, qy, qz, f32x4.add(thickness, near))) continue;
            }
            // Share of the path that is left.
            let left = v128.and(isFast, one);
            solid.measure(
                f32x4.add(qx, f32x4.mul(bx, left)), f32x4.add(qy, f32x4.mul(by, left)), f32x4.add(qz, f32x4.mul(bz, left)));
            let distance = v128.load(scratch, Scratch.surface);
            let nx = v128.load(scratch, Scratch.surface + 16);
            let ny = v128.load(scratch, Scratch.surface + 32);
            let nz = v128.load(scratch, Scratch.surface + 48);
            if (v128.any_true(isFast)) {
                const close = f32x4.add(thickness, f32x4.mul(f32x4.splat(SWEEP_TOLERANCE), sweep));
                for (let step = 0; step < <i32>SWEEP_ITERATIONS; step++) {
                    const isOn = v128.and(f32x4.gt(left, zero), f32x4.gt(distance, close));
                    if (!v128.any_true(isOn)) break;
                    const next = f32x4.pmax(zero, f32x4.sub(left, f32x4.div(f32x4.sub(distance, thickness), length)));
                    left = v128.bitselect(next, left, isOn);
                    solid.measure(
                        f32x4.add(qx, f32x4.mul(bx, left)), f32x4.add(qy, f32x4.mul(by, left)), f32x4.add(qz, f32x4.mul(bz, left)));
                    distance = v128.bitselect(v128.load(scratch, Scratch.surface), distance, isOn);
                    nx = v128.bitselect(v128.load(scratch, Scratch.surface + 16), nx, isOn);
                    ny = v128.bitselect(v128.load(scratch, Scratch.surface + 32), ny, isOn);
                    nz = v128.bitselect(v128.load(scratch, Scratch.surface + 48), nz, isOn);
                }
            }
            const depth = f32x4.add(
                f32x4.sub(thickness, distance), f32x4.mul(dotColumns(nx, ny, nz, bx, by, bz), left));
            const isInside = v128.and(f32x4.gt(depth, f32x4.neg(near)), isFree);
            if (!v128.any_true(isInside)) continue;
            record = writeContacts(
                record, x - positions, isInside, depth,
                rotateToWorld(collider, 0, nx, ny, nz), rotateToWorld(collider, 16, nx, ny, nz), rotateToWorld(collider, 32, nx, ny, nz));
        }
    }
    endContacts(contacts, record);
}

/** A coordinate, by its offset in the map, of four directions of the frame in simulation space. */
// @ts-ignore: decorator
@inline
export function rotateToWorld(collider: usize, offset: usize, x: v128, y: v128, z: v128): v128 {
    const row = collider + SolidData.toFrame + offset;
    return dotColumns(x, y, z, v128.load32_splat(row, 0), v128.load32_splat(row, 4), v128.load32_splat(row, 8));
}
