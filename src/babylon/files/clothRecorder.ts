import type { Scene } from "@babylonjs/core/scene";
import { startRecording } from "./recording";
import type { InputRecording, InputRecordingData } from "./recording";
import { startReplay } from "./replay";
import type { InputReplay } from "./replay";

/** Recordings of running scenes, and their replay: the format for bugs. */
export const ClothRecorder = {
    /**
     * Records a running scene from now on, so that a bug can be replayed: the scene as it is, then all that comes into the engine in each
     * frame: frame times, poses of nodes and bones, options, pins, colliders and calls of each cloth, rope and plant. The engine is
     * deterministic: what is replayed is equal to the bit. Not recorded are: settings, winds and colliders of the whole scene (set them
     * before {@link replay}), rigid bodies (their poses are), what observers of a step change, colliders' vertices and planes changed in
     * place, how far gusts of a wind that has changed before have come, a frame budget, and levels of detail by distance. A tear, an
     * edit of a mesh, `simulate`, cloth added or removed, and a collider made meanwhile end it. Costs time in every frame; for debugging.
     *
     *     const recording = ClothRecorder.record(scene, () => SceneSerializer.Serialize(scene));
     *     // … until the bug has shown
     *     const text = JSON.stringify(recording.stop());
     *
     * @param write writes the scene to a format that keeps metadata, see {@link ClothFiles.writeScene}
     * @throws errors of {@link ClothFiles.writeScene}; Error while a hand holds cloth, or another recording runs
     */
    record(scene: Scene, write: () => unknown): InputRecording {
        return startRecording(scene, write);
    },

    /**
     * Plays a recording in a scene that was loaded from `data.scene`, one frame a call of `await replay.step()`; the engine may be a NullEngine.
     * The cloths are made here. Time stands still for the scene's own frames.
     * @throws RangeError on another format, or a scene that is not the recorded one
     */
    replay(data: InputRecordingData, scene: Scene): Promise<InputReplay> {
        return startReplay(data, scene);
    },
};
