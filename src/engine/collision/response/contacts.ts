/** All of contact, which is loaded with the first collider. */
export { RenderContacts as Picture } from "../../bodies/renderContacts";
export { collideStage as meetColliders } from "./collideStage";
export { Contacts } from "./contactResolver";
export { ContactEvents as Impacts } from "./contactEvents";
export { attachCollider as meet } from "./attachCollider";
export { resetColliders } from "./attachCollider";
export { DynamicBodyProxy as Taker } from "./dynamicBodyProxy";
