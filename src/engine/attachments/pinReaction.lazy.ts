import { LazyModule } from "../../kernels/lazyModule";

/** What carries pins and takes what it is pulled by; cloth that hangs on nothing of the kind does without. */
export const pinReactionModule = new LazyModule(() => import("./pinPull"));
