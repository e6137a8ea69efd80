/** Access to the kernels for the layers above the solver: they hand them on, unseen. */
export { OutOfMemoryError } from "../../kernels/arena";
export { getKernels, isSupported, refusalReason } from "../../kernels/pageKernels";
export type { Kernels } from "../../kernels/kernelTable";
