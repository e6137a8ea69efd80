/** A skirt that hangs by its waist: its curvature at rest holds it out where it is stiff; where it is limp it falls in folds. */
import { seededRandom } from "../random";
import type { Sheet } from "./meshes";
import { at, makeCloth, measure, runSeconds } from "./support";

/** Radii of waist and hem, and the length down the slope [m]. */
const WAIST = 0.06;
const HEM = 0.12;
const LENGTH = 0.12;

/** The frustum of a cone about y, of so many quads around, from the waist down. */
export function skirt(around: number): Sheet {
    const rows = Math.max(2, Math.round((LENGTH * around) / (Math.PI * (WAIST + HEM))));
    const height = Math.sqrt(LENGTH * LENGTH - (HEM - WAIST) ** 2);
    // Folds begin somewhere.
    const random = seededRandom(5);
    const positions: number[] = [];
    const triangles: number[] = [];
    for (let j = 0; j <= rows; j++) {
        for (let i = 0; i < around; i++) {
            const angle = (2 * Math.PI * i) / around;
            const radius = WAIST + ((HEM - WAIST) * j) / rows + (j > 0 ? 1e-5 * random() : 0);
            positions.push(radius * Math.cos(angle), (-height * j) / rows, radius * Math.sin(angle));
            const a = j * around + i;
            const b = j * around + ((i + 1) % around);
            if (j < rows) triangles.push(a, b, b + around, a, b + around, a + around);
        }
    }
    return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

/** Mean distance of the hem of a skirt of 0.2 kg/m² from its axis over that at rest, hung by its waist, and its kinetic energy [J]. */
export function hemWidth(
    bendStiffness: number,
    { around = 48, substepCount = 4, seconds = 5 } = {},
): { width: number; kinetic: number } {
    const sheet = skirt(around);
    const count = sheet.positions.length / 3;
    const fabric = { arealDensity: 0.2, shearStiffness: 200, bendStiffness, damping: 3 };
    const pinned = Array.from({ length: around }, (_, i) => i);
    const cloth = makeCloth(sheet, { fabric, substepCount, tetherSlack: 0, pinned });
    runSeconds(cloth, seconds);
    let sum = 0;
    for (let i = count - around; i < count; i++) sum += Math.hypot(at(cloth, i)[0], at(cloth, i)[2]);
    const { kinetic } = measure(cloth);
    cloth.release();
    return { width: sum / (around * HEM), kinetic };
}
