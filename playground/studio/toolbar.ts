/** The bar of commands, each with its key. */
import { element } from "../page/dom";
import type { Plots } from "./plots";
import type { Brush } from "./paint";
import type { Studio } from "./studio";
import { copyText } from "../page/dom";

/** Steps of the brush by keys: a factor of its radius, and a part of its strength. */
const [BRUSH_STEP, STRENGTH_STEP] = [1.25, 0.1];

interface Command {
    readonly title: string;
    readonly hint: string;
    /** Letter that calls it, unless something is being typed. */
    readonly key: string;
    run(): void;
    isOn?(): boolean;
    isOff?(): boolean;
}

/** Builds the bar. `refresh` shows what is on now. */
export function buildToolbar(
    studio: Studio,
    brush: Brush,
    plots: Plots,
    openExport: () => void,
): { bar: HTMLElement; refresh(): void } {
    const { view, history } = studio;
    const toggle = (act: () => void) => () => {
        act();
        studio.onChange();
    };
    const commands: Command[] = [
        { title: "Undo", hint: "Ctrl+Z", key: "", run: () => history.undo(), isOff: () => !history.canUndo },
        { title: "Redo", hint: "Ctrl+Shift+Z", key: "", run: () => history.redo(), isOff: () => !history.canRedo },
        {
            ...{ title: "Pause", hint: "P", key: "p" },
            run: toggle(() => (view.isPaused = !view.isPaused)),
            isOn: () => view.isPaused,
        },
        { title: "Restart", hint: "R", key: "r", run: () => view.restart() },
        {
            ...{ title: "Turn", hint: "T: the camera turns about the cloth", key: "t" },
            run: toggle(() => (view.isTurning = !view.isTurning)),
            isOn: () => view.isTurning,
        },
        { title: "Gust", hint: "W: blow once", key: "w", run: () => view.gust() },
        {
            ...{ title: "Paint", hint: "B: on the cloth at rest; Shift erases; [ ] radius, - = strength", key: "b" },
            run: toggle(() => (brush.isOn = !brush.isOn)),
            isOn: () => brush.isOn,
        },
        {
            ...{ title: "Compare", hint: "C: tune a copy beside it; once more keeps the one that is tuned", key: "c" },
            run: () => studio.compare(),
            isOn: () => studio.document.b !== null,
        },
        {
            ...{ title: "Plots", hint: "G: stretch and cost over time", key: "g" },
            run: toggle(() => (plots.root.hidden = !plots.root.hidden)),
            isOn: () => !plots.root.hidden,
        },
        {
            ...{ title: "Share", hint: "S: copy a link to this", key: "s" },
            run: async () => {
                const isCopied = await copyText(location.href);
                studio.say(isCopied ? "The link is copied" : "The address of this page is the link", false);
            },
        },
        { title: "Export", hint: "E: code, JSON, .glb", key: "e", run: openExport },
    ];
    const sized = (factor: number) => toggle(() => (brush.radius = clamp(factor * brush.radius, 0.01, 0.3)));
    const stronger = (step: number) => toggle(() => (brush.strength = clamp(brush.strength + step, 0.05, 1)));
    const sizes: Readonly<Record<string, () => void>> = {
        "[": sized(1 / BRUSH_STEP),
        "]": sized(BRUSH_STEP),
        "-": stronger(-STRENGTH_STEP),
        "=": stronger(STRENGTH_STEP),
    };
    const buttons = commands.map(({ title, hint, run }) => element("button", { textContent: title, title: hint, onclick: run }));
    addEventListener("keydown", (event) => {
        const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
        if (isTyping(event.target) || altKey || document.querySelector("dialog[open]")) return;
        const letter = key.toLowerCase();
        const isUndo = letter === "z" && !shiftKey;
        if (ctrlKey || metaKey) {
            if (letter !== "z" && letter !== "y") return;
            if (isUndo) history.undo();
            else history.redo();
        } else {
            const run = commands.find((candidate) => candidate.key === letter)?.run ?? sizes[letter];
            if (!run) return;
            run();
        }
        event.preventDefault();
    });
    const refresh = (): void =>
        commands.forEach(({ isOn, isOff }, i) => {
            if (isOn) buttons[i].ariaPressed = String(isOn());
            if (isOff) buttons[i].disabled = isOff();
        });
    const gallery = element("a", { href: location.pathname, textContent: "Gallery" });
    const title = element("h1", { textContent: "Studio" });
    const bar = element(
        "header",
        { id: "tools" },
        title,
        gallery,
        element("div", { className: "buttons", role: "toolbar", ariaLabel: "Commands" }, ...buttons),
    );
    return { bar, refresh };
}

function clamp(value: number, low: number, high: number): number {
    return Math.min(high, Math.max(low, value));
}

function isTyping(target: EventTarget | null): boolean {
    return target instanceof HTMLElement && target.matches("input:not([type=checkbox], [readonly]), textarea, select");
}
