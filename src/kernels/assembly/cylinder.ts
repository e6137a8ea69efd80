/** Contacts with cylinders. */
import { ColliderData, ContactArrays, CylinderData, ParticleArrays } from "./layout.generated";
import { detectSolidContacts, recordSurface, withSign } from "./solids";
import { square } from "./simd";

@unmanaged
class Cylinder {
    measure(x: v128, y: v128, z: v128): void {
        const solid = changetype<usize>(this);
        const zero = f32x4.splat(0);
        const one = f32x4.splat(1);
        const r = f32x4.sqrt(f32x4.add(square(x), square(z)));
        const er = f32x4.sub(r, v128.load32_splat(solid, CylinderData.radius));
        const ey = f32x4.sub(f32x4.abs(y), v128.load32_splat(solid, CylinderData.halfHeight));
        const deepest = f32x4.pmax(er, ey);
        const isOutside = f32x4.gt(deepest, zero);
        let gr = f32x4.pmax(zero, er);
        let gy = f32x4.pmax(zero, ey);
        const length = f32x4.sqrt(f32x4.add(square(gr), square(gy)));
        const isMantle = f32x4.ge(er, ey);
        gr = v128.bitselect(f32x4.div(gr, length), v128.and(one, isMantle), isOutside);
        gy = v128.bitselect(f32x4.div(gy, length), v128.andnot(one, isMantle), isOutside);
        const isAside = f32x4.gt(r, zero);
        const share = f32x4.div(gr, r);
        recordSurface(
            v128.bitselect(length, deepest, isOutside),
            v128.bitselect(f32x4.mul(share, x), gr, isAside),
            withSign(y, gy),
            v128.and(f32x4.mul(share, z), isAside),
        );
    }
}

/** Contacts with a cylinder. */
export function detectCylinderContacts(particles: ParticleArrays, collider: ColliderData, contacts: ContactArrays): void {
    detectSolidContacts<Cylinder>(particles, collider, contacts);
}
