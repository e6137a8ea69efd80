import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { reject, scale, subtract } from "../../../engine/index";
import type { Affine, Vector } from "../../../engine/index";
import { LINE_CLASSES } from "../../mesh/readMesh";

/** Flatness: a mesh that measures no more than this share of its size along an axis is no solid. */
const FLATNESS_TOLERANCE = 1e-6;

/** The triangles of a mesh, in its local space. */
export interface ShapeGeometry {
    /** Whom errors name. */
    readonly owner: string;
    /** Name of the mesh, for errors. */
    readonly name: string;
    /** Shape [vertexCount, 3]. */
    readonly positions: ArrayLike<number>;
    /** Vertices of the triangles; of an unindexed mesh, all in order. */
    readonly indices: ArrayLike<number>;
    /** As authored, shape [vertexCount, 3]. */
    readonly normals: ArrayLike<number> | null;
}

/** Fit of a shape to a mesh. */
export interface ShapeFit {
    /** Map from the shape's unit frame to mesh-local space. */
    readonly toLocal: Affine;
    /** Numbers that say which of its shape it is, see shapes/registry.ts. */
    readonly form: ArrayLike<number>;
}

/** Test and fit of one shape. */
export interface GeometryShape {
    /** True if the geometry shows the shape. */
    matches(geometry: ShapeGeometry): boolean;
    /** Fits the shape around the geometry. @throws RangeError where the geometry cannot even be told to be the shape */
    fit(geometry: ShapeGeometry): ShapeFit;
}

/** @throws RangeError where the mesh has no vertices, or draws lines */
export function geometryOf(mesh: AbstractMesh, owner: string): ShapeGeometry {
    const { name } = mesh;
    const positions = mesh.getVerticesData?.("position");
    if (!positions || positions.length === 0) {
        throw new RangeError(`${owner}: "${name}" must have vertices, got none`);
    }
    if (LINE_CLASSES.includes(mesh.getClassName())) reject(owner, "source", "a mesh made of triangles", name);
    const own = mesh.getIndices();
    const indices = own && own.length > 0 ? own : Uint32Array.from({ length: positions.length / 3 }, (_, i) => i);
    return { owner, name, positions, indices, normals: mesh.getVerticesData("normal") };
}

/** Three unit directions, each across the others. */
export type Axes = readonly [Vector, Vector, Vector];

export const LOCAL_AXES: Axes = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
];

/** The box around positions along some axes. */
export interface Box {
    readonly axes: Axes;
    /** Half extents along the axes. */
    readonly half: Vector;
    readonly centre: Vector;
}

/** @param positions shape [vertexCount, 3] */
export function boxAlong(positions: ArrayLike<number>, axes: Axes): Box {
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
        centre = subtract(centre, scale(axis, -(high + low) / 2));
    }
    return { axes, half: half as unknown as Vector, centre };
}

/**
 * The box around a geometry along the local axes, of what is told to be a solid.
 * @throws RangeError where it is flat: what has no volume keeps nothing off
 */
export function solidBox({ owner, name, positions }: ShapeGeometry, shape: string): Box {
    const box = boxAlong(positions, LOCAL_AXES);
    if (isFlat(box)) reject(owner, "source", `a solid to be a "${shape}"`, name);
    return box;
}

export function isFlat({ half }: Box): boolean {
    return Math.min(...half) <= FLATNESS_TOLERANCE * Math.max(...half);
}

/** The `i`-th corner of all triangles. */
export function cornerOf({ positions, indices }: ShapeGeometry, i: number): Vector {
    const o = 3 * indices[i];
    return [positions[o], positions[o + 1], positions[o + 2]];
}

/** First index of the largest triangle; -1 if none has an area. */
export function largestTriangle(x: ArrayLike<number>, indices: ArrayLike<number>): number {
    let largest = 0;
    let start = -1;
    for (let i = 0; i + 2 < indices.length; i += 3) {
        const a = 3 * indices[i];
        const b = 3 * indices[i + 1];
        const c = 3 * indices[i + 2];
        const ux = x[b] - x[a];
        const uy = x[b + 1] - x[a + 1];
        const uz = x[b + 2] - x[a + 2];
        const vx = x[c] - x[a];
        const vy = x[c + 1] - x[a + 1];
        const vz = x[c + 2] - x[a + 2];
        const squared = (uy * vz - uz * vy) ** 2 + (uz * vx - ux * vz) ** 2 + (ux * vy - uy * vx) ** 2;
        if (!(squared > largest)) continue;
        largest = squared;
        start = i;
    }
    return start;
}
