/** Broad phase of particle self-collision: a hash grid. */
import { cross, hoist, square, sum3, xyz0 } from "./simd";
import { SelfCollisionArrays, SelfCollisionParameter, SelfCollisionCounter, ProxyArrays, ProxyParameter, ProxyRecord, PairRecord, ParticleArrays, ROW, rowOffset, wordOffset } from "./layout.generated";
import { float, NONE, put, word } from "./memory";

/** Widens the box of displacements by those of a proxy's particles since the lists were built. */
export function measureDisplacements(particles: ParticleArrays, proxy: ProxyArrays): void {
    const shared = proxy.shared;
    let x = particles.positions;
    let snapshotRow = shared.snapshot + rowOffset(proxy.first);
    const offset = hoist(v128.load(proxy.numbers, ProxyParameter.offset), 0);
    let least = v128.load(shared.numbers, SelfCollisionParameter.minDisplacement);
    let most = v128.load(shared.numbers, SelfCollisionParameter.maxDisplacement);
    for (const end = x + rowOffset(proxy.particleCount); x < end; x += ROW) {
        const displacement = f32x4.sub(f32x4.add(v128.load(x), offset), v128.load(snapshotRow));
        least = f32x4.pmin(least, displacement);
        most = f32x4.pmax(most, displacement);
        snapshotRow += ROW;
    }
    v128.store(shared.numbers, xyz0(least), SelfCollisionParameter.minDisplacement);
    v128.store(shared.numbers, xyz0(most), SelfCollisionParameter.maxDisplacement);
}

export function measureMaxDeviation(particles: ParticleArrays, proxy: ProxyArrays): void {
    const shared = proxy.shared;
    let x = particles.positions;
    let snapshotRow = shared.snapshot + rowOffset(proxy.first);
    const box = f32x4.add(v128.load(shared.numbers, SelfCollisionParameter.minDisplacement), v128.load(shared.numbers, SelfCollisionParameter.maxDisplacement));
    const middle = f32x4.mul(box, f32x4.splat(0.5));
    const offset = hoist(f32x4.sub(v128.load(proxy.numbers, ProxyParameter.offset), middle), 0);
    let most = load<f32>(shared.numbers, SelfCollisionParameter.maxSquaredDeviation);
    for (const end = x + rowOffset(proxy.particleCount); x < end; x += ROW) {
        const squared = sum3(square(f32x4.sub(f32x4.add(v128.load(x), offset), v128.load(snapshotRow))));
        if (squared > most) most = squared;
        snapshotRow += ROW;
    }
    store<f32>(shared.numbers, most, SelfCollisionParameter.maxSquaredDeviation);
}

/** Records a proxy's particle positions at the start of the substep, before self-contacts move them; their normals, and their box. */
export function snapshotPositions(particles: ParticleArrays, proxy: ProxyArrays): void {
    let previous = particles.previous;
    let residual = particles.residuals;
    let snapshotRow = proxy.shared.snapshot + rowOffset(proxy.first);
    const offset = hoist(v128.load(proxy.numbers, ProxyParameter.offset), 0);
    const index = <f32>proxy.index;
    let least = f32x4.splat(Infinity);
    let most = f32x4.splat(-Infinity);
    for (const end = previous + rowOffset(proxy.particleCount); previous < end; previous += ROW) {
        const place = f32x4.add(f32x4.sub(v128.load(previous), v128.load(residual)), offset);
        residual += ROW;
        v128.store(snapshotRow, f32x4.replace_lane(place, 3, index));
        least = f32x4.pmin(least, place);
        most = f32x4.pmax(most, place);
        snapshotRow += ROW;
    }
    v128.store(proxy.numbers, xyz0(least), ProxyParameter.minimum);
    v128.store(proxy.numbers, xyz0(most), ProxyParameter.maximum);
    computeNormals(proxy);
}

/** Cosine of two normals beyond which sheets run side by side. */
const PARALLEL_COSINE: f32 = 0.5;

/** Area-weighted normals of the surface. */
function computeNormals(proxy: ProxyArrays): void {
    const shared = proxy.shared;
    const snapshot = shared.snapshot + rowOffset(proxy.first);
    const normals = shared.normals + rowOffset(proxy.first);
    const size = rowOffset(proxy.particleCount);
    memory.fill(normals, 0, size);
    let triangle = proxy.surface.triangles;
    for (const end = triangle + <usize>proxy.surface.triangleCount * 12; triangle < end; triangle += 12) {
        const a = rowOffset(load<u32>(triangle));
        const b = rowOffset(load<u32>(triangle, 4));
        const c = rowOffset(load<u32>(triangle, 8));
        const corner = v128.load(snapshot + a);
        const n = cross(xyz0(f32x4.sub(v128.load(snapshot + b), corner)), xyz0(f32x4.sub(v128.load(snapshot + c), corner)));
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

// Candidates and pairs that the current particle may still use within a call.
let candidatesLeft: i32 = 0;
let pairsLeft: i32 = 0;

/**
 * Lists the pairs of particles that may come into contact while no relative displacement exceeds the margin.
 *
 *     slot of a cell = (hash(y, z) + x) mod slots        three neighbours along x are one range:
 *
 *        z+1   ▒ ▒ ▒      a particle searches its own row from itself on, and four rows ahead:
 *        z       ● ▒      each pair once
 *          y → ▒ ▒ ▒ ...
 *
 * After the counting sort the particles of a range are contiguous (Green 2008, "CUDA particles").
 */
export function detectPairs(shared: SelfCollisionArrays): void {
    sortByCells(shared);
    const count = shared.particleCount;
    const mask = shared.cellCount - 1;
    const starts = shared.cellStarts;
    const progress = shared.progress;
    const inverse = load<f32>(shared.numbers, SelfCollisionParameter.inverseCellSize);
    for (let s: u32 = 0; s < count; s++) {
        const cx = cellOf(float(shared.sortedX, s), inverse);
        const cy = cellOf(float(shared.sortedY, s), inverse);
        const cz = cellOf(float(shared.sortedZ, s), inverse);
        candidatesLeft = load<u32>(progress, SelfCollisionCounter.maxCandidates);
        pairsLeft = load<u32>(progress, SelfCollisionCounter.maxPairs);
        const own = (rowHash(cy, cz) + cx) & mask;
        if (own < mask) searchRange(shared, s, s + 1, word(starts, own + 2));
        else {
            searchRange(shared, s, s + 1, word(starts, own + 1));
            searchRange(shared, s, 0, word(starts, 1));
        }
        searchRow(shared, s, rowHash(cy + 1, cz - 1) + cx);
        searchRow(shared, s, rowHash(cy + 1, cz) + cx);
        searchRow(shared, s, rowHash(cy + 1, cz + 1) + cx);
        searchRow(shared, s, rowHash(cy, cz + 1) + cx);
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
function sortByCells(shared: SelfCollisionArrays): void {
    const count = shared.particleCount;
    const cellCount = shared.cellCount;
    const starts = shared.cellStarts;
    const cells = shared.cells;
    const inverse = load<f32>(shared.numbers, SelfCollisionParameter.inverseCellSize);
    memory.fill(starts, 0, wordOffset(shared.cellEndCount));
    for (let i: u32 = 0; i < count; i++) {
        const snapshotRow = shared.snapshot + rowOffset(i);
        const hash = rowHash(cellOf(load<f32>(snapshotRow, 4), inverse), cellOf(load<f32>(snapshotRow, 8), inverse));
        const cell = (hash + cellOf(load<f32>(snapshotRow), inverse)) & (cellCount - 1);
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
        put(shared.sorted, s, i);
        const snapshotRow = shared.snapshot + rowOffset(i);
        put(shared.sortedX, s, load<u32>(snapshotRow));
        put(shared.sortedY, s, load<u32>(snapshotRow, 4));
        put(shared.sortedZ, s, load<u32>(snapshotRow, 8));
    }
    const behind = wordOffset(count);
    const infinity = f32x4.splat(Infinity);
    v128.store(shared.sortedX + behind, infinity);
    v128.store(shared.sortedY + behind, infinity);
    v128.store(shared.sortedZ + behind, infinity);
}

/** Looks at a cell and its neighbours along x. */
// @ts-ignore: decorator
@inline
function searchRow(shared: SelfCollisionArrays, s: u32, middle: u32): void {
    const cellCount = shared.cellCount;
    const mask = cellCount - 1;
    const starts = shared.cellStarts;
    const first = (middle - 1) & mask;
    const last = (middle + 1) & mask;
    if (first < last) {
        searchRange(shared, s, word(starts, first), word(starts, last + 1));
        return;
    }
    searchRange(shared, s, word(starts, first), word(starts, cellCount));
    searchRange(shared, s, 0, word(starts, last + 1));
}

/** Looks at the sorted particles from `k` to before `end`. */
function searchRange(shared: SelfCollisionArrays, s: u32, k: u32, end: u32): void {
    if (k >= end) return;
    if (<i32>(end - k) > candidatesLeft) {
        end = k + candidatesLeft;
        store<u32>(shared.progress, 1, SelfCollisionCounter.overflowed);
    }
    candidatesLeft -= end - k;
    const place = wordOffset(s);
    const reach = load<f32>(shared.numbers, SelfCollisionParameter.searchDistance);
    const most = f32x4.splat(reach * reach);
    const x = v128.load32_splat(shared.sortedX + place);
    const y = v128.load32_splat(shared.sortedY + place);
    const z = v128.load32_splat(shared.sortedZ + place);
    for (; k < end; k += 4) {
        const o = wordOffset(k);
        const squared = f32x4.add(
            f32x4.add(
                square(f32x4.sub(v128.load(shared.sortedX + o), x)),
                square(f32x4.sub(v128.load(shared.sortedY + o), y)),
            ),
            square(f32x4.sub(v128.load(shared.sortedZ + o), z)),
        );
        let hits = i32x4.bitmask(f32x4.le(squared, most));
        if (k + 4 > end) hits &= (1 << (end - k)) - 1;
        while (hits) {
            addPair(shared, s, k + ctz(hits));
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

/** Adds two sorted particles to the list, unless they are near at rest, filtered out by group or too far apart. @param squared their distance [m²] */
function addPair(shared: SelfCollisionArrays, s: u32, k: u32): void {
    const i = word(shared.sorted, s);
    const j = word(shared.sorted, k);
    const pointA = shared.snapshot + rowOffset(i);
    const pointB = shared.snapshot + rowOffset(j);
    const restSquared = sum4(square(f32x4.sub(v128.load(shared.rest + rowOffset(i)), v128.load(shared.rest + rowOffset(j)))));
    const a = shared.proxies + <usize>load<f32>(pointA, 12) * ProxyRecord.count;
    const b = shared.proxies + <usize>load<f32>(pointB, 12) * ProxyRecord.count;
    let distance = load<f32>(a, ProxyRecord.thickness);
    let radius = load<f32>(a, ProxyRecord.radius);
    let margin = load<f32>(a, ProxyRecord.margin);
    let friction = load<f32>(a, ProxyRecord.friction);
    if (a === b) {
        if (load<f32>(a, ProxyRecord.usesTriangles) > 0) return;
        if (restSquared < load<f32>(a, ProxyRecord.restExclusion)) {
            if (!areRestPair(shared, i, j)) return;
            const apart = sqrt<f32>(restSquared);
            distance = min(distance, apart);
            radius = min(radius, apart);
        }
    } else {
        if (load<f32>(a, ProxyRecord.usesTriangles) * load<f32>(b, ProxyRecord.usesTriangles) > 0) return;
        if ((load<u32>(a, ProxyRecord.group) & load<u32>(b, ProxyRecord.mask)) === 0) return;
        if ((load<u32>(b, ProxyRecord.group) & load<u32>(a, ProxyRecord.mask)) === 0) return;
        if (isExcluded(a, <u32>load<f32>(pointB, 12)) || isExcluded(b, <u32>load<f32>(pointA, 12))) return;
        distance = (distance + load<f32>(b, ProxyRecord.thickness)) * 0.5;
        radius = max(radius, load<f32>(b, ProxyRecord.radius));
        margin = (margin + load<f32>(b, ProxyRecord.margin)) * 0.5;
        friction = (friction + load<f32>(b, ProxyRecord.friction)) * 0.5;
    }
    const reach = max(distance, radius) + margin;
    const d = xyz0(f32x4.sub(v128.load(pointA), v128.load(pointB)));
    const squared = sum4(square(d));
    if (squared > reach * reach) return;
    const pair = load<u32>(shared.progress, SelfCollisionCounter.pairCount);
    if (pair === shared.capacity || pairsLeft === 0) {
        store<u32>(shared.progress, 1, SelfCollisionCounter.overflowed);
        return;
    }
    pairsLeft--;
    store<u32>(shared.progress, pair + 1, SelfCollisionCounter.pairCount);
    const o = shared.pairs + <usize>pair * PairRecord.count;
    store<u32>(o, i, PairRecord.a);
    store<u32>(o, j, PairRecord.b);
    store<f32>(o, friction, PairRecord.friction);
    const normalA = v128.load(shared.normals + rowOffset(i));
    const normalB = v128.load(shared.normals + rowOffset(j));
    const cosine = sum4(f32x4.mul(normalA, normalB));
    const turn: f32 = cosine < 0 ? -1 : 1;
    const isParallel = cosine * turn > PARALLEL_COSINE || isNone(normalA) !== isNone(normalB);
    let n = f32x4.add(normalA, f32x4.mul(normalB, f32x4.splat(turn)));
    const side: f32 = sum4(f32x4.mul(n, d)) < 0 ? -1 : 1;
    n = f32x4.mul(n, f32x4.splat(isParallel ? side / sqrt<f32>(sum4(square(n))) : 0));
    v128.store(o, f32x4.replace_lane(n, 3, radius * radius), PairRecord.normal);
    store<f32>(o, isParallel ? distance : max(distance, radius), PairRecord.distance);
    put(shared.slots, i, 0);
    put(shared.slots, j, 0);
}

/** True if a proxy ignores another. @param record first slot of its record; `other` number of the other */
function isExcluded(record: usize, other: u32): bool {
    return load<u32>(record, ProxyRecord.excluded) === other + 1 || load<u32>(record, ProxyRecord.excluded + 4) === other + 1;
}

// @ts-ignore: decorator
@inline
function isNone(normal: v128): bool {
    return !v128.any_true(f32x4.ne(normal, f32x4.splat(0)));
}

export function areRestPair(shared: SelfCollisionArrays, i: u32, j: u32): bool {
    for (let k = word(shared.restPairStarts, i), end = word(shared.restPairStarts, i + 1); k < end; k++) {
        if (word(shared.restPairs, k) === j) return true;
    }
    return false;
}

/** Assigns active slots to the particles in pairs and contacts, proxy after proxy, and makes the pairs refer to them. */
export function compactActiveParticles(shared: SelfCollisionArrays): void {
    const slots = shared.slots;
    const ranges = shared.activeRanges;
    memory.fill(ranges, 0, <usize>shared.proxyCount << 3);
    let count: u32 = 0;
    for (let i: u32 = 0; i < shared.particleCount; i++) {
        if (word(slots, i) === NONE) continue;
        const range = ranges + (<usize>load<f32>(shared.snapshot + rowOffset(i), 12) << 3);
        if (load<u32>(range, 4) === 0) store<u32>(range, count);
        put(shared.activeParticles, count, i);
        put(slots, i, count++);
        store<u32>(range, count, 4);
    }
    store<u32>(shared.progress, count, SelfCollisionCounter.activeCount);
    let pair = shared.pairs;
    const end = pair + <usize>load<u32>(shared.progress, SelfCollisionCounter.pairCount) * PairRecord.count;
    for (; pair < end; pair += PairRecord.count) {
        store<u32>(pair, <u32>rowOffset(word(slots, load<u32>(pair, PairRecord.a))), PairRecord.a);
        store<u32>(pair, <u32>rowOffset(word(slots, load<u32>(pair, PairRecord.b))), PairRecord.b);
    }
}
