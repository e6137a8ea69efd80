/** Impact zones: particles that move as one in a substep, so that they do not pass each other (Bridson et al. 2002, "Robust treatment of collisions"). */
import { cross, sum3, xyz0 } from "./simd";
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
    turnZones(contacts, load<u32>(contacts.shared.progress, SelfCollisionCounter.activeCount));
}

// @ts-ignore: decorator
@inline
function addTo(sum: usize, value: f32): void {
    store<f32>(sum, load<f32>(sum) + value);
}

/** Moves each zone as a rigid body, by the momentum and the angular momentum of its particles' displacements since the substep began. */
function turnZones(contacts: SelfContactArrays, count: u32): void {
    const activePositions = contacts.shared.activePositions;
    const velocities = contacts.shared.velocities;
    const starts = contacts.startPositions;
    const sums = contacts.impactZoneSums;
    memory.fill(sums, 0, <usize>count * ImpactZoneSum.count);
    for (let k: u32 = 0; k < count; k++) {
        const place = v128.load(activePositions + rowOffset(k));
        const start = v128.load(starts + rowOffset(k));
        const zone = zoneOf(contacts.impactZones, k);
        const sum = sums + <usize>zone * ImpactZoneSum.count;
        const mass = f32x4.splat(massOf(f32x4.extract_lane(place, 3)));
        const displacement = f32x4.replace_lane(f32x4.sub(place, start), 3, 1);
        v128.store(sum, f32x4.add(v128.load(sum), f32x4.mul(displacement, mass)));
        const from = f32x4.mul(xyz0(f32x4.sub(start, v128.load(starts + rowOffset(zone)))), mass);
        v128.store(sum, f32x4.add(v128.load(sum, ImpactZoneSum.centre), from), ImpactZoneSum.centre);
    }
    for (let k: u32 = 0; k < count; k++) {
        const sum = sums + <usize>k * ImpactZoneSum.count;
        const share = f32x4.splat(1 / load<f32>(sum, ImpactZoneSum.mass));
        if (zoneOf(contacts.impactZones, k) !== k) continue;
        const mass = load<f32>(sum, ImpactZoneSum.mass);
        const centre = f32x4.add(xyz0(f32x4.mul(v128.load(sum, ImpactZoneSum.centre), share)), xyz0(v128.load(starts + rowOffset(k))));
        v128.store(sum, f32x4.replace_lane(f32x4.mul(v128.load(sum), share), 3, mass));
        v128.store(sum, centre, ImpactZoneSum.centre);
    }
    for (let k: u32 = 0; k < count; k++) {
        const place = v128.load(activePositions + rowOffset(k));
        const mass = massOf(f32x4.extract_lane(place, 3));
        const sum = sums + <usize>zoneOf(contacts.impactZones, k) * ImpactZoneSum.count;
        if (!(load<f32>(sum, ImpactZoneSum.mass) > mass)) continue;
        const start = v128.load(starts + rowOffset(k));
        const r = xyz0(f32x4.sub(start, v128.load(sum, ImpactZoneSum.centre)));
        const d = xyz0(f32x4.sub(f32x4.sub(place, start), v128.load(sum)));
        const x = f32x4.extract_lane(r, 0);
        const y = f32x4.extract_lane(r, 1);
        const z = f32x4.extract_lane(r, 2);
        const dx = f32x4.extract_lane(d, 0);
        const dy = f32x4.extract_lane(d, 1);
        const dz = f32x4.extract_lane(d, 2);
        addTo(sum + ImpactZoneSum.spin, mass * (y * dz - z * dy));
        addTo(sum + ImpactZoneSum.spin + 4, mass * (z * dx - x * dz));
        addTo(sum + ImpactZoneSum.spin + 8, mass * (x * dy - y * dx));
        addTo(sum + ImpactZoneSum.inertia, mass * (y * y + z * z));
        addTo(sum + ImpactZoneSum.inertia + 4, mass * (z * z + x * x));
        addTo(sum + ImpactZoneSum.inertia + 8, mass * (x * x + y * y));
        addTo(sum + ImpactZoneSum.inertia + 12, -mass * x * y);
        addTo(sum + ImpactZoneSum.inertia + 16, -mass * y * z);
        addTo(sum + ImpactZoneSum.inertia + 20, -mass * z * x);
    }
    for (let k: u32 = 0; k < count; k++) if (zoneOf(contacts.impactZones, k) === k) solveSpin(sums + <usize>k * ImpactZoneSum.count);
    for (let k: u32 = 0; k < count; k++) {
        const weight = load<f32>(activePositions + rowOffset(k), 12);
        const sum = sums + <usize>zoneOf(contacts.impactZones, k) * ImpactZoneSum.count;
        if (!(weight > 0) || !(load<f32>(sum, ImpactZoneSum.mass) > massOf(weight))) continue;
        const start = v128.load(starts + rowOffset(k));
        const r = xyz0(f32x4.sub(start, v128.load(sum, ImpactZoneSum.centre)));
        const a = xyz0(v128.load(sum, ImpactZoneSum.spin));
        const across = cross(a, r);
        const turned = f32x4.mul(f32x4.add(across, cross(a, across)), f32x4.splat(2 / (1 + sum3(f32x4.mul(a, a)))));
        const displacement = xyz0(f32x4.add(v128.load(sum), turned));
        // A body between its own substeps has a velocity that is no displacement of this one.
        const place = f32x4.replace_lane(f32x4.add(start, displacement), 3, weight);
        const change = xyz0(f32x4.sub(place, v128.load(activePositions + rowOffset(k))));
        v128.store(velocities + rowOffset(k), f32x4.add(v128.load(velocities + rowOffset(k)), change));
        v128.store(activePositions + rowOffset(k), place);
    }
}

/** Least moment of inertia about any axis, as a share of the sum: particles on a line have none about it. */
const LEAST_INERTIA: f32 = 1e-3;

/** Half the rotation vector of a zone, of which its turn is made (Cayley). */
function solveSpin(sum: usize): void {
    let a = load<f32>(sum, ImpactZoneSum.inertia);
    let b = load<f32>(sum, ImpactZoneSum.inertia + 4);
    let c = load<f32>(sum, ImpactZoneSum.inertia + 8);
    const d = load<f32>(sum, ImpactZoneSum.inertia + 12);
    const e = load<f32>(sum, ImpactZoneSum.inertia + 16);
    const f = load<f32>(sum, ImpactZoneSum.inertia + 20);
    const least = LEAST_INERTIA * (a + b + c);
    a += least;
    b += least;
    c += least;
    const x = load<f32>(sum, ImpactZoneSum.spin);
    const y = load<f32>(sum, ImpactZoneSum.spin + 4);
    const z = load<f32>(sum, ImpactZoneSum.spin + 8);
    const p = b * c - e * e;
    const q = e * f - d * c;
    const r = d * e - b * f;
    const determinant = a * p + d * q + f * r;
    const half: f32 = determinant > 0 ? 0.5 / determinant : 0;
    store<f32>(sum, half * (p * x + q * y + r * z), ImpactZoneSum.spin);
    store<f32>(sum, half * (q * x + (a * c - f * f) * y + (d * f - a * e) * z), ImpactZoneSum.spin + 4);
    store<f32>(sum, half * (r * x + (d * f - a * e) * y + (a * b - d * d) * z), ImpactZoneSum.spin + 8);
}
