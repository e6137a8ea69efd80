import type { BodyPlan } from "../bodyPlan";
import type { SolverName } from "../settings";
import { Explicit } from "./explicit/explicit";
import type { Method } from "./method";
import type { Material } from "./forces";

type MethodMaker = (material: Material) => Method;

/** The methods beside the default, by name. A new one is a file and a line here. */
const solvers: Record<Exclude<SolverName, "xpbd">, MethodMaker> = {
    explicitEuler: (material) => new Explicit("explicitEuler", material),
    symplecticEuler: (material) => new Explicit("symplecticEuler", material),
    midpoint: (material) => new Explicit("midpoint", material),
    rungeKutta4: (material) => new Explicit("rungeKutta4", material),
    verlet: (material) => new Explicit("verlet", material),
};

const NAME = "structural";

/** The plan of a sheet that a method moves: nothing of the default's passes is in it. */
export function planFor(solver: keyof typeof solvers, plan: BodyPlan, material: Material): BodyPlan {
    const make = (): Method => solvers[solver](material);
    return { ...plan, constraints: { [NAME]: make }, passes: [], passesAfterContact: [], lengths: [NAME], method: NAME };
}
