/** Impact zones: particles that move as one in a substep, so that they do not pass each other (Bridson et al. 2002, "Robust treatment of collisions"). */
import { xyz0 } from "./simd";
import { ImpactZoneSum, SelfCollisionCounter, SelfContactArrays, SelfContactCounter, SelfContactRecord, SweptArrays, particleAt, rowOffset } from "./layout.generated";
import { put, word } from "./memory";

/** Joins the impact zones of a contact's particles. */
export function joinZones(impactZones: usize, record: usize): void {
    const zone = zoneOf(impactZones, particleAt(load<u32>(record)));
    put(impactZones, zoneOf(impactZones, particleAt(load<u32>(record, 4))), zone);
    put(impactZones, zoneOf(impactZones, particleAt(load<u32>(record, 8))), zone);
    put(impactZones, zoneOf(impactZones, particleAt(load<u32>(record, 12))), zone);
}

function zoneOf(impactZones: usize, place: u32): u32 {
    while (word(impactZones, place) !== place) {
        const next = word(impactZones, word(impactZones, place));
        put(impactZones, place, next);
        place = next;
    }
    return place;
}

/** Weight of a pinned particle, in place of a mass [kg]: its zone moves with it. */
const PINNED_MASS: f32 = 1e6;

// @ts-ignore: decorator
@inline
function massOf(weight: f32): f32 {
    return weight > 0 ? 1 / weight : PINNED_MASS;
}

/** Moves each zone as it has moved on average, by masses. */
export function moveZones(contacts: SelfContactArrays, count: u32): void {
    const activePositions = contacts.shared.activePositions;
    const velocities = contacts.shared.velocities;
    const sums = contacts.impactZoneSums;
    memory.fill(sums, 0, <usize>count * ImpactZoneSum.count);
    for (let k: u32 = 0; k < count; k++) {
        const place = v128.load(activePositions + rowOffset(k));
        const mass = massOf(f32x4.extract_lane(place, 3));
        const sum = sums + <usize>zoneOf(contacts.impactZones, k) * ImpactZoneSum.count;
        const displacement = f32x4.replace_lane(f32x4.sub(place, v128.load(contacts.startPositions + rowOffset(k))), 3, 1);
        v128.store(sum, f32x4.add(v128.load(sum), f32x4.mul(displacement, f32x4.splat(mass))));
        const velocity = f32x4.mul(v128.load(velocities + rowOffset(k)), f32x4.splat(mass));
        v128.store(sum, f32x4.add(v128.load(sum, ImpactZoneSum.velocity), velocity), ImpactZoneSum.velocity);
    }
    for (let k: u32 = 0; k < count; k++) {
        const weight = load<f32>(activePositions + rowOffset(k), 12);
        const sum = sums + <usize>zoneOf(contacts.impactZones, k) * ImpactZoneSum.count;
        const mass = load<f32>(sum, ImpactZoneSum.mass);
        if (!(weight > 0) || !(mass > massOf(weight))) continue;
        const share = f32x4.splat(1 / mass);
        const displacement = f32x4.mul(v128.load(sum), share);
        const place = f32x4.add(v128.load(contacts.startPositions + rowOffset(k)), displacement);
        v128.store(activePositions + rowOffset(k), f32x4.replace_lane(place, 3, weight));
        v128.store(velocities + rowOffset(k), xyz0(f32x4.mul(v128.load(sum, ImpactZoneSum.velocity), share)));
    }
}

/** Begins impact zones: each active particle is one by itself. */
export function clearZones(contacts: SelfContactArrays): void {
    for (let k: u32 = 0, end = load<u32>(contacts.shared.progress, SelfCollisionCounter.activeCount); k < end; k++) put(contacts.impactZones, k, k);
}

/** Joins the particles of each contact of the last narrow phase, and moves the zones. */
export function joinContacts(swept: SweptArrays): void {
    const contacts = swept.contacts;
    let o = contacts.records;
    for (const end = o + <usize>load<u32>(contacts.progress, SelfContactCounter.contactCount) * SelfContactRecord.count; o < end; o += SelfContactRecord.count) joinZones(contacts.impactZones, o);
    moveZones(contacts, load<u32>(contacts.shared.progress, SelfCollisionCounter.activeCount));
}
