import type { Collider } from "./collider";

/** Has colliders begin anew with their body: in the order in which they came to it, too, which steps have changed. */
export function resetColliders(colliders: Collider[]): void {
    colliders.sort((a, b) => Number(a.isLast) - Number(b.isLast) || a.number - b.number);
    for (const collider of colliders) collider.reset();
}
