import { cross, dot, identity, reject, scale, subtract } from "../../../engine/index";
import type { Vector } from "../../../engine/index";
import { boxAlong, largestTriangle } from "./shapeGeometry";
import type { Box, ShapeGeometry, GeometryShape } from "./shapeGeometry";

/** A mesh is flat when its thickness is below this share of its width… */
const FLATNESS = 1e-4;
/** …and may be told to be a plane below this one. */
const FORCED_FLATNESS = 1e-2;
/** Triangles of a rectangle cover it once or, double-sided, twice, within this share. */
const COVERAGE_TOLERANCE = 0.01;

/** All triangles in one rectangle. Its unit frame: [-1, 1]² at z = 0 with its front at +z. */
export const rectangle: GeometryShape = {
    matches(geometry) {
        const { positions, indices } = geometry;
        return isFlat(geometry) && isCovered(positions, indices, rectangleOf(positions, indices)!);
    },
    fit({ owner, name, positions, indices, normals }) {
        const found = rectangleOf(positions, indices);
        if (!isThin(found, FORCED_FLATNESS)) reject(owner, "source", 'flat to be a "plane"', name);
        const {
            axes: [u, v, normal],
            half,
            centre,
        } = found!;
        // Seen from behind, u and v change places.
        const isFront = dot(normal, frontOf(normals, normal)) > 0;
        const map = identity();
        map.set(scale(isFront ? u : v, half[isFront ? 0 : 1]), 0);
        map.set(scale(isFront ? v : u, half[isFront ? 1 : 0]), 4);
        map.set(scale(normal, isFront ? 1 : -1), 8);
        map.set(centre, 12);
        return { toLocal: map, form: [] };
    },
};

/** True if all triangles lie in one plane. */
export function isFlat({ positions, indices }: ShapeGeometry): boolean {
    return isThin(rectangleOf(positions, indices), FLATNESS);
}

/** The smallest rectangle around a mesh, in the plane of its largest triangle: edges u, v and the normal. Null where no triangle has an area. */
function rectangleOf(positions: ArrayLike<number>, indices: ArrayLike<number>): Box | null {
    const corner = (i: number): Vector => [positions[3 * indices[i]], positions[3 * indices[i] + 1], positions[3 * indices[i] + 2]];
    const largest = largestTriangle(positions, indices);
    if (largest < 0) return null;
    const [a, b, c] = [corner(largest), corner(largest + 1), corner(largest + 2)];
    const twice = cross(subtract(b, a), subtract(c, a));
    let normal = scale(twice, 1 / Math.hypot(...twice));
    const edges = [subtract(b, a), subtract(c, b), subtract(a, c)];
    // A mesh along its own axes keeps to them, whatever its triangles.
    for (let axis = 0; axis < 3; axis++) {
        if (Math.abs(normal[axis]) < 1 - 1e-9) continue;
        normal = [0, 1, 2].map((i) => (i === axis ? 1 : 0)) as unknown as Vector;
        edges.unshift([0, 1, 2].map((i) => (i === (axis + 1) % 3 ? 1 : 0)) as unknown as Vector);
    }
    let best: Box | null = null;
    for (const edge of edges) {
        const u = scale(edge, 1 / Math.hypot(...edge));
        const rectangle = boxAlong(positions, [u, cross(normal, u), normal]);
        if (!best || areaOf(rectangle) < areaOf(best) * (1 - 1e-4)) best = rectangle;
    }
    return best;
}

const areaOf = ({ half }: Box): number => 4 * half[0] * half[1];

/** True if the thickness is no more than a share of the width. */
function isThin(rectangle: Box | null, share: number): boolean {
    return rectangle !== null && rectangle.half[2] <= share * Math.max(rectangle.half[0], rectangle.half[1]);
}

/** True if the triangles of a flat mesh cover its rectangle, once or on both sides. */
function isCovered(positions: ArrayLike<number>, indices: ArrayLike<number>, rectangle: Box): boolean {
    const [u, v] = rectangle.axes;
    let area = 0;
    for (let i = 0; i + 2 < indices.length; i += 3) {
        const [a, b, c] = [0, 1, 2].map((k) => {
            const o = 3 * indices[i + k];
            const p: Vector = [positions[o], positions[o + 1], positions[o + 2]];
            return [dot(p, u), dot(p, v)];
        });
        area += 0.5 * Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
    }
    const coverage = area / areaOf(rectangle);
    return [1, 2].some((sides) => Math.abs(coverage - sides) <= COVERAGE_TOLERANCE * sides);
}

/** The side that the authored normals show; without any, that of the normal's largest coordinate. */
function frontOf(normals: ArrayLike<number> | null, normal: Vector): Vector {
    const sum: [number, number, number] = [0, 0, 0];
    if (normals) for (let i = 0; i < normals.length; i++) sum[i % 3] += normals[i];
    if (Math.abs(dot(sum, normal)) > 0) return sum;
    const largest = normal.reduce((best, x) => (Math.abs(x) > Math.abs(best) ? x : best), 0);
    return scale(normal, largest);
}
