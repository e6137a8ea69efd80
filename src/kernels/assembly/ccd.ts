/** Continuous collision detection of cloth against cloth. */
import { hoist, sum3, xyz0 } from "./simd";
import { SelfCollisionParameter, SelfCollisionCounter, ProxyArrays, ProxyParameter, SelfContactRecord, SelfContactArrays, SelfContactCounter, particleAt, rowOffset, wordOffset } from "./layout.generated";
import { joinZones, moveZones } from "./impactZones";
import { float, NONE, put, word } from "./memory";

/** Most passes over all contacts; passes that separate violated contacts one by one; and passes that join the remaining ones to impact zones. */
const MAX_ROUNDS: u32 = 3;
const SEPARATION_PASSES: u32 = 4;
const ZONE_PASSES: u32 = 8;
/** Share of its distance at which a contact is narrow. */
const NARROW_SHARE: f32 = 0.5;
/** Share of its gap below which a contact is violated: a corrected contact is not, whatever its rounding. */
const VIOLATION_SHARE: f32 = 0.9;
/** Full scans before chains are built, which costs about as much as one scan; and the largest fraction, as 1/n, of contacts tested by chains: beyond it a linear scan is faster. */
const SCANS_BEFORE_CHAINS: u32 = 3;
const CHAINED_SHARE_INVERSE: u32 = 4;

/** Records the positions of a proxy's particles at the start of the substep. Particles that do not move in it keep their present position. */
export function recordStartPositions(contacts: SelfContactArrays, proxy: ProxyArrays): void {
    const shared = contacts.shared;
    const range = shared.activeRanges + (<usize>proxy.index << 3);
    const moves = hoist(v128.load32_splat(proxy.numbers, ProxyParameter.isMoving), 0);
    const end = rowOffset(load<u32>(range, 4));
    for (let row = rowOffset(load<u32>(range)); row < end; row += rowOffset(1)) {
        const displacement = f32x4.mul(moves, v128.load(shared.velocities + row));
        v128.store(contacts.startPositions + row, f32x4.sub(v128.load(shared.activePositions + row), displacement));
    }
}

/**
 * Ensures that no listed contact is passed: along the normal at listing, all particles of the first side stay beyond all of
 * the second. Both move along lines in a substep, so a contact that is not passed at its ends is not passed between.
 *
 *      ●     ●   first side          Violations are separated a few times, each pair by the two particles that are nearest to each other. If
 *     ─────────── gap                violations remain, their particles move as one, at their mean motion: with all that hold them (impact zones,
 *        ●   ●   second side         Bridson et al. 2002, "Robust treatment of collisions"). They have then no motion relative to each other.
 */
export function enforceSeparation(contacts: SelfContactArrays): void {
    const progress = contacts.progress;
    store<u32>(progress, 0, SelfContactCounter.violationCount);
    store<u32>(progress, 0, SelfContactCounter.unresolvedCount);
    if (!mayHaveViolations(contacts)) return;
    const count = load<u32>(contacts.shared.progress, SelfCollisionCounter.activeCount);
    for (let round: u32 = 0; round < MAX_ROUNDS; round++) {
        let violations = separateAll(contacts);
        store<u32>(progress, violations, SelfContactCounter.unresolvedCount);
        if (violations === 0) return;
        if (round === 0) store<u32>(progress, violations, SelfContactCounter.violationCount);
        for (let pass: u32 = 0; pass < SEPARATION_PASSES && violations > 0; pass++) violations = separateNarrow(contacts, false);
        if (violations === 0) continue;
        for (let k: u32 = 0; k < count; k++) put(contacts.impactZones, k, k);
        for (let pass: u32 = 0; pass < ZONE_PASSES && separateNarrow(contacts, true) > 0; pass++) moveZones(contacts, count);
    }
}

/**
 * True if any contact may be violated: one of its particles has moved as far from its snapshot as its bound allows, less the common motion. If few
 * particles have, substep after substep, as in cloth that rests and creeps, only their contacts are tested, found by chains.
 */
function mayHaveViolations(contacts: SelfContactArrays): bool {
    const shared = contacts.shared;
    const progress = contacts.progress;
    const displacements = f32x4.add(v128.load(shared.numbers, SelfCollisionParameter.minDisplacement), v128.load(shared.numbers, SelfCollisionParameter.maxDisplacement));
    const drift = hoist(xyz0(f32x4.mul(displacements, f32x4.splat(0.5))), 0);
    const contactCount = load<u32>(progress, SelfContactCounter.contactCount);
    const count = contactCount + load<u32>(progress, SelfContactCounter.ccdCount);
    let left = count / CHAINED_SHARE_INVERSE;
    for (let k: u32 = 0, end = load<u32>(shared.progress, SelfCollisionCounter.activeCount); k < end; k++) {
        const particle = word(shared.activeParticles, k);
        const d = f32x4.sub(f32x4.sub(v128.load(shared.activePositions + rowOffset(k)), v128.load(shared.snapshot + rowOffset(particle))), drift);
        const bound = float(contacts.bounds, particle);
        if (!(sum3(f32x4.mul(d, d)) > bound * bound)) continue;
        if (<u32>2 * count > contacts.capacity) return true;
        const read = load<u32>(progress, SelfContactCounter.scanCount);
        if (read < SCANS_BEFORE_CHAINS) {
            store<u32>(progress, read + 1, SelfContactCounter.scanCount);
            return true;
        }
        if (read === SCANS_BEFORE_CHAINS) buildChains(contacts);
        for (let link = word(contacts.firstLinks, k); link !== NONE; link = word(contacts.nextLinks, link)) {
            if (left === 0) return true;
            left--;
            const i = link >> 2;
            const record = contacts.records + <usize>(i < contactCount ? i : contacts.capacity - count + i) * SelfContactRecord.count;
            if (measureGap(shared.activePositions, record) < VIOLATION_SHARE * load<f32>(record, SelfContactRecord.minGap)) return true;
        }
    }
    return false;
}

/** Builds chains of contacts and guards by particle. */
function buildChains(contacts: SelfContactArrays): void {
    const progress = contacts.progress;
    const contactCount = load<u32>(progress, SelfContactCounter.contactCount);
    const guards = contacts.capacity - load<u32>(progress, SelfContactCounter.ccdCount);
    memory.fill(contacts.firstLinks, 0xff, wordOffset(contacts.particleCount));
    buildChainRange(contacts, 0, contactCount, 0);
    buildChainRange(contacts, guards, contacts.capacity, contactCount);
    store<u32>(progress, SCANS_BEFORE_CHAINS + 1, SelfContactCounter.scanCount);
}

/** Chains those from one to before another: links from `i` on. */
function buildChainRange(contacts: SelfContactArrays, first: u32, end: u32, i: u32): void {
    const firstLinks = contacts.firstLinks;
    const nextLinks = contacts.nextLinks;
    let link = 4 * i;
    let record = contacts.records + <usize>first * SelfContactRecord.count;
    for (const last = contacts.records + <usize>end * SelfContactRecord.count; record < last; record += SelfContactRecord.count)
        for (let k: u32 = 0; k < 4; k++, link++) {
            const place = particleAt(word(record, k));
            put(nextLinks, link, word(firstLinks, place));
            put(firstLinks, place, link);
        }
}

/** Separates all violated contacts and records the narrow ones. @returns the number of violations */
function separateAll(contacts: SelfContactArrays): u32 {
    const progress = contacts.progress;
    const guards = contacts.capacity - load<u32>(progress, SelfContactCounter.ccdCount);
    store<u32>(progress, 0, SelfContactCounter.narrowCount);
    return separateRange(contacts, 0, load<u32>(progress, SelfContactCounter.contactCount)) + separateRange(contacts, guards, contacts.capacity);
}

function separateRange(contacts: SelfContactArrays, first: u32, end: u32): u32 {
    let narrow = load<u32>(contacts.progress, SelfContactCounter.narrowCount);
    let violations: u32 = 0;
    for (let i = first; i < end; i++) {
        const record = contacts.records + <usize>i * SelfContactRecord.count;
        const distanceApart = measureGap(contacts.shared.activePositions, record);
        if (!(distanceApart < NARROW_SHARE * load<f32>(record, SelfContactRecord.distance))) continue;
        if (narrow < contacts.particleCount) put(contacts.narrow, narrow++, i);
        if (!(distanceApart < VIOLATION_SHARE * load<f32>(record, SelfContactRecord.minGap))) continue;
        violations++;
        separateNearest(contacts, record, distanceApart);
    }
    store<u32>(contacts.progress, narrow, SelfContactCounter.narrowCount);
    return violations;
}

/** Separates violated narrow contacts, or joins them to impact zones. @returns their number */
function separateNarrow(contacts: SelfContactArrays, joins: bool): u32 {
    let violations: u32 = 0;
    for (let i: u32 = 0, end = load<u32>(contacts.progress, SelfContactCounter.narrowCount); i < end; i++) {
        const record = contacts.records + <usize>word(contacts.narrow, i) * SelfContactRecord.count;
        const distanceApart = measureGap(contacts.shared.activePositions, record);
        if (!(distanceApart < VIOLATION_SHARE * load<f32>(record, SelfContactRecord.minGap))) continue;
        violations++;
        if (joins) joinZones(contacts.impactZones, record);
        else separateNearest(contacts, record, distanceApart);
    }
    return violations;
}

// @ts-ignore: decorator
@inline
function heightOf(n: v128, activePositions: usize, row: u32): f32 {
    return sum3(f32x4.mul(n, v128.load(activePositions + row)));
}

/** Rows of the particles of the first and of the second side that are nearest to the other. */
// Rows of the particles of the first and of the second side that are nearest to the other.
let nearest: u32 = 0;
let nearestOther: u32 = 0;

/** Distance between both sides along the normal [m]. */
// @ts-ignore: decorator
@inline
function measureGap(activePositions: usize, record: usize): f32 {
    const n = v128.load(record, SelfContactRecord.normal);
    const a = load<u32>(record);
    const b = load<u32>(record, 4);
    const c = load<u32>(record, 8);
    const d = load<u32>(record, 12);
    let least = heightOf(n, activePositions, a);
    const middle = heightOf(n, activePositions, b);
    let most = heightOf(n, activePositions, c);
    const last = heightOf(n, activePositions, d);
    nearest = a;
    nearestOther = c;
    if (last > most) {
        most = last;
        nearestOther = d;
    }
    if (load<u32>(record, SelfContactRecord.firstSideCount) === 2) {
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
function separateNearest(contacts: SelfContactArrays, record: usize, distanceApart: f32): void {
    const activePositions = contacts.shared.activePositions;
    const velocities = contacts.shared.velocities;
    const wi = load<f32>(activePositions + nearest, 12);
    const wj = load<f32>(activePositions + nearestOther, 12);
    const sum = wi + wj;
    if (!(sum > 0)) return;
    const n = xyz0(v128.load(record, SelfContactRecord.normal));
    const lift = (load<f32>(record, SelfContactRecord.minGap) - distanceApart) / sum;
    const closing = sum3(f32x4.mul(n, f32x4.sub(v128.load(velocities + nearestOther), v128.load(velocities + nearest))));
    const stop = max<f32>(0, closing) / sum;
    addScaled(activePositions + nearest, n, lift * wi);
    addScaled(activePositions + nearestOther, n, -lift * wj);
    addScaled(velocities + nearest, n, stop * wi);
    addScaled(velocities + nearestOther, n, -stop * wj);
}

// @ts-ignore: decorator
@inline
function addScaled(row: usize, n: v128, by: f32): void {
    v128.store(row, f32x4.add(v128.load(row), f32x4.mul(n, f32x4.splat(by))));
}
