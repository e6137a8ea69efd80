import { Part } from "../../kernels/part";

/** The methods beside the default, which few bodies ask for. */
export const solverPart = new Part(() => import("./solvers"));
