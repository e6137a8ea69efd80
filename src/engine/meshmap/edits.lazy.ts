import { LazyModule } from "../../kernels/lazyModule";

/** Module that matches an edited mesh with the cloth's; loaded with the first edit of a mesh that is cloth. */
export const editModule = new LazyModule(() => import("./matchEditedMesh"));
