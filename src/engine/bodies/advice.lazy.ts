import { LazyModule } from "../../kernels/lazyModule";

/** Module of warnings about cloth that begins as nobody means it; loaded beside the first cloth, which does not wait for it. */
export const adviceModule = new LazyModule(() => import("./advice"));
