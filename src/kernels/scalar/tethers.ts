import type { ParticleArrays, TetherArrays } from "../layout";

/**
 * Tether projection (Kim et al. 2012, "Long Range Attachments"): a particle farther from its anchor than the geodesic
 * distance is pulled straight back to that distance. Unilateral: C = |x - a| - L <= 0.
 */
export function projectTethers(particles: ParticleArrays, tethers: TetherArrays): void {
    const x = particles.positions;
    const { particles: held, anchors, maxLengths, tetherCount } = tethers;
    for (let t = 0; t < tetherCount; t++) {
        const o = held[t] << 2;
        const a = anchors[t] << 2;
        const dx = x[o] - x[a];
        const dy = x[o + 1] - x[a + 1];
        const dz = x[o + 2] - x[a + 2];
        const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
        if (length > maxLengths[t]) {
            const k = maxLengths[t] / length;
            x[o] = x[a] + dx * k;
            x[o + 1] = x[a + 1] + dy * k;
            x[o + 2] = x[a + 2] + dz * k;
        }
    }
}
