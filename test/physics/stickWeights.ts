import type { Sticks } from "../../src/solver/methods/xpbd/sticks";
import { slotOf } from "../../src/solver/methods/xpbd/sticks";
import { LimitRecord, StickRecord } from "../../src/kernels/layout";
import type { LimitArrays } from "../../src/kernels/layout";
import type { BodyState } from "../../src/solver/state";

/** By what shares of its strain the ends of stick `s` move, when it is alone. */
export function weightsAt(sticks: Sticks, s: number, { inverseMasses }: BodyState): [a: number, b: number] {
    const { recordFloats, records, stickCount } = sticks;
    if (4 * records.length > stickCount * LimitRecord.count)
        return [recordFloats[slotOf(s, StickRecord.weightsA)], recordFloats[slotOf(s, StickRecord.weightsB)]];
    const { a, b } = sticks.stickAt(s);
    const [wa, wb] = [inverseMasses[a], inverseMasses[b]];
    const { pull } = sticks as unknown as LimitArrays;
    const share = (wa > 0 && wb > 0 ? pull[0] : 1) / (wa + wb || 1);
    return [share * wa, share * wb];
}
