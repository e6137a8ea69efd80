import { EllipsoidData } from "../contactLayout";
import type { ContactArrays } from "../contactLayout";
import type { ParticleArrays } from "../layout";
import { findSolidContacts, surface } from "./solids";

/** Contacts with a sphere or ellipsoid that is met on the way; see scalar/sphere.ts for one that is met where particles are. */
export function findEllipsoidContacts(particles: ParticleArrays, solid: Float32Array, contacts: ContactArrays): void {
    findSolidContacts(particles, solid, contacts, measureEllipsoid);
}

/**
 * In units of the half axes a point is q. |q| is convex: the distance is at least (|q| - 1) / |∇|q||, all of it for a sphere,
 * and what goes that far back along the gradient from inside is out.
 */
function measureEllipsoid(solid: Float32Array, x: number, y: number, z: number): void {
    const i0 = solid[EllipsoidData.inverseHalfAxes];
    const i1 = solid[EllipsoidData.inverseHalfAxes + 1];
    const i2 = solid[EllipsoidData.inverseHalfAxes + 2];
    const q0 = x * i0;
    const q1 = y * i1;
    const q2 = z * i2;
    const k = Math.sqrt(q0 * q0 + q1 * q1 + q2 * q2);
    const gx = q0 * i0;
    const gy = q1 * i1;
    const gz = q2 * i2;
    const length = Math.sqrt(gx * gx + gy * gy + gz * gz);
    surface[0] = length > 0 ? ((k - 1) * k) / length : -solid[EllipsoidData.shortest];
    surface[1] = length > 0 ? gx / length : 1;
    surface[2] = length > 0 ? gy / length : 0;
    surface[3] = length > 0 ? gz / length : 0;
}
