import { LazyModule } from "../../engine/index";

/** Module of cloths that are several meshes; loaded with the first. */
export const partsModule = new LazyModule(() => import("./clothParts"));
