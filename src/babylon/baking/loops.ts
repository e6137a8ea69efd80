import type { ClothRecording } from "./bakedCopy";

/** Most vertices that are compared. */
const SAMPLES = 256;

/**
 * The part of a recording, at least `shortest` frames long, before whose begin it moved most as before its end; its last frames are mixed into those before its
 * begin.
 * @param blend frames that are compared and mixed, at most `shortest`; together they are fewer than the recording's
 */
export function findLoop(recording: ClothRecording, shortest: number, blend: number): ClothRecording {
    const { positions, normals } = recording;
    const count = positions.length;
    let [begin, end, least] = [blend, count, Infinity];
    for (let i = blend; i + shortest <= count; i++) {
        for (let j = i + shortest; j <= count; j++) {
            let sum = 0;
            for (let k = 1; k <= blend; k++) sum += squareDistance(positions[i - k], positions[j - k]);
            if (sum < least) [begin, end, least] = [i, j, sum];
        }
    }
    const cut = (frames: readonly Float32Array[], isUnit: boolean): Float32Array[] =>
        frames.slice(begin, end).map((rows, f) => {
            const fromEnd = end - begin - f;
            if (fromEnd > blend) return rows;
            return mix(rows, frames[begin - fromEnd], (blend + 1 - fromEnd) / (blend + 1), isUnit);
        });
    return { ...recording, positions: cut(positions, false), normals: cut(normals, true), isLoop: true };
}

/** Sum over some vertices, of frames of one mesh. */
function squareDistance(a: Float32Array, b: Float32Array): number {
    const stride = 3 * Math.max(1, Math.floor(a.length / 3 / SAMPLES));
    let sum = 0;
    for (let q = 0; q < a.length; q += stride) sum += (a[q] - b[q]) ** 2 + (a[q + 1] - b[q + 1]) ** 2 + (a[q + 2] - b[q + 2]) ** 2;
    return sum;
}

/** Rows of 3 on the way from a to b. @param isUnit true to make them unit vectors again */
function mix(a: Float32Array, b: Float32Array, share: number, isUnit: boolean): Float32Array {
    const mixed = a.map((x, q) => x + share * (b[q] - x));
    for (let q = 0; isUnit && q < mixed.length; q += 3) {
        const length = Math.hypot(mixed[q], mixed[q + 1], mixed[q + 2]) || 1;
        for (let i = 0; i < 3; i++) mixed[q + i] /= length;
    }
    return mixed;
}
