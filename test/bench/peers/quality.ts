/** How well a cloth keeps its shape: stretch of the structural sticks, penetration and speed, from positions alone. */
import { SPHERE_CENTRE_Y, SPHERE_RADIUS, type GridSticks } from "./grid";

/** Strain statistics of one frame; dimensionless. */
export interface Stretch {
    /** Mean over sticks of the elongation max(0, length / rest - 1). */
    mean: number;
    /** Largest elongation. */
    max: number;
    /** Mean over sticks of |length / rest - 1|, which counts compression too. */
    meanAbsolute: number;
}

/**
 * Measures the stretch of `sticks` into `target`.
 * @param positions world positions [m], xyz triplets
 */
export function measureStretch(sticks: GridSticks, positions: Float32Array, target: Stretch): Stretch {
    const { count, pairs, restLengths } = sticks;
    let elongationSum = 0;
    let elongationMax = 0;
    let absoluteSum = 0;
    for (let s = 0; s < count; s++) {
        const a = 3 * pairs[2 * s];
        const b = 3 * pairs[2 * s + 1];
        const dx = positions[a] - positions[b];
        const dy = positions[a + 1] - positions[b + 1];
        const dz = positions[a + 2] - positions[b + 2];
        const strain = Math.sqrt(dx * dx + dy * dy + dz * dz) / restLengths[s] - 1;
        absoluteSum += Math.abs(strain);
        if (strain > 0) elongationSum += strain;
        // Written so that NaN wins: a cloth that blew up must not report the largest finite strain.
        if (!(strain <= elongationMax)) elongationMax = strain;
    }
    target.mean = elongationSum / count;
    target.max = elongationMax;
    target.meanAbsolute = absoluteSum / count;
    return target;
}

/** Deepest particle below the sphere's surface [m], 0 if all are outside. */
export function measurePenetration(positions: Float32Array): number {
    let nearestSquared = SPHERE_RADIUS * SPHERE_RADIUS;
    for (let i = 0; i < positions.length; i += 3) {
        const x = positions[i];
        const y = positions[i + 1] - SPHERE_CENTRE_Y;
        const z = positions[i + 2];
        nearestSquared = Math.min(nearestSquared, x * x + y * y + z * z);
    }
    return SPHERE_RADIUS - Math.sqrt(nearestSquared);
}

/** Mean speed of the particles between two frames [m/s]. */
export function measureSpeed(positions: Float32Array, previous: Float32Array, seconds: number): number {
    let sum = 0;
    for (let i = 0; i < positions.length; i += 3) {
        sum += Math.hypot(positions[i] - previous[i], positions[i + 1] - previous[i + 1], positions[i + 2] - previous[i + 2]);
    }
    return (3 * sum) / (positions.length * seconds);
}
