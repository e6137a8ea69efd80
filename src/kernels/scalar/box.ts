import { BoxData } from "../contactLayout";
import type { ContactArrays } from "../contactLayout";
import type { ParticleArrays } from "../layout";
import { findSolidContacts, surface } from "./solids";

/** Contacts with an oriented box. */
export function findBoxContacts(particles: ParticleArrays, solid: Float32Array, contacts: ContactArrays): void {
    findSolidContacts(particles, solid, contacts, measureBox);
}

/** Outside, the distance to the nearest point; inside, out by the nearest face, x before y before z. */
function measureBox(solid: Float32Array, x: number, y: number, z: number): void {
    const ex = Math.abs(x) - solid[BoxData.halfX];
    const ey = Math.abs(y) - solid[BoxData.halfY];
    const ez = Math.abs(z) - solid[BoxData.halfZ];
    const deepest = Math.max(ex, ey, ez);
    let gx = Math.max(0, ex);
    let gy = Math.max(0, ey);
    let gz = Math.max(0, ez);
    let length = Math.sqrt(gx * gx + gy * gy + gz * gz);
    surface[0] = length;
    if (!(deepest > 0)) {
        gx = ex === deepest ? 1 : 0;
        gy = gx === 0 && ey === deepest ? 1 : 0;
        gz = gx + gy === 0 ? 1 : 0;
        length = 1;
        surface[0] = deepest;
    }
    surface[1] = (x < 0 ? -gx : gx) / length;
    surface[2] = (y < 0 ? -gy : gy) / length;
    surface[3] = (z < 0 ? -gz : gz) / length;
}
