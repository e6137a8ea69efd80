/** A document as files: the cloth's settings as JSON, and mesh and settings as .glb. Each is made in a scene of its own, at rest. */
import type { AbstractEngine } from "@babylonjs/core/Engines/abstractEngine";
import { Scene } from "@babylonjs/core/scene";
import { ClothFiles } from "babylon-cloth";
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
