import { CrowdNumber, CrowdProgress, MemberNumber, MemberRecord, PairRecord, SPARED } from "../crowdLayout";
import type { CrowdArrays, MemberArrays } from "../crowdLayout";
import { NONE } from "../fields";
import { ROW, rowOffset } from "../layout";
import type { ParticleArrays } from "../layout";
import { areStrangers } from "../strangers";

/** Widens the box of displacements by those of a member's particles since the lists were made. */
export function measureDisplacements({ positions: x }: ParticleArrays, member: MemberArrays): void {
    const { numbers, first, particleCount } = member;
    const { points, numbers: box } = member.crowd;
    for (let c = 0; c < 3; c++) {
        const offset = numbers[MemberNumber.offset + c];
        let least = box[CrowdNumber.leastDisplacement + c];
        let most = box[CrowdNumber.mostDisplacement + c];
        for (let i = 0; i < particleCount; i++) {
            const displacement = Math.fround(Math.fround(x[i * ROW + c] + offset) - points[(first + i) * ROW + c]);
            if (displacement < least) least = displacement;
            if (displacement > most) most = displacement;
        }
        box[CrowdNumber.leastDisplacement + c] = least;
        box[CrowdNumber.mostDisplacement + c] = most;
    }
}

/** See kernels.ts. */
export function measureFarthest({ positions: x }: ParticleArrays, member: MemberArrays): void {
    const { numbers, first, particleCount } = member;
    const { points, numbers: box } = member.crowd;
    let most = box[CrowdNumber.farthest];
    for (let i = 0; i < particleCount; i++) {
        let squared = 0;
        for (let c = 0; c < 3; c++) {
            const middle = (box[CrowdNumber.leastDisplacement + c] + box[CrowdNumber.mostDisplacement + c]) / 2;
            const displacement = x[i * ROW + c] + numbers[MemberNumber.offset + c] - points[(first + i) * ROW + c];
            squared += (displacement - middle) * (displacement - middle);
        }
        if (squared > most) most = squared;
    }
    box[CrowdNumber.farthest] = most;
}

/** Cosine of two normals beyond which sheets run side by side. */
const ALONG = 0.5;

/** Notes where a member's particles were when the substep began, not pushed through each other yet; their normals, and their box. */
export function notePoints({ previous: p, residuals: r }: ParticleArrays, member: MemberArrays): void {
    const { numbers, first, particleCount, index } = member;
    const { points } = member.crowd;
    for (let c = 0; c < 3; c++) {
        const offset = numbers[MemberNumber.offset + c];
        let least = Infinity;
        let most = -Infinity;
        for (let i = 0; i < particleCount; i++) {
            const point = Math.fround(Math.fround(p[i * ROW + c] - r[i * ROW + c]) + offset);
            points[(first + i) * ROW + c] = point;
            if (point < least) least = point;
            if (point > most) most = point;
        }
        numbers[MemberNumber.minimum + c] = least;
        numbers[MemberNumber.maximum + c] = most;
    }
    for (let i = 0; i < particleCount; i++) points[(first + i) * ROW + 3] = index;
    noteNormals(member);
}

/** Area-weighted normals of the surface. */
function noteNormals({ first, particleCount, crowd, surface }: MemberArrays): void {
    const { points, normals } = crowd;
    const { triangles } = surface;
    const end = (first + particleCount) * ROW;
    normals.fill(0, first * ROW, end);
    for (let t = 0; t < surface.triangleCount * 3; t += 3) {
        const a = (first + triangles[t]) * ROW;
        const b = (first + triangles[t + 1]) * ROW;
        const c = (first + triangles[t + 2]) * ROW;
        for (let k = 0; k < 3; k++) {
            const l = (k + 1) % 3;
            const m = (k + 2) % 3;
            const normal =
                (points[b + l] - points[a + l]) * (points[c + m] - points[a + m]) -
                (points[b + m] - points[a + m]) * (points[c + l] - points[a + l]);
            normals[a + k] += normal;
            normals[b + k] += normal;
            normals[c + k] += normal;
        }
    }
    for (let o = first * ROW; o < end; o += ROW) {
        const length = Math.sqrt(normals[o] ** 2 + normals[o + 1] ** 2 + normals[o + 2] ** 2);
        for (let k = 0; k < 3; k++) normals[o + k] = length > 0 ? normals[o + k] / length : 0;
    }
}

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
    const { sortedX, sortedY, sortedZ, numbers, progress, cellStarts, cellCount } = crowd;
    const mask = cellCount - 1;
    const inverse = numbers[CrowdNumber.inverseCell];
    for (let s = 0; s < crowd.particleCount; s++) {
        const cx = cellOf(sortedX[s], inverse);
        const cy = cellOf(sortedY[s], inverse);
        const cz = cellOf(sortedZ[s], inverse);
        search.candidates = progress[CrowdProgress.mostCandidates];
        search.pairs = progress[CrowdProgress.mostPairs];
        const own = (rowHash(cy, cz) + cx) & mask;
        searchRange(crowd, s, s + 1, cellStarts[own + 1]);
        const next = (own + 1) & mask;
        searchRange(crowd, s, cellStarts[next], cellStarts[next + 1]);
        searchRow(crowd, s, rowHash(cy + 1, cz - 1) + cx);
        searchRow(crowd, s, rowHash(cy + 1, cz) + cx);
        searchRow(crowd, s, rowHash(cy + 1, cz + 1) + cx);
        searchRow(crowd, s, rowHash(cy, cz + 1) + cx);
    }
}

/** What the particle that is searched for may still look at and begin, within a call. */
const search = { candidates: 0, pairs: 0 };

function cellOf(x: number, inverse: number): number {
    return Math.floor(Math.fround(x * inverse)) | 0;
}

function rowHash(cy: number, cz: number): number {
    const hash = Math.imul(cy, 0x9e3779b1) ^ Math.imul(cz, 0x85ebca6b);
    return hash ^ (hash >>> 15);
}

/** Counting sort of the particles by the slots of their cells; those of a slot keep their order. */
function sortByCells(crowd: CrowdArrays): void {
    const { particleCount, points, cells, cellStarts, cellCount, numbers, sortedX, sortedY, sortedZ, sorted } = crowd;
    const inverse = numbers[CrowdNumber.inverseCell];
    cellStarts.fill(0);
    for (let i = 0, o = 0; i < particleCount; i++, o += ROW) {
        const hash = rowHash(cellOf(points[o + 1], inverse), cellOf(points[o + 2], inverse));
        const cell = (hash + cellOf(points[o], inverse)) & (cellCount - 1);
        cells[i] = cell;
        cellStarts[cell]++;
    }
    let sum = 0;
    for (let cell = 0; cell < cellCount; cell++) {
        sum += cellStarts[cell];
        cellStarts[cell] = sum;
    }
    cellStarts[cellCount] = sum;
    // Backwards: each start comes down to its cell's.
    for (let i = particleCount - 1; i >= 0; i--) {
        const s = --cellStarts[cells[i]];
        sorted[s] = i;
        sortedX[s] = points[i * ROW];
        sortedY[s] = points[i * ROW + 1];
        sortedZ[s] = points[i * ROW + 2];
    }
    for (let s = particleCount; s < particleCount + 4; s++) sortedX[s] = sortedY[s] = sortedZ[s] = Infinity;
}

/** Looks at a cell and its neighbours along x. */
function searchRow(crowd: CrowdArrays, s: number, middle: number): void {
    const { cellStarts, cellCount } = crowd;
    const mask = cellCount - 1;
    const first = (middle - 1) & mask;
    const last = (middle + 1) & mask;
    if (first < last) {
        searchRange(crowd, s, cellStarts[first], cellStarts[last + 1]);
        return;
    }
    searchRange(crowd, s, cellStarts[first], cellStarts[cellCount]);
    searchRange(crowd, s, 0, cellStarts[last + 1]);
}

/** Looks at the sorted particles from `k` to before `end`. */
function searchRange(crowd: CrowdArrays, s: number, k: number, end: number): void {
    const { sortedX, sortedY, sortedZ, numbers, progress } = crowd;
    const reach = numbers[CrowdNumber.reach];
    const most = reach * reach;
    if (end - k > search.candidates) {
        end = k + search.candidates;
        progress[CrowdProgress.isFull] = 1;
    }
    search.candidates -= Math.max(0, end - k);
    for (; k < end; k++) {
        const dx = sortedX[k] - sortedX[s];
        const dy = sortedY[k] - sortedY[s];
        const dz = sortedZ[k] - sortedZ[s];
        const squared = dx * dx + dy * dy + dz * dz;
        if (squared <= most) addPair(crowd, s, k, squared);
    }
}

/** Adds two sorted particles to the list, unless they are near at rest, do not meet or are too far. @param squared their distance [m²] */
function addPair(crowd: CrowdArrays, s: number, k: number, squared: number): void {
    const { sorted, points, rest, members, memberFloats: m, progress, pairs, pairFloats, slots } = crowd;
    const i = sorted[s];
    const j = sorted[k];
    let restSquared = 0;
    for (let c = 0; c < 3; c++) {
        const d = rest[i * ROW + c] - rest[j * ROW + c];
        restSquared += d * d;
    }
    const a = points[i * ROW + 3] * MemberRecord.count;
    const b = points[j * ROW + 3] * MemberRecord.count;
    let distance = m[a + MemberRecord.thickness];
    let radius = m[a + MemberRecord.radius];
    let margin = m[a + MemberRecord.margin];
    let friction = m[a + MemberRecord.friction];
    if (a === b) {
        if (m[a + MemberRecord.hasTouches] > 0) return;
        if (restSquared < m[a + MemberRecord.restReach]) {
            if (!areStrangers(crowd, i, j)) return;
            const apart = Math.sqrt(restSquared);
            distance = Math.min(distance, apart);
            radius = Math.min(radius, apart);
        }
    } else {
        if (m[a + MemberRecord.hasTouches] * m[b + MemberRecord.hasTouches] > 0) return;
        if ((members[a + MemberRecord.group] & members[b + MemberRecord.mask]) === 0) return;
        if ((members[b + MemberRecord.group] & members[a + MemberRecord.mask]) === 0) return;
        if (isSpared(members, a, points[j * ROW + 3]) || isSpared(members, b, points[i * ROW + 3])) return;
        distance = (distance + m[b + MemberRecord.thickness]) / 2;
        radius = Math.max(radius, m[b + MemberRecord.radius]);
        margin = (margin + m[b + MemberRecord.margin]) / 2;
        friction = (friction + m[b + MemberRecord.friction]) / 2;
    }
    const reach = Math.max(distance, radius) + margin;
    if (squared > reach * reach) return;
    const pair = progress[CrowdProgress.pairCount];
    if (pair === crowd.capacity || search.pairs === 0) {
        progress[CrowdProgress.isFull] = 1;
        return;
    }
    search.pairs--;
    progress[CrowdProgress.pairCount] = pair + 1;
    const o = pair * PairRecord.count;
    pairs[o + PairRecord.a] = i;
    pairs[o + PairRecord.b] = j;
    pairFloats[o + PairRecord.friction] = friction;
    pairFloats[o + PairRecord.reach] = radius * radius;
    pairFloats[o + PairRecord.distance] = orient(crowd, i * ROW, j * ROW, o + PairRecord.normal)
        ? distance
        : Math.max(distance, radius);
    slots[i] = slots[j] = 0;
}

/** Whether a member does not keep off another. @param record first slot of its record; `other` number of the other */
function isSpared(members: Uint32Array, record: number, other: number): boolean {
    for (let k = 0; k < SPARED; k++) if (members[record + MemberRecord.spared + k] === other + 1) return true;
    return false;
}

/** Writes the normal of a pair; whether its sheets run side by side, or one of them is a rope, without a normal of its own. They keep the side on which they are now. */
function orient({ points, normals, pairFloats }: CrowdArrays, i: number, j: number, out: number): boolean {
    const cosine = normals[i] * normals[j] + normals[i + 1] * normals[j + 1] + normals[i + 2] * normals[j + 2];
    const turn = cosine < 0 ? -1 : 1;
    let squared = 0;
    let height = 0;
    for (let c = 0; c < 3; c++) {
        const n = normals[i + c] + turn * normals[j + c];
        squared += n * n;
        height += n * (points[i + c] - points[j + c]);
    }
    const isAlong = cosine * turn > ALONG || isNone(normals, i) !== isNone(normals, j);
    const scale = isAlong ? (height < 0 ? -1 : 1) / Math.sqrt(squared) : 0;
    for (let c = 0; c < 3; c++) pairFloats[out + c] = (normals[i + c] + turn * normals[j + c]) * scale;
    return isAlong;
}

function isNone(normals: Float32Array, o: number): boolean {
    return normals[o] === 0 && normals[o + 1] === 0 && normals[o + 2] === 0;
}

/** Gives the particles in pairs and touches their places, member after member, and has the pairs name those. */
export function layPlaces({ particleCount, points, slots, placeRanges, pairs, progress, placed }: CrowdArrays): void {
    placeRanges.fill(0);
    let count = 0;
    for (let i = 0; i < particleCount; i++) {
        if (slots[i] === NONE) continue;
        const member = points[i * ROW + 3];
        if (placeRanges[2 * member + 1] === 0) placeRanges[2 * member] = count;
        placed[count] = i;
        slots[i] = count++;
        placeRanges[2 * member + 1] = count;
    }
    progress[CrowdProgress.placeCount] = count;
    for (let o = 0, end = progress[CrowdProgress.pairCount] * PairRecord.count; o < end; o += PairRecord.count) {
        pairs[o + PairRecord.a] = rowOffset(slots[pairs[o + PairRecord.a]]);
        pairs[o + PairRecord.b] = rowOffset(slots[pairs[o + PairRecord.b]]);
    }
}
