import { Logger } from "@babylonjs/core/Misc/logger";
import type { Scene } from "@babylonjs/core/scene";
import { reject } from "../../engine/index";
import { runtimeOf } from "../behaviors/bodyRuntime";
import { sceneLoopOf } from "../scene/sceneLoop";
import { isSerializable, parseCloth, serializeCloth } from "./clothData";
import type { SerializableBehavior } from "./clothData";
import type { BoneChainData, ClothData, FileOptions } from "./format/fileFormat";
import { restShapeOf } from "./restShape";
import type { Behavior } from "@babylonjs/core/Behaviors/behavior";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { attachedChains, parseChains, writeChains } from "./fileChains";
import { NodeMarks, extrasOf, markedNodes, removeMarks } from "./nodeMarks";
import type { FileExtras } from "./nodeMarks";
import { showExtras } from "./sceneWriting";

/** See {@link ClothFiles.writeScene}. */
export function writeCloths<T>(scene: Scene, write: () => T, options: FileOptions): T {
    sceneLoopOf("ClothFiles: writeScene", scene);
    if (typeof write !== "function") reject("ClothFiles: writeScene", "write", "a function", write);
    for (const { cloth } of attachedCloths(scene)) runtimeOf(cloth)!.adoptEdit();
    const cloths = attachedCloths(scene);
    const chains = attachedChains(scene);
    if (cloths.length + chains.length === 0)
        Logger.Warn(
            "ClothFiles: writeScene: no mesh of the scene is cloth, a rope or a plant, and none of its nodes has bone chains: the file has none",
        );
    const extras = fileExtras(scene, cloths, chains, options);
    const shapes = cloths.flatMap(({ cloth }) => restShapeOf(runtimeOf(cloth)!.instance!.binding) ?? []);
    const hideExtras = showExtras(scene, extras);
    for (const shape of shapes) shape.begin();
    const end = (): void => {
        hideExtras();
        for (const shape of shapes) shape.end();
    };
    // Bones are as animated in the file.
    for (const { chains: each } of chains) each._putBack();
    // The file has the motion so far.
    for (const { cloth } of cloths) runtimeOf(cloth)!.warmStarts.forEach((leave) => leave());
    let result: T;
    try {
        result = shapes.reduce((run, shape) => () => shape.read(run), write)();
    } catch (error) {
        end();
        throw error;
    }
    if (result instanceof Promise) return result.finally(end) as T;
    end();
    return result;
}

/** See {@link ClothFiles.readScene}. */
export function readCloths(scene: Scene): SerializableBehavior[] {
    sceneLoopOf("ClothFiles: readScene", scene);
    const known = new Set(attachedCloths(scene).map(({ mesh }) => mesh));
    const { meshes, transformNodes, skeletons } = scene;
    const marked = markedNodes(scene);
    const found = meshes
        .map((mesh) => ({ mesh: mesh as Mesh, data: extrasOf(mesh)?.cloth }))
        .filter(({ mesh, data }) => data !== undefined && !known.has(mesh))
        .map(({ mesh, data }) => ({
            mesh,
            cloth: parseCloth(data as ClothData, { meshes, transformNodes, skeletons, marked, near: mesh }),
        }));
    const chains = [...meshes, ...transformNodes]
        .map((node) => ({ node, data: extrasOf(node)?.boneChains }))
        .filter(({ node, data }) => data !== undefined && !node.getBehaviorByName("BoneChains"))
        .map(({ node, data }) => ({
            mesh: node as Mesh,
            cloth: parseChains(data as BoneChainData, { meshes, transformNodes, skeletons, marked, near: node }),
        }));
    addBehaviors([...found, ...(chains as unknown as typeof found)]);
    removeMarks(Array.from(marked.values()).flat());
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

/** Extras of all nodes in a file: the cloths' data, and marks of the nodes that these refer to. @throws errors of serializeCloth */
function fileExtras(
    scene: Scene,
    cloths: ReturnType<typeof attachedCloths>,
    chains: ReturnType<typeof attachedChains>,
    options: FileOptions,
): Map<TransformNode, FileExtras> {
    const marks = new NodeMarks();
    for (const { mesh } of cloths) marks.idOf(mesh);
    // What is paused stays as it is seen when it is loaded.
    const data = cloths.map(({ cloth }) => serializeCloth(cloth, { state: !cloth.enabled || !cloth.autoStep, ...options }, marks));
    const chainData = chains.map(({ chains: each }) => writeChains(each, marks));
    marks.addRoots();
    const extras = new Map<TransformNode, FileExtras>();
    for (const node of [...scene.meshes, ...scene.transformNodes]) {
        const clothNode = marks.markOf(node);
        // Marks of an earlier file go.
        if (clothNode || extrasOf(node)?.clothNode) extras.set(node, { clothNode });
    }
    cloths.forEach(({ mesh }, i) => extras.set(mesh, { ...extras.get(mesh), cloth: data[i] }));
    chains.forEach(({ node }, i) => extras.set(node, { ...extras.get(node), boneChains: chainData[i] }));
    return extras;
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
