import type { Body } from "../body";
import { NO_LIMIT } from "../pace";
import type { Collider } from "./collider";
import { colliderShapes } from "./registry";
import type { ColliderSettings } from "./settings";
import type { WorldCollider } from "./worldCollider";

/**
 * Has a body meet a collider of the world from now on.
 * @param settings kept, and live
 * @throws RangeError when there is no memory left; the body then does not meet it
 */
export function meet(body: Body, world: WorldCollider, settings: ColliderSettings): Collider {
    const { arena } = body.kernels;
    const { particleCount } = body.state;
    const make = (): Collider => colliderShapes[world.shape](arena, particleCount, world.form);
    const collider = make();
    collider.settings = settings;
    try {
        collider.ghost = make();
        collider.follow(world, body.origin, NO_LIMIT);
        body.addCollider(collider);
    } catch (error) {
        collider.release();
        throw error;
    }
    return collider;
}

/** Ends that. */
export function part(body: Body, collider: Collider): void {
    body.removeCollider(collider);
    collider.release();
}
