/** Contacts with spheres and ellipsoids. Four particles at once, as columns. */
import { ELLIPSOID_ITERATIONS } from "./tunables.generated";
import { writeContacts, endContacts, mayTouchBlock } from "./contactResponse";
import { dotColumns, joinHigh, joinLow, square, zipHigh, zipLow } from "./simd";
import { BLOCK, ColliderData, Contact, ContactArrays, ParticleArrays, ROW, SphereData, rowOffset } from "./layout.generated";

const CENTRE_TOLERANCE: f32 = 1e-3;
const SURFACE_TOLERANCE: f32 = 1e-4;

export function detectSphereContacts(particles: ParticleArrays, collider: ColliderData, contacts: ContactArrays): void {
    const positions = particles.positions;
    const inverseMasses = particles.inverseMasses;
    let record = contacts.records;
    const zero = f32x4.splat(0);
    const one = f32x4.splat(1);
    const centreX = v128.load32_splat(collider, SphereData.centre);
    const centreY = v128.load32_splat(collider, SphereData.centre + 4);
    const centreZ = v128.load32_splat(collider, SphereData.centre + 8);
    const near = v128.load32_splat(collider, Contact.supportDistance);
    const reach = f32x4.add(v128.load32_splat(collider, SphereData.reach), near);
    const reachSquared = f32x4.mul(reach, reach);
    const shortest = f32x4.sqrt(v128.load32_splat(collider, SphereData.squares));
    const isRound = load<f32>(collider, SphereData.isRound) > 0;
    const unit = collider + SphereData.toUnit;
    const end = positions + rowOffset(particles.paddedCount);
    let x = positions;
    for (let box = particles.blockBounds; x < end; box += 2 * ROW) {
        const blockEnd = min(end, x + rowOffset(BLOCK));
        if (!mayTouchBlock(box, collider)) {
            x = blockEnd;
            continue;
        }
        for (; x < blockEnd; x += 64) {
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
            let isInside = v128.and(
                f32x4.lt(dotColumns(dx, dy, dz, dx, dy, dz), reachSquared),
                f32x4.gt(v128.load(inverseMasses + ((x - positions) >> 2)), zero),
            );
            if (!v128.any_true(isInside)) continue;
            const thickness = v128.load32_splat(collider, Contact.thickness);
            const u0 = v128.load32_splat(unit, 0), u1 = v128.load32_splat(unit, 4), u2 = v128.load32_splat(unit, 8);
            const u4 = v128.load32_splat(unit, 16), u5 = v128.load32_splat(unit, 20), u6 = v128.load32_splat(unit, 24);
            const u8 = v128.load32_splat(unit, 32), u9 = v128.load32_splat(unit, 36), u10 = v128.load32_splat(unit, 40);
            let q0 = dotColumns(dx, dy, dz, u0, u4, u8);
            let q1 = dotColumns(dx, dy, dz, u1, u5, u9);
            let q2 = dotColumns(dx, dy, dz, u2, u6, u10);
            const k = f32x4.sqrt(dotColumns(q0, q1, q2, q0, q1, q2));
            const above = f32x4.mul(shortest, f32x4.sub(k, one));
            isInside = v128.and(isInside, f32x4.lt(above, f32x4.add(thickness, near)));
            if (!v128.any_true(isInside)) continue;
            let s = zero;
            if (!isRound) {
                const e0 = v128.load32_splat(collider, SphereData.squares);
                const e1 = v128.load32_splat(collider, SphereData.squares + 4);
                const e2 = v128.load32_splat(collider, SphereData.squares + 8);
                const d1 = v128.load32_splat(collider, SphereData.squareDifferences + 4);
                const d2 = v128.load32_splat(collider, SphereData.squareDifferences + 8);
                q0 = v128.or(f32x4.pmax(f32x4.splat(CENTRE_TOLERANCE), f32x4.abs(q0)), v128.and(f32x4.lt(q0, zero), f32x4.splat(-0.0)));
                const k1 = f32x4.sub(k, one);
                s = f32x4.pmax(
                    f32x4.pmax(f32x4.mul(e0, f32x4.abs(q0)), f32x4.sub(f32x4.mul(e1, f32x4.abs(q1)), d1)),
                    f32x4.pmax(
                        f32x4.sub(f32x4.mul(e2, f32x4.abs(q2)), d2),
                        f32x4.add(e0, f32x4.pmin(f32x4.mul(e0, k1), f32x4.mul(e2, k1))),
                    ),
                );
                for (let step = 0; step < <i32>ELLIPSOID_ITERATIONS; step++) {
                    const i0 = f32x4.div(one, s);
                    const i1 = f32x4.div(one, f32x4.add(d1, s));
                    const i2 = f32x4.div(one, f32x4.add(d2, s));
                    const t0 = square(f32x4.mul(f32x4.mul(e0, q0), i0));
                    const t1 = square(f32x4.mul(f32x4.mul(e1, q1), i1));
                    const t2 = square(f32x4.mul(f32x4.mul(e2, q2), i2));
                    const squared = f32x4.add(f32x4.add(t0, t1), t2);
                    const excess = f32x4.sub(f32x4.sqrt(squared), one);
                    s = f32x4.add(s, f32x4.mul(f32x4.div(squared, dotColumns(t0, t1, t2, i0, i1, i2)), excess));
                    if (!v128.any_true(v128.and(isInside, f32x4.ge(f32x4.abs(excess), f32x4.splat(SURFACE_TOLERANCE))))) break;
                }
                q0 = f32x4.mul(q0, f32x4.div(e0, s));
                q1 = f32x4.mul(q1, f32x4.div(e1, f32x4.add(d1, s)));
                q2 = f32x4.mul(q2, f32x4.div(e2, f32x4.add(d2, s)));
                s = f32x4.sub(s, e0);
            }
            const gx = dotColumns(q0, q1, q2, u0, u1, u2);
            const gy = dotColumns(q0, q1, q2, u4, u5, u6);
            const gz = dotColumns(q0, q1, q2, u8, u9, u10);
            const gradient = f32x4.sqrt(dotColumns(gx, gy, gz, gx, gy, gz));
            const depth = f32x4.sub(thickness, isRound ? above : f32x4.mul(s, gradient));
            isInside = v128.and(isInside, v128.and(f32x4.gt(depth, f32x4.neg(near)), f32x4.gt(gradient, zero)));
            if (!v128.any_true(isInside)) continue;
            record = writeContacts(
                record, x - positions, isInside, depth, f32x4.div(gx, gradient), f32x4.div(gy, gradient), f32x4.div(gz, gradient));
        }
    }
    endContacts(contacts, record);
}
