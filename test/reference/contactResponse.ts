import { Contact, ContactRecord, SupportRecord } from "../../src/kernels/contactLayout";
import { BLOCK, groupOf, laneOf, particleAt, particleOf, ROW, rowAt, rowOffset, Uniform } from "../../src/kernels/layout";
import type { ContactArrays } from "../../src/kernels/contactLayout";
import type { ParticleArrays } from "../../src/kernels/layout";

/** Depth stored for a contact of depth 0 [m], negated: a depth of 0 means no contact. */
const TOUCHING = 1e-30;
/** Restitution threshold, as a multiple of a substep's fall: slower contacts rest and do not bounce. */
const RESTING = 2;
/** Number of contact solves in a substep. */
export const ANSWERS = 2;
/** Of two opposing colliders, the one that has rested longer by this has priority [steps]: it leaves the whole overlap to the other... */
const FIRMER = 60;
/** ...and one of equal priority this share. */
const EQUAL = 0.5;
/** Steps at rest after which the priority no longer grows. */
const RESTED = 1e6;
/** Largest friction depth of a particle between opposing contacts, as a share of the thickness: the depth of contradictory contacts is no force. */
const PINCHED = 0.3;
/** Thinner cloth is held as if it were so thick [m]. */
const THINNEST = 1e-3;
/** Displacement of a particle before a contact is resolved [m], within a call. */
const displacement = new Float64Array(3);

/**
 * Adds the contact of a particle that is `depth` [m] inside along the unit normal (nx, ny, nz), or near; in the order of the particles.
 * @param count records so far, 0 for the first
 * @returns records now
 */
export function addContact(
    { records, recordFloats }: ContactArrays,
    count: number,
    particle: number,
    depth: number,
    nx: number,
    ny: number,
    nz: number,
): number {
    const row = rowOffset(particle - laneOf(particle));
    let record = (count - 1) * ContactRecord.count;
    if (count === 0 || records[record + ContactRecord.row] !== row) {
        record += ContactRecord.count;
        count++;
        records[record + ContactRecord.row] = row;
        const depths = record + ContactRecord.depths;
        recordFloats[depths] = recordFloats[depths + 1] = recordFloats[depths + 2] = recordFloats[depths + 3] = 0;
    }
    const slot = record + laneOf(particle);
    recordFloats[slot + ContactRecord.depths] = depth === 0 ? -TOUCHING : depth;
    recordFloats[slot + ContactRecord.normals] = nx;
    recordFloats[slot + ContactRecord.normals + 4] = ny;
    recordFloats[slot + ContactRecord.normals + 8] = nz;
    return count;
}

/** Stores the number of records. */
export function endContacts({ recordCount }: ContactArrays, count: number): void {
    recordCount[0] = count;
}

/**
 * Resolves the contacts of a collider of any shape. The change of a particle's displacement times its mass, over the
 * substep, is the reaction impulse on a dynamic body (see Contact.dynamicMass).
 *
 * Colliders keep their motion through a frame, so a collider that is not much heavier than the particles in contact would receive
 * more impulse than it has. The change of a particle's velocity is therefore scaled by M / (M + k m), m the mass of
 * all particles in contact: after the k solves of a fixed step they move with the collider as after one impact without bounce.
 */
export function resolveContacts(particles: ParticleArrays, collider: Float32Array, contacts: ContactArrays): void {
    const { records, recordFloats } = contacts;
    const areHeeded = contacts.supportMode[0] > 0;
    const isGivenBack = collider[Contact.dynamicMass] > 0;
    const share = isGivenBack ? shareTaken(particles, collider, contacts) : 1;
    const end = contacts.recordCount[0] * ContactRecord.count;
    for (let record = 0; record < end; record += ContactRecord.count) {
        const row = rowAt(records[record + ContactRecord.row]);
        for (let lane = 0; lane < 4; lane++) {
            const slot = record + lane;
            const o = row + 4 * lane;
            const depth = recordFloats[slot + ContactRecord.depths];
            if (depth === 0 || !(depth > 0 || areHeeded)) continue;
            const n = slot + ContactRecord.normals;
            const nx = recordFloats[n];
            const ny = recordFloats[n + 4];
            const nz = recordFloats[n + 8];
            if (isGivenBack) noteDisplacement(particles, o);
            if (areHeeded && depth > 0 && isSqueezed(particles, collider, o, depth, nx, ny, nz, contacts)) {
                noteSqueezer(contacts, collider, o);
                answerSqueezed(particles, collider, o, depth, nx, ny, nz, contacts);
            } else {
                if (areHeeded) becomeSupport(particles, collider, o, depth, nx, ny, nz, contacts);
                if (depth > 0)
                    answer(particles, collider, o, depth, nx, ny, nz, areHeeded && contacts.opposing[particleOf(o)] !== 0);
            }
            if (isGivenBack && depth > 0) giveBack(particles, collider, o, share);
            widen(particles, o);
        }
    }
}

/** Share of their velocity change by contacts that particles keep; stores the mass of those in contact. */
function shareTaken({ inverseMasses, uniforms }: ParticleArrays, collider: Float32Array, contacts: ContactArrays): number {
    const { records, recordFloats } = contacts;
    let sum = 0;
    for (let k = 0; k < contacts.recordCount[0]; k++) {
        const record = k * ContactRecord.count;
        const first = particleAt(records[record + ContactRecord.row]);
        for (let lane = 0; lane < 4; lane++) {
            const w = inverseMasses[first + lane];
            if (w > 0 && recordFloats[record + lane + ContactRecord.depths] > 0) sum += 1 / w;
        }
    }
    collider[Contact.contactMass] = sum;
    const mass = collider[Contact.dynamicMass];
    return mass / (mass + (ANSWERS / uniforms[Uniform.substepShare]) * sum);
}

function noteDisplacement({ positions: x, previous: p, residuals: r }: ParticleArrays, o: number): void {
    for (let c = 0; c < 3; c++) displacement[c] = x[o + c] - p[o + c] + r[o + c];
}

/** Adds a particle's change of momentum by a contact, since its displacement was stored, to the collider's reaction impulse. */
function giveBack(
    { positions: x, previous: p, residuals: r, inverseMasses }: ParticleArrays,
    collider: Float32Array,
    o: number,
    share: number,
): void {
    const w = inverseMasses[particleOf(o)];
    const mass = w > 0 ? 1 / w : 0;
    for (let c = 0; c < 3; c++) {
        const change = x[o + c] - p[o + c] + r[o + c] - displacement[c];
        // The position stays: only the velocity change is scaled.
        r[o + c] -= change * (1 - share);
        displacement[c] = mass * share * change;
        collider[Contact.impulse + c] += displacement[c];
    }
    for (let c = 0; c < 3; c++) {
        const d = (c + 1) % 3;
        const e = (c + 2) % 3;
        const armD = x[o + d] - collider[Contact.centre + d];
        const armE = x[o + e] - collider[Contact.centre + e];
        collider[Contact.angularImpulse + c] += armD * displacement[e] - armE * displacement[d];
    }
}

/** Widens its block's box by the position of the particle at slot o. */
export function widen({ positions: x, blockBounds }: ParticleArrays, o: number): void {
    const box = 8 * Math.floor(o / (4 * BLOCK));
    for (let c = 0; c < 3; c++) {
        blockBounds[box + c] = Math.min(blockBounds[box + c], x[o + c]);
        blockBounds[box + 4 + c] = Math.max(blockBounds[box + 4 + c], x[o + c]);
    }
}

/** Widens the blocks' boxes by the first `count` particles. */
export function widenAll({ positions: x, blockBounds }: ParticleArrays, count: number): void {
    for (let first = 0, box = 0; first < count; first += BLOCK, box += 8) {
        const end = ROW * Math.min(count, first + BLOCK);
        for (let c = 0; c < 3; c++) {
            let least = blockBounds[box + c];
            let largest = blockBounds[box + 4 + c];
            for (let o = ROW * first + c; o < end; o += ROW) {
                if (x[o] < least) least = x[o];
                if (x[o] > largest) largest = x[o];
            }
            blockBounds[box + c] = least;
            blockBounds[box + 4 + c] = largest;
        }
    }
}

/** True if a block's particles can come into contact with the collider's box; conservative. */
export function mayTouchBlock({ blockBounds }: ParticleArrays, block: number, collider: Float32Array): boolean {
    for (let c = 0; c < 3; c++) {
        if (blockBounds[block * 8 + c] > collider[Contact.maximum + c]) return false;
        if (blockBounds[block * 8 + 4 + c] < collider[Contact.minimum + c]) return false;
    }
    return true;
}

/** Slot of the support of the particle at slot o. */
export function supportSlot(o: number): number {
    return groupOf(particleOf(o)) * SupportRecord.count + laneOf(particleOf(o));
}

/** Stores the support of the particle at slot o, if it has none yet: the resolved position is on the plane. */
function becomeSupport(
    { positions: x }: ParticleArrays,
    collider: Float32Array,
    o: number,
    depth: number,
    nx: number,
    ny: number,
    nz: number,
    { supports }: ContactArrays,
): void {
    const s = supportSlot(o);
    if (isSupported(supports, s)) return;
    supports[s] = nx;
    supports[s + 4] = ny;
    supports[s + 8] = nz;
    supports[s + SupportRecord.offsets] = x[o] * nx + x[o + 1] * ny + x[o + 2] * nz + depth;
    supports[s + SupportRecord.priority] = collider[Contact.priority];
}

function isSupported(supports: Float32Array, s: number): boolean {
    return supports[s] !== 0 || supports[s + 4] !== 0 || supports[s + 8] !== 0;
}

/** Height of the particle at slot o above the support whose first number lies at slot s [m]; at least 0. */
function gapAbove({ positions: x }: ParticleArrays, o: number, supports: Float32Array, s: number): number {
    const height = x[o] * supports[s] + x[o + 1] * supports[s + 4] + x[o + 2] * supports[s + 8] - supports[s + 12];
    return height > 0 ? height : 0;
}

/**
 * True if a contact would push the particle at slot o into its support. A collider that pressed the particle against a support in the last pass
 * keeps doing so, whichever of its surfaces is nearest: the particle does not leave on its far side.
 */
function isSqueezed(
    particles: ParticleArrays,
    collider: Float32Array,
    o: number,
    depth: number,
    nx: number,
    ny: number,
    nz: number,
    { supports, opposing: squeezers }: ContactArrays,
): boolean {
    const s = supportSlot(o);
    if (squeezers[particleOf(o)] === collider[Contact.id]) return isSupported(supports, s);
    return depth * (nx * supports[s] + ny * supports[s + 4] + nz * supports[s + 8]) + gapAbove(particles, o, supports, s) < 0;
}

/** Records the collider that presses the particle at slot o against its support. */
function noteSqueezer(
    { supportMode: areHeeded, newOpposing: newSqueezers, hasOpposing: areSqueezed }: ContactArrays,
    collider: Float32Array,
    o: number,
): void {
    if (areHeeded[0] < 2) return;
    newSqueezers[particleOf(o)] = collider[Contact.id];
    areSqueezed[0] = 2;
}

/** Share of an overlap that a support leaves to the collider that presses a particle against it: one half at equal priority, else all. */
function shareLeft(support: number, collider: number): number {
    return Math.min(1, EQUAL + (support - Math.min(collider, RESTED)) / FIRMER);
}

/** Friction depth of a particle between opposing contacts. */
function pinchedDepth(collider: Float32Array, depth: number): number {
    return Math.min(depth, PINCHED * Math.max(THINNEST, collider[Contact.thickness]));
}

/** The depth that friction reckons with where it is not. */
function grippedDepth(collider: Float32Array, depth: number): number {
    return collider[Contact.maxFrictionDepth] > 0 ? Math.min(depth, collider[Contact.maxFrictionDepth]) : depth;
}

/**
 * Resolves one contact: the particle at slot o is `depth` [m] inside along the unit normal (nx, ny, nz).
 *
 * The position moves out by the depth. Friction (Coulomb, positional as in Macklin 2014, §6.1) reverts the tangential
 * part of the particle's motion against the surface, all of it while it is below μ · depth, else that much. The rest
 * of the normal motion away from the surface is taken from the residual: a contact pushes, it does not throw. With restitution, an incoming
 * particle leaves with that share of its speed, and an outgoing one keeps it. `previous` stays the position a substep ago: it determines the sides of rectangles.
 */
function answer(
    particles: ParticleArrays,
    collider: Float32Array,
    o: number,
    depth: number,
    nx: number,
    ny: number,
    nz: number,
    isPinched: boolean,
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
    const grip = collider[Contact.friction] * (isPinched ? pinchedDepth(collider, depth) : grippedDepth(collider, depth));
    const stick = slide > grip ? grip / slide : 1;
    x[o] = px - dx * stick;
    x[o + 1] = py - dy * stick;
    x[o + 2] = pz - dz * stick;
    const restitution = collider[Contact.restitution];
    const away = restitution > 0 ? normal - bounce(particles.uniforms, normal - depth, restitution) : normal > 0 ? normal : 0;
    r[o] -= nx * away;
    r[o + 1] -= ny * away;
    r[o + 2] -= nz * away;
}

/** Normal displacement away from the surface after a contact with the incoming displacement `speed`, along the normal [m per substep]. */
export function bounce(uniforms: Float32Array, speed: number, restitution: number): number {
    if (speed >= 0) return speed;
    const g = Uniform.gravity;
    const fall = Math.abs(uniforms[g]) + Math.abs(uniforms[g + 1]) + Math.abs(uniforms[g + 2]);
    return speed < -RESTING * fall ? -restitution * speed : 0;
}

/**
 * Resolves a contact of a particle that is pressed against its support (see SupportRecord): the depth along n would take it
 * into the support.
 *
 *     ╲  ball  ╱         It moves along n to the support, and into that by its share of the remaining overlap (none, if the support has priority):
 *      ╲_____╱ ↓ n       no way out of the ball along the support would leave the cloth intact. The ball yields, whatever
 *     ━━━●━━━━━━━ s      the depth. Along the support it pushes by its own motion only, and friction is that of a shallow contact:
 *                        the distance constraints take precedence.
 */
function answerSqueezed(
    particles: ParticleArrays,
    collider: Float32Array,
    o: number,
    depth: number,
    nx: number,
    ny: number,
    nz: number,
    { supports }: ContactArrays,
): void {
    const { positions: x, previous: p, residuals: r } = particles;
    const s = supportSlot(o);
    const sx = supports[s];
    const sy = supports[s + 4];
    const sz = supports[s + 8];
    const gap = gapAbove(particles, o, supports, s);
    const slope = nx * sx + ny * sy + nz * sz;
    const along = Math.min(0, slope);
    // If its surface normal points away from the support, it pushes straight against the support.
    const distance = along < 0 ? Math.min(depth, -gap / along) : 0;
    const fall = along < 0 ? 0 : gap;
    const px = x[o] + nx * distance - sx * fall;
    const py = x[o + 1] + ny * distance - sy * fall;
    const pz = x[o + 2] + nz * distance - sz * fall;
    const m = Contact.motion;
    const mx = px * collider[m] + py * collider[m + 4] + pz * collider[m + 8] + collider[m + 12];
    const my = px * collider[m + 1] + py * collider[m + 5] + pz * collider[m + 9] + collider[m + 13];
    const mz = px * collider[m + 2] + py * collider[m + 6] + pz * collider[m + 10] + collider[m + 14];
    let dx = px - p[o] + r[o] - mx;
    let dy = py - p[o + 1] + r[o + 1] - my;
    let dz = pz - p[o + 2] + r[o + 2] - mz;
    const normal = dx * nx + dy * ny + dz * nz;
    // Motion along the support, and the direction in it that leads out of the ball: motion against it by the ball alone is undone.
    const rise = dx * sx + dy * sy + dz * sz;
    dx -= rise * sx;
    dy -= rise * sy;
    dz -= rise * sz;
    let ox = nx - slope * sx;
    let oy = ny - slope * sy;
    let oz = nz - slope * sz;
    const length = Math.sqrt(ox * ox + oy * oy + oz * oz) + 1e-20;
    ox /= length;
    oy /= length;
    oz /= length;
    const out = dx * ox + dy * oy + dz * oz;
    const back = Math.min(Math.max(-out, 0), Math.max(mx * ox + my * oy + mz * oz, 0));
    dx += back * ox;
    dy += back * oy;
    dz += back * oz;
    const slide = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const grip = collider[Contact.friction] * pinchedDepth(collider, depth);
    const stick = slide > grip ? grip / slide : 1;
    // Equal priority: each takes its share of the remaining overlap, if it is an overlap and not the distance of approach.
    const left = shareLeft(supports[s + SupportRecord.priority], collider[Contact.priority]);
    const overlap = depth - distance + normal > 0 ? depth - distance : 0;
    const into = ((left - 1) * along * overlap) / (left + (1 - left) * along * along);
    x[o] = px - dx * stick + ox * back - sx * into;
    x[o + 1] = py - dy * stick + oy * back - sy * into;
    x[o + 2] = pz - dz * stick + oz * back - sz * into;
    const away = Math.min(distance, normal > 0 ? normal : 0);
    r[o] += sx * into - nx * away;
    r[o + 1] += sy * into - ny * away;
    r[o + 2] += sz * into - nz * away;
}
