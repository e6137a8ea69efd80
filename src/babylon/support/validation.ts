import type { Scene } from "@babylonjs/core/scene";
import { reject } from "../../engine/index";
import type { VectorLike } from "../../engine/index";

/** Rejects anything but a scene. Meshes have an onBeforeRenderObservable, too. @throws RangeError otherwise */
export function checkScene(owner: string, scene: Scene): void {
    if (typeof scene !== "object" || !scene?.onBeforeAnimationsObservable) reject(owner, "scene", "a Scene", scene);
}

/** An array, whatever is in it. @throws RangeError otherwise */
export function checkList<T>(owner: string, option: string, value: readonly T[]): readonly T[] {
    return Array.isArray(value) ? value : reject(owner, option, "an array", value);
}

/** Makes `entries` the items of a list: adds the new ones (all, or none where one throws), then removes those not wanted. */
export function syncList<Item, Entry>(
    items: readonly Item[],
    entries: readonly Entry[],
    add: (entry: Entry) => Item,
    remove: (item: Item) => void,
): void {
    const old = new Set<unknown>(items);
    const wanted = new Set<unknown>(entries);
    try {
        for (const entry of wanted) if (!old.has(entry)) add(entry as Entry);
    } catch (error) {
        for (const item of [...items]) if (!old.has(item)) remove(item);
        throw error;
    }
    for (const item of [...items]) if (old.has(item) && !wanted.has(item)) remove(item);
}

/** Copies gravity. Vectors may be changed in place, past the setter: what is not finite counts as 0. */
export function readGravity(gravity: VectorLike, target: Float64Array): void {
    target[0] = Number.isFinite(gravity.x) ? gravity.x : 0;
    target[1] = Number.isFinite(gravity.y) ? gravity.y : 0;
    target[2] = Number.isFinite(gravity.z) ? gravity.z : 0;
}
