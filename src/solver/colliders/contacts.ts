import type { Arena } from "../../kernels/arena";
import type { Kernels } from "../../kernels/kernels";
import { Contact, ContactLayout } from "../../kernels/contactLayout";
import type { ContactArrays } from "../../kernels/contactLayout";
import type { ParticleArrays } from "../../kernels/layout";
import { ArenaStruct } from "../arenaArrays";
import type { Collider } from "./collider";
import type { Impacts } from "./impacts";

/** Room for the contacts of one body's particles with one collider at a time. */
export class Contacts extends ArenaStruct implements ContactArrays {
    readonly capacity: number;
    recordCount!: Uint32Array;
    records!: Uint32Array;
    recordFloats!: Float32Array;
    areHeeded!: Uint32Array;
    supports!: Float32Array;
    /** Whether what is near is found, too. */
    isNearFound = false;
    /** Whether the supports hold nothing from before this pass. */
    areCleared = false;
    /** Where what is found is noted; null: nowhere. */
    impacts: Impacts | null = null;

    constructor(arena: Arena, paddedCount: number) {
        super(ContactLayout);
        this.capacity = paddedCount / 4;
        this._allocate(arena);
    }

    /**
     * Begins a pass over colliders.
     * @param count of those near that may be pressed against each other
     * @param impacts where what is found is noted
     */
    begin(count: number, impacts: Impacts | null = null): void {
        this.impacts = impacts;
        this.isNearFound = count > 1;
        this.areCleared = false;
    }
}

/**
 * Keeps particles outside a collider: its shape finds the contacts, the first `count` others that are near, within its reach, and
 * come last say what the particles must not be pushed into, and the kernels answer. What has been answered in the same pass
 * holds too: it stands firmer (see `isFirmer` in collider.ts).
 */
export function collide(
    kernels: Kernels,
    particles: ParticleArrays,
    contacts: Contacts,
    collider: Collider,
    others: readonly Collider[],
    count: number,
): void {
    const { data } = collider;
    data[Contact.near] = contacts.isNearFound ? Math.max(0, data[Contact.thickness]) : 0;
    collider.find(kernels, particles, contacts);
    if (contacts.recordCount[0] === 0) return;
    const isHeld = count > 1 && !collider.isLast;
    contacts.areHeeded[0] = isHeld ? 1 : 0;
    if (isHeld && !contacts.areCleared) {
        contacts.areCleared = true;
        contacts.supports.fill(0);
    }
    for (let i = 0; i < count && isHeld; i++) {
        const other = others[i];
        if (!other.isLast || !other.isNear || (collider.box && !other.mayTouch(collider.box))) continue;
        other.support(kernels, particles, contacts);
    }
    contacts.impacts?.note(collider, particles, contacts);
    kernels.answerContacts(particles, data, contacts);
}
