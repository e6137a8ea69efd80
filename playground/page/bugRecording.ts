/** A button that records the running scene and saves the recording, which replays a bug to the bit. */
import { SceneSerializer } from "@babylonjs/core/Misc/sceneSerializer";
import { ClothRecorder } from "babylon-cloth";
import type { Stage } from "./stage";
import { element } from "./dom";

/** Builds the button: the first click starts a recording, the second ends it and downloads it. */
export function buildBugRecording({ scene }: Stage): HTMLElement {
    let recording: ReturnType<typeof ClothRecorder.record> | null = null;
    const told = element("output", {});
    const button = element("button", { id: "record", textContent: "Record a bug", ariaPressed: "false" });
    button.onclick = () => {
        told.value = "";
        try {
            if (!recording) {
                recording = ClothRecorder.record(scene, () => SceneSerializer.Serialize(scene) as unknown);
            } else {
                const data = recording.stop();
                recording = null;
                const url = URL.createObjectURL(new Blob([JSON.stringify(data)], { type: "application/json" }));
                element("a", { href: url, download: "cloth-recording.json" }).click();
                setTimeout(() => URL.revokeObjectURL(url), 1000);
                if (data.endedBy) told.value = `It ends early: ${data.endedBy}`;
            }
        } catch (error) {
            recording = null;
            told.value = error instanceof Error ? error.message : String(error);
        }
        button.ariaPressed = `${recording !== null}`;
        button.textContent = recording ? "Save the recording" : "Record a bug";
    };
    return element("div", { id: "bug" }, button, told);
}
