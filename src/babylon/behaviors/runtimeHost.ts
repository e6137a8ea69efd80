import type { Behavior } from "@babylonjs/core/Behaviors/behavior";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Observable } from "@babylonjs/core/Misc/observable";
import type { VectorLike } from "../../engine/index";
import type { CopiedHierarchy } from "../mesh/copiedHierarchy";
import type { Cloneable } from "./meshClones";
import type { ClothCollision } from "./types";

/** A wind whose zone may be on a node of a hierarchy that is copied. */
interface FollowingWind {
    _followCopy(hierarchy: CopiedHierarchy): FollowingWind;
}

/** Properties of the behavior that its runtime reads. */
export interface RuntimeHost extends Behavior<Mesh>, Cloneable {
    readonly attachedNode: Mesh | null;
    readonly onCollisionObservable: Observable<ClothCollision>;
    readonly autoStep: boolean;
    readonly enabled: boolean;
    readonly gravity: VectorLike | null;
    wind?: FollowingWind | null | undefined;
}

/** @throws Error where a behavior is on a mesh already, or another body is on this one */
export function checkFree(owner: string, own: RuntimeHost, mesh: Mesh): void {
    if (own.attachedNode) throw new Error(`${owner}: it can be on one mesh only; this one is on "${own.attachedNode.name}"`);
    for (const behavior of mesh.behaviors) {
        if (behavior !== own && "onCollisionObservable" in behavior && (behavior as RuntimeHost).attachedNode === mesh)
            throw new Error(`${owner}: a mesh can be one body only; "${mesh.name}" is one by its "${behavior.name}"`);
    }
}
