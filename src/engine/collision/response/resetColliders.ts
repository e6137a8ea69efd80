import type { Collider } from "../shapes/collider";
import type { Contacts } from "./contactResolver";

/** Has colliders begin anew with their body, those that are far, too: in the order in which they came to it, which steps have changed; none squeezes anything yet. */
export function resetColliders(colliders: Collider[], contacts: Contacts): void {
    colliders.sort((a, b) => Number(a.isOneSided) - Number(b.isOneSided) || a.id - b.id);
    for (const collider of colliders) collider.reset();
    contacts.forgetOpposing();
}
