import { ChainContact } from "../../../kernels/chainLayout";
import type { ChainArrays } from "../../../kernels/chainLayout";
import { CrowdProgress, PairRecord } from "../../../kernels/crowdLayout";
import type { MemberArrays } from "../../../kernels/crowdLayout";
import { particleAt, ROW, rowAt, rowOf } from "../../../kernels/layout";
import { Touch, TouchProgress } from "../../../kernels/touchLayout";
import type { TouchArrays } from "../../../kernels/touchLayout";

/** What is apart by no more than so many times its distance presses: what a link touches now and then has both its ends held from one side only between. */
const PRESSING = 1.3;
/** A particle that is pressed from opposite sides, so that what is left of their unit normals is no longer than this, is held by none. */
const SQUEEZED = 0.2;

/**
 * Notes for the next pass over a rope's chain what its particles touch in the crowd, once that has been answered: to the chain that is contact as with
 * colliders. Several touches of a particle, and of the links at it, have the mean of their normals.
 */
export function noteChainTouches(touches: TouchArrays, member: MemberArrays, chain: ChainArrays): void {
    const { crowd, touches: records, touchFloats: f, progress } = touches;
    const { places: x, pairs, pairFloats } = crowd;
    const { contacts } = chain;
    for (let o = 0, last = progress[TouchProgress.touchCount] * Touch.count; o < last; o += Touch.count) {
        if (!hasPlace(member, records[o]) && !hasPlace(member, records[o + 3])) continue;
        let height = 0;
        for (let k = 0; k < 4; k++) {
            const row = rowAt(records[o + k]);
            for (let c = 0; c < 3; c++) height += f[o + Touch.weights + k] * f[o + Touch.normal + c] * x[row + c];
        }
        if (!(height < PRESSING * f[o + Touch.distance])) continue;
        for (let k = 0; k < 4; k++) addNormal(chain, member, records[o + k], f, o + Touch.normal, f[o + Touch.weights + k]);
    }
    for (let o = 0, last = crowd.progress[CrowdProgress.pairCount] * PairRecord.count; o < last; o += PairRecord.count) {
        const a = pairs[o + PairRecord.a];
        const b = pairs[o + PairRecord.b];
        if (hasPlace(member, a) === hasPlace(member, b)) continue;
        let height = 0;
        for (let c = 0; c < 3; c++) height += pairFloats[o + PairRecord.normal + c] * (x[rowAt(a) + c] - x[rowAt(b) + c]);
        if (!(height < PRESSING * pairFloats[o + PairRecord.distance])) continue;
        addNormal(chain, member, a, pairFloats, o + PairRecord.normal, 1);
        addNormal(chain, member, b, pairFloats, o + PairRecord.normal, -1);
    }
    if (contacts[ChainContact.touchCount] > 0) unite(chain);
}

/** Whether the place at a byte offset is one of a member's. */
function hasPlace({ index, crowd }: MemberArrays, offset: number): boolean {
    const place = particleAt(offset);
    return place >= crowd.placeRanges[2 * index] && place < crowd.placeRanges[2 * index + 1];
}

function addNormal(
    { normals, contacts }: ChainArrays,
    member: MemberArrays,
    offset: number,
    f: Float32Array,
    normal: number,
    weight: number,
): void {
    if (weight === 0 || !hasPlace(member, offset)) return;
    const row = rowOf(member.crowd.placed[particleAt(offset)] - member.first);
    // What colliders hold is held by those.
    if (normals[row + 3] === 0 && (normals[row] !== 0 || normals[row + 1] !== 0 || normals[row + 2] !== 0)) return;
    for (let c = 0; c < 3; c++) normals[row + c] += weight * f[normal + c];
    normals[row + 3] = 1;
    contacts[ChainContact.count]++;
    contacts[ChainContact.touchCount]++;
}

/** Makes sums of normals unit normals. */
function unite({ linkCount, normals }: ChainArrays): void {
    for (let o = 0; o <= rowOf(linkCount); o += ROW) {
        if (normals[o + 3] === 0) continue;
        const length = Math.sqrt(normals[o] ** 2 + normals[o + 1] ** 2 + normals[o + 2] ** 2);
        const isSqueezed = !(length > SQUEEZED);
        for (let c = 0; c < 3; c++) normals[o + c] *= isSqueezed ? 0 : 1 / length;
        if (isSqueezed) normals[o + 3] = 0;
    }
}
