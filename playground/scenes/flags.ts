import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { fabric, solid } from "../parts/fabric";
import { paint, rgb } from "../parts/paint";
import { applyTiles, shade, studio } from "../parts/studio";

export const about = {
    title: "Flags",
    text: "Three flags in steady winds of 3, 6 and 12 m/s: what flaps, and how fast, is the air's doing.",
    place: 9,
    group: "Flags and curtains",
};

type World = ReturnType<typeof create>;

const SPEEDS = [3, 6, 12];
const COLOURS = ["#2f6f8f", "#d98a2b", "#b23a48"];
/** Height of a pole, length and height of a flag [m]. */
const POLE = 3.4;
const [LENGTH, HEIGHT] = [1.8, 1.2];
const SPACING = 2.7;

/** Three flags on three poles, each in a steady wind of its own. */
export function create(scene: BABYLON.Scene) {
    const flags = SPEEDS.map((speed, i) => {
        const x = (i - 1) * SPACING - LENGTH / 2;
        const pole = BABYLON.MeshBuilder.CreateCylinder("pole", { height: POLE, diameterBottom: 0.08, diameterTop: 0.05 }, scene);
        pole.position.set(x, POLE / 2, 0);
        const flag = BABYLON.MeshBuilder.CreateGround(
            `flag at ${speed} m/s`,
            { width: LENGTH, height: HEIGHT, subdivisionsX: 36, subdivisionsY: 24 },
            scene,
        );
        flag.position.set(x + LENGTH / 2 + 0.03, POLE - HEIGHT / 2 - 0.1, 0);
        flag.rotation.x = -Math.PI / 2;
        // A little off the flag's plane: nothing in a wind is symmetric.
        const angle = Math.PI / 60;
        const wind = new BABYLONCLOTH.Wind({
            velocity: new BABYLON.Vector3(speed * Math.cos(angle), 0, speed * Math.sin(angle)),
            turbulence: 0,
        });
        const cloth = new BABYLONCLOTH.ClothBehavior({
            pins: [{ select: BABYLONCLOTH.select.edge("-x") }],
            fabric: BABYLONCLOTH.Fabrics.nylon,
            substepCount: 8,
            wind,
        });
        flag.addBehavior(cloth);
        return { cloth, flag, pole };
    });
    return { cloths: flags.map(({ cloth }) => cloth), flags };
}

export function decorate(scene: BABYLON.Scene, world: World) {
    const right = SPACING + LENGTH / 2;
    const shadows = studio(scene, {
        boxes: [
            [
                [-right - 0.14, 0, -0.1],
                [right + 0.15, POLE + 0.1, 0.1],
            ],
            [
                [-right, 1, -0.9],
                [right + 0.15, POLE - 0.1, 1.2],
            ],
        ],
        alpha: -1.72,
        beta: 1.5,
        extent: 12,
        sun: [-0.35, -0.8, 0.9],
    });
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    applyTiles(scene, floor);
    world.flags.forEach(({ flag, pole }, i) => {
        pole.material = solid(scene, "#e8e6e1", 0.35, 0.6);
        flag.material = fabric(
            scene,
            paint(scene, 384, 256, (u, v) => printFlag(u, v, i)),
            [36, 24],
            0.5,
        );
        shade(shadows, [flag, pole]);
    });
}

/** As many bars as the wind is strong. */
function printFlag(u: number, v: number, strength: number) {
    const bar = Math.floor((v - 0.5) / 0.14 + (strength + 1) / 2);
    const within = Math.abs((v - 0.5) / 0.14 + (strength + 1) / 2 - bar - 0.5) < 0.3;
    if (u > 0.12 && u < 0.88 && bar >= 0 && bar <= strength && within) return rgb("#f6efdf");
    return rgb(COLOURS[strength]);
}
