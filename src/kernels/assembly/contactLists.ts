/** Contact lists. Computed in doubles, bit for bit reproducible. */
import { IntersectionRecord, SelfCollisionParameter, rowOffset, SelfContactRecord, SelfContactArrays, SelfContactParameter, SelfContactCounter, BvhArrays, BvhFace, BvhTriangle, wordOffset } from "./layout.generated";
import { float, put, word } from "./memory";

/** Contacts within a cloth keep at most this share of their distance at rest, so the cloth folds as sharply as it can. */
const MAX_REST_SHARE: f64 = 0.6;
/** Share of the distance to its nearest neighbour that a particle may move before it may have passed it (Chen et al. 2025, "Offset geometric contact"). */
const BOUND_SHARE: f64 = 0.42;
/** Share of its separation that a contact keeps until it is listed anew, and share of its distance below which it comes no nearer at all. */
const CCD_GAP_SHARE: f64 = 0.1;
const MIN_GAP_SHARE: f64 = 0.02;
/** Distance below the resolution of 32-bit floats, as a share of the coordinates of four particles, in sum ... */
const ROUNDING: f64 = 5.9604644775390625e-8;
/** ... and least separation of both sides, as a share of the kept gap: the nearest points of slivers do not separate them. */
const SEPARATED_SHARE: f64 = 0.9;
/** Largest distance at which guards are listed, in margins. It stops cloth that is thick for its mesh from guarding every pair. */
const CCD_MARGINS: f64 = 3;

// The contact that is being added.
let row0: u32 = 0;
let row1: u32 = 0;
let row2: u32 = 0;
let row3: u32 = 0;
let weight0: f64 = 0;
let weight1: f64 = 0;
let weight2: f64 = 0;
let weight3: f64 = 0;
let normalX: f64 = 0;
let normalY: f64 = 0;
let normalZ: f64 = 0;

// @ts-ignore: decorator
@inline
export function lane(row: usize, c: usize): f64 {
    return <f64>float(row, c);
}

// @ts-ignore: decorator
@inline
export function faceOf(bvh: BvhArrays, t: u32): usize {
    return bvh.faces + <usize>t * BvhFace.count;
}

/** Position of the `k`-th corner of a triangle. */
// @ts-ignore: decorator
@inline
export function positionOf(bvh: BvhArrays, t: u32, k: u32): usize {
    return faceOf(bvh, t) + BvhFace.corners + rowOffset(k);
}

// @ts-ignore: decorator
@inline
export function cornerOf(bvh: BvhArrays, t: u32, k: u32): u32 {
    return bvh.proxy.first + word(bvh.triangles + <usize>t * BvhTriangle.count, k);
}

/** Sets the rows of the contact that is being added. Returns true if a particle belongs to both sides. @param firstSideCount see {@link SelfContactRecord} */
export function setRows(a: u32, b: u32, c: u32, d: u32, firstSideCount: u32): bool {
    row0 = a;
    row1 = b;
    row2 = c;
    row3 = d;
    if (firstSideCount === 1) return a === b || a === c || a === d;
    return a === c || a === d || b === c || b === d;
}

export function setWeights(a: f64, b: f64, c: f64, d: f64): void {
    weight0 = a;
    weight1 = b;
    weight2 = c;
    weight3 = d;
}

export function setNormal(x: f64, y: f64, z: f64): void {
    normalX = x;
    normalY = y;
    normalZ = z;
}

/**
 * Adds a contact or a guard to the lists, unless it is too far.
 * @param distanceApart distance between both sides [m]
 * @param approach largest approach of both sides in this substep [m]
 * @param firstSideCount see {@link SelfContactRecord}
 * @param isContact true for a contact; of several with the same nearest points, only one is
 */
export function addContact(contacts: SelfContactArrays, isOwn: bool, distanceApart: f64, approach: f64, firstSideCount: u32, isContact: bool): void {
    const shared = contacts.shared;
    const numbers = contacts.numbers;
    const progress = contacts.progress;
    let distance = <f64>load<f32>(numbers, SelfContactParameter.distance);
    const margin = <f64>load<f32>(numbers, SelfContactParameter.searchDistance) - distance;
    if (!(distanceApart < distance + margin + approach)) return;
    if (isOwn) distance = min<f64>(distance, MAX_REST_SHARE * restDistance(shared.rest));
    const likely = isContact ? distance + margin : min<f64>(distance + margin, CCD_MARGINS * margin);
    const most = max<f64>(<f64>load<f32>(shared.numbers, SelfCollisionParameter.listedDistance), likely);
    if (!(distanceApart < most + approach)) return;
    const contactCount = load<u32>(progress, SelfContactCounter.contactCount);
    const ccdCount = load<u32>(progress, SelfContactCounter.ccdCount);
    if (contactCount + ccdCount === contacts.capacity) {
        store<u32>(progress, 1, SelfContactCounter.overflowed);
        return;
    }
    let o = contacts.records;
    if (isContact) {
        o += <usize>contactCount * SelfContactRecord.count;
        store<u32>(progress, contactCount + 1, SelfContactCounter.contactCount);
    } else {
        o += <usize>(contacts.capacity - 1 - ccdCount) * SelfContactRecord.count;
        store<u32>(progress, ccdCount + 1, SelfContactCounter.ccdCount);
    }
    store<u32>(o, row0);
    store<u32>(o, row1, 4);
    store<u32>(o, row2, 8);
    store<u32>(o, row3, 12);
    store<f32>(o, <f32>weight0, SelfContactRecord.weights);
    store<f32>(o, <f32>weight1, SelfContactRecord.weights + 4);
    store<f32>(o, <f32>weight2, SelfContactRecord.weights + 8);
    store<f32>(o, <f32>weight3, SelfContactRecord.weights + 12);
    store<f32>(o, <f32>normalX, SelfContactRecord.normal);
    store<f32>(o, <f32>normalY, SelfContactRecord.normal + 4);
    store<f32>(o, <f32>normalZ, SelfContactRecord.normal + 8);
    store<f32>(o, <f32>distance, SelfContactRecord.distance);
    store<f32>(o, load<f32>(numbers, SelfContactParameter.friction), SelfContactRecord.friction);
    const keptGap = min<f64>(distanceApart, max<f64>(CCD_GAP_SHARE * min<f64>(distanceApart, distance), MIN_GAP_SHARE * distance));
    const hasSides = areSeparated(shared.snapshot, firstSideCount, SEPARATED_SHARE * keptGap);
    store<f32>(o, hasSides ? <f32>keptGap : -Infinity, SelfContactRecord.minGap);
    store<u32>(o, firstSideCount, SelfContactRecord.firstSideCount);
    const motionBound = hasSides ? <f32>(BOUND_SHARE * distanceApart) : <f32>Infinity;
    limitMotion(contacts, row0, motionBound);
    limitMotion(contacts, row1, motionBound);
    limitMotion(contacts, row2, motionBound);
    limitMotion(contacts, row3, motionBound);
}

// @ts-ignore: decorator
@inline
function limitMotion(contacts: SelfContactArrays, particle: u32, motionBound: f32): void {
    markActive(contacts.shared.slots, particle);
    const place = contacts.bounds + wordOffset(particle);
    store<f32>(place, min(load<f32>(place), motionBound));
}

// @ts-ignore: decorator
@inline
export function markActive(slots: usize, particle: u32): void {
    put(slots, particle, 0);
}

/** True if both sides are apart along the normal by more than the given gap [m] plus the rounding error. */
function areSeparated(snapshot: usize, firstSideCount: u32, keptGap: f64): bool {
    const a = heightOf(snapshot, row0);
    const b = heightOf(snapshot, row1);
    const c = heightOf(snapshot, row2);
    const d = heightOf(snapshot, row3);
    const least = firstSideCount === 1 ? a : min<f64>(a, b);
    const most = max<f64>(firstSideCount === 1 ? max<f64>(b, c) : c, d);
    const sum = sizeOf(snapshot, row0) + sizeOf(snapshot, row1) + sizeOf(snapshot, row2) + sizeOf(snapshot, row3);
    return least - most > max<f64>(keptGap, ROUNDING * sum);
}

// @ts-ignore: decorator
@inline
function heightOf(snapshot: usize, particle: u32): f64 {
    const row = snapshot + rowOffset(particle);
    return normalX * lane(row, 0) + normalY * lane(row, 1) + normalZ * lane(row, 2);
}

// @ts-ignore: decorator
@inline
function sizeOf(snapshot: usize, particle: u32): f64 {
    const row = snapshot + rowOffset(particle);
    return abs<f64>(lane(row, 0)) + abs<f64>(lane(row, 1)) + abs<f64>(lane(row, 2));
}

/** Distance between the two points of a contact at rest [m]. */
function restDistance(rest: usize): f64 {
    const a = rest + rowOffset(row0);
    const b = rest + rowOffset(row1);
    const c = rest + rowOffset(row2);
    const d = rest + rowOffset(row3);
    let squared: f64 = 0;
    for (let k: usize = 0; k < 3; k++) {
        const distanceApart = weight0 * lane(a, k) + weight1 * lane(b, k) + weight2 * lane(c, k) + weight3 * lane(d, k);
        squared += distanceApart * distanceApart;
    }
    return sqrt<f64>(squared);
}

/** Begins new lists. */
export function clearSelfContacts(contacts: SelfContactArrays): void {
    const progress = contacts.progress;
    for (let i: u32 = 0; i < contacts.particleCount; i++) store<f32>(contacts.bounds + wordOffset(i), Infinity);
    store<u32>(progress, 0, SelfContactCounter.contactCount);
    store<u32>(progress, 0, SelfContactCounter.ccdCount);
    store<u32>(progress, 0, SelfContactCounter.intersectionCount);
    store<u32>(progress, 0, SelfContactCounter.overflowed);
}

/** Mark among the slots, while lists are built, of a particle at an intersection. */
const TANGLED: u32 = 1;

/** Drops contacts that would keep passed cloth entangled: contacts both sides of which are at intersections. */
export function dropTangledContacts(contacts: SelfContactArrays): void {
    const slots = contacts.shared.slots;
    const progress = contacts.progress;
    let intersection = contacts.intersections;
    const end = intersection + <usize>load<u32>(progress, SelfContactCounter.intersectionCount) * IntersectionRecord.count;
    if (intersection === end) return;
    for (; intersection < end; intersection += IntersectionRecord.count) {
        for (let k: usize = 0; k < 20; k += 4) put(slots, load<u32>(intersection + k), TANGLED);
    }
    const last = contacts.records + <usize>(contacts.capacity - 1) * SelfContactRecord.count;
    const contactCount = keepUntangled(contacts.records, slots, load<u32>(progress, SelfContactCounter.contactCount), SelfContactRecord.count);
    const ccdCount = keepUntangled(last, slots, load<u32>(progress, SelfContactCounter.ccdCount), <usize>-SelfContactRecord.count);
    store<u32>(progress, contactCount, SelfContactCounter.contactCount);
    store<u32>(progress, ccdCount, SelfContactCounter.ccdCount);
}

/** Compacts the kept records, from the first one on. @returns their number */
function keepUntangled(record: usize, slots: usize, count: u32, step: usize): u32 {
    let keptGap: u32 = 0;
    let to = record;
    for (let i: u32 = 0; i < count; i++) {
        const firstSideCount = load<u32>(record, SelfContactRecord.firstSideCount);
        let sides: u32 = 0;
        for (let k: u32 = 0; k < 4; k++) if (word(slots, word(record, k)) === TANGLED) sides |= k < firstSideCount ? 1 : 2;
        if (sides !== 3) {
            memory.copy(to, record, SelfContactRecord.count);
            to += step;
            keptGap++;
        }
        record += step;
    }
    return keptGap;
}

/** Replaces particle numbers in contacts, guards and intersections by active slots, after these are assigned. */
export function compactSelfContacts(contacts: SelfContactArrays): void {
    const progress = contacts.progress;
    const slots = contacts.shared.slots;
    store<u32>(progress, 0, SelfContactCounter.scanCount);
    const guards = load<u32>(progress, SelfContactCounter.ccdCount);
    remapRows(contacts.records, load<u32>(progress, SelfContactCounter.contactCount), SelfContactRecord.count, 4, slots);
    remapRows(contacts.records + <usize>(contacts.capacity - guards) * SelfContactRecord.count, guards, SelfContactRecord.count, 4, slots);
    remapRows(contacts.intersections, load<u32>(progress, SelfContactCounter.intersectionCount), IntersectionRecord.count, 5, slots);
}

// @ts-ignore: decorator
@inline
function remapRows(record: usize, count: u32, size: usize, particles: usize, slots: usize): void {
    for (const end = record + <usize>count * size; record < end; record += size) {
        for (let k: usize = 0; k < wordOffset(particles); k += 4) store<u32>(record + k, <u32>rowOffset(word(slots, load<u32>(record + k))));
    }
}
