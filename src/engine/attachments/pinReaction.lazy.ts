import { LazyModule } from "../../kernels/lazyModule";

/** Module of pin reactions on dynamic nodes; loaded only if a pin follows one. */
export const pinReactionModule = new LazyModule(() => import("./pinPull"));
