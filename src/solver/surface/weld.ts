/** Two vertices closer than this share of the triangles' bounding diagonal are one place. */
const RELATIVE_TOLERANCE = 1e-5;
/** Steps of 32-bit floats that coordinates far from the local origin are rounded by. */
const ROUNDING = 2 ** -22;
/** Cells of the hash are this many tolerances wide, so that few vertices lie near a border. */
const CELL_TOLERANCES = 32;
/** Tolerance in cells. */
const BORDER = 1 / CELL_TOLERANCES;

/** Vertices by place. */
export interface Weld {
    /** Number of distinct places. */
    readonly placeCount: number;
    /** Place of each vertex, shape [vertexCount]; places are numbered by their first vertex. */
    readonly placeOfVertex: Uint32Array;
    /** First vertex of each place, shape [placeCount]. */
    readonly vertexOfPlace: Uint32Array;
}

/**
 * Finds the vertices that lie at the same place, in one pass over a hash of cells. A place is where its first vertex lies;
 * a vertex joins the nearest place within the tolerance, looking across the borders of its cell. The tolerance comes from the
 * vertices that triangles use; what lies outside of their box is a place of its own.
 * @param positions mesh-local, shape [vertexCount, 3], finite
 * @param indices vertices of the triangles; left out: all
 */
export function weld(positions: Float32Array, indices: Uint32Array | null = null): Weld {
    const vertexCount = positions.length / 3;
    const { tolerance, minX, minY, minZ, maxX, maxY, maxZ } = measure(positions, indices);
    const limit = tolerance * tolerance;
    const perCell = 1 / (tolerance * CELL_TOLERANCES);

    let bits = 4;
    while (1 << bits < vertexCount * 2) bits++;
    const mask = (1 << bits) - 1;
    const heads = new Int32Array(1 << bits).fill(-1);
    const next = new Int32Array(vertexCount);
    const placeOfVertex = new Uint32Array(vertexCount);
    const vertexOfPlace = new Uint32Array(vertexCount);
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
        const x0 = Math.floor(gx - BORDER),
            x1 = Math.floor(gx + BORDER);
        const y0 = Math.floor(gy - BORDER),
            y1 = Math.floor(gy + BORDER);
        const z0 = Math.floor(gz - BORDER),
            z1 = Math.floor(gz + BORDER);
        let best = -1;
        let bestSquared = limit;
        for (let cx = x0; cx <= x1; cx++) {
            for (let cy = y0; cy <= y1; cy++) {
                for (let cz = z0; cz <= z1; cz++) {
                    for (let p = heads[hash(cx, cy, cz) & mask]; p >= 0; p = next[p]) {
                        const q = vertexOfPlace[p] * 3;
                        const dx = positions[q] - x,
                            dy = positions[q + 1] - y,
                            dz = positions[q + 2] - z;
                        const squared = dx * dx + dy * dy + dz * dz;
                        if (squared < bestSquared || (squared === bestSquared && (best < 0 || p < best))) {
                            best = p;
                            bestSquared = squared;
                        }
                    }
                }
            }
        }
        if (best < 0) {
            best = placeCount++;
            vertexOfPlace[best] = v;
            const cell = hash(Math.floor(gx), Math.floor(gy), Math.floor(gz)) & mask;
            next[best] = heads[cell];
            heads[cell] = best;
        }
        placeOfVertex[v] = best;
    }
    return { placeCount, placeOfVertex, vertexOfPlace: vertexOfPlace.slice(0, placeCount) };
}

/** Tolerance [mesh-local units] and the box of the vertices used, wider by the tolerance. */
interface Measures {
    tolerance: number;
    minX: number;
    minY: number;
    minZ: number;
    maxX: number;
    maxY: number;
    maxZ: number;
}

function measure(positions: Float32Array, indices: Uint32Array | null): Measures {
    let minX = Infinity,
        minY = Infinity,
        minZ = Infinity;
    let maxX = -Infinity,
        maxY = -Infinity,
        maxZ = -Infinity;
    const count = indices ? indices.length : positions.length / 3;
    for (let i = 0; i < count; i++) {
        const o = 3 * (indices ? indices[i] : i);
        const x = positions[o],
            y = positions[o + 1],
            z = positions[o + 2];
        if (x < minX) minX = x;
        if (x > maxX) maxX = x;
        if (y < minY) minY = y;
        if (y > maxY) maxY = y;
        if (z < minZ) minZ = z;
        if (z > maxZ) maxZ = z;
    }
    const diagonal = Math.hypot(maxX - minX, maxY - minY, maxZ - minZ);
    const largest = Math.max(-minX, -minY, -minZ, maxX, maxY, maxZ);
    const tolerance = Math.max(diagonal * RELATIVE_TOLERANCE, largest * ROUNDING, Number.MIN_VALUE * 2 ** 60);
    return {
        tolerance,
        minX: minX - tolerance,
        minY: minY - tolerance,
        minZ: minZ - tolerance,
        maxX: maxX + tolerance,
        maxY: maxY + tolerance,
        maxZ: maxZ + tolerance,
    };
}

/** Mixes a cell's coordinates to 32 bits. */
function hash(x: number, y: number, z: number): number {
    let h = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca77) ^ Math.imul(z, 0xc2b2ae3d);
    h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
    return h ^ (h >>> 13);
}
