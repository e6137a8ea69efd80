/** Pairs of particles that may meet. */
import { cross, hoist, square, sum3, xyz0 } from "./lanes";
import { CrowdArrays, CrowdNumber, CrowdProgress, MemberArrays, MemberNumber, MemberRecord, PairRecord, ParticleArrays, ROW, rowOffset, wordOffset } from "./layout.generated";
import { float, NONE, put, word } from "./words";

/** Widens the box of displacements by those of a member's particles since the lists were made. */
export function measureDisplacements(particles: ParticleArrays, member: MemberArrays): void {
    const crowd = member.crowd;
    let x = particles.positions;
    let point = crowd.points + rowOffset(member.first);
    const offset = hoist(v128.load(member.numbers, MemberNumber.offset), 0);
    let least = v128.load(crowd.numbers, CrowdNumber.leastDisplacement);
    let most = v128.load(crowd.numbers, CrowdNumber.mostDisplacement);
    for (const end = x + rowOffset(member.particleCount); x < end; x += ROW) {
        const displacement = f32x4.sub(f32x4.add(v128.load(x), offset), v128.load(point));
        least = f32x4.pmin(least, displacement);
        most = f32x4.pmax(most, displacement);
        point += ROW;
    }
    v128.store(crowd.numbers, xyz0(least), CrowdNumber.leastDisplacement);
    v128.store(crowd.numbers, xyz0(most), CrowdNumber.mostDisplacement);
}

export function measureFarthest(particles: ParticleArrays, member: MemberArrays): void {
    const crowd = member.crowd;
    let x = particles.positions;
    let point = crowd.points + rowOffset(member.first);
    const box = f32x4.add(v128.load(crowd.numbers, CrowdNumber.leastDisplacement), v128.load(crowd.numbers, CrowdNumber.mostDisplacement));
    const middle = f32x4.mul(box, f32x4.splat(0.5));
    const offset = hoist(f32x4.sub(v128.load(member.numbers, MemberNumber.offset), middle), 0);
    let most = load<f32>(crowd.numbers, CrowdNumber.farthest);
    for (const end = x + rowOffset(member.particleCount); x < end; x += ROW) {
        const squared = sum3(square(f32x4.sub(f32x4.add(v128.load(x), offset), v128.load(point))));
        if (squared > most) most = squared;
        point += ROW;
    }
    store<f32>(crowd.numbers, most, CrowdNumber.farthest);
}

/** Notes where a member's particles were when the substep began, not pushed through each other yet; their normals, and their box. */
export function notePoints(particles: ParticleArrays, member: MemberArrays): void {
    let previous = particles.previous;
    let residual = particles.residuals;
    let point = member.crowd.points + rowOffset(member.first);
    const offset = hoist(v128.load(member.numbers, MemberNumber.offset), 0);
    const index = <f32>member.index;
    let least = f32x4.splat(Infinity);
    let most = f32x4.splat(-Infinity);
    for (const end = previous + rowOffset(member.particleCount); previous < end; previous += ROW) {
        const place = f32x4.add(f32x4.sub(v128.load(previous), v128.load(residual)), offset);
        residual += ROW;
        v128.store(point, f32x4.replace_lane(place, 3, index));
        least = f32x4.pmin(least, place);
        most = f32x4.pmax(most, place);
        point += ROW;
    }
    v128.store(member.numbers, xyz0(least), MemberNumber.minimum);
    v128.store(member.numbers, xyz0(most), MemberNumber.maximum);
    noteNormals(member);
}

/** Cosine of two normals beyond which sheets run side by side. */
const ALONG: f32 = 0.5;

/** Area-weighted normals of the surface. */
function noteNormals(member: MemberArrays): void {
    const crowd = member.crowd;
    const points = crowd.points + rowOffset(member.first);
    const normals = crowd.normals + rowOffset(member.first);
    const size = rowOffset(member.particleCount);
    memory.fill(normals, 0, size);
    let triangle = member.surface.triangles;
    for (const end = triangle + <usize>member.surface.triangleCount * 12; triangle < end; triangle += 12) {
        const a = rowOffset(load<u32>(triangle));
        const b = rowOffset(load<u32>(triangle, 4));
        const c = rowOffset(load<u32>(triangle, 8));
        const corner = v128.load(points + a);
        const n = cross(xyz0(f32x4.sub(v128.load(points + b), corner)), xyz0(f32x4.sub(v128.load(points + c), corner)));
        v128.store(normals + a, f32x4.add(v128.load(normals + a), n));
        v128.store(normals + b, f32x4.add(v128.load(normals + b), n));
        v128.store(normals + c, f32x4.add(v128.load(normals + c), n));
    }
    for (let o: usize = 0; o < size; o += ROW) {
        const n = v128.load(normals + o);
        const length = sqrt<f32>(sum4(square(n)));
        v128.store(normals + o, length > 0 ? f32x4.div(n, f32x4.splat(length)) : f32x4.splat(0));
    }
}

// What the particle that is searched for may still look at and begin, within a call.
let candidates: i32 = 0;
let beginnings: i32 = 0;

/**
 * Lists the pairs of particles that may meet while none has come farther against another than the margin.
 *
 *     slot of a cell = (hash(y, z) + x) mod slots        three neighbours along x are one range:
 *
 *        z+1   ▒ ▒ ▒      a particle looks from itself on in its own row, and at four rows ahead:
 *        z       ● ▒      every pair once
 *          y → ▒ ▒ ▒ ...
 *
 * After the counting sort the particles of a range lie in a row (Green 2008, "CUDA particles"; the rest is ours).
 */
export function findPairs(crowd: CrowdArrays): void {
    sortByCells(crowd);
    const count = crowd.particleCount;
    const mask = crowd.cellCount - 1;
    const starts = crowd.cellStarts;
    const progress = crowd.progress;
    const inverse = load<f32>(crowd.numbers, CrowdNumber.inverseCell);
    for (let s: u32 = 0; s < count; s++) {
        const cx = cellOf(float(crowd.sortedX, s), inverse);
        const cy = cellOf(float(crowd.sortedY, s), inverse);
        const cz = cellOf(float(crowd.sortedZ, s), inverse);
        candidates = load<u32>(progress, CrowdProgress.mostCandidates);
        beginnings = load<u32>(progress, CrowdProgress.mostPairs);
        const own = (rowHash(cy, cz) + cx) & mask;
        if (own < mask) searchRange(crowd, s, s + 1, word(starts, own + 2));
        else {
            searchRange(crowd, s, s + 1, word(starts, own + 1));
            searchRange(crowd, s, 0, word(starts, 1));
        }
        searchRow(crowd, s, rowHash(cy + 1, cz - 1) + cx);
        searchRow(crowd, s, rowHash(cy + 1, cz) + cx);
        searchRow(crowd, s, rowHash(cy + 1, cz + 1) + cx);
        searchRow(crowd, s, rowHash(cy, cz + 1) + cx);
    }
}

// @ts-ignore: decorator
@inline
function cellOf(x: f32, inverse: f32): u32 {
    return <u32><i32>floor<f32>(x * inverse);
}

// @ts-ignore: decorator
@inline
function rowHash(cy: u32, cz: u32): u32 {
    const hash = (cy * 0x9e3779b1) ^ (cz * 0x85ebca6b);
    return hash ^ (hash >>> 15);
}

/** Counting sort of the particles by the slots of their cells; those of a slot keep their order. */
function sortByCells(crowd: CrowdArrays): void {
    const count = crowd.particleCount;
    const cellCount = crowd.cellCount;
    const starts = crowd.cellStarts;
    const cells = crowd.cells;
    const inverse = load<f32>(crowd.numbers, CrowdNumber.inverseCell);
    memory.fill(starts, 0, wordOffset(crowd.cellEndCount));
    for (let i: u32 = 0; i < count; i++) {
        const point = crowd.points + rowOffset(i);
        const hash = rowHash(cellOf(load<f32>(point, 4), inverse), cellOf(load<f32>(point, 8), inverse));
        const cell = (hash + cellOf(load<f32>(point), inverse)) & (cellCount - 1);
        put(cells, i, cell);
        put(starts, cell, word(starts, cell) + 1);
    }
    let sum: u32 = 0;
    for (let cell: u32 = 0; cell < cellCount; cell++) {
        sum += word(starts, cell);
        put(starts, cell, sum);
    }
    put(starts, cellCount, sum);
    for (let i = count; i > 0; ) {
        i--;
        const cell = word(cells, i);
        const s = word(starts, cell) - 1;
        put(starts, cell, s);
        put(crowd.sorted, s, i);
        const point = crowd.points + rowOffset(i);
        put(crowd.sortedX, s, load<u32>(point));
        put(crowd.sortedY, s, load<u32>(point, 4));
        put(crowd.sortedZ, s, load<u32>(point, 8));
    }
    const behind = wordOffset(count);
    const infinity = f32x4.splat(Infinity);
    v128.store(crowd.sortedX + behind, infinity);
    v128.store(crowd.sortedY + behind, infinity);
    v128.store(crowd.sortedZ + behind, infinity);
}

/** Looks at a cell and its neighbours along x. */
// @ts-ignore: decorator
@inline
function searchRow(crowd: CrowdArrays, s: u32, middle: u32): void {
    const cellCount = crowd.cellCount;
    const mask = cellCount - 1;
    const starts = crowd.cellStarts;
    const first = (middle - 1) & mask;
    const last = (middle + 1) & mask;
    if (first < last) {
        searchRange(crowd, s, word(starts, first), word(starts, last + 1));
        return;
    }
    searchRange(crowd, s, word(starts, first), word(starts, cellCount));
    searchRange(crowd, s, 0, word(starts, last + 1));
}

/** Looks at the sorted particles from `k` to before `end`. */
function searchRange(crowd: CrowdArrays, s: u32, k: u32, end: u32): void {
    if (k >= end) return;
    if (<i32>(end - k) > candidates) {
        end = k + candidates;
        store<u32>(crowd.progress, 1, CrowdProgress.isFull);
    }
    candidates -= end - k;
    const place = wordOffset(s);
    const reach = load<f32>(crowd.numbers, CrowdNumber.reach);
    const most = f32x4.splat(reach * reach);
    const x = v128.load32_splat(crowd.sortedX + place);
    const y = v128.load32_splat(crowd.sortedY + place);
    const z = v128.load32_splat(crowd.sortedZ + place);
    for (; k < end; k += 4) {
        const o = wordOffset(k);
        const squared = f32x4.add(
            f32x4.add(
                square(f32x4.sub(v128.load(crowd.sortedX + o), x)),
                square(f32x4.sub(v128.load(crowd.sortedY + o), y)),
            ),
            square(f32x4.sub(v128.load(crowd.sortedZ + o), z)),
        );
        let hits = i32x4.bitmask(f32x4.le(squared, most));
        if (k + 4 > end) hits &= (1 << (end - k)) - 1;
        while (hits) {
            addPair(crowd, s, k + ctz(hits));
            hits &= hits - 1;
        }
    }
}

// @ts-ignore: decorator
@inline
function sum4(v: v128): f32 {
    const pairs = f32x4.add(v, v128.shuffle<f32>(v, v, 2, 3, 0, 1));
    return f32x4.extract_lane(f32x4.add(pairs, v128.shuffle<f32>(pairs, pairs, 1, 0, 3, 2)), 0);
}

/** Adds two sorted particles to the list, unless they are near at rest, do not meet or are too far. @param squared their distance [m²] */
function addPair(crowd: CrowdArrays, s: u32, k: u32): void {
    const i = word(crowd.sorted, s);
    const j = word(crowd.sorted, k);
    const pointA = crowd.points + rowOffset(i);
    const pointB = crowd.points + rowOffset(j);
    const restSquared = sum4(square(f32x4.sub(v128.load(crowd.rest + rowOffset(i)), v128.load(crowd.rest + rowOffset(j)))));
    const a = crowd.members + <usize>load<f32>(pointA, 12) * MemberRecord.count;
    const b = crowd.members + <usize>load<f32>(pointB, 12) * MemberRecord.count;
    let distance = load<f32>(a, MemberRecord.thickness);
    let radius = load<f32>(a, MemberRecord.radius);
    let margin = load<f32>(a, MemberRecord.margin);
    let friction = load<f32>(a, MemberRecord.friction);
    if (a === b) {
        if (load<f32>(a, MemberRecord.hasTouches) > 0) return;
        if (restSquared < load<f32>(a, MemberRecord.restReach)) {
            if (!areStrangers(crowd, i, j)) return;
            const apart = sqrt<f32>(restSquared);
            distance = min(distance, apart);
            radius = min(radius, apart);
        }
    } else {
        if (load<f32>(a, MemberRecord.hasTouches) * load<f32>(b, MemberRecord.hasTouches) > 0) return;
        if ((load<u32>(a, MemberRecord.group) & load<u32>(b, MemberRecord.mask)) === 0) return;
        if ((load<u32>(b, MemberRecord.group) & load<u32>(a, MemberRecord.mask)) === 0) return;
        if (isSpared(a, <u32>load<f32>(pointB, 12)) || isSpared(b, <u32>load<f32>(pointA, 12))) return;
        distance = (distance + load<f32>(b, MemberRecord.thickness)) * 0.5;
        radius = max(radius, load<f32>(b, MemberRecord.radius));
        margin = (margin + load<f32>(b, MemberRecord.margin)) * 0.5;
        friction = (friction + load<f32>(b, MemberRecord.friction)) * 0.5;
    }
    const reach = max(distance, radius) + margin;
    const d = xyz0(f32x4.sub(v128.load(pointA), v128.load(pointB)));
    const squared = sum4(square(d));
    if (squared > reach * reach) return;
    const pair = load<u32>(crowd.progress, CrowdProgress.pairCount);
    if (pair === crowd.capacity || beginnings === 0) {
        store<u32>(crowd.progress, 1, CrowdProgress.isFull);
        return;
    }
    beginnings--;
    store<u32>(crowd.progress, pair + 1, CrowdProgress.pairCount);
    const o = crowd.pairs + <usize>pair * PairRecord.count;
    store<u32>(o, i, PairRecord.a);
    store<u32>(o, j, PairRecord.b);
    store<f32>(o, friction, PairRecord.friction);
    const normalA = v128.load(crowd.normals + rowOffset(i));
    const normalB = v128.load(crowd.normals + rowOffset(j));
    const cosine = sum4(f32x4.mul(normalA, normalB));
    const turn: f32 = cosine < 0 ? -1 : 1;
    const isAlong = cosine * turn > ALONG || isNone(normalA) !== isNone(normalB);
    let n = f32x4.add(normalA, f32x4.mul(normalB, f32x4.splat(turn)));
    const side: f32 = sum4(f32x4.mul(n, d)) < 0 ? -1 : 1;
    n = f32x4.mul(n, f32x4.splat(isAlong ? side / sqrt<f32>(sum4(square(n))) : 0));
    v128.store(o, f32x4.replace_lane(n, 3, radius * radius), PairRecord.normal);
    store<f32>(o, isAlong ? distance : max(distance, radius), PairRecord.distance);
    put(crowd.slots, i, 0);
    put(crowd.slots, j, 0);
}

/** Whether a member does not keep off another. @param record first slot of its record; `other` number of the other */
function isSpared(record: usize, other: u32): bool {
    return load<u32>(record, MemberRecord.spared) === other + 1 || load<u32>(record, MemberRecord.spared + 4) === other + 1;
}

// @ts-ignore: decorator
@inline
function isNone(normal: v128): bool {
    return !v128.any_true(f32x4.ne(normal, f32x4.splat(0)));
}

export function areStrangers(crowd: CrowdArrays, i: u32, j: u32): bool {
    for (let k = word(crowd.strangerStarts, i), end = word(crowd.strangerStarts, i + 1); k < end; k++) {
        if (word(crowd.strangers, k) === j) return true;
    }
    return false;
}

/** Gives the particles in pairs and touches their places, member after member, and has the pairs name those. */
export function layPlaces(crowd: CrowdArrays): void {
    const slots = crowd.slots;
    const ranges = crowd.placeRanges;
    memory.fill(ranges, 0, <usize>crowd.memberCount << 3);
    let count: u32 = 0;
    for (let i: u32 = 0; i < crowd.particleCount; i++) {
        if (word(slots, i) === NONE) continue;
        const range = ranges + (<usize>load<f32>(crowd.points + rowOffset(i), 12) << 3);
        if (load<u32>(range, 4) === 0) store<u32>(range, count);
        put(crowd.placed, count, i);
        put(slots, i, count++);
        store<u32>(range, count, 4);
    }
    store<u32>(crowd.progress, count, CrowdProgress.placeCount);
    let pair = crowd.pairs;
    const end = pair + <usize>load<u32>(crowd.progress, CrowdProgress.pairCount) * PairRecord.count;
    for (; pair < end; pair += PairRecord.count) {
        store<u32>(pair, <u32>rowOffset(word(slots, load<u32>(pair, PairRecord.a))), PairRecord.a);
        store<u32>(pair, <u32>rowOffset(word(slots, load<u32>(pair, PairRecord.b))), PairRecord.b);
    }
}
