/**
 * Initial overlaps. A garment in its bind pose lies inside the capsules of a body that bulge out of its skin. A push to their surface in one substep would
 * throw it, so each particle keeps the depth that it has in the body's first step:
 *
 *     depth resolved = depth found - depth kept
 *
 * The depth kept never grows. It shrinks as the particle leaves, and at {@link RECOVERY_SPEED} where no pin is inside: what a pin holds inside cannot leave.
 * Faces that a collider cuts have no one way out: those about a particle that is inside, or that is a corner of a cut face, make no contacts until
 * they no longer cut it.
 */
import { RECOVERY_SPEED } from "../../tunables";
import { Contact, ContactRecord, FaceContactCounter, FaceContactRecord } from "../../../kernels/contactLayout";
import type { ContactArrays, FaceContactArrays } from "../../../kernels/contactLayout";
import type { Kernels } from "../../../kernels/kernelTable";
import { particleAt, rowAt } from "../../../kernels/layout";
import type { ParticleArrays } from "../../../kernels/layout";

/** Contacts that note the depths of pinned particles [m]. */
interface StartContacts extends ContactArrays {
    readonly pinsInside: Map<number, number>;
    /** True if the body has moved before. */
    readonly hasMoved: boolean;
}

interface StartCollider {
    readonly data: Float32Array;
    readonly isMoving: boolean;
    startDepths: StartDepths | null;
    detect(kernels: Kernels, particles: ParticleArrays, contacts: ContactArrays): void;
}

/** States of a particle whose faces were cut at the start: not met in the present step, and met. */
const CUT = 1;
const MET = 2;

export class StartDepths {
    /** Depth that each particle keeps [m]. */
    private readonly _kept: Float32Array;
    /** Depths found in the present pass [m]; of particles without a contact 0. */
    private readonly _found: Float32Array;
    /** States of the faces about each particle, {@link CUT} and {@link MET}; 0: contacts as any. */
    private readonly _cuts: Uint8Array;
    private _hasPinned = false;

    private constructor(particles: ParticleArrays) {
        this._kept = new Float32Array(particles.paddedCount);
        this._found = new Float32Array(particles.paddedCount);
        this._cuts = new Uint8Array(particles.paddedCount);
    }

    /** Notes initial overlaps of particles with a collider, pinned ones included. Leaves its contacts as found. */
    static record(kernels: Kernels, contacts: StartContacts, collider: StartCollider, particles: ParticleArrays): void {
        const { inverseMasses } = particles;
        const masses = inverseMasses.slice();
        // Kernels pass over what is pinned.
        for (let i = 0; i < particles.particleCount; i++) inverseMasses[i] ||= 1;
        collider.detect(kernels, particles, contacts);
        inverseMasses.set(masses);
        const { records, recordFloats } = contacts;
        const thickness = Math.max(0, collider.data[Contact.thickness]);
        const least = leastDepth(contacts, collider);
        const end = contacts.recordCount[0] * ContactRecord.count;
        for (let record = 0; record < end; record += ContactRecord.count) {
            const first = rowAt(records[record + ContactRecord.row]) / 4;
            for (let k = 0; k < 4; k++) {
                const depth = recordFloats[record + ContactRecord.depths + k];
                if (!(depth > least)) continue;
                const depths = (collider.startDepths ??= new StartDepths(particles));
                depths._kept[first + k] = depth;
                if (depth > thickness) depths._cuts[first + k] = CUT;
                if (masses[first + k] > 0) continue;
                depths._hasPinned = true;
                if (depth > thickness) contacts.pinsInside.set(first + k, depth - thickness);
            }
        }
        collider.detect(kernels, particles, contacts);
    }

    /** Notes initial overlaps of faces. */
    static recordFaces(collider: StartCollider, particles: ParticleArrays, faces: FaceContactArrays): void {
        const least = Math.max(0, collider.data[Contact.thickness]);
        const { records } = faces;
        const end = faces.progress[FaceContactCounter.recordCount] * FaceContactRecord.count;
        for (let record = 0; record < end; record += FaceContactRecord.count) {
            if (!(faceDepth(faces, record, particles) > least)) continue;
            const { _cuts } = (collider.startDepths ??= new StartDepths(particles));
            for (let k = record; k < record + 3; k++) _cuts[particleAt(records[k])] = CUT;
        }
    }

    /** Subtracts the kept depths from the contacts found. @param isRead true if the depths kept stay as they are */
    apply({ records, recordFloats, recordCount }: ContactArrays, isRead: boolean): void {
        const { _kept: kept, _found: found } = this;
        const end = recordCount[0] * ContactRecord.count;
        if (!isRead) found.fill(0);
        for (let record = 0; record < end; record += ContactRecord.count) {
            const first = rowAt(records[record + ContactRecord.row]) / 4;
            for (let k = 0; k < 4; k++) {
                const o = record + ContactRecord.depths + k;
                if (!(recordFloats[o] > 0) || kept[first + k] === 0) continue;
                found[first + k] = recordFloats[o];
                recordFloats[o] = Math.max(0, recordFloats[o] - kept[first + k]);
            }
        }
        if (isRead) return;
        for (let i = 0; i < kept.length; i++) if (found[i] < kept[i]) kept[i] = found[i];
    }

    /** Removes contacts of faces that the collider cut at the start, and notes that it still does. */
    removeCutFaces({ records, progress }: FaceContactArrays): void {
        const { _cuts: cuts } = this;
        const end = progress[FaceContactCounter.recordCount] * FaceContactRecord.count;
        let to = 0;
        for (let record = 0; record < end; record += FaceContactRecord.count) {
            const a = particleAt(records[record]);
            const b = particleAt(records[record + 1]);
            const c = particleAt(records[record + 2]);
            if ((cuts[a] | cuts[b] | cuts[c]) > 0) {
                if (cuts[a] > 0) cuts[a] = MET;
                if (cuts[b] > 0) cuts[b] = MET;
                if (cuts[c] > 0) cuts[c] = MET;
                continue;
            }
            if (to < record) records.copyWithin(to, record, record + FaceContactRecord.count);
            to += FaceContactRecord.count;
        }
        progress[FaceContactCounter.recordCount] = to / FaceContactRecord.count;
    }

    /** Lets particles out, over a step. @returns false once no depth is kept */
    recover({ fixedTimeStep: seconds }: { readonly fixedTimeStep: number }): boolean {
        const { _kept: kept, _cuts: cuts } = this;
        const way = this._hasPinned ? 0 : RECOVERY_SPEED * seconds;
        let isAny = false;
        for (let i = 0; i < kept.length; i++) {
            if (kept[i] > 0) kept[i] = Math.max(0, kept[i] - way);
            if (cuts[i] > 0) cuts[i] = cuts[i] === MET || kept[i] > 0 ? CUT : 0;
            isAny ||= kept[i] > 0 || cuts[i] > 0;
        }
        return isAny;
    }
}

/** Least depth of an initial overlap [m]. Of two that move, what is within the thickness is a contact; overlaps are inside the collider itself. */
function leastDepth({ hasMoved }: StartContacts, { data, isMoving }: StartCollider): number {
    return hasMoved || isMoving ? Math.max(0, data[Contact.thickness]) : 0;
}

/** Depth of a face's contact [m]. */
function faceDepth({ records, recordFloats: r }: FaceContactArrays, record: number, { positions: x }: ParticleArrays): number {
    let depth = r[record + FaceContactRecord.offset];
    for (let k = 0; k < 3; k++) {
        const o = rowAt(records[record + k]);
        for (let c = 0; c < 3; c++)
            depth -= r[record + FaceContactRecord.shares + k] * r[record + FaceContactRecord.normal + c] * x[o + c];
    }
    return depth;
}

/** Warning of pins that lie inside colliders; null: none do. @param pins depth of each, by particle [m] */
export function warningOf(pins: ReadonlyMap<number, number>): string | null {
    if (pins.size === 0) return null;
    const deepest = (100 * Math.max(...pins.values())).toPrecision(2);
    const are =
        pins.size === 1 ? "1 pinned particle begins inside a collider" : `${pins.size} pinned particles begin inside colliders`;
    return `${are}, up to ${deepest} cm deep, and the cloth about them stays inside: make the colliders smaller (Colliders.fromSkeleton: fit: "inside"), or pin farther out`;
}
