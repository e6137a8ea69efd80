/** Contacts with capsules. */
import { CapsuleData, ColliderData, ContactArrays, ParticleArrays } from "./layout.generated";
import { detectSolidContacts, recordSurface } from "./solids";
import { square } from "./simd";

@unmanaged
class Capsule {
    measure(x: v128, y: v128, z: v128): void {
        const solid = changetype<usize>(this);
        const zero = f32x4.splat(0);
        const one = f32x4.splat(1);
        const halfLength = v128.load32_splat(solid, CapsuleData.halfLength);
        const sin = v128.load32_splat(solid, CapsuleData.sin);
        const cos = v128.load32_splat(solid, CapsuleData.cos);
        const bottom = v128.load32_splat(solid, CapsuleData.bottom);
        const r = f32x4.sqrt(f32x4.add(square(x), square(z)));
        const fromBottom = f32x4.add(y, halfLength);
        const k = f32x4.sub(f32x4.mul(fromBottom, cos), f32x4.mul(r, sin));
        const isPastBottom = f32x4.gt(k, zero);
        const isMantle = v128.and(isPastBottom, f32x4.lt(k, f32x4.mul(f32x4.add(halfLength, halfLength), cos)));
        let gy = v128.bitselect(f32x4.sub(y, halfLength), fromBottom, isPastBottom);
        const length = f32x4.sqrt(f32x4.add(square(r), square(gy)));
        const radius = v128.bitselect(v128.load32_splat(solid, CapsuleData.top), bottom, isPastBottom);
        const isSomewhere = f32x4.gt(length, zero);
        const onMantle = f32x4.sub(f32x4.add(f32x4.mul(r, cos), f32x4.mul(fromBottom, sin)), bottom);
        gy = v128.bitselect(sin, v128.and(f32x4.div(gy, length), isSomewhere), isMantle);
        const gr = v128.bitselect(cos, v128.bitselect(f32x4.div(r, length), one, isSomewhere), isMantle);
        const isAside = f32x4.gt(r, zero);
        const share = f32x4.div(gr, r);
        recordSurface(
            v128.bitselect(onMantle, f32x4.sub(length, radius), isMantle),
            v128.bitselect(f32x4.mul(share, x), gr, isAside),
            gy,
            v128.and(f32x4.mul(share, z), isAside),
        );
    }
}

/** Contacts with a capsule, tapered or not. */
export function detectCapsuleContacts(particles: ParticleArrays, collider: ColliderData, contacts: ContactArrays): void {
    detectSolidContacts<Capsule>(particles, collider, contacts);
}
