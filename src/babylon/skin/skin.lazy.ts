import { LazyModule, skinTargetModule } from "../../engine/index";

/** Module that has cloth follow skeletons and morph targets; loaded with the first such cloth. */
export const skinModule = new LazyModule(async () => {
    await skinTargetModule.load();
    return import("./skinFollower");
});
