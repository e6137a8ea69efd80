import { LazyModule } from "../../kernels/lazyModule";

/** Module of motion relative to an anchor; loaded with the first `inertia`. */
export const inertiaModule = new LazyModule(() => import("./inertia"));
