/** Puts a document into a scene, be it the one that is seen, or one for an export. */
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Scene } from "@babylonjs/core/scene";
import { buildKind, buildOnMesh, chooseMesh, clothableMeshes, putAside } from "./build";
import type { Built } from "./build";
import type { StudioDocument, Tuning } from "./document";
import { loadModel } from "./model";

/** A cloth of the studio in its scene. */
export interface Assembled extends Built {
    /** Names of the meshes that could be cloth, of a file. */
    readonly choices: readonly string[];
    /** Of a file: the meshes that the cloth meets, and what was said of those that it cannot. */
    readonly met: readonly string[];
    readonly refusals: readonly string[];
}

/** @param aside how far to the right [m] */
export async function assemble(document: StudioDocument, tuning: Tuning, scene: Scene, aside = 0): Promise<Assembled> {
    const { source } = document;
    if ("kind" in source) return { ...buildKind(source.kind, document, tuning, scene, aside), choices: [], met: [], refusals: [] };
    const { meshes, transformNodes } = await loadModel(source.file, scene);
    putAside([...transformNodes, ...meshes], aside, scene);
    const choices = clothableMeshes(meshes as Mesh[]);
    const built = buildOnMesh(chooseMesh(choices, source.mesh), document, tuning);
    const others = choices.filter((mesh) => mesh !== built.mesh);
    const met: string[] = [];
    const refusals: string[] = [];
    for (const mesh of others) {
        try {
            built.cloth.addCollider(mesh);
            met.push(mesh.name);
        } catch (error) {
            refusals.push(`The cloth passes through ${mesh.name}: ${(error as Error).message}`);
        }
    }
    return { ...built, pieces: others, choices: choices.map(({ name }) => name), met, refusals };
}
