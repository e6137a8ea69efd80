import type { Arena } from "../../../kernels/arena";
import type { KernelFunctions, Kernels } from "../../../kernels/kernelTable";
import { rootFreeKernels } from "../../../kernels/modules/rootFree.generated";
import type { BodyDefinition } from "../../state/bodyDefinition";
import type { BodyState } from "../../state/state";
import type { SharedTriangles } from "../../memory/sharedTriangles";
import type { Constraint } from "../../state/constraint";

/** Kernels, with those of sticks replaced. */
const rootFreeVariants = new WeakMap<KernelFunctions, KernelFunctions>();

function rootFreeKernelsOf(kernels: KernelFunctions): KernelFunctions {
    let found = rootFreeVariants.get(kernels);
    if (!found) {
        const { projectRootFreeDistances: projectDistances, projectRootFreeLengths: projectLengths } = kernels;
        rootFreeVariants.set(kernels, (found = { ...kernels, projectDistances, projectLengths }));
    }
    return found;
}

/** A plan whose sticks are projected without square roots; see kernels/assembly/rootFreeDistance.ts. */
export function rootFreeDefinition(plan: BodyDefinition, kernels: Kernels): BodyDefinition {
    kernels.add(rootFreeKernels);
    const makers = Object.entries(plan.constraints).map(([name, make]) => [
        name,
        (arena: Arena, state: BodyState, triangles: SharedTriangles): Constraint => {
            const made = make(arena, state, triangles);
            const project = made.project.bind(made);
            made.project = (functions, of) => project(rootFreeKernelsOf(functions), of);
            return made;
        },
    ]);
    return { ...plan, constraints: Object.fromEntries(makers) as BodyDefinition["constraints"] };
}
