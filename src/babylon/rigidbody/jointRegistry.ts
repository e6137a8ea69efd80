import { RigidBody } from "../../engine/index";
import type { Affine } from "../../engine/index";
import { runtimeOf } from "../behaviors/bodyRuntime";

/** A joint as its bodies see it. */
export interface RegisteredJoint {
    /** Called when the behavior's body was rebuilt. @param toFrame from mesh-local space to the new body's principal axes */
    rebind(behavior: object, body: RigidBody, toFrame: Affine): void;
    /** Called when the world's origin has moved [m], x y z. */
    shiftOrigin(by: readonly number[]): void;
    /** Called when the behavior is detached. */
    dispose(): void;
}

const registry = new WeakMap<object, Set<RegisteredJoint>>();

/** Joints of a behavior's body while it is on its mesh. */
export function jointsOf(behavior: object): Set<RegisteredJoint> {
    let own = registry.get(behavior);
    if (!own) registry.set(behavior, (own = new Set()));
    return own;
}

/** The body of a RigidBodyBehavior; null while it is on no mesh, or for another behavior. */
export function runningBodyOf(behavior: object): RigidBody | null {
    const body = runtimeOf(behavior)?.instance?.cloth;
    return body instanceof RigidBody ? body : null;
}
