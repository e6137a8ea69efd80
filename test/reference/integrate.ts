import { BLOCK, ROW, rowOf, Uniform } from "../../src/kernels/layout";
import type { ParticleArrays } from "../../src/kernels/layout";

/**
 * Verlet integration (Jakobsen 2001, §2): the velocity is implied by the two last positions.
 *
 *     d = clamp(kept (x - p + r) + g dt², ±maxDisplacement),   x' = round(x + d),   p' = x,   r' = d - (x' - x)
 *
 * The residual r keeps what rounding to 32 bits takes from the displacement, so that weight is exact however small the
 * substep is. The clamp is the speed limit that keeps every state finite. Pinned particles stand still: x' = p' = x.
 */
export function integrate(particles: ParticleArrays): void {
    const { positions: x, previous: p, residuals: r, inverseMasses: w, uniforms, paddedCount } = particles;
    const kept = uniforms[Uniform.displacementFactor];
    const limit = uniforms[Uniform.maxDisplacement];
    for (let i = 0, row = 0; i < paddedCount; i++, row += 4) {
        const isFree = w[i] > 0;
        for (let o = row, c = 0; c < 3; o++, c++) {
            const before = x[o];
            const moved = (before - p[o] + r[o]) * kept + uniforms[Uniform.gravity + c];
            const d = isFree ? Math.max(-limit, Math.min(limit, moved)) : 0;
            x[o] = before + d;
            r[o] = d - (x[o] - before);
            p[o] = before;
        }
    }
}

/** See Kernels.measureBounds. */
export function measureBounds(particles: ParticleArrays): void {
    const { positions: x, previous: p, blockBounds, uniforms, particleCount, blockCount } = particles;
    for (let c = 0; c < 3; c++) {
        let lowest = Infinity;
        let highest = -Infinity;
        for (let block = 0, o = c; block < blockCount; block++) {
            let low = Infinity;
            let high = -Infinity;
            for (const end = rowOf(Math.min(particleCount, (block + 1) * BLOCK)); o < end; o += ROW) {
                const a = x[o];
                const b = p[o];
                if (a < low) low = a;
                if (a > high) high = a;
                if (b < low) low = b;
                if (b > high) high = b;
            }
            blockBounds[block * 8 + c] = low;
            blockBounds[block * 8 + 4 + c] = high;
            if (low < lowest) lowest = low;
            if (high > highest) highest = high;
        }
        uniforms[Uniform.minimum + c] = lowest;
        uniforms[Uniform.maximum + c] = highest;
    }
}

/** See Kernels.measureMotion. */
export function measureMotion(particles: ParticleArrays): void {
    const { positions: x, stepStart, uniforms, particleCount } = particles;
    let motion = 0;
    for (let o = 0, end = rowOf(particleCount); o < end; o++) {
        const distance = Math.abs(x[o] - stepStart[o]);
        if (distance > motion) motion = distance;
    }
    uniforms[Uniform.motion] = motion;
}
