import type { Arena } from "../../kernels/arena";
import type { Kernels } from "../../kernels/kernels";
import { ContactLayout } from "../../kernels/layout";
import type { ContactArrays, ParticleArrays } from "../../kernels/layout";
import { ArenaStruct } from "../arenaArrays";
import type { Collider } from "./collider";

/** Room for the contacts of one body's particles with one collider at a time. */
export class Contacts extends ArenaStruct implements ContactArrays {
    readonly capacity: number;
    recordCount!: Uint32Array;
    records!: Uint32Array;
    recordFloats!: Float32Array;
    solidCount!: Uint32Array;
    supports!: Float32Array;

    constructor(arena: Arena, paddedCount: number) {
        super(ContactLayout);
        this.capacity = paddedCount / 4;
        this._allocate(arena);
    }
}

/**
 * Keeps particles outside a collider: its shape finds the contacts, the first `count` others that are near, within its reach, and
 * come last say what the particles must not be pushed into, and the kernels answer.
 */
export function collide(
    kernels: Kernels,
    particles: ParticleArrays,
    contacts: ContactArrays,
    collider: Collider,
    others: readonly Collider[],
    count: number,
): void {
    collider.find(kernels, particles, contacts);
    if (contacts.recordCount[0] === 0) return;
    for (let i = 0; i < count && !collider.isLast; i++) {
        const other = others[i];
        if (!other.isLast || !other.isNear || (collider.box && !other.mayTouch(collider.box))) continue;
        other.support(kernels, particles, contacts);
    }
    kernels.answerContacts(particles, collider.data, contacts);
}
