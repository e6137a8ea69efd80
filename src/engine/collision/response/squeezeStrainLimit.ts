/**
 * Squeezed cloth gives way: what holds a part of it between two solids may ask for lengths that it has not, so stretch wins over depth.
 *
 *     ●╲  door         Where anything is squeezed, and a stick is longer than it may be once all contacts are answered, its ends come together:
 *     ══╲══════┐       what is squeezed slips along its support, anything else goes where it is pulled, into the solid that squeezes, but into
 *        ╲→    │       no support. Without speed: the next contact has it out again.
 *     ━━━━←●━━━━━ wall
 */
import { SupportRecord } from "../../../kernels/contactLayout";
import { particleOf, rowAt, DistanceRecord } from "../../../kernels/layout";
import type { ParticleArrays, DistanceArrays } from "../../../kernels/layout";
import { supportSlot } from "./contactMath";
import type { Body } from "../../bodies/body";
import { STRAIN_REGIONS } from "./contactResolver";
import type { Contacts } from "./contactResolver";

/** The strain from which on sticks are drawn together. */
const MAX_STRAIN = 0.25;
/** Most passes over them: a pass over all that finds none above it is the last. */
const MAX_PASSES = 20;
/** Every so many passes, beginning with the first, one is made over all sticks, in the last substep of a step; the others look where some were above it. */
const FULL_PASS_PERIOD = 4;

/** Contacts of the body whose turn it is, and whether all sticks are looked at, within a call. */
let squeezedContacts: Contacts;
let isLastSubstep = false;
/** What takes the kernel's place: it looks at places alone, and knows no supports. */
const displacementLimiter = {
    limitStrain(particles: ParticleArrays, sticks: DistanceArrays): void {
        for (let pass = 0; pass < MAX_PASSES; pass++) {
            const isWhole = isLastSubstep && pass % FULL_PASS_PERIOD === 0;
            if (limitStrainPass(particles, sticks, isWhole)) continue;
            if (isWhole || !isLastSubstep) return;
            pass += FULL_PASS_PERIOD - 1 - (pass % FULL_PASS_PERIOD);
        }
    },
};

/** After the last answers of a substep. What is fast is followed instead, see collisions.ts. @param isLast of a step */
export function limitSqueezedStrain({ state, lengthConstraints: lengths }: Body, contacts: Contacts, isLast: boolean): void {
    if (!contacts.hasSqueezed || contacts.closingDistance > 0) return;
    squeezedContacts = contacts;
    isLastSubstep = isLast;
    for (let i = 0; i < lengths.length; i++) lengths[i].limitStrain?.(displacementLimiter, state);
}

/** One pass over all sticks, or those of parts in which some were above {@link MAX_STRAIN}; whether any was. */
function limitStrainPass(particles: ParticleArrays, sticks: DistanceArrays, isWhole: boolean): boolean {
    const { strainedRegions: strained } = squeezedContacts;
    const end = sticks.records.length;
    const size = Math.ceil(end / DistanceRecord.count / STRAIN_REGIONS) * DistanceRecord.count;
    let isAny = false;
    for (let part = 0, record = 0; record < end; part++, record += size) {
        if (!isWhole && strained[part] === 0) continue;
        const isStrained = limitStrainRange(particles, sticks, record, Math.min(end, record + size));
        strained[part] = isStrained ? 1 : 0;
        isAny ||= isStrained;
    }
    return isAny;
}

/** The same of the records from one slot to another. */
function limitStrainRange(
    particles: ParticleArrays,
    { records, recordFloats }: DistanceArrays,
    first: number,
    end: number,
): boolean {
    const { positions: x } = particles;
    let isAny = false;
    for (let record = first; record < end; record += DistanceRecord.count) {
        for (let lane = 0; lane < 4; lane++) {
            const slot = record + lane;
            const a = rowAt(records[record + DistanceRecord.rows + 2 * lane]);
            const b = rowAt(records[record + DistanceRecord.rows + 2 * lane + 1]);
            const dx = x[b] - x[a];
            const dy = x[b + 1] - x[a + 1];
            const dz = x[b + 2] - x[a + 2];
            const most = (1 + MAX_STRAIN) * recordFloats[slot + DistanceRecord.restLengths];
            const squared = dx * dx + dy * dy + dz * dz;
            if (!(squared > most * most)) continue;
            const wa = recordFloats[slot + DistanceRecord.weightsA];
            const wb = recordFloats[slot + DistanceRecord.weightsB];
            if (!(wa + wb > 0)) continue;
            isAny = true;
            const excess = (1 - most / Math.sqrt(squared)) / (wa + wb);
            moveWithoutSpeed(particles, squeezedContacts, a, dx * excess * wa, dy * excess * wa, dz * excess * wa);
            moveWithoutSpeed(particles, squeezedContacts, b, -dx * excess * wb, -dy * excess * wb, -dz * excess * wb);
        }
    }
    return isAny;
}

/** Moves the particle at slot o without speed, as far as its support lets it. */
function moveWithoutSpeed(
    { positions: x, residuals: r }: ParticleArrays,
    { supports, newOpposing: newSqueezers }: Contacts,
    o: number,
    dx: number,
    dy: number,
    dz: number,
): void {
    const s = supportSlot(o);
    const sx = supports[s];
    const sy = supports[s + 4];
    const sz = supports[s + 8];
    const along = dx * sx + dy * sy + dz * sz;
    const height = x[o] * sx + x[o + 1] * sy + x[o + 2] * sz - supports[s + SupportRecord.offsets];
    const back = newSqueezers[particleOf(o)] > 0 ? along : Math.min(0, along + Math.max(0, height));
    dx -= back * sx;
    dy -= back * sy;
    dz -= back * sz;
    x[o] += dx;
    x[o + 1] += dy;
    x[o + 2] += dz;
    r[o] -= dx;
    r[o + 1] -= dy;
    r[o + 2] -= dz;
}
