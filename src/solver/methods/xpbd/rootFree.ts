import type { Arena } from "../../../kernels/arena";
import type { KernelFunctions, Kernels } from "../../../kernels/kernels";
import { rootFreeKernels } from "../../../kernels/modules/rootFree.generated";
import type { BodyPlan } from "../../bodyPlan";
import type { BodyState } from "../../state";
import type { Triangles } from "../../surface/triangles";
import type { Constraint } from "./constraint";

/** Kernels, with those of sticks replaced. */
const replaced = new WeakMap<KernelFunctions, KernelFunctions>();

function withoutRoots(kernels: KernelFunctions): KernelFunctions {
    let found = replaced.get(kernels);
    if (!found) {
        const { projectRootFreeSticks: projectSticks, projectRootFreeLengths: projectLengths } = kernels;
        replaced.set(kernels, (found = { ...kernels, projectSticks, projectLengths }));
    }
    return found;
}

/** A plan whose sticks are projected without square roots; see kernels/wasm/assembly/rootFreeSticks.ts. */
export function rootFree(plan: BodyPlan, kernels: Kernels): BodyPlan {
    kernels.add(rootFreeKernels);
    const makers = Object.entries(plan.constraints).map(([name, make]) => [
        name,
        (arena: Arena, state: BodyState, triangles: Triangles): Constraint => {
            const made = make(arena, state, triangles);
            const project = made.project.bind(made);
            made.project = (functions, of) => project(withoutRoots(functions), of);
            return made;
        },
    ]);
    return { ...plan, constraints: Object.fromEntries(makers) as BodyPlan["constraints"] };
}
