import { HeapArena } from "../arena";
import type { Kernels } from "../kernels";
import { scalarFunctions } from "./table.generated";

/** The reference backend: plain TypeScript on JavaScript's own heap, always available. */
export const scalarKernels: Kernels = { name: "scalar", arena: new HeapArena(), ...scalarFunctions };
