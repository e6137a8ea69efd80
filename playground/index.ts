/**
 * The playground page. `?scene=flag` chooses the scene, `&ui=0` hides everything but the canvas, `&paused=1` starts
 * paused. `window.playground` is the page's handle for tests.
 */
import { scenes } from "./gallery";
import { element } from "./page/dom";
import { sourceOf } from "./page/drawer";
import { Interface } from "./page/interface";
import { Stage } from "./page/stage";

/** What a test sees of the page. */
export interface PlaygroundHandle {
    id: string;
    ids: string[];
    /** Resolves when the scene is drawn; rejects when it could not be built. */
    ready: Promise<Stage>;
    /** The source of a scene as it is copied. */
    source(scene: string): Promise<string>;
}

declare global {
    interface Window {
        playground: PlaygroundHandle;
    }
}

const parameters = new URLSearchParams(location.search);
const id = parameters.get("scene") ?? scenes[0].id;
const ids = scenes.map((scene) => scene.id);
const canvas = document.querySelector("canvas")!;

async function open(): Promise<Stage> {
    const entry = scenes.find((scene) => scene.id === id);
    const page = parameters.get("ui") === "0" ? null : new Interface(entry);
    if (!entry) throw new Error(`There is no scene "${id}"; there are ${ids.join(", ")}.`);
    const stage = await Stage.open(entry, canvas);
    stage.isPaused = parameters.get("paused") === "1";
    page?.control(stage);
    addEventListener("resize", () => stage.engine.resize());
    document.body.classList.add("ready");
    return stage;
}

const ready = open();
ready.catch((error: unknown) => {
    document.body.append(element("p", { id: "failure", textContent: error instanceof Error ? error.message : String(error) }));
});
window.playground = { id, ids, ready, source: (name) => sourceOf(scenes.find((scene) => scene.id === name)!) };
