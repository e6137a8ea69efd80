import { Contact, SolidData } from "../contactLayout";
import { BLOCK } from "../layout";
import type { ContactArrays } from "../contactLayout";
import type { ParticleArrays } from "../layout";
import { addContact, endContacts, mayTouchBlock } from "./contacts";

/** Most steps along a path; one that grazes the solid for longer counts as having met the plane beside it. */
const STEPS = 16;
/** So near to the thickness, as a share of the sweep, a path has met the solid. */
const CLOSE = 0.125;

/** Distance from a solid's surface, below 0 inside, and the unit gradient x y z, at the point that was last asked for. */
export const surface = new Float64Array(4);

/** Writes {@link surface} at a point of the solid's frame. Nowhere may the distance be more than the true one. */
export type Measure = (solid: Float32Array, x: number, y: number, z: number) => void;

/**
 * Contacts with a solid. A particle that has hardly moved against it meets it where it is, along the gradient there. One that
 * has moved by more than the sweep may have come through: its path, straight in the solid's frame, is followed in steps as
 * long as the distance (sphere tracing, Hart 1996), and where it meets the solid the plane there holds it.
 *
 *      q0 ●
 *          ╲   ↑ n        depth = thickness - (d + n · (q1 - q))
 *       ━━━━●━━━━━━ q
 *       ░░░░░╲░░░░░
 *             ● q1
 */
export function findSolidContacts(particles: ParticleArrays, solid: Float32Array, contacts: ContactArrays, measure: Measure): void {
    const { positions: x, previous: p, inverseMasses: w, particleCount } = particles;
    const thickness = solid[Contact.thickness];
    const near = solid[Contact.near];
    const sweep = solid[SolidData.sweep];
    const m = SolidData.toFrame;
    let count = 0;
    for (let i = 0, o = 0; i < particleCount; i++, o += 4) {
        if (i % BLOCK === 0 && !mayTouchBlock(particles, i / BLOCK, solid)) {
            i += BLOCK - 1;
            o += 4 * (BLOCK - 1);
            continue;
        }
        if (!(w[i] > 0)) continue;
        const q0 = mapped(solid, SolidData.toFrameBefore, p, o);
        const q1 = mapped(solid, m, x, o);
        const dx = q1[0] - q0[0];
        const dy = q1[1] - q0[1];
        const dz = q1[2] - q0[2];
        const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
        let t = length > sweep ? 0 : 1;
        measure(solid, q0[0] + dx * t, q0[1] + dy * t, q0[2] + dz * t);
        for (let step = 0; step < STEPS && t < 1 && surface[0] > thickness + CLOSE * sweep; step++) {
            t = Math.min(1, t + (surface[0] - thickness) / length);
            measure(solid, q0[0] + dx * t, q0[1] + dy * t, q0[2] + dz * t);
        }
        const [distance, nx, ny, nz] = surface;
        const depth = thickness - distance - (nx * dx + ny * dy + nz * dz) * (1 - t);
        if (!(depth > -near)) continue;
        count = addTurned(contacts, count, i, depth, solid, nx, ny, nz);
    }
    endContacts(contacts, count);
}

/** Adds a contact whose normal is one of the solid's frame; for the rest see addContact. */
export function addTurned(
    contacts: ContactArrays,
    count: number,
    particle: number,
    depth: number,
    solid: Float32Array,
    nx: number,
    ny: number,
    nz: number,
): number {
    const m = SolidData.toFrame;
    return addContact(
        contacts,
        count,
        particle,
        depth,
        solid[m] * nx + solid[m + 1] * ny + solid[m + 2] * nz,
        solid[m + 4] * nx + solid[m + 5] * ny + solid[m + 6] * nz,
        solid[m + 8] * nx + solid[m + 9] * ny + solid[m + 10] * nz,
    );
}

/** The point at slot o in the frame at slot m. */
export function mapped(solid: Float32Array, m: number, points: Float32Array, o: number): [number, number, number] {
    const x = points[o] - solid[m + 12];
    const y = points[o + 1] - solid[m + 13];
    const z = points[o + 2] - solid[m + 14];
    const at = (c: number): number => x * solid[m + c] + y * solid[m + 4 + c] + z * solid[m + 8 + c];
    return [at(0), at(1), at(2)];
}
