import { FaceCount, WeldBox } from "../surfaceLayout";
import { NONE } from "../layout";
import type { EdgeArrays, FaceArrays, PointArrays, UniqueArrays, WeldArrays } from "../surfaceLayout";

/** Cells of the hash are this many tolerances wide, so that few vertices lie near a border. */
const CELL_TOLERANCES = 32;
/** Tolerance in cells. */
const BORDER = 1 / CELL_TOLERANCES;
/** A triangle whose doubled area is below this share of its longest edge squared has no area. */
const SLIVER = 1e-6;
/** Below this cosine between a triangle and its corners' normals, the normals do not tell which side is out. */
const UNDECIDED = 0.01;
/** Cosine between normals above which vertices share a point; see surface/points.ts. */
const SAME_NORMAL = 0.999;

/** See kernels.ts. */
export function measureUsed({ indexCount, indices, positions, box }: WeldArrays): void {
    for (let c = 0; c < 3; c++) {
        let low = Infinity;
        let high = -Infinity;
        for (let i = 0; i < indexCount; i++) {
            const x = positions[3 * indices[i] + c];
            if (x < low) low = x;
            if (x > high) high = x;
        }
        box[WeldBox.minimum / 2 + c] = low;
        box[WeldBox.maximum / 2 + c] = high;
    }
}

/** See kernels.ts. */
export function weldVertices(w: WeldArrays): void {
    const { vertexCount, slotCount, positions, box, heads, next, placeOfVertex, vertexOfPlace } = w;
    const [minX, minY, minZ, maxX, maxY, maxZ, tolerance] = box;
    const limit = tolerance * tolerance;
    const perCell = 1 / (tolerance * CELL_TOLERANCES);
    const mask = slotCount - 1;
    let placeCount = 0;
    for (let v = 0, o = 0; v < vertexCount; v++, o += 3) {
        const x = positions[o],
            y = positions[o + 1],
            z = positions[o + 2];
        if (!(x >= minX && y >= minY && z >= minZ && x <= maxX && y <= maxY && z <= maxZ)) {
            vertexOfPlace[placeCount] = v;
            placeOfVertex[v] = placeCount++;
            continue;
        }
        const gx = (x - minX) * perCell,
            gy = (y - minY) * perCell,
            gz = (z - minZ) * perCell;
        const x1 = Math.floor(gx + BORDER),
            y1 = Math.floor(gy + BORDER),
            z1 = Math.floor(gz + BORDER);
        let best = NONE;
        let bestSquared = limit;
        for (let cx = Math.floor(gx - BORDER); cx <= x1; cx++) {
            for (let cy = Math.floor(gy - BORDER); cy <= y1; cy++) {
                for (let cz = Math.floor(gz - BORDER); cz <= z1; cz++) {
                    for (let p = heads[hash(cx, cy, cz) & mask]; p !== NONE; p = next[p]) {
                        const q = vertexOfPlace[p] * 3;
                        const dx = positions[q] - x,
                            dy = positions[q + 1] - y,
                            dz = positions[q + 2] - z;
                        const squared = dx * dx + dy * dy + dz * dz;
                        if (squared < bestSquared || (squared === bestSquared && p < best)) {
                            best = p;
                            bestSquared = squared;
                        }
                    }
                }
            }
        }
        if (best === NONE) {
            best = placeCount++;
            vertexOfPlace[best] = v;
            const cell = hash(Math.floor(gx), Math.floor(gy), Math.floor(gz)) & mask;
            next[best] = heads[cell];
            heads[cell] = best;
        }
        placeOfVertex[v] = best;
    }
    w.placeCount[0] = placeCount;
}

/** Mixes three integers to 32 bits. */
function hash(x: number, y: number, z: number): number {
    let h = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca77) ^ Math.imul(z, 0xc2b2ae3d);
    h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
    return h ^ (h >>> 13);
}

/** See kernels.ts. */
export function findFaces(f: FaceArrays): void {
    const { positions: x, normals, indices, placeOfVertex, corners, particleOfPlace, undecided, counts } = f;
    particleOfPlace.fill(NONE);
    let end = 0;
    let undecidedCount = 0;
    let votes = 0;
    for (let i = 0; i < f.indexCount; i += 3) {
        const a = indices[i],
            b = indices[i + 1],
            c = indices[i + 2];
        const pa = placeOfVertex[a],
            pb = placeOfVertex[b],
            pc = placeOfVertex[c];
        if (pa === pb || pb === pc || pc === pa) continue;
        const ux = x[3 * b] - x[3 * a],
            uy = x[3 * b + 1] - x[3 * a + 1],
            uz = x[3 * b + 2] - x[3 * a + 2];
        const vx = x[3 * c] - x[3 * a],
            vy = x[3 * c + 1] - x[3 * a + 1],
            vz = x[3 * c + 2] - x[3 * a + 2];
        const wx = vx - ux,
            wy = vy - uy,
            wz = vz - uz;
        const nx = uy * vz - uz * vy,
            ny = uz * vx - ux * vz,
            nz = ux * vy - uy * vx;
        const area = Math.sqrt(nx * nx + ny * ny + nz * nz);
        const longest = Math.max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, wx * wx + wy * wy + wz * wz);
        if (!(area > SLIVER * longest)) continue;
        let flip = false;
        if (f.hasNormals) {
            const out =
                nx * (normals[3 * a] + normals[3 * b] + normals[3 * c]) +
                ny * (normals[3 * a + 1] + normals[3 * b + 1] + normals[3 * c + 1]) +
                nz * (normals[3 * a + 2] + normals[3 * b + 2] + normals[3 * c + 2]);
            if (Math.abs(out) > UNDECIDED * area) {
                flip = out < 0;
                votes += out > 0 ? 1 : -1;
            } else undecided[undecidedCount++] = end;
        }
        corners[end] = a;
        corners[end + 1] = flip ? c : b;
        corners[end + 2] = flip ? b : c;
        end += 3;
        particleOfPlace[pa] = particleOfPlace[pb] = particleOfPlace[pc] = 0;
    }
    for (let i = 0; votes < 0 && i < undecidedCount; i++) {
        const o = undecided[i];
        const b = corners[o + 1];
        corners[o + 1] = corners[o + 2];
        corners[o + 2] = b;
    }
    counts[FaceCount.corners] = end;
    counts[FaceCount.undecided] = undecidedCount;
    numberParticles(f, end);
}

/** Numbers the particles by first vertex. */
function numberParticles(f: FaceArrays, end: number): void {
    const { vertexCount, placeCount, placeOfVertex, vertexOfPlace, particleOfPlace, vertexOfParticle, particleOfVertex } = f;
    let particleCount = 0;
    for (let p = 0; p < placeCount; p++) {
        if (particleOfPlace[p] === NONE) continue;
        vertexOfParticle[particleCount] = vertexOfPlace[p];
        particleOfPlace[p] = particleCount++;
    }
    let strays = 0;
    for (let v = 0; v < vertexCount; v++) {
        const particle = particleOfPlace[placeOfVertex[v]];
        particleOfVertex[v] = particle;
        if (particle === NONE) strays++;
    }
    for (let i = 0; i < end; i++) f.cornerParticles[i] = particleOfVertex[f.corners[i]];
    f.counts[FaceCount.particles] = particleCount;
    f.counts[FaceCount.strays] = strays;
}

/** See kernels.ts. */
export function findUnique({ cornerCount, slotCount, corners, slots, sorted, triangles, end }: UniqueArrays): void {
    const mask = slotCount - 1;
    let count = 0;
    for (let f = 0; f < cornerCount; f += 3) {
        const a = corners[f],
            b = corners[f + 1],
            c = corners[f + 2];
        const low = Math.min(a, b, c),
            high = Math.max(a, b, c),
            middle = a + b + c - low - high;
        let slot = hash(low, middle, high) & mask;
        let known = slots[slot];
        while (known !== NONE && (sorted[known] !== low || sorted[known + 1] !== middle || sorted[known + 2] !== high)) {
            slot = (slot + 1) & mask;
            known = slots[slot];
        }
        if (known !== NONE) continue;
        slots[slot] = count;
        sorted[count] = low;
        sorted[count + 1] = middle;
        sorted[count + 2] = high;
        triangles[count] = a;
        triangles[count + 1] = b;
        triangles[count + 2] = c;
        count += 3;
    }
    end[0] = count;
}

/** See kernels.ts. */
export function findPoints(s: PointArrays): void {
    const { vertexCount, cornerCount, corners, isCorner, firstPoint, nextPoint, vertexOfPoint } = s;
    const { particleOfVertex, particleOfPoint, pointOfVertex, surfaceTriangles } = s;
    for (let i = 0; i < cornerCount; i++) isCorner[corners[i]] = 1;
    let pointCount = 0;
    // First the vertices of faces make points; then the others join one, so that no point is without a normal.
    for (let pass = 1; pass >= 0; pass--) {
        for (let v = 0; v < vertexCount; v++) {
            if (isCorner[v] !== pass) continue;
            const particle = particleOfVertex[v];
            let best = NONE;
            let bestCosine = pass === 1 ? SAME_NORMAL : -Infinity;
            for (let p = firstPoint[particle]; p !== NONE; p = nextPoint[p]) {
                const cosine = s.hasNormals ? cosineOf(s.normals, v, vertexOfPoint[p]) : 1;
                if (cosine > bestCosine) {
                    best = p;
                    bestCosine = cosine;
                }
            }
            if (best === NONE) {
                best = pointCount++;
                vertexOfPoint[best] = v;
                particleOfPoint[best] = particle;
                nextPoint[best] = firstPoint[particle];
                firstPoint[particle] = best;
            }
            pointOfVertex[v] = best;
        }
    }
    for (let i = 0; i < cornerCount; i++) surfaceTriangles[i] = pointOfVertex[corners[i]];
    s.pointCount[0] = pointCount;
}

/** Cosine between the normals of two vertices; a vertex without a normal agrees with every other. */
function cosineOf(normals: Float32Array, v: number, w: number): number {
    const ax = normals[3 * v],
        ay = normals[3 * v + 1],
        az = normals[3 * v + 2];
    const bx = normals[3 * w],
        by = normals[3 * w + 1],
        bz = normals[3 * w + 2];
    const lengths = Math.sqrt((ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz));
    return lengths > 0 ? (ax * bx + ay * by + az * bz) / lengths : 1;
}

/** See kernels.ts. */
export function findShortEdges({
    placeCount,
    cornerCount,
    positions: x,
    triangles,
    shortest,
    short,
    shortCount,
}: EdgeArrays): void {
    let area = 0;
    for (let t = 0; t < cornerCount; t += 3)
        area += 0.5 * doubleArea(x, 3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]);
    const limit = shortest[0] * Math.sqrt(area / placeCount);
    shortest[0] = limit;
    let count = 0;
    for (let t = 0; t < cornerCount; t += 3) {
        for (let k = 0; k < 3; k++) {
            const a = triangles[t + k];
            const b = triangles[t + ((k + 1) % 3)];
            const dx = x[3 * b] - x[3 * a],
                dy = x[3 * b + 1] - x[3 * a + 1],
                dz = x[3 * b + 2] - x[3 * a + 2];
            if (!(Math.sqrt(dx * dx + dy * dy + dz * dz) < limit)) continue;
            short[2 * count] = a;
            short[2 * count + 1] = b;
            count++;
        }
    }
    shortCount[0] = count;
}

/** Twice the area of the triangle of the points at p q r. */
function doubleArea(x: Float32Array, p: number, q: number, r: number): number {
    const ux = x[q] - x[p],
        uy = x[q + 1] - x[p + 1],
        uz = x[q + 2] - x[p + 2];
    const vx = x[r] - x[p],
        vy = x[r + 1] - x[p + 1],
        vz = x[r + 2] - x[p + 2];
    const nx = uy * vz - uz * vy,
        ny = uz * vx - ux * vz,
        nz = ux * vy - uy * vx;
    return Math.sqrt(nx * nx + ny * ny + nz * nz);
}
