import { Contact } from "../layout";
import type { ParticleArrays } from "../layout";

/**
 * Answers one contact: particle `i` (at offset o = 4 i) is `depth` [m] inside along the unit normal (nx, ny, nz).
 *
 * The position moves out by the depth. Friction (Coulomb, positional as in Macklin 2014, §6.1) takes back the tangential
 * part of the particle's motion against the surface, all of it while it is below μ · depth, else that much. What is left
 * of the normal motion away from the surface is taken from the residual: a contact pushes, it does not throw. `previous`
 * stays where the particle was a substep ago: the sides of rectangles are told by it.
 */
export function resolveContact(
    particles: ParticleArrays,
    collider: Float32Array,
    o: number,
    depth: number,
    nx: number,
    ny: number,
    nz: number,
): void {
    const { positions: x, previous: p, residuals: r } = particles;
    const px = x[o] + nx * depth;
    const py = x[o + 1] + ny * depth;
    const pz = x[o + 2] + nz * depth;
    const m = Contact.motion;
    // Motion of the particle against the collider's material at the contact, over this substep.
    let dx = px - p[o] + r[o] - (px * collider[m] + py * collider[m + 4] + pz * collider[m + 8] + collider[m + 12]);
    let dy = py - p[o + 1] + r[o + 1] - (px * collider[m + 1] + py * collider[m + 5] + pz * collider[m + 9] + collider[m + 13]);
    let dz = pz - p[o + 2] + r[o + 2] - (px * collider[m + 2] + py * collider[m + 6] + pz * collider[m + 10] + collider[m + 14]);
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
    r[o] -= nx * away;
    r[o + 1] -= ny * away;
    r[o + 2] -= nz * away;
}

/**
 * Answers a contact of a particle that is squeezed against its support (see ParticleArrays.supports): `depth` along n would
 * take it into the support.
 *
 *     ╲  ball  ╱         It moves along n to the support and no further: out of the ball along the support there is
 *      ╲_____╱ ↓ n       no way that would not tear the cloth. The ball gives way, whatever the depth. What remains
 *     ━━━●━━━━━━━ s      of the contact is what the particle did in this substep: coming nearer to the ball along
 *                        the support is undone, and friction holds the rest with the whole depth's grip.
 */
export function resolveSqueezed(
    particles: ParticleArrays,
    collider: Float32Array,
    o: number,
    depth: number,
    nx: number,
    ny: number,
    nz: number,
): void {
    const { positions: x, previous: p, residuals: r, supports } = particles;
    const sx = supports[o];
    const sy = supports[o + 1];
    const sz = supports[o + 2];
    const gap = Math.max(0, x[o] * sx + x[o + 1] * sy + x[o + 2] * sz - supports[o + 3]);
    const along = nx * sx + ny * sy + nz * sz;
    const way = -gap / along;
    const px = x[o] + nx * way;
    const py = x[o + 1] + ny * way;
    const pz = x[o + 2] + nz * way;
    const m = Contact.motion;
    let dx = px - p[o] + r[o] - (px * collider[m] + py * collider[m + 4] + pz * collider[m + 8] + collider[m + 12]);
    let dy = py - p[o + 1] + r[o + 1] - (px * collider[m + 1] + py * collider[m + 5] + pz * collider[m + 9] + collider[m + 13]);
    let dz = pz - p[o + 2] + r[o + 2] - (px * collider[m + 2] + py * collider[m + 6] + pz * collider[m + 10] + collider[m + 14]);
    const normal = dx * nx + dy * ny + dz * nz;
    // Motion along the support, and the direction in it that leads out of the ball.
    const into = dx * sx + dy * sy + dz * sz;
    dx -= into * sx;
    dy -= into * sy;
    dz -= into * sz;
    let ox = nx - along * sx;
    let oy = ny - along * sy;
    let oz = nz - along * sz;
    const length = Math.sqrt(ox * ox + oy * oy + oz * oz) + 1e-20;
    ox /= length;
    oy /= length;
    oz /= length;
    const out = dx * ox + dy * oy + dz * oz;
    const back = out < 0 ? out : 0;
    dx -= out * ox;
    dy -= out * oy;
    dz -= out * oz;
    const slide = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const grip = collider[Contact.friction] * depth;
    const stick = slide > grip ? grip / slide : 1;
    x[o] = px - dx * stick - ox * back;
    x[o + 1] = py - dy * stick - oy * back;
    x[o + 2] = pz - dz * stick - oz * back;
    const away = Math.min(way, normal > 0 ? normal : 0);
    r[o] -= nx * away;
    r[o + 1] -= ny * away;
    r[o + 2] -= nz * away;
}
