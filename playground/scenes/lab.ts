import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { fabric } from "../parts/fabric";
import { hangRail } from "../parts/rail";
import { applyTiles, shade, studio } from "../parts/studio";

export const about = {
    title: "Lab",
    text: "One cloth under every solver: energy, stretch and cost side by side. Fewer substeps are longer steps: what explodes says why.",
    place: 22,
    group: "Tools",
};

type World = Awaited<ReturnType<typeof create>>;

/** The solvers by their colours; the default without square roots moves as the default does, as long as nothing is stretched much. */
const SOLVERS: Record<BABYLONCLOTH.SolverName, string> = {
    xpbd: "#2f4b7c",
    squareRootFree: "#8d6e53",
    explicitEuler: "#c23b22",
    symplecticEuler: "#e08e0b",
    midpoint: "#8a8f1c",
    rungeKutta4: "#2e8b57",
    verlet: "#1f9aa8",
    implicit: "#7b4fa3",
    implicitBuckling: "#b8488a",
};

/** One soft sheet, hung by two corners, under each solver. */
export async function create(scene: BABYLON.Scene) {
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    const names = Object.keys(SOLVERS) as (keyof typeof SOLVERS)[];
    const sheets = names.map((solver, i) => {
        const sheet = BABYLON.MeshBuilder.CreateGround(solver, { width: 0.7, height: 0.7, subdivisions: 12 }, scene);
        sheet.position.set((i - (names.length - 1) / 2) * 0.86, 1.6, 0);
        return sheet;
    });
    const cloths = sheets.map((sheet) => {
        const cloth = new BABYLONCLOTH.ClothBehavior({
            solver: sheet.name as BABYLONCLOTH.SolverName,
            springDamping: 3e-3,
            substepCount: 16,
            pins: [{ select: BABYLONCLOTH.select.corners("-x+z", "+x+z") }],
            fabric: { arealDensity: 0.3, stretchStiffness: 40, shearStiffness: 8, bendStiffness: 3e-4, damping: 1.5 },
        });
        sheet.addBehavior(cloth);
        return cloth;
    });
    await Promise.all(cloths.map((cloth) => cloth.whenReady()));

    return { cloths, compared: names.map((name) => ({ name, colour: SOLVERS[name] })), sheets, floor };
}

export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, {
        boxes: [
            [
                [-3.95, 0, 0.3],
                [3.95, 1.7, 0.5],
            ],
            [
                [-3.9, 0.5, -0.8],
                [3.9, 1.65, 1.4],
            ],
        ],
        alpha: -1.62,
        beta: 1.4,
        extent: 9,
        sun: [-0.5, -1, 0.8],
    });
    applyTiles(scene, world.floor);
    const rail = hangRail(scene, { length: 7.8, height: 1.62, thickness: 0.04 }, 0.35);
    world.sheets.forEach((sheet, i) => {
        sheet.material = fabric(scene, printName(scene, world.compared[i]), [16, 16], 0.3);
    });
    shade(shadows, [...world.sheets, ...rail]);
}

/** The solver's name between bands of its colour. */
function printName(scene: BABYLON.Scene, { name, colour }: World["compared"][number]) {
    const texture = new BABYLON.DynamicTexture(name, { width: 512, height: 512 }, scene, true);
    const context = texture.getContext() as CanvasRenderingContext2D;
    context.fillStyle = "#f6f1e7";
    context.fillRect(0, 0, 512, 512);
    context.fillStyle = colour;
    for (const y of [16, 80, 400, 464]) context.fillRect(0, y, 512, 32);
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = "bold 76px Georgia, 'Liberation Serif', 'DejaVu Serif', serif";
    // A word a line.
    const words = name.replace(/([A-Z]|4)/g, " $1").split(" ");
    words.forEach((word, i) => context.fillText(word, 256, 256 + 80 * (i - (words.length - 1) / 2)));
    texture.update();
    texture.wrapU = texture.wrapV = BABYLON.Texture.CLAMP_ADDRESSMODE;
    texture.anisotropicFilteringLevel = 8;
    return texture;
}
