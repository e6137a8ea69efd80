/**
 * (f) The flags of (e), all in view and with 180 of 200 behind the camera, in turns: what their observers do in a frame. The share of what is
 * in view is 10 %.
 */
import { FreeCamera } from "@babylonjs/core/Cameras/freeCamera";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Scene } from "@babylonjs/core/scene";
import { createFlags } from "./flags";
import { atMost, withSpread } from "./report";
import type { Section } from "./report";
import { ratio, takeTurns } from "./timing";
import { createWorld, ownFrameOf } from "./world";

const SEEN = 20;
const SETTLING_FRAMES = 60;

/** A scene with the flags, drawn on something; the first are in view, the others at some distance along x. */
function createScene(distance: number): Scene {
    const scene = createWorld();
    scene.getEngine().getRenderingCanvas = () => ({}) as HTMLCanvasElement;
    const camera = new FreeCamera("above", new Vector3(20, 3, -60), scene);
    camera.setTarget(new Vector3(20, 3, 0));
    scene.activeCamera = camera;
    createFlags(scene).forEach(({ attachedNode }, i) => {
        if (i >= SEEN) attachedNode!.position.x += distance;
    });
    return scene;
}

/** Measures both. */
export function unseenSection(isFull: boolean): Section {
    const frames = [1000, 0].map((distance) => {
        const frame = ownFrameOf(createScene(distance));
        for (let f = 0; f < SETTLING_FRAMES; f++) frame();
        return frame;
    });
    const [some, all] = takeTurns(
        frames.map((run) => ({ run })),
        isFull ? 8000 : 3000,
    );
    const share = ratio(some, all).median;
    return {
        tables: [
            {
                title: "200 flags, all in view and 180 out of it (ms a frame)",
                columns: ["", "ms"],
                rows: [
                    ["all in view", withSpread(all)],
                    [`${SEEN} in view`, withSpread(some)],
                ],
            },
        ],
        bars: [atMost("200 flags: 180 out of view over all in view", share, 0.12, "x")],
        data: { all: all.median, some: some.median, share },
    };
}
