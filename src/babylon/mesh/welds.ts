import type { Geometry } from "@babylonjs/core/Meshes/geometry";
import type { Weld } from "../../engine/index";

const welds = new WeakMap<Geometry, Weld>();

/** Says which vertices of a geometry hang together, where that is not all that lie at one place: it was torn. Null: it is whole. */
export function setWeld(geometry: Geometry, weld: Weld | null): void {
    if (weld) welds.set(geometry, weld);
    else welds.delete(geometry);
}

/** Weld set by {@link setWeld}; null: vertices at one place are joined. */
export function weldOf(geometry: Geometry): Weld | null {
    return welds.get(geometry) ?? null;
}
