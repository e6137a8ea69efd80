/** What is loaded when it is first wanted, for those above the solver. */
export type { Part } from "../kernels/part";
export { contactPart, shapeParts } from "./colliders/contactPart";
export { meshPart } from "./colliders/meshPart";
export { crowdPart } from "./crowd/part";
export { pullPart } from "./pins/pullPart";
export { solverPart } from "./methods/part";
