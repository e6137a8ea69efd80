import { identity, relativeToOrigin } from "../math/affine";
import type { Affine } from "../math/affine";
import type { PinSet } from "../attachments/pinSet";
import type { BodyState } from "../state/state";

/** Distance that counts as none [m]. */
const MIN_LAG = 1e-9;

/** Sums of pinned places' ways since the last step and in it [m], x y z each, and their number. */
const ways = new Float64Array(7);
const stepWay = identity();

/** A body that is carried. */
interface CarriedBody {
    readonly state: BodyState;
    readonly pins: readonly PinSet[];
    readonly origin: ArrayLike<number>;
    readonly inertia: { readonly sinceStep: Affine; readonly lastStep: Affine } | null;
}

/**
 * Moves the state, which the last step has left, to where its carriers were in the last frame: a teleport then begins there. The start of that step comes
 * along with them, since pins have stood still after a teleport, and what is drawn lies between the two.
 */
export function catchUp({ state, pins, origin, inertia }: CarriedBody): void {
    if (pins.length === 0) {
        if (!inertia) return;
        state.moveStepStart(relativeToOrigin(inertia.lastStep, origin));
        state.transform(relativeToOrigin(inertia.sinceStep, origin));
        return;
    }
    ways.fill(0);
    for (const set of pins) if (set.isFixed) set.addWays(ways);
    for (let c = 0; c < 6; c++) ways[c] /= Math.max(1, ways[6]);
    if (Math.abs(ways[0]) + Math.abs(ways[1]) + Math.abs(ways[2]) > MIN_LAG) state.rebase(-ways[0], -ways[1], -ways[2]);
    for (let c = 0; c < 3; c++) stepWay[12 + c] = ways[3 + c];
    state.moveStepStart(stepWay);
}
