import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Affine } from "../../../solver/affine";
import type { Vector } from "../../../solver/vector";

/** The triangles of a mesh, in its local space. */
export interface Geometry {
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

/** How a shape is known from a mesh. */
export interface GeometryShape {
    /** What it is in the error of a mesh that shows no shape. */
    readonly title: string;
    /** Whether the geometry shows the shape. */
    isShownBy(geometry: Geometry): boolean;
    /**
     * Map from the shape's unit frame to mesh-local space.
     * @throws RangeError where the geometry cannot even be told to be the shape
     */
    unitToLocal(geometry: Geometry): Affine;
}

/** @throws RangeError where the mesh has no vertices */
export function geometryOf(mesh: AbstractMesh, owner: string): Geometry {
    const { name } = mesh;
    const positions = mesh.getVerticesData?.("position");
    if (!positions || positions.length === 0) {
        throw new RangeError(`${owner}: "${name}" must have vertices, got none`);
    }
    const own = mesh.getIndices();
    const indices = own && own.length > 0 ? own : Uint32Array.from({ length: positions.length / 3 }, (_, i) => i);
    return { owner, name, positions, indices, normals: mesh.getVerticesData("normal") };
}

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scaled = (a: Vector, s: number): Vector => [a[0] * s, a[1] * s, a[2] * s];
export const cross = (a: Vector, b: Vector): Vector => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
];
