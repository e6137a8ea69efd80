/** What sees that cloth has not passed through cloth. */
import { hoist, sum3, xyz0 } from "./lanes";
import { CrowdNumber, CrowdProgress, MemberArrays, MemberNumber, Touch, TouchArrays, TouchProgress, ZoneSum, particleAt, rowOffset, wordOffset } from "./layout.generated";
import { float, NONE, put, word } from "./words";

/** How often all is looked at; how often what has passed is parted one by one then; and how often what is left is joined to zones. */
const ROUNDS: u32 = 3;
const PASSES: u32 = 4;
const ZONES: u32 = 8;
/** Share of its distance at which a touch is narrow. */
const NARROW: f32 = 0.5;
/** Share of its gap below which it has passed: what has been parted has not, whatever was rounded. */
const PASSED: f32 = 0.9;
/** How often all is read before it is chained, which costs about as much; and one of how many may be looked at by chains: more are read in less time as they lie. */
const READINGS: u32 = 3;
const MOST_CHAINED: u32 = 4;

/** Notes where a member's places were when the substep began. Those of what does not move in it are where they are. */
export function noteStarts(touches: TouchArrays, member: MemberArrays): void {
    const crowd = touches.crowd;
    const range = crowd.placeRanges + (<usize>member.index << 3);
    const moves = hoist(v128.load32_splat(member.numbers, MemberNumber.isMoving), 0);
    const end = rowOffset(load<u32>(range, 4));
    for (let row = rowOffset(load<u32>(range)); row < end; row += rowOffset(1)) {
        const displacement = f32x4.mul(moves, v128.load(crowd.velocities + row));
        v128.store(touches.starts + row, f32x4.sub(v128.load(crowd.places + row), displacement));
    }
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
    const progress = touches.progress;
    store<u32>(progress, 0, TouchProgress.heldCount);
    store<u32>(progress, 0, TouchProgress.openCount);
    if (!mayHavePassed(touches)) return;
    const count = load<u32>(touches.crowd.progress, CrowdProgress.placeCount);
    for (let round: u32 = 0; round < ROUNDS; round++) {
        let held = guardAll(touches);
        store<u32>(progress, held, TouchProgress.openCount);
        if (held === 0) return;
        if (round === 0) store<u32>(progress, held, TouchProgress.heldCount);
        for (let pass: u32 = 0; pass < PASSES && held > 0; pass++) held = guardNarrow(touches, false);
        if (held === 0) continue;
        for (let k: u32 = 0; k < count; k++) put(touches.zones, k, k);
        for (let pass: u32 = 0; pass < ZONES && guardNarrow(touches, true) > 0; pass++) moveZones(touches, count);
    }
}

/**
 * Whether any touch may have passed: one of its particles has come as far from its point, but for what all have, that it may. Where few have in
 * substep after substep, as in what lies and creeps, their touches are found by chains, and looked at alone.
 */
function mayHavePassed(touches: TouchArrays): bool {
    const crowd = touches.crowd;
    const progress = touches.progress;
    const displacements = f32x4.add(v128.load(crowd.numbers, CrowdNumber.leastDisplacement), v128.load(crowd.numbers, CrowdNumber.mostDisplacement));
    const drift = hoist(xyz0(f32x4.mul(displacements, f32x4.splat(0.5))), 0);
    const touchCount = load<u32>(progress, TouchProgress.touchCount);
    const count = touchCount + load<u32>(progress, TouchProgress.guardCount);
    let left = count / MOST_CHAINED;
    for (let k: u32 = 0, end = load<u32>(crowd.progress, CrowdProgress.placeCount); k < end; k++) {
        const particle = word(crowd.placed, k);
        const d = f32x4.sub(f32x4.sub(v128.load(crowd.places + rowOffset(k)), v128.load(crowd.points + rowOffset(particle))), drift);
        const bound = float(touches.bounds, particle);
        if (!(sum3(f32x4.mul(d, d)) > bound * bound)) continue;
        if (<u32>2 * count > touches.capacity) return true;
        const read = load<u32>(progress, TouchProgress.readCount);
        if (read < READINGS) {
            store<u32>(progress, read + 1, TouchProgress.readCount);
            return true;
        }
        if (read === READINGS) chain(touches);
        for (let link = word(touches.heads, k); link !== NONE; link = word(touches.links, link)) {
            if (left === 0) return true;
            left--;
            const i = link >> 2;
            const record = touches.touches + <usize>(i < touchCount ? i : touches.capacity - count + i) * Touch.count;
            if (measureApart(crowd.places, record) < PASSED * load<f32>(record, Touch.gap)) return true;
        }
    }
    return false;
}

/** Chains touches and guards by their particles. */
function chain(touches: TouchArrays): void {
    const progress = touches.progress;
    const touchCount = load<u32>(progress, TouchProgress.touchCount);
    const guards = touches.capacity - load<u32>(progress, TouchProgress.guardCount);
    memory.fill(touches.heads, 0xff, wordOffset(touches.particleCount));
    chainRange(touches, 0, touchCount, 0);
    chainRange(touches, guards, touches.capacity, touchCount);
    store<u32>(progress, READINGS + 1, TouchProgress.readCount);
}

/** Chains those from one to before another: links from `i` on. */
function chainRange(touches: TouchArrays, first: u32, end: u32, i: u32): void {
    const heads = touches.heads;
    const links = touches.links;
    let link = 4 * i;
    let record = touches.touches + <usize>first * Touch.count;
    for (const last = touches.touches + <usize>end * Touch.count; record < last; record += Touch.count)
        for (let k: u32 = 0; k < 4; k++, link++) {
            const place = particleAt(word(record, k));
            put(links, link, word(heads, place));
            put(heads, place, link);
        }
}

/** Parts all that has passed, and notes what is narrow. @returns how many have passed */
function guardAll(touches: TouchArrays): u32 {
    const progress = touches.progress;
    const guards = touches.capacity - load<u32>(progress, TouchProgress.guardCount);
    store<u32>(progress, 0, TouchProgress.tightCount);
    return guardRange(touches, 0, load<u32>(progress, TouchProgress.touchCount)) + guardRange(touches, guards, touches.capacity);
}

function guardRange(touches: TouchArrays, first: u32, end: u32): u32 {
    let tight = load<u32>(touches.progress, TouchProgress.tightCount);
    let held: u32 = 0;
    for (let i = first; i < end; i++) {
        const record = touches.touches + <usize>i * Touch.count;
        const apart = measureApart(touches.crowd.places, record);
        if (!(apart < NARROW * load<f32>(record, Touch.distance))) continue;
        if (tight < touches.particleCount) put(touches.tight, tight++, i);
        if (!(apart < PASSED * load<f32>(record, Touch.gap))) continue;
        held++;
        part(touches, record, apart);
    }
    store<u32>(touches.progress, tight, TouchProgress.tightCount);
    return held;
}

/** Parts what is narrow and has passed, or joins it to zones. @returns how many have */
function guardNarrow(touches: TouchArrays, joins: bool): u32 {
    let held: u32 = 0;
    for (let i: u32 = 0, end = load<u32>(touches.progress, TouchProgress.tightCount); i < end; i++) {
        const record = touches.touches + <usize>word(touches.tight, i) * Touch.count;
        const apart = measureApart(touches.crowd.places, record);
        if (!(apart < PASSED * load<f32>(record, Touch.gap))) continue;
        held++;
        if (joins) join(touches.zones, record);
        else part(touches, record, apart);
    }
    return held;
}

/** Joins the zones of a touch's particles. */
function join(zones: usize, record: usize): void {
    const zone = zoneOf(zones, particleAt(load<u32>(record)));
    put(zones, zoneOf(zones, particleAt(load<u32>(record, 4))), zone);
    put(zones, zoneOf(zones, particleAt(load<u32>(record, 8))), zone);
    put(zones, zoneOf(zones, particleAt(load<u32>(record, 12))), zone);
}

// @ts-ignore: decorator
@inline
function heightOf(n: v128, places: usize, row: u32): f32 {
    return sum3(f32x4.mul(n, v128.load(places + row)));
}

/** Rows of the particles of the first and of the second side that are nearest to the other. */
// Rows of the particles of the first and of the second side that are nearest to the other.
let nearest: u32 = 0;
let nearestOther: u32 = 0;

/** How far both sides are apart along the normal [m]. */
// @ts-ignore: decorator
@inline
function measureApart(places: usize, record: usize): f32 {
    const n = v128.load(record, Touch.normal);
    const a = load<u32>(record);
    const b = load<u32>(record, 4);
    const c = load<u32>(record, 8);
    const d = load<u32>(record, 12);
    let least = heightOf(n, places, a);
    const middle = heightOf(n, places, b);
    let most = heightOf(n, places, c);
    const last = heightOf(n, places, d);
    nearest = a;
    nearestOther = c;
    if (last > most) {
        most = last;
        nearestOther = d;
    }
    if (load<u32>(record, Touch.firsts) === 2) {
        if (middle < least) {
            least = middle;
            nearest = b;
        }
    } else if (middle > most) {
        most = middle;
        nearestOther = b;
    }
    return least - most;
}

/** Moves the nearest particles of both sides apart, and takes the speed at which they close. */
function part(touches: TouchArrays, record: usize, apart: f32): void {
    const places = touches.crowd.places;
    const velocities = touches.crowd.velocities;
    const wi = load<f32>(places + nearest, 12);
    const wj = load<f32>(places + nearestOther, 12);
    const sum = wi + wj;
    if (!(sum > 0)) return;
    const n = xyz0(v128.load(record, Touch.normal));
    const lift = (load<f32>(record, Touch.gap) - apart) / sum;
    const closing = sum3(f32x4.mul(n, f32x4.sub(v128.load(velocities + nearestOther), v128.load(velocities + nearest))));
    const stop = max<f32>(0, closing) / sum;
    push(places + nearest, n, lift * wi);
    push(places + nearestOther, n, -lift * wj);
    push(velocities + nearest, n, stop * wi);
    push(velocities + nearestOther, n, -stop * wj);
}

// @ts-ignore: decorator
@inline
function push(row: usize, n: v128, by: f32): void {
    v128.store(row, f32x4.add(v128.load(row), f32x4.mul(n, f32x4.splat(by))));
}

function zoneOf(zones: usize, place: u32): u32 {
    while (word(zones, place) !== place) {
        const next = word(zones, word(zones, place));
        put(zones, place, next);
        place = next;
    }
    return place;
}

/** Weight of what is pinned, in place of a mass [kg]: its zone goes with it. */
const FIRM: f32 = 1e6;

// @ts-ignore: decorator
@inline
function massOf(weight: f32): f32 {
    return weight > 0 ? 1 / weight : FIRM;
}

/** Moves each zone as it has moved on average, by masses. */
function moveZones(touches: TouchArrays, count: u32): void {
    const places = touches.crowd.places;
    const velocities = touches.crowd.velocities;
    const sums = touches.zoneSums;
    memory.fill(sums, 0, <usize>count * ZoneSum.count);
    for (let k: u32 = 0; k < count; k++) {
        const place = v128.load(places + rowOffset(k));
        const mass = massOf(f32x4.extract_lane(place, 3));
        const sum = sums + <usize>zoneOf(touches.zones, k) * ZoneSum.count;
        const displacement = f32x4.replace_lane(f32x4.sub(place, v128.load(touches.starts + rowOffset(k))), 3, 1);
        v128.store(sum, f32x4.add(v128.load(sum), f32x4.mul(displacement, f32x4.splat(mass))));
        const velocity = f32x4.mul(v128.load(velocities + rowOffset(k)), f32x4.splat(mass));
        v128.store(sum, f32x4.add(v128.load(sum, ZoneSum.velocity), velocity), ZoneSum.velocity);
    }
    for (let k: u32 = 0; k < count; k++) {
        const weight = load<f32>(places + rowOffset(k), 12);
        const sum = sums + <usize>zoneOf(touches.zones, k) * ZoneSum.count;
        const mass = load<f32>(sum, ZoneSum.mass);
        if (!(weight > 0) || !(mass > massOf(weight))) continue;
        const share = f32x4.splat(1 / mass);
        const displacement = f32x4.mul(v128.load(sum), share);
        const place = f32x4.add(v128.load(touches.starts + rowOffset(k)), displacement);
        v128.store(places + rowOffset(k), f32x4.replace_lane(place, 3, weight));
        v128.store(velocities + rowOffset(k), xyz0(f32x4.mul(v128.load(sum, ZoneSum.velocity), share)));
    }
}
