import { LazyModule } from "../../engine/index";

/** Module of what few cloths need, `parts` and `simulate`; loaded with the first that does. One for both: each costs the app the name of a file. */
export const rareModule = new LazyModule(() => import("./rare"));
