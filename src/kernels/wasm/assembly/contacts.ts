/** Contacts with spheres and planes; specification: scalar/contacts.ts. Four particles at once, as columns. */
import { dotColumns, joinHigh, joinLow, storeRows, xyz0, zipHigh, zipLow } from "./lanes";
import {
    CONTACT_FRICTION, CONTACT_MOTION, CONTACT_THICKNESS,
    PLANE_NORMAL, PLANE_OFFSET, PLANE_RECOVERY, PLANE_RISE, PLANE_TO_UNIT,
    SPHERE_CENTRE, SPHERE_REACH, SPHERE_TO_UNIT,
} from "./slots";

/** Column `slot` of an affine map (row vectors, shape [4, 4]) applied to four points. */
// @ts-ignore: decorator
@inline
function mapPoint(map: usize, slot: usize, x: v128, y: v128, z: v128): v128 {
    map += slot << 2;
    return f32x4.add(
        dotColumns(x, y, z, v128.load32_splat(map, 0), v128.load32_splat(map, 16), v128.load32_splat(map, 32)),
        v128.load32_splat(map, 48),
    );
}

/** Whether a collider's material moves at all; most do not. */
function hasMotion(collider: usize): bool {
    const motion = collider + CONTACT_MOTION;
    return v128.any_true(v128.or(
        v128.or(xyz0(v128.load(motion, 0)), xyz0(v128.load(motion, 16))),
        v128.or(xyz0(v128.load(motion, 32)), xyz0(v128.load(motion, 48))),
    ));
}

/**
 * Resolves the contacts of the particles in `mask`, which are `depth` inside along the unit normals n; the others keep
 * their places to the last bit.
 */
// @ts-ignore: decorator
@inline
function resolveContacts(
    rows: usize, previousRows: usize, collider: usize, isMoving: bool, mask: v128, depth: v128,
    x: v128, y: v128, z: v128, nx: v128, ny: v128, nz: v128,
): void {
    const zero = f32x4.splat(0);
    const p0 = v128.load(previousRows, 0);
    const p1 = v128.load(previousRows, 16);
    const p2 = v128.load(previousRows, 32);
    const p3 = v128.load(previousRows, 48);
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
        const motion = collider + CONTACT_MOTION;
        dx = f32x4.sub(dx, mapPoint(motion, 0, cx, cy, cz));
        dy = f32x4.sub(dy, mapPoint(motion, 1, cx, cy, cz));
        dz = f32x4.sub(dz, mapPoint(motion, 2, cx, cy, cz));
    }
    const normal = dotColumns(dx, dy, dz, nx, ny, nz);
    dx = f32x4.sub(dx, f32x4.mul(normal, nx));
    dy = f32x4.sub(dy, f32x4.mul(normal, ny));
    dz = f32x4.sub(dz, f32x4.mul(normal, nz));
    const slide = f32x4.sqrt(dotColumns(dx, dy, dz, dx, dy, dz));
    const grip = f32x4.mul(v128.load32_splat(collider, CONTACT_FRICTION), depth);
    const stick = v128.bitselect(f32x4.div(grip, slide), f32x4.splat(1), f32x4.gt(slide, grip));
    storeRows(
        rows,
        v128.bitselect(f32x4.sub(cx, f32x4.mul(dx, stick)), x, mask),
        v128.bitselect(f32x4.sub(cy, f32x4.mul(dy, stick)), y, mask),
        v128.bitselect(f32x4.sub(cz, f32x4.mul(dz, stick)), z, mask),
    );
    const away = f32x4.pmax(zero, normal);
    storeRows(
        previousRows,
        v128.bitselect(f32x4.add(px, f32x4.mul(nx, away)), px, mask),
        v128.bitselect(f32x4.add(py, f32x4.mul(ny, away)), py, mask),
        v128.bitselect(f32x4.add(pz, f32x4.mul(nz, away)), pz, mask),
    );
}

export function collideSphere(
    x: usize, previous: usize, inverseMasses: usize, paddedCount: usize, collider: usize,
): void {
    const zero = f32x4.splat(0);
    const centreX = v128.load32_splat(collider, SPHERE_CENTRE);
    const centreY = v128.load32_splat(collider, SPHERE_CENTRE + 4);
    const centreZ = v128.load32_splat(collider, SPHERE_CENTRE + 8);
    const reach = v128.load32_splat(collider, SPHERE_REACH);
    const reachSquared = f32x4.mul(reach, reach);
    const unit = collider + SPHERE_TO_UNIT;
    const isMoving = hasMotion(collider);
    const end = x + (paddedCount << 4);
    while (x < end) {
        const r0 = v128.load(x, 0);
        const r1 = v128.load(x, 16);
        const r2 = v128.load(x, 32);
        const r3 = v128.load(x, 48);
        const xy01 = zipLow(r0, r1);
        const xy23 = zipLow(r2, r3);
        const px = joinLow(xy01, xy23);
        const py = joinHigh(xy01, xy23);
        const pz = joinLow(zipHigh(r0, r1), zipHigh(r2, r3));
        const dx = f32x4.sub(px, centreX);
        const dy = f32x4.sub(py, centreY);
        const dz = f32x4.sub(pz, centreZ);
        const isNear = v128.and(
            f32x4.lt(dotColumns(dx, dy, dz, dx, dy, dz), reachSquared),
            f32x4.gt(v128.load(inverseMasses), zero),
        );
        if (v128.any_true(isNear)) {
            const u0 = v128.load32_splat(unit, 0), u1 = v128.load32_splat(unit, 4), u2 = v128.load32_splat(unit, 8);
            const u4 = v128.load32_splat(unit, 16), u5 = v128.load32_splat(unit, 20), u6 = v128.load32_splat(unit, 24);
            const u8 = v128.load32_splat(unit, 32), u9 = v128.load32_splat(unit, 36), u10 = v128.load32_splat(unit, 40);
            const qx = dotColumns(dx, dy, dz, u0, u4, u8);
            const qy = dotColumns(dx, dy, dz, u1, u5, u9);
            const qz = dotColumns(dx, dy, dz, u2, u6, u10);
            const gx = dotColumns(qx, qy, qz, u0, u1, u2);
            const gy = dotColumns(qx, qy, qz, u4, u5, u6);
            const gz = dotColumns(qx, qy, qz, u8, u9, u10);
            const gradient = f32x4.sqrt(dotColumns(gx, gy, gz, gx, gy, gz));
            const k0 = f32x4.sqrt(dotColumns(qx, qy, qz, qx, qy, qz));
            const distance = f32x4.div(f32x4.mul(k0, f32x4.sub(k0, f32x4.splat(1))), gradient);
            const depth = f32x4.sub(v128.load32_splat(collider, CONTACT_THICKNESS), distance);
            const isInside = v128.and(v128.and(f32x4.gt(depth, zero), f32x4.gt(gradient, zero)), isNear);
            if (v128.any_true(isInside)) {
                resolveContacts(
                    x, previous, collider, isMoving, isInside, depth, px, py, pz,
                    f32x4.div(gx, gradient), f32x4.div(gy, gradient), f32x4.div(gz, gradient),
                );
            }
        }
        x += 64;
        previous += 64;
        inverseMasses += 16;
    }
}

export function collidePlane(
    x: usize, previous: usize, inverseMasses: usize, paddedCount: usize, collider: usize,
): void {
    const zero = f32x4.splat(0);
    const one = f32x4.splat(1);
    const normalX = v128.load32_splat(collider, PLANE_NORMAL);
    const normalY = v128.load32_splat(collider, PLANE_NORMAL + 4);
    const normalZ = v128.load32_splat(collider, PLANE_NORMAL + 8);
    const normal = xyz0(v128.load(collider, PLANE_NORMAL));
    const offset = v128.load32_splat(collider, PLANE_OFFSET);
    const beforeOffset = f32x4.sub(offset, v128.load32_splat(collider, PLANE_RISE));
    const lowest = f32x4.neg(v128.load32_splat(collider, PLANE_RECOVERY));
    const isHalfSpace = load<f32>(collider, PLANE_RECOVERY) == Infinity;
    const thickness = v128.load32_splat(collider, CONTACT_THICKNESS);
    const unit = collider + PLANE_TO_UNIT;
    const isMoving = hasMotion(collider);
    const end = x + (paddedCount << 4);
    for (; x < end; x += 64, previous += 64, inverseMasses += 16) {
        const r0 = v128.load(x, 0);
        const r1 = v128.load(x, 16);
        const r2 = v128.load(x, 32);
        const r3 = v128.load(x, 48);
        const xy01 = zipLow(r0, r1);
        const xy23 = zipLow(r2, r3);
        const px = joinLow(xy01, xy23);
        const py = joinHigh(xy01, xy23);
        const pz = joinLow(zipHigh(r0, r1), zipHigh(r2, r3));
        const height = f32x4.sub(dotColumns(px, py, pz, normalX, normalY, normalZ), offset);
        // +0 in front, -0 behind: the sign that the side gives to height and normal.
        let side = zero;
        if (!isHalfSpace) {
            const before = f32x4.sub(
                rowsDot(previous, normal),
                beforeOffset,
            );
            side = v128.and(f32x4.lt(before, lowest), f32x4.splat(-0.0));
        }
        const depth = f32x4.sub(thickness, v128.xor(height, side));
        let isInside = v128.and(f32x4.gt(depth, zero), f32x4.gt(v128.load(inverseMasses), zero));
        if (!v128.any_true(isInside)) continue;
        const s = f32x4.abs(mapPoint(unit, 0, px, py, pz));
        const t = f32x4.abs(mapPoint(unit, 1, px, py, pz));
        isInside = v128.and(isInside, v128.and(f32x4.le(s, one), f32x4.le(t, one)));
        if (!v128.any_true(isInside)) continue;
        resolveContacts(
            x, previous, collider, isMoving, isInside, depth, px, py, pz,
            v128.xor(normalX, side), v128.xor(normalY, side), v128.xor(normalZ, side),
        );
    }
}

/** Dot products of four consecutive rows with one row. */
// @ts-ignore: decorator
@inline
function rowsDot(rows: usize, row: v128): v128 {
    const p0 = f32x4.mul(v128.load(rows, 0), row);
    const p1 = f32x4.mul(v128.load(rows, 16), row);
    const p2 = f32x4.mul(v128.load(rows, 32), row);
    const p3 = f32x4.mul(v128.load(rows, 48), row);
    const xy01 = zipLow(p0, p1);
    const xy23 = zipLow(p2, p3);
    return f32x4.add(
        f32x4.add(joinLow(xy01, xy23), joinHigh(xy01, xy23)), joinLow(zipHigh(p0, p1), zipHigh(p2, p3)),
    );
}
