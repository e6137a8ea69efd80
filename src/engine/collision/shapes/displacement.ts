/** Of poses of colliders: what no cloth without them loads. */
import type { Affine } from "../../math/affine";

/** result = a + (b - a) done / count, entry by entry: integers are not boxed. */
export function lerpBySteps(a: Affine, b: Affine, done: number, count: number, result: Affine): void {
    const t = done / count;
    for (let i = 0; i < 16; i++) result[i] = a[i] + (b[i] - a[i]) * t;
}

/** Writes an upper bound of the displacements of the points of [-1, 1]³ from one pose to another to the first slot: returned, it would be boxed. */
export function measureDisplacement(from: Affine, to: Affine, target: Float64Array): void {
    let sum = 0;
    for (let r = 0; r < 16; r += 4) {
        const x = to[r] - from[r],
            y = to[r + 1] - from[r + 1],
            z = to[r + 2] - from[r + 2];
        sum += Math.sqrt(x * x + y * y + z * z);
    }
    target[0] = sum;
}
