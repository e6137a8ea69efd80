import { CylinderData } from "../contactLayout";
import type { ContactArrays } from "../contactLayout";
import type { ParticleArrays } from "../layout";
import { findSolidContacts, surface } from "./solids";

/** Contacts with a cylinder. */
export function findCylinderContacts(particles: ParticleArrays, solid: Float32Array, contacts: ContactArrays): void {
    findSolidContacts(particles, solid, contacts, measureCylinder);
}

/** A rectangle in the half plane of the distance r from the axis and the height y; inside, out by the mantle before the lids. */
export function measureCylinder(solid: Float32Array, x: number, y: number, z: number): void {
    const r = Math.sqrt(x * x + z * z);
    const er = r - solid[CylinderData.radius];
    const ey = Math.abs(y) - solid[CylinderData.halfHeight];
    let gr = Math.max(0, er);
    let gy = Math.max(0, ey);
    let length = Math.sqrt(gr * gr + gy * gy);
    surface[0] = length;
    if (!(Math.max(er, ey) > 0)) {
        gr = er >= ey ? 1 : 0;
        gy = 1 - gr;
        length = 1;
        surface[0] = Math.max(er, ey);
    }
    gr /= length;
    surface[1] = r > 0 ? (gr * x) / r : gr;
    surface[2] = (y < 0 ? -gy : gy) / length;
    surface[3] = r > 0 ? (gr * z) / r : 0;
}
