/** Contact with colliders, loaded with the first collider. */
export { RenderContacts } from "./renderContacts";
export { followFastColliders, recover, resolveContacts, updateNearColliders } from "./collideStage";
export { Contacts } from "./contactResolver";
export { ContactEvents } from "./contactEvents";
export { attachCollider } from "./attachCollider";
export { resetColliders } from "./attachCollider";
export { DynamicBodyProxy } from "../shapes/dynamicBodyProxy";
