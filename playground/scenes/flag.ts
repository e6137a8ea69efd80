import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { fabric, solid } from "../parts/fabric";
import { paint, rgb } from "../parts/paint";
import { applyTiles, shade, studio } from "../parts/studio";

export const about = {
    title: "Flag",
    text: "ClothBuilder.CreateFlag on a pole, and a gusty wind. Turn the wind in the panel.",
    place: 1,
    group: "Flags and curtains",
};

type World = ReturnType<typeof create>;

/** A flag on a pole, flown by a gusty wind. */
export function create(scene: BABYLON.Scene) {
    const pole = BABYLON.MeshBuilder.CreateCylinder("pole", { height: 4.4, diameterBottom: 0.11, diameterTop: 0.07 }, scene);
    pole.position.y = 2.2;

    const wind = { velocity: new BABYLON.Vector3(6.5, 0, 1.5), turbulence: 0.5 };
    const flag = BABYLONCLOTH.ClothBuilder.CreateFlag("flag", { pole, width: 3, height: 2, fabric: "nylon", wind }, scene);

    return { cloths: [flag.cloth], flag, pole };
}

export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, {
        boxes: [
            [
                [-0.1, 0, -0.1],
                [0.1, 4.57, 0.1],
            ],
            [
                [0, 1.3, -0.8],
                [3.1, 4.3, 1.9],
            ],
        ],
        alpha: -1.75,
        beta: 1.53,
        extent: 12,
        sun: [-0.35, -0.8, 0.9],
    });
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    applyTiles(scene, floor);

    world.pole.material = solid(scene, "#e8e6e1", 0.35, 0.6);
    const ball = BABYLON.MeshBuilder.CreateSphere("finial", { diameter: 0.2 }, scene);
    ball.position.set(0, 4.46, 0);
    ball.material = solid(scene, "#e0b04a", 0.3, 0.7);

    world.flag.material = fabric(scene, paint(scene, 768, 512, printFlag), [60, 40], 0.5);
    shade(shadows, [world.flag, world.pole, ball]);
}

/** A sun that rises from the sea into a pale sky. */
function printFlag(u: number, v: number) {
    const sea = [rgb("#1d6a7d"), rgb("#164a68"), rgb("#12304f")];
    for (let i = 2; i >= 0; i--) {
        const crest = 0.36 - 0.12 * i + 0.022 * Math.sin(u * 6 * Math.PI + 1.9 * i);
        if (v < crest - 0.016) return sea[i];
        if (v < crest) return rgb("#f6efdf");
    }
    const x = (u - 0.5) * 1.5;
    const y = v - 0.4;
    const distance = Math.hypot(x, y);
    const isRay = Math.abs((((Math.atan2(y, x) / Math.PI) * 9 + 18) % 1) - 0.5) < 0.22;
    if (distance < 0.21 || (distance > 0.25 && distance < 0.42 && isRay)) return rgb("#d9432f");
    return rgb("#f3b34a");
}
