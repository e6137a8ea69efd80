import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { fabric, solid } from "../parts/fabric";
import { paint, rgb } from "../parts/paint";
import { pave, shade, studio } from "../parts/studio";

export const about = {
    title: "Tablecloth",
    text: "Falls over a sphere that lies on the ground, and comes to rest.",
    place: 4,
};

type World = ReturnType<typeof create>;

/** A tablecloth falls over a sphere that lies on the ground. */
export function create(scene: BABYLON.Scene) {
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    const sphere = BABYLON.MeshBuilder.CreateSphere("sphere", { diameter: 1.3, segments: 48 }, scene);
    sphere.position.y = 0.65;

    const tablecloth = BABYLON.MeshBuilder.CreateGround("tablecloth", { width: 3.2, height: 3.2, subdivisions: 80 }, scene);
    tablecloth.position.set(0.06, 1.4, 0.04);
    tablecloth.rotation.y = 0.3;

    const cloth = new BABYLONCLOTH.ClothBehavior({
        fabric: BABYLONCLOTH.Fabrics.cotton,
        colliders: [sphere, floor],
        substepCount: 8,
    });
    tablecloth.addBehavior(cloth);

    return { cloths: [cloth], tablecloth, sphere, floor };
}

export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, {
        boxes: [
            [
                [-1.96, 1.38, -1.98],
                [2.08, 1.42, 2.06],
            ],
            [
                [-1.5, 0, -1.5],
                [1.5, 1.4, 1.5],
            ],
        ],
        alpha: -1.9,
        beta: 1.18,
        extent: 7,
        sun: [-0.6, -1, 0.45],
    });
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
