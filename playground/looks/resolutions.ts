import * as BABYLON from "../babylon/looks";
import { fabric, solid } from "./fabric";
import { pave, shade, studio } from "./studio";
import type { create } from "../scenes/resolutions";

type World = ReturnType<typeof create>;

export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, { target: [0, 1.35, 0.2], alpha: -1.68, beta: 1.4, radius: 6.6, extent: 9, sun: [-0.5, -1, 0.8] });
    pave(scene, world.floor);
    const wood = solid(scene, "#8a5a35", 0.7, 0);
    const rail = BABYLON.MeshBuilder.CreateCylinder("rail", { height: 6.6, diameter: 0.05 }, scene);
    rail.position.set(0, 2.03, 0.6);
    rail.rotation.z = Math.PI / 2;
    rail.material = wood;
    const posts = [-1, 1].map((side) => {
        const post = BABYLON.MeshBuilder.CreateCylinder("post", { height: 2.06, diameter: 0.08 }, scene);
        post.position.set(side * 3.3, 1.03, 0.6);
        post.material = wood;
        return post;
    });
    world.sheets.forEach((sheet, i) => {
        const albedo = printNumber(scene, sheet.name, ["#e07a5f", "#f2cc8f", "#81b29a", "#6d83b5"][i]);
        sheet.material = fabric(scene, albedo, [24, 24], 0.3);
    });
    shade(shadows, [...world.sheets, rail, ...posts]);
}

/** The sheet's resolution in large figures between stripes, drawn by the canvas. */
function printNumber(scene: BABYLON.Scene, text: string, colour: string) {
    const texture = new BABYLON.DynamicTexture("number", { width: 512, height: 512 }, scene, true);
    const context = texture.getContext() as CanvasRenderingContext2D;
    context.fillStyle = "#f6f1e7";
    context.fillRect(0, 0, 512, 512);
    context.fillStyle = colour;
    for (let y = 0; y < 512; y += 64) if (y < 128 || y > 320) context.fillRect(0, y + 16, 512, 32);
    context.font = "bold 170px Georgia, 'Liberation Serif', 'DejaVu Serif', serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(text, 256, 262);
    texture.update();
    texture.anisotropicFilteringLevel = 8;
    return texture;
}
