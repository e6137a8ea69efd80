import type { CrowdArrays } from "./crowdLayout";

/** Whether two particles of a body are close at rest, but not over the surface. */
export function areStrangers(
    { strangerStarts, strangers }: Pick<CrowdArrays, "strangerStarts" | "strangers">,
    i: number,
    j: number,
): boolean {
    for (let k = strangerStarts[i]; k < strangerStarts[i + 1]; k++) if (strangers[k] === j) return true;
    return false;
}
