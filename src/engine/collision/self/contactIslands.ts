import { SelfCollisionCounter, PairRecord } from "../../../kernels/selfCollisionLayout";
import type { SelfCollisionArrays } from "../../../kernels/selfCollisionLayout";
import { NONE } from "../../../kernels/structSchema";
import { particleAt, ROW, rowOf } from "../../../kernels/layout";
import { SelfContactRecord, SelfContactCounter } from "../../../kernels/selfContactLayout";
import type { SelfContactArrays } from "../../../kernels/selfContactLayout";
import { SweptCounter } from "../../../kernels/sweptLayout";
import type { SweptArrays } from "../../../kernels/sweptLayout";
import type { CollisionProxy } from "./collisionProxy";

/*
 * An *island* is proxies that are near each other, and those near those, and so on: what lies on something that lies on something lies on that,
 * and all of it comes to rest together.
 */

/** Finds the islands of new lists: for each body, the number of one body of its island. */
export function buildIslands(
    proxies: readonly CollisionProxy[],
    shared: SelfCollisionArrays,
    contacts: SelfContactArrays | null,
    swept: SweptArrays | null,
): void {
    for (let i = 0; i < proxies.length; i++) proxies[i].island = i;
    if (proxies.length === 1) return;
    const { pairs, progress } = shared;
    for (let o = 0, end = progress[SelfCollisionCounter.pairCount] * PairRecord.count; o < end; o += PairRecord.count)
        join(proxies, shared, pairs[o + PairRecord.a], pairs[o + PairRecord.b]);
    if (contacts) {
        const { records: records, progress: found } = contacts;
        // The first particle is of the first side, the last of the second.
        for (
            let o = 0, end = found[SelfContactCounter.contactCount] * SelfContactRecord.count;
            o < end;
            o += SelfContactRecord.count
        )
            join(proxies, shared, records[o], records[o + 3]);
    }
    if (swept) {
        joinRows(proxies, shared, swept.faceRows, swept.progress[SweptCounter.faceCount]);
        joinRows(proxies, shared, swept.edgeRows, swept.progress[SweptCounter.edgeCount]);
    }
    for (let i = 0; i < proxies.length; i++) proxies[i].island = rootOf(proxies, i);
}

/** Joins the first and the last particle of each row: those are of both sides. */
function joinRows(proxies: readonly CollisionProxy[], shared: SelfCollisionArrays, rows: Uint32Array, count: number): void {
    for (let o = 0; o < count * ROW; o += ROW) join(proxies, shared, rows[o], rows[o + 3]);
}

function join(
    proxies: readonly CollisionProxy[],
    { snapshot: points, activeParticles: placed }: SelfCollisionArrays,
    a: number,
    b: number,
): void {
    const i = points[rowOf(placed[particleAt(a)]) + 3];
    const j = points[rowOf(placed[particleAt(b)]) + 3];
    if (i !== j) proxies[rootOf(proxies, j)].island = rootOf(proxies, i);
}

/** Representative body of the body's island. */
function rootOf(proxies: readonly CollisionProxy[], index: number): number {
    while (proxies[index].island !== index) index = proxies[index].island = proxies[proxies[index].island].island;
    return index;
}

/** For each island: a body in contact with a collider, or NONE. */
let grounded = new Uint32Array(8);

/** Passes the support of an island to its bodies that touch no collider in this step. */
export function propagateContact(proxies: readonly CollisionProxy[]): void {
    if (proxies.length === 1) return;
    if (grounded.length < proxies.length) grounded = new Uint32Array(2 * proxies.length);
    grounded.fill(NONE, 0, proxies.length);
    for (let i = 0; i < proxies.length; i++) if (proxies[i].body.contactDamping.isTouched) grounded[proxies[i].island] = i;
    for (let i = 0; i < proxies.length; i++) {
        const other = grounded[proxies[i].island];
        if (other !== NONE) proxies[i].body.contactDamping.isTouched = true;
    }
}
