/** Kernels with all modules. */
import type { Kernels } from "../../../src/engine/index";
import { addBodyKernels } from "../../../src/kernels/pageKernels";
import { createBareKernels } from "../../../src/kernels/wasmKernels";
import { buildKernels } from "../../../src/kernels/modules/build.generated";
import { skinKernels } from "../../../src/kernels/modules/skin.generated";
import { bonesKernels } from "../../../src/kernels/modules/bones.generated";
import { ropeKernels } from "../../../src/kernels/modules/rope.generated";
import { contactKernels } from "../../../src/kernels/modules/contact.generated";
import { selfCollisionKernels } from "../../../src/kernels/modules/selfCollision.generated";
import { implicitKernels } from "../../../src/kernels/modules/implicit.generated";
import { meshKernels } from "../../../src/kernels/modules/mesh.generated";
import { projectiveKernels } from "../../../src/kernels/modules/projective.generated";
import { rigidKernels } from "../../../src/kernels/modules/rigid.generated";
import { rootFreeKernels } from "../../../src/kernels/modules/rootFree.generated";
import { windKernels } from "../../../src/kernels/modules/wind.generated";

/** The modules beside the one that every body needs. */
export const MODULES = [
    ropeKernels,
    contactKernels,
    selfCollisionKernels,
    implicitKernels,
    meshKernels,
    projectiveKernels,
    rigidKernels,
    rootFreeKernels,
    windKernels,
    bonesKernels,
    buildKernels,
    skinKernels,
];

/** Adds all of them. */
export function complete(kernels: Kernels): Kernels {
    for (const module of MODULES) kernels.add(module);
    return kernels;
}

/** Kernels on a memory of their own, with what all bodies need. */
export function createBodyKernels(): Kernels {
    return addBodyKernels(createBareKernels());
}
