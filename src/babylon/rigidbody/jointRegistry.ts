import type { Affine } from "../../engine/math/affine";
import { RigidBody } from "../../engine/rigidbody/rigidBody";
import { driverOf } from "../clothDriver";

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

/** The running body of a rigid body's behavior; null while it is on no mesh, or no such behavior. */
export function runningBodyOf(behavior: object): RigidBody | null {
    const body = driverOf(behavior)?.attachment?.cloth;
    return body instanceof RigidBody ? body : null;
}
