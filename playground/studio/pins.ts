/** Pinned vertices, and selectors that add to them. */
import { select } from "babylon-cloth";
import type { Selector } from "babylon-cloth";
import type { Studio } from "./studio";

/** Vertices that are held now: the document's, or those that the builder pins. */
export function heldVertices({ document, view }: Studio): readonly number[] {
    if (document.pins) return document.pins;
    const pins = view.shown.get("a")?.cloth.pins ?? [];
    return pins.flatMap(({ select: chosen }) => (typeof chosen === "object" && "length" in chosen ? Array.from(chosen) : []));
}

/** Holds what a selector chooses, too. */
export function addPin(studio: Studio, selector: Selector): void {
    const shown = studio.view.shown.get("a");
    if (!shown) return;
    const pins = new Set([...heldVertices(studio), ...selector.pick(shown.rest)]);
    studio.change({ pins: [...pins].sort((a, b) => a - b) });
}

/** Sides of a cloth, as one sees it, and what holds them. */
export const EDGES: Readonly<Record<string, Selector>> = {
    Left: select.edge("-x"),
    Right: select.edge("+x"),
    Top: select.edge("+y"),
    Bottom: select.edge("-y"),
    Back: select.edge("+z"),
    Front: select.edge("-z"),
    Corners: select.corners(),
};
