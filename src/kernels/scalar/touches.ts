import { CrowdNumber } from "../crowdLayout";
import { Touch, TouchProgress } from "../touchLayout";
import type { TouchArrays } from "../touchLayout";

/** Most of its distance that a touch is pushed apart in a substep: what was forced into each other comes apart gently. */
const MOST_PUSHED = 0.1;
/** What has been passed through by more than this share of its distance is lost: it does not push. */
const LOST = 0.5;
/** What is below and falls by less than so many times the fall of a substep is held by something ... */
const HELD = 4;
/** ... and moves by so much less, where the other is straight above. */
const FIRMNESS = 0.9;

/** What is parted moves no particle by more than its depth over this: who alone is free, and far from it, would be thrown as by a lever. */
export const LEVER = 0.5;

/**
 * Keeps particles off triangles and edges off edges, one touch after the other: places by what they overlap, velocities by what they close
 * and by friction on the mean motion of both sides.
 */
export function answerTouches({ crowd, touches, touchFloats: f, progress }: TouchArrays): void {
    const { places: x, velocities: v, numbers } = crowd;
    const mostPushed = MOST_PUSHED * numbers[CrowdNumber.pushShare];
    const gx = numbers[CrowdNumber.gravity];
    const gy = numbers[CrowdNumber.gravity + 1];
    const gz = numbers[CrowdNumber.gravity + 2];
    const fall = gx * gx + gy * gy + gz * gz;
    for (let o = 0, end = progress[TouchProgress.touchCount] * Touch.count; o < end; o += Touch.count) {
        const a = touches[o] >> 2;
        const b = touches[o + 1] >> 2;
        const c = touches[o + 2] >> 2;
        const d = touches[o + 3] >> 2;
        const wa = f[o + Touch.weights];
        const wb = f[o + Touch.weights + 1];
        const wc = f[o + Touch.weights + 2];
        const wd = f[o + Touch.weights + 3];
        const nx = f[o + Touch.normal];
        const ny = f[o + Touch.normal + 1];
        const nz = f[o + Touch.normal + 2];
        const distance = f[o + Touch.distance];
        const height =
            nx * (wa * x[a] + wb * x[b] + wc * x[c] + wd * x[d]) +
            ny * (wa * x[a + 1] + wb * x[b + 1] + wc * x[c + 1] + wd * x[d + 1]) +
            nz * (wa * x[a + 2] + wb * x[b + 2] + wc * x[c + 2] + wd * x[d + 2]);
        if (!(height < distance)) continue;
        let ux = wa * v[a] + wb * v[b] + wc * v[c] + wd * v[d];
        let uy = wa * v[a + 1] + wb * v[b + 1] + wc * v[c + 1] + wd * v[d + 1];
        let uz = wa * v[a + 2] + wb * v[b + 2] + wc * v[c + 2] + wd * v[d + 2];
        const normal = ux * nx + uy * ny + uz * nz;
        if (!(height - normal >= -LOST * distance)) continue;
        let ma = wa * x[a + 3];
        let mb = wb * x[b + 3];
        let mc = wc * x[c + 3];
        let md = wd * x[d + 3];
        const below = nx * gx + ny * gy + nz * gz;
        const isEdge = touches[o + Touch.firsts] === 2;
        if (below !== 0) {
            // The fall of the side that is below.
            const ya = wa * (v[a] * gx + v[a + 1] * gy + v[a + 2] * gz);
            const yb = wb * (v[b] * gx + v[b + 1] * gy + v[b + 2] * gz);
            const first = isEdge ? ya + yb : ya;
            const second = first - (ux * gx + uy * gy + uz * gz);
            if (Math.abs(below > 0 ? first : second) < HELD * fall) {
                const give = 1 - (FIRMNESS * below * below) / fall;
                const firsts = below > 0 ? give : 1;
                const seconds = below > 0 ? 1 : give;
                ma *= firsts;
                mb *= isEdge ? firsts : seconds;
                mc *= seconds;
                md *= seconds;
            }
        }
        const largest = Math.max(Math.abs(ma), Math.abs(mb), Math.abs(mc), Math.abs(md));
        if (!(largest > 0)) continue;
        const sum = Math.max(wa * ma + wb * mb + wc * mc + wd * md, LEVER * largest);
        const closing = normal < 0 ? -normal : 0;
        const depth = Math.min(distance - height, closing + mostPushed * distance);
        ux -= normal * nx;
        uy -= normal * ny;
        uz -= normal * nz;
        const slid = Math.sqrt(ux * ux + uy * uy + uz * uz);
        const most = f[o + Touch.friction] * depth;
        const held = (slid > most ? -most / slid : -1) / sum;
        const lift = depth / sum;
        const stop = closing / sum;
        move(x, a, b, c, d, ux * held + nx * lift, uy * held + ny * lift, uz * held + nz * lift, ma, mb, mc, md);
        move(v, a, b, c, d, ux * held + nx * stop, uy * held + ny * stop, uz * held + nz * stop, ma, mb, mc, md);
    }
}

/** Moves rows by a vector, each by its share. */
function move(
    x: Float32Array,
    a: number,
    b: number,
    c: number,
    d: number,
    dx: number,
    dy: number,
    dz: number,
    ma: number,
    mb: number,
    mc: number,
    md: number,
): void {
    x[a] += dx * ma;
    x[a + 1] += dy * ma;
    x[a + 2] += dz * ma;
    x[b] += dx * mb;
    x[b + 1] += dy * mb;
    x[b + 2] += dz * mb;
    x[c] += dx * mc;
    x[c + 1] += dy * mc;
    x[c + 2] += dz * mc;
    x[d] += dx * md;
    x[d + 1] += dy * md;
    x[d + 2] += dz * md;
}
