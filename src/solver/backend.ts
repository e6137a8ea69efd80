/** The choice of who computes, for those above the solver: they name a backend and hand its kernels on, unseen. */
export { OutOfMemoryError } from "../kernels/arena";
export { areKernelsHere, backendNames, fallbackBackend, getKernels } from "../kernels/backend";
export type { BackendName, Kernels } from "../kernels/kernels";
