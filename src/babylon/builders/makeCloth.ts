import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { ClothBehavior } from "../clothBehavior";
import type { ColliderEntry, PinOptions } from "../bodyOptions";
import { checkList } from "../lists";
import { makeMesh } from "./babylonObjects";
import { clothOptionsOf, OWN_MARGIN } from "./options";
import type { BuilderDefaults, ClothBuilderOptions } from "./options";
import type { Sheet } from "./sheets";

/** A mesh that is cloth: what builders return. */
export interface ClothMesh extends Mesh {
    /** Its behavior, as `mesh.getBehaviorByName("Cloth")` gives it. */
    readonly cloth: ClothBehavior;
}

/** What a builder says of its cloth. */
export interface ClothPlan {
    readonly owner: string;
    readonly name: string;
    readonly options: ClothBuilderOptions;
    readonly defaults: BuilderDefaults;
    readonly sheet: Sheet;
    /** Length of its edges [m]. */
    readonly edge: number;
    /** What holds it, unless the user gives pins. */
    readonly pins: readonly PinOptions[];
    /** What it hangs on or lies on: nodes that it meets, with all meshes under them. */
    readonly colliderNodes: readonly (TransformNode | null)[];
    /** Places the mesh. */
    place?(mesh: Mesh): void;
}

/** Makes mesh, behavior and material; where one of them fails, nothing is left. */
export function makeCloth(plan: ClothPlan, scene: Scene): ClothMesh {
    const { owner, name, options, defaults, sheet, edge } = plan;
    const settings = clothOptionsOf(owner, options, defaults, edge);
    const margin = OWN_MARGIN * edge;
    const solids = plan.colliderNodes
        .flatMap((node) => (node ? meshesUnder(node) : []))
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
    // Where it is put before the first frame, there it begins.
    cloth.teleport();
    return Object.assign(mesh, { cloth });
}

/** The meshes that a node is or carries. */
export function meshesUnder(node: TransformNode): AbstractMesh[] {
    const all = [node as AbstractMesh, ...node.getChildMeshes(false)];
    return all.filter((mesh) => "getTotalVertices" in mesh && mesh.getTotalVertices() > 0);
}
