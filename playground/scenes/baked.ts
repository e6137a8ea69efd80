import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { fabric, solid } from "../parts/fabric";
import { paint, rgb } from "../parts/paint";
import { applyTiles, shade, studio } from "../parts/studio";

export const about = {
    title: "Baked flags",
    text: "The flag in front is cloth. Those behind it play its recording from textures, each from a moment of its own: VertexAnimation.",
    place: 18,
    group: "Flags and curtains",
};

type World = ReturnType<typeof create>;

/** Length of the recording [s]. */
const SECONDS = 4;
const POLE = 2.4;
const [COLUMNS, ROWS, SPACING] = [5, 6, 1.5];

/** One flag in the wind. */
export function create(scene: BABYLON.Scene) {
    const pole = BABYLON.MeshBuilder.CreateCylinder("pole", { height: POLE, diameter: 0.05 }, scene);
    pole.position.set(-0.5, POLE / 2, 0);
    const wind = { velocity: new BABYLON.Vector3(6, 0, 1), turbulence: 0.4 };
    const flag = BABYLONCLOTH.ClothBuilder.CreateFlag("flag", { pole, width: 1.05, height: 0.7, fabric: "nylon", wind }, scene);
    return { cloths: [flag.cloth], flag, pole };
}

export function decorate(scene: BABYLON.Scene, world: World) {
    const { flag, pole } = world;
    const half = ((COLUMNS - 1) / 2) * SPACING + 0.5;
    const shadows = studio(scene, {
        boxes: [
            [
                [-half, 0, -0.5],
                [half + 0.2, POLE + 0.1, ROWS * SPACING],
            ],
        ],
        alpha: -1.72,
        beta: 1.3,
        extent: 14,
        sun: [-0.35, -0.8, 0.9],
    });
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    applyTiles(scene, floor);
    pole.material = solid(scene, "#e8e6e1", 0.35, 0.6);
    flag.material = fabric(scene, paint(scene, 384, 256, printFlag), [36, 24], 0.5);
    shade(shadows, [flag, pole]);

    const recording = BABYLONCLOTH.ClothBaker.record(flag.cloth, SECONDS);
    flag.cloth.reset();
    for (let i = 0; i < COLUMNS * ROWS; i++) {
        const post = pole.clone(`pole ${i}`, null, true);
        post.position.x += ((i % COLUMNS) - (COLUMNS - 1) / 2) * SPACING;
        post.position.z += (Math.floor(i / COLUMNS) + 1) * SPACING;
        const waving = new BABYLONCLOTH.VertexAnimation(flag.cloth, recording, `flag ${i}`);
        waving.mesh.parent = post;
        // Shadow maps show its first frame: in that shadow it would be dark.
        waving.mesh.receiveShadows = false;
        waving.time = (i * 0.618 * SECONDS) % SECONDS;
        shade(shadows, [post]);
    }
}

/** A white disc with rays on blue. */
function printFlag(u: number, v: number) {
    const [x, y] = [(u - 0.5) * 1.5, v - 0.5];
    const distance = Math.hypot(x, y);
    const isRay = Math.abs((((Math.atan2(y, x) / Math.PI) * 6 + 12) % 1) - 0.5) < 0.2;
    return rgb(distance < 0.16 || (distance > 0.2 && distance < 0.33 && isRay) ? "#f6efdf" : "#1f4f8f");
}
