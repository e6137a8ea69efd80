import type { Behavior } from "@babylonjs/core/Behaviors/behavior";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";

/** Adds each to its mesh, or, where one cannot be, none. @throws what that throws */
export function addBehaviors(entries: readonly { readonly mesh: Mesh; readonly cloth: Behavior<Mesh> }[]): void {
    let count = 0;
    try {
        for (const { mesh, cloth } of entries) {
            count++;
            mesh.addBehavior(cloth);
        }
    } catch (error) {
        for (const { mesh, cloth } of entries.slice(0, count)) mesh.removeBehavior(cloth);
        throw error;
    }
}
