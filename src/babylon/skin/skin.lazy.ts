import { LazyModule, skinTargetModule } from "../../engine/index";

/** Module that has cloth follow skeletons and morph targets; loaded, and the engine's part with it, with the first such cloth. */
export const skinModule = new LazyModule(async () => {
    await skinTargetModule.load();
    return import("./skinFollower");
});
