import { cross, dot, identity, scale, subtract } from "../../../engine/index";
import type { Vector } from "../../../engine/index";
import { boxAlong, cornerOf, largestTriangle, LOCAL_AXES, solidBox } from "./shapeGeometry";
import type { Axes, Box, ShapeGeometry, GeometryShape } from "./shapeGeometry";

/** Vertices lie on the faces within this share of the box's size… */
const TOLERANCE = 1e-3;
/** …and the triangles cover the faces within this share, once or on both sides. */
const COVERAGE_TOLERANCE = 0.01;

/** All triangles in the six faces of a box. Its unit frame: [-1, 1]³. */
export const box: GeometryShape = {
    matches: (geometry) => find(geometry) !== null,
    fit(geometry) {
        const { axes, half, centre } = find(geometry) ?? solidBox(geometry, "box");
        const toLocal = identity();
        for (let i = 0; i < 3; i++) toLocal.set(scale(axes[i], half[i]), 4 * i);
        toLocal.set(centre, 12);
        return { toLocal, form: [] };
    },
};

/** The box that the geometry is, along its own axes or along its largest triangle; null: it is none. */
function find(geometry: ShapeGeometry): Box | null {
    const along = boxAlong(geometry.positions, LOCAL_AXES);
    if (isCovered(geometry, along)) return along;
    const axes = axesOfLargest(geometry);
    const turned = axes && boxAlong(geometry.positions, axes);
    return turned && isCovered(geometry, turned) ? turned : null;
}

/** Normal and a shorter edge of the largest triangle: half of a box's face has its right angle between those. */
function axesOfLargest(geometry: ShapeGeometry): Axes | null {
    const i = largestTriangle(geometry.positions, geometry.indices);
    if (i < 0) return null;
    const [a, b, c] = [cornerOf(geometry, i), cornerOf(geometry, i + 1), cornerOf(geometry, i + 2)];
    const edges = [subtract(b, a), subtract(c, b), subtract(a, c)].sort((e, f) => dot(e, e) - dot(f, f));
    const twice = cross(edges[0], edges[1]);
    const normal = scale(twice, 1 / Math.hypot(...twice));
    const u = scale(edges[1], 1 / Math.hypot(...edges[1]));
    return [u, cross(normal, u), normal];
}

/** True if each triangle lies in one face of the box, and they cover it. */
function isCovered(geometry: ShapeGeometry, { axes, half, centre }: Box): boolean {
    const size = Math.max(...half);
    if (!(Math.min(...half) > TOLERANCE * size)) return false;
    let area = 0;
    for (let i = 0; i + 2 < geometry.indices.length; i += 3) {
        const corners = [0, 1, 2].map((k) => subtract(cornerOf(geometry, i + k), centre));
        const heights = corners.map((corner) => axes.map((axis) => dot(corner, axis)) as unknown as Vector);
        const isInFace = [0, 1, 2].some((axis) =>
            [1, -1].some((side) => heights.every((h) => Math.abs(h[axis] - side * half[axis]) <= TOLERANCE * size)),
        );
        if (!isInFace) return false;
        area += Math.hypot(...cross(subtract(corners[1], corners[0]), subtract(corners[2], corners[0]))) / 2;
    }
    const faces = 8 * (half[0] * half[1] + half[1] * half[2] + half[2] * half[0]);
    return [1, 2].some((sides) => Math.abs(area / faces - sides) <= COVERAGE_TOLERANCE * sides);
}
