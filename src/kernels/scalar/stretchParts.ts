import type { StretchPartArrays } from "../contactLayout";
import type { ParticleArrays, StickArrays } from "../layout";
import { limitStretch } from "./stretchLimits";

/**
 * The same as limitStretch, to the bit, for cloth on solids: their corners stretch a few sticks in each substep. A pass may leave out the parts that an earlier
 * one has looked at, if nothing of them has moved since.
 */
export function limitStretchInParts(particles: ParticleArrays, sticks: StickArrays, _parts: StretchPartArrays): void {
    limitStretch(particles, sticks);
}
