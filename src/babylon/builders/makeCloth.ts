import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import type { Fabric, FabricName } from "../../engine/index";
import { ClothBehavior } from "../behaviors/clothBehavior";
import type { ColliderEntry, ColliderSource } from "../colliders/colliderOptions";
import type { PinOptions } from "../pins/pinHold";
import { checkList } from "../support/validation";
import { makeMesh } from "./babylonObjects";
import { clothOptionsOf, CONTACT_SHARE } from "./options";
import type { ClothBuilderOptions } from "./options";
import type { Sheet } from "./sheets";

/** A mesh that is cloth: what builders return. */
export interface ClothMesh extends Mesh {
    /** Its behavior, as `mesh.getBehaviorByName("Cloth")` gives it. */
    readonly cloth: ClothBehavior;
}

/** Description of a builder's cloth. */
export interface ClothPlan {
    readonly owner: string;
    readonly name: string;
    readonly options: ClothBuilderOptions;
    /** Default fabric. */
    readonly fabric: FabricName | Partial<Fabric>;
    readonly sheet: Sheet;
    /** Length of its edges [m]. */
    readonly edge: number;
    /** Pins, unless the user's options have some. */
    readonly pins: readonly PinOptions[];
    /** Nodes that the cloth hangs on or lies on; it collides with all meshes under them. */
    readonly colliderNodes: readonly (TransformNode | null)[];
    /** Other colliders that it keeps as far from. */
    readonly solids?: readonly ColliderSource[];
    /** Places the mesh. */
    place?(mesh: Mesh): void;
}

/** Creates mesh, material and behavior. If one of them fails, all are disposed. */
export function makeCloth(plan: ClothPlan, scene: Scene): ClothMesh {
    const { owner, name, options, fabric, sheet, edge } = plan;
    const settings = clothOptionsOf(owner, options, fabric, edge);
    const margin = CONTACT_SHARE * edge;
    const solids = plan.colliderNodes
        .flatMap((node): ColliderSource[] => (node ? meshesUnder(node) : []))
        .concat(plan.solids ?? [])
        .map((source): ColliderEntry => ({ source, margin }));
    const cloth = new ClothBehavior({
        pins: plan.pins,
        ...settings,
        colliders: [...solids, ...checkList(owner, "colliders", options.colliders ?? [])],
    });
    const mesh = makeMesh(name, sheet, scene);
    try {
        plan.place?.(mesh);
        mesh.addBehavior(cloth);
    } catch (error) {
        mesh.dispose(false, true);
        throw error;
    }
    // Placing the mesh before the first frame is not motion.
    cloth.teleport();
    return Object.assign(mesh, { cloth });
}

/** The meshes of a node and its descendants. */
export function meshesUnder(node: TransformNode): AbstractMesh[] {
    const all = [node as AbstractMesh, ...node.getChildMeshes(false)];
    return all.filter((mesh) => "getTotalVertices" in mesh && mesh.getTotalVertices() > 0);
}
