import { LazyModule } from "../../kernels/lazyModule";

/** What the links of ropes meet by themselves; loaded with the first collider of one. */
export const ropeSegmentModule = new LazyModule(() => import("./ropeSegmentContacts"));
