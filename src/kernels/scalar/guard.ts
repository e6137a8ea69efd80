import { CrowdNumber, CrowdProgress, MemberNumber } from "../crowdLayout";
import type { MemberArrays } from "../crowdLayout";
import { NONE } from "../fields";
import { particleAt, ROW } from "../layout";
import { Touch, TouchProgress, ZoneSum } from "../touchLayout";
import type { TouchArrays } from "../touchLayout";

/** How often all is looked at; how often what has passed is parted one by one then; and how often what is left is joined to zones. */
const ROUNDS = 3;
const PASSES = 4;
const ZONES = 8;
/** Share of its distance at which a touch is narrow. */
const NARROW = 0.5;
/** Share of its gap below which it has passed: what has been parted has not, whatever was rounded. */
const PASSED = 0.9;
/** How often all is read before it is chained, which costs about as much; and one of how many may be looked at by chains: more are read in less time as they lie. */
const READINGS = 3;
const MOST_CHAINED = 4;

/** Notes where a member's places were when the substep began. Those of what does not move in it are where they are. */
export function noteStarts({ starts, crowd }: TouchArrays, { index, numbers }: MemberArrays): void {
    const { placeRanges, places, velocities } = crowd;
    const moves = numbers[MemberNumber.isMoving];
    for (let o = placeRanges[2 * index] * ROW, end = placeRanges[2 * index + 1] * ROW; o < end; o++)
        starts[o] = places[o] - moves * velocities[o];
}

/**
 * Sees that nothing that is listed has passed: along the normal that it was listed with, all particles of the first side stay beyond all of
 * the second. Both move along lines in a substep; so what has not passed at its ends has not between.
 *
 *      ●     ●   first side          What has passed is parted a few times, each pair by the two particles that are nearest to it. What has
 *     ─────────── gap                passed even then goes on as one, as it has on average: with all that it is held by (impact zones,
 *        ●   ●   second side         Bridson et al. 2002, "Robust treatment of collisions"): against each other, nothing of it has moved.
 */
export function guardTouches(touches: TouchArrays): void {
    const { progress } = touches;
    progress[TouchProgress.heldCount] = progress[TouchProgress.openCount] = 0;
    if (!mayHavePassed(touches)) return;
    for (let round = 0; round < ROUNDS; round++) {
        let held = guardAll(touches);
        progress[TouchProgress.openCount] = held;
        if (held === 0) return;
        if (round === 0) progress[TouchProgress.heldCount] = held;
        for (let pass = 0; pass < PASSES && held > 0; pass++) held = guardNarrow(touches, false);
        if (held === 0) continue;
        beginZones(touches);
        for (let pass = 0; pass < ZONES && guardNarrow(touches, true) > 0; pass++) moveZones(touches);
    }
}

/**
 * Whether any touch may have passed: one of its particles has come as far from its point, but for what all have, that it may. Where few have in
 * substep after substep, as in what lies and creeps, their touches are found by chains, and looked at alone.
 */
function mayHavePassed(touches: TouchArrays): boolean {
    const { bounds, crowd, progress, capacity } = touches;
    const { placed, places, points, numbers } = crowd;
    const touchCount = progress[TouchProgress.touchCount];
    const count = touchCount + progress[TouchProgress.guardCount];
    let left = Math.floor(count / MOST_CHAINED);
    for (let k = 0; k < crowd.progress[CrowdProgress.placeCount]; k++) {
        let squared = 0;
        for (let c = 0; c < 3; c++) {
            const drift = (numbers[CrowdNumber.leastDisplacement + c] + numbers[CrowdNumber.mostDisplacement + c]) / 2;
            const d = places[k * ROW + c] - points[placed[k] * ROW + c] - drift;
            squared += d * d;
        }
        const bound = bounds[placed[k]];
        if (!(squared > bound * bound)) continue;
        if (2 * count > capacity) return true;
        if (progress[TouchProgress.readCount] < READINGS) {
            progress[TouchProgress.readCount]++;
            return true;
        }
        if (progress[TouchProgress.readCount] === READINGS) chain(touches);
        for (let link = touches.heads[k]; link !== NONE; link = touches.links[link]) {
            if (left === 0) return true;
            left--;
            const i = link >> 2;
            const o = (i < touchCount ? i : capacity - count + i) * Touch.count;
            if (measureApart(touches, o) < PASSED * touches.touchFloats[o + Touch.gap]) return true;
        }
    }
    return false;
}

/** Chains touches and guards by their particles. */
function chain(touches: TouchArrays): void {
    const { progress, capacity, heads } = touches;
    const touchCount = progress[TouchProgress.touchCount];
    const guards = capacity - progress[TouchProgress.guardCount];
    heads.fill(NONE);
    chainRange(touches, 0, touchCount, 0);
    chainRange(touches, guards, capacity, touchCount);
    progress[TouchProgress.readCount]++;
}

/** Chains those from one to before another: links from `i` on. */
function chainRange({ touches: records, heads, links }: TouchArrays, first: number, end: number, i: number): void {
    let link = 4 * i;
    for (let o = first * Touch.count; o < end * Touch.count; o += Touch.count)
        for (let k = 0; k < 4; k++, link++) {
            const place = particleAt(records[o + k]);
            links[link] = heads[place];
            heads[place] = link;
        }
}

/** Parts all that has passed, and notes what is narrow. @returns how many have passed */
function guardAll(touches: TouchArrays): number {
    const { progress, capacity } = touches;
    const guards = capacity - progress[TouchProgress.guardCount];
    progress[TouchProgress.tightCount] = 0;
    return guardRange(touches, 0, progress[TouchProgress.touchCount]) + guardRange(touches, guards, capacity);
}

function guardRange(touches: TouchArrays, first: number, end: number): number {
    const { progress, tight, touchFloats: f } = touches;
    let held = 0;
    for (let i = first; i < end; i++) {
        const o = i * Touch.count;
        const apart = measureApart(touches, o);
        if (!(apart < NARROW * f[o + Touch.distance])) continue;
        if (progress[TouchProgress.tightCount] < tight.length) tight[progress[TouchProgress.tightCount]++] = i;
        if (!(apart < PASSED * f[o + Touch.gap])) continue;
        held++;
        part(touches, o, apart);
    }
    return held;
}

/** Parts what is narrow and has passed, or joins it to zones. @returns how many have */
function guardNarrow(touches: TouchArrays, joins: boolean): number {
    const { progress, tight, touchFloats: f } = touches;
    let held = 0;
    for (let i = 0; i < progress[TouchProgress.tightCount]; i++) {
        const o = tight[i] * Touch.count;
        const apart = measureApart(touches, o);
        if (!(apart < PASSED * f[o + Touch.gap])) continue;
        held++;
        if (joins) join(touches, o);
        else part(touches, o, apart);
    }
    return held;
}

/** Rows of the particles of the first and of the second side that are nearest to the other. */
const nearest = new Uint32Array(2);

/** How far both sides are apart along the normal [m]. */
function measureApart({ crowd, touches: records, touchFloats: f }: TouchArrays, o: number): number {
    const { places: x } = crowd;
    const firsts = records[o + Touch.firsts];
    let least = Infinity;
    let most = -Infinity;
    for (let k = 0; k < 4; k++) {
        const row = records[o + k] >> 2;
        const n = o + Touch.normal;
        const height = f[n] * x[row] + f[n + 1] * x[row + 1] + f[n + 2] * x[row + 2];
        if (k < firsts && height < least) {
            least = height;
            nearest[0] = row;
        } else if (k >= firsts && height > most) {
            most = height;
            nearest[1] = row;
        }
    }
    return least - most;
}

/** Moves the nearest particles of both sides apart, and takes the speed at which they close. */
function part({ crowd, touchFloats: f }: TouchArrays, o: number, apart: number): void {
    const { places: x, velocities: v } = crowd;
    const i = nearest[0];
    const j = nearest[1];
    const sum = x[i + 3] + x[j + 3];
    if (!(sum > 0)) return;
    const n = o + Touch.normal;
    const nx = f[n];
    const ny = f[n + 1];
    const nz = f[n + 2];
    const lift = (f[o + Touch.gap] - apart) / sum;
    const closing = nx * (v[j] - v[i]) + ny * (v[j + 1] - v[i + 1]) + nz * (v[j + 2] - v[i + 2]);
    const stop = closing > 0 ? closing / sum : 0;
    push(x, i, nx, ny, nz, lift * x[i + 3]);
    push(x, j, nx, ny, nz, -lift * x[j + 3]);
    push(v, i, nx, ny, nz, stop * x[i + 3]);
    push(v, j, nx, ny, nz, -stop * x[j + 3]);
}

function push(x: Float32Array, row: number, nx: number, ny: number, nz: number, by: number): void {
    x[row] += nx * by;
    x[row + 1] += ny * by;
    x[row + 2] += nz * by;
}

function beginZones({ zones, crowd }: TouchArrays): void {
    for (let k = 0; k < crowd.progress[CrowdProgress.placeCount]; k++) zones[k] = k;
}

/** Joins the zones of a touch's particles. */
function join({ zones, touches }: TouchArrays, o: number): void {
    const zone = zoneOf(zones, particleAt(touches[o]));
    for (let k = 1; k < 4; k++) zones[zoneOf(zones, particleAt(touches[o + k]))] = zone;
}

function zoneOf(zones: Uint32Array, place: number): number {
    while (zones[place] !== place) place = zones[place] = zones[zones[place]];
    return place;
}

/** Weight of what is pinned, in place of a mass [kg]: its zone goes with it. */
const FIRM = 1e6;

/** Moves each zone as it has moved on average, by masses. */
function moveZones({ zones, zoneSums: sums, starts, crowd }: TouchArrays): void {
    const { places: x, velocities: v, progress } = crowd;
    const count = progress[CrowdProgress.placeCount];
    sums.fill(0, 0, count * ZoneSum.count);
    for (let k = 0; k < count; k++) {
        const row = k * ROW;
        const sum = zoneOf(zones, k) * ZoneSum.count;
        const mass = x[row + 3] > 0 ? 1 / x[row + 3] : FIRM;
        sums[sum + ZoneSum.mass] += mass;
        for (let c = 0; c < 3; c++) {
            sums[sum + ZoneSum.displacement + c] += mass * (x[row + c] - starts[row + c]);
            sums[sum + ZoneSum.velocity + c] += mass * v[row + c];
        }
    }
    for (let k = 0; k < count; k++) {
        const row = k * ROW;
        const zone = zoneOf(zones, k);
        const sum = zone * ZoneSum.count;
        const mass = x[row + 3] > 0 ? 1 / x[row + 3] : FIRM;
        // One by itself goes as it did.
        if (!(x[row + 3] > 0) || !(sums[sum + ZoneSum.mass] > mass)) continue;
        for (let c = 0; c < 3; c++) {
            x[row + c] = starts[row + c] + sums[sum + ZoneSum.displacement + c] / sums[sum + ZoneSum.mass];
            v[row + c] = sums[sum + ZoneSum.velocity + c] / sums[sum + ZoneSum.mass];
        }
    }
}
