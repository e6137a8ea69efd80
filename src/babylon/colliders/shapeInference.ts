import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { isFiniteAffine, reject } from "../../engine/index";
import type { MeshShape } from "./colliderOptions";
import { box } from "./shapes/box";
import { capsule } from "./shapes/capsule";
import { cylinder } from "./shapes/cylinder";
import { ellipsoid } from "./shapes/ellipsoid";
import { boxAlong, geometryOf, isFlat, largestTriangle, LOCAL_AXES } from "./shapes/shapeGeometry";
import type { ShapeFit, GeometryShape } from "./shapes/shapeGeometry";
import { hull } from "./shapes/hull";
import { fitTriangles, mesh as triangles } from "./shapes/triangles";
import type { TriangleFit } from "./shapes/triangles";
import { rectangle } from "./shapes/quad";
import { OWNER } from "./shapeProvider";

/** Tests of the shapes that a mesh can have, in the order in which they are tried. */
const geometryShapes: Record<MeshShape, GeometryShape> = {
    sphere: ellipsoid,
    plane: rectangle,
    box,
    capsule,
    cylinder,
    hull,
    mesh: triangles,
};

/** Names of the shapes that a mesh can have. */
export const meshShapes = Object.keys(geometryShapes) as MeshShape[];

/**
 * The collider shape that a mesh's geometry shows; its triangles where it is no other.
 * @throws RangeError when it has no vertices
 */
export function inferShape(mesh: AbstractMesh, owner = OWNER): MeshShape {
    const geometry = geometryOf(mesh, owner);
    // Points alone are no solid, however they lie.
    if (largestTriangle(geometry.positions, geometry.indices) < 0) return "mesh";
    return meshShapes.find((name) => geometryShapes[name].matches(geometry))!;
}

/** True if a mesh is flat along one of its axes: no solid, whatever shape is asked for. */
export function isFlatMesh(mesh: AbstractMesh, owner = OWNER): boolean {
    return isFlat(boxAlong(geometryOf(mesh, owner).positions, LOCAL_AXES));
}

/** Fits a shape to a mesh. @throws RangeError when the mesh cannot be the shape */
export function fitShape(mesh: AbstractMesh, shape: MeshShape, owner = OWNER): ShapeFit {
    const fit = geometryShapes[shape].fit(geometryOf(mesh, owner));
    if (!isFiniteAffine(fit.toLocal)) reject(owner, "source", "a mesh of finite vertices", mesh.name);
    return fit;
}

/** Fits triangles to a mesh, with the vertices at their corners. @throws RangeError where there are none */
export function fitCorners(mesh: AbstractMesh, owner = OWNER): TriangleFit {
    return fitTriangles(geometryOf(mesh, owner));
}
