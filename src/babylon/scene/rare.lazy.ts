import { LazyModule } from "../../engine/index";

/** Module of what few cloths need, `parts`, `simulate` and `collideWithPhysics`; loaded with the first that does. One for all: each costs the app the name of a file. */
export const rareModule = new LazyModule(() => import("./rare"));
