import { LazyModule } from "../../kernels/lazyModule";

/** Module of the skin as a target; loaded with the first cloth that follows its skeleton or morph targets. */
export const skinTargetModule = new LazyModule(() => import("./skinParts"));
