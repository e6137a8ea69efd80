/** The part of the panel with presets: loaded whole or as fabric and wind alone, and saved under a name. */
import type { FolderApi } from "@tweakpane/core";
import { element } from "../page/dom";
import type { Controls } from "./controls";
import { LIBRARY, keepPreset, ownPresets } from "./presets";
import type { Studio } from "./studio";

export function addPresets(folder: FolderApi, controls: Controls, studio: Studio): void {
    const list = element("select", { ariaLabel: "preset" });
    const name = element("input", { type: "text", placeholder: "name", ariaLabel: "name of a preset" });
    const fill = (chosen: string): void => {
        const all = { ...LIBRARY, ...ownPresets() };
        list.replaceChildren(
            ...Object.keys(all).map((each) => element("option", { textContent: each, selected: each === chosen })),
        );
    };
    const chosen = () => ({ ...LIBRARY, ...ownPresets() })[list.value];
    fill("");
    folder.element.querySelector(".tp-fldv_c")!.append(element("div", { className: "row buttons" }, list, name));
    const keep = (act: () => void): void => {
        try {
            act();
        } catch (error) {
            studio.say((error as Error).message, true);
        }
    };
    controls.addButtons(folder, "Presets", {
        Load: () => studio.change(chosen()),
        "Load its fabric": () => {
            const { fabric, wind, look, colour } = chosen().a;
            studio.tune({ fabric, wind, look, colour });
        },
        Save: () =>
            keep(() => {
                const title = name.value.trim();
                if (!title) throw new Error("Type a name for the preset first");
                if (title in LIBRARY) throw new Error(`"${title}" is in the library: choose another name`);
                keepPreset(title, studio.document);
                fill(title);
                studio.say(`"${title}" is saved in this browser`, false);
            }),
        Remove: () =>
            keep(() => {
                if (list.value in LIBRARY) throw new Error("What is in the library stays");
                keepPreset(list.value, null);
                fill("");
            }),
    });
}
