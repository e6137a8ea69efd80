import * as BABYLON from "../babylon/looks";
import { fabric, solid } from "./fabric";
import { paint, rgb } from "./paint";
import { pave, shade, studio } from "./studio";
import type { create } from "../scenes/skirt";

type World = Awaited<ReturnType<typeof create>>;

export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, { target: [0, 0.86, 0], alpha: -1.57, beta: 1.38, radius: 2.75, extent: 4.5, sun: [-0.6, -1, 0.6] });
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    pave(scene, floor);

    const linen = solid(scene, "#d8c7a8", 0.9, 0);
    world.form.material = world.hips.material = linen;
    world.stand.material = solid(scene, "#5b3a22", 0.5, 0);
    world.skirt.material = fabric(scene, paint(scene, 1024, 512, printSkirt), [90, 40], 0.3);
    shade(shadows, [world.skirt, world.form, world.hips, world.stand]);
}

/** A dark field with rows of dots that grow towards the hem, and three coloured bands. */
function printSkirt(u: number, v: number) {
    const night = rgb("#5a1836");
    const rose = rgb("#e7728a");
    const gold = rgb("#f0bb55");
    const down = 1 - v;
    if (down > 0.95) return gold;
    if (down > 0.86 && down < 0.91) return rose;
    if (down > 0.82 && down < 0.84) return gold;
    const row = Math.floor(down * 12);
    const x = ((u * 36 + (row % 2) * 0.5) % 1) - 0.5;
    const y = ((down * 12) % 1) - 0.5;
    return row < 9 && Math.hypot(x, y) < 0.06 + 0.02 * row ? rose : night;
}
