import type { MeshData } from "./meshData";
import type { Weld } from "./weld";

/** A triangle whose doubled area is below this share of its longest edge squared has no area. */
const SLIVER = 1e-6;
/** Below this cosine between a triangle and its corners' normals, the normals do not tell which side is out. */
const UNDECIDED = 0.01;

/** The triangles that have an area, and the particles at their corners. */
export interface Faces {
    readonly faceCount: number;
    /** Vertices of each face, shape [faceCount, 3], wound so that (b-a)×(c-a) points along the authored normals. */
    readonly corners: Uint32Array;
    readonly particleCount: number;
    /** Particle of each vertex, shape [vertexCount]. */
    readonly particleOfVertex: Uint32Array;
    /** The vertex that gives each particle its place, shape [particleCount]. */
    readonly vertexOfParticle: Uint32Array;
    /** Vertices without a particle of their own; see {@link findFaces}. */
    readonly riders: readonly number[];
}

/**
 * Drops the triangles without area, winds the others right side out, and numbers their particles by first vertex.
 *
 * A vertex of no such triangle has no particle of its own: nothing is drawn at it. It rides on a particle of the degenerate
 * triangle that it belongs to, so that this triangle stays without area, else on the first particle.
 */
export function findFaces(data: MeshData, { placeCount, placeOfVertex, vertexOfPlace }: Weld): Faces {
    const { positions: x, normals, indices } = data;
    const corners = new Uint32Array(indices.length);
    const undecided: number[] = [];
    const particleOfPlace = new Int32Array(placeCount).fill(-1);
    let end = 0;
    let votes = 0;
    for (let i = 0; i < indices.length; i += 3) {
        const a = indices[i],
            b = indices[i + 1],
            c = indices[i + 2];
        const pa = placeOfVertex[a],
            pb = placeOfVertex[b],
            pc = placeOfVertex[c];
        if (pa === pb || pb === pc || pc === pa) {
            continue;
        }
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
        if (!(area > SLIVER * longest)) {
            continue;
        }
        let flip = false;
        if (normals) {
            const out =
                nx * (normals[3 * a] + normals[3 * b] + normals[3 * c]) +
                ny * (normals[3 * a + 1] + normals[3 * b + 1] + normals[3 * c + 1]) +
                nz * (normals[3 * a + 2] + normals[3 * b + 2] + normals[3 * c + 2]);
            flip = out < 0;
            if (Math.abs(out) > UNDECIDED * area) {
                votes += out > 0 ? 1 : -1;
            } else {
                undecided.push(end);
                flip = false;
            }
        }
        corners[end] = a;
        corners[end + 1] = flip ? c : b;
        corners[end + 2] = flip ? b : c;
        end += 3;
        particleOfPlace[pa] = particleOfPlace[pb] = particleOfPlace[pc] = 0;
    }
    if (votes < 0) {
        for (const o of undecided) {
            const b = corners[o + 1];
            corners[o + 1] = corners[o + 2];
            corners[o + 2] = b;
        }
    }

    let particleCount = 0;
    const vertexOfParticle = new Uint32Array(placeCount);
    for (let p = 0; p < placeCount; p++) {
        if (particleOfPlace[p] === 0) {
            vertexOfParticle[particleCount] = vertexOfPlace[p];
            particleOfPlace[p] = particleCount++;
        }
    }
    const riders: number[] = [];
    for (let v = 0; v < placeOfVertex.length; v++) {
        if (particleOfPlace[placeOfVertex[v]] < 0) riders.push(v);
    }
    if (riders.length > 0) {
        seatRiders(indices, placeOfVertex, particleOfPlace);
    }
    return {
        faceCount: end / 3,
        corners: corners.slice(0, end),
        particleCount,
        particleOfVertex: placeOfVertex.map((place) => particleOfPlace[place]),
        vertexOfParticle: vertexOfParticle.slice(0, particleCount),
        riders,
    };
}

/** Gives every place without a particle (-1) one to ride on. */
function seatRiders(indices: Uint32Array, placeOfVertex: Uint32Array, particleOfPlace: Int32Array): void {
    let missing = true;
    while (missing) {
        missing = false;
        for (let i = 0; i < indices.length; i += 3) {
            const a = placeOfVertex[indices[i]],
                b = placeOfVertex[indices[i + 1]],
                c = placeOfVertex[indices[i + 2]];
            const seat = Math.max(particleOfPlace[a], particleOfPlace[b], particleOfPlace[c]);
            if (seat < 0) continue;
            if (Math.min(particleOfPlace[a], particleOfPlace[b], particleOfPlace[c]) < 0) {
                missing = true;
                if (particleOfPlace[a] < 0) particleOfPlace[a] = seat;
                if (particleOfPlace[b] < 0) particleOfPlace[b] = seat;
                if (particleOfPlace[c] < 0) particleOfPlace[c] = seat;
            }
        }
    }
    for (let p = 0; p < particleOfPlace.length; p++) {
        if (particleOfPlace[p] < 0) particleOfPlace[p] = 0;
    }
}

/**
 * The triangles of the simulated sheet: each set of three particles once (the back of a double-sided mesh is the same
 * cloth), in the faces' order and winding.
 * @returns shape [triangleCount, 3]
 */
export function simulatedTriangles({ corners, particleOfVertex }: Faces): Uint32Array {
    return uniqueTriangles(corners.map((vertex) => particleOfVertex[vertex]));
}

/**
 * Each set of three corners once, the first of each, in its own winding.
 * @param corners shape [n, 3]
 */
export function uniqueTriangles(corners: Uint32Array): Uint32Array {
    let bits = 4;
    while (1 << bits < (corners.length / 3) * 2) bits++;
    const mask = (1 << bits) - 1;
    const slots = new Int32Array(1 << bits).fill(-1);
    const triangles = new Uint32Array(corners.length);
    const sorted = new Uint32Array(corners.length);
    let end = 0;
    for (let f = 0; f < corners.length; f += 3) {
        const a = corners[f],
            b = corners[f + 1],
            c = corners[f + 2];
        const low = Math.min(a, b, c),
            high = Math.max(a, b, c),
            middle = a + b + c - low - high;
        let h = Math.imul(low, 0x9e3779b1) ^ Math.imul(middle, 0x85ebca77) ^ Math.imul(high, 0xc2b2ae3d);
        h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
        let slot = (h ^ (h >>> 13)) & mask;
        let known = slots[slot];
        while (known >= 0 && (sorted[known] !== low || sorted[known + 1] !== middle || sorted[known + 2] !== high)) {
            slot = (slot + 1) & mask;
            known = slots[slot];
        }
        if (known >= 0) {
            continue;
        }
        slots[slot] = end;
        sorted[end] = low;
        sorted[end + 1] = middle;
        sorted[end + 2] = high;
        triangles[end] = a;
        triangles[end + 1] = b;
        triangles[end + 2] = c;
        end += 3;
    }
    return triangles.slice(0, end);
}
