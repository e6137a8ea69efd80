import type { Studio } from "./studio";
import type { Shown } from "./view";

/** The cloth whose tuning is changed now; undefined while there is none. */
export function heldBy({ view, side }: Studio): Shown | undefined {
    return view.shown.get(side) ?? view.shown.get("a");
}
