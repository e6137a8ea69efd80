/** Code that few cloths need: see {@link rareModule}. */
export { ClothParts } from "../mesh/clothParts";
export { warmStart } from "./warmStart";
export { NearBodies } from "../colliders/nearBodies";
