import type { Kernels } from "../../kernels/kernels";
import { implicitKernels } from "../../kernels/modules/implicit.generated";
import type { BodyPlan } from "../bodyPlan";
import type { SolverName } from "../settings";
import { rootFree } from "./xpbd/rootFree";
import { Explicit } from "./explicit/explicit";
import { Flexion } from "./implicit/flexion";
import { Hinges } from "./implicit/hinges";
import { Implicit } from "./implicit/implicit";
import type { Method } from "./method";
import type { Material } from "./forces";

type MethodMaker = (kernels: Kernels, material: Material) => Method;

/** The methods beside the default, by name. A new one is a file and a line here. */
const solvers: Record<Exclude<SolverName, "xpbd" | "squareRootFree">, MethodMaker> = {
    explicitEuler: ({ arena }, material) => new Explicit("explicitEuler", arena, material),
    symplecticEuler: ({ arena }, material) => new Explicit("symplecticEuler", arena, material),
    midpoint: ({ arena }, material) => new Explicit("midpoint", arena, material),
    rungeKutta4: ({ arena }, material) => new Explicit("rungeKutta4", arena, material),
    verlet: ({ arena }, material) => new Explicit("verlet", arena, material),
    implicit: (kernels, material) => new Implicit(kernels.add(implicitKernels), material, Hinges),
    implicitBuckling: (kernels, material) => new Implicit(kernels.add(implicitKernels), material, Flexion),
};

const NAME = "structural";

/** The plan of a sheet that a method moves: nothing of the default's passes is in it, but where those only go without square roots. */
export function planFor(solver: Exclude<SolverName, "xpbd">, plan: BodyPlan, material: Material, kernels: Kernels): BodyPlan {
    if (solver === "squareRootFree") return rootFree(plan, kernels);
    const make = (): Method => solvers[solver](kernels, material);
    return { ...plan, constraints: { [NAME]: make }, passes: [], passesAfterContact: [], lengths: [NAME], method: NAME };
}
