import { AFFINE_TOLERANCE } from "../tunables";
import { determinant, identity, invert, multiply, transformPoint } from "../math/affine";
import type { Affine } from "../math/affine";
import type { Weld } from "./weld";

/** Weight of the expected map where the vertices do not tell, as share of their mean square distance. */
const PRIOR_WEIGHT = 1e-6;
/** An edited normal is still the cloth's own above this cosine. */
const NORMAL_COSINE = 1 - 1e-4;
/** Normals of one place above this cosine are one smooth normal. */
const SMOOTH_COSINE = 0.999;

/** Origin of each vertex of a mesh that was edited while it was cloth. */
export interface VertexOrigins {
    /** The cloth's vertex that each vertex was, shape [vertexCount]. */
    readonly sources: Uint32Array;
    /** Map that was applied to all positions, mesh-local before → after. */
    readonly map: Affine;
}

/**
 * Finds out what an edit did to the vertices that the cloth had drawn: nothing, moved them all by one affine map, or
 * duplicated, dropped or reordered them. Null where they have another shape or new vertices.
 * @param drawn shape [n, 3]; `now` shape [m, 3]
 * @param expected the map that would leave the mesh where it is in the world
 */
export function matchEditedMesh(drawn: Float32Array, now: Float32Array, expected: Affine): VertexOrigins | null {
    if (now.length === drawn.length) {
        const sources = Uint32Array.from({ length: drawn.length / 3 }, (_, v) => v);
        if (now.every((x, i) => x === drawn[i])) return { sources, map: identity() };
        const map = fitAffine(drawn, now, expected);
        if (map) return { sources, map };
    }
    const found = findRows(now, drawn);
    return found.includes(-1) ? null : { sources: Uint32Array.from(found), map: identity() };
}

/** Numbers below this are 0: Babylon's `forceSharedVertices` makes them so. */
const TINY = 1e-8;

/** For each row of three the index of an equal row of `among`, or -1. */
export function findRows(given: Float32Array, among: Float32Array): Int32Array {
    const rows = flushTiny(given);
    const table = flushTiny(among);
    const count = table.length / 3;
    let bits = 4;
    while (1 << bits < count * 2) bits++;
    const slots = new Int32Array(1 << bits).fill(-1);
    const slotOf = (x: Float32Array, o: number): number => {
        let slot = hash(x[o], x[o + 1], x[o + 2]) >>> (32 - bits);
        for (let k = slots[slot]; k >= 0; k = slots[slot]) {
            if (table[3 * k] === x[o] && table[3 * k + 1] === x[o + 1] && table[3 * k + 2] === x[o + 2]) break;
            slot = (slot + 1) & (slots.length - 1);
        }
        return slot;
    };
    for (let k = 0; k < count; k++) {
        const slot = slotOf(table, 3 * k);
        if (slots[slot] < 0) slots[slot] = k;
    }
    return Int32Array.from({ length: rows.length / 3 }, (_, r) => slots[slotOf(rows, 3 * r)]);
}

function flushTiny(values: Float32Array): Float32Array {
    return values.map((value) => (Math.abs(value) < TINY ? 0 : value));
}

const floats = new Float32Array(3);
const words = new Uint32Array(floats.buffer);

function hash(x: number, y: number, z: number): number {
    // 0 takes the sign from a negative zero.
    floats[0] = x + 0;
    floats[1] = y + 0;
    floats[2] = z + 0;
    const h = Math.imul(words[0], 0x9e3779b1) ^ Math.imul(words[1], 0x85ebca77) ^ Math.imul(words[2], 0xc2b2ae3d);
    return Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
}

/** The affine map from the rows of x to those of y, by least squares; null where there is none that inverts. */
export function fitAffine(x: Float32Array, y: Float32Array, expected: Affine): Affine | null {
    const count = x.length / 3;
    const cx = meanOf(x),
        cy = meanOf(y);
    const squares = identity(),
        products = identity();
    for (let r = 0; r < 3; r++) squares[5 * r] = products[5 * r] = 0;
    for (let o = 0; o < x.length; o += 3) {
        for (let r = 0; r < 3; r++) {
            for (let c = 0; c < 3; c++) {
                squares[4 * r + c] += ((x[o + r] - cx[r]) * (x[o + c] - cx[c])) / count;
                products[4 * r + c] += ((x[o + r] - cx[r]) * (y[o + c] - cy[c])) / count;
            }
        }
    }
    const trace = squares[0] + squares[5] + squares[10];
    const prior = trace * PRIOR_WEIGHT;
    // Scaled to a trace of 1, so that no size of mesh is singular.
    for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 3; c++) {
            products[4 * r + c] = (products[4 * r + c] + prior * expected[4 * r + c]) / trace;
            squares[4 * r + c] = (squares[4 * r + c] + (r === c ? prior : 0)) / trace;
        }
    }
    const inverse = identity(),
        map = identity();
    if (!invert(squares, inverse)) return null;
    multiply(inverse, products, map);
    const moved = new Float64Array(3);
    transformPoint(map, cx, 0, moved, 0);
    for (let c = 0; c < 3; c++) map[12 + c] = cy[c] - moved[c];
    const limit = AFFINE_TOLERANCE * Math.sqrt(spreadOf(y, cy) + spreadOf(x, cx) * 1e-6);
    for (let o = 0; o < x.length; o += 3) {
        transformPoint(map, x, o, moved, 0);
        if (!(Math.hypot(moved[0] - y[o], moved[1] - y[o + 1], moved[2] - y[o + 2]) <= limit)) return null;
    }
    return Math.abs(determinant(map)) > 1e-12 ? map : null;
}

function meanOf(x: Float32Array): Float64Array {
    const mean = new Float64Array(3);
    for (let i = 0; i < x.length; i++) mean[i % 3] += x[i] / (x.length / 3);
    return mean;
}

/** Mean square distance from a centre. */
function spreadOf(x: Float32Array, centre: Float64Array): number {
    let sum = 0;
    for (let i = 0; i < x.length; i++) sum += (x[i] - centre[i % 3]) ** 2;
    return sum / (x.length / 3);
}

/** Rows of `size` floats that `sources` names. */
export function gatherRows(rows: Float32Array, size: number, sources: Uint32Array): Float32Array {
    const result = new Float32Array(sources.length * size);
    for (let v = 0; v < sources.length; v++) {
        for (let c = 0; c < size; c++) result[v * size + c] = rows[sources[v] * size + c];
    }
    return result;
}

/** Moves points in place. */
export function movePoints(points: Float32Array, map: Affine): Float32Array {
    for (let o = 0; o < points.length; o += 3) transformPoint(map, points, o, points, o);
    return points;
}

/** Turns unit directions in place, the first three of each row of `size`. */
export function rotateDirections(rows: Float32Array, size: number, map: Affine): Float32Array {
    for (let o = 0; o < rows.length; o += size) {
        const x = rows[o],
            y = rows[o + 1],
            z = rows[o + 2];
        const nx = x * map[0] + y * map[4] + z * map[8];
        const ny = x * map[1] + y * map[5] + z * map[9];
        const nz = x * map[2] + y * map[6] + z * map[10];
        const length = Math.hypot(nx, ny, nz);
        if (!(length > 0)) continue;
        rows[o] = nx / length;
        rows[o + 1] = ny / length;
        rows[o + 2] = nz / length;
    }
    return rows;
}

/** True if two lists of unit normals are the same, as exactly as an edit by a matrix keeps them. */
export function areSameNormals(a: Float32Array, b: Float32Array): boolean {
    for (let o = 0; o < a.length; o += 3) {
        const cosine = a[o] * b[o] + a[o + 1] * b[o + 1] + a[o + 2] * b[o + 2];
        if (!(cosine > NORMAL_COSINE) && !(a[o] === b[o] && a[o + 1] === b[o + 1] && a[o + 2] === b[o + 2])) return false;
    }
    return a.length === b.length;
}

/**
 * Normals of the rest shape, hard and smooth, outside and inside where normals given for another shape of the mesh are so.
 * @param normals those given, for `positions`; all of shape [vertexCount, 3]
 * @param places those of `rest` on which vertices lie
 */
export function restNormals(
    normals: Float32Array,
    positions: Float32Array,
    rest: Float32Array,
    indices: Uint32Array,
    { placeCount, placeOfVertex }: Weld,
): Float32Array {
    const count = normals.length / 3;
    const first = new Int32Array(placeCount).fill(-1);
    const next = new Int32Array(count);
    const groupOfVertex = new Uint32Array(count);
    for (let v = 0; v < count; v++) {
        const place = placeOfVertex[v];
        let group = first[place];
        while (group >= 0 && !(dot(normals, v, normals, group) > SMOOTH_COSINE)) group = next[group];
        if (group < 0) {
            group = v;
            next[v] = first[place];
            first[place] = v;
        }
        groupOfVertex[v] = group;
    }
    const atRest = faceNormals(rest, indices, groupOfVertex);
    const given = faceNormals(positions, indices, groupOfVertex);
    const result = new Float32Array(normals.length);
    for (let v = 0; v < count; v++) {
        const group = groupOfVertex[v];
        const side = dot(normals, v, given, group) < 0 ? -1 : 1;
        const length = Math.sqrt(dot(atRest, group, atRest, group));
        for (let c = 0; c < 3; c++) result[3 * v + c] = length > 0 ? (side * atRest[3 * group + c]) / length : normals[3 * v + c];
    }
    return result;
}

/** Sums of the triangles' cross products over the vertices of each group. */
function faceNormals(x: Float32Array, indices: Uint32Array, groupOfVertex: Uint32Array): Float32Array {
    const sums = new Float32Array(x.length);
    for (let i = 0; i < indices.length; i += 3) {
        const a = 3 * indices[i],
            b = 3 * indices[i + 1],
            c = 3 * indices[i + 2];
        const ux = x[b] - x[a],
            uy = x[b + 1] - x[a + 1],
            uz = x[b + 2] - x[a + 2];
        const vx = x[c] - x[a],
            vy = x[c + 1] - x[a + 1],
            vz = x[c + 2] - x[a + 2];
        for (let k = 0; k < 3; k++) {
            const o = 3 * groupOfVertex[indices[i + k]];
            sums[o] += uy * vz - uz * vy;
            sums[o + 1] += uz * vx - ux * vz;
            sums[o + 2] += ux * vy - uy * vx;
        }
    }
    return sums;
}

function dot(a: Float32Array, v: number, b: Float32Array, w: number): number {
    return a[3 * v] * b[3 * w] + a[3 * v + 1] * b[3 * w + 1] + a[3 * v + 2] * b[3 * w + 2];
}
