import type { Scene } from "@babylonjs/core/scene";
import { reject } from "../../engine/index";
import { runtimeOf } from "../behaviors/bodyRuntime";
import { sceneLoopOf } from "../scene/sceneLoop";
import { isSerializable, parseCloth, serializeCloth } from "./clothData";
import type { SerializableBehavior } from "./clothData";
import type { ClothData, FileOptions } from "./format/fileFormat";
import { readState, writeState } from "./fileState";
import type { Behavior } from "@babylonjs/core/Behaviors/behavior";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";

/** Node metadata that holds the data: glTF exporters write `gltf.extras`, and SceneSerializer writes all metadata. */
interface Metadata {
    gltf?: { extras?: { cloth?: unknown } };
}

/** See {@link ClothFiles.writeScene}. */
export function writeCloths<T>(scene: Scene, write: () => T, options: FileOptions): T {
    sceneLoopOf("ClothFiles: writeScene", scene);
    if (typeof write !== "function") reject("ClothFiles: writeScene", "write", "a function", write);
    const taken = attachedCloths(scene).map(({ mesh, cloth }) => ({ mesh, cloth, data: serializeCloth(cloth, options) }));
    const backs = taken.map(({ mesh, cloth, data }) => detachForWriting(mesh, cloth, data));
    const putBack = (): void => backs.forEach((back) => back());
    let result: T;
    try {
        result = write();
    } catch (error) {
        putBack();
        throw error;
    }
    if (result instanceof Promise) return result.finally(putBack) as T;
    putBack();
    return result;
}

/** See {@link ClothFiles.readScene}. */
export function readCloths(scene: Scene): SerializableBehavior[] {
    sceneLoopOf("ClothFiles: readScene", scene);
    const known = new Set(attachedCloths(scene).map(({ mesh }) => mesh));
    const found = scene.meshes
        .map((mesh) => ({ mesh: mesh as Mesh, data: (mesh.metadata as Metadata | null)?.gltf?.extras?.cloth }))
        .filter(({ mesh, data }) => data !== undefined && !known.has(mesh))
        .map(({ mesh, data }) => ({ mesh, cloth: parseCloth(data as ClothData, scene) }));
    addBehaviors(found);
    return found.map(({ cloth }) => cloth);
}

/** All bodies of a scene that files can hold, in the order of its meshes. */
export function attachedCloths(scene: Scene): { mesh: Mesh; cloth: SerializableBehavior }[] {
    return scene.meshes.flatMap((mesh) =>
        mesh.behaviors
            .filter((behavior) => isSerializable(behavior) && runtimeOf(behavior)!.instance?.mesh === mesh)
            .map((cloth) => ({ mesh: mesh as Mesh, cloth: cloth as unknown as SerializableBehavior })),
    );
}

/** Detaches a cloth and stores its data in the mesh's metadata. @returns function that attaches it again */
function detachForWriting(mesh: Mesh, cloth: SerializableBehavior, data: ClothData): () => void {
    const runtime = runtimeOf(cloth)!;
    const state = writeState(
        runtime.instance!,
        runtime.pins.map(() => true),
    );
    const metadata = mesh.metadata as Metadata | null;
    mesh.removeBehavior(cloth);
    // New objects: a file that is not written out yet holds on to them.
    mesh.metadata = { ...metadata, gltf: { ...metadata?.gltf, extras: { ...metadata?.gltf?.extras, cloth: data } } };
    return () => {
        if (mesh.isDisposed()) return;
        mesh.metadata = metadata;
        runtime.onAttached = (instance) => readState(instance, state);
        mesh.addBehavior(cloth);
    };
}

/** Adds all behaviors to their meshes; if one fails, none is added. @throws the error of the one that failed */
export function addBehaviors(entries: readonly { readonly mesh: Mesh; readonly cloth: Behavior<Mesh> }[]): void {
    let count = 0;
    try {
        for (const { mesh, cloth } of entries) {
            count++;
            mesh.addBehavior(cloth);
        }
    } catch (error) {
        for (const { mesh, cloth } of entries.slice(0, count)) mesh.removeBehavior(cloth);
        throw error;
    }
}
