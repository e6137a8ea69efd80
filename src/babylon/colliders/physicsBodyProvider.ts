import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { reject } from "../../engine/index";
import type { ColliderOptions, MeshShape } from "./colliderOptions";
import { isFlatMesh } from "./shapeInference";
import { meshProviders } from "./meshProvider";
import type { ShapeProvider, ShapeProviders } from "./shapeProvider";

/** The shapes of PhysicsShapeType, in its order; null: many, each as its mesh shows. */
const SHAPE_OF_TYPE: readonly (MeshShape | null)[] = ["sphere", "capsule", "cylinder", "box", "hull", null, "mesh", "mesh"];

/**
 * A body of Babylon's physics, as the shape of its type around the geometry of its node; sizes cannot be asked of it. What is made of
 * several, or has no geometry of its own, is the meshes below it, each as it shows itself.
 * @throws RangeError on a body that is gone, or has no geometry to show its size
 */
export function physicsBodyProviders(body: PhysicsBody, options: ColliderOptions, owner: string): ShapeProviders {
    if (body.isDisposed) reject(owner, "source", "a physics body that is not disposed", body.transformNode.name);
    const node = body.transformNode as AbstractMesh;
    const type = body.shape ? SHAPE_OF_TYPE[body.shape.type] : undefined;
    if (type !== null && hasGeometry(node)) {
        // A body may be a box around a ground, of no thickness: what it is, its mesh shows.
        const own = type && !isFlatMesh(node, owner) ? type : undefined;
        const source = meshProviders(node, { ...options, shape: options.shape ?? own }, owner);
        return combineProviders(body, [source], source.shape);
    }
    const meshes = [node, ...node.getChildMeshes(false)].filter((mesh) => hasGeometry(mesh) && belongsTo(body, mesh));
    if (meshes.length === 0) reject(owner, "source", "a physics body with geometry, on its node or below", node.name);
    const all = meshes.map((mesh) => meshProviders(mesh, options, owner));
    return combineProviders(body, all, all.length === 1 ? all[0].shape : "compound");
}

/** The sources of a body's meshes as one, without those whose mesh is gone. */
function combineProviders(body: PhysicsBody, all: ShapeProviders[], shape: string): ShapeProviders {
    const partsOf = (): ShapeProvider[] => all.flatMap(({ list }) => list);
    const sources = {
        shape,
        list: partsOf(),
        isDisposed: () => body.isDisposed,
        review(): boolean {
            let hasChanged = false;
            for (let i = all.length - 1; i >= 0; i--) {
                const isGone = all[i].isDisposed();
                if (isGone) all.splice(i, 1);
                else if (!all[i].review?.()) continue;
                hasChanged = true;
            }
            if (hasChanged) sources.list = partsOf();
            return hasChanged;
        },
    };
    return sources;
}

function hasGeometry(node: AbstractMesh): boolean {
    return typeof node.getTotalVertices === "function" && node.getTotalVertices() > 0;
}

/** True if a mesh below a body's node has no body of its own. */
function belongsTo(body: PhysicsBody, mesh: AbstractMesh): boolean {
    const own = (mesh as { physicsBody?: PhysicsBody | null }).physicsBody;
    return !own || own === body;
}
