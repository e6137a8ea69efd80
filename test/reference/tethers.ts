import { rowOf } from "../../src/kernels/layout";
import type { ParticleArrays, TetherArrays } from "../../src/kernels/layout";

/**
 * Tether projection (Kim et al. 2012, "Long Range Attachments"): a particle farther from its anchor than the geodesic
 * distance is pulled back to that distance. Unilateral: C = |x - a| - L <= 0. The direction is that of unilateralLimits.ts, d + e, along
 * which C goes to the first order; d alone where it has turned by more than 90°.
 */
export function projectTethers(particles: ParticleArrays, tethers: TetherArrays): void {
    const { positions: x, previous: p } = particles;
    const { particles: held, anchors, maxLengths, tetherCount } = tethers;
    for (let t = 0; t < tetherCount; t++) {
        const o = rowOf(held[t]);
        const a = rowOf(anchors[t]);
        const dx = x[o] - x[a];
        const dy = x[o + 1] - x[a + 1];
        const dz = x[o + 2] - x[a + 2];
        const squared = dx * dx + dy * dy + dz * dz;
        const length = Math.sqrt(squared);
        if (length > maxLengths[t]) {
            const ex = p[o] - p[a];
            const ey = p[o + 1] - p[a + 1];
            const ez = p[o + 2] - p[a + 2];
            const product = dx * ex + dy * ey + dz * ez;
            const w = product > 0 ? 1 : 0;
            const share = ((1 - maxLengths[t] / length) * squared) / (squared + w * product);
            x[o] -= (dx + w * ex) * share;
            x[o + 1] -= (dy + w * ey) * share;
            x[o + 2] -= (dz + w * ez) * share;
        }
    }
}
