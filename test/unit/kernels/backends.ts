/** The backends with every kernel there is. */
import type { Kernels } from "../../../src/kernels/kernels";
import { chainKernels } from "../../../src/kernels/modules/chain.generated";
import { contactKernels } from "../../../src/kernels/modules/contact.generated";
import { crowdKernels } from "../../../src/kernels/modules/crowd.generated";
import { implicitKernels } from "../../../src/kernels/modules/implicit.generated";
import { meshKernels } from "../../../src/kernels/modules/mesh.generated";
import { netKernels } from "../../../src/kernels/modules/net.generated";
import { rigidKernels } from "../../../src/kernels/modules/rigid.generated";
import { rootFreeKernels } from "../../../src/kernels/modules/rootFree.generated";
import { windKernels } from "../../../src/kernels/modules/wind.generated";

/** The modules beside the one that every body needs. */
export const MODULES = [
    chainKernels,
    contactKernels,
    crowdKernels,
    implicitKernels,
    meshKernels,
    netKernels,
    rigidKernels,
    rootFreeKernels,
    windKernels,
];

/** Adds all of them. */
export function complete(kernels: Kernels): Kernels {
    for (const module of MODULES) kernels.add(module);
    return kernels;
}
