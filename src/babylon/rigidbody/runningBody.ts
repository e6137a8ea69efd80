import { RigidBody } from "../../engine/rigidbody/rigidBody";
import { driverOf } from "../clothDriver";

/** The running body of a rigid body's behavior; null while it is on no mesh, or no such behavior. */
export function runningBodyOf(behavior: object): RigidBody | null {
    const body = driverOf(behavior)?.attachment?.cloth;
    return body instanceof RigidBody ? body : null;
}
