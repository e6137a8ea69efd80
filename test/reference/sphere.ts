import { Contact, SphereData } from "../../src/kernels/contactLayout";
import { BLOCK } from "../../src/kernels/layout";
import type { ContactArrays } from "../../src/kernels/contactLayout";
import type { ParticleArrays } from "../../src/kernels/layout";
import { addContact, endContacts, mayTouchBlock } from "./contactResponse";

/** Newton steps to the closest point of an ellipsoid: 6 leave an error below 3 % of the shortest half axis, of any ellipsoid. */
const CLOSEST_POINT_STEPS = 6;
/** Newton's method stops if |t| is within this of 1: the next step would be below float precision. */
const CLOSE = 1e-4;
/** A particle counts as at least this far from the plane across the shortest half axis, as a share of it: it leaves by one side. */
const MIDDLE = 1e-3;

/**
 * Sphere, or ellipsoid: the image of the unit sphere under an affine map. In the unit frame, along the half axes a, a point
 * is q = (x - centre) A. Its closest point on the surface is t with t_i = a_i² q_i / (a_i² + λ) and |t| = 1 (Eberly,
 * "Distance from a point to an ellipse"); the distance is λ |g|, with the world gradient g = A tᵀ there, below 0 inside.
 * For a sphere t = q / |q|. Else Newton's method on 1 / |t|, which is nearly linear in λ (Moré and Sorensen 1983), finds
 * s = a_0² + λ from below.
 */
export function detectSphereContacts(particles: ParticleArrays, collider: Float32Array, contacts: ContactArrays): void {
    const { positions: x, inverseMasses: w, particleCount } = particles;
    let count = 0;
    const cx = collider[SphereData.centre];
    const cy = collider[SphereData.centre + 1];
    const cz = collider[SphereData.centre + 2];
    const thickness = collider[Contact.thickness];
    const near = collider[Contact.supportDistance];
    const reach = collider[SphereData.reach] + near;
    const reachSquared = reach * reach;
    const u = SphereData.toUnit;
    const e0 = collider[SphereData.squares];
    const e1 = collider[SphereData.squares + 1];
    const e2 = collider[SphereData.squares + 2];
    const d1 = collider[SphereData.squareDifferences + 1];
    const d2 = collider[SphereData.squareDifferences + 2];
    const shortest = Math.sqrt(e0);
    const isRound = collider[SphereData.isRound] > 0;
    for (let i = 0, o = 0; i < particleCount; i++, o += 4) {
        if (i % BLOCK === 0 && !mayTouchBlock(particles, i / BLOCK, collider)) {
            i += BLOCK - 1;
            o += 4 * (BLOCK - 1);
            continue;
        }
        const dx = x[o] - cx;
        const dy = x[o + 1] - cy;
        const dz = x[o + 2] - cz;
        if (!(dx * dx + dy * dy + dz * dz < reachSquared && w[i] > 0)) continue;
        let q0 = dx * collider[u] + dy * collider[u + 4] + dz * collider[u + 8];
        let q1 = dx * collider[u + 1] + dy * collider[u + 5] + dz * collider[u + 9];
        let q2 = dx * collider[u + 2] + dy * collider[u + 6] + dz * collider[u + 10];
        const k = Math.sqrt(q0 * q0 + q1 * q1 + q2 * q2);
        // The distance is at least this.
        if (!((k - 1) * shortest < thickness + near)) continue;
        let s = e0 * k;
        if (!isRound) {
            if (Math.abs(q0) < MIDDLE) q0 = q0 < 0 ? -MIDDLE : MIDDLE;
            s = Math.max(
                e0 * Math.abs(q0),
                e1 * Math.abs(q1) - d1,
                e2 * Math.abs(q2) - d2,
                e0 + Math.min(e0 * (k - 1), e2 * (k - 1)),
            );
            for (let step = 0; step < CLOSEST_POINT_STEPS; step++) {
                const i0 = 1 / s;
                const i1 = 1 / (d1 + s);
                const i2 = 1 / (d2 + s);
                const t0 = (e0 * q0 * i0) ** 2;
                const t1 = (e1 * q1 * i1) ** 2;
                const t2 = (e2 * q2 * i2) ** 2;
                const squared = t0 + t1 + t2;
                const excess = Math.sqrt(squared) - 1;
                s += (squared / (t0 * i0 + t1 * i1 + t2 * i2)) * excess;
                if (Math.abs(excess) < CLOSE) break;
            }
            q0 *= e0 / s;
            q1 *= e1 / (d1 + s);
            q2 *= e2 / (d2 + s);
        }
        const gx = q0 * collider[u] + q1 * collider[u + 1] + q2 * collider[u + 2];
        const gy = q0 * collider[u + 4] + q1 * collider[u + 5] + q2 * collider[u + 6];
        const gz = q0 * collider[u + 8] + q1 * collider[u + 9] + q2 * collider[u + 10];
        const gradient = Math.sqrt(gx * gx + gy * gy + gz * gz);
        const depth = thickness - (isRound ? shortest * (k - 1) : (s - e0) * gradient);
        if (!(depth > -near && gradient > 0)) continue;
        count = addContact(contacts, count, i, depth, gx / gradient, gy / gradient, gz / gradient);
    }
    endContacts(contacts, count);
}
