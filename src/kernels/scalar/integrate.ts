import { Uniform } from "../arrays";
import type { ParticleArrays } from "../arrays";

/**
 * Verlet integration (Jakobsen 2001, §2): the velocity is implied by the two last positions.
 *
 *     d = clamp(keep (x - p + r) + g dt², ±maxDisplacement),   x' = round(x + d),   p' = x,   r' = d - (x' - x)
 *
 * The residual r keeps what rounding to 32 bits takes from the displacement, so that weight is exact however small the
 * substep is. The clamp is the speed limit that keeps every state finite. Pinned particles stand still: x' = p' = x.
 */
export function integrate(particles: ParticleArrays): void {
    const { positions: x, previous: p, residuals: r, inverseMasses: w, uniforms, paddedCount } = particles;
    const keep = uniforms[Uniform.keep];
    const limit = uniforms[Uniform.maxDisplacement];
    for (let i = 0, row = 0; i < paddedCount; i++, row += 4) {
        const isFree = w[i] > 0;
        for (let o = row, c = 0; c < 3; o++, c++) {
            const before = x[o];
            const moved = (before - p[o] + r[o]) * keep + uniforms[Uniform.gravity + c];
            const d = isFree ? Math.max(-limit, Math.min(limit, moved)) : 0;
            x[o] = before + d;
            r[o] = d - (x[o] - before);
            p[o] = before;
        }
    }
}

/** See Kernels.measureBounds. */
export function measureBounds(particles: ParticleArrays): void {
    const { positions: x, uniforms, particleCount } = particles;
    let minX = Infinity;
    let minY = Infinity;
    let minZ = Infinity;
    let maxX = -Infinity;
    let maxY = -Infinity;
    let maxZ = -Infinity;
    for (let o = 0, end = particleCount * 4; o < end; o += 4) {
        const px = x[o];
        const py = x[o + 1];
        const pz = x[o + 2];
        if (px < minX) minX = px;
        if (px > maxX) maxX = px;
        if (py < minY) minY = py;
        if (py > maxY) maxY = py;
        if (pz < minZ) minZ = pz;
        if (pz > maxZ) maxZ = pz;
    }
    uniforms[Uniform.minimum] = minX;
    uniforms[Uniform.minimum + 1] = minY;
    uniforms[Uniform.minimum + 2] = minZ;
    uniforms[Uniform.maximum] = maxX;
    uniforms[Uniform.maximum + 1] = maxY;
    uniforms[Uniform.maximum + 2] = maxZ;
}
