/**
 * Readable references of the hottest kernels, in plain TypeScript, one particle or constraint at a time. The conformance tests hold the
 * WebAssembly kernels against them. Kernels without a reference have tests with known answers instead.
 */
import type { Kernels } from "../../src/engine/index";
import type { KernelFunctions } from "../../src/kernels/kernelTable";
import * as air from "./air";
import * as contacts from "./contactResponse";
import * as crowd from "./pairResponse";
import { HeapArena } from "./heapArena";
import * as integrate from "./integrate";
import * as unilateralLimits from "./unilateralLimits";
import * as sphere from "./sphere";
import * as stencils from "./stencils";
import * as sticks from "./distance";
import * as stretchLimits from "./strainLimit";
import * as surface from "./surface";
import * as tethers from "./tethers";
import * as wind from "./wind";

const functions = {
    ...air,
    ...contacts,
    ...crowd,
    ...integrate,
    ...unilateralLimits,
    ...sphere,
    ...stencils,
    ...sticks,
    ...stretchLimits,
    ...surface,
    ...tethers,
    ...wind,
} as unknown as KernelFunctions;

/** Names of the kernels that have a reference. */
export const referenceNames: ReadonlySet<string> = new Set(Object.keys(functions));

/** The references behind the interface of the kernels, each with memory of its own. A kernel without a reference is undefined. */
export const referenceKernels: Kernels = createReferenceKernels();

function createReferenceKernels(): Kernels {
    const kernels: Kernels = {
        ...functions,
        arena: new HeapArena(),
        record: () => {
            throw new Error("references are not recorded");
        },
        createSeparate: createReferenceKernels,
        add: () => kernels,
    };
    return kernels;
}
