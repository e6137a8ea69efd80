import type { Body } from "../../src/engine/index";

/**
 * How near the links of two ropes come to each other, from axis to axis [m].
 * @param apart of one and the same rope: only those that are so many links apart, or more
 */
export function gapBetween(a: Body, b: Body, apart = 1): number {
    let least = Infinity;
    const [x, y] = [positionsOf(a), positionsOf(b)];
    for (let i = 0; i + 3 < x.length; i += 3)
        for (let j = a === b ? i + 3 * apart : 0; j + 3 < y.length; j += 3) least = Math.min(least, segmentDistance(x, i, y, j));
    return least;
}

function positionsOf(body: Body): Float32Array {
    const positions = new Float32Array(3 * body.state.particleCount);
    body.readPositions(positions);
    return positions;
}

/** Between the segment of x from slot i on and that of y from slot j on: at one of the four ends, or inside of both. */
function segmentDistance(x: Float32Array, i: number, y: Float32Array, j: number): number {
    let uu = 0;
    let vv = 0;
    let uv = 0;
    let uw = 0;
    let vw = 0;
    let ww = 0;
    for (let c = 0; c < 3; c++) {
        const u = x[i + 3 + c] - x[i + c];
        const v = y[j + 3 + c] - y[j + c];
        const w = x[i + c] - y[j + c];
        uu += u * u;
        vv += v * v;
        uv += u * v;
        uw += u * w;
        vw += v * w;
        ww += w * w;
    }
    const square = (s: number, t: number): number => ww + s * s * uu + t * t * vv + 2 * (s * uw - t * vw - s * t * uv);
    const within = (share: number): number => Math.min(1, Math.max(0, share));
    let least = Infinity;
    for (const s of [0, 1]) least = Math.min(least, square(s, within((vw + s * uv) / vv)));
    for (const t of [0, 1]) least = Math.min(least, square(within((t * uv - uw) / uu), t));
    const area = uu * vv - uv * uv;
    const [s, t] = [(uv * vw - vv * uw) / area, (uu * vw - uv * uw) / area];
    if (s > 0 && s < 1 && t > 0 && t < 1) least = Math.min(least, square(s, t));
    return Math.sqrt(Math.max(0, least));
}
