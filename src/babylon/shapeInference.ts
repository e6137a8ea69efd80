import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { identity } from "../solver/affine";
import type { Affine } from "../solver/affine";

/** Vertices and triangle centres of a sphere lie at 1 in its unit frame, within… */
const SPHERE_TOLERANCE = 0.02;
/** …and triangle centres of a coarse one not below… */
const COARSE_SPHERE = 0.75;
/** A mesh is flat when its thinnest extent is below this share of its widest. */
const FLATNESS = 1e-4;

const POSITION = "position";
const NORMAL = "normal";

/** Half extents and centre of the local geometry. */
interface Box { half: number[]; centre: number[] }

/**
 * The collider shape that a mesh's geometry shows: all vertices on an ellipsoid, or all in one rectangle.
 * @throws RangeError when it is neither
 */
export function inferShape(mesh: AbstractMesh): "sphere" | "plane" {
    const positions = positionsOf(mesh);
    const box = boxOf(positions);
    const widest = Math.max(...box.half);
    if (Math.min(...box.half) <= widest * FLATNESS) return "plane";
    if (isEllipsoid(positions, mesh.getIndices() ?? [], box)) return "sphere";
    throw new RangeError(
        `ClothBehavior: addCollider: the shape of "${mesh.name}" must be a sphere or a flat rectangle, or be given as `
        + `options.shape ("sphere" or "plane"); its geometry is neither`);
}

/** Map from the shape's unit frame to mesh-local space: unit sphere, or [-1, 1]² at z = 0 with its front at +z. */
export function unitToLocal(mesh: AbstractMesh, shape: "sphere" | "plane"): Affine {
    const positions = positionsOf(mesh);
    const { half, centre } = boxOf(positions);
    const map = identity();
    for (let i = 0; i < 3; i++) map[12 + i] = centre[i];
    if (shape === "sphere") {
        for (let i = 0; i < 3; i++) map[5 * i] = half[i];
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

function isEllipsoid(positions: ArrayLike<number>, indices: ArrayLike<number>, { half, centre }: Box): boolean {
    const radius = (x: number, y: number, z: number): number =>
        Math.hypot((x - centre[0]) / half[0], (y - centre[1]) / half[1], (z - centre[2]) / half[2]);
    for (let i = 0; i < positions.length; i += 3) {
        if (Math.abs(radius(positions[i], positions[i + 1], positions[i + 2]) - 1) > SPHERE_TOLERANCE) return false;
    }
    for (let i = 0; i + 2 < indices.length; i += 3) {
        const c = [0, 1, 2].map((axis) =>
            (positions[3 * indices[i] + axis] + positions[3 * indices[i + 1] + axis] + positions[3 * indices[i + 2] + axis]) / 3);
        if (radius(c[0], c[1], c[2]) < COARSE_SPHERE) return false;
    }
    return true;
}

/** Sum of the authored normals: which side is the front. */
function meanNormal(mesh: AbstractMesh): number[] {
    const sum = [0, 0, 0];
    const normals = mesh.getVerticesData(NORMAL);
    if (normals) for (let i = 0; i < normals.length; i++) sum[i % 3] += normals[i];
    return sum;
}
