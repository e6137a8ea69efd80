/** Puts a document into a scene, be it the one that is seen, or one for an export. */
import type { AnimationGroup } from "@babylonjs/core/Animations/animationGroup";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Scene } from "@babylonjs/core/scene";
import { Colliders } from "babylon-cloth";
import type { ClothBehavior } from "babylon-cloth";
import { addSolids, buildKind, buildOnMesh, clothOn, putAside } from "./build";
import type { Built } from "./build";
import type { Meets, StudioDocument, Tuning } from "./document";
import { loadModel } from "./model";
import { piecesOf } from "./solids";
import { choose, clothChoices } from "./suggest";
import type { Choice } from "./suggest";

/** A cloth of the studio in its scene. */
export interface Assembled extends Built {
    /** The meshes that could be cloth, of a file, the likeliest first. */
    readonly choices: readonly Choice[];
    /** Label of the one that is. */
    readonly label: string;
    /** Of a file: what the cloth meets, the meshes of that by name, and what was said of those that it cannot. */
    readonly meets: Meets;
    readonly met: readonly string[];
    readonly refusals: readonly string[];
    /** Clips of the file, which do not play. */
    readonly clips: readonly AnimationGroup[];
}

/** @param aside how far to the right [m] */
export async function assemble(document: StudioDocument, tuning: Tuning, scene: Scene, aside = 0): Promise<Assembled> {
    const { source } = document;
    if ("kind" in source) {
        const built = buildKind(source.kind, document, tuning, scene, aside);
        const none = { choices: [], met: [], refusals: [], clips: [] };
        return { ...built, ...none, label: source.kind, meets: "nothing" };
    }
    const { meshes, transformNodes, animationGroups: clips } = await loadModel(source.file, scene);
    putAside([...transformNodes, ...meshes], aside, scene);
    const choices = clothChoices(meshes as Mesh[]);
    const { mesh, label } = choose(choices, source.mesh);
    // Its colliders are the file's, unless the document says otherwise.
    const isTold = !clothOn(mesh) || source.meets !== null;
    // Solids of the document are in what the studio has exported.
    const names = new Set(clothOn(mesh) ? piecesOf(document.solids).map(({ name }) => name) : []);
    for (const each of meshes) if (names.has(each.name)) each.dispose();
    const others = choices.map((choice) => choice.mesh).filter((each) => each !== mesh && !each.isDisposed());
    const skinned = others.filter((each) => each.skeleton !== null);
    const built = buildOnMesh(mesh, document, tuning);
    const meets = source.meets ?? (skinned.length > 0 ? "capsules" : "meshes");
    const added = isTold ? meet(built.cloth, meets, meets === "capsules" ? skinned : others) : { met: [], refusals: [] };
    const solids = addSolids(built.cloth, document, scene, aside);
    const remaining = choices.filter((choice) => !choice.mesh.isDisposed());
    return { ...built, pieces: others, solids, choices: remaining, label, meets, clips, ...added };
}

/** Has a cloth meet meshes, or capsules on their bones. */
function meet(cloth: ClothBehavior, meets: Meets, meshes: readonly Mesh[]): Pick<Assembled, "met" | "refusals"> {
    for (const collider of [...cloth.colliders]) cloth.removeCollider(collider);
    const met: string[] = [];
    const refusals: string[] = [];
    for (const mesh of meets === "nothing" ? [] : meshes) {
        try {
            if (meets === "meshes") cloth.addCollider(mesh);
            else for (const capsule of Colliders.fromSkeleton(mesh)) cloth.addCollider(capsule);
            met.push(mesh.name);
        } catch (error) {
            refusals.push(`The cloth passes through ${mesh.name}: ${(error as Error).message}`);
        }
    }
    return { met, refusals };
}
