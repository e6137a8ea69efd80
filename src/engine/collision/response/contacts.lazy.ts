import { LazyModule } from "../../../kernels/lazyModule";
import type { ContactEvents } from "./contactEvents";
import { meshColliderModule } from "../shapes/mesh.lazy";
import type { ColliderShape } from "../shapes/registry";

/** All of contact with colliders; cloth that meets none does without. */
export const contactModule = new LazyModule(() => import("./contacts"));

/** Further modules of some shapes. */
export const shapeModules: { readonly [Shape in ColliderShape]?: LazyModule<unknown> } = {
    mesh: meshColliderModule,
    skin: meshColliderModule,
};

/** Creates the recorder of contact events; null while contact is not loaded. */
export function createContactEvents(particleCount: number): ContactEvents | null {
    return contactModule.isLoaded ? new contactModule.module.ContactEvents(particleCount) : null;
}
