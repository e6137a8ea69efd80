/**
 * The playground page. `?scene=flag` chooses the scene, `&ui=0` hides everything but the canvas, `&paused=1` starts
 * paused; `?studio` opens the studio instead. `window.playground` and `window.studio` are the page's handles for tests.
 */
import { scenes } from "./gallery";
import { element } from "./page/dom";
import { sourceOf } from "./page/drawer";
import { offerHavok } from "./page/havok";
import { Interface } from "./page/interface";
import { Stage } from "./page/stage";
import type { StudioHandle } from "./studio";

/** State of the page for tests. */
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
        /** Resolves when the studio shows its first cloth. */
        studio?: Promise<StudioHandle>;
    }
}

offerHavok();
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

async function openStudio(): Promise<StudioHandle> {
    const { openStudio } = await import("./studio");
    return openStudio(canvas);
}

function reportError(error: unknown): void {
    document.body.append(element("p", { id: "failure", textContent: error instanceof Error ? error.message : String(error) }));
}

if (parameters.has("studio")) {
    window.studio = openStudio();
    window.studio.catch(reportError);
} else {
    const ready = open();
    ready.catch(reportError);
    window.playground = { id, ids, ready, source: (name) => sourceOf(scenes.find((scene) => scene.id === name)!) };
}
