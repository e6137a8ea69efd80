/** What of a rigid body is inside of a collider becomes contacts of its pile: its points, and triangles between them, or where hulls touch. */
import { Contact, ContactRecord, TriangleProgress, TriangleRecord } from "../../kernels/contactLayout";
import type { ContactArrays, TriangleContactArrays } from "../../kernels/contactLayout";
import { particleAt, rowAt, rowOf } from "../../kernels/layout";
import { StickBodyContact, StickBodyMemory, StickBodyParties, StickBodyPose } from "../../kernels/stickBodyLayout";
import type { StickBodyArrays } from "../../kernels/stickBodyLayout";
import { found, FoundPoint, FIRST_KEYS } from "./hullPairs";
import type { PileArrays } from "./pileRows";

/** A pile that takes contacts. */
export interface NotingPile extends PileArrays {
    /** Makes room for a contact, all zero. @returns its number */
    addContact(): number;
}

/** No second body, no point. */
const NONE = -1;

const { axes: U, centre: C } = StickBodyPose;
const { local, offset, friction, restitution, normal, pushed, held, drift } = StickBodyContact;
/** A contact goes on where its normal turns by less than this in a substep: the cosine. */
const SAME = 0.9;

/** Notes contacts of the points. @param number the body's, and the collider's */
export function notePoints(pile: NotingPile, number: number, collider: number, contacts: ContactArrays): void {
    const body = pile.bodies[number].sticks;
    const { positions: x } = body.particles;
    const { records, recordFloats } = contacts;
    const end = contacts.recordCount[0] * ContactRecord.count;
    for (let record = 0; record < end; record += ContactRecord.count) {
        const firstPoint = particleAt(records[record + ContactRecord.row]);
        // The first four carry the others.
        if (firstPoint === 0) continue;
        for (let lane = 0; lane < 4; lane++) {
            if (!(recordFloats[record + lane + ContactRecord.depths] > 0)) continue;
            const n = record + lane + ContactRecord.normals;
            const o = rowOf(firstPoint + lane);
            const contact = begin(pile, number, collider, firstPoint + lane);
            const row = contact * StickBodyContact.count;
            const to = pile.contacts;
            to[row + offset] = recordFloats[record + lane + ContactRecord.depths];
            for (let c = 0; c < 3; c++) {
                to[row + local + c] = body.locals[o + c];
                to[row + normal + c] = recordFloats[n + 4 * c];
                to[row + offset] += x[o + c] * recordFloats[n + 4 * c];
            }
            recall(to, row, body, firstPoint + lane, pile.substep);
            touchSurface(body, to, row, pile.colliders[collider]);
        }
    }
}

/** Notes contacts of the triangles between the points. */
export function noteTriangles(pile: NotingPile, number: number, collider: number, triangles: TriangleContactArrays): void {
    const body = pile.bodies[number].sticks;
    const { records, recordFloats, progress } = triangles;
    const end = progress[TriangleProgress.recordCount] * TriangleRecord.count;
    for (let record = 0; record < end; record += TriangleRecord.count) {
        const row = begin(pile, number, collider, NONE) * StickBodyContact.count;
        const to = pile.contacts;
        for (let c = 0; c < 3; c++) {
            for (let k = 0; k < 3; k++)
                to[row + local + c] +=
                    recordFloats[record + TriangleRecord.shares + k] * body.locals[rowAt(records[record + k]) + c];
            to[row + normal + c] = recordFloats[record + TriangleRecord.normal + c];
        }
        to[row + offset] = recordFloats[record + TriangleRecord.offset];
        touchSurface(body, to, row, pile.colliders[collider]);
    }
}

/**
 * Notes where the body's hull has been found to touch a collider: {@link found}, places of both along the body's axes.
 * @param corners particles that are the hull's corners
 * @returns whether anywhere
 */
export function noteHull(pile: NotingPile, number: number, collider: number, corners: Uint32Array): boolean {
    const { sticks } = pile.bodies[number];
    const { pose } = sticks;
    const { points, keys, normal: n } = found;
    const thickness = pile.colliders[collider][Contact.thickness];
    let isAny = false;
    for (let f = 0, o = 0; f < found.count; f++, o += FoundPoint.count) {
        const [p, q] = [o + FoundPoint.first, o + FoundPoint.second];
        let depth = thickness;
        for (let c = 0; c < 3; c++) depth += (points[q + c] - points[p + c]) * n[c];
        if (!(depth > 0)) continue;
        isAny = true;
        const corner = keys[f] - FIRST_KEYS;
        const key = corner >= 0 && corner < corners.length ? corners[corner] : NONE;
        const row = begin(pile, number, collider, key) * StickBodyContact.count;
        const to = pile.contacts;
        to[row + offset] = thickness;
        for (let c = 0; c < 3; c++) {
            to[row + local + c] = points[p + c];
            to[row + normal + c] = n[0] * pose[U + c] + n[1] * pose[U + 4 + c] + n[2] * pose[U + 8 + c];
            to[row + offset] += pose[C + c] * to[row + normal + c] + points[q + c] * n[c];
        }
        if (key !== NONE) recall(to, row, sticks, key, pile.substep);
        touchSurface(sticks, to, row, pile.colliders[collider]);
    }
    return isAny;
}

function begin(pile: NotingPile, number: number, collider: number, key: number): number {
    const contact = pile.addContact();
    const who = contact * StickBodyParties.count;
    const row = contact * StickBodyContact.count;
    pile.parties[who + StickBodyParties.first] = number;
    pile.parties[who + StickBodyParties.second] = NONE;
    pile.parties[who + StickBodyParties.collider] = collider;
    pile.parties[who + StickBodyParties.key] = key;
    pile.contacts[row + friction] = pile.colliders[collider][Contact.friction];
    pile.contacts[row + restitution] = pile.colliders[collider][Contact.restitution];
    return contact;
}

/** Goes on with what the point remembers, if it has been in contact there in the last substep. */
function recall(contacts: Float64Array, row: number, { memory }: StickBodyArrays, particle: number, substep: number): void {
    const m = particle * StickBodyMemory.count;
    if (memory[m + StickBodyMemory.substep] !== substep - 1) return;
    let lean = 0;
    for (let c = 0; c < 3; c++) lean += memory[m + StickBodyMemory.normal + c] * contacts[row + normal + c];
    if (!(lean > SAME)) return;
    contacts[row + pushed] = memory[m + StickBodyMemory.pushed];
    for (let c = 0; c < 3; c++) {
        contacts[row + held + c] = memory[m + StickBodyMemory.held + c];
        contacts[row + drift + c] = memory[m + StickBodyMemory.drift + c];
    }
}

/** Puts a contact where the surface is: points are balls as large as the distance that is kept. */
function touchSurface({ pose }: StickBodyArrays, contacts: Float64Array, row: number, collider: Float32Array): void {
    const thickness = collider[Contact.thickness];
    const n = row + normal;
    for (let k = 0; k < 3; k++) {
        const u = U + 4 * k;
        const lean = pose[u] * contacts[n] + pose[u + 1] * contacts[n + 1] + pose[u + 2] * contacts[n + 2];
        contacts[row + local + k] -= thickness * lean;
    }
    contacts[row + offset] -= thickness;
}
