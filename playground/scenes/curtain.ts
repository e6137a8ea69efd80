import * as BABYLON from "../babylon";
import * as BABYLONCLOTH from "babylon-cloth";
import { fabric, solid } from "../parts/fabric";
import { noise, paint, rgb } from "../parts/paint";
import { applyTiles, shade, studio } from "../parts/studio";

export const about = {
    title: "Curtain",
    text: "ClothBuilder.CreateCurtain, twice: `open` draws the last ring along the rail, `tied` gathers the pleats in a band.",
    place: 2,
    group: "Flags and curtains",
};

type World = ReturnType<typeof create>;

/** Two curtains on a rail that open and close, and are then held aside by their bands. */
export function create(scene: BABYLON.Scene) {
    const railHeight = 2.75;
    const wind = { velocity: new BABYLON.Vector3(0, 0, -0.8), turbulence: 0.4 };
    const curtains = (["left", "right"] as const).map((side) => {
        const rail = new BABYLON.TransformNode(`${side} rail`, scene);
        rail.position.set(side === "left" ? -0.91 : 0.91, railHeight, 0);
        const options = { rail, width: 1.8, height: 2.6, pleats: 7, fullness: 1.6, side, wind };
        return BABYLONCLOTH.ClothBuilder.CreateCurtain(`${side} curtain`, options, scene);
    });

    /** Draws the curtains for a time [s]: open and closed, then gathered by their bands and let go, and again. */
    function update(time: number) {
        const wave = (begin: number, end: number) => {
            const share = (time % 18) - begin;
            return share < 0 || share > end - begin ? 0 : 0.5 - 0.5 * Math.cos((2 * Math.PI * share) / (end - begin));
        };
        for (const curtain of curtains) {
            curtain.open = 0.95 * wave(0.5, 9);
            curtain.tied = wave(10, 18);
        }
    }

    return {
        cloths: curtains.map((curtain) => curtain.cloth),
        curtains,
        rings: curtains.flatMap((curtain) => curtain.rings),
        railHeight,
        update,
    };
}

/** A room with a tall window behind the curtains; the sun stands outside and shines in through cloth and glass. */
export function decorate(scene: BABYLON.Scene, world: World) {
    const shadows = studio(scene, {
        boxes: [
            [
                [-2.73, 0, -0.4],
                [2.73, 2.86, 0.1],
            ],
            [
                [-2.4, 0, -1.3],
                [2.4, 1.8, 0.1],
            ],
        ],
        alpha: -1.45,
        beta: 1.5,
        extent: 14,
        sun: [0.35, -0.62, -0.9],
    });
    const floor = BABYLON.MeshBuilder.CreateGround("floor", { width: 200, height: 200 }, scene);
    applyTiles(scene, floor);

    const wall = solid(scene, "#e3dccd", 0.95, 0);
    const blocks = [
        [-6.3, 2.5, 10, 5],
        [6.3, 2.5, 10, 5],
        [0, 0.2, 2.6, 0.4],
        [0, 3.76, 2.6, 2.48],
    ].map(([x, y, width, height]) => {
        const block = BABYLON.MeshBuilder.CreateBox("wall", { width, height, depth: 0.25 }, scene);
        block.position.set(x, y, 0.45);
        block.material = wall;
        return block;
    });
    const frame = solid(scene, "#f4f1ea", 0.5, 0);
    const bars = [
        [0, 1.46, 0.06, 2.12],
        [-0.65, 1.46, 0.035, 2.12],
        [0.65, 1.46, 0.035, 2.12],
        [0, 1.46, 2.6, 0.05],
        [-1.28, 1.46, 0.08, 2.16],
        [1.28, 1.46, 0.08, 2.16],
        [0, 2.5, 2.6, 0.08],
        [0, 0.42, 2.7, 0.06],
    ].map(([x, y, width, height]) => {
        const bar = BABYLON.MeshBuilder.CreateBox("window bar", { width, height, depth: 0.08 }, scene);
        bar.position.set(x, y, 0.42);
        bar.material = frame;
        return bar;
    });

    const brass = solid(scene, "#c99b4b", 0.3, 0.7);
    const rail = BABYLON.MeshBuilder.CreateCylinder("rail", { height: 5.3, diameter: 0.035 }, scene);
    rail.position.y = world.railHeight + 0.05;
    rail.rotation.z = Math.PI / 2;
    rail.material = brass;
    const knobs = [-1, 1].map((side) => {
        const knob = BABYLON.MeshBuilder.CreateSphere("knob", { diameter: 0.09 }, scene);
        knob.position.set(side * 2.67, world.railHeight + 0.05, 0);
        knob.material = brass;
        return knob;
    });
    for (const ring of world.rings) {
        const torus = BABYLON.MeshBuilder.CreateTorus("ring", { diameter: 0.075, thickness: 0.01, tessellation: 20 }, scene);
        torus.rotation.z = Math.PI / 2;
        torus.position.y = 0.04;
        torus.material = brass;
        torus.parent = ring;
    }

    const linen = paint(scene, 512, 512, printLinen);
    for (const curtain of world.curtains) curtain.material = fabric(scene, linen, [40, 42], 0.75);
    shade(shadows, [...world.curtains, ...blocks, ...bars, ...knobs, rail]);
}

/** Undyed linen with a border of woven bands at the hem. */
function printLinen(u: number, v: number) {
    const linen = rgb("#efe3cd");
    const terracotta = rgb("#b4562f");
    const olive = rgb("#6d7442");
    const y = v * 2.6;
    if (y > 0.16 && y < 0.3) return terracotta;
    if ((y > 0.33 && y < 0.36) || (y > 0.1 && y < 0.13)) return olive;
    if (y > 0.42 && y < 0.5) {
        const x = Math.abs(((u * 25) % 1) - 0.5);
        if (x * 0.12 + Math.abs(y - 0.46) < 0.038) return terracotta;
    }
    const slub = 0.97 + 0.03 * noise(u * 8, v * 100, 100);
    return linen.map((channel) => channel * slub);
}
