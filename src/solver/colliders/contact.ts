/** All of contact, which is loaded with the first collider. */
export { RenderContacts as Picture } from "../picture";
export { collideStage as meetColliders } from "./collisions";
export { Contacts } from "./contacts";
export { ContactEvents as Impacts } from "./impacts";
export { attachCollider as meet } from "./meet";
export { resetColliders } from "./resetColliders";
export { DynamicBodyProxy as Taker } from "./taker";
