import type { Observable } from "@babylonjs/core/Misc/observable";
import { ContactEventRecord } from "../../engine/index";
import type { BodyInstance } from "./bodyInstance";
import type { ClothCollision } from "./types";
import type { Collider } from "../colliders/colliderOptions";

/** An event before there has been one. */
export function createCollisionEvent(): ClothCollision {
    return {
        collider: null as unknown as Collider,
        particle: 0,
        point: { x: 0, y: 0, z: 0 },
        normal: { x: 0, y: 0, z: 0 },
        speed: 0,
    };
}

/** Tells what a cloth's particles have come to in the last step. @param event used for all of them */
export function notifyCollisions(
    { cloth, activeColliders }: BodyInstance,
    observable: Observable<ClothCollision>,
    event: ClothCollision,
): void {
    const { contactEvents: impacts, origin } = cloth;
    // Whoever hears of one may have the next frame begin.
    for (let i = 0; impacts && i < impacts.count; i++) {
        const collider = impacts.colliders[i];
        let handle: Collider | null = null;
        for (let k = 0; k < activeColliders.all.length; k++)
            if (activeColliders.all[k].bodyCollider === collider) handle = activeColliders.all[k].binding;
        if (!handle) continue;
        const { numbers } = impacts;
        const at = i * ContactEventRecord.count;
        const point = at + ContactEventRecord.point;
        const normal = at + ContactEventRecord.normal;
        event.collider = handle;
        event.particle = numbers[at];
        event.point.x = numbers[point] + origin[0];
        event.point.y = numbers[point + 1] + origin[1];
        event.point.z = numbers[point + 2] + origin[2];
        event.normal.x = numbers[normal];
        event.normal.y = numbers[normal + 1];
        event.normal.z = numbers[normal + 2];
        event.speed = numbers[at + ContactEventRecord.speed];
        observable.notifyObservers(event);
    }
}
