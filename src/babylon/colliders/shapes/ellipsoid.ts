import { identity, invert } from "../../../engine/index";
import type { Vector } from "../../../engine/index";
import { boxAlong, LOCAL_AXES, solidBox } from "./shapeGeometry";
import type { Box, ShapeGeometry, GeometryShape } from "./shapeGeometry";
import { isFlat } from "./quad";

/** Vertices of a sphere lie at 1 in its unit frame within… */
const SPHERE_TOLERANCE = 0.02;
/** …and triangle centres of a coarse one not below… */
const COARSE_SPHERE = 0.75;

/** All vertices on an ellipsoid along the local axes. Its unit frame: the unit sphere. */
export const ellipsoid: GeometryShape = {
    matches: (geometry) => !isFlat(geometry) && isEllipsoid(geometry),
    fit(geometry) {
        const map = identity();
        const box = solidBox(geometry, "sphere");
        const axes = ellipsoidOf(geometry.positions, box) ?? box.half;
        for (let i = 0; i < 3; i++) {
            map[5 * i] = axes[i];
            map[12 + i] = box.centre[i];
        }
        return { toLocal: map, form: [] };
    },
};

function isEllipsoid({ positions, indices }: ShapeGeometry): boolean {
    const box = boxAlong(positions, LOCAL_AXES);
    const axes = ellipsoidOf(positions, box);
    if (!axes) return false;
    const middle = [0, 0, 0];
    for (let i = 0; i + 2 < indices.length; i += 3) {
        const a = 3 * indices[i];
        const b = 3 * indices[i + 1];
        const c = 3 * indices[i + 2];
        for (let axis = 0; axis < 3; axis++) middle[axis] = (positions[a + axis] + positions[b + axis] + positions[c + axis]) / 3;
        if (!(radius(middle, 0, box.centre, axes) >= COARSE_SPHERE)) return false;
    }
    return true;
}

/**
 * Half axes of the ellipsoid along the local axes on which all vertices lie; null when they do not. The box is not enough:
 * a sphere of few segments need not have vertices where it is widest. Least squares of Σ (x_i / half axis_i)² = 1.
 */
function ellipsoidOf(positions: ArrayLike<number>, { half, centre }: Box): number[] | null {
    const normal = identity();
    const right = [0, 0, 0];
    normal[0] = normal[5] = normal[10] = 0;
    const q = [0, 0, 0];
    for (let i = 0; i < positions.length; i += 3) {
        for (let axis = 0; axis < 3; axis++) q[axis] = ((positions[i + axis] - centre[axis]) / half[axis]) ** 2;
        for (let r = 0; r < 3; r++) {
            right[r] += q[r];
            for (let c = 0; c < 3; c++) normal[4 * r + c] += q[r] * q[c];
        }
    }
    const inverse = identity();
    if (!invert(normal, inverse)) return null;
    const axes = half.map((h, c) => h / Math.sqrt(right[0] * inverse[c] + right[1] * inverse[4 + c] + right[2] * inverse[8 + c]));
    for (let i = 0; i < positions.length; i += 3) {
        if (!(Math.abs(radius(positions, i, centre, axes) - 1) <= SPHERE_TOLERANCE)) return null;
    }
    return axes;
}

/** Distance of the point x[offset..offset+2] from the centre in half axes. */
function radius(x: ArrayLike<number>, offset: number, centre: Vector, axes: number[]): number {
    const a = (x[offset] - centre[0]) / axes[0];
    const b = (x[offset + 1] - centre[1]) / axes[1];
    const c = (x[offset + 2] - centre[2]) / axes[2];
    return Math.sqrt(a * a + b * b + c * c);
}
