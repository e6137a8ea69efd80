import { Contact, SphereData, PlaneData } from "../arrays";
import type { ParticleArrays } from "../arrays";

/**
 * Resolves one contact: particle `i` is `depth` [m] inside along the unit normal (nx, ny, nz).
 *
 * The position moves out by the depth. Friction (Coulomb, positional as in Macklin 2014, §6.1) takes back the tangential
 * part of the particle's motion against the surface, all of it while it is below μ · depth, else that much. What is left
 * of the normal motion away from the surface is removed: a contact pushes, it does not throw.
 */
function resolveContact(
    particles: ParticleArrays, collider: Float32Array, o: number, depth: number, nx: number, ny: number, nz: number,
): void {
    const { positions: x, previous: p } = particles;
    const px = x[o] + nx * depth;
    const py = x[o + 1] + ny * depth;
    const pz = x[o + 2] + nz * depth;
    const m = Contact.motion;
    // Motion of the particle against the collider's material at the contact, over this substep.
    let dx = px - p[o] - (px * collider[m] + py * collider[m + 4] + pz * collider[m + 8] + collider[m + 12]);
    let dy = py - p[o + 1] - (px * collider[m + 1] + py * collider[m + 5] + pz * collider[m + 9] + collider[m + 13]);
    let dz = pz - p[o + 2] - (px * collider[m + 2] + py * collider[m + 6] + pz * collider[m + 10] + collider[m + 14]);
    const normal = dx * nx + dy * ny + dz * nz;
    dx -= normal * nx;
    dy -= normal * ny;
    dz -= normal * nz;
    const slide = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const grip = collider[Contact.friction] * depth;
    const stick = slide > grip ? grip / slide : 1;
    x[o] = px - dx * stick;
    x[o + 1] = py - dy * stick;
    x[o + 2] = pz - dz * stick;
    const away = normal > 0 ? normal : 0;
    p[o] += nx * away;
    p[o + 1] += ny * away;
    p[o + 2] += nz * away;
}

/**
 * Sphere, or ellipsoid: the image of the unit sphere under an affine map. In the unit frame q = (x - centre) A, with
 * k0 = |q| and the world gradient g = A qᵀ; the distance to the surface is k0 (k0 - 1) / |g|, exact for spheres and
 * to first order for ellipsoids (Quilez, "ellipsoid distance").
 */
export function collideSphere(particles: ParticleArrays, collider: Float32Array): void {
    const { positions: x, inverseMasses: w, particleCount } = particles;
    const cx = collider[SphereData.centre];
    const cy = collider[SphereData.centre + 1];
    const cz = collider[SphereData.centre + 2];
    const thickness = collider[Contact.thickness];
    const reach = collider[SphereData.reach];
    const reachSquared = reach * reach;
    const u = SphereData.toUnit;
    for (let i = 0, o = 0; i < particleCount; i++, o += 4) {
        const dx = x[o] - cx;
        const dy = x[o + 1] - cy;
        const dz = x[o + 2] - cz;
        if (dx * dx + dy * dy + dz * dz < reachSquared && w[i] > 0) {
            const qx = dx * collider[u] + dy * collider[u + 4] + dz * collider[u + 8];
            const qy = dx * collider[u + 1] + dy * collider[u + 5] + dz * collider[u + 9];
            const qz = dx * collider[u + 2] + dy * collider[u + 6] + dz * collider[u + 10];
            let gx = qx * collider[u] + qy * collider[u + 1] + qz * collider[u + 2];
            let gy = qx * collider[u + 4] + qy * collider[u + 5] + qz * collider[u + 6];
            let gz = qx * collider[u + 8] + qy * collider[u + 9] + qz * collider[u + 10];
            const gradient = Math.sqrt(gx * gx + gy * gy + gz * gz);
            if (gradient > 0) {
                const k0 = Math.sqrt(qx * qx + qy * qy + qz * qz);
                const depth = thickness - (k0 * (k0 - 1)) / gradient;
                if (depth > 0) {
                    gx /= gradient;
                    gy /= gradient;
                    gz /= gradient;
                    resolveContact(particles, collider, o, depth, gx, gy, gz);
                }
            }
        }
    }
}

/**
 * Plane: a half-space, or a rectangle that is solid on both faces. A rectangle's particle belongs to the face on which it
 * was a substep ago: to the back if it was `recovery` or more behind the plane.
 */
export function collidePlane(particles: ParticleArrays, collider: Float32Array): void {
    const { positions: x, previous: p, inverseMasses: w, particleCount } = particles;
    const nx = collider[PlaneData.normal];
    const ny = collider[PlaneData.normal + 1];
    const nz = collider[PlaneData.normal + 2];
    const offset = collider[PlaneData.offset];
    const rise = collider[PlaneData.rise];
    const recovery = collider[PlaneData.recovery];
    const thickness = collider[Contact.thickness];
    const u = PlaneData.toUnit;
    for (let i = 0, o = 0; i < particleCount; i++, o += 4) {
        const height = x[o] * nx + x[o + 1] * ny + x[o + 2] * nz - offset;
        // Height a substep ago above the plane as it stood then.
        const before = p[o] * nx + p[o + 1] * ny + p[o + 2] * nz - offset + rise;
        const side = before < -recovery ? -1 : 1;
        const depth = thickness - side * height;
        if (depth > 0 && w[i] > 0) {
            const s = x[o] * collider[u] + x[o + 1] * collider[u + 4] + x[o + 2] * collider[u + 8] + collider[u + 12];
            const t = x[o] * collider[u + 1] + x[o + 1] * collider[u + 5] + x[o + 2] * collider[u + 9] + collider[u + 13];
            if (s >= -1 && s <= 1 && t >= -1 && t <= 1) {
                resolveContact(particles, collider, o, depth, nx * side, ny * side, nz * side);
            }
        }
    }
}
