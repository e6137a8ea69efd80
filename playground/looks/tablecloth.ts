import type * as BABYLON from "../babylon/looks";
import { fabric, solid } from "./fabric";
import { paint, rgb } from "./paint";
import { pave, shade, studio } from "./studio";
import type { create } from "../scenes/tablecloth";

type World = ReturnType<typeof create>;

export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, { target: [0, 0.55, 0], alpha: -1.9, beta: 1.18, radius: 5.2, extent: 7, sun: [-0.6, -1, 0.45] });
    pave(scene, world.floor);
    world.sphere.material = solid(scene, "#d9b26a", 0.4, 0);
    world.tablecloth.material = fabric(scene, paint(scene, 1024, 1024, printChecks), [56, 56], 0.25);
    shade(shadows, [world.tablecloth, world.sphere]);
}

/** Red checks on white within a plain border and a red edge. */
function printChecks(u: number, v: number) {
    const white = rgb("#f5f0e6");
    const red = rgb("#b3242b");
    const edge = Math.min(u, v, 1 - u, 1 - v);
    if (edge < 0.018 || (edge > 0.045 && edge < 0.055)) return red;
    if (edge < 0.0714) return white;
    const stripes = (Math.floor(u * 28) % 2) + (Math.floor(v * 28) % 2);
    return white.map((channel, i) => channel + (red[i] - channel) * [0, 0.55, 1][stripes]);
}
