import type { Node } from "@babylonjs/core/node";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";

/** What a node has that takes part in physics. Read by name: the physics of Babylon need not be loaded. */
interface Physical {
    readonly physicsBody?: PhysicsBody | null;
}

/** Whether it is a body of Babylon's physics (v2), by what it has. */
export function isPhysicsBody(source: object): source is PhysicsBody {
    return "getMassProperties" in source && "transformNode" in source;
}

/** The physics body that carries a node, its own or that of what it hangs on; null: none. */
export function bodyOf(node: Node): PhysicsBody | null {
    for (let n: Node | null = node; n; n = n.parent) {
        const body = (n as Physical).physicsBody;
        if (body) return body;
    }
    return null;
}
