import { LazyModule } from "../../kernels/part";

/** What keeps bodies off themselves and each other, which few of them ask for. */
export const selfCollisionModule = new LazyModule(() => import("./crowd"));
