import { CapsuleData } from "../contactLayout";
import type { ContactArrays } from "../contactLayout";
import type { ParticleArrays } from "../layout";
import { findSolidContacts, surface } from "./solids";

/** Contacts with a capsule, tapered or not. */
export function findCapsuleContacts(particles: ParticleArrays, solid: Float32Array, contacts: ContactArrays): void {
    findSolidContacts(particles, solid, contacts, measureCapsule);
}

/**
 * In the half plane of the distance r from the axis and the height y, the mantle's foot of a point lies at
 * k = (y + halfLength) cos - r sin, from 0 to 2 halfLength cos; beyond, it is the spheres' (Quílez, "Round cone").
 */
function measureCapsule(solid: Float32Array, x: number, y: number, z: number): void {
    const halfLength = solid[CapsuleData.halfLength];
    const sin = solid[CapsuleData.sin];
    const cos = solid[CapsuleData.cos];
    const r = Math.sqrt(x * x + z * z);
    const k = (y + halfLength) * cos - r * sin;
    let distance: number, gr: number, gy: number;
    if (k > 0 && k < 2 * halfLength * cos) {
        gr = cos;
        gy = sin;
        distance = r * cos + (y + halfLength) * sin - solid[CapsuleData.bottom];
    } else {
        const isAbove = k > 0;
        gy = isAbove ? y - halfLength : y + halfLength;
        gr = r;
        const length = Math.sqrt(gr * gr + gy * gy);
        distance = length - solid[isAbove ? CapsuleData.top : CapsuleData.bottom];
        if (length > 0) {
            gr /= length;
            gy /= length;
        } else gr = 1;
    }
    surface[0] = distance;
    surface[1] = r > 0 ? (gr * x) / r : gr;
    surface[2] = gy;
    surface[3] = r > 0 ? (gr * z) / r : 0;
}
