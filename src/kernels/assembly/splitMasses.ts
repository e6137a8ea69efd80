/** Split masses. In doubles, to the bit. */
import { MassSplitArrays, MassSplitParameter, wordOffset } from "./layout.generated";

/** Coordinate of a list of points, shape [n, 3], as a double. */
// @ts-ignore: decorator
@inline
function at(x: usize, point: u32, axis: usize): f64 {
    return <f64>load<f32>(x + <usize>point * 12 + wordOffset(axis));
}

/** Splits masses by the number of distance constraints at each end; see engine/solvers/xpbd/splitMasses.ts. */
export function splitMasses(set: MassSplitArrays): void {
    const x = set.positions;
    const sums = set.sums;
    const end = wordOffset(set.constraintCount);
    const isCurved = set.isCurved;
    for (let s: usize = 0; s < end; s += 4) {
        const a = load<u32>(set.particlesA + s);
        const b = load<u32>(set.particlesB + s);
        const dx = at(x, b, 0) - at(x, a, 0);
        const dy = at(x, b, 1) - at(x, a, 1);
        const dz = at(x, b, 2) - at(x, a, 2);
        const squared = dx * dx + dy * dy + dz * dz;
        if (!(squared > 0)) continue;
        const k = 1 / squared;
        addDirection(sums + <usize>a * 48, dx, dy, dz, k);
        addDirection(sums + <usize>b * 48, dx, dy, dz, k);
    }
    let isSplit = false;
    for (let s: usize = 0; s < end; s += 4) {
        const a = load<u32>(set.particlesA + s);
        const b = load<u32>(set.particlesB + s);
        const dx = at(x, b, 0) - at(x, a, 0);
        const dy = at(x, b, 1) - at(x, a, 1);
        const dz = at(x, b, 2) - at(x, a, 2);
        const splitA = splitAt(set.parameters, isCurved, sums + <usize>a * 48, dx, dy, dz);
        const splitB = splitAt(set.parameters, isCurved, sums + <usize>b * 48, dx, dy, dz);
        store<f32>(set.splits + (s << 1), <f32>splitA);
        store<f32>(set.splits + (s << 1), <f32>splitB, 4);
        if (splitA > 1.0001 || splitB > 1.0001) isSplit = true;
    }
    store<u32>(set.isSplit, isSplit ? 1 : 0);
}

// @ts-ignore: decorator
@inline
function addTo(sum: usize, value: f64): void {
    store<f64>(sum, load<f64>(sum) + value);
}

function addDirection(sums: usize, dx: f64, dy: f64, dz: f64, k: f64): void {
    addTo(sums, dx * dx * k);
    addTo(sums + 8, dy * dy * k);
    addTo(sums + 16, dz * dz * k);
    addTo(sums + 24, dx * dy * k);
    addTo(sums + 32, dy * dz * k);
    addTo(sums + 40, dz * dx * k);
}

/** Mass split of the particle at o for a distance constraint along d: from the density of constraints there, and the smallest eigenvalue of A. */
function splitAt(parameters: usize, isCurved: u32, m: usize, dx: f64, dy: f64, dz: f64): f64 {
    const xx = load<f64>(m, 0);
    const yy = load<f64>(m, 8);
    const zz = load<f64>(m, 16);
    const xy = load<f64>(m, 24);
    const yz = load<f64>(m, 32);
    const zx = load<f64>(m, 40);
    const squared = dx * dx + dy * dy + dz * dz;
    const along = dx * dx * xx + dy * dy * yy + dz * dz * zz + 2 * (dx * dy * xy + dy * dz * yz + dz * dx * zx);
    const crowding = squared > 0 ? along / squared : 0;
    const undisturbed = load<f64>(parameters, MassSplitParameter.undisturbed);
    const growth = load<f64>(parameters, MassSplitParameter.growth);
    if (!isCurved) return max<f64>(1, 1 + growth * (crowding - undisturbed));
    const minors = xx * yy + yy * zz + zz * xx - xy * xy - yz * yz - zx * zx;
    const determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * zx) + zx * (xy * yz - yy * zx);
    const outward = minors > 1e-9 ? max<f64>(0, determinant / minors) : 0;
    const more = min<f64>(load<f64>(parameters, MassSplitParameter.maxCurvedGrowth), load<f64>(parameters, MassSplitParameter.curved) * outward);
    return max<f64>(1, 1 + growth * (crowding - undisturbed)) * (1 + more);
}
