import { LazyModule } from "../../kernels/lazyModule";

/** Contact of rope segments; loaded with the first collider of a rope. */
export const ropeSegmentModule = new LazyModule(() => import("./ropeSegmentContacts"));
