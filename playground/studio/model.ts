/** Files that have been dropped or chosen: a model with what belongs to it. */
import { ImportMeshAsync } from "@babylonjs/core/Loading/sceneLoader";
import type { ISceneLoaderAsyncResult } from "@babylonjs/core/Loading/sceneLoader";
import { FilesInputStore } from "@babylonjs/core/Misc/filesInputStore";
import type { Scene } from "@babylonjs/core/scene";

const MODEL = /\.(glb|gltf|babylon)$/i;

/** File types for a file picker. */
export const ACCEPT = ".glb,.gltf,.babylon,.bin,image/*";

/**
 * Keeps files for {@link loadModel}.
 * @returns name of the model among them
 * @throws Error where there is none
 */
export function keepFiles(files: readonly File[]): string {
    const model = files.find(({ name }) => MODEL.test(name));
    if (!model) {
        const names = files.map(({ name }) => name).join(", ") || "nothing";
        throw new Error(`Drop a .glb, .gltf or .babylon file (with its .bin and images), got ${names}`);
    }
    for (const file of files) FilesInputStore.FilesToLoad[file.name.toLowerCase()] = file;
    return model.name;
}

/** True if a model's file is loaded. */
export function hasFile(name: string): boolean {
    return name.toLowerCase() in FilesInputStore.FilesToLoad;
}

/** Loads a kept model into a scene. @throws Error where it is not here, or is none */
export async function loadModel(name: string, scene: Scene): Promise<ISceneLoaderAsyncResult> {
    if (!hasFile(name)) throw new Error(`Drop ${name} here to go on: a link does not carry files`);
    if (/\.babylon$/i.test(name)) await import("./babylonFiles");
    else await import("@babylonjs/loaders/glTF/2.0");
    try {
        // What belongs to it is looked for among the kept files, too.
        return await ImportMeshAsync(FilesInputStore.FilesToLoad[name.toLowerCase()], scene, { rootUrl: "file:" });
    } catch (error) {
        throw new Error(`${name} cannot be loaded: ${reasonOf(error)}`, { cause: error });
    }
}

/** Messages of a Babylon error and its causes. */
function reasonOf(error: unknown): string {
    if (!(error instanceof Error)) return String(error);
    const { innerError } = error as { innerError?: unknown };
    return innerError ? `${error.message}: ${reasonOf(innerError)}` : error.message;
}
