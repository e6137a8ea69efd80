import type { Contacts } from "./contactResolver";
import type { ContactHost } from "./contactHost";
import { NO_LIMIT } from "../shapes/jumpDetector";
import type { Collider } from "../shapes/collider";
import { meshColliderModule } from "../shapes/mesh.lazy";
import { colliderShapes } from "../shapes/registry";
import type { ColliderSettings } from "../shapes/colliderSettings";
import type { WorldCollider } from "../shapes/worldCollider";

/**
 * Has a body meet a collider of the world from now on, whose shape is here (see shapeParts in contactPart.ts).
 * @param settings kept, and live
 * @throws RangeError when there is no memory left; the body then does not meet it
 */
export function attachCollider(body: ContactHost, world: WorldCollider, settings: ColliderSettings): Collider {
    const { kernels, state } = body;
    const skin = world.skin && meshColliderModule.module.PosedSkin.of(kernels, world.skin);
    const make = (): Collider => colliderShapes[world.shape](kernels, state.particleCount, world.geometry, skin);
    let collider: Collider | null = null;
    // Until a collider holds it, or none could.
    skin?.addUser();
    try {
        collider = make();
        collider.settings = settings;
        collider.renderCopy = make();
        collider.updatePose(world, body.origin, NO_LIMIT);
        body.addCollider(collider);
        return collider;
    } catch (error) {
        collider?.release();
        throw error;
    } finally {
        skin?.removeUser();
    }
}

/** Has colliders begin anew with their body, those that are far, too: in the order in which they came to it, which steps have changed; none squeezes anything yet. */
export function resetColliders(colliders: Collider[], contacts: Contacts): void {
    colliders.sort((a, b) => Number(a.isOneSided) - Number(b.isOneSided) || a.id - b.id);
    for (const collider of colliders) collider.reset();
    contacts.forgetOpposing();
}
