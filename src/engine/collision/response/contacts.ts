/** Contact with colliders, loaded with the first collider. */
export { RenderContacts } from "./renderContacts";
export { followFastColliders, recover, resolveContacts, updateNearColliders, attachCollider, resetColliders } from "./collideStage";
export { Contacts } from "./contactResolver";
export { ContactEvents } from "./contactEvents";
export { DynamicBodyProxy } from "../shapes/dynamicBodyProxy";
