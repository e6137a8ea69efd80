import { Part } from "../../kernels/part";
import type { Impacts } from "./impacts";
import { meshPart } from "./meshPart";
import type { ColliderShape } from "./registry";

/** All of contact with colliders; cloth that meets none does without. */
export const contactPart = new Part(() => import("./contact"));

/** What some shapes take beside it. */
export const shapeParts: { readonly [Shape in ColliderShape]?: Part<unknown> } = { mesh: meshPart, skin: meshPart };

/** What takes note of impacts; null: there can be none yet. */
export function makeImpacts(particleCount: number): Impacts | null {
    return contactPart.isHere ? new contactPart.content.Impacts(particleCount) : null;
}
