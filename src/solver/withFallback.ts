/** For files that have all in them: the fallback's kernels are here from the start. */
import { provideFallback } from "../kernels/backend";
import { scalarKernels } from "../kernels/scalar/scalarKernels";

provideFallback(scalarKernels);
