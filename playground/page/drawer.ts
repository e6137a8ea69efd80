/** The drawer with the scene's source, to copy into the online Babylon Playground. */
import type { Entry } from "../gallery";
import { closeOnEscape, copyText, element } from "./dom";
import { toSnippet } from "./snippet";
import type { Source } from "./snippet";
import { assets } from "./stage";

/** The scenes and their parts as text, in a file of their own that is loaded with the first. */
const sources = import.meta.webpackContext("..?source", { regExp: /^\.\/(scenes|parts)\/\w+\.ts$/, mode: "lazy-once" });

/** Lines of data longer than this are shortened where they are shown, not where they are copied. */
const LONGEST_LINE = 200;

/** Builds the drawer, closed, and the button that opens it. */
export function buildDrawer(scene: Entry): { drawer: HTMLElement; button: HTMLElement } {
    const code = element("code", {});
    const copy = element("button", { textContent: "Copy" });
    const close = element("button", { textContent: "Close" });
    const where = element("a", {
        href: "https://playground.babylonjs.com/",
        target: "_blank",
        rel: "noopener",
        textContent: "playground.babylonjs.com",
    });
    const drawer = element(
        "section",
        { id: "drawer", hidden: true, ariaLabel: "Source of the scene" },
        element("header", {}, element("span", {}, "Paste as JavaScript at ", where), copy, close),
        element("pre", {}, code),
    );
    const button = element("button", { textContent: "Source" });

    let text: Promise<string> | undefined;
    const load = (): Promise<string> => (text ??= sourceOf(scene));
    button.onclick = async () => {
        drawer.hidden = !drawer.hidden;
        if (!drawer.hidden && !code.firstChild) code.replaceChildren(...highlight(shortened(await load())));
    };
    close.onclick = () => (drawer.hidden = true);
    copy.onclick = async () => {
        const isCopied = await copyText(await load());
        copy.textContent = isCopied ? "Copied" : "Press Ctrl+C";
        setTimeout(() => (copy.textContent = "Copy"), 1500);
    };
    closeOnEscape(
        () => !drawer.hidden,
        () => {
            drawer.hidden = true;
            button.focus();
        },
    );
    return { drawer, button };
}

/** The scene's source, complete with its models. */
export function sourceOf(scene: Entry): Promise<string> {
    const load = async (path: string): Promise<Source> => ((await sources(`./${path}.ts`)) as { default: Source }).default;
    const loadAssets = async (): Promise<Record<string, string>> => {
        const data: Record<string, string> = {};
        for (const [name, url] of Object.entries(assets)) data[name] = await toDataUrl(url);
        return data;
    };
    return toSnippet(scene, load, loadAssets);
}

async function toDataUrl(url: string): Promise<string> {
    const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
    let binary = "";
    for (const byte of bytes) binary += String.fromCharCode(byte);
    return `data:;base64,${btoa(binary)}`;
}

function shortened(text: string): string {
    return text.replace(
        new RegExp(`^.{${LONGEST_LINE},}$`, "gm"),
        (line) => `${line.slice(0, 60)} … ${line.length} characters in the copy …"`,
    );
}

/** Comments, strings and words of the language as elements of their own; no parser. */
function highlight(text: string): Node[] {
    const pattern =
        /(\/\*\*[\s\S]*?\*\/|\/\/.*)|("[^"\n]*"|`[^`]*`)|\b(const|let|function|return|for|of|if|new|async|await)\b|\b(BABYLON|BABYLONCLOTH)\b/g;
    const nodes: Node[] = [];
    let end = 0;
    for (const match of text.matchAll(pattern)) {
        nodes.push(document.createTextNode(text.slice(end, match.index)));
        const kind = ["comment", "string", "word", "name"][match.slice(1).findIndex((group) => group !== undefined)];
        nodes.push(element("span", { className: kind, textContent: match[0] }));
        end = match.index + match[0].length;
    }
    nodes.push(document.createTextNode(text.slice(end)));
    return nodes;
}
