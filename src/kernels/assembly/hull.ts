/** Contacts with convex hulls. */
import { ColliderData, ContactArrays, HullData, ParticleArrays, ROW } from "./layout.generated";
import { detectSolidContacts, recordSurface } from "./solids";
import { dotColumns } from "./simd";

@unmanaged
class Hull {
    /** Most that are near a hull's box are off one of its planes. */
    areBeyond(x: v128, y: v128, z: v128, reach: v128): bool {
        const solid = changetype<usize>(this);
        let plane = solid + HullData.planes;
        for (const end = plane + <usize>load<f32>(solid, HullData.planeCount) * ROW; plane < end; plane += ROW) {
            const height = f32x4.sub(
                dotColumns(x, y, z, v128.load32_splat(plane, 0), v128.load32_splat(plane, 4), v128.load32_splat(plane, 8)),
                v128.load32_splat(plane, 12));
            if (v128.all_true<i32>(f32x4.gt(height, reach))) return true;
        }
        return false;
    }

    measure(x: v128, y: v128, z: v128): void {
        const solid = changetype<usize>(this);
        let distance = f32x4.splat(-Infinity);
        let gx = f32x4.splat(0);
        let gy = gx;
        let gz = gx;
        let plane = solid + HullData.planes;
        for (const end = plane + <usize>load<f32>(solid, HullData.planeCount) * ROW; plane < end; plane += ROW) {
            const nx = v128.load32_splat(plane, 0);
            const ny = v128.load32_splat(plane, 4);
            const nz = v128.load32_splat(plane, 8);
            const height = f32x4.sub(dotColumns(x, y, z, nx, ny, nz), v128.load32_splat(plane, 12));
            const isHigher = f32x4.gt(height, distance);
            distance = v128.bitselect(height, distance, isHigher);
            gx = v128.bitselect(nx, gx, isHigher);
            gy = v128.bitselect(ny, gy, isHigher);
            gz = v128.bitselect(nz, gz, isHigher);
        }
        recordSurface(distance, gx, gy, gz);
    }
}

/** Contacts with a convex hull. */
export function detectHullContacts(particles: ParticleArrays, collider: ColliderData, contacts: ContactArrays): void {
    detectSolidContacts<Hull>(particles, collider, contacts);
}
