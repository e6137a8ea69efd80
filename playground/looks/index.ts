/** How the scenes look: materials, light, shadows and camera. Loaded in a browser only. */
import type { Scene } from "@babylonjs/core/scene";

interface Look {
    /** `world` is what the definition of the same name has built. */
    decorate(scene: Scene, world: never): void;
}

/** The looks by the scene's id. */
export const looks: Record<string, () => Promise<Look>> = {
    flag: () => import("./flag"),
    curtain: () => import("./curtain"),
    ball: () => import("./ball"),
    tablecloth: () => import("./tablecloth"),
    banner: () => import("./banner"),
    skirt: () => import("./skirt"),
    builders: () => import("./builders"),
    resolutions: () => import("./resolutions"),
};
