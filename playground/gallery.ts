/**
 * The gallery: every file in scenes/ is a scene. Its `create` builds meshes, cloths and colliders without a DOM, the same
 * on every machine, for the page as for tests; its `decorate` gives them materials, light, shadows and a camera, in a browser.
 */
import type { ParticleSystem } from "@babylonjs/core/Particles/particleSystem";
import type { Scene } from "@babylonjs/core/scene";
import { ClothTime } from "babylon-cloth";
import type { BodyBehavior, BoneChainBehavior, ClothBehavior, Ragdoll } from "babylon-cloth";

/** Name that tells one of several cloths from the others. */
export interface Compared {
    readonly name: string;
    readonly colour: string;
}

/** A button of a scene, under its title: one of a choice, or a switch. */
export interface SceneButton {
    readonly label: string;
    readonly isPressed: () => boolean;
    readonly press: () => void;
}

/** Content that a scene builds. */
export interface World {
    cloths: ClothBehavior[];
    /** Simulated bodies besides its cloths: ropes, plants. */
    bodies?: BodyBehavior[];
    /** Ragdolls; stepped before the cloths. */
    ragdolls?: Ragdoll[];
    /** Bone chains. */
    chains?: BoneChainBehavior[];
    /** Names of compared cloths, one for each; the panel plots them. */
    compared?: readonly Compared[];
    buttons?: readonly SceneButton[];
    /** Particle systems. */
    systems?: ParticleSystem[];
    /** Moves animated nodes to a time since the start [s]. At 0 they are where they were built. */
    update?(time: number): void;
}

/** Groups of scenes, in the menu's order. */
export const GROUPS = ["Flags and curtains", "Characters", "Contact", "Layers", "Ropes and plants", "Tools"] as const;
type Group = (typeof GROUPS)[number];

/** URLs of the models, by file name. */
export type Assets = Record<string, string>;

/** Exports of a file in scenes/. */
interface Definition {
    about: {
        title: string;
        text: string;
        /** Orders the gallery, lowest first. */
        place: number;
        group: Group;
    };
    create(scene: Scene, assets: Assets): World | Promise<World>;
    /** `world` is what `create` has built. */
    decorate(scene: Scene, world: never): void;
}

export interface Entry extends Definition {
    /** As in `?scene=id`: the name of its file. */
    id: string;
}

/** All scenes, in the gallery's order. */
export const scenes: readonly Entry[] = (import.meta.webpack ? bundledFiles() : await filesOfNode())
    .map(([file, definition]) => ({ ...definition, id: file.replace(/^\.\/|\.ts$/g, "") }))
    .sort((a, b) => a.about.place - b.about.place);

/** Found by webpack when it builds the page. */
function bundledFiles(): [file: string, definition: Definition][] {
    const context = import.meta.webpackContext("./scenes", { regExp: /\.ts$/ });
    return context.keys().map((file) => [file, context(file) as Definition]);
}

/** Found in the folder by Node, for tests. webpack leaves this out. */
async function filesOfNode(): Promise<[file: string, definition: Definition][]> {
    if (import.meta.webpack) return [];
    const { readdirSync } = await import("node:fs");
    const found: [string, Definition][] = [];
    // One after the other, for Jest's loader.
    for (const file of readdirSync(new URL("scenes", import.meta.url))) found.push([file, await import(`./scenes/${file}`)]);
    return found;
}

/** Length of the steps in which {@link run} advances [s]. */
const FRAME = 1 / 60;

/**
 * Runs a world without drawing it, frame by frame.
 * @param from time since the start [s]
 * @returns the time reached [s], `from + seconds` rounded to whole frames
 */
export function run(scene: Scene, world: World, from: number, seconds: number): number {
    const frames = Math.round(seconds / FRAME);
    for (let i = 1; i <= frames; i++) {
        world.update?.(from + i * FRAME);
        ClothTime.step(scene, FRAME);
    }
    return from + frames * FRAME;
}

/** Puts a world back to its start. */
export function rewind(scene: Scene, world: World): void {
    ClothTime.set(scene, 0);
    world.update?.(0);
    // Cloth that lies on bodies finds them where they begin.
    for (const body of [...(world.ragdolls ?? []), ...(world.bodies ?? []), ...(world.chains ?? []), ...world.cloths]) body.reset();
}
