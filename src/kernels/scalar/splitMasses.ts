import { SplitParameter } from "../prepareLayout";
import type { SplitArrays } from "../prepareLayout";

/** Splits masses by the crowd of sticks at each end; see methods/xpbd/splitMasses.ts. */
export function splitMasses(set: SplitArrays): void {
    const { stickCount, particlesA, particlesB, positions: x, sums, splits } = set;
    for (let s = 0; s < stickCount; s++) {
        const a = particlesA[s];
        const b = particlesB[s];
        const dx = x[3 * b] - x[3 * a];
        const dy = x[3 * b + 1] - x[3 * a + 1];
        const dz = x[3 * b + 2] - x[3 * a + 2];
        const squared = dx * dx + dy * dy + dz * dz;
        if (!(squared > 0)) continue;
        const k = 1 / squared;
        addDirection(sums, 6 * a, dx, dy, dz, k);
        addDirection(sums, 6 * b, dx, dy, dz, k);
    }
    let isSplit = false;
    for (let s = 0; s < stickCount; s++) {
        const a = particlesA[s];
        const b = particlesB[s];
        const dx = x[3 * b] - x[3 * a];
        const dy = x[3 * b + 1] - x[3 * a + 1];
        const dz = x[3 * b + 2] - x[3 * a + 2];
        const splitA = splitAt(set, 6 * a, dx, dy, dz);
        const splitB = splitAt(set, 6 * b, dx, dy, dz);
        splits[2 * s] = splitA;
        splits[2 * s + 1] = splitB;
        // Below this it is rounding.
        isSplit ||= splitA > 1.0001 || splitB > 1.0001;
    }
    set.isSplit[0] = isSplit ? 1 : 0;
}

function addDirection(sums: Float64Array, o: number, dx: number, dy: number, dz: number, k: number): void {
    sums[o] += dx * dx * k;
    sums[o + 1] += dy * dy * k;
    sums[o + 2] += dz * dz * k;
    sums[o + 3] += dx * dy * k;
    sums[o + 4] += dy * dz * k;
    sums[o + 5] += dz * dx * k;
}

/** The split of the particle at o for a stick along d: by the crowd that it meets there, and by the smallest eigenvalue of A. */
function splitAt({ sums: m, parameters, isCurved }: SplitArrays, o: number, dx: number, dy: number, dz: number): number {
    const squared = dx * dx + dy * dy + dz * dz;
    const along =
        dx * dx * m[o] +
        dy * dy * m[o + 1] +
        dz * dz * m[o + 2] +
        2 * (dx * dy * m[o + 3] + dy * dz * m[o + 4] + dz * dx * m[o + 5]);
    const crowd = squared > 0 ? along / squared : 0;
    const undisturbed = parameters[SplitParameter.undisturbed / 2];
    const growth = parameters[SplitParameter.growth / 2];
    if (!isCurved) return Math.max(1, 1 + growth * (crowd - undisturbed));
    const outward = smallestEigenvalue(m, o);
    const more = Math.min(parameters[SplitParameter.mostCurved / 2], parameters[SplitParameter.curved / 2] * outward);
    return Math.max(1, 1 + growth * (crowd - undisturbed)) * (1 + more);
}

/** About the smallest eigenvalue, where it is much smaller than the others: det A over the sum of the principal 2×2 minors. */
function smallestEigenvalue(m: Float64Array, o: number): number {
    const xx = m[o],
        yy = m[o + 1],
        zz = m[o + 2],
        xy = m[o + 3],
        yz = m[o + 4],
        zx = m[o + 5];
    const minors = xx * yy + yy * zz + zz * xx - xy * xy - yz * yz - zx * zx;
    const determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * zx) + zx * (xy * yz - yy * zx);
    return minors > 1e-9 ? Math.max(0, determinant / minors) : 0;
}
