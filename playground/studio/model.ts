/** Files that have been dropped or chosen: a model with what belongs to it. */
import { ImportMeshAsync } from "@babylonjs/core/Loading/sceneLoader";
import type { ISceneLoaderAsyncResult } from "@babylonjs/core/Loading/sceneLoader";
import { FilesInputStore } from "@babylonjs/core/Misc/filesInputStore";
import type { Scene } from "@babylonjs/core/scene";
import { jsonOfGlb } from "./glb";

const MODEL = /\.(glb|gltf|vrm|babylon)$/i;

/** File types for a file picker. */
export const ACCEPT = ".glb,.gltf,.vrm,.babylon,.bin,.json,.ts,.js,.txt,image/*";

/**
 * Keeps files for {@link loadModel}.
 * @returns the model among them
 * @throws Error where there is none
 */
export function keepFiles(files: readonly File[]): File {
    const model = files.find(({ name }) => MODEL.test(name));
    if (!model) {
        const names = files.map(({ name }) => name).join(", ") || "nothing";
        const forms = "a .glb, .gltf, .vrm or .babylon file (with its .bin and images), or what the studio has exported";
        throw new Error(`Drop ${forms}; got ${names}`);
    }
    for (const file of files) FilesInputStore.FilesToLoad[file.name.toLowerCase()] = file;
    return model;
}

/** True if a model's file is loaded. */
export function hasFile(name: string): boolean {
    return name.toLowerCase() in FilesInputStore.FilesToLoad;
}

/** Loads a kept model into a scene; it stands still. @throws Error where it is not here, or is none */
export async function loadModel(name: string, scene: Scene): Promise<ISceneLoaderAsyncResult> {
    if (!hasFile(name)) throw new Error(lackOf(name));
    const file = FilesInputStore.FilesToLoad[name.toLowerCase()];
    const isBabylon = /\.babylon$/i.test(name);
    const json = await readJson(file);
    if (isBabylon) await import("./babylonFiles");
    // The loader of cloth, too: what is cloth in the file goes on as that.
    else await Promise.all([import("@babylonjs/loaders/glTF/2.0"), import("babylon-cloth/loader")]);
    const pluginExtension = isBabylon ? ".babylon" : json.isBinary ? ".glb" : ".gltf";
    try {
        // What belongs to it is looked for among the kept files, too.
        const pluginOptions = { gltf: { animationStartMode: 0, createInstances: false } };
        const loaded = await ImportMeshAsync(file, scene, { rootUrl: "file:", pluginExtension, pluginOptions });
        for (const group of loaded.animationGroups) group.stop();
        return loaded;
    } catch (error) {
        throw new Error(`${name} cannot be loaded: ${plainReason(error)}`, { cause: error });
    }
}

/** Message about a file that is not here. */
export function lackOf(name: string): string {
    return `Drop ${name} here to go on: a link does not carry files`;
}

/**
 * JSON of a model.
 * @throws Error that says what is wrong with the file, or which files are to be dropped with it
 */
export async function readJson(file: File): Promise<{ json: Record<string, unknown>; isBinary: boolean }> {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const isBinary = String.fromCharCode(...bytes.subarray(0, 4)) === "glTF";
    const kind = /\.babylon$/i.test(file.name) ? ".babylon" : "glTF";
    let json: unknown;
    try {
        json = isBinary ? jsonOfGlb(bytes) : JSON.parse(new TextDecoder().decode(bytes));
    } catch (error) {
        const reason = bytes.length === 0 ? "it is empty" : isBinary ? (error as Error).message : `it is no ${kind} file`;
        throw new Error(`${file.name} cannot be loaded: ${reason}`, { cause: error });
    }
    const isModel = typeof json === "object" && json !== null && (kind === "glTF" ? "asset" in json : "meshes" in json);
    if (!isModel) throw new Error(`${file.name} cannot be loaded: it is no ${kind} file`);
    const parts = json as { buffers?: { uri?: string }[]; images?: { uri?: string }[] };
    const uris = [...(parts.buffers ?? []), ...(parts.images ?? [])].flatMap(({ uri }) => (uri ? [uri] : []));
    const lacking = uris.filter((uri) => !/^data:/.test(uri)).map((uri) => decodeURIComponent(uri).replace(/^.*\//, ""));
    const absent = lacking.filter((name) => !hasFile(name));
    if (kind === "glTF" && absent.length > 0) throw new Error(`${file.name} needs ${absent.join(", ")}: drop them together`);
    return { json: json as Record<string, unknown>, isBinary };
}

/** Reason of a loader's error without the insides of the loader. */
function plainReason(error: unknown): string {
    const messages: string[] = [];
    for (let cause = error; cause instanceof Error; cause = (cause as { innerError?: unknown }).innerError)
        messages.push(cause.message);
    const text = messages.join(": ");
    const own = /(Cloth\w+: .*)$/.exec(text);
    if (own) return own[1];
    if (/texture|image/i.test(text)) return "one of its images cannot be read";
    if (/extension (\w+) /i.test(text)) return `it needs the extension ${/extension (\w+) /i.exec(text)![1]}, which is not there`;
    return "its data are damaged or cut off";
}
