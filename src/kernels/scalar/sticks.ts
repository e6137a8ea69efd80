import { StickRecord } from "../arrays";
import type { ParticleArrays, StickArrays } from "../arrays";

/**
 * Stick projection: one XPBD iteration per stick (Macklin 2016, eq. 18, with λ starting at zero in every substep).
 *
 *     a ●───────● b      C = |b - a| - L,   ∇C_b = -∇C_a = (b - a)/|b - a|
 *
 *     a += sA (1 - L/|b - a|) (b - a),   b -= sB (1 - L/|b - a|) (b - a)
 *
 * with sA = wA / (wA + wB + α/dt²) computed beforehand. A stick of no length is left alone: it has no direction.
 */
export function projectSticks(particles: ParticleArrays, sticks: StickArrays, start: number, end: number): void {
    const x = particles.positions;
    const { records, recordFloats } = sticks;
    for (let s = start; s < end; s++) {
        const lane = s & 3;
        const record = (s >> 2) * StickRecord.count;
        const a = records[record + 2 * lane] >>> 2;
        const b = records[record + 2 * lane + 1] >>> 2;
        const restLength = recordFloats[record + StickRecord.restLengths + lane];
        const ax = x[a];
        const ay = x[a + 1];
        const az = x[a + 2];
        const bx = x[b];
        const by = x[b + 1];
        const bz = x[b + 2];
        const dx = bx - ax;
        const dy = by - ay;
        const dz = bz - az;
        const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
        if (length > 0) {
            const strain = 1 - restLength / length;
            const ka = strain * recordFloats[record + StickRecord.weightsA + lane];
            const kb = strain * recordFloats[record + StickRecord.weightsB + lane];
            x[a] = ax + dx * ka;
            x[a + 1] = ay + dy * ka;
            x[a + 2] = az + dz * ka;
            x[b] = bx - dx * kb;
            x[b + 1] = by - dy * kb;
            x[b + 2] = bz - dz * kb;
        }
    }
}

/**
 * Limits: sticks that only pull, C = |b - a| - L <= 0. Otherwise as above.
 */
export function projectLimits(particles: ParticleArrays, sticks: StickArrays, start: number, end: number): void {
    const x = particles.positions;
    const { records, recordFloats } = sticks;
    for (let s = start; s < end; s++) {
        const lane = s & 3;
        const record = (s >> 2) * StickRecord.count;
        const a = records[record + 2 * lane] >>> 2;
        const b = records[record + 2 * lane + 1] >>> 2;
        const restLength = recordFloats[record + StickRecord.restLengths + lane];
        const dx = x[b] - x[a];
        const dy = x[b + 1] - x[a + 1];
        const dz = x[b + 2] - x[a + 2];
        const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
        if (length > restLength) {
            const strain = 1 - restLength / length;
            const ka = strain * recordFloats[record + StickRecord.weightsA + lane];
            const kb = strain * recordFloats[record + StickRecord.weightsB + lane];
            x[a] += dx * ka;
            x[a + 1] += dy * ka;
            x[a + 2] += dz * ka;
            x[b] -= dx * kb;
            x[b + 1] -= dy * kb;
            x[b + 2] -= dz * kb;
        }
    }
}
