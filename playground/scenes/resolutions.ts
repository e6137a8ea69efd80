import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { fabric } from "../parts/fabric";
import { hangRail } from "../parts/rail";
import { applyTiles, shade, studio } from "../parts/studio";

export const about = {
    title: "Resolutions",
    text: "One fabric at 16², 32², 64² and 128² quads. Stiffness belongs to the fabric, not to the grid.",
    place: 8,
    group: "Tools",
};

type World = ReturnType<typeof create>;

/** One fabric at 16², 32², 64² and 128² quads, hung by two corners: the sheets should hang and swing alike. */
export function create(scene: BABYLON.Scene) {
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    const sheets = [16, 32, 64, 128].map((subdivisions, i) => {
        const sheet = BABYLON.MeshBuilder.CreateGround(`${subdivisions}²`, { width: 1.2, height: 1.2, subdivisions }, scene);
        sheet.position.set((i - 1.5) * 1.6, 2, 0);
        return sheet;
    });
    const cloths = sheets.map((sheet) => {
        const cloth = new BABYLONCLOTH.ClothBehavior({
            pins: [{ select: BABYLONCLOTH.select.corners("-x+z", "+x+z") }],
            fabric: { arealDensity: 0.2, damping: 0.4 },
        });
        sheet.addBehavior(cloth);
        return cloth;
    });

    return { cloths, sheets, floor };
}

export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, {
        boxes: [
            [
                [-3.36, 0, 0.5],
                [3.36, 2.1, 0.7],
            ],
            [
                [-3.2, 0.7, -1.1],
                [3.2, 2.05, 1.9],
            ],
        ],
        alpha: -1.68,
        beta: 1.4,
        extent: 9,
        sun: [-0.5, -1, 0.8],
    });
    applyTiles(scene, world.floor);
    const rail = hangRail(scene, { length: 6.6, height: 2.03, thickness: 0.05 }, 0.6);
    world.sheets.forEach((sheet, i) => {
        const albedo = printNumber(scene, sheet.name, ["#e07a5f", "#f2cc8f", "#81b29a", "#6d83b5"][i]);
        sheet.material = fabric(scene, albedo, [24, 24], 0.3);
    });
    shade(shadows, [...world.sheets, ...rail]);
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
    texture.wrapU = texture.wrapV = BABYLON.Texture.CLAMP_ADDRESSMODE;
    texture.anisotropicFilteringLevel = 8;
    return texture;
}
