import { LazyModule } from "../../../kernels/lazyModule";

/** Colliders of triangles, still or carried by bones; most cloths meet simpler shapes, or none. */
export const meshColliderModule = new LazyModule(() => import("./createMeshShapes"));
