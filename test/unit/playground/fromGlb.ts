// A document of the studio beside what the loader extension makes of its .glb.
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { ImportMeshAsync } from "@babylonjs/core/Loading/sceneLoader";
import { Scene } from "@babylonjs/core/scene";
import "@babylonjs/loaders/glTF/2.0";
import type { ClothBehavior } from "babylon-cloth";
import "babylon-cloth/loader";
import { assemble } from "../../../playground/studio/assemble";
import type { StudioDocument } from "../../../playground/studio/document";
import { difference } from "../babylon/harness";

/** How far their particles are apart at most, in as many steps from the rest shape on [m]. */
export async function driftOf(document: StudioDocument, glb: Uint8Array, steps: number): Promise<number> {
    const engine = new NullEngine();
    const [own, loaded] = [new Scene(engine), new Scene(engine)];
    const { cloth, mesh } = await assemble(document, document.a, own);
    // Where its mesh stands now, as the loaded one begins; some have been moved there.
    mesh.removeBehavior(cloth);
    mesh.addBehavior(cloth);
    await ImportMeshAsync(glb, loaded, { pluginExtension: ".glb" });
    const other = loaded.getMeshByName(mesh.name)!.getBehaviorByName("Cloth") as ClothBehavior;
    let largest = 0;
    for (let step = 0; step < steps; step++) {
        for (const each of [cloth, other]) each.step(1 / 60);
        largest = Math.max(largest, difference(cloth.getParticlePositions(), other.getParticlePositions()));
    }
    engine.dispose();
    return largest;
}
