/**
 * The playground page. `?scene=flag` chooses the scene, `&ui=0` hides everything but the canvas, `&paused=1` starts
 * paused. `window.playground` is the page's handle for tests.
 */
import { buildDrawer, sourceOf } from "./page/drawer";
import { element } from "./page/dom";
import { buildPanel } from "./page/panel";
import { Stage } from "./page/stage";
import { scenes } from "./scenes";

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
const canvas = document.querySelector("canvas")!;

async function open(): Promise<Stage> {
    const stage = await Stage.open(id, canvas);
    stage.isPaused = parameters.get("paused") === "1";
    if (parameters.get("ui") !== "0") showInterface(stage);
    addEventListener("resize", () => stage.engine.resize());
    document.body.classList.add("ready");
    return stage;
}

function showInterface(stage: Stage): void {
    const entry = scenes.find((scene) => scene.id === id)!;
    const { drawer, button } = buildDrawer(id);
    const links = scenes.map((scene) => {
        const link = element("a", { href: `?scene=${scene.id}`, textContent: scene.title });
        if (scene.id === id) link.setAttribute("aria-current", "page");
        return link;
    });
    document.title = `${entry.title} · babylon-cloth`;
    document.body.append(
        element("header", { id: "title" }, element("h1", { textContent: entry.title }), element("p", { textContent: entry.text })),
        element("nav", {}, ...links, button),
        buildPanel(stage),
        drawer,
    );
}

const ready = open();
ready.catch((error: unknown) => {
    document.body.append(element("p", { id: "failure", textContent: String(error) }));
});
window.playground = { id, ids: scenes.map((scene) => scene.id), ready, source: sourceOf };
