/** Narrow phase of listed pairs of triangles, in each substep. */
import { cross, dotColumns, xyz0 } from "./simd";
import { IntersectionRecord, SelfCollisionArrays, SelfCollisionParameter, SelfContactArrays, SelfContactCounter, SelfContactRecord, SweptArrays, SweptCounter, SweptParameter, rowOffset, wordOffset } from "./layout.generated";
import { put, word } from "./memory";
import { MAX_LEVER } from "./selfContactResponse";
import { storeColumns } from "./sweptTree";

/** How far beyond a triangle's border, as a share, a foot is still inside. */
const BORDER: f32 = 0.001;
/** The same where a path crossed the plane. */
const CROSSING_BORDER: f32 = 0.02;
/** Least share of what a contact keeps in the check that it is opened to, however near it was when the substep began. */
const LEAST_KEPT: f32 = 0.02;
/** Squared sine of two edges below which they have no side. */
const PARALLEL: f32 = 0.01;
/** Marks among the slots of a particle: at an intersection, and at one that has been given up. */
const TANGLED: u32 = 1;
const ABANDONED: u32 = 2;

/**
 * Drops pairs that may hold what is crossed: those of an edge and a triangle that cross, or of what is beside both. Which cross is noted in a
 * bit of the grid's cells for each particle of the edge with each of the triangle; two that share a bit drop a pair more.
 */
export function dropTangledPairs(swept: SweptArrays, tangles: SelfContactArrays): void {
    const progress = swept.progress;
    const shared = swept.shared;
    const bits = shared.cellStarts;
    memory.fill(bits, 0, wordOffset(shared.cellCount));
    let o = tangles.intersections;
    for (const end = o + <usize>load<u32>(tangles.progress, SelfContactCounter.intersectionCount) * IntersectionRecord.count; o < end; o += IntersectionRecord.count) {
        for (let e: usize = 0; e < 8; e += 4)
            for (let t: usize = 8; t < 20; t += 4) {
                const bit = bitOf(shared, load<u32>(o + e), load<u32>(o + t));
                put(bits, bit >> 5, word(bits, bit >> 5) | (1 << (bit & 31)));
            }
    }
    const faces = dropTangled(shared, swept.faceRows, swept.faceSides, swept.faceDistances, swept.faceFrictions, load<u32>(progress, SweptCounter.faceCount), 1);
    const edges = dropTangled(shared, swept.edgeRows, swept.edgeSides, swept.edgeDistances, swept.edgeFrictions, load<u32>(progress, SweptCounter.edgeCount), 2);
    store<u32>(progress, faces, SweptCounter.faceCount);
    store<u32>(progress, edges, SweptCounter.edgeCount);
}

/** Bit of two particles. */
// @ts-ignore: decorator
@inline
function bitOf(shared: SelfCollisionArrays, a: u32, b: u32): u32 {
    return ((min<u32>(a, b) * 73856093) ^ (max<u32>(a, b) * 19349663)) & (32 * shared.cellCount - 1);
}

/** True if something of the first side crosses something of the second. */
function isCrossed(shared: SelfCollisionArrays, row: usize, firstSideCount: u32): bool {
    const bits = shared.cellStarts;
    for (let i: u32 = 0; i < firstSideCount; i++)
        for (let k = firstSideCount; k < 4; k++) {
            const bit = bitOf(shared, word(row, i), word(row, k));
            if ((word(bits, bit >> 5) >> (bit & 31)) & 1) return true;
        }
    return false;
}

/** @returns how many are left */
function dropTangled(shared: SelfCollisionArrays, rows: usize, sides: usize, distances: usize, frictions: usize, count: u32, firstSideCount: u32): u32 {
    const slots = shared.slots;
    let kept: u32 = 0;
    for (let n: u32 = 0; n < count; n++) {
        const row = rows + rowOffset(n);
        let tangled: u32 = 0;
        let abandoned: u32 = 0;
        for (let k: u32 = 0; k < 4; k++) {
            const mark = word(slots, word(row, k));
            if (mark === TANGLED) tangled++;
            else if (mark === ABANDONED) abandoned++;
        }
        if (abandoned + tangled === 4 && (abandoned > 0 || isCrossed(shared, row, firstSideCount))) continue;
        v128.store(rows + rowOffset(kept), v128.load(row));
        put(sides, kept, word(sides, n));
        put(distances, kept, word(distances, n));
        put(frictions, kept, word(frictions, n));
        kept++;
    }
    return kept;
}

export function compactSweptPairs(swept: SweptArrays): void {
    const slots = swept.shared.slots;
    remap(slots, swept.faceRows, load<u32>(swept.progress, SweptCounter.faceCount));
    remap(slots, swept.edgeRows, load<u32>(swept.progress, SweptCounter.edgeCount));
}

function remap(slots: usize, rows: usize, count: u32): void {
    for (let i: u32 = 0; i < 4 * count; i++) put(rows, i, <u32>rowOffset(word(slots, word(rows, i))));
}

/**
 * Writes a contact for each listed pair that is nearer than its distance at the side on which it was, or beyond:
 *
 *     ●  side +1         The side is kept while the foot is inside the triangle, or the edges are across each other; beside it, the side is noted
 *     ┊                  anew. A pair that is on the other side, but was beside when it changed sides, came round.
 *     ▲
 *
 * Sides are those at the start of the substep until they are committed at its end: then nothing is written.
 */
export function narrowSweptPairs(swept: SweptArrays): void {
    const contacts = swept.contacts;
    store<u32>(contacts.progress, 0, SelfContactCounter.contactCount);
    const faces = load<u32>(swept.progress, SweptCounter.faceCount);
    for (let n: u32 = 0; n < faces; n += 4)
        narrowFour(swept, contacts, swept.faceRows, swept.faceSides, swept.faceDistances, swept.faceFrictions, n, min<u32>(4, faces - n), false);
    const edges = load<u32>(swept.progress, SweptCounter.edgeCount);
    for (let n: u32 = 0; n < edges; n += 4)
        narrowFour(swept, contacts, swept.edgeRows, swept.edgeSides, swept.edgeDistances, swept.edgeFrictions, n, min<u32>(4, edges - n), true);
    store<u32>(swept.progress, load<u32>(contacts.progress, SelfContactCounter.contactCount), SweptCounter.contactCount);
}

// @ts-ignore: decorator
@inline
function storeActiveColumns(to: usize, positions: usize, rows: usize): void {
    storeColumns(to, v128.load(positions + load<u32>(rows)), v128.load(positions + load<u32>(rows, 16)), v128.load(positions + load<u32>(rows, 32)), v128.load(positions + load<u32>(rows, 48)));
}

// @ts-ignore: decorator
@inline
function narrowFour(swept: SweptArrays, contacts: SelfContactArrays, allRows: usize, allSides: usize, distances: usize, frictions: usize, n: u32, count: u32, isEdges: bool): void {
    const lanes = swept.lanes;
    const positions = swept.shared.activePositions;
    const rows = allRows + rowOffset(n);
    const sides = allSides + wordOffset(n);
    storeActiveColumns(lanes, positions, rows);
    storeActiveColumns(lanes + 64, positions, rows + 4);
    storeActiveColumns(lanes + 128, positions, rows + 8);
    storeActiveColumns(lanes + 192, positions, rows + 12);
    const o: usize = isEdges ? 128 : 64;
    const ux = isEdges ? f32x4.sub(v128.load(lanes, 64), v128.load(lanes)) : f32x4.sub(v128.load(lanes, 128), v128.load(lanes, 64));
    const uy = isEdges ? f32x4.sub(v128.load(lanes, 80), v128.load(lanes, 16)) : f32x4.sub(v128.load(lanes, 144), v128.load(lanes, 80));
    const uz = isEdges ? f32x4.sub(v128.load(lanes, 96), v128.load(lanes, 32)) : f32x4.sub(v128.load(lanes, 160), v128.load(lanes, 96));
    const vx = f32x4.sub(v128.load(lanes, 192), v128.load(lanes + o));
    const vy = f32x4.sub(v128.load(lanes, 208), v128.load(lanes + o, 16));
    const vz = f32x4.sub(v128.load(lanes, 224), v128.load(lanes + o, 32));
    const qx = f32x4.sub(v128.load(lanes), v128.load(lanes + o));
    const qy = f32x4.sub(v128.load(lanes, 16), v128.load(lanes + o, 16));
    const qz = f32x4.sub(v128.load(lanes, 32), v128.load(lanes + o, 32));
    const nx = f32x4.sub(f32x4.mul(uy, vz), f32x4.mul(uz, vy));
    const ny = f32x4.sub(f32x4.mul(uz, vx), f32x4.mul(ux, vz));
    const nz = f32x4.sub(f32x4.mul(ux, vy), f32x4.mul(uy, vx));
    const area = dotColumns(nx, ny, nz, nx, ny, nz);
    const inverse = f32x4.div(f32x4.splat(1), f32x4.pmax(area, f32x4.splat(1e-20)));
    const uu = dotColumns(ux, uy, uz, ux, uy, uz);
    const uv = dotColumns(ux, uy, uz, vx, vy, vz);
    const vv = dotColumns(vx, vy, vz, vx, vy, vz);
    const uq = dotColumns(ux, uy, uz, qx, qy, qz);
    const vq = dotColumns(vx, vy, vz, qx, qy, qz);
    const least = f32x4.splat(-BORDER);
    const most = f32x4.splat(1 + BORDER);
    let t: v128;
    let u: v128;
    let isInside: v128;
    if (isEdges) {
        t = f32x4.mul(f32x4.sub(f32x4.mul(uv, vq), f32x4.mul(uq, vv)), inverse);
        u = f32x4.mul(f32x4.sub(f32x4.mul(uu, vq), f32x4.mul(uv, uq)), inverse);
        const isAcross = v128.and(v128.and(f32x4.gt(t, least), f32x4.gt(u, least)), v128.and(f32x4.lt(t, most), f32x4.lt(u, most)));
        isInside = v128.and(isAcross, f32x4.gt(area, f32x4.mul(f32x4.mul(uu, vv), f32x4.splat(PARALLEL))));
    } else {
        t = f32x4.mul(f32x4.sub(f32x4.mul(vv, uq), f32x4.mul(uv, vq)), inverse);
        u = f32x4.mul(f32x4.sub(f32x4.mul(uu, vq), f32x4.mul(uv, uq)), inverse);
        isInside = v128.and(v128.and(f32x4.gt(t, least), f32x4.gt(u, least)), f32x4.lt(f32x4.add(t, u), most));
    }
    const scale = f32x4.mul(inverse, f32x4.sqrt(area));
    const height = f32x4.mul(dotColumns(nx, ny, nz, qx, qy, qz), scale);
    const present = v128.or(v128.and(height, f32x4.splat(-0.0)), f32x4.splat(1));
    const side = v128.load(sides);
    const commits = load<f32>(swept.numbers, SweptParameter.commits) > 0;
    if (commits) v128.store(sides, v128.bitselect(side, present, isInside));
    const over = f32x4.mul(height, side);
    const reach = v128.load32_splat(swept.numbers, SweptParameter.reach);
    const distance = f32x4.mul(v128.load(distances + wordOffset(n)), reach);
    const checks = load<f32>(swept.numbers, SweptParameter.reach) < 1;
    const joins = load<f32>(swept.numbers, SweptParameter.joins) > 0;
    const some: u32 = (1 << count) - 1;
    const inside: u32 = i32x4.bitmask(isInside);
    let mask: u32 = i32x4.bitmask(v128.and(isInside, f32x4.lt(over, distance))) & some;
    if (!commits) mask |= i32x4.bitmask(v128.andnot(f32x4.lt(over, f32x4.splat(0)), isInside)) & some;
    if (mask === 0) return;
    const signed = f32x4.mul(scale, side);
    v128.store(lanes, f32x4.mul(nx, signed));
    v128.store(lanes, f32x4.mul(ny, signed), 16);
    v128.store(lanes, f32x4.mul(nz, signed), 32);
    v128.store(lanes, over, 48);
    v128.store(lanes, t, 64);
    v128.store(lanes, u, 80);
    v128.store(lanes, distance, 96);
    v128.store(lanes, side, 112);
    while (mask) {
        const l = ctz(mask);
        mask &= mask - 1;
        const lane = lanes + wordOffset(l);
        const row = rows + rowOffset(l);
        if (checks) {
            const start = startHeight(contacts.startPositions, row, load<f32>(lane, 112), isEdges);
            if (joins && !(start > 0)) continue;
            const kept = load<f32>(lane, 96);
            const least = joins ? min<f32>(kept, 0.5 * start) : min<f32>(kept, start > 0 ? max<f32>(LEAST_KEPT * kept, start) : 0);
            if (!(load<f32>(lane, 48) < least)) continue;
            store<f32>(lane, least, 96);
        }
        if (load<f32>(lane, 48) < 0 && cameRound(contacts.startPositions, row, lane, load<f32>(lane, 112), isEdges, ((inside >> l) & 1) > 0)) {
            if (commits) store<f32>(sides + wordOffset(l), -load<f32>(sides + wordOffset(l)));
            continue;
        }
        if (!commits) addContact(contacts, row, lane, load<f32>(frictions + wordOffset(n + l)), isEdges);
    }
}

function addContact(contacts: SelfContactArrays, row: usize, lane: usize, friction: f32, isEdges: bool): void {
    const count = load<u32>(contacts.progress, SelfContactCounter.contactCount);
    if (count === contacts.capacity) return;
    store<u32>(contacts.progress, count + 1, SelfContactCounter.contactCount);
    const o = contacts.records + <usize>count * SelfContactRecord.count;
    const t = load<f32>(lane, 64);
    const u = load<f32>(lane, 80);
    v128.store(o, v128.load(row));
    store<f32>(o, isEdges ? <f32>1 - t : <f32>1, SelfContactRecord.weights);
    store<f32>(o, isEdges ? t : t + u - 1, SelfContactRecord.weights + 4);
    store<f32>(o, isEdges ? u - 1 : -t, SelfContactRecord.weights + 8);
    store<f32>(o, -u, SelfContactRecord.weights + 12);
    store<f32>(o, load<f32>(lane), SelfContactRecord.normal);
    store<f32>(o, load<f32>(lane, 16), SelfContactRecord.normal + 4);
    store<f32>(o, load<f32>(lane, 32), SelfContactRecord.normal + 8);
    store<f32>(o, load<f32>(lane, 96), SelfContactRecord.distance);
    store<f32>(o, friction, SelfContactRecord.friction);
    store<u32>(o, isEdges ? 2 : 1, SelfContactRecord.firstSideCount);
}

// @ts-ignore: decorator
@inline
function dot(a: v128, b: v128): f32 {
    const p = f32x4.mul(a, b);
    return f32x4.extract_lane(p, 0) + f32x4.extract_lane(p, 1) + f32x4.extract_lane(p, 2);
}

/** Height of a pair's first side over its second at the start of the substep. */
function startHeight(starts: usize, row: usize, side: f32, isEdges: bool): f32 {
    const a = v128.load(starts + load<u32>(row));
    const b = v128.load(starts + load<u32>(row, 4));
    const c = v128.load(starts + load<u32>(row, 8));
    const d = v128.load(starts + load<u32>(row, 12));
    const n = cross(isEdges ? f32x4.sub(b, a) : f32x4.sub(c, b), f32x4.sub(d, isEdges ? c : b));
    return (side * dot(n, f32x4.sub(a, isEdges ? c : b))) / sqrt<f32>(max<f32>(1e-20, dot(n, n)));
}

/**
 * True if a pair that is on its other side now was beside when it changed sides, as all four go along straight paths in a substep; or if not the
 * pair but its normal has turned over, as that of two edges that come past parallel. A pair that is beside now, but was not when it changed
 * sides, is held where it did.
 */
function cameRound(starts: usize, row: usize, lane: usize, side: f32, isEdges: bool, isInsideNow: bool): bool {
    const tNow = load<f32>(lane, 64);
    const uNow = load<f32>(lane, 80);
    const over = load<f32>(lane, 48);
    const a = v128.load(starts + load<u32>(row));
    const b = v128.load(starts + load<u32>(row, 4));
    const c = v128.load(starts + load<u32>(row, 8));
    const d = v128.load(starts + load<u32>(row, 12));
    const u = isEdges ? f32x4.sub(b, a) : f32x4.sub(c, b);
    const v = f32x4.sub(d, isEdges ? c : b);
    const q = f32x4.sub(a, isEdges ? c : b);
    const n = cross(u, v);
    const area = max<f32>(1e-20, dot(n, n));
    const height = (side * dot(n, q)) / sqrt<f32>(area);
    const t = dot(n, isEdges ? cross(v, q) : cross(q, v)) / area;
    const w = dot(n, cross(u, q)) / area;
    const isInside = isWithin(t, w, isEdges, BORDER);
    if (height <= 0) return !isInside || !isInsideNow;
    if (side * (load<f32>(lane) * f32x4.extract_lane(n, 0) + load<f32>(lane, 16) * f32x4.extract_lane(n, 1) + load<f32>(lane, 32) * f32x4.extract_lane(n, 2)) < 0) return true;
    if (isInside && isInsideNow) return false;
    const share = height / (height - over);
    const tThen = t + share * (tNow - t);
    const uThen = w + share * (uNow - w);
    if (!isWithin(tThen, uThen, isEdges, isInsideNow ? CROSSING_BORDER : 0)) return true;
    if (!isInsideNow) {
        store<f32>(lane, tThen, 64);
        store<f32>(lane, uThen, 80);
    }
    return false;
}

// @ts-ignore: decorator
@inline
function isWithin(t: f32, u: f32, isEdges: bool, border: f32): bool {
    return t > -border && u > -border && (isEdges ? t < 1 + border && u < 1 + border : t + u < 1 + border);
}

/** Pushes the contacts of the last narrow phase apart to their distance, one after the other, and takes the speed at which they close. In short substeps, depth that they have not closed now is pushed gently. */
export function separateContacts(swept: SweptArrays): void {
    const contacts = swept.contacts;
    const positions = contacts.shared.activePositions;
    const velocities = contacts.shared.velocities;
    const pushShare = load<f32>(contacts.shared.numbers, SelfCollisionParameter.pushShare);
    let o = contacts.records;
    for (const end = o + <usize>load<u32>(contacts.progress, SelfContactCounter.contactCount) * SelfContactRecord.count; o < end; o += SelfContactRecord.count) {
        const n = xyz0(v128.load(o, SelfContactRecord.normal));
        let height: f32 = 0;
        let opening: f32 = 0;
        let mass: f32 = 0;
        let largest: f32 = 0;
        for (let k: usize = 0; k < 16; k += 4) {
            const w = load<f32>(o + k, SelfContactRecord.weights);
            const x = v128.load(positions + load<u32>(o + k));
            height += w * dot(n, x);
            opening += w * dot(n, v128.load(velocities + load<u32>(o + k)));
            const share = w * f32x4.extract_lane(x, 3);
            mass += w * share;
            largest = max<f32>(largest, abs<f32>(share));
        }
        const depth = load<f32>(o, SelfContactRecord.distance) - height;
        if (!(depth > 0) || !(largest > 0)) continue;
        mass = max<f32>(mass, MAX_LEVER * largest);
        const closing = max<f32>(0, -opening);
        const lift = f32x4.mul(n, f32x4.splat(min<f32>(depth, closing + pushShare * depth) / mass));
        const stop = f32x4.mul(n, f32x4.splat(closing / mass));
        for (let k: usize = 0; k < 16; k += 4) {
            const x = positions + load<u32>(o + k);
            const v = velocities + load<u32>(o + k);
            const share = f32x4.splat(load<f32>(o + k, SelfContactRecord.weights) * load<f32>(x, 12));
            v128.store(x, f32x4.add(v128.load(x), f32x4.mul(lift, share)));
            v128.store(v, f32x4.add(v128.load(v), f32x4.mul(stop, share)));
        }
    }
}
