/** What is loaded when it is first wanted, for those above the solver. */
export type { LazyModule as Part } from "../../kernels/lazyModule";
export { contactModule as contactPart, shapeModules as shapeParts } from "../collision/response/contacts.lazy";
export { meshColliderModule as meshPart } from "../collision/shapes/mesh.lazy";
export { selfCollisionModule as crowdPart } from "../collision/self/self.lazy";
export { pinReactionModule as pullPart } from "../attachments/pinReaction.lazy";
export { solverModule as solverPart } from "../solvers/solvers.lazy";
