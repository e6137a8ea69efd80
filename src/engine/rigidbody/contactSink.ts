/** Contacts of a rigid body inside a collider: at its points, at triangles between them, or at the contacts of hulls. */
import { MERGED_NORMAL_COSINE } from "../tunables";
import { Contact, ContactRecord, FaceContactCounter, FaceContactRecord } from "../../kernels/contactLayout";
import type { ContactArrays, FaceContactArrays } from "../../kernels/contactLayout";
import { particleAt, rowAt, rowOf } from "../../kernels/layout";
import { RigidContact, RigidContactMemory, RigidContactOwners, RigidBodyPose } from "../../kernels/rigidBodyLayout";
import type { RigidBodyArrays } from "../../kernels/rigidBodyLayout";
import { manifold, ManifoldPoint, FIRST_KEYS } from "./hullPairs";
import type { RigidSolverArrays } from "./solverRows";

/** Receiver of contacts: the contact solver. */
export interface ContactSink extends RigidSolverArrays {
    /** Makes room for a contact, all zero. @returns its number */
    addContact(): number;
}

/** No second body, no point. */
const NONE = -1;

const { axes: U, centre: C } = RigidBodyPose;
const { local, offset, friction, restitution, normal, normalImpulse: pushed, frictionImpulse: held, creep: drift } = RigidContact;

/** Notes contacts of the points. @param number the body's, and the collider's */
export function recordPointContacts(solver: ContactSink, number: number, collider: number, contacts: ContactArrays): void {
    const body = solver.bodies[number].rigidConstraint;
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
            const contact = beginContact(solver, number, collider, firstPoint + lane);
            const row = contact * RigidContact.count;
            const to = solver.contacts;
            to[row + offset] = recordFloats[record + lane + ContactRecord.depths];
            for (let c = 0; c < 3; c++) {
                to[row + local + c] = body.locals[o + c];
                to[row + normal + c] = recordFloats[n + 4 * c];
                to[row + offset] += x[o + c] * recordFloats[n + 4 * c];
            }
            warmStartFromMemory(to, row, body, firstPoint + lane, solver.substep);
            setSurfaceOffset(body, to, row, solver.colliders[collider]);
        }
    }
}

/** Notes contacts of the triangles between the points. */
export function recordTriangleContacts(solver: ContactSink, number: number, collider: number, triangles: FaceContactArrays): void {
    const body = solver.bodies[number].rigidConstraint;
    const { records, recordFloats, progress } = triangles;
    const end = progress[FaceContactCounter.recordCount] * FaceContactRecord.count;
    for (let record = 0; record < end; record += FaceContactRecord.count) {
        const row = beginContact(solver, number, collider, NONE) * RigidContact.count;
        const to = solver.contacts;
        for (let c = 0; c < 3; c++) {
            for (let k = 0; k < 3; k++)
                to[row + local + c] +=
                    recordFloats[record + FaceContactRecord.shares + k] * body.locals[rowAt(records[record + k]) + c];
            to[row + normal + c] = recordFloats[record + FaceContactRecord.normal + c];
        }
        to[row + offset] = recordFloats[record + FaceContactRecord.offset];
        setSurfaceOffset(body, to, row, solver.colliders[collider]);
    }
}

/**
 * Notes where the body's hull has been found to touch a collider: {@link manifold}, places of both along the body's axes.
 * @param corners particles that are the hull's corners
 * @returns whether anywhere
 */
export function recordHullContacts(solver: ContactSink, number: number, collider: number, corners: Uint32Array): boolean {
    const { rigidConstraint: sticks } = solver.bodies[number];
    const { pose } = sticks;
    const { points, keys, normal: n } = manifold;
    const thickness = solver.colliders[collider][Contact.thickness];
    let isAny = false;
    for (let f = 0, o = 0; f < manifold.count; f++, o += ManifoldPoint.count) {
        const [p, q] = [o + ManifoldPoint.first, o + ManifoldPoint.second];
        let depth = thickness;
        for (let c = 0; c < 3; c++) depth += (points[q + c] - points[p + c]) * n[c];
        if (!(depth > 0)) continue;
        isAny = true;
        const corner = keys[f] - FIRST_KEYS;
        const key = corner >= 0 && corner < corners.length ? corners[corner] : NONE;
        const row = beginContact(solver, number, collider, key) * RigidContact.count;
        const to = solver.contacts;
        to[row + offset] = thickness;
        for (let c = 0; c < 3; c++) {
            to[row + local + c] = points[p + c];
            to[row + normal + c] = n[0] * pose[U + c] + n[1] * pose[U + 4 + c] + n[2] * pose[U + 8 + c];
            to[row + offset] += pose[C + c] * to[row + normal + c] + points[q + c] * n[c];
        }
        if (key !== NONE) warmStartFromMemory(to, row, sticks, key, solver.substep);
        setSurfaceOffset(sticks, to, row, solver.colliders[collider]);
    }
    return isAny;
}

function beginContact(solver: ContactSink, number: number, collider: number, key: number): number {
    const contact = solver.addContact();
    const who = contact * RigidContactOwners.count;
    const row = contact * RigidContact.count;
    solver.owners[who + RigidContactOwners.first] = number;
    solver.owners[who + RigidContactOwners.second] = NONE;
    solver.owners[who + RigidContactOwners.collider] = collider;
    solver.owners[who + RigidContactOwners.featureKey] = key;
    solver.contacts[row + friction] = solver.colliders[collider][Contact.friction];
    solver.contacts[row + restitution] = solver.colliders[collider][Contact.restitution];
    return contact;
}

/** Continues the contact of the point, if it had one there in the last substep. */
function warmStartFromMemory(
    contacts: Float64Array,
    row: number,
    { memory }: RigidBodyArrays,
    particle: number,
    substep: number,
): void {
    const m = particle * RigidContactMemory.count;
    if (memory[m + RigidContactMemory.substep] !== substep - 1) return;
    let lean = 0;
    for (let c = 0; c < 3; c++) lean += memory[m + RigidContactMemory.normal + c] * contacts[row + normal + c];
    if (!(lean > MERGED_NORMAL_COSINE)) return;
    contacts[row + pushed] = memory[m + RigidContactMemory.normalImpulse];
    for (let c = 0; c < 3; c++) {
        contacts[row + held + c] = memory[m + RigidContactMemory.frictionImpulse + c];
        contacts[row + drift + c] = memory[m + RigidContactMemory.creep + c];
    }
}

/** Puts a contact where the surface is: points are balls as large as the distance that is kept. */
function setSurfaceOffset({ pose }: RigidBodyArrays, contacts: Float64Array, row: number, collider: Float32Array): void {
    const thickness = collider[Contact.thickness];
    const n = row + normal;
    for (let k = 0; k < 3; k++) {
        const u = U + 4 * k;
        const lean = pose[u] * contacts[n] + pose[u + 1] * contacts[n + 1] + pose[u + 2] * contacts[n + 2];
        contacts[row + local + k] -= thickness * lean;
    }
    contacts[row + offset] -= thickness;
}
