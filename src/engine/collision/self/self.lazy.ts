import { LazyModule } from "../../../kernels/lazyModule";

/** Module of self-collision and of collision between bodies; loaded on first use. */
export const selfCollisionModule = new LazyModule(() => import("./selfCollision"));
