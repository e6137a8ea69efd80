/** Contact response of triangle self-collision. */
import { hoist, xyz0 } from "./simd";
import { SelfCollisionArrays, SelfCollisionParameter, SelfContactRecord, SelfContactArrays, SelfContactCounter, SweptArrays, wordOffset } from "./layout.generated";
import { put, word } from "./memory";

/** Largest push of a contact in a substep, as a share of its distance: deep overlaps separate gently. */
const MAX_PUSH_SHARE: f32 = 0.1;
/** Contacts that are passed by more than this share of their distance do not push. */
const PASSED_SHARE: f32 = 0.5;
/** A lower particle that falls by less than this multiple of a substep's fall is supported ... */
const SUPPORTED_FALL: f32 = 4;
/** ... and its mobility is reduced by this share, if the other is straight above. */
const SUPPORT_STIFFNESS: f32 = 0.9;
/** Divisor of the depth that gives the largest move of a particle: without it a lone free particle far from the contact would be thrown by its lever. */
export const MAX_LEVER: f32 = 0.5;

// @ts-ignore: decorator
@inline
function dot(a: v128, b: v128): f32 {
    const p = f32x4.mul(a, b);
    return f32x4.extract_lane(p, 0) + f32x4.extract_lane(p, 1) + f32x4.extract_lane(p, 2);
}

/** Most height buckets of the order. */
const MAX_BUCKETS: u32 = 256;

/** Height of a contact's outer particles along gravity, in sum and times gravity. */
// @ts-ignore: decorator
@inline
function heightOf(positions: usize, record: usize, gravity: v128): f32 {
    return -dot(gravity, f32x4.add(v128.load(positions + load<u32>(record)), v128.load(positions + load<u32>(record, 12))));
}

/**
 * Orders the contacts along gravity, the lowest first, as in pairOrder.ts: a contact is resolved after those that support it. By counts in
 * buckets, which reuse the grid's cells.
 */
function orderContacts(contacts: SelfContactArrays, gravity: v128): void {
    const shared: SelfCollisionArrays = contacts.shared;
    const positions = shared.activePositions;
    const order = contacts.order;
    const count = load<u32>(contacts.progress, SelfContactCounter.contactCount);
    const end = contacts.records + <usize>count * SelfContactRecord.count;
    let least: f32 = Infinity;
    let most: f32 = -Infinity;
    for (let o = contacts.records; o < end; o += SelfContactRecord.count) {
        const height = heightOf(positions, o, gravity);
        store<f32>(o, height, SelfContactRecord.height);
        least = min<f32>(least, height);
        most = max<f32>(most, height);
    }
    const buckets = min<u32>(MAX_BUCKETS, shared.cellCount);
    const scale = <f32>(buckets - 1) / (most - least);
    if (!(scale > 0 && scale < Infinity)) {
        for (let n: u32 = 0; n < count; n++) put(order, n, n);
        return;
    }
    const starts = shared.cellStarts;
    memory.fill(starts, 0, wordOffset(buckets));
    for (let o = contacts.records; o < end; o += SelfContactRecord.count) {
        const bucket = <u32>((load<f32>(o, SelfContactRecord.height) - least) * scale);
        store<u32>(o, bucket, SelfContactRecord.height);
        put(starts, bucket, word(starts, bucket) + 1);
    }
    let sum: u32 = 0;
    for (let bucket: u32 = 0; bucket < buckets; bucket++) {
        const size = word(starts, bucket);
        put(starts, bucket, sum);
        sum += size;
    }
    let n: u32 = 0;
    for (let o = contacts.records; o < end; o += SelfContactRecord.count) {
        const bucket = load<u32>(o, SelfContactRecord.height);
        const place = word(starts, bucket);
        put(starts, bucket, place + 1);
        put(order, place, n++);
    }
}

/**
 * Resolves particle–triangle and edge–edge contacts, one after the other: positions by their overlap, velocities by their closing speed
 * and by friction on the mean motion of both sides. A supported lower side gets extra mass along gravity only. Across gravity both sides
 * move by their masses, or folds would push themselves along the ground.
 */
export function resolveSelfContacts(contacts: SelfContactArrays): void {
    resolve(contacts, false);
}

/**
 * Resolves the contacts of the last narrow phase in the same way, from the lowest up. A particle is pushed apart gently by all of its contacts
 * no farther than by one: at a corner above a corner many pairs find the one overlap.
 */
export function resolveSweptContacts(swept: SweptArrays): void {
    resolve(swept.contacts, true);
}

function resolve(contacts: SelfContactArrays, isSwept: bool): void {
    const activePositions = contacts.shared.activePositions;
    const velocities = contacts.shared.velocities;
    const gravity = hoist(xyz0(v128.load(contacts.shared.numbers, SelfCollisionParameter.gravity)), 0);
    const fall = dot(gravity, gravity);
    const maxPush = MAX_PUSH_SHARE * load<f32>(contacts.shared.numbers, SelfCollisionParameter.pushShare);
    if (isSwept) orderContacts(contacts, gravity);
    const order = contacts.order;
    for (let k: u32 = 0, count = load<u32>(contacts.progress, SelfContactCounter.contactCount); k < count; k++) {
        const o = contacts.records + <usize>(isSwept ? word(order, k) : k) * SelfContactRecord.count;
        const a = load<u32>(o);
        const b = load<u32>(o, 4);
        const c = load<u32>(o, 8);
        const d = load<u32>(o, 12);
        const wa = v128.load32_splat(o, SelfContactRecord.weights);
        const wb = v128.load32_splat(o, SelfContactRecord.weights + 4);
        const wc = v128.load32_splat(o, SelfContactRecord.weights + 8);
        const wd = v128.load32_splat(o, SelfContactRecord.weights + 12);
        const n = xyz0(v128.load(o, SelfContactRecord.normal));
        const distance = load<f32>(o, SelfContactRecord.distance);
        const xa = v128.load(activePositions + a);
        const xb = v128.load(activePositions + b);
        const xc = v128.load(activePositions + c);
        const xd = v128.load(activePositions + d);
        const height = dot(
            n,
            f32x4.add(f32x4.add(f32x4.mul(wa, xa), f32x4.mul(wb, xb)), f32x4.add(f32x4.mul(wc, xc), f32x4.mul(wd, xd))),
        );
        if (!(height < distance)) continue;
        const va = f32x4.mul(wa, v128.load(velocities + a));
        const vb = f32x4.mul(wb, v128.load(velocities + b));
        const u = f32x4.add(
            f32x4.add(va, vb),
            f32x4.add(f32x4.mul(wc, v128.load(velocities + c)), f32x4.mul(wd, v128.load(velocities + d))),
        );
        const normal = dot(u, n);
        if (!(height - normal >= -PASSED_SHARE * distance)) continue;
        const ma = f32x4.extract_lane(wa, 0) * f32x4.extract_lane(xa, 3);
        const mb = f32x4.extract_lane(wb, 0) * f32x4.extract_lane(xb, 3);
        const mc = f32x4.extract_lane(wc, 0) * f32x4.extract_lane(xc, 3);
        const md = f32x4.extract_lane(wd, 0) * f32x4.extract_lane(xd, 3);
        const largest = max<f32>(max<f32>(abs<f32>(ma), abs<f32>(mb)), max<f32>(abs<f32>(mc), abs<f32>(md)));
        if (!(largest > 0)) continue;
        const sum = max<f32>(weightedSum(wa, wb, wc, wd, ma, mb, mc, md), MAX_LEVER * largest);
        let firstSideCount: f32 = 1;
        let seconds: f32 = 1;
        const below = dot(n, gravity);
        const isEdge = load<u32>(o, SelfContactRecord.firstSideCount) === 2;
        if (below !== 0) {
            const first = isEdge ? dot(f32x4.add(va, vb), gravity) : dot(va, gravity);
            if (abs<f32>(below > 0 ? first : first - dot(u, gravity)) < SUPPORTED_FALL * fall) {
                const yieldShare = <f32>1 - (SUPPORT_STIFFNESS * below * below) / fall;
                if (below > 0) firstSideCount = yieldShare;
                else seconds = yieldShare;
            }
        }
        const closing = max<f32>(0, -normal);
        let push = maxPush * distance;
        if (isSwept) {
            const pushed = max<f32>(
                max<f32>(pushOf(contacts, a, xa, n, ma), pushOf(contacts, b, xb, n, mb)),
                max<f32>(pushOf(contacts, c, xc, n, mc), pushOf(contacts, d, xd, n, md)),
            );
            push = max<f32>(0, push - pushed) * min<f32>(1, sum / largest);
        }
        const depth = min(distance - height, closing + push);
        const slide = f32x4.sub(u, f32x4.mul(n, f32x4.splat(normal)));
        const slideLength = sqrt<f32>(dot(slide, slide));
        const friction = load<f32>(o, SelfContactRecord.friction);
        const back = f32x4.mul(slide, f32x4.splat(slideLength > friction * max<f32>(depth, closing) ? (-friction * closing) / slideLength : -1));
        const lift = f32x4.add(back, f32x4.mul(n, f32x4.splat(depth)));
        const stop = f32x4.add(back, f32x4.mul(n, f32x4.splat(closing)));
        const lifted = f32x4.mul(gravity, f32x4.splat(fall > 0 ? dot(lift, gravity) / fall : 0));
        const stopped = f32x4.mul(gravity, f32x4.splat(fall > 0 ? dot(stop, gravity) / fall : 0));
        const fa = ma * firstSideCount;
        const fb = mb * (isEdge ? firstSideCount : seconds);
        const fc = mc * seconds;
        const fd = md * seconds;
        const largestSupported = max<f32>(max<f32>(abs<f32>(fa), abs<f32>(fb)), max<f32>(abs<f32>(fc), abs<f32>(fd)));
        const supportedMass = max<f32>(weightedSum(wa, wb, wc, wd, fa, fb, fc, fd), MAX_LEVER * largestSupported);
        const liftAcross = f32x4.div(f32x4.sub(lift, lifted), f32x4.splat(sum));
        const stopAcross = f32x4.div(f32x4.sub(stop, stopped), f32x4.splat(sum));
        const liftAlong = f32x4.div(lifted, f32x4.splat(supportedMass));
        const stopAlong = f32x4.div(stopped, f32x4.splat(supportedMass));
        moveRow(activePositions + a, liftAcross, liftAlong, ma, fa);
        moveRow(activePositions + b, liftAcross, liftAlong, mb, fb);
        moveRow(activePositions + c, liftAcross, liftAlong, mc, fc);
        moveRow(activePositions + d, liftAcross, liftAlong, md, fd);
        moveRow(velocities + a, stopAcross, stopAlong, ma, fa);
        moveRow(velocities + b, stopAcross, stopAlong, mb, fb);
        moveRow(velocities + c, stopAcross, stopAlong, mc, fc);
        moveRow(velocities + d, stopAcross, stopAlong, md, fd);
    }
}

/** Gentle push of a particle in this substep, to its side of a contact: what has moved it without its velocity. */
// @ts-ignore: decorator
@inline
function pushOf(contacts: SelfContactArrays, row: usize, x: v128, n: v128, mass: f32): f32 {
    const moved = dot(n, f32x4.sub(f32x4.sub(x, v128.load(contacts.startPositions + row)), v128.load(contacts.shared.velocities + row)));
    return mass > 0 ? moved : mass < 0 ? -moved : 0;
}

// @ts-ignore: decorator
@inline
function weightedSum(wa: v128, wb: v128, wc: v128, wd: v128, a: f32, b: f32, c: f32, d: f32): f32 {
    return (
        f32x4.extract_lane(wa, 0) * a + f32x4.extract_lane(wb, 0) * b + f32x4.extract_lane(wc, 0) * c + f32x4.extract_lane(wd, 0) * d
    );
}

/** Moves rows by a vector, each by its share. */
// @ts-ignore: decorator
@inline
function moveRow(row: usize, across: v128, along: v128, mass: f32, supportedMass: f32): void {
    const by = f32x4.add(f32x4.mul(across, f32x4.splat(mass)), f32x4.mul(along, f32x4.splat(supportedMass)));
    v128.store(row, f32x4.add(v128.load(row), by));
}
