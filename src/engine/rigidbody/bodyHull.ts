import { cross, dot, subtract } from "../math/vector";
import type { Vector } from "../math/vector";

/** Convex hull for collisions between bodies, in the space of its points. */
export interface BodyHull {
    /** Shape [n, 3]. */
    readonly vertices: Float64Array;
    /** Indices of the corners among the points. */
    readonly corners: Uint32Array;
    /** Unit normals out, and the largest of normal · x, shape [m, 4]; none of a ball, which is one vertex. */
    readonly planes: Float64Array;
    /** Vertices of each edge, and the number of its direction, shape [e, 3]. */
    readonly edges: Uint16Array;
    /** Unit directions of the edges, shape [d, 3]. */
    readonly directions: Float64Array;
    /** The farthest vertex from the origin [m]. */
    readonly radius: number;
    /** The nearest plane to the origin [m]; Infinity of a ball. */
    readonly innerRadius: number;
}

/** Tolerance of coplanar points, as a share of the size. */
const COPLANAR_TOLERANCE = 1e-5;
/** Normals with a dot product above this are one, and directions. */
const PARALLEL_COSINE = 1 - 1e-6;

/** A surface may be so much off its hull, as a share of the size. */
const HULL_TOLERANCE = 1e-3;

interface Face {
    readonly corners: readonly [number, number, number];
    readonly normal: Vector;
    readonly offset: number;
}

/**
 * The hull of points that do not lie in a plane, one after the other, the farthest from the middle first: each takes away the faces that it sees, and joins their rim.
 * @param points shape [n, 3]; of one, a ball's middle
 */
export function bodyHullOf(points: ArrayLike<number>): BodyHull {
    const all: Vector[] = Array.from({ length: points.length / 3 }, (_, i) => [
        points[3 * i],
        points[3 * i + 1],
        points[3 * i + 2],
    ]);
    const radius = all.reduce((most, p) => Math.max(most, length(p)), 0);
    const flat = COPLANAR_TOLERANCE * radius;
    const order = all.map((_, i) => i).sort((a, b) => length(all[b]) - length(all[a]) || a - b);
    const faces = growHull(all, order, flat);
    const planes = planesOf(faces);
    const used = [...new Set(faces.flatMap(({ corners }) => corners))].sort((a, b) => a - b);
    const kept = faces.length > 0 ? used : order.slice(0, 1);
    const numberOf = new Map(kept.map((i, k) => [i, k]));
    const { edges, directions } = edgesOf(all, faces);
    return {
        vertices: Float64Array.from(kept.flatMap((i) => all[i])),
        corners: Uint32Array.from(kept),
        planes: Float64Array.from(planes.flatMap(({ normal, offset }) => [...normal, offset])),
        edges: Uint16Array.from(edges.flatMap(([a, b, d]) => [numberOf.get(a)!, numberOf.get(b)!, d])),
        directions: Float64Array.from(directions.flat()),
        radius,
        innerRadius: Math.min(...planes.map(({ offset }) => offset)),
    };
}

/** True if a closed surface of triangles of these points is their convex hull: no corner of the hull is above a triangle. @param triangles of points, from `first` on */
export function isConvex(
    { vertices, radius }: BodyHull,
    points: ArrayLike<number>,
    triangles: ArrayLike<number>,
    first: number,
): boolean {
    const at = (t: number): Vector => {
        const o = 3 * (triangles[t] - first);
        return [points[o], points[o + 1], points[o + 2]];
    };
    for (let t = 0; t < triangles.length; t += 3) {
        const face = faceOf([at(t), at(t + 1), at(t + 2)], 0, 1, 2);
        let [least, most] = [Infinity, -Infinity];
        for (let o = 0; o < vertices.length; o += 3) {
            const height = distanceToFace(face, [vertices[o], vertices[o + 1], vertices[o + 2]]);
            least = Math.min(least, height);
            most = Math.max(most, height);
        }
        // Wound either way.
        if (Math.min(most, -least) > HULL_TOLERANCE * radius) return false;
    }
    return true;
}

function growHull(all: readonly Vector[], order: readonly number[], flat: number): Face[] {
    let faces = firstFaces(all, order, flat);
    if (faces.length === 0) return faces;
    for (const i of order) {
        const seen = faces.filter((face) => distanceToFace(face, all[i]) > flat);
        if (seen.length === 0) continue;
        const rims = new Set(seen.flatMap(({ corners: [a, b, c] }) => [`${a} ${b}`, `${b} ${c}`, `${c} ${a}`]));
        faces = faces.filter((face) => !seen.includes(face));
        for (const { corners } of seen)
            for (let k = 0; k < 3; k++) {
                const [a, b] = [corners[k], corners[(k + 1) % 3]];
                if (!rims.has(`${b} ${a}`)) faces.push(faceOf(all, a, b, i));
            }
    }
    return faces.filter(({ normal }) => length(normal) > 0);
}

/** A tetrahedron of points that are far apart; none where all lie in a plane. */
function firstFaces(all: readonly Vector[], order: readonly number[], flat: number): Face[] {
    const a = order[0];
    const farthest = (of: (p: Vector) => number): number =>
        order.reduce((best, i) => (of(all[i]) > of(all[best]) + flat ? i : best), a);
    const b = farthest((p) => length(subtract(p, all[a])));
    const c = farthest((p) => length(cross(subtract(p, all[a]), subtract(all[b], all[a]))));
    const base = faceOf(all, a, b, c);
    const d = farthest((p) => Math.abs(distanceToFace(base, p)));
    const height = distanceToFace(base, all[d]);
    if (!(Math.abs(height) > flat)) return [];
    const [e, f] = height < 0 ? [b, c] : [c, b];
    return [faceOf(all, a, e, f), faceOf(all, a, d, e), faceOf(all, e, d, f), faceOf(all, f, d, a)];
}

function faceOf(all: readonly Vector[], a: number, b: number, c: number): Face {
    const twice = cross(subtract(all[b], all[a]), subtract(all[c], all[a]));
    const size = length(twice);
    const normal: Vector = size > 0 ? [twice[0] / size, twice[1] / size, twice[2] / size] : [0, 0, 0];
    return { corners: [a, b, c], normal, offset: dot(normal, all[a]) };
}

function distanceToFace({ normal, offset }: Face, p: Vector): number {
    return dot(normal, p) - offset;
}

/** The planes of the faces, each once. */
function planesOf(faces: readonly Face[]): Face[] {
    const planes: Face[] = [];
    for (const face of faces) if (!planes.some(({ normal }) => dot(normal, face.normal) > PARALLEL_COSINE)) planes.push(face);
    return planes;
}

/** Edges between faces of different planes, and their directions, each once. */
function edgesOf(all: readonly Vector[], faces: readonly Face[]): { edges: [number, number, number][]; directions: Vector[] } {
    const faceAt = new Map<string, Face>();
    for (const face of faces) for (let k = 0; k < 3; k++) faceAt.set(`${face.corners[k]} ${face.corners[(k + 1) % 3]}`, face);
    const edges: [number, number, number][] = [];
    const directions: Vector[] = [];
    for (const [key, face] of faceAt) {
        const [a, b] = key.split(" ").map(Number);
        const back = faceAt.get(`${b} ${a}`);
        if (a > b || !back || dot(back.normal, face.normal) > PARALLEL_COSINE) continue;
        const along = subtract(all[b], all[a]);
        const size = length(along);
        const unit: Vector = [along[0] / size, along[1] / size, along[2] / size];
        let d = directions.findIndex((known) => Math.abs(dot(known, unit)) > PARALLEL_COSINE);
        if (d < 0) d = directions.push(unit) - 1;
        edges.push([a, b, d]);
    }
    return { edges, directions };
}

function length(a: Vector): number {
    return Math.sqrt(dot(a, a));
}
