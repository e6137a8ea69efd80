import type { Scene } from "@babylonjs/core/scene";
import type { ClothBehavior } from "../behaviors/clothBehavior";
import { parseCloth, serializeCloth } from "./clothData";
import type { SerializableBehavior } from "./clothData";
import type { BoneChainBehavior } from "../bones/boneChainBehavior";
import { parseChains, writeChains } from "./fileChains";
import { fileFormat } from "./format/fileFormat";
import type { BoneChainData, ClothData, FileFormat, FileOptions, NamedNodes } from "./format/fileFormat";
import { readCloths, writeCloths } from "./sceneFiles";

/** Serialisation of cloth. `import "babylon-cloth/files"` enables {@link ClothBehavior.serialize} and {@link ClothBehavior.Parse}. */
export const ClothFiles = {
    /**
     * Serialises a cloth, a rope or a plant for JSON.stringify: all settings, pins by vertex indices, and targets and colliders by the names of nodes, and
     * of their parents where names are not unique. Excluded are the
     * mesh, observers, settings of the scene, and pins to nodes with `doNotSerialize`, such as hands.
     * @param options `state`: true to include the motion state, so that the parsed cloth continues bit for bit. Moving colliders have no velocity in the first
     * frame, as after a teleport, and cloth asleep on one wakes. Default false
     * @throws RangeError if a node is not in its scene, a rope is tied to a cloth vertex, the vertices of a pin are unknown before attach, or a collider's source is neither node nor Plane
     */
    serialize(cloth: SerializableBehavior, options: FileOptions = {}): ClothData {
        return serializeCloth(cloth, options);
    },

    /**
     * Creates a behavior from data; add it to a mesh with the same vertices. With a motion state it continues from there when it is
     * attached; place the mesh at its old position before that.
     * @param data output of {@link serialize}, also after JSON
     * @param scene a scene or AssetContainer in which nodes are found by name
     * @throws RangeError on another format or version, an unknown name or preset, a value out of range, or a node that is not in the
     * scene; Error on a rope or plant if the app does not import its behavior. A motion state that does not fit the mesh throws at attach; the mesh is then unchanged
     */
    parse<Kind extends SerializableBehavior = ClothBehavior>(data: ClothData, scene: NamedNodes): Kind {
        return parseCloth(data, scene) as Kind;
    },

    /**
     * Serialises bone chains for JSON.stringify: all settings, bones and colliders by name. Curves are written as lists.
     * @throws RangeError while they are on no node, or if a bone or collider is not in its scene
     */
    serializeChains(chains: BoneChainBehavior): BoneChainData {
        return writeChains(chains);
    },

    /**
     * Creates bone chains from data; add them to the node of the same bones.
     * @throws RangeError on invalid data or a bone that is not in the scene; Error if the app does not import BoneChainBehavior
     */
    parseChains(data: BoneChainData, scene: NamedNodes): BoneChainBehavior {
        return parseChains(data, scene);
    },

    /**
     * Writes a scene with cloth to another format: .babylon (SceneSerializer), glTF (`@babylonjs/serializers`), or any that keeps
     * `metadata` or its glTF extras. While `write` runs, the meshes have their rest shapes, and the cloth data in
     * `metadata.gltf.extras.cloth`; until a promise that it returns is settled, exporters find both so. The cloths move on meanwhile, and nothing that is seen
     * changes. {@link readScene}, or the loader extension of `babylon-cloth/loader`, recreates them from the file.
     *
     *     const file = ClothFiles.writeScene(scene, () => SceneSerializer.Serialize(scene));
     *     const glb = await ClothFiles.writeScene(scene, () => GLTF2Export.GLBAsync(scene, "flag"));
     *
     * @param write writes the file; it may return a promise
     * @returns the result of `write`
     * @throws errors of {@link serialize}, before anything is changed, and errors of `write`
     */
    writeScene<T>(scene: Scene, write: () => T, options: FileOptions = {}): T {
        return writeCloths(scene, write, options);
    },

    /**
     * Creates cloth from the data that {@link writeScene} stored in the metadata of a scene's meshes; meshes that already are cloth
     * are skipped. For glTF files use `babylon-cloth/loader`, which converts their axes.
     * @returns the attached behaviors: ClothBehaviors, RopeBehaviors and PlantBehaviors
     * @throws errors of {@link parse}, before anything is created, and RangeError if a motion state does not fit its mesh: then none is attached
     */
    readScene<Kind extends SerializableBehavior = ClothBehavior>(scene: Scene): Kind[] {
        return readCloths(scene) as Kind[];
    },

    /** Enables {@link ClothBehavior.serialize} and {@link ClothBehavior.Parse}, as `import "babylon-cloth/files"` does. */
    enable(): void {
        fileFormat.loaded = ClothFiles as unknown as FileFormat<never>;
    },
};
