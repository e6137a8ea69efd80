/**
 * The gallery's scenes. A definition builds meshes, cloths and colliders, without a DOM, the same on every machine: the
 * page, the tests and the benchmarks run the same ones. How a scene looks is told in ../looks.
 */
import type { Scene } from "@babylonjs/core/scene";
import type { ClothBehavior } from "babylon-cloth";

/** What a definition builds; its own meshes come along for its look. */
export interface World {
    cloths: ClothBehavior[];
    /** Places what moves for a time since the start [s]. At 0 it is all where it was built. */
    update?(time: number): void;
}

/** URLs of the models, by file name. */
export type Assets = Record<string, string>;

export interface Definition {
    create(scene: Scene, assets: Assets): World | Promise<World>;
}

export interface Entry {
    /** As in `?scene=id`, and the name of its files. */
    id: string;
    title: string;
    text: string;
    load(): Promise<Definition>;
}

export const scenes: readonly Entry[] = [
    {
        id: "flag",
        title: "Flag",
        text: "One edge pinned to the pole, and a gusty wind. Turn the wind in the panel.",
        load: () => import("./flag"),
    },
    {
        id: "curtain",
        title: "Curtain",
        text: "Rings are TransformNodes that carry the pins; moving the rings along the rail draws the curtain.",
        load: () => import("./curtain"),
    },
    {
        id: "ball",
        title: "Ball",
        text: "The classic: a ball rolls through a hanging sheet, and the sheet slides off with friction.",
        load: () => import("./ball"),
    },
    {
        id: "tablecloth",
        title: "Tablecloth",
        text: "Falls over a sphere that lies on the ground, and comes to rest.",
        load: () => import("./tablecloth"),
    },
    {
        id: "banner",
        title: "Banner",
        text: "Tied by its ends between two posts; each post carries its own pins as it sways.",
        load: () => import("./banner"),
    },
    {
        id: "skirt",
        title: "Skirt (glTF)",
        text: "A mesh from a .glb file, with a seam, on a turning form. The pins follow the mesh's parent.",
        load: () => import("./skirt"),
    },
    {
        id: "builders",
        title: "Every builder",
        text: "A mesh of every builder as cloth. Seams stay together; solids hang like empty bags.",
        load: () => import("./builders"),
    },
    {
        id: "resolutions",
        title: "Resolutions",
        text: "One fabric at 16², 32², 64² and 128² quads. Stiffness belongs to the fabric, not to the grid.",
        load: () => import("./resolutions"),
    },
];

/** Length of the steps in which {@link run} advances [s]. */
const FRAME = 1 / 60;

/**
 * Runs a world without drawing it, frame by frame.
 * @param from time since the start [s]
 * @returns the time reached [s], `from + seconds` rounded to whole frames
 */
export function run(world: World, from: number, seconds: number): number {
    const frames = Math.round(seconds / FRAME);
    for (let i = 1; i <= frames; i++) {
        world.update?.(from + i * FRAME);
        for (const cloth of world.cloths) cloth.step(FRAME);
    }
    return from + frames * FRAME;
}

/** Puts a world back to its start. */
export function rewind(world: World): void {
    world.update?.(0);
    for (const cloth of world.cloths) cloth.reset();
}
