/**
 * Initial overlaps. A garment in its bind pose lies inside the capsules of a body that bulge out of its skin. A push to their surface in one substep would
 * throw it, so each particle keeps the depth that it has in the body's first step:
 *
 *     depth resolved = depth found - depth kept
 *
 * The depth kept never grows. It shrinks as the particle leaves, and at {@link RECOVERY_SPEED} where no pin is inside: what a pin holds inside cannot leave.
 */
import { RECOVERY_SPEED } from "../../tunables";
import { Contact, ContactRecord } from "../../../kernels/contactLayout";
import type { ContactArrays } from "../../../kernels/contactLayout";
import type { Kernels } from "../../../kernels/kernelTable";
import { rowAt } from "../../../kernels/layout";
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
    detect(kernels: Kernels, particles: ParticleArrays, contacts: ContactArrays): void;
}

export class StartDepths {
    /** Depth that each particle keeps [m]. */
    private readonly _kept: Float32Array;
    /** Depths found in the present pass [m]; of particles without a contact 0. */
    private readonly _found: Float32Array;
    private _hasPinned = false;

    private constructor(particles: ParticleArrays) {
        this._kept = new Float32Array(particles.paddedCount);
        this._found = new Float32Array(particles.paddedCount);
    }

    /** Initial overlaps with a collider, pinned particles included; null: none. Leaves its contacts as found. */
    static record(
        kernels: Kernels,
        contacts: StartContacts,
        collider: StartCollider,
        particles: ParticleArrays,
    ): StartDepths | null {
        const { inverseMasses } = particles;
        const masses = inverseMasses.slice();
        // Kernels pass over what is pinned.
        for (let i = 0; i < particles.particleCount; i++) inverseMasses[i] ||= 1;
        collider.detect(kernels, particles, contacts);
        inverseMasses.set(masses);
        const { records, recordFloats } = contacts;
        const thickness = Math.max(0, collider.data[Contact.thickness]);
        // Of two that move, what is within the thickness is a contact; overlaps are inside the collider itself.
        const least = contacts.hasMoved || collider.isMoving ? thickness : 0;
        let depths: StartDepths | null = null;
        const end = contacts.recordCount[0] * ContactRecord.count;
        for (let record = 0; record < end; record += ContactRecord.count) {
            const first = rowAt(records[record + ContactRecord.row]) / 4;
            for (let k = 0; k < 4; k++) {
                const depth = recordFloats[record + ContactRecord.depths + k];
                if (!(depth > least)) continue;
                depths ??= new StartDepths(particles);
                depths._kept[first + k] = depth;
                if (masses[first + k] > 0) continue;
                depths._hasPinned = true;
                if (depth > thickness) contacts.pinsInside.set(first + k, depth - thickness);
            }
        }
        collider.detect(kernels, particles, contacts);
        return depths;
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

    /** Lets particles out, over a step. @returns false once no depth is kept */
    recover({ fixedTimeStep: seconds }: { readonly fixedTimeStep: number }): boolean {
        const { _kept: kept } = this;
        const way = this._hasPinned ? 0 : RECOVERY_SPEED * seconds;
        let deepest = 0;
        for (let i = 0; i < kept.length; i++) {
            if (kept[i] === 0) continue;
            kept[i] = Math.max(0, kept[i] - way);
            if (kept[i] > deepest) deepest = kept[i];
        }
        return deepest > 0;
    }
}

/** Warning of pins that lie inside colliders; null: none do. @param pins depth of each, by particle [m] */
export function warningOf(pins: ReadonlyMap<number, number>): string | null {
    if (pins.size === 0) return null;
    const deepest = (100 * Math.max(...pins.values())).toPrecision(2);
    const are =
        pins.size === 1 ? "1 pinned particle begins inside a collider" : `${pins.size} pinned particles begin inside colliders`;
    return `${are}, up to ${deepest} cm deep, and the cloth about them stays inside: make the colliders smaller (Colliders.fromSkeleton: fit: "inside"), or pin farther out`;
}
