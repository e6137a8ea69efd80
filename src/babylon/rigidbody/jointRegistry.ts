import type { Affine } from "../../engine/math/affine";
import type { RigidBody } from "../../engine/rigidbody/rigidBody";

/** What holds a rigid body: a joint. */
export interface RegisteredJoint {
    /** Its mesh is simulated by another body now. @param toFrame from mesh-local space to that one's principal axes */
    rebind(behavior: object, body: RigidBody, toFrame: Affine): void;
    /** Its mesh is no rigid body any more. */
    dispose(): void;
}

const registry = new WeakMap<object, Set<RegisteredJoint>>();

/** What holds the body of a behavior, for as long as that is on its mesh. */
export function jointsOf(behavior: object): Set<RegisteredJoint> {
    let own = registry.get(behavior);
    if (!own) registry.set(behavior, (own = new Set()));
    return own;
}
