import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { identity, isFiniteAffine, multiply } from "../../solver/affine";
import { reject } from "../../solver/validate";
import type { MeshShape } from "../clothOptions";
import { worldMatrixOf } from "../nodes";
import { inferShape, unitToLocal } from "./shapeInference";
import { OWNER } from "./source";
import type { Source } from "./source";

/**
 * A mesh, as the shape that its geometry shows or that it is told to have.
 * @throws RangeError on a node that cannot be a collider, or a geometry whose shape is not known
 */
export function meshSource(node: TransformNode, shape?: MeshShape): Source {
    if (node.isDisposed()) reject(OWNER, "source", "a node that is not disposed", node.name);
    const mesh = node as AbstractMesh;
    if (mesh.hasThinInstances) {
        const rule = "a mesh without thin instances (only one of them would count): use instances or clones";
        reject(OWNER, "source", rule, (mesh as Mesh).thinInstanceCount);
    }
    const chosen = shape ?? inferShape(mesh);
    const toLocal = unitToLocal(mesh, chosen);
    const world = identity();
    return {
        shape: chosen,
        fit: toLocal,
        isDisposed: () => mesh.isDisposed(),
        track(pose) {
            const matrix = worldMatrixOf(mesh);
            if (!isFiniteAffine(matrix)) return false;
            world.set(matrix);
            multiply(toLocal, world, pose);
            return true;
        },
    };
}
