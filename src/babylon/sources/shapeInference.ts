import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Affine } from "../../solver/affine";
import type { MeshShape } from "../clothOptions";
import { ellipsoid } from "./shapes/ellipsoid";
import { geometryOf } from "./shapes/geometry";
import type { GeometryShape } from "./shapes/geometry";
import { rectangle } from "./shapes/rectangle";
import { OWNER } from "./source";

/** How the shapes that a mesh can have are known. */
const shapes: Record<MeshShape, GeometryShape> = { sphere: ellipsoid, plane: rectangle };

/** Names of the shapes that a mesh can have. */
export const meshShapes = Object.keys(shapes) as MeshShape[];

/**
 * The collider shape that a mesh's geometry shows.
 * @throws RangeError when it is none
 */
export function inferShape(mesh: AbstractMesh, owner = OWNER): MeshShape {
    const geometry = geometryOf(mesh, owner);
    const shown = meshShapes.find((name) => shapes[name].isShownBy(geometry));
    if (shown) return shown;
    const titles = meshShapes.map((name) => shapes[name].title).join(" or ");
    const names = meshShapes.map((name) => `"${name}"`).join(" or ");
    throw new RangeError(
        `${owner}: the shape of "${mesh.name}" must be ${titles}, or be given as options.shape (${names}); its geometry is neither`,
    );
}

/**
 * Map from the shape's unit frame to mesh-local space.
 * @throws RangeError when the mesh cannot be the shape
 */
export function unitToLocal(mesh: AbstractMesh, shape: MeshShape, owner = OWNER): Affine {
    return shapes[shape].unitToLocal(geometryOf(mesh, owner));
}
