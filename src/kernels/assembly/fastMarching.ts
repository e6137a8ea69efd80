/** Fans and the march of groups. In doubles, to the bit. */
import { TriangleFanArrays, FastMarchingArrays } from "./layout.generated";
import { NONE, put, putReal, real, word } from "./memory";

/** Distances that differ by less than this share are equal. */
const TIE_TOLERANCE: f64 = 1e-5;
/** Fronts from two sources are one if the sources are no farther from each other than this multiple of the fronts' distance, and two edges ... */
const FRONT_TOLERANCE: f64 = 0.25;
/** ... and the cloth between is flat: paths are no longer than this multiple of the straight line, which leaves the triangle's plane by no more than that share. */
const FLAT_TOLERANCE: f64 = 1.05;
const LEVEL_TOLERANCE: f64 = 0.005;

export function findTriangleFans(fans: TriangleFanArrays): void {
    const triangles = fans.triangles;
    const starts = fans.starts;
    const next = fans.next;
    const others = fans.others;
    const cornerCount = fans.cornerCount;
    const startCount = fans.startCount;
    for (let i: u32 = 0; i < cornerCount; i++) {
        const p = word(triangles, i) + 1;
        put(starts, p, word(starts, p) + 1);
    }
    let sum: u32 = 0;
    for (let p: u32 = 0; p < startCount; p++) {
        sum += word(starts, p);
        put(starts, p, sum);
        put(next, p, sum);
    }
    for (let t: u32 = 0; t < cornerCount; t += 3) {
        const a = word(triangles, t);
        const b = word(triangles, t + 1);
        const c = word(triangles, t + 2);
        addCorner(next, others, a, b, c);
        addCorner(next, others, b, c, a);
        addCorner(next, others, c, a, b);
    }
}

// @ts-ignore: decorator
@inline
function addCorner(next: usize, others: usize, p: u32, q: u32, r: u32): void {
    const o = word(next, p);
    put(next, p, o + 1);
    put(others, 2 * o, q);
    put(others, 2 * o + 1, r);
}

export function fastMarchGroups(m: FastMarchingArrays): void {
    seed(m);
    while (load<u32>(m.heapSize) > 0) relaxNeighbours(m, pop(m));
}

/** Inserts the sources and the boundary of the region into the heap. */
function seed(m: FastMarchingArrays): void {
    const slots = m.slots;
    const particleCount = m.particleCount;
    for (let p: u32 = 0; p < particleCount; p++) {
        const label = word(m.labels, p);
        if (label == NONE) continue;
        const e = p * slots;
        put(m.counts, p, 1);
        put(m.sources, e, p);
        put(m.groups, e, label);
        push(m, e);
    }
}

function relaxNeighbours(m: FastMarchingArrays, entry: u32): void {
    const slots = m.slots;
    const v = entry / slots;
    const group = word(m.groups, entry);
    const source = word(m.sources, entry);
    const distance = real(m.distances, entry);
    const later = real(m.keys, entry) * 1.0000002 + 1e-30;
    put(m.finalCounts, v, word(m.finalCounts, v) + 1);
    for (let k = word(m.starts, v) * 2, end = word(m.starts, v + 1) * 2; k < end; k++) {
        const target = word(m.others, k);
        if (word(m.finalCounts, target) == slots) continue;
        const known = findEntry(m, target, group);
        if (known != NONE && word(m.heapPlaces, known) == 0) continue;
        const other = word(m.others, k ^ 1);
        const beside = findEntry(m, other, group);
        let d = distance + length(m.positions, v, target);
        let from = source;
        if (beside != NONE && word(m.heapPlaces, beside) == 0) {
            const second = word(m.sources, beside);
            const across = unfold(m.positions, v, other, target, distance, real(m.distances, beside));
            if (second == source) {
                d = across;
            } else if (across < d && isOneFront(m.positions, v, other, target, distance, real(m.distances, beside), source, second)) {
                const toFirst = length(m.positions, source, target);
                const toSecond = length(m.positions, second, target);
                d = min(d, max(across, min(toFirst, toSecond)));
                from = isBefore(toFirst, source, toSecond, second) ? source : second;
            }
        }
        let e = known;
        if (e != NONE) {
            if (!isBefore(d, from, real(m.distances, e), word(m.sources, e))) continue;
        } else if (word(m.counts, target) < slots) {
            const count = word(m.counts, target);
            e = target * slots + count;
            put(m.counts, target, count + 1);
        } else {
            e = farthestEntry(m, target);
            if (!isBefore(d, group, real(m.distances, e), word(m.groups, e))) continue;
        }
        if (known == NONE || !(real(m.distances, e) < d)) putReal(m.distances, e, d);
        put(m.sources, e, from);
        put(m.groups, e, group);
        const stored = real(m.distances, e);
        const key = stored > later ? stored : later;
        if (word(m.heapPlaces, e) == 0 || key < real(m.keys, e)) putReal(m.keys, e, key);
        push(m, e);
    }
}

/** The last of a full list's entries that the march has not taken. */
function farthestEntry(m: FastMarchingArrays, particle: u32): u32 {
    const slots = m.slots;
    let found = NONE;
    for (let e = particle * slots, end = e + slots; e < end; e++) {
        if (word(m.heapPlaces, e) == 0) continue;
        if (found == NONE || isBefore(real(m.distances, found), word(m.groups, found), real(m.distances, e), word(m.groups, e))) found = e;
    }
    return found;
}

/** A particle's entry of a group, or NONE. */
// @ts-ignore: decorator
@inline
function findEntry(m: FastMarchingArrays, particle: u32, group: u32): u32 {
    let found = NONE;
    for (let e = particle * m.slots, end = e + word(m.counts, particle); e < end; e++) {
        if (word(m.groups, e) == group) {
            found = e;
            break;
        }
    }
    return found;
}

/**
 * True if the fronts that cross the edge a–b from its two nearest sources, side by side as in a pinned row, form one front over flat cloth. It then propagates as
 * from a source between them, but no sooner than the straight line to the nearer one. Opposing fronts are two; over curved cloth straight lines tell nothing.
 */
function isOneFront(x: usize, a: u32, b: u32, c: u32, da: f64, db: f64, s: u32, t: u32): bool {
    return (
        length(x, s, t) <= 2 * length(x, a, b) + FRONT_TOLERANCE * min(da, db) &&
        da <= FLAT_TOLERANCE * length(x, s, a) &&
        db <= FLAT_TOLERANCE * length(x, t, b) &&
        isLevel(x, a, b, c, s, da) &&
        isLevel(x, a, b, c, t, db)
    );
}

/** True if the line from a to s, of this length, lies nearly in the plane of a, b and c. */
function isLevel(x: usize, a: u32, b: u32, c: u32, s: u32, length: f64): bool {
    const ax = real(x, 3 * a), ay = real(x, 3 * a + 1), az = real(x, 3 * a + 2);
    const ux = real(x, 3 * b) - ax, uy = real(x, 3 * b + 1) - ay, uz = real(x, 3 * b + 2) - az;
    const vx = real(x, 3 * c) - ax, vy = real(x, 3 * c + 1) - ay, vz = real(x, 3 * c + 2) - az;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const height = nx * (real(x, 3 * s) - ax) + ny * (real(x, 3 * s + 1) - ay) + nz * (real(x, 3 * s + 2) - az);
    const most = LEVEL_TOLERANCE * length;
    return height * height <= most * most * (nx * nx + ny * ny + nz * nz);
}

/** True if the first distance is the smaller one or, of two that are equal within rounding, has the lower number. */
// @ts-ignore: decorator
@inline
function isBefore(distanceA: f64, a: u32, distanceB: f64, b: u32): bool {
    return abs<f64>(distanceA - distanceB) <= TIE_TOLERANCE * distanceB ? a < b : distanceA < distanceB;
}

/** Straight distance [m]. */
// @ts-ignore: decorator
@inline
function length(x: usize, a: u32, b: u32): f64 {
    const dx = real(x, 3 * a) - real(x, 3 * b);
    const dy = real(x, 3 * a + 1) - real(x, 3 * b + 1);
    const dz = real(x, 3 * a + 2) - real(x, 3 * b + 2);
    return sqrt<f64>(dx * dx + dy * dy + dz * dz);
}

/** Distance of c over the edge a–b, see topology/geodesics.ts. */
function unfold(x: usize, a: u32, b: u32, c: u32, da: f64, db: f64): f64 {
    const ab = length(x, a, b);
    const ac = length(x, a, c);
    const bc = length(x, b, c);
    const alongEdge = min<f64>(da + ac, db + bc);
    if (!(ab > 0)) return alongEdge;
    const cx = (ac * ac - bc * bc + ab * ab) / (2 * ab);
    const cy = sqrt<f64>(max<f64>(0, ac * ac - cx * cx));
    const sx = (da * da - db * db + ab * ab) / (2 * ab);
    const sySquared = da * da - sx * sx;
    if (sySquared < 0) return alongEdge;
    const sy = -sqrt<f64>(sySquared);
    const height = cy - sy;
    if (!(height > 0)) return alongEdge;
    const crossing = sx + ((cx - sx) * -sy) / height;
    if (crossing < 0 || crossing > ab) return alongEdge;
    return min<f64>(alongEdge, sqrt<f64>((cx - sx) * (cx - sx) + height * height));
}

/** Adds an entry to the heap, or moves it up after its key has become smaller. */
function push(m: FastMarchingArrays, item: u32): void {
    const items = m.heapItems;
    const places = m.heapPlaces;
    const keys = m.keys;
    let i = word(places, item);
    if (i == 0) {
        i = load<u32>(m.heapSize);
        store<u32>(m.heapSize, i + 1);
    } else i--;
    const key = real(keys, item);
    while (i > 0) {
        const parent = (i - 1) >> 1;
        const above = word(items, parent);
        const aboveKey = real(keys, above);
        if (aboveKey < key || (aboveKey == key && above < item)) break;
        put(items, i, above);
        put(places, above, i + 1);
        i = parent;
    }
    put(items, i, item);
    put(places, item, i + 1);
}

/** Takes out the first entry. */
function pop(m: FastMarchingArrays): u32 {
    const items = m.heapItems;
    const places = m.heapPlaces;
    const keys = m.keys;
    const top = load<u32>(items);
    put(places, top, 0);
    const size = load<u32>(m.heapSize) - 1;
    store<u32>(m.heapSize, size);
    const last = word(items, size);
    if (size == 0) return top;
    const key = real(keys, last);
    let i: u32 = 0;
    for (;;) {
        let child: u32 = 2 * i + 1;
        if (child >= size) break;
        let below = word(items, child);
        if (child + 1 < size) {
            const right = word(items, child + 1);
            const rightKey = real(keys, right);
            const belowKey = real(keys, below);
            if (rightKey < belowKey || (rightKey == belowKey && right < below)) {
                child++;
                below = right;
            }
        }
        const belowKey = real(keys, below);
        if (key < belowKey || (key == belowKey && last < below)) break;
        put(items, i, below);
        put(places, below, i + 1);
        i = child;
    }
    put(items, i, last);
    put(places, last, i + 1);
    return top;
}
