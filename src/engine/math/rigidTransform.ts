import { identity, transformPoint } from "./affine";
import type { Affine } from "./affine";

/** Flatness beyond which a rotation is undefined: the sine between its first two rows, or a row's length. */
const DEGENERATE = 1e-6;

/** A map without stretch, shear or mirror: it turns as the first rows of another do (Gram and Schmidt), not at all where that is flat, and takes a place to where that takes it. */
export function rigidTransformOf(map: Affine, place: ArrayLike<number>): Affine {
    const rigid = identity();
    const moved = new Float64Array(3);
    writeRotation(map, rigid);
    transformPoint(map, place, 0, moved, 0);
    for (let c = 0; c < 3; c++) rigid[12 + c] = moved[c] - place[0] * rigid[c] - place[1] * rigid[4 + c] - place[2] * rigid[8 + c];
    return rigid;
}

function writeRotation(map: Affine, turn: Affine): void {
    const along = lengthOf(map, 0);
    if (!(along > DEGENERATE)) return;
    const first = [0, 1, 2].map((c) => map[c] / along);
    const lean = first[0] * map[4] + first[1] * map[5] + first[2] * map[6];
    const second = Float64Array.from(first, (x, c) => map[4 + c] - lean * x);
    const across = lengthOf(second, 0);
    if (!(across > DEGENERATE * lengthOf(map, 4))) return;
    for (let c = 0; c < 3; c++) {
        turn[c] = first[c];
        turn[4 + c] = second[c] / across;
    }
    for (let c = 0; c < 3; c++) {
        const d = (c + 1) % 3;
        const e = (c + 2) % 3;
        turn[8 + c] = turn[d] * turn[4 + e] - turn[e] * turn[4 + d];
    }
}

function lengthOf(x: ArrayLike<number>, o: number): number {
    return Math.sqrt(x[o] * x[o] + x[o + 1] * x[o + 1] + x[o + 2] * x[o + 2]);
}
