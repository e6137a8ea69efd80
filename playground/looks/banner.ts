import * as BABYLON from "../babylon/looks";
import { fabric, solid } from "./fabric";
import { pave, shade, studio } from "./studio";
import type { create } from "../scenes/banner";

type World = ReturnType<typeof create>;

export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, { target: [0, 1.95, 0], alpha: -1.8, beta: 1.5, radius: 7.4, extent: 9, sun: [-0.5, -0.9, 0.7] });
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    pave(scene, floor);
    for (const post of world.posts) post.material = solid(scene, "#7a4f30", 0.7, 0);

    world.banner.material = fabric(scene, printBanner(scene), [100, 22], 0.4);
    shade(shadows, [world.banner, ...world.posts]);
}

/** Lettering between two lines, drawn by the canvas. */
function printBanner(scene: BABYLON.Scene) {
    const texture = new BABYLON.DynamicTexture("banner", { width: 2048, height: 450 }, scene, true);
    const context = texture.getContext() as CanvasRenderingContext2D;
    context.fillStyle = "#1f6f66";
    context.fillRect(0, 0, 2048, 450);
    context.fillStyle = "#f2c14e";
    context.fillRect(0, 34, 2048, 14);
    context.fillRect(0, 402, 2048, 14);
    context.fillStyle = "#fbf5e6";
    context.font = "bold 210px Georgia, 'Liberation Serif', 'DejaVu Serif', serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText("BABYLON CLOTH", 1024, 232, 1880);
    texture.update();
    texture.anisotropicFilteringLevel = 8;
    return texture;
}
