import { Uniform } from "../layout";
import type { ParticleArrays, TriangleArrays } from "../layout";

/**
 * Wind on triangles (after Mosegaard's cloth tutorial): the air pushes a triangle along its normal n in proportion to its
 * area A and to the part of the relative wind that crosses it,
 *
 *     J = c A dt (n · (u - v)) n,   a third to each corner.
 *
 * Written with the unnormalised normal N = (b-a)×(c-a) (length 2A): c A dt (n·r) n = (c dt / 2) (N·r) N / |N|. The
 * impulse is divided by 1 + c A dt (wA + wB + wC) 2/3, which is 1 + c dt/ρ inside a mesh of areal density ρ: implicit Euler
 * for the sheet, so that light cloth never overshoots the wind. Velocities are changed in the residuals, which hold what is too
 * small for `previous`.
 *
 * The wind at a point is windVelocity + gustVelocity · wave(gustWave · x - gustPhase), where wave is a smooth periodic
 * curve made of two parabolas.
 */
export function applyWind(particles: ParticleArrays, triangles: TriangleArrays): void {
    const { positions: x, previous: p, residuals: r, inverseMasses: w, uniforms } = particles;
    const { triangles: corners, triangleCount } = triangles;
    const dt = uniforms[Uniform.substep];
    const inverseStep = 1 / dt;
    const halfDrag = 0.5 * uniforms[Uniform.dragTime];
    const ux = uniforms[Uniform.windVelocity];
    const uy = uniforms[Uniform.windVelocity + 1];
    const uz = uniforms[Uniform.windVelocity + 2];
    const gx = uniforms[Uniform.gustVelocity];
    const gy = uniforms[Uniform.gustVelocity + 1];
    const gz = uniforms[Uniform.gustVelocity + 2];
    const kx = uniforms[Uniform.gustWave];
    const ky = uniforms[Uniform.gustWave + 1];
    const kz = uniforms[Uniform.gustWave + 2];
    const phase = uniforms[Uniform.gustPhase];
    for (let t = 0, end = triangleCount * 3; t < end; t += 3) {
        const ia = corners[t];
        const ib = corners[t + 1];
        const ic = corners[t + 2];
        const a = ia << 2;
        const b = ib << 2;
        const c = ic << 2;
        const ax = x[a];
        const ay = x[a + 1];
        const az = x[a + 2];
        const e1x = x[b] - ax;
        const e1y = x[b + 1] - ay;
        const e1z = x[b + 2] - az;
        const e2x = x[c] - ax;
        const e2y = x[c + 1] - ay;
        const e2z = x[c + 2] - az;
        const nx = e1y * e2z - e1z * e2y;
        const ny = e1z * e2x - e1x * e2z;
        const nz = e1x * e2y - e1y * e2x;
        const doubleArea = Math.sqrt(nx * nx + ny * ny + nz * nz);
        if (doubleArea > 0) {
            // Mean velocity of the corners.
            const third = inverseStep / 3;
            const vx = (ax - p[a] + (x[b] - p[b]) + (x[c] - p[c]) + r[a] + r[b] + r[c]) * third;
            const vy = (ay - p[a + 1] + (x[b + 1] - p[b + 1]) + (x[c + 1] - p[c + 1]) + r[a + 1] + r[b + 1] + r[c + 1]) * third;
            const vz = (az - p[a + 2] + (x[b + 2] - p[b + 2]) + (x[c + 2] - p[c + 2]) + r[a + 2] + r[b + 2] + r[c + 2]) * third;
            const gust = wave(kx * ax + ky * ay + kz * az - phase);
            const rx = ux + gx * gust - vx;
            const ry = uy + gy * gust - vy;
            const rz = uz + gz * gust - vz;
            const wa = w[ia];
            const wb = w[ib];
            const wc = w[ic];
            const implicit = 1 + halfDrag * doubleArea * (wa + wb + wc) * (2 / 3);
            // Impulse on one corner times dt, per unit of N.
            const k = ((halfDrag * (nx * rx + ny * ry + nz * rz)) / (doubleArea * implicit)) * (dt / 3);
            const ka = k * wa;
            const kb = k * wb;
            const kc = k * wc;
            r[a] += nx * ka;
            r[a + 1] += ny * ka;
            r[a + 2] += nz * ka;
            r[b] += nx * kb;
            r[b + 1] += ny * kb;
            r[b + 2] += nz * kb;
            r[c] += nx * kc;
            r[c + 1] += ny * kc;
            r[c + 2] += nz * kc;
        }
    }
}

/** A smooth wave of period 1 and amplitude 1: sin(2πt) with each half replaced by a parabola. */
function wave(t: number): number {
    const f = t - Math.floor(t);
    const h = f < 0.5 ? f : f - 0.5;
    const parabola = 16 * h * (0.5 - h);
    return f < 0.5 ? parabola : -parabola;
}
