import { ROW } from "../../kernels/layout";
import { transformPoint } from "../math/affine";
import type { Affine } from "../math/affine";

/** Positions before and after a step, shape [n, 4]. */
interface StepPositions {
    readonly stepStart: Float32Array;
    readonly positions: Float32Array;
}

/** Within a call: the four particles, shape [4, 3], and one of them. */
const corners = new Float64Array(12);
const corner = new Float64Array(3);

/**
 * Writes where the four particles of a rigid body (massProperties.ts) have its principal axes: unit rows, right-handed, and its centre. The first two axes tell, which are
 * the longest; the third follows.
 * @param map of the particles' space, row vectors, shape [4, 4]
 * @param alpha 0: at the start of the last step, 1: now
 */
export function readFrame({ stepStart, positions }: StepPositions, map: ArrayLike<number>, alpha: number, target: Affine): void {
    for (let i = 0; i < 4; i++) {
        for (let c = 0; c < 3; c++) {
            const from = stepStart[ROW * i + c];
            corner[c] = from + (positions[ROW * i + c] - from) * alpha;
        }
        transformPoint(map, corner, 0, corners, 3 * i);
    }
    for (let c = 0; c < 3; c++) {
        const a = corners[c];
        const b = corners[3 + c];
        const d = corners[6 + c];
        const e = corners[9 + c];
        target[c] = a + b - d - e;
        target[4 + c] = a - b + d - e;
        target[12 + c] = (a + b + d + e) / 4;
    }
    normalise(target, 0);
    const lean = target[0] * target[4] + target[1] * target[5] + target[2] * target[6];
    for (let c = 0; c < 3; c++) target[4 + c] -= lean * target[c];
    normalise(target, 4);
    for (let c = 0; c < 3; c++) {
        const d = (c + 1) % 3;
        const e = (c + 2) % 3;
        target[8 + c] = target[d] * target[4 + e] - target[e] * target[4 + d];
    }
    target[3] = target[7] = target[11] = 0;
    target[15] = 1;
}

function normalise(m: Affine, o: number): void {
    const scale = 1 / Math.sqrt(m[o] * m[o] + m[o + 1] * m[o + 1] + m[o + 2] * m[o + 2]);
    for (let c = 0; c < 3; c++) m[o + c] *= scale;
}
