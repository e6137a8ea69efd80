/** What is loaded when it is first wanted, for those above the solver. */
export type { LazyModule as Part } from "../kernels/part";
export { contactModule as contactPart, shapeModules as shapeParts } from "./colliders/contactPart";
export { meshColliderModule as meshPart } from "./colliders/meshPart";
export { selfCollisionModule as crowdPart } from "./crowd/part";
export { pinReactionModule as pullPart } from "./pins/pullPart";
export { solverModule as solverPart } from "./methods/part";
