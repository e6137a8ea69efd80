import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { identity, invert } from "../solver/affine";
import type { Affine } from "../solver/affine";

/** Vertices of a sphere lie at 1 in its unit frame within… */
const SPHERE_TOLERANCE = 0.02;
/** …and triangle centres of a coarse one not below… */
const COARSE_SPHERE = 0.75;
/** A mesh is flat when its thinnest extent is below this share of its widest. */
const FLATNESS = 1e-4;
/** Triangles of a rectangle cover it once or, double-sided, twice, within this share. */
const COVERAGE_TOLERANCE = 0.01;

const POSITION = "position";
const NORMAL = "normal";

/** Half extents and centre of the local geometry. */
interface Box { half: number[]; centre: number[] }

/**
 * The collider shape that a mesh's geometry shows: all vertices on an ellipsoid, or all triangles in one rectangle.
 * @throws RangeError when it is neither
 */
export function inferShape(mesh: AbstractMesh): "sphere" | "plane" {
    const positions = positionsOf(mesh);
    const indices = indicesOf(mesh, positions);
    const box = boxOf(positions);
    const isFlat = Math.min(...box.half) <= Math.max(...box.half) * FLATNESS;
    if (isFlat && isRectangle(positions, indices, box)) return "plane";
    if (!isFlat && isSphere(positions, indices, box)) return "sphere";
    throw new RangeError(
        `ClothBehavior: addCollider: the shape of "${mesh.name}" must be a sphere or a flat rectangle, or be given as `
        + `options.shape ("sphere" or "plane"); its geometry is neither`);
}

/** Map from the shape's unit frame to mesh-local space: unit sphere, or [-1, 1]² at z = 0 with its front at +z. */
export function unitToLocal(mesh: AbstractMesh, shape: "sphere" | "plane"): Affine {
    const positions = positionsOf(mesh);
    const box = boxOf(positions);
    const { half, centre } = box;
    const map = identity();
    for (let i = 0; i < 3; i++) map[12 + i] = centre[i];
    if (shape === "sphere") {
        const axes = ellipsoidOf(positions, box) ?? half;
        for (let i = 0; i < 3; i++) map[5 * i] = axes[i];
        return map;
    }
    const thin = half.indexOf(Math.min(...half));
    const front = meanNormal(mesh)[thin] < 0 ? -1 : 1;
    const [u, v] = [0, 1, 2].filter((axis) => axis !== thin);
    for (let row = 0; row < 3; row++) for (let c = 0; c < 3; c++) map[4 * row + c] = 0;
    map[u] = half[u];
    map[4 + v] = half[v];
    map[8 + thin] = front;
    return map;
}

function positionsOf(mesh: AbstractMesh): ArrayLike<number> {
    const positions = mesh.getVerticesData?.(POSITION);
    if (!positions || positions.length === 0) {
        throw new RangeError(`ClothBehavior: addCollider: "${mesh.name}" must have vertices, got none`);
    }
    return positions;
}

/** Vertices of the triangles; of an unindexed mesh, all in order. */
function indicesOf(mesh: AbstractMesh, positions: ArrayLike<number>): ArrayLike<number> {
    const indices = mesh.getIndices();
    return indices && indices.length > 0 ? indices : Uint32Array.from({ length: positions.length / 3 }, (_, i) => i);
}

function boxOf(positions: ArrayLike<number>): Box {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < positions.length; i++) {
        const axis = i % 3;
        if (positions[i] < low[axis]) low[axis] = positions[i];
        if (positions[i] > high[axis]) high[axis] = positions[i];
    }
    return { half: low.map((l, i) => (high[i] - l) / 2), centre: low.map((l, i) => (high[i] + l) / 2) };
}

function isSphere(positions: ArrayLike<number>, indices: ArrayLike<number>, box: Box): boolean {
    const axes = ellipsoidOf(positions, box);
    if (!axes) return false;
    for (let i = 0; i + 2 < indices.length; i += 3) {
        const middle = [0, 1, 2].map((axis) =>
            (positions[3 * indices[i] + axis] + positions[3 * indices[i + 1] + axis] + positions[3 * indices[i + 2] + axis]) / 3);
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
    for (let i = 0; i < positions.length; i += 3) {
        const q = [0, 1, 2].map((axis) => ((positions[i + axis] - centre[axis]) / half[axis]) ** 2);
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
function radius(x: ArrayLike<number>, offset: number, centre: number[], axes: number[]): number {
    return Math.hypot((x[offset] - centre[0]) / axes[0], (x[offset + 1] - centre[1]) / axes[1], (x[offset + 2] - centre[2]) / axes[2]);
}

/** Whether the triangles of a flat mesh cover its box, once or on both sides. */
function isRectangle(positions: ArrayLike<number>, indices: ArrayLike<number>, { half }: Box): boolean {
    const thin = half.indexOf(Math.min(...half));
    const [u, v] = [0, 1, 2].filter((axis) => axis !== thin);
    let area = 0;
    for (let i = 0; i + 2 < indices.length; i += 3) {
        const a = 3 * indices[i], b = 3 * indices[i + 1], c = 3 * indices[i + 2];
        const ux = positions[b + u] - positions[a + u], uy = positions[b + v] - positions[a + v];
        const vx = positions[c + u] - positions[a + u], vy = positions[c + v] - positions[a + v];
        area += 0.5 * Math.abs(ux * vy - uy * vx);
    }
    const coverage = area / (4 * half[u] * half[v]);
    return [1, 2].some((sides) => Math.abs(coverage - sides) <= COVERAGE_TOLERANCE * sides);
}

/** Sum of the authored normals: which side is the front. */
function meanNormal(mesh: AbstractMesh): number[] {
    const sum = [0, 0, 0];
    const normals = mesh.getVerticesData(NORMAL);
    if (normals) for (let i = 0; i < normals.length; i++) sum[i % 3] += normals[i];
    return sum;
}
