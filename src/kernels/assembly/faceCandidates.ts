/** Triangles of the cloth near a solid in a step; faceContacts.ts tests them. */
import { splat0, splat1, splat2, square, sum3, xyz0 } from "./simd";
import { ColliderData, ParticleArrays, ROW, rowOffset, SolidData, TRIANGLE_GROUP, FaceContactArrays, TriangleGroup, FaceContactCounter, wordOffset, FaceContactRecord, RestSurfaceArrays } from "./layout.generated";
import { word, real } from "./memory";

/** Third corners of triangles. In doubles, to the bit. */

/** Computes the position of each triangle's third corner relative to each of its sides, from both ends. Marches unfold triangles with it. */
export function findThirds(rest: RestSurfaceArrays): void {
    const triangles = rest.triangles;
    const x = rest.positions;
    const cornerCount = rest.cornerCount;
    let third = rest.thirds;
    for (let t: u32 = 0; t < cornerCount; t += 3, third += 96) {
        const a = 3 * word(triangles, t);
        const b = 3 * word(triangles, t + 1);
        const c = 3 * word(triangles, t + 2);
        findThird(x, third, a, b, c);
        findThird(x, third + 32, b, c, a);
        findThird(x, third + 64, c, a, b);
    }
}

function findThird(x: usize, third: usize, p: u32, q: u32, r: u32): void {
    const ex = real(x, q) - real(x, p);
    const ey = real(x, q + 1) - real(x, p + 1);
    const ez = real(x, q + 2) - real(x, p + 2);
    const squared = ex * ex + ey * ey + ez * ez;
    for (let end: u32 = 0; end < 2; end++, third += 16) {
        const from = end == 0 ? p : q;
        const fx = real(x, r) - real(x, from);
        const fy = real(x, r + 1) - real(x, from + 1);
        const fz = real(x, r + 2) - real(x, from + 2);
        const product = fx * ex + fy * ey + fz * ez;
        const along = (end == 0 ? product : -product) / squared;
        store<f64>(third, along);
        store<f64>(third, sqrt<f64>(max<f64>(0, fx * fx + fy * fy + fz * fz - along * along * squared) / squared), 8);
    }
}

/** Records of contacts of triangles. */

/** Writes a contact of a triangle; returns the address of the next one. See FaceContactRecord. */
// @ts-ignore: decorator
@inline
export function writeTriangle(
    record: usize, triangle: usize, offset: f32, nx: f32, ny: f32, nz: f32, a: f32, b: f32, c: f32,
): usize {
    store<u32>(record, <u32>rowOffset(load<u32>(triangle, 0)), FaceContactRecord.rows);
    store<u32>(record, <u32>rowOffset(load<u32>(triangle, 4)), FaceContactRecord.rows + 4);
    store<u32>(record, <u32>rowOffset(load<u32>(triangle, 8)), FaceContactRecord.rows + 8);
    store<f32>(record, offset, FaceContactRecord.offset);
    v128.store(record, f32x4(nx, ny, nz, 0), FaceContactRecord.normal);
    v128.store(record, f32x4(a, b, c, 0), FaceContactRecord.shares);
    return record + FaceContactRecord.count;
}

/** Address of the row of a triangle's corner. */
// @ts-ignore: decorator
@inline
export function cornerOf(positions: usize, triangle: usize, corner: usize): usize {
    return positions + rowOffset(word(triangle, corner));
}

/** Square of the longest edge of a triangle. */
// @ts-ignore: decorator
@inline
function longestEdge(a: v128, b: v128, c: v128): f32 {
    const ab = sum3(square(f32x4.sub(b, a)));
    const bc = sum3(square(f32x4.sub(c, b)));
    const ca = sum3(square(f32x4.sub(a, c)));
    return max(ab, max(bc, ca));
}

/** See kernelTable.ts. The blocks' boxes are those of the present substep. */
export function collectFaceCandidates(particles: ParticleArrays, collider: ColliderData, found: FaceContactArrays): void {
    const positions = particles.positions;
    const blocks = particles.blockBounds;
    const triangles = found.triangles;
    const bounds = found.bounds;
    const least = load<f32>(bounds, 12);
    const lowest = xyz0(v128.load(bounds, 0));
    const highest = v128.load(bounds, 16);
    const most = v128.load(bounds, 32);
    const first = found.candidates;
    const last = first + wordOffset(found.triangleCount);
    let candidate = first + wordOffset(load<u32>(found.progress, FaceContactCounter.candidateCount));
    const end = found.triangleCount;
    let group = found.groups;
    for (let t: u32 = 0; t < end; group += TriangleGroup.count) {
        const groupEnd = min(end, t + TRIANGLE_GROUP);
        let isNear = false;
        if (load<f32>(group, TriangleGroup.longestEdge) >= least) {
            let low = f32x4.splat(Infinity);
            let high = f32x4.splat(-Infinity);
            let block = blocks + <usize>load<u32>(group, TriangleGroup.firstBlock) * (2 * ROW);
            const blocksEnd = blocks + <usize>load<u32>(group, TriangleGroup.lastBlock) * (2 * ROW);
            for (; block <= blocksEnd; block += 2 * ROW) {
                low = f32x4.pmin(low, v128.load(block, 0));
                high = f32x4.pmax(high, v128.load(block, 16));
            }
            isNear = !isApart(xyz0(low), xyz0(high), lowest, highest);
        }
        if (!isNear) {
            t = groupEnd;
            continue;
        }
        for (; t < groupEnd; t++) {
            const triangle = triangles + <usize>t * 12;
            const a = v128.load(cornerOf(positions, triangle, 0));
            const b = v128.load(cornerOf(positions, triangle, 1));
            const c = v128.load(cornerOf(positions, triangle, 2));
            // In space first: most triangles are rejected by that.
            if (isApart(f32x4.pmin(a, f32x4.pmin(b, c)), f32x4.pmax(a, f32x4.pmax(b, c)), lowest, highest)) continue;
            const qa = scaledRow(collider, a), qb = scaledRow(collider, b), qc = scaledRow(collider, c);
            if (isApart(f32x4.pmin(qa, f32x4.pmin(qb, qc)), f32x4.pmax(qa, f32x4.pmax(qb, qc)), f32x4.neg(most), most)) continue;
            if (longestEdge(a, b, c) < least || candidate >= last) continue;
            store<u32>(candidate, t);
            candidate += 4;
        }
    }
    store<u32>(found.progress, <u32>((candidate - first) >> 2), FaceContactCounter.candidateCount);
}

/** A row in coordinates of the core; the fourth lane may be anything finite. */
// @ts-ignore: decorator
@inline
export function scaledRow(solid: usize, row: v128): v128 {
    const map = solid + SolidData.toFrame;
    const d = f32x4.sub(row, v128.load(map, 48));
    const q = f32x4.add(
        f32x4.add(f32x4.mul(splat0(d), v128.load(map, 0)), f32x4.mul(splat1(d), v128.load(map, 16))),
        f32x4.mul(splat2(d), v128.load(map, 32)));
    return f32x4.mul(q, v128.load(solid, SolidData.scale));
}

// @ts-ignore: decorator
@inline
function isApart(low: v128, high: v128, lowest: v128, highest: v128): bool {
    return v128.any_true(v128.or(f32x4.gt(low, highest), f32x4.lt(high, lowest)));
}
