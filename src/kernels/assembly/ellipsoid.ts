/** Contacts with spheres and ellipsoids, with a swept test along the particle's path. */
import { ColliderData, ContactArrays, EllipsoidData, ParticleArrays } from "./layout.generated";
import { dotColumns } from "./simd";
import { detectSolidContacts, recordSurface } from "./solids";

@unmanaged
class Ellipsoid {
    measure(x: v128, y: v128, z: v128): void {
        const solid = changetype<usize>(this);
        const one = f32x4.splat(1);
        const i0 = v128.load32_splat(solid, EllipsoidData.inverseHalfAxes);
        const i1 = v128.load32_splat(solid, EllipsoidData.inverseHalfAxes + 4);
        const i2 = v128.load32_splat(solid, EllipsoidData.inverseHalfAxes + 8);
        const q0 = f32x4.mul(x, i0);
        const q1 = f32x4.mul(y, i1);
        const q2 = f32x4.mul(z, i2);
        const k = f32x4.sqrt(dotColumns(q0, q1, q2, q0, q1, q2));
        const gx = f32x4.mul(q0, i0);
        const gy = f32x4.mul(q1, i1);
        const gz = f32x4.mul(q2, i2);
        const length = f32x4.sqrt(dotColumns(gx, gy, gz, gx, gy, gz));
        const isOff = f32x4.gt(length, f32x4.splat(0));
        recordSurface(
            v128.bitselect(
                f32x4.div(f32x4.mul(f32x4.sub(k, one), k), length),
                f32x4.neg(v128.load32_splat(solid, EllipsoidData.shortest)),
                isOff,
            ),
            v128.bitselect(f32x4.div(gx, length), one, isOff),
            v128.and(f32x4.div(gy, length), isOff),
            v128.and(f32x4.div(gz, length), isOff),
        );
    }
}

/** Contacts with a sphere or ellipsoid, with a swept test; see test/reference/sphere.ts for the discrete test. */
export function detectEllipsoidContacts(particles: ParticleArrays, collider: ColliderData, contacts: ContactArrays): void {
    detectSolidContacts<Ellipsoid>(particles, collider, contacts);
}
