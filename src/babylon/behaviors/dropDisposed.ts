import type { Collider } from "../colliders/colliderOptions";
import type { ColliderBinding } from "../colliders/colliderBinding";
import type { PinList } from "../pins/pinBinding";

/** Owner of pins and colliders. */
interface PinAndColliderOwner {
    readonly pinList: PinList;
    readonly colliders: readonly ColliderBinding[];
    removeCollider(collider: Collider): void;
}

/** Pin targets that were disposed are dropped, and colliders that can be followed no longer. */
export function dropDisposed(holder: PinAndColliderOwner, warn: (message: string) => void): void {
    const { pinList, colliders } = holder;
    const pins = pinList.all;
    for (let i = pins.length - 1; i >= 0; i--) {
        const pin = pins[i];
        if (!pin.isDisposed) continue;
        warn(`the pin target "${pin.target?.name}" was disposed; its pin is dropped`);
        pinList.remove(pin);
    }
    for (let i = colliders.length - 1; i >= 0; i--) {
        const collider = colliders[i];
        const loss = collider.review(colliders.length);
        if (loss === null) continue;
        warn(`the collider "${collider.name}" ${loss}; it is dropped`);
        holder.removeCollider(collider);
    }
}
