/** All of contact, which is loaded with the first collider. */
export { Picture } from "../picture";
export { meetColliders } from "./collisions";
export { Contacts } from "./contacts";
export { Impacts } from "./impacts";
export { meet } from "./meet";
export { resetColliders } from "./resetColliders";
export { Taker } from "./taker";
