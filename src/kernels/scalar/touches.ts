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
 * and by friction on the mean motion of both sides. Firmer than it is, what is below is along gravity alone, where what holds it takes the
 * rest: across, both sides move as their masses say, or folds would push themselves along the ground.
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
        const ma = wa * x[a + 3];
        const mb = wb * x[b + 3];
        const mc = wc * x[c + 3];
        const md = wd * x[d + 3];
        const largest = Math.max(Math.abs(ma), Math.abs(mb), Math.abs(mc), Math.abs(md));
        if (!(largest > 0)) continue;
        const sum = Math.max(wa * ma + wb * mb + wc * mc + wd * md, LEVER * largest);
        let firsts = 1;
        let seconds = 1;
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
                if (below > 0) firsts = give;
                else seconds = give;
            }
        }
        const closing = normal < 0 ? -normal : 0;
        const depth = Math.min(distance - height, closing + mostPushed * distance);
        ux -= normal * nx;
        uy -= normal * ny;
        uz -= normal * nz;
        const slid = Math.sqrt(ux * ux + uy * uy + uz * uz);
        const friction = f[o + Touch.friction];
        const held = slid > friction * Math.max(depth, closing) ? (-friction * closing) / slid : -1;
        // What both sides come apart by, in places and velocities, and the parts of it along gravity.
        const px = ux * held + nx * depth;
        const py = uy * held + ny * depth;
        const pz = uz * held + nz * depth;
        const qx = ux * held + nx * closing;
        const qy = uy * held + ny * closing;
        const qz = uz * held + nz * closing;
        const pg = fall > 0 ? (px * gx + py * gy + pz * gz) / fall : 0;
        const qg = fall > 0 ? (qx * gx + qy * gy + qz * gz) / fall : 0;
        move(x, a, b, c, d, px - gx * pg, py - gy * pg, pz - gz * pg, ma / sum, mb / sum, mc / sum, md / sum);
        move(v, a, b, c, d, qx - gx * qg, qy - gy * qg, qz - gz * qg, ma / sum, mb / sum, mc / sum, md / sum);
        const fa = ma * firsts;
        const fb = mb * (isEdge ? firsts : seconds);
        const fc = mc * seconds;
        const fd = md * seconds;
        const firmest = LEVER * Math.max(Math.abs(fa), Math.abs(fb), Math.abs(fc), Math.abs(fd));
        const firm = Math.max(wa * fa + wb * fb + wc * fc + wd * fd, firmest);
        move(x, a, b, c, d, gx * pg, gy * pg, gz * pg, fa / firm, fb / firm, fc / firm, fd / firm);
        move(v, a, b, c, d, gx * qg, gy * qg, gz * qg, fa / firm, fb / firm, fc / firm, fd / firm);
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
