/**
 * A stiffness that differs along the two sets of threads of a woven fabric: warp along u of the mesh's texture coordinates, weft along v. Both in the unit
 * of the property, >= 0, `Infinity` = rigid. Between them it is in between.
 */
export interface ThreadStiffness {
    warp: number;
    weft: number;
}

/** Below this share of its square, a direction counts as across the threads. */
const MIN_COS_SQUARED = 1e-6;

/** That along warp. */
export function warpOf(stiffness: number | ThreadStiffness): number {
    return typeof stiffness === "number" ? stiffness : stiffness.warp;
}

/** That along weft. */
export function weftOf(stiffness: number | ThreadStiffness): number {
    return typeof stiffness === "number" ? stiffness : stiffness.weft;
}

/** True if it is the same in all directions. */
export function isIsotropic(stiffness: number | ThreadStiffness): boolean {
    return warpOf(stiffness) === weftOf(stiffness);
}

/** True if it is zero in all directions. */
export function isZero(stiffness: number | ThreadStiffness): boolean {
    return warpOf(stiffness) === 0 && weftOf(stiffness) === 0;
}

/** Moment along a direction for a unit of curvature along it. @param alongWarp cos² of its angle to the warp */
export function stiffnessAlong(warp: number, weft: number, alongWarp: number): number {
    return warp * alongWarp + weft * (1 - alongWarp);
}

/**
 * Stiffness of a line at an angle θ to the warp, such that lines in directions evenly spread sum up to {@link stiffnessAlong}: each of them sees cos² of the
 * curvature, which smooths differences. With warp : weft beyond 5 : 1, directions between the threads are softer.
 */
export function lineStiffness(warp: number, weft: number, alongWarp: number): number {
    const between = Math.min((warp + weft) / 2, 3 * warp, 3 * weft);
    const second = 2 * alongWarp - 1;
    const fourth = 2 * second * second - 1;
    return Math.max(
        0,
        (1.5 * (warp + weft) + between) / 4 + 0.75 * (warp - weft) * second + ((1.5 * (warp + weft) - 3 * between) / 4) * fourth,
    );
}

/** Strain along a direction for a unit of force along it: of two sets of springs in a row. @param alongWarp cos² of its angle to the warp */
export function complianceAlong(warp: number, weft: number, alongWarp: number): number {
    return (alongWarp > MIN_COS_SQUARED ? alongWarp / warp : 0) + (1 - alongWarp > MIN_COS_SQUARED ? (1 - alongWarp) / weft : 0);
}

/**
 * Stiffness K of structural sticks that makes a sheet of stiffness k together with its shear sticks. Pulled along its threads with free sides, the shear
 * sticks, which lie along the diagonals, hold it too: by S - S²/(K + S) beside K.
 */
export function excludingShear(k: number, shear: number): number {
    if (k === 0 || k === Infinity || !(shear > 0)) return k;
    // By their ratio: squares of great stiffnesses are no numbers.
    const share = (2 * shear) / k;
    return (k / 2) * (1 + 1 / (Math.sqrt(1 + share * share) + share));
}
