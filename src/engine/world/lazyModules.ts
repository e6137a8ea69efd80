/** Modules that are loaded when they are first needed. */
export type { LazyModule as LazyModule } from "../../kernels/lazyModule";
export { contactModule as contactModule, shapeModules as shapeModules } from "../collision/response/contacts.lazy";
export { meshColliderModule as meshColliderModule } from "../collision/shapes/mesh.lazy";
export { selfCollisionModule as selfCollisionModule } from "../collision/self/self.lazy";
export { pinReactionModule as pinReactionModule } from "../attachments/pinReaction.lazy";
export { solverModule as solverModule } from "../solvers/solvers.lazy";
