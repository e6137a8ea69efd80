import { HullData } from "../contactLayout";
import type { ContactArrays } from "../contactLayout";
import type { ParticleArrays } from "../layout";
import { findSolidContacts, surface } from "./solids";

/** Contacts with a convex hull. */
export function findHullContacts(particles: ParticleArrays, solid: Float32Array, contacts: ContactArrays): void {
    findSolidContacts(particles, solid, contacts, measureHull);
}

/** The plane that the point is highest above; beside edges and corners that is less than the distance. */
export function measureHull(solid: Float32Array, x: number, y: number, z: number): void {
    surface[0] = -Infinity;
    const end = HullData.planes + 4 * solid[HullData.planeCount];
    for (let o = HullData.planes; o < end; o += 4) {
        const height = x * solid[o] + y * solid[o + 1] + z * solid[o + 2] - solid[o + 3];
        if (!(height > surface[0])) continue;
        surface[0] = height;
        surface[1] = solid[o];
        surface[2] = solid[o + 1];
        surface[3] = solid[o + 2];
    }
}
