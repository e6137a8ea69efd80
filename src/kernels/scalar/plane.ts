import { Contact, ContactRecord, FIRM, PlaneData, SupportRecord } from "../contactLayout";
import type { ContactArrays } from "../contactLayout";
import { rowAt } from "../layout";
import type { ParticleArrays } from "../layout";
import { addContact, endContacts, supportSlot } from "./contacts";

/** Whether the point x[o..o+2] is between the edges of the rectangle whose unit map begins at slot `u`. */
function isBetweenEdges(x: Float32Array, o: number, collider: Float32Array, u: number): boolean {
    const s = x[o] * collider[u] + x[o + 1] * collider[u + 4] + x[o + 2] * collider[u + 8] + collider[u + 12];
    const t = x[o] * collider[u + 1] + x[o + 1] * collider[u + 5] + x[o + 2] * collider[u + 9] + collider[u + 13];
    return s >= -1 && s <= 1 && t >= -1 && t <= 1;
}

/**
 * A rectangle's particle keeps its face, however deep something has pressed it in, until it goes round an edge. Where it was
 * a substep ago, against the rectangle as it stood then, tells: beyond the edges, and more than the recovery behind its
 * face, it belongs to the other one. Pinned particles go where they are carried.
 */
export function findSides(particles: ParticleArrays, collider: Float32Array): void {
    const { previous: p, inverseMasses: w, particleCount } = particles;
    const nx = collider[PlaneData.normalBefore];
    const ny = collider[PlaneData.normalBefore + 1];
    const nz = collider[PlaneData.normalBefore + 2];
    const offset = collider[PlaneData.offsetBefore];
    const recovery = collider[PlaneData.recovery];
    for (let i = 0, o = 0; i < particleCount; i++, o += 4) {
        const height = p[o] * nx + p[o + 1] * ny + p[o + 2] * nz - offset;
        const side = collider[PlaneData.sides + i];
        if (side === 0) collider[PlaneData.sides + i] = height < -recovery ? -1 : 1;
        else if (side * height < -recovery && !(w[i] > 0 && isBetweenEdges(p, o, collider, PlaneData.toUnitBefore))) {
            collider[PlaneData.sides + i] = -side;
        }
    }
}

/** Plane: a half-space, or a rectangle that is solid on both faces. */
export function findPlaneContacts(particles: ParticleArrays, collider: Float32Array, contacts: ContactArrays): void {
    const { positions: x, inverseMasses: w, particleCount } = particles;
    const nx = collider[PlaneData.normal];
    const ny = collider[PlaneData.normal + 1];
    const nz = collider[PlaneData.normal + 2];
    const offset = collider[PlaneData.offset];
    const thickness = collider[Contact.thickness];
    const isHalfSpace = collider[PlaneData.recovery] === Infinity;
    let count = 0;
    for (let i = 0, o = 0; i < particleCount; i++, o += 4) {
        const side = isHalfSpace || collider[PlaneData.sides + i] > 0 ? 1 : -1;
        const depth = thickness - side * (x[o] * nx + x[o + 1] * ny + x[o + 2] * nz - offset);
        if (depth > 0 && w[i] > 0 && isBetweenEdges(x, o, collider, PlaneData.toUnit)) {
            count = addContact(contacts, count, i, depth, nx * side, ny * side, nz * side);
        }
    }
    endContacts(contacts, count);
}

/** See {@link findPlaneContacts}. */
export function findSupports(particles: ParticleArrays, collider: Float32Array, contacts: ContactArrays): void {
    const { positions: x } = particles;
    const { records, recordCount, supports } = contacts;
    const nx = collider[PlaneData.normal];
    const ny = collider[PlaneData.normal + 1];
    const nz = collider[PlaneData.normal + 2];
    const offset = collider[PlaneData.offset];
    const thickness = collider[Contact.thickness];
    const isHalfSpace = collider[PlaneData.recovery] === Infinity;
    for (let k = 0; k < recordCount[0]; k++) {
        const row = rowAt(records[k * ContactRecord.count + ContactRecord.row]);
        for (let lane = 0, o = row; lane < 4; lane++, o += 4) {
            const s = supportSlot(o);
            const side = isHalfSpace || collider[PlaneData.sides + (o >> 2)] > 0 ? 1 : -1;
            const gap = side * (x[o] * nx + x[o + 1] * ny + x[o + 2] * nz - offset) - thickness;
            const sx = supports[s];
            const sy = supports[s + 4];
            const sz = supports[s + 8];
            const hasNone = sx === 0 && sy === 0 && sz === 0;
            if (!(hasNone || gap < x[o] * sx + x[o + 1] * sy + x[o + 2] * sz - supports[s + 12])) continue;
            if (!isBetweenEdges(x, o, collider, PlaneData.toUnit)) continue;
            supports[s] = nx * side;
            supports[s + 4] = ny * side;
            supports[s + 8] = nz * side;
            supports[s + 12] = offset * side + thickness;
            supports[s + SupportRecord.firmness] = FIRM;
        }
    }
}
