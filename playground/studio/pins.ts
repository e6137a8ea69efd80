/** Pinned vertices: a builder's own pins, what a document adds to them and takes away, and selectors that add. */
import { select } from "babylon-cloth";
import type { ClothBehavior, PinOptions, Selector } from "babylon-cloth";
import type { Studio } from "./studio";

/** A pin of a builder, with its vertices. */
export interface AuthoredPin extends PinOptions {
    readonly select: readonly number[];
}

/** The pins that a builder has made: their vertices, what carries them, and how they are held. */
export function authoredPins({ pins }: ClothBehavior): AuthoredPin[] {
    return pins.map(({ select: chosen, target, hold }) => ({ select: Array.from(chosen as ArrayLike<number>), target, hold }));
}

/** Pins that hold a list of vertices: a builder's pins keep those of theirs that are in it, the mesh carries the others. */
export function pinsOf(authored: readonly AuthoredPin[], held: readonly number[]): PinOptions[] {
    const isHeld = new Set(held);
    const added = addedPins(authored, held);
    const kept = authored.map((pin) => ({ ...pin, select: pin.select.filter((vertex) => isHeld.has(vertex)) }));
    return [...kept.filter((pin) => pin.select.length > 0), ...(added.length > 0 ? [{ select: added }] : [])];
}

/** Vertices of a list that no pin of the builder holds. */
export function addedPins(authored: readonly AuthoredPin[], held: readonly number[]): number[] {
    const known = new Set(authored.flatMap((pin) => pin.select));
    return held.filter((vertex) => !known.has(vertex));
}

/** Vertices of the builder's pins that are not in a list. */
export function erasedPins(authored: readonly AuthoredPin[], held: readonly number[]): number[] {
    const isHeld = new Set(held);
    return [...new Set(authored.flatMap((pin) => pin.select))].filter((vertex) => !isHeld.has(vertex));
}

/** Vertices that are held now: the document's, or those that the builder pins. */
export function heldVertices({ document, view }: Studio): readonly number[] {
    return document.pins ?? view.shown.get("a")?.authored.pins.flatMap((pin) => pin.select) ?? [];
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
