import type { Aside } from "./aside";
import type { Collider } from "./collider";

/** Has colliders begin anew with their body, those that are far, too: in the order in which they came to it, which steps have changed. */
export function resetColliders(colliders: Collider[], aside: Aside): void {
    aside.takeBack(colliders);
    colliders.sort((a, b) => Number(a.isLast) - Number(b.isLast) || a.number - b.number);
    for (const collider of colliders) collider.reset();
}
