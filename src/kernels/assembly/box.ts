/** Contacts with boxes. */
import { BoxData, ColliderData, ContactArrays, ParticleArrays } from "./layout.generated";
import { detectSolidContacts, recordSurface, withSign } from "./solids";
import { dotColumns } from "./simd";

@unmanaged
class Box {
    measure(x: v128, y: v128, z: v128): void {
        const solid = changetype<usize>(this);
        const zero = f32x4.splat(0);
        const one = f32x4.splat(1);
        const ex = f32x4.sub(f32x4.abs(x), v128.load32_splat(solid, BoxData.halfX));
        const ey = f32x4.sub(f32x4.abs(y), v128.load32_splat(solid, BoxData.halfY));
        const ez = f32x4.sub(f32x4.abs(z), v128.load32_splat(solid, BoxData.halfZ));
        const deepest = f32x4.pmax(f32x4.pmax(ex, ey), ez);
        const isOutside = f32x4.gt(deepest, zero);
        const gx = f32x4.pmax(zero, ex);
        const gy = f32x4.pmax(zero, ey);
        const gz = f32x4.pmax(zero, ez);
        const length = f32x4.sqrt(dotColumns(gx, gy, gz, gx, gy, gz));
        const isX = f32x4.eq(ex, deepest);
        const isY = v128.andnot(f32x4.eq(ey, deepest), isX);
        const isZ = v128.not(v128.or(isX, isY));
        recordSurface(
            v128.bitselect(length, deepest, isOutside),
            withSign(x, v128.bitselect(f32x4.div(gx, length), v128.and(one, isX), isOutside)),
            withSign(y, v128.bitselect(f32x4.div(gy, length), v128.and(one, isY), isOutside)),
            withSign(z, v128.bitselect(f32x4.div(gz, length), v128.and(one, isZ), isOutside)),
        );
    }
}

/** Contacts with an oriented box. */
export function detectBoxContacts(particles: ParticleArrays, collider: ColliderData, contacts: ContactArrays): void {
    detectSolidContacts<Box>(particles, collider, contacts);
}
