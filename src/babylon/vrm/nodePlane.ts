import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { identity, isFiniteAffine, multiply } from "../../engine/index";
import type { Affine, Vector } from "../../engine/index";
import { customCopies, customProviders } from "../colliders/shapeProvider";
import { worldMatrixOf } from "../support/carriers";
import type { ColliderSource } from "../colliders/colliderOptions";
import type { CopiedHierarchy } from "../mesh/copiedHierarchy";

/** A plane that follows a node, as the source of a collider: solid behind it. @param offset a point of it, and its normal, in the node's space */
export function planeOnNode(node: TransformNode, offset: Vector, normal: Vector): ColliderSource {
    const source = { name: node.name };
    const toLocal = identity();
    const world = identity();
    const length = Math.hypot(...normal) || 1;
    const n = normal.map((x) => x / length);
    const least = n.map(Math.abs).indexOf(Math.min(...n.map(Math.abs)));
    const across = [0, 1, 2].map((c) => (c === least ? 1 : 0) - n[least] * n[c]);
    const scale = 1 / Math.hypot(...across);
    for (let c = 0; c < 3; c++) {
        const [a, b] = [(c + 1) % 3, (c + 2) % 3];
        toLocal[c] = across[c] * scale;
        toLocal[4 + c] = (n[a] * across[b] - n[b] * across[a]) * scale;
        toLocal[8 + c] = n[c];
        toLocal[12 + c] = offset[c];
    }
    const readPose = (pose: Affine): boolean => {
        world.set(worldMatrixOf(node));
        multiply(toLocal, world, pose);
        if (!isFiniteAffine(pose)) return false;
        // The normal of the plane through its axes, on the side of the node's: scales and shears move it otherwise.
        const z = [pose[8], pose[9], pose[10]];
        for (let c = 0; c < 3; c++) {
            const [a, b] = [(c + 1) % 3, (c + 2) % 3];
            pose[8 + c] = pose[a] * pose[4 + b] - pose[b] * pose[4 + a];
        }
        const side = Math.sign(z[0] * pose[8] + z[1] * pose[9] + z[2] * pose[10]) || 1;
        for (let c = 0; c < 3; c++) pose[8 + c] *= side;
        return true;
    };
    customProviders.set(source, () => ({
        shape: "halfSpace",
        list: [{ shape: "halfSpace", form: [], fit: toLocal, carrier: node, readPose }],
        isDisposed: () => node.isDisposed(),
    }));
    customCopies.set(source, (hierarchy: CopiedHierarchy) => {
        const copy = hierarchy.copyOf(node) as TransformNode | null;
        return copy && planeOnNode(copy, offset, normal);
    });
    return source as unknown as ColliderSource;
}
