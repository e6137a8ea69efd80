/** Overlay of the canvas: title, navigation, panel and source. It tells the stage how much of the canvas it covers. */
import { GROUPS, scenes } from "../gallery";
import type { Entry, SceneButton } from "../gallery";
import { element } from "./dom";
import { buildDrawer } from "./drawer";
import { buildPanel } from "./panel";
import type { Stage } from "./stage";

/** Room between the interface and the scene [CSS pixels]. */
const GAP = 12;

export class Interface {
    private readonly _title: HTMLElement;
    private readonly _buttons = element("div", { className: "buttons" });
    private readonly _bar: HTMLElement;

    /** Shows title and navigation, also of a scene that does not exist. */
    constructor(entry: Entry | undefined) {
        this._title = element(
            "header",
            { id: "title" },
            element("h1", { textContent: entry?.about.title ?? "Not found" }),
            element("p", { textContent: entry?.about.text ?? "" }),
        );
        this._buttons.append(element("a", { href: "?studio", textContent: "Studio", title: "Make your own" }));
        const docs = document.querySelector<HTMLLinkElement>("link[rel=help]");
        if (docs) this._buttons.append(element("a", { href: docs.href, textContent: "Docs" }));
        this._bar = element("footer", { id: "bar" }, buildMenu(entry), this._buttons);
        document.body.append(this._title, this._bar);
        if (!entry) return;
        document.title = `${entry.about.title} · babylon-cloth`;
        const { drawer, button } = buildDrawer(entry);
        this._buttons.append(button);
        document.body.append(drawer);
    }

    /** Adds the panel of a running scene. */
    control(stage: Stage): void {
        const { panel, button } = buildPanel(stage);
        if (stage.world.buttons) this._title.append(buildSceneButtons(stage.world.buttons));
        this._buttons.prepend(button);
        document.body.append(panel);
        const measure = (): void => {
            const right = panel.offsetLeft > innerWidth / 2 ? innerWidth - panel.offsetLeft : 0;
            const isBelow = panel.offsetWidth > 0 && right === 0;
            stage.margins = {
                left: GAP,
                right: right + GAP,
                top: this._title.offsetTop + this._title.offsetHeight + GAP,
                bottom: innerHeight - (isBelow ? panel : this._bar).offsetTop + GAP,
            };
        };
        const observer = new ResizeObserver(measure);
        for (const part of [document.body, this._title, this._bar, panel]) observer.observe(part);
        measure();
    }
}

/** Scenes by groups, of which one at a time is open. */
function buildMenu(entry: Entry | undefined): HTMLElement {
    const groups = GROUPS.map((group) => {
        const links = scenes
            .filter(({ about }) => about.group === group)
            .map(({ id, about }) => {
                const link = element("a", { href: `?scene=${id}`, textContent: about.title });
                if (id === entry?.id) link.ariaCurrent = "page";
                return link;
            });
        const title = element("summary", { textContent: group, className: group === entry?.about.group ? "current" : "" });
        return element("details", { name: "scenes" }, title, element("div", {}, ...links));
    });
    const close = (): void => groups.forEach((group) => (group.open = false));
    addEventListener("pointerdown", ({ target }) => groups.some((group) => group.contains(target as Node)) || close());
    addEventListener("keydown", ({ key }) => key === "Escape" && close());
    return element("nav", { ariaLabel: "Scenes" }, ...groups);
}

/** A row of a scene's buttons; all are read again when one is pressed. */
function buildSceneButtons(all: readonly SceneButton[]): HTMLElement {
    const buttons = all.map(({ label, press }) => {
        const button = element("button", { textContent: label });
        button.onclick = () => {
            press();
            update();
        };
        return button;
    });
    const update = (): void => buttons.forEach((button, i) => (button.ariaPressed = `${all[i].isPressed()}`));
    update();
    return element("div", { id: "choices" }, ...buttons);
}
