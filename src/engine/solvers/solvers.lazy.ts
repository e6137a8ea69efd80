import { LazyModule } from "../../kernels/lazyModule";

/** The methods beside the default, which few bodies ask for. */
export const solverModule = new LazyModule(() => import("./solvers"));
