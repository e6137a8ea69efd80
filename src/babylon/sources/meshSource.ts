import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { identity, isFiniteAffine, multiply } from "../../solver/affine";
import type { Affine } from "../../solver/affine";
import { reject } from "../../solver/validate";
import type { MeshShape } from "../clothOptions";
import { worldMatrixOf } from "../nodes";
import { fitShape, inferShape } from "./shapeInference";
import { single } from "./source";
import type { Sources } from "./source";

/**
 * A mesh, as the shape that its geometry shows or that it is told to have.
 * @throws RangeError on a node that cannot be a collider, or a geometry whose shape is not known
 */
export function meshSource(node: TransformNode, shape: MeshShape | undefined, owner: string): Sources {
    if (node.isDisposed()) reject(owner, "source", "a node that is not disposed", node.name);
    const mesh = node as AbstractMesh;
    if (mesh.hasThinInstances) {
        const rule = "a mesh without thin instances (only one of them would count): use instances or clones";
        reject(owner, "source", rule, (mesh as Mesh).thinInstanceCount);
    }
    const chosen = shape ?? inferShape(mesh, owner);
    const { toLocal, form } = fitShape(mesh, chosen, owner);
    const world = identity();
    const source = {
        shape: chosen,
        form,
        fit: toLocal,
        track(pose: Affine) {
            const matrix = worldMatrixOf(mesh);
            if (!isFiniteAffine(matrix)) return false;
            world.set(matrix);
            multiply(toLocal, world, pose);
            return true;
        },
    };
    return single(source, () => mesh.isDisposed());
}
