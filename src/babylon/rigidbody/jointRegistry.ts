import type { Affine } from "../../engine/math/affine";
import type { RigidBody } from "../../engine/rigidbody/rigidBody";

/** What holds a rigid body: a joint. */
export interface Holding {
    /** Its mesh is simulated by another body now. @param toFrame from mesh-local space to that one's principal axes */
    renew(behavior: object, body: RigidBody, toFrame: Affine): void;
    /** Its mesh is no rigid body any more. */
    dispose(): void;
}

const holdings = new WeakMap<object, Set<Holding>>();

/** What holds the body of a behavior, for as long as that is on its mesh. */
export function holdingsOf(behavior: object): Set<Holding> {
    let own = holdings.get(behavior);
    if (!own) holdings.set(behavior, (own = new Set()));
    return own;
}
