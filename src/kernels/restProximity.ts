import type { SelfCollisionArrays } from "./selfCollisionLayout";

/** True if two particles of a body are close at rest in space, but not along the surface. */
export function areRestProximityPair(
    { restPairStarts: strangerStarts, restPairs: strangers }: Pick<SelfCollisionArrays, "restPairStarts" | "restPairs">,
    i: number,
    j: number,
): boolean {
    for (let k = strangerStarts[i]; k < strangerStarts[i + 1]; k++) if (strangers[k] === j) return true;
    return false;
}
