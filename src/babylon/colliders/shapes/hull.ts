import { cross, dot, identity, scale, subtract, uniqueTriangles } from "../../../engine/index";
import type { Vector } from "../../../engine/index";
import { boxAlong, cornerOf, LOCAL_AXES, solidBox } from "./shapeGeometry";
import type { ShapeGeometry, GeometryShape } from "./shapeGeometry";

/** Most planes of a hull: each costs as much as a box's test. */
const MAX_PLANES = 64;
/** Vertices lie behind a face's plane within this share of the size. */
const TOLERANCE = 1e-3;
/** A polyhedron of few faces has fewer corners of triangles than this. */
const MAX_CORNERS = 1 << 16;
/** Normals with a dot product above this are one. */
const SAME_NORMAL_DOT = 1 - 1e-5;

/**
 * A convex polyhedron of few faces; what is told to be a hull, and is none or has too many faces, gets planes all around it.
 * Its unit frame: the local box becomes [-1, 1]³.
 */
export const hull: GeometryShape = {
    matches(geometry) {
        const normals = faceNormals(geometry);
        return normals !== null && isClosed(geometry) && normals.every((n) => isFace(geometry, n));
    },
    fit(geometry) {
        const { half, centre } = solidBox(geometry, "hull");
        const toLocal = identity();
        for (let i = 0; i < 3; i++) toLocal[5 * i] = half[i];
        toLocal.set(centre, 12);
        const faces = faceNormals(geometry)?.filter((n) => isFace(geometry, n)) ?? [];
        const normals = this.matches(geometry) ? faces : directions(MAX_PLANES);
        const form = normals.flatMap((n) => [n[0] * half[0], n[1] * half[1], n[2] * half[2], reach(geometry, n) - dot(n, centre)]);
        return { toLocal, form };
    },
};

/** The normals of all triangles, each once; null: more than a hull may have. */
function faceNormals(geometry: ShapeGeometry): Vector[] | null {
    const normals: Vector[] = [];
    for (let i = 0; i + 2 < geometry.indices.length; i += 3) {
        const twice = areaOf(geometry, i);
        const length = Math.hypot(...twice);
        if (!(length > 0)) continue;
        // Babylon's triangles face the side from which they are clockwise; which side is out, the vertices tell.
        const normal = scale(twice, 1 / length);
        const corner = cornerOf(geometry, i);
        const out = reach(geometry, normal) - dot(normal, corner) <= reach(geometry, scale(normal, -1)) + dot(normal, corner);
        const outward = out ? normal : scale(normal, -1);
        if (normals.some((n) => dot(n, outward) > SAME_NORMAL_DOT)) continue;
        normals.push(outward);
        if (normals.length > MAX_PLANES) return null;
    }
    return normals;
}

/** Cross product of a triangle's edges. */
function areaOf(geometry: ShapeGeometry, i: number): Vector {
    const a = cornerOf(geometry, i);
    return cross(subtract(cornerOf(geometry, i + 1), a), subtract(cornerOf(geometry, i + 2), a));
}

/** The farthest that the vertices come along a direction. */
function reach({ positions }: ShapeGeometry, n: Vector): number {
    let farthest = -Infinity;
    for (let i = 0; i < positions.length; i += 3) {
        farthest = Math.max(farthest, positions[i] * n[0] + positions[i + 1] * n[1] + positions[i + 2] * n[2]);
    }
    return farthest;
}

/** True if all triangles with this normal lie in the plane that the vertices reach. */
function isFace(geometry: ShapeGeometry, normal: Vector): boolean {
    const size = Math.max(...boxAlong(geometry.positions, LOCAL_AXES).half);
    const height = reach(geometry, normal);
    for (let i = 0; i + 2 < geometry.indices.length; i += 3) {
        const twice = areaOf(geometry, i);
        if (!(Math.abs(dot(twice, normal)) > SAME_NORMAL_DOT * Math.hypot(...twice)) || Math.hypot(...twice) === 0) continue;
        const depth = height - dot(cornerOf(geometry, i), normal);
        // On this face, or on one that is parallel to it on the other side.
        if (depth > TOLERANCE * size && Math.abs(depth - height - reach(geometry, scale(normal, -1))) > TOLERANCE * size)
            return false;
    }
    return true;
}

/** True if there is a volume, and every edge, by its places, is one of two triangles; the back of a double-sided mesh is the same surface. */
function isClosed(geometry: ShapeGeometry): boolean {
    const { half } = boxAlong(geometry.positions, LOCAL_AXES);
    const size = Math.max(...half);
    if (!(Math.min(...half) > TOLERANCE * size)) return false;
    const places = geometry.indices.length < MAX_CORNERS ? new Map<string, number>() : null;
    if (!places) return false;
    const placeOf = (i: number): number => {
        const key = cornerOf(geometry, i)
            .map((x) => Math.round(x / (1e-4 * size)))
            .join();
        if (!places.has(key)) places.set(key, places.size);
        return places.get(key)!;
    };
    const edges = new Map<number, number>();
    const all = Uint32Array.from({ length: geometry.indices.length - (geometry.indices.length % 3) }, (_, i) => placeOf(i));
    const triangles = uniqueTriangles(all);
    for (let i = 0; i < triangles.length; i += 3) {
        for (let k = 0; k < 3; k++) {
            const [a, b] = [triangles[i + k], triangles[i + ((k + 1) % 3)]];
            if (a === b) continue;
            const key = Math.min(a, b) * MAX_CORNERS + Math.max(a, b);
            edges.set(key, (edges.get(key) ?? 0) + 1);
        }
    }
    return [...edges.values()].every((count) => count % 2 === 0);
}

/** The axes both ways, and directions spread evenly over the sphere (golden spiral). */
function directions(count: number): Vector[] {
    const all: Vector[] = LOCAL_AXES.flatMap((axis) => [axis, scale(axis, -1)]);
    for (let i = 0; all.length < count; i++) {
        const z = 1 - (2 * i + 1) / (count - 6);
        const r = Math.sqrt(1 - z * z);
        const turn = i * Math.PI * (3 - Math.sqrt(5));
        all.push([r * Math.cos(turn), r * Math.sin(turn), z]);
    }
    return all;
}
