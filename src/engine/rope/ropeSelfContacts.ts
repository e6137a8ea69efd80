import { PRESSING_RATIO, SQUEEZE_COSINE } from "../tunables";
import { RopeContactSlot } from "../../kernels/ropeLayout";
import type { RopeArrays } from "../../kernels/ropeLayout";
import { SelfCollisionCounter, PairRecord } from "../../kernels/selfCollisionLayout";
import type { ProxyArrays } from "../../kernels/selfCollisionLayout";
import { particleAt, ROW, rowAt, rowOf } from "../../kernels/layout";
import { SelfContactRecord, SelfContactCounter } from "../../kernels/selfContactLayout";
import type { SelfContactArrays } from "../../kernels/selfContactLayout";

/**
 * Records a rope's self-contacts for its next pass, once they have been answered: to the solver they are contacts as with colliders. Several contacts of a
 * particle, and of the segments at it, have the mean of their normals.
 */
export function recordRopeSelfContacts(selfContacts: SelfContactArrays, proxy: ProxyArrays, chain: RopeArrays): void {
    const { shared, records: records, recordFloats: f, progress } = selfContacts;
    const { activePositions: x, pairs, pairFloats } = shared;
    const { contacts } = chain;
    for (
        let o = 0, last = progress[SelfContactCounter.contactCount] * SelfContactRecord.count;
        o < last;
        o += SelfContactRecord.count
    ) {
        if (!isMemberSlot(proxy, records[o]) && !isMemberSlot(proxy, records[o + 3])) continue;
        let height = 0;
        for (let k = 0; k < 4; k++) {
            const row = rowAt(records[o + k]);
            for (let c = 0; c < 3; c++)
                height += f[o + SelfContactRecord.weights + k] * f[o + SelfContactRecord.normal + c] * x[row + c];
        }
        if (!(height < PRESSING_RATIO * f[o + SelfContactRecord.distance])) continue;
        for (let k = 0; k < 4; k++)
            addNormal(chain, proxy, records[o + k], f, o + SelfContactRecord.normal, f[o + SelfContactRecord.weights + k]);
    }
    for (let o = 0, last = shared.progress[SelfCollisionCounter.pairCount] * PairRecord.count; o < last; o += PairRecord.count) {
        const a = pairs[o + PairRecord.a];
        const b = pairs[o + PairRecord.b];
        if (isMemberSlot(proxy, a) === isMemberSlot(proxy, b)) continue;
        let height = 0;
        for (let c = 0; c < 3; c++) height += pairFloats[o + PairRecord.normal + c] * (x[rowAt(a) + c] - x[rowAt(b) + c]);
        if (!(height < PRESSING_RATIO * pairFloats[o + PairRecord.distance])) continue;
        addNormal(chain, proxy, a, pairFloats, o + PairRecord.normal, 1);
        addNormal(chain, proxy, b, pairFloats, o + PairRecord.normal, -1);
    }
    if (contacts[RopeContactSlot.selfContactCount] > 0) normaliseNormals(chain);
}

/** True if the particle at a byte offset belongs to a proxy. */
function isMemberSlot({ index, shared }: ProxyArrays, offset: number): boolean {
    const place = particleAt(offset);
    return place >= shared.activeRanges[2 * index] && place < shared.activeRanges[2 * index + 1];
}

function addNormal(
    { normals, contacts }: RopeArrays,
    proxy: ProxyArrays,
    offset: number,
    f: Float32Array,
    normal: number,
    weight: number,
): void {
    if (weight === 0 || !isMemberSlot(proxy, offset)) return;
    const row = rowOf(proxy.shared.activeParticles[particleAt(offset)] - proxy.first);
    // What colliders hold is held by those.
    if (normals[row + 3] === 0 && (normals[row] !== 0 || normals[row + 1] !== 0 || normals[row + 2] !== 0)) return;
    for (let c = 0; c < 3; c++) normals[row + c] += weight * f[normal + c];
    normals[row + 3] = 1;
    contacts[RopeContactSlot.count]++;
    contacts[RopeContactSlot.selfContactCount]++;
}

/** Makes sums of normals unit normals. */
function normaliseNormals({ linkCount, normals }: RopeArrays): void {
    for (let o = 0; o <= rowOf(linkCount); o += ROW) {
        if (normals[o + 3] === 0) continue;
        const length = Math.sqrt(normals[o] ** 2 + normals[o + 1] ** 2 + normals[o + 2] ** 2);
        const isSqueezed = !(length > SQUEEZE_COSINE);
        for (let c = 0; c < 3; c++) normals[o + c] *= isSqueezed ? 0 : 1 / length;
        if (isSqueezed) normals[o + 3] = 0;
    }
}
