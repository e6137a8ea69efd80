import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { fabric, solid } from "../parts/fabric";
import { paint, rgb } from "../parts/paint";
import { applyTiles, shade, studio } from "../parts/studio";

export const about = {
    title: "Tablecloth",
    text: "ClothBuilder.CreateTablecloth on a round table: it falls into folds, and comes to rest.",
    place: 4,
    group: "Contact",
};

type World = ReturnType<typeof create>;

/** A square tablecloth falls over a round table, into folds that keep off each other. */
export function create(scene: BABYLON.Scene) {
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    const table = BABYLON.MeshBuilder.CreateCylinder("table", { height: 0.04, diameter: 1.2, tessellation: 64 }, scene);
    table.position.y = 0.78;
    const foot = BABYLON.MeshBuilder.CreateCylinder("foot", { height: 0.76, diameterTop: 0.1, diameterBottom: 0.5 }, scene);
    foot.position.y = 0.38;

    const tablecloth = BABYLONCLOTH.ClothBuilder.CreateTablecloth(
        "tablecloth",
        { table, size: 2.1, selfCollision: "particles", colliders: [foot, floor] },
        scene,
    );
    tablecloth.rotation.y = 0.3;

    return { cloths: [tablecloth.cloth], tablecloth, table, foot, floor };
}

export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, {
        boxes: [
            [
                [-1.35, 0.78, -1.35],
                [1.35, 0.86, 1.35],
            ],
            [
                [-0.95, 0, -0.95],
                [0.95, 0.85, 0.95],
            ],
        ],
        alpha: -1.9,
        beta: 1.18,
        extent: 7,
        sun: [-0.6, -1, 0.45],
    });
    applyTiles(scene, world.floor);
    world.table.material = world.foot.material = solid(scene, "#7a5233", 0.5, 0);
    world.tablecloth.material = fabric(scene, paint(scene, 1024, 1024, printChecks), [56, 56], 0.25);
    shade(shadows, [world.tablecloth, world.table, world.foot]);
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
