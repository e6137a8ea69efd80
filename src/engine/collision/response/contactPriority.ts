import type { Collider } from "../shapes/collider";

/** Puts a collider among the first `count` of a list, whose firmest come first; equals keep their order. What was in its place then must be moved or be itself. */
export function insertByPriority(collider: Collider, colliders: Collider[], count: number): void {
    let k = count;
    for (; k > 0 && collider.hasPriorityOver(colliders[k - 1]); k--) colliders[k] = colliders[k - 1];
    colliders[k] = collider;
}
