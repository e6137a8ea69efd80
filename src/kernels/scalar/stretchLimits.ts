import { StickRecord, Uniform } from "../layout";
import type { ParticleArrays, StickArrays } from "../layout";

/** The strain from which on it is limited: a stick of length L is then drawn together to L / (1 - MOST). */
const MOST = 0.04;
/** How far beyond that ends are moved, times the way there: see longLimits.ts of the method. */
const PULL = 1.5;
const PASSES = 16;

/**
 * Strain limiting (Provot 1995, §4): up to sixteen passes over the material's lengths, each while the one before has found a strain above
 * 4 %, the first where projectLengths has noted one. Sticks below that are left alone, so that cloth at rest pays nothing and nothing changes
 * by leaps as passes come and go. What takes back a stretch that far may take back all of it: masses are not split here.
 */
export function limitStretch({ positions, uniforms }: ParticleArrays, sticks: StickArrays): void {
    let isLeft = uniforms[Uniform.strain] > MOST;
    for (let pass = 0; isLeft && pass < PASSES; pass++) isLeft = limit(positions, sticks);
}

/** One pass. @returns whether it has limited any */
function limit(x: Float32Array, { records, recordFloats }: StickArrays): boolean {
    let isLimited = false;
    for (let record = 0; record < records.length; record += StickRecord.count) {
        for (let lane = 0; lane < 4; lane++) {
            const row = record + 2 * lane;
            const slot = record + lane;
            const a = records[row] >>> 2;
            const b = records[row + 1] >>> 2;
            const dx = x[b] - x[a];
            const dy = x[b + 1] - x[a + 1];
            const dz = x[b + 2] - x[a + 2];
            const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
            const strain = length > 0 ? 1 - recordFloats[slot + StickRecord.restLengths] / length : 0;
            const wa = recordFloats[slot + StickRecord.weightsA];
            const wb = recordFloats[slot + StickRecord.weightsB];
            if (strain > MOST && wa + wb > 0) {
                isLimited = true;
                const excess = (PULL * (strain - MOST)) / (wa + wb);
                const ka = excess * wa;
                const kb = excess * wb;
                x[a] += dx * ka;
                x[a + 1] += dy * ka;
                x[a + 2] += dz * ka;
                x[b] -= dx * kb;
                x[b + 1] -= dy * kb;
                x[b + 2] -= dz * kb;
            }
        }
    }
    return isLimited;
}
