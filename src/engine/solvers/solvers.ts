import type { Kernels } from "../../kernels/kernelTable";
import { implicitKernels } from "../../kernels/modules/implicit.generated";
import type { BodyDefinition } from "../state/bodyDefinition";
import type { SolverName } from "../state/settings";
import { rootFreeDefinition } from "./xpbd/rootFree";
import { Explicit } from "./explicit/explicit";
import { Flexion } from "./implicit/flexion";
import { Hinges } from "./implicit/hinges";
import { Implicit } from "./implicit/implicit";
import type { BodySolver } from "./base/bodySolver";
import type { SolverMaterial } from "./base/solverMaterial";

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
