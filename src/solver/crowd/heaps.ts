import { CrowdProgress, PairRecord } from "../../kernels/crowdLayout";
import type { CrowdArrays } from "../../kernels/crowdLayout";
import { NONE } from "../../kernels/fields";
import { particleAt, rowOf } from "../../kernels/layout";
import { Touch, TouchProgress } from "../../kernels/touchLayout";
import type { TouchArrays } from "../../kernels/touchLayout";
import type { Member } from "./member";

/*
 * A *heap* is members that are near each other, and those near those, and so on: what lies on something that lies on something lies on that,
 * and all of it comes to rest together.
 */

/** Finds the heaps of new lists: each member's is the number of one of them. */
export function findHeaps(members: readonly Member[], crowd: CrowdArrays, touches: TouchArrays | null): void {
    for (let i = 0; i < members.length; i++) members[i].heap = i;
    if (members.length === 1) return;
    const { pairs, progress } = crowd;
    for (let o = 0, end = progress[CrowdProgress.pairCount] * PairRecord.count; o < end; o += PairRecord.count)
        join(members, crowd, pairs[o + PairRecord.a], pairs[o + PairRecord.b]);
    if (touches) {
        const { touches: records, progress: found } = touches;
        // The first particle is of the first side, the last of the second.
        for (let o = 0, end = found[TouchProgress.touchCount] * Touch.count; o < end; o += Touch.count)
            join(members, crowd, records[o], records[o + 3]);
    }
    for (let i = 0; i < members.length; i++) members[i].heap = headOf(members, i);
}

function join(members: readonly Member[], { points, placed }: CrowdArrays, a: number, b: number): void {
    const i = points[rowOf(placed[particleAt(a)]) + 3];
    const j = points[rowOf(placed[particleAt(b)]) + 3];
    if (i !== j) members[headOf(members, j)].heap = headOf(members, i);
}

/** The member that its heap is named after: its own. */
function headOf(members: readonly Member[], index: number): number {
    while (members[index].heap !== index) index = members[index].heap = members[members[index].heap].heap;
    return index;
}

/** Of each heap: a member that has met a collider, or NONE. */
let grounded = new Uint32Array(8);

/** Tells members that have met no collider in this step of what their heap lies on. */
export function settleHeaps(members: readonly Member[]): void {
    if (members.length === 1) return;
    if (grounded.length < members.length) grounded = new Uint32Array(2 * members.length);
    grounded.fill(NONE, 0, members.length);
    for (let i = 0; i < members.length; i++) if (members[i].body.settling.isTouched) grounded[members[i].heap] = i;
    for (let i = 0; i < members.length; i++) {
        const other = grounded[members[i].heap];
        if (other !== NONE) members[i].body.settling.isTouched = true;
    }
}
