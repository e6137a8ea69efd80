import { LazyModule } from "../../../kernels/lazyModule";

/** What keeps bodies off themselves and each other, which few of them ask for. */
export const selfCollisionModule = new LazyModule(() => import("./selfCollision"));
