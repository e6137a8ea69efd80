// A document of the studio beside what the loader extension makes of its .glb.
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { ImportMeshAsync } from "@babylonjs/core/Loading/sceneLoader";
import { Scene } from "@babylonjs/core/scene";
import "@babylonjs/loaders/glTF/2.0";
import type { ClothBehavior } from "babylon-cloth";
import "babylon-cloth/loader";
import { assemble } from "../../../playground/studio/assemble";
import type { StudioDocument } from "../../../playground/studio/document";

/** How far their particles are apart at most after a step, and their middles when they have hung for three seconds [m]. Folds may differ: triangles are mirrored. */
export async function driftOf(document: StudioDocument, glb: Uint8Array): Promise<{ atFirst: number; hanging: number }> {
    const engine = new NullEngine();
    const [own, loaded] = [new Scene(engine), new Scene(engine)];
    const { cloth, mesh } = await assemble(document, document.a, own);
    await ImportMeshAsync(glb, loaded, { pluginExtension: ".glb" });
    const other = loaded.getMeshByName(mesh.name)!.getBehaviorByName("Cloth") as ClothBehavior;
    const run = (frames: number): Float32Array[] => {
        for (let frame = 0; frame < frames; frame++) for (const each of [cloth, other]) each.step(1 / 60);
        return [cloth, other].map((each) => each.getParticlePositions());
    };
    const [x, y] = run(1);
    if (x.length !== y.length) throw new Error(`${x.length / 3} particles, ${y.length / 3} loaded`);
    const atFirst = Math.max(...x.map((value, i) => Math.abs(value - y[i])));
    const [a, b] = run(180).map(middleOf);
    engine.dispose();
    return { atFirst, hanging: Math.hypot(...a.map((value, c) => value - b[c])) };
}

function middleOf(x: Float32Array): number[] {
    return [0, 1, 2].map((c) => x.filter((_, i) => i % 3 === c).reduce((sum, value) => sum + value, 0) / (x.length / 3));
}
