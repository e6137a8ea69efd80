import { LazyModule } from "../../../kernels/lazyModule";
import type { ContactEvents } from "./contactEvents";
import { meshColliderModule } from "../shapes/mesh.lazy";
import type { ColliderShape } from "../shapes/registry";

/** All of contact with colliders; cloth that meets none does without. */
export const contactModule = new LazyModule(() => import("./contacts"));

/** What some shapes take beside it. */
export const shapeModules: { readonly [Shape in ColliderShape]?: LazyModule<unknown> } = {
    mesh: meshColliderModule,
    skin: meshColliderModule,
};

/** What takes note of impacts; null: there can be none yet. */
export function createContactEvents(particleCount: number): ContactEvents | null {
    return contactModule.isLoaded ? new contactModule.module.ContactEvents(particleCount) : null;
}
