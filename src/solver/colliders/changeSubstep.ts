import type { BodyState } from "../state";
import type { Taker } from "./taker";

/** Has a body's substeps be so many times as long from now on: what is told as the way of one is that of a longer one. */
export function changeSubstep(
    state: BodyState,
    colliders: readonly { readonly data: Float32Array; readonly taker: Taker | null }[],
    factor: number,
): void {
    state.scaleVelocities(factor);
    for (const { data, taker } of colliders) taker?.changeSubstep(data, factor);
}
