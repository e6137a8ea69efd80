import type { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Node } from "@babylonjs/core/node";
import type { Affine } from "../../engine/index";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";

/** Physics members of a node. Read by name: the physics of Babylon need not be loaded. */
interface PhysicsNode {
    readonly physicsBody?: PhysicsBody | null;
}

/** Receiver of impulses: a body of Babylon's physics, or an object with its interface. */
export type ImpulseBody = Pick<PhysicsBody, "isDisposed" | "numInstances" | "transformNode"> & {
    getMotionType(instance?: number): number;
    getMassProperties(instance?: number): { mass?: number; inertia?: Vector3; inertiaOrientation?: Quaternion };
    applyImpulse(impulse: Vector3, place: Vector3, instance?: number): void;
    applyAngularImpulse(moment: Vector3, instance?: number): void;
    /** Of what steps as cloth does: see ImpulseTaker.follow and shift. */
    readStepMotion?(map: Affine, frame: Affine): boolean;
    translate?(drift: ArrayLike<number>): void;
};

/** Bodies other than those of Babylon's physics, by the nodes that they move; of those that run. */
export const impulseBodies = new Map<Node, ImpulseBody>();

/** True if it is a body of Babylon's physics (v2), told by its members. */
export function isPhysicsBody(source: object): source is PhysicsBody {
    return "getMassProperties" in source && "transformNode" in source;
}

/** The body that carries a node, its own or that of what it hangs on; null: none. */
export function impulseBodyOf(node: Node): ImpulseBody | null {
    for (let n: Node | null = node; n; n = n.parent) {
        const body = (n as PhysicsNode).physicsBody ?? (impulseBodies.size > 0 ? impulseBodies.get(n) : undefined);
        if (body) return body;
    }
    return null;
}
