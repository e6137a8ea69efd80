import type { BodyState } from "../../state/state";
import type { DynamicBodyProxy } from "../shapes/dynamicBodyProxy";

/** Has a body's substeps be so many times as long from now on: what is told as the way of one is that of a longer one. */
export function rescaleDisplacements(
    state: BodyState,
    colliders: readonly { readonly data: Float32Array; readonly dynamicBody: DynamicBodyProxy | null }[],
    factor: number,
): void {
    state.scaleVelocities(factor);
    for (const { data, dynamicBody: taker } of colliders) taker?.rescale(data, factor);
}
