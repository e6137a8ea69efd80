/** What is loaded when it is first wanted, for those above the solver. */
export type { Part } from "../kernels/part";
export { fallbackPart } from "../kernels/backend";
export { crowdPart } from "./crowd/part";
