import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { identity, invert } from "../../solver/affine";
import type { Affine } from "../../solver/affine";
import { reject } from "../../solver/validate";

/** Vertices of a sphere lie at 1 in its unit frame within… */
const SPHERE_TOLERANCE = 0.02;
/** …and triangle centres of a coarse one not below… */
const COARSE_SPHERE = 0.75;
/** A mesh is flat when its thickness is below this share of its width… */
const FLATNESS = 1e-4;
/** …and may be told to be a plane below this one. */
const TOLD_FLATNESS = 1e-2;
/** Triangles of a rectangle cover it once or, double-sided, twice, within this share. */
const COVERAGE_TOLERANCE = 0.01;

const POSITION = "position";
const NORMAL = "normal";

/** Shapes that a mesh can have. */
export const meshShapes = ["sphere", "plane"] as const;

/** Name of a shape that a mesh can have. */
export type MeshShape = (typeof meshShapes)[number];

type Vector = readonly [number, number, number];

/** Half extents and centre of the local geometry. */
interface Box {
    half: number[];
    centre: number[];
}

/** The smallest rectangle around a mesh, in the plane of its largest triangle. */
interface Rectangle {
    /** Unit edges and normal; u × v = normal. */
    axes: readonly [Vector, Vector, Vector];
    /** Half extents along the axes. */
    half: Vector;
    centre: Vector;
}

/**
 * The collider shape that a mesh's geometry shows: all vertices on an ellipsoid, or all triangles in one rectangle.
 * @throws RangeError when it is neither
 */
export function inferShape(mesh: AbstractMesh): MeshShape {
    const positions = positionsOf(mesh);
    const indices = indicesOf(mesh, positions);
    const rectangle = rectangleOf(positions, indices);
    if (isFlat(rectangle, FLATNESS)) {
        if (isCovered(positions, indices, rectangle!)) return "plane";
    } else if (isSphere(positions, indices, boxOf(positions))) return "sphere";
    throw new RangeError(
        `ClothBehavior: addCollider: the shape of "${mesh.name}" must be a sphere or a flat rectangle, or be given as ` +
            `options.shape ("sphere" or "plane"); its geometry is neither`,
    );
}

/**
 * Map from the shape's unit frame to mesh-local space: unit sphere, or [-1, 1]² at z = 0 with its front at +z.
 * @throws RangeError when a mesh that is not flat is to be a plane
 */
export function unitToLocal(mesh: AbstractMesh, shape: MeshShape): Affine {
    const positions = positionsOf(mesh);
    const map = identity();
    if (shape === "sphere") {
        const box = boxOf(positions);
        const axes = ellipsoidOf(positions, box) ?? box.half;
        for (let i = 0; i < 3; i++) {
            map[5 * i] = axes[i];
            map[12 + i] = box.centre[i];
        }
        return map;
    }
    const rectangle = rectangleOf(positions, indicesOf(mesh, positions));
    if (!isFlat(rectangle, TOLD_FLATNESS)) reject("ClothBehavior: addCollider", "source", 'flat to be a "plane"', mesh.name);
    const {
        axes: [u, v, normal],
        half,
        centre,
    } = rectangle!;
    // Seen from behind, u and v change places.
    const isFront = dot(normal, frontOf(mesh, normal)) > 0;
    map.set(scaled(isFront ? u : v, half[isFront ? 0 : 1]), 0);
    map.set(scaled(isFront ? v : u, half[isFront ? 1 : 0]), 4);
    map.set(scaled(normal, isFront ? 1 : -1), 8);
    map.set(centre, 12);
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
        const middle = [0, 1, 2].map(
            (axis) =>
                (positions[3 * indices[i] + axis] + positions[3 * indices[i + 1] + axis] + positions[3 * indices[i + 2] + axis]) /
                3,
        );
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
    return Math.hypot(
        (x[offset] - centre[0]) / axes[0],
        (x[offset + 1] - centre[1]) / axes[1],
        (x[offset + 2] - centre[2]) / axes[2],
    );
}

/** Null where no triangle has an area. */
function rectangleOf(positions: ArrayLike<number>, indices: ArrayLike<number>): Rectangle | null {
    const corner = (i: number): Vector => [positions[3 * indices[i]], positions[3 * indices[i] + 1], positions[3 * indices[i] + 2]];
    let largest = 0;
    let normal: Vector = [0, 0, 0];
    let edges: Vector[] = [];
    for (let i = 0; i + 2 < indices.length; i += 3) {
        const [a, b, c] = [corner(i), corner(i + 1), corner(i + 2)];
        const twice = cross(minus(b, a), minus(c, a));
        const area = Math.hypot(...twice);
        if (!(area > largest)) continue;
        largest = area;
        normal = scaled(twice, 1 / area);
        edges = [minus(b, a), minus(c, b), minus(a, c)];
    }
    if (!(largest > 0)) return null;
    // A mesh along its own axes keeps to them, whatever its triangles.
    for (let axis = 0; axis < 3; axis++) {
        if (Math.abs(normal[axis]) < 1 - 1e-9) continue;
        normal = [0, 1, 2].map((i) => (i === axis ? 1 : 0)) as unknown as Vector;
        edges.unshift([0, 1, 2].map((i) => (i === (axis + 1) % 3 ? 1 : 0)) as unknown as Vector);
    }
    let best: Rectangle | null = null;
    for (const edge of edges) {
        const u = scaled(edge, 1 / Math.hypot(...edge));
        const rectangle = measured(positions, [u, cross(normal, u), normal]);
        if (!best || areaOf(rectangle) < areaOf(best) * (1 - 1e-4)) best = rectangle;
    }
    return best;
}

/** The box of the positions along the given axes. */
function measured(positions: ArrayLike<number>, axes: Rectangle["axes"]): Rectangle {
    const half: number[] = [];
    let centre: Vector = [0, 0, 0];
    for (const axis of axes) {
        let low = Infinity;
        let high = -Infinity;
        for (let i = 0; i < positions.length; i += 3) {
            const x = positions[i] * axis[0] + positions[i + 1] * axis[1] + positions[i + 2] * axis[2];
            low = Math.min(low, x);
            high = Math.max(high, x);
        }
        half.push((high - low) / 2);
        centre = minus(centre, scaled(axis, -(high + low) / 2));
    }
    return { axes, half: half as unknown as Vector, centre };
}

const areaOf = ({ half }: Rectangle): number => 4 * half[0] * half[1];

/** Whether the thickness is no more than a share of the width. */
function isFlat(rectangle: Rectangle | null, share: number): boolean {
    return rectangle !== null && rectangle.half[2] <= share * Math.max(rectangle.half[0], rectangle.half[1]);
}

/** Whether the triangles of a flat mesh cover its rectangle, once or on both sides. */
function isCovered(positions: ArrayLike<number>, indices: ArrayLike<number>, rectangle: Rectangle): boolean {
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
function frontOf(mesh: AbstractMesh, normal: Vector): Vector {
    const sum: [number, number, number] = [0, 0, 0];
    const normals = mesh.getVerticesData(NORMAL);
    if (normals) for (let i = 0; i < normals.length; i++) sum[i % 3] += normals[i];
    if (Math.abs(dot(sum, normal)) > 0) return sum;
    const largest = normal.reduce((best, x) => (Math.abs(x) > Math.abs(best) ? x : best), 0);
    return scaled(normal, largest);
}

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scaled = (a: Vector, s: number): Vector => [a[0] * s, a[1] * s, a[2] * s];
const cross = (a: Vector, b: Vector): Vector => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
