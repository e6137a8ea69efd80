/** Which triangles of the cloth are near a solid in a step; what is found of them: triangles.ts. */
import { SolidData, TRIANGLE_GROUP, TriangleGroup, TriangleProgress } from "../contactLayout";
import type { TriangleContactArrays } from "../contactLayout";
import type { ParticleArrays } from "../layout";

export type Point = [number, number, number];

/** See kernels.ts. The blocks' boxes are those of the present substep. */
export function findTriangleCandidates(
    { positions: x, blockBounds }: ParticleArrays,
    solid: Float32Array,
    found: TriangleContactArrays,
): void {
    const { triangles, triangleCount, groupCount, groups, groupFloats, bounds, candidates, progress } = found;
    let count = progress[TriangleProgress.candidateCount];
    for (let group = 0; group < groupCount; group++) {
        const g = group * TriangleGroup.count;
        if (groupFloats[g + TriangleGroup.longestEdge] < bounds[3]) continue;
        box.fill(Infinity, 0, 3).fill(-Infinity, 4, 7);
        for (let block = groups[g]; block <= groups[g + TriangleGroup.lastBlock]; block++) {
            for (let c = 0; c < 3; c++) {
                box[c] = Math.min(box[c], blockBounds[8 * block + c]);
                box[4 + c] = Math.max(box[4 + c], blockBounds[8 * block + 4 + c]);
            }
        }
        if (!areNear(box, bounds)) continue;
        const end = Math.min(triangleCount, (group + 1) * TRIANGLE_GROUP);
        for (let t = group * TRIANGLE_GROUP; t < end; t++) {
            // In space first: most are told apart by that.
            if (!areNear(boxOf(x, triangles, t), bounds)) continue;
            const [a, b, c] = [0, 1, 2].map((k) => scaled(solid, x, 4 * triangles[3 * t + k]));
            const isApart = a.some((_, i) => {
                const most = bounds[8 + i];
                return Math.min(a[i], b[i], c[i]) > most || Math.max(a[i], b[i], c[i]) < -most;
            });
            if (isApart || longestEdge(x, triangles, t) < bounds[3]) continue;
            if (count < triangleCount) candidates[count++] = t;
        }
    }
    progress[TriangleProgress.candidateCount] = count;
}

const box = new Float32Array(8);

function areNear(box: Float32Array, bounds: Float32Array): boolean {
    for (let c = 0; c < 3; c++) if (box[c] > bounds[4 + c] || box[4 + c] < bounds[c]) return false;
    return true;
}

function boxOf(x: Float32Array, triangles: Uint32Array, t: number): Float32Array {
    for (let c = 0; c < 3; c++) {
        const all = [0, 1, 2].map((k) => x[4 * triangles[3 * t + k] + c]);
        box[c] = Math.min(...all);
        box[4 + c] = Math.max(...all);
    }
    return box;
}

/** Square of a triangle's longest edge [m²]. */
export function longestEdge(x: Float32Array, triangles: Uint32Array, t: number): number {
    let longest = 0;
    for (let k = 0; k < 3; k++) {
        const a = 4 * triangles[3 * t + k];
        const b = 4 * triangles[3 * t + ((k + 1) % 3)];
        longest = Math.max(longest, (x[a] - x[b]) ** 2 + (x[a + 1] - x[b + 1]) ** 2 + (x[a + 2] - x[b + 2]) ** 2);
    }
    return longest;
}

/** The point at slot o in the coordinates of the core. */
export function scaled(solid: Float32Array, points: Float32Array, o: number): Point {
    const m = SolidData.toFrame;
    const x = points[o] - solid[m + 12];
    const y = points[o + 1] - solid[m + 13];
    const z = points[o + 2] - solid[m + 14];
    const at = (c: number): number => (x * solid[m + c] + y * solid[m + 4 + c] + z * solid[m + 8 + c]) * solid[SolidData.scale + c];
    return [at(0), at(1), at(2)];
}
