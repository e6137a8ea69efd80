import * as BABYLON from "../babylon/looks";
import { fabric, solid } from "./fabric";
import { paint, rgb } from "./paint";
import { pave, shade, studio } from "./studio";
import type { create } from "../scenes/ball";

type World = ReturnType<typeof create>;

export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, { target: [0, 1.35, 0], alpha: -2.05, beta: 1.36, radius: 8, extent: 11, sun: [0.55, -1, 0.5] });
    pave(scene, world.floor);

    const wood = solid(scene, "#8a5a35", 0.7, 0);
    const beam = BABYLON.MeshBuilder.CreateBox("beam", { width: 4.5, height: 0.1, depth: 0.1 }, scene);
    beam.position.y = 3.11;
    beam.material = wood;
    const posts = [-1, 1].map((side) => {
        const post = BABYLON.MeshBuilder.CreateBox("post", { width: 0.12, height: 3.16, depth: 0.12 }, scene);
        post.position.set(side * 2.2, 1.58, 0);
        post.material = wood;
        return post;
    });

    const rubber = solid(scene, "#ffffff", 0.35, 0);
    rubber.albedoTexture = paint(scene, 512, 256, (u) => rgb(["#f4efe4", "#d8432f", "#f4efe4", "#2f6fb0", "#f4efe4", "#efb22e"][Math.floor(u * 6) % 6]));
    world.ball.material = rubber;

    world.sheet.material = fabric(scene, paint(scene, 512, 384, printGingham), [64, 48], 0.35);
    shade(shadows, [world.sheet, world.ball, beam, ...posts]);
}

/** Gingham: two sets of stripes that darken where they cross. */
function printGingham(u: number, v: number) {
    const white = rgb("#f3f1ea");
    const blue = rgb("#2f5f8f");
    const stripes = (Math.floor(u * 24) % 2) + (Math.floor(v * 18) % 2);
    return white.map((channel, i) => channel + (blue[i] - channel) * [0, 0.5, 1][stripes]);
}
