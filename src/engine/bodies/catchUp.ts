import { relativeToOrigin } from "../math/affine";
import type { Affine } from "../math/affine";
import type { PinSet } from "../attachments/pinSet";
import type { BodyState } from "../state/state";

/** Distance that counts as none [m]. */
const MIN_LAG = 1e-9;

/** Sum of pinned places' ways since the last step [m], x y z, and their number. */
const lag = new Float64Array(4);

/** A body that is carried. */
interface CarriedBody {
    readonly state: BodyState;
    readonly pins: readonly PinSet[];
    readonly origin: ArrayLike<number>;
    readonly inertia: { readonly sinceStep: Affine } | null;
}

/** Moves the state, which the last step has left, to where its carriers were in the last frame: a teleport then begins there. */
export function catchUp({ state, pins, origin, inertia }: CarriedBody): void {
    if (pins.length === 0) {
        if (inertia) state.transform(relativeToOrigin(inertia.sinceStep, origin));
        return;
    }
    lag.fill(0);
    for (const set of pins) if (set.isFixed) set.addLag(lag);
    for (let c = 0; c < 3; c++) lag[c] /= Math.max(1, lag[3]);
    if (Math.abs(lag[0]) + Math.abs(lag[1]) + Math.abs(lag[2]) > MIN_LAG) state.rebase(-lag[0], -lag[1], -lag[2]);
}
