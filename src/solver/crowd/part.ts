import { Part } from "../../kernels/part";

/** What keeps bodies off themselves and each other, which few of them ask for. */
export const crowdPart = new Part(() => import("./crowd"));
