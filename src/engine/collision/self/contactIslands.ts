import { SelfCollisionCounter, PairRecord } from "../../../kernels/selfCollisionLayout";
import type { SelfCollisionArrays } from "../../../kernels/selfCollisionLayout";
import { NONE } from "../../../kernels/structSchema";
import { particleAt, rowOf } from "../../../kernels/layout";
import { SelfContactRecord, SelfContactCounter } from "../../../kernels/selfContactLayout";
import type { SelfContactArrays } from "../../../kernels/selfContactLayout";
import type { CollisionProxy } from "./collisionProxy";

/*
 * A *heap* is members that are near each other, and those near those, and so on: what lies on something that lies on something lies on that,
 * and all of it comes to rest together.
 */

/** Finds the islands of new lists: for each body, the number of one body of its island. */
export function buildIslands(
    members: readonly CollisionProxy[],
    shared: SelfCollisionArrays,
    touches: SelfContactArrays | null,
): void {
    for (let i = 0; i < members.length; i++) members[i].island = i;
    if (members.length === 1) return;
    const { pairs, progress } = shared;
    for (let o = 0, end = progress[SelfCollisionCounter.pairCount] * PairRecord.count; o < end; o += PairRecord.count)
        join(members, shared, pairs[o + PairRecord.a], pairs[o + PairRecord.b]);
    if (touches) {
        const { records: records, progress: found } = touches;
        // The first particle is of the first side, the last of the second.
        for (
            let o = 0, end = found[SelfContactCounter.contactCount] * SelfContactRecord.count;
            o < end;
            o += SelfContactRecord.count
        )
            join(members, shared, records[o], records[o + 3]);
    }
    for (let i = 0; i < members.length; i++) members[i].island = rootOf(members, i);
}

function join(
    members: readonly CollisionProxy[],
    { snapshot: points, activeParticles: placed }: SelfCollisionArrays,
    a: number,
    b: number,
): void {
    const i = points[rowOf(placed[particleAt(a)]) + 3];
    const j = points[rowOf(placed[particleAt(b)]) + 3];
    if (i !== j) members[rootOf(members, j)].island = rootOf(members, i);
}

/** Representative body of the body's island. */
function rootOf(members: readonly CollisionProxy[], index: number): number {
    while (members[index].island !== index) index = members[index].island = members[members[index].island].island;
    return index;
}

/** For each island: a body in contact with a collider, or NONE. */
let grounded = new Uint32Array(8);

/** Passes the support of an island to its bodies that touch no collider in this step. */
export function propagateContact(members: readonly CollisionProxy[]): void {
    if (members.length === 1) return;
    if (grounded.length < members.length) grounded = new Uint32Array(2 * members.length);
    grounded.fill(NONE, 0, members.length);
    for (let i = 0; i < members.length; i++) if (members[i].body.contactDamping.isTouched) grounded[members[i].island] = i;
    for (let i = 0; i < members.length; i++) {
        const other = grounded[members[i].island];
        if (other !== NONE) members[i].body.contactDamping.isTouched = true;
    }
}
