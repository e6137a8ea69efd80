import { Uniform } from "../arrays";
import type { ParticleArrays } from "../arrays";

/**
 * Verlet integration (Jakobsen 2001, §2): the velocity is implied by the two last positions.
 *
 *     x' = x + clamp(keep (x - p), ±maxDisplacement) + g dt²,   p' = x
 *
 * The clamp is the speed limit that keeps every state finite. Pinned particles stand still: x' = p' = x.
 */
export function integrate(particles: ParticleArrays): void {
    const { positions: x, previous: p, inverseMasses: w, uniforms, paddedCount } = particles;
    const keep = uniforms[Uniform.keep];
    const gx = uniforms[Uniform.gravity];
    const gy = uniforms[Uniform.gravity + 1];
    const gz = uniforms[Uniform.gravity + 2];
    const limit = uniforms[Uniform.maxDisplacement];
    for (let i = 0, o = 0; i < paddedCount; i++, o += 4) {
        const px = x[o];
        const py = x[o + 1];
        const pz = x[o + 2];
        if (w[i] > 0) {
            x[o] = px + Math.max(-limit, Math.min(limit, (px - p[o]) * keep + gx));
            x[o + 1] = py + Math.max(-limit, Math.min(limit, (py - p[o + 1]) * keep + gy));
            x[o + 2] = pz + Math.max(-limit, Math.min(limit, (pz - p[o + 2]) * keep + gz));
        }
        p[o] = px;
        p[o + 1] = py;
        p[o + 2] = pz;
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
