import { LazyModule } from "../../engine/index";

/** Module of warm starts; loaded with the first one. */
export const warmStartModule = new LazyModule(() => import("./warmStart"));
