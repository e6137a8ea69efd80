/** A sleeve that hangs by a line along it: its curvature at rest keeps it round where it is stiff. */
import type { Sheet } from "./meshes";
import { at, makeCloth, measure, runSeconds } from "./support";

/** Radius [m]. */
export const RADIUS = 0.05;
const LENGTH = 0.1;

/** A tube along z of so many quads around, in a few rings. */
export function tube(around: number): Sheet {
    const rings = Math.max(2, Math.round((LENGTH * around) / (2 * Math.PI * RADIUS)));
    const positions: number[] = [];
    const triangles: number[] = [];
    for (let j = 0; j <= rings; j++) {
        for (let i = 0; i < around; i++) {
            const angle = (2 * Math.PI * i) / around;
            positions.push(RADIUS * Math.sin(angle), RADIUS * (Math.cos(angle) - 1), (LENGTH * j) / rings);
            const a = j * around + i;
            const b = j * around + ((i + 1) % around);
            if (j < rings) triangles.push(a, b, b + around, a, b + around, a + around);
        }
    }
    return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

/** Width over diameter of a sleeve of 0.2 kg/m² at rest, hung by its topmost line, and its kinetic energy [J]. */
export function sleeveWidth(
    bendStiffness: number,
    { around = 48, substepCount = 4, seconds = 5 } = {},
): { width: number; kinetic: number } {
    const sheet = tube(around);
    const count = sheet.positions.length / 3;
    const fabric = { arealDensity: 0.2, shearStiffness: 200, bendStiffness, damping: 3 };
    const pinned = Array.from({ length: count / around }, (_, j) => j * around);
    const cloth = makeCloth(sheet, { fabric, substepCount, tetherSlack: 0, pinned });
    runSeconds(cloth, seconds);
    const xs = Array.from({ length: count }, (_, i) => at(cloth, i)[0]);
    const { kinetic } = measure(cloth);
    cloth.release();
    return { width: (Math.max(...xs) - Math.min(...xs)) / (2 * RADIUS), kinetic };
}
