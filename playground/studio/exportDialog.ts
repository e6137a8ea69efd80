/** The dialog of exports: code and settings to read and copy, and files to keep. */
import { copyText, element } from "../page/dom";
import { knownOf, toCode } from "./code";
import type { CodeForm } from "./code";
import { heldBy } from "./sides";
import type { Studio } from "./studio";

/** One export: its file, and how it is made. */
interface Export {
    readonly title: string;
    readonly file: string;
    /** A file is not shown, but told of. */
    make(studio: Studio): string | Promise<string | FileAndNote>;
}

interface FileAndNote {
    readonly file: Blob;
    readonly note: string;
}

const EXPORTS: readonly Export[] = [
    { title: "TypeScript", file: "cloth.ts", make: (studio) => codeOf(studio, "typescript") },
    { title: "Playground", file: "playground.js", make: (studio) => codeOf(studio, "playground") },
    {
        title: "JSON",
        file: "cloth.json",
        make: async ({ document, tuning, view }) => (await import("./exportFiles")).toJson(document, tuning, view.engine),
    },
    {
        title: ".glb",
        file: "cloth.glb",
        make: async ({ document, tuning, view }) => ({
            file: await (await import("./exportFiles")).toGlb(document, tuning, view.engine),
            note: GLB,
        }),
    },
    {
        title: "Baked .glb",
        file: "baked.glb",
        make: async ({ document, tuning, view }) => (await import("./exportFiles")).toBakedGlb(document, tuning, view.engine),
    },
];

const GLB = "the mesh at rest; its node's extras have the cloth's settings, for babylon-cloth/loader.";

function codeOf(studio: Studio, form: CodeForm): string {
    const shown = heldBy(studio);
    if (!shown) throw new Error("There is nothing to export yet");
    return toCode(studio.document, studio.tuning, form, knownOf(shown, studio.document));
}

/** Builds the dialog, closed. */
export function buildExportDialog(studio: Studio): HTMLDialogElement {
    const code = element("div", { className: "code" });
    const copy = element("button", { textContent: "Copy" });
    const download = element("button", { textContent: "Download" });
    const close = element("button", { textContent: "Close" });
    const tabs = EXPORTS.map(({ title }) => element("button", { textContent: title, role: "tab", ariaSelected: "false" }));
    let made: { text: string | Blob; file: string } | null = null;

    const select = async (chosen: number): Promise<void> => {
        const { title, file, make } = EXPORTS[chosen];
        tabs.forEach((tab, i) => (tab.ariaSelected = String(i === chosen)));
        made = null;
        copy.disabled = download.disabled = true;
        try {
            const all = await make(studio);
            const isText = typeof all === "string";
            made = { text: isText ? all : all.file, file };
            copy.disabled = !isText;
            download.disabled = false;
            if (isText) (await import("./codeView")).showCode(code, all, title);
            else code.replaceChildren(element("p", { textContent: `${(all.file.size / 1024).toFixed(0)} kB: ${all.note}` }));
        } catch (error) {
            code.replaceChildren(element("p", { textContent: (error as Error).message, role: "alert" }));
        }
    };
    tabs.forEach((tab, i) => (tab.onclick = () => select(i)));
    copy.onclick = async () => {
        const isCopied = await copyText(String(made!.text));
        copy.textContent = isCopied ? "Copied" : "Press Ctrl+C";
        setTimeout(() => (copy.textContent = "Copy"), 1500);
    };
    download.onclick = () => {
        const url = URL.createObjectURL(new Blob([made!.text]));
        element("a", { href: url, download: made!.file }).click();
        setTimeout(() => URL.revokeObjectURL(url), 1000);
    };
    const dialog = element(
        "dialog",
        { id: "export", ariaLabel: "Export" },
        element("header", {}, element("div", { role: "tablist", ariaLabel: "Forms" }, ...tabs), copy, download, close),
        code,
    );
    close.onclick = () => dialog.close();
    dialog.addEventListener("toggle", () => dialog.open && void select(0));
    return dialog;
}
