import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import "@babylonjs/core/Loading/Plugins/babylonFileLoader";
import { LoadSceneAsync } from "@babylonjs/core/Loading/sceneLoader";
import "@babylonjs/core/Materials/colorCurves";
import "@babylonjs/core/Materials/standardMaterial";
import "@babylonjs/core/Meshes/groundMesh";
import type { Scene } from "@babylonjs/core/scene";
import { ClothRecorder } from "babylon-cloth";
import type { InputRecordingData, InputReplay } from "babylon-cloth";

/** A recording in a scene of its own. */
export interface LoadedRecording {
    readonly replay: InputReplay;
    readonly scene: Scene;
    dispose(): void;
}

/**
 * Loads a recording of `ClothRecorder.record` whose scene was written by SceneSerializer, as an object or as JSON, to be replayed without a
 * screen. `test/regression` replays a bug's recording so:
 *
 *     const { replay } = await loadRecording(readFileSync("bug.json", "utf8"));
 *     while (await replay.step()) expect(replay.bodies[0].stats.maxStretch).toBeLessThan(0.1);
 *
 * @param prepare sets what recordings do not hold: colliders and settings of the whole scene
 */
export async function loadRecording(
    recording: InputRecordingData | string,
    prepare: (scene: Scene) => void = () => undefined,
): Promise<LoadedRecording> {
    const data = typeof recording === "string" ? (JSON.parse(recording) as InputRecordingData) : recording;
    const engine = new NullEngine();
    const scene = await LoadSceneAsync(`data:${JSON.stringify(data.scene)}`, engine);
    prepare(scene);
    return { replay: await ClothRecorder.replay(data, scene), scene, dispose: () => engine.dispose() };
}
