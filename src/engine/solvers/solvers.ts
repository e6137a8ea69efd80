import type { Kernels, KernelFunctions } from "../../kernels/kernelTable";
import { implicitKernels } from "../../kernels/modules/implicit.generated";
import type { SolverName } from "../state/settings";
import { Explicit } from "./explicit/explicit";
import { Flexion } from "./implicit/flexion";
import { Hinges } from "./implicit/bendingHinges";
import { Implicit } from "./implicit/implicit";
import type { BodySolver } from "./base/bodySolver";
import type { SolverMaterial } from "./base/solverMaterial";
import type { Arena } from "../../kernels/arena";
import { rootFreeKernels } from "../../kernels/modules/rootFree.generated";
import type { BodyDefinition } from "../state/bodyDefinition";
import type { BodyState } from "../state/state";
import type { SharedTriangles } from "../memory/sharedTriangles";
import type { Constraint } from "../state/constraint";

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

type SolverFactory = (kernels: Kernels, material: SolverMaterial) => BodySolver;

/** The methods beside the default, by name. A new one is a file and a line here. */
const solverFactories: Record<Exclude<SolverName, "xpbd" | "squareRootFree">, SolverFactory> = {
    explicitEuler: ({ arena }, material) => new Explicit("explicitEuler", arena, material),
    symplecticEuler: ({ arena }, material) => new Explicit("symplecticEuler", arena, material),
    midpoint: ({ arena }, material) => new Explicit("midpoint", arena, material),
    rungeKutta4: ({ arena }, material) => new Explicit("rungeKutta4", arena, material),
    verlet: ({ arena }, material) => new Explicit("verlet", arena, material),
    implicit: (kernels, material) => new Implicit(kernels.add(implicitKernels), material, Hinges),
    implicitBuckling: (kernels, material) => new Implicit(kernels.add(implicitKernels), material, Flexion),
};

const SOLVER_NAME = "structural";

/** The plan of a sheet that a method moves: nothing of the default's passes is in it, but where those only go without square roots. */
export function definitionFor(
    solver: Exclude<SolverName, "xpbd">,
    plan: BodyDefinition,
    material: SolverMaterial,
    kernels: Kernels,
): BodyDefinition {
    if (solver === "squareRootFree") return rootFreeDefinition(plan, kernels);
    const make = (): BodySolver => solverFactories[solver](kernels, material);
    return {
        ...plan,
        constraints: { [SOLVER_NAME]: make },
        passes: [],
        passesAfterContact: [],
        lengthConstraints: [SOLVER_NAME],
        solver: SOLVER_NAME,
    };
}
