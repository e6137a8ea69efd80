import type { Scene } from "@babylonjs/core/scene";
import type { ClothBehavior } from "../clothBehavior";
import { parseCloth, serializeCloth } from "./clothData";
import type { SerializableBehavior } from "./clothData";
import { fileFormat } from "./format/fileFormat";
import type { ClothData, FileFormat, FileOptions, NamedNodes } from "./format/fileFormat";
import { readCloths, writeCloths } from "./sceneFiles";

/** Cloth as plain data, for files. `import "babylon-cloth/files"` makes {@link ClothBehavior.serialize} and {@link ClothBehavior.Parse} of it. */
export const ClothFiles = {
    /**
     * All settings of a cloth, a rope or a plant, its pins by their vertices, and the nodes that carry it or that it meets by their names: to be written
     * with JSON.stringify. Not in it: the mesh, listeners, what belongs to the scene, and pins on nodes with `doNotSerialize`, as hands are.
     * @param options `state`: whether the motion comes along, so that a cloth that is parsed from it goes on to the bit; colliders are as
     * in the frame after a teleport: moving ones have no speed in the first frame, and cloth asleep on one wakes. Default false
     * @throws RangeError where a node has no name of its own, a rope is tied to a vertex of cloth, what pins select is not known before attach, or a source is neither node nor Plane
     */
    serialize(cloth: SerializableBehavior, options: FileOptions = {}): ClothData {
        return serializeCloth(cloth, options);
    },

    /**
     * A behavior as it was serialised, to be added to a mesh with the same vertices. With a state, it goes on from there when it is
     * attached; place the mesh where it was before that.
     * @param data what serialize has made, also after JSON
     * @param scene or AssetContainer, where its nodes are looked for, by name
     * @throws RangeError on another format or version, an unknown name or preset, a value out of range, or a node that is not in the
     * scene, Error on a rope or plant where the app does not import its behavior; nothing is made then. A state that does not fit the mesh is told when it is attached; the mesh is then as it was
     */
    parse<Kind extends SerializableBehavior = ClothBehavior>(data: ClothData, scene: NamedNodes): Kind {
        return parseCloth(data, scene) as Kind;
    },

    /**
     * Has a scene with cloth written to a file of another format: .babylon (SceneSerializer), glTF (`@babylonjs/serializers`), any that keeps
     * `metadata` or its glTF extras. While `write` runs, the meshes have their rest shapes, and their cloths as data in
     * `metadata.gltf.extras.cloth`; then they are cloth again and go on as they were. {@link readScene} or the loader extension of
     * `babylon-cloth/loader` makes cloth of them again.
     *
     *     const file = ClothFiles.writeScene(scene, () => SceneSerializer.Serialize(scene));
     *     const glb = await ClothFiles.writeScene(scene, () => GLTF2Export.GLBAsync(scene, "flag"));
     *
     * @param write may return a promise; it is waited for
     * @returns what `write` returns
     * @throws what {@link serialize} throws, before anything is changed; and what `write` throws
     */
    writeScene<T>(scene: Scene, write: () => T, options: FileOptions = {}): T {
        return writeCloths(scene, write, options);
    },

    /**
     * Makes cloth of the meshes of a scene that have it as data, as {@link writeScene} has left it in their metadata; those that are cloth
     * already are passed over. For glTF files, whose axes are others, `babylon-cloth/loader` does it.
     * @returns the behaviors, on their meshes: ClothBehaviors, RopeBehaviors and PlantBehaviors
     * @throws what {@link parse} throws, before anything is made, and RangeError on a motion that does not fit its mesh: then none is attached
     */
    readScene<Kind extends SerializableBehavior = ClothBehavior>(scene: Scene): Kind[] {
        return readCloths(scene) as Kind[];
    },

    /** Lets {@link ClothBehavior.serialize} and {@link ClothBehavior.Parse} work: what `import "babylon-cloth/files"` does. */
    enable(): void {
        fileFormat.loaded = ClothFiles as unknown as FileFormat<never>;
    },
};
