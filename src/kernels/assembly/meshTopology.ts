/** Simulated particles, edges and triangles of a mesh. Computed in doubles, bit for bit reproducible. */
import { ShortEdgeArrays, WeldedTriangleArrays, WeldedTriangleCount, ShadingPointArrays, UniqueTriangleArrays, WeldArrays, WeldBox, wordOffset } from "./layout.generated";
import { NONE, put, real, word } from "./memory";

/** Cells of the hash are this many tolerances wide, so that few vertices lie near a border. */
const CELL_TOLERANCES: f64 = 32;
/** Tolerance in cells. */
const BORDER: f64 = 1 / CELL_TOLERANCES;
/** A triangle whose doubled area is below this share of its longest edge squared has no area. */
const SLIVER: f64 = 1e-6;
/** Below this cosine between a triangle and its corners' normals, the normals do not determine the outer side. */
const UNDECIDED: f64 = 0.01;
/** Cosine between normals above which vertices share a point; see meshmap/shadingPoints.ts. */
const SAME_NORMAL: f64 = 0.999;

export function measureUsedBounds(w: WeldArrays): void {
    const positions = w.positions;
    const indices = w.indices;
    const indexCount = w.indexCount;
    for (let c: u32 = 0; c < 3; c++) {
        let low: f64 = Infinity;
        let high: f64 = -Infinity;
        for (let i: u32 = 0; i < indexCount; i++) {
            const x = real(positions, 3 * word(indices, i) + c);
            if (x < low) low = x;
            if (x > high) high = x;
        }
        store<f64>(w.box + (<usize>c << 3), low, WeldBox.minimum);
        store<f64>(w.box + (<usize>c << 3), high, WeldBox.maximum);
    }
}

export function weldVertices(w: WeldArrays): void {
    const positions = w.positions;
    const box = w.box;
    const heads = w.heads;
    const next = w.next;
    const placeOfVertex = w.placeOfVertex;
    const vertexOfPlace = w.vertexOfPlace;
    const vertexCount = w.vertexCount;
    const minX = load<f64>(box, WeldBox.minimum);
    const minY = load<f64>(box, WeldBox.minimum + 8);
    const minZ = load<f64>(box, WeldBox.minimum + 16);
    const maxX = load<f64>(box, WeldBox.maximum);
    const maxY = load<f64>(box, WeldBox.maximum + 8);
    const maxZ = load<f64>(box, WeldBox.maximum + 16);
    const tolerance = load<f64>(box, WeldBox.tolerance);
    const limit = tolerance * tolerance;
    const perCell = 1 / (tolerance * CELL_TOLERANCES);
    const mask = w.slotCount - 1;
    let placeCount: u32 = 0;
    for (let v: u32 = 0; v < vertexCount; v++) {
        const x = real(positions, 3 * v);
        const y = real(positions, 3 * v + 1);
        const z = real(positions, 3 * v + 2);
        if (!(x >= minX && y >= minY && z >= minZ && x <= maxX && y <= maxY && z <= maxZ)) {
            put(vertexOfPlace, placeCount, v);
            put(placeOfVertex, v, placeCount++);
            continue;
        }
        const gx = (x - minX) * perCell;
        const gy = (y - minY) * perCell;
        const gz = (z - minZ) * perCell;
        const x0 = <i32>floor<f64>(gx - BORDER);
        const y0 = <i32>floor<f64>(gy - BORDER);
        const z0 = <i32>floor<f64>(gz - BORDER);
        const x1 = <i32>floor<f64>(gx + BORDER);
        const y1 = <i32>floor<f64>(gy + BORDER);
        const z1 = <i32>floor<f64>(gz + BORDER);
        let best = NONE;
        let bestSquared = limit;
        for (let cx = x0; cx <= x1; cx++) {
            for (let cy = y0; cy <= y1; cy++) {
                for (let cz = z0; cz <= z1; cz++) {
                    for (let p = word(heads, hash(cx, cy, cz) & mask); p != NONE; p = word(next, p)) {
                        const q = word(vertexOfPlace, p) * 3;
                        const dx = real(positions, q) - x;
                        const dy = real(positions, q + 1) - y;
                        const dz = real(positions, q + 2) - z;
                        const squared = dx * dx + dy * dy + dz * dz;
                        if (squared < bestSquared || (squared == bestSquared && p < best)) {
                            best = p;
                            bestSquared = squared;
                        }
                    }
                }
            }
        }
        if (best == NONE) {
            best = placeCount++;
            put(vertexOfPlace, best, v);
            const cell = hash(<i32>floor<f64>(gx), <i32>floor<f64>(gy), <i32>floor<f64>(gz)) & mask;
            put(next, best, word(heads, cell));
            put(heads, cell, best);
        }
        put(placeOfVertex, v, best);
    }
    store<u32>(w.placeCount, placeCount);
}

/** Mixes three integers to 32 bits. */
// @ts-ignore: decorator
@inline
function hash(x: i32, y: i32, z: i32): u32 {
    let h = (<u32>x * 0x9e3779b1) ^ (<u32>y * 0x85ebca77) ^ (<u32>z * 0xc2b2ae3d);
    h = (h ^ (h >> 15)) * 0x2c1b3c6d;
    return h ^ (h >> 13);
}

export function findWeldedTriangles(f: WeldedTriangleArrays): void {
    const x = f.positions;
    const normals = f.normals;
    const indices = f.indices;
    const placeOfVertex = f.placeOfVertex;
    const corners = f.corners;
    const particleOfPlace = f.particleOfPlace;
    const indexCount = f.indexCount;
    memory.fill(particleOfPlace, 0xff, wordOffset(f.placeCount));
    let end: u32 = 0;
    let undecidedCount: u32 = 0;
    let votes = 0;
    for (let i: u32 = 0; i < indexCount; i += 3) {
        const a = word(indices, i);
        const b = word(indices, i + 1);
        const c = word(indices, i + 2);
        const pa = word(placeOfVertex, a);
        const pb = word(placeOfVertex, b);
        const pc = word(placeOfVertex, c);
        if (pa == pb || pb == pc || pc == pa) continue;
        const ax = real(x, 3 * a);
        const ay = real(x, 3 * a + 1);
        const az = real(x, 3 * a + 2);
        const ux = real(x, 3 * b) - ax;
        const uy = real(x, 3 * b + 1) - ay;
        const uz = real(x, 3 * b + 2) - az;
        const vx = real(x, 3 * c) - ax;
        const vy = real(x, 3 * c + 1) - ay;
        const vz = real(x, 3 * c + 2) - az;
        const wx = vx - ux;
        const wy = vy - uy;
        const wz = vz - uz;
        const nx = uy * vz - uz * vy;
        const ny = uz * vx - ux * vz;
        const nz = ux * vy - uy * vx;
        const area = sqrt<f64>(nx * nx + ny * ny + nz * nz);
        const longest = max<f64>(
            max<f64>(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz), wx * wx + wy * wy + wz * wz,
        );
        if (!(area > SLIVER * longest)) continue;
        let flip = false;
        if (f.hasNormals) {
            const out =
                nx * (real(normals, 3 * a) + real(normals, 3 * b) + real(normals, 3 * c)) +
                ny * (real(normals, 3 * a + 1) + real(normals, 3 * b + 1) + real(normals, 3 * c + 1)) +
                nz * (real(normals, 3 * a + 2) + real(normals, 3 * b + 2) + real(normals, 3 * c + 2));
            if (abs<f64>(out) > UNDECIDED * area) {
                flip = out < 0;
                votes += out > 0 ? 1 : -1;
            } else put(f.undecided, undecidedCount++, end);
        }
        put(corners, end, a);
        put(corners, end + 1, flip ? c : b);
        put(corners, end + 2, flip ? b : c);
        end += 3;
        put(particleOfPlace, pa, 0);
        put(particleOfPlace, pb, 0);
        put(particleOfPlace, pc, 0);
    }
    for (let i: u32 = 0; votes < 0 && i < undecidedCount; i++) {
        const o = word(f.undecided, i);
        const b = word(corners, o + 1);
        put(corners, o + 1, word(corners, o + 2));
        put(corners, o + 2, b);
    }
    store<u32>(f.counts, end, WeldedTriangleCount.corners);
    store<u32>(f.counts, undecidedCount, WeldedTriangleCount.undecided);
    numberParticles(f, end);
}

/** Numbers the particles by first vertex. */
function numberParticles(f: WeldedTriangleArrays, end: u32): void {
    const particleOfPlace = f.particleOfPlace;
    const particleOfVertex = f.particleOfVertex;
    let particleCount: u32 = 0;
    for (let p: u32 = 0; p < f.placeCount; p++) {
        if (word(particleOfPlace, p) == NONE) continue;
        put(f.vertexOfParticle, particleCount, word(f.vertexOfPlace, p));
        put(particleOfPlace, p, particleCount++);
    }
    let strays: u32 = 0;
    for (let v: u32 = 0; v < f.vertexCount; v++) {
        const particle = word(particleOfPlace, word(f.placeOfVertex, v));
        put(particleOfVertex, v, particle);
        if (particle == NONE) strays++;
    }
    for (let i: u32 = 0; i < end; i++) put(f.cornerParticles, i, word(particleOfVertex, word(f.corners, i)));
    store<u32>(f.counts, particleCount, WeldedTriangleCount.particles);
    store<u32>(f.counts, strays, WeldedTriangleCount.strays);
}

export function findUniqueTriangles(u: UniqueTriangleArrays): void {
    const corners = u.corners;
    const slots = u.slots;
    const sorted = u.sorted;
    const triangles = u.triangles;
    const cornerCount = u.cornerCount;
    const mask = u.slotCount - 1;
    let count: u32 = 0;
    for (let f: u32 = 0; f < cornerCount; f += 3) {
        const a = word(corners, f);
        const b = word(corners, f + 1);
        const c = word(corners, f + 2);
        const low = min<u32>(min<u32>(a, b), c);
        const high = max<u32>(max<u32>(a, b), c);
        const middle = a + b + c - low - high;
        let slot = hash(low, middle, high) & mask;
        let known = word(slots, slot);
        while (known != NONE && (word(sorted, known) != low || word(sorted, known + 1) != middle || word(sorted, known + 2) != high)) {
            slot = (slot + 1) & mask;
            known = word(slots, slot);
        }
        if (known != NONE) continue;
        put(slots, slot, count);
        put(sorted, count, low);
        put(sorted, count + 1, middle);
        put(sorted, count + 2, high);
        put(triangles, count, a);
        put(triangles, count + 1, b);
        put(triangles, count + 2, c);
        count += 3;
    }
    store<u32>(u.end, count);
}

export function findShadingPoints(s: ShadingPointArrays): void {
    const isCorner = s.isCorner;
    const corners = s.corners;
    const pointOfVertex = s.pointOfVertex;
    const vertexCount = s.vertexCount;
    const cornerCount = s.cornerCount;
    for (let i: u32 = 0; i < cornerCount; i++) put(isCorner, word(corners, i), 1);
    let pointCount: u32 = 0;
    for (let pass = 1; pass >= 0; pass--) {
        for (let v: u32 = 0; v < vertexCount; v++) {
            if (word(isCorner, v) != <u32>pass) continue;
            const particle = word(s.particleOfVertex, v);
            let best = NONE;
            let bestCosine: f64 = pass == 1 ? SAME_NORMAL : -Infinity;
            for (let p = word(s.firstPoint, particle); p != NONE; p = word(s.nextPoint, p)) {
                const cosine = s.hasNormals ? cosineOf(s.normals, v, word(s.vertexOfPoint, p)) : 1;
                if (cosine > bestCosine) {
                    best = p;
                    bestCosine = cosine;
                }
            }
            if (best == NONE) {
                best = pointCount++;
                put(s.vertexOfPoint, best, v);
                put(s.particleOfPoint, best, particle);
                put(s.nextPoint, best, word(s.firstPoint, particle));
                put(s.firstPoint, particle, best);
            }
            put(pointOfVertex, v, best);
        }
    }
    for (let i: u32 = 0; i < cornerCount; i++) put(s.surfaceTriangles, i, word(pointOfVertex, word(corners, i)));
    store<u32>(s.pointCount, pointCount);
}

/** Cosine between the normals of two vertices; a vertex without a normal agrees with every other. */
function cosineOf(normals: usize, v: u32, w: u32): f64 {
    const ax = real(normals, 3 * v);
    const ay = real(normals, 3 * v + 1);
    const az = real(normals, 3 * v + 2);
    const bx = real(normals, 3 * w);
    const by = real(normals, 3 * w + 1);
    const bz = real(normals, 3 * w + 2);
    const lengths = sqrt<f64>((ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz));
    return lengths > 0 ? (ax * bx + ay * by + az * bz) / lengths : 1;
}

export function findShortEdges(e: ShortEdgeArrays): void {
    const x = e.positions;
    const triangles = e.triangles;
    const cornerCount = e.cornerCount;
    let area: f64 = 0;
    for (let t: u32 = 0; t < cornerCount; t += 3) {
        area += 0.5 * doubleArea(x, 3 * word(triangles, t), 3 * word(triangles, t + 1), 3 * word(triangles, t + 2));
    }
    const limit = load<f64>(e.shortest) * sqrt<f64>(area / <f64>e.placeCount);
    store<f64>(e.shortest, limit);
    let count: u32 = 0;
    for (let t: u32 = 0; t < cornerCount; t += 3) {
        for (let k: u32 = 0; k < 3; k++) {
            const a = word(triangles, t + k);
            const b = word(triangles, k == 2 ? t : t + k + 1);
            const dx = real(x, 3 * b) - real(x, 3 * a);
            const dy = real(x, 3 * b + 1) - real(x, 3 * a + 1);
            const dz = real(x, 3 * b + 2) - real(x, 3 * a + 2);
            if (!(sqrt<f64>(dx * dx + dy * dy + dz * dz) < limit)) continue;
            put(e.short, 2 * count, a);
            put(e.short, 2 * count + 1, b);
            count++;
        }
    }
    store<u32>(e.shortCount, count);
}

/** Twice the area of the triangle of the points at p q r. */
function doubleArea(x: usize, p: u32, q: u32, r: u32): f64 {
    const px = real(x, p);
    const py = real(x, p + 1);
    const pz = real(x, p + 2);
    const ux = real(x, q) - px;
    const uy = real(x, q + 1) - py;
    const uz = real(x, q + 2) - pz;
    const vx = real(x, r) - px;
    const vy = real(x, r + 1) - py;
    const vz = real(x, r + 2) - pz;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    return sqrt<f64>(nx * nx + ny * ny + nz * nz);
}
