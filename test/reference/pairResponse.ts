import { SelfCollisionParameter, SelfCollisionCounter, ProxyParameter, PairRecord } from "../../src/kernels/selfCollisionLayout";
import type { SelfCollisionArrays, ProxyArrays } from "../../src/kernels/selfCollisionLayout";
import { ROW, rowAt } from "../../src/kernels/layout";
import type { ParticleArrays } from "../../src/kernels/layout";

/** Least share of its distance that a pair keeps in a substep, so that none closes so fast that it passes. */
const KEPT = 0.75;
/** Share of an overlap, beyond the present closing motion, that is corrected in a substep: deep overlaps separate gently. */
const PUSHED = 0.2;
/** Outer share of a disc's area over which that falls to nothing: a particle that slides over the rim is lifted, not thrown. */
const RIM = 0.5;
/** Discs that were on the wrong side a substep ago by more than this share of their distance are lost: they do not push. */
const LOST = 0.25;
/** A lower particle that falls by less than this multiple of a substep's fall is supported ... */
const HELD = 4;
/** ... and its mobility is reduced by this share, if the other is straight above. */
const FIRMNESS = 0.9;
/** Squared distance without a direction [m²]. */
const COINCIDENT = 1e-16;

/** Gathers a proxy's particles that are in pairs into the active arrays. */
export function gatherActive(particles: ParticleArrays, { index, numbers, first, shared: crowd }: ProxyArrays): void {
    const { positions: x, previous: p, residuals: r, inverseMasses } = particles;
    const { activeRanges: placeRanges, activeParticles: placed, activePositions: places, velocities } = crowd;
    const pace = numbers[ProxyParameter.timeRatio];
    const mobility = numbers[ProxyParameter.mobility];
    for (let k = placeRanges[2 * index]; k < placeRanges[2 * index + 1]; k++) {
        const particle = placed[k] - first;
        for (let c = 0; c < 3; c++) {
            const o = particle * ROW + c;
            places[k * ROW + c] = x[o] + numbers[ProxyParameter.offset + c];
            velocities[k * ROW + c] = (x[o] - p[o] + r[o]) * pace;
        }
        places[k * ROW + 3] = inverseMasses[particle] * mobility;
    }
}

/**
 * Scatters the changes of position and velocity to a proxy's particles. The velocities of a body without a substep now are in units of its own.
 * The difference goes into the residuals: `previous` stays.
 */
export function scatterActive(particles: ParticleArrays, { index, numbers, first, shared: crowd }: ProxyArrays): void {
    const { positions: x, previous: p, residuals: r } = particles;
    const { activeRanges: placeRanges, activeParticles: placed, activePositions: places, velocities } = crowd;
    const pace = numbers[ProxyParameter.timeRatio];
    const isPushed = numbers[ProxyParameter.changesVelocity] > 0;
    for (let k = placeRanges[2 * index]; k < placeRanges[2 * index + 1]; k++) {
        if (!(places[k * ROW + 3] > 0)) continue;
        const particle = placed[k] - first;
        for (let c = 0; c < 3; c++) {
            const o = particle * ROW + c;
            const before = x[o];
            const displacement = before - p[o] + r[o];
            x[o] = places[k * ROW + c] - numbers[ProxyParameter.offset + c];
            r[o] = (isPushed ? velocities[k * ROW + c] / pace : displacement) - (x[o] - p[o]);
        }
    }
}

/**
 * Resolves particle pairs, one after the other. Parallel sheets are discs, which keep the side on which
 * they were when they were listed, however far they have moved since; sheets at an angle are balls:
 *
 *     ──────────●──╴          C = n · (a - b) - distance >= 0      while they are within reach across n
 *               │ n
 *         ╶──●──────────      C = |a - b| - distance >= 0,         n = (a - b) / |a - b|
 *
 * Discs push along the normal alone: balls of two layers would slide into each other's gaps and tear them open. At their rims they stop
 * the closing speed, but push little farther: a particle that arrived from the side would be thrown. Balls come no nearer in
 * a substep than a share of the distance that they had, along the line that joined them. Overlaps move apart and lose their closing speed,
 * but gain none: positions and velocities are corrected separately. Friction (Coulomb, positional as in Macklin 2014, §6.1) reverts
 * the pair's slide, all of it while that is below μ times the depth.
 *
 * One pass carries a weight through one layer only. In a stack, a lower particle that does not fall gets a larger mass (as in Macklin
 * 2014, §5.2), so that it is not pushed into its support. Falling particles keep their momentum. NaN positions have no contacts: all
 * comparisons with them are false.
 */
export function resolvePairs(crowd: SelfCollisionArrays): void {
    const { pairs, pairFloats, activePositions: x, velocities: v, progress, numbers } = crowd;
    const usual = PUSHED * numbers[SelfCollisionParameter.pushShare];
    const gx = numbers[SelfCollisionParameter.gravity];
    const gy = numbers[SelfCollisionParameter.gravity + 1];
    const gz = numbers[SelfCollisionParameter.gravity + 2];
    const fall = gx * gx + gy * gy + gz * gz;
    let contacts = 0;
    for (let o = 0, end = progress[SelfCollisionCounter.pairCount] * PairRecord.count; o < end; o += PairRecord.count) {
        const a = rowAt(pairs[o + PairRecord.a]);
        const b = rowAt(pairs[o + PairRecord.b]);
        const dx = x[a] - x[b];
        const dy = x[a + 1] - x[b + 1];
        const dz = x[a + 2] - x[b + 2];
        const squared = dx * dx + dy * dy + dz * dz;
        const distance = pairFloats[o + PairRecord.distance];
        let nx = pairFloats[o + PairRecord.normal];
        let ny = pairFloats[o + PairRecord.normal + 1];
        let nz = pairFloats[o + PairRecord.normal + 2];
        let aim = distance;
        let pushed = usual;
        let isTooFast = false;
        let height = dx * nx + dy * ny + dz * nz;
        if (nx !== 0 || ny !== 0 || nz !== 0) {
            const reach = pairFloats[o + PairRecord.squaredReach];
            const room = reach - (squared - height * height);
            if (!(height < distance && room >= 0)) continue;
            if (room < RIM * reach) pushed *= room / (RIM * reach);
        } else {
            const bx = dx - (v[a] - v[b]);
            const by = dy - (v[a + 1] - v[b + 1]);
            const bz = dz - (v[a + 2] - v[b + 2]);
            const before = bx * bx + by * by + bz * bz;
            const along = dx * bx + dy * by + dz * bz;
            const isClosing = along < KEPT * before && before > COINCIDENT;
            if (!isClosing && !(squared < distance * distance)) continue;
            const length = Math.sqrt(isClosing ? before : squared);
            const hasDirection = length * length > COINCIDENT;
            nx = hasDirection ? (isClosing ? bx : dx) / length : 0;
            ny = hasDirection ? (isClosing ? by : dy) / length : 1;
            nz = hasDirection ? (isClosing ? bz : dz) / length : 0;
            height = dx * nx + dy * ny + dz * nz;
            isTooFast = isClosing;
            if (isClosing) aim = KEPT * length;
        }
        contacts++;
        let weightA = x[a + 3];
        let weightB = x[b + 3];
        const below = nx * gx + ny * gy + nz * gz;
        const lower = below > 0 ? a : b;
        if (below !== 0 && Math.abs(v[lower] * gx + v[lower + 1] * gy + v[lower + 2] * gz) < HELD * fall) {
            const give = 1 - (FIRMNESS * below * below) / fall;
            if (lower === a) weightA *= give;
            else weightB *= give;
        }
        const sum = weightA + weightB;
        if (!(sum > 0)) continue;
        const shareA = weightA / sum;
        const shareB = weightB / sum;
        let ux = v[a] - v[b];
        let uy = v[a + 1] - v[b + 1];
        let uz = v[a + 2] - v[b + 2];
        const normal = ux * nx + uy * ny + uz * nz;
        // Forced through each other: held there, all of it would shake.
        if (!(height - normal >= -LOST * distance)) continue;
        const closing = normal < 0 ? -normal : 0;
        let depth = aim - height;
        if (depth > closing) depth = closing + pushed * (depth - closing);
        // A ball that only closes too fast keeps the largest allowed speed.
        const stop = isTooFast ? Math.max(0, depth) : closing;
        ux -= normal * nx;
        uy -= normal * ny;
        uz -= normal * nz;
        const slid = Math.sqrt(ux * ux + uy * uy + uz * uz);
        // By rounding, the depth of a contact at its distance may be below zero.
        const most = pairFloats[o + PairRecord.friction] * Math.max(0, depth);
        const held = slid > most ? -most / slid : -1;
        move(x, a, b, ux * held + nx * depth, uy * held + ny * depth, uz * held + nz * depth, shareA, shareB);
        move(v, a, b, ux * held + nx * stop, uy * held + ny * stop, uz * held + nz * stop, shareA, shareB);
    }
    progress[SelfCollisionCounter.contactCount] = contacts;
}

/** Moves the rows at slots a and b apart by a vector, each by its share. */
function move(x: Float32Array, a: number, b: number, dx: number, dy: number, dz: number, shareA: number, shareB: number): void {
    x[a] += dx * shareA;
    x[a + 1] += dy * shareA;
    x[a + 2] += dz * shareA;
    x[b] -= dx * shareB;
    x[b + 1] -= dy * shareB;
    x[b + 2] -= dz * shareB;
}
