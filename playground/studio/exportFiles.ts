/** A document as files: the cloth's settings as JSON, and mesh and settings as .glb. Each is made in a scene of its own, at rest. */
import type { AbstractEngine } from "@babylonjs/core/Engines/abstractEngine";
import { Scene } from "@babylonjs/core/scene";
import { ClothBaker, ClothFiles } from "babylon-cloth";
import { assemble } from "./assemble";
import type { Assembled } from "./assemble";
import type { StudioDocument, Tuning } from "./document";
import { withAssetExtra } from "./glb";
import { dress, materialOf } from "./look";
import { EXTRA, toFragment } from "./share";

/** Data for ClothFiles.parse, for the mesh of the document; its extras have the document, for the studio. */
export function toJson(document: StudioDocument, tuning: Tuning, engine: AbstractEngine): Promise<string> {
    const extras = { [EXTRA]: toFragment(document) };
    return inOwnScene(document, tuning, engine, ({ cloth }) => JSON.stringify({ ...ClothFiles.serialize(cloth), extras }, null, 2));
}

/** The scene of a document as binary glTF; the extras of the cloth's node say what it is: `{ "cloth": … }`, as ClothFiles.serialize has it. The asset's extras have the document. */
export async function toGlb(document: StudioDocument, tuning: Tuning, engine: AbstractEngine): Promise<Blob> {
    const { GLTF2Export } = await import("@babylonjs/serializers/glTF/2.0");
    return inOwnScene(document, tuning, engine, async ({ mesh }, scene) => {
        dress(mesh, materialOf(tuning, scene), mesh.material);
        // What the studio makes is ready; to wait for it would compile its materials.
        const exportWithoutWaitingForScene = "kind" in document.source;
        const { files } = await ClothFiles.writeScene(scene, () =>
            // The threads run along the texture coordinates, also where there is no texture.
            GLTF2Export.GLBAsync(scene, "cloth", { exportWithoutWaitingForScene, exportUnusedUVs: true }),
        );
        const glb = new Uint8Array(await (files["cloth.glb"] as Blob).arrayBuffer());
        return new Blob([withAssetExtra(glb, EXTRA, toFragment(document)) as BlobPart]);
    });
}

/** Baked motion as a file, and what is told of it. */
export interface Baked {
    readonly file: Blob;
    readonly note: string;
}

/** Time in which the cloth gets into its motion, and time that is recorded after it [s]. */
const [SETTLING, RECORDED] = [2, 6];
/** Length of the baked loop at least [s]. */
const SHORTEST = 2;
const FRAMES_PER_SECOND = 15;

/** The cloth in its wind as binary glTF that any viewer plays: a loop of morph targets, without a simulation. */
export async function toBakedGlb(document: StudioDocument, tuning: Tuning, engine: AbstractEngine): Promise<Baked> {
    const { GLTF2Export } = await import("@babylonjs/serializers/glTF/2.0");
    return inOwnScene(document, tuning, engine, async ({ mesh, cloth }, scene) => {
        dress(mesh, materialOf(tuning, scene), mesh.material);
        await cloth.whenReady();
        const recording = ClothBaker.record(cloth, SETTLING + RECORDED, { framesPerSecond: FRAMES_PER_SECOND });
        const begin = SETTLING * FRAMES_PER_SECOND;
        const moving = { ...recording, positions: recording.positions.slice(begin), normals: recording.normals.slice(begin) };
        const loop = ClothBaker.loop(moving, { seconds: SHORTEST });
        const { mesh: baked } = ClothBaker.toMorphTargets(cloth, loop, mesh.name);
        const { files } = await GLTF2Export.GLBAsync(scene, "baked", {
            exportWithoutWaitingForScene: "kind" in document.source,
            shouldExportNode: (node) => node === baked || baked.isDescendantOf(node),
        });
        const file = files["baked.glb"] as Blob;
        const { length } = loop.positions;
        const seconds = (length / FRAMES_PER_SECOND).toFixed(1);
        return {
            file,
            note: `a loop of ${seconds} s in ${length} morph targets of ${baked.getTotalVertices()} vertices, for any glTF viewer.`,
        };
    });
}

async function inOwnScene<T>(
    document: StudioDocument,
    tuning: Tuning,
    engine: AbstractEngine,
    make: (assembled: Assembled, scene: Scene) => T | Promise<T>,
): Promise<T> {
    const scene = new Scene(engine);
    try {
        return await make(await assemble(document, tuning, scene), scene);
    } finally {
        scene.dispose();
    }
}
