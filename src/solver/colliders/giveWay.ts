/**
 * Squeezed cloth gives way: what holds a part of it between two solids may ask for lengths that it has not, so stretch wins over depth.
 *
 *     ●╲  door         Where anything is squeezed, and a stick is longer than it may be once all contacts are answered, its ends come together:
 *     ══╲══════┐       what is squeezed slips along its support, anything else goes where it is pulled, into the solid that squeezes, but into
 *        ╲→    │       no support. Without speed: the next contact has it out again.
 *     ━━━━←●━━━━━ wall
 */
import { SupportRecord } from "../../kernels/contactLayout";
import { particleOf, rowAt, StickRecord } from "../../kernels/layout";
import type { ParticleArrays, StickArrays } from "../../kernels/layout";
import { supportSlot } from "./contactMath";
import type { Body } from "../body";
import { STICK_PARTS } from "./contacts";
import type { Contacts } from "./contacts";

/** The strain from which on sticks are drawn together. */
const MOST = 0.25;
/** Most passes over them: a pass over all that finds none above it is the last. */
const PASSES = 20;
/** Every so many passes, beginning with the first, one is made over all sticks, in the last substep of a step; the others look where some were above it. */
const WHOLE = 4;

/** Contacts of the body whose turn it is, and whether all sticks are looked at, within a call. */
let answered: Contacts;
let isLastOfStep = false;
/** What takes the kernel's place: it looks at places alone, and knows no supports. */
const gently = {
    limitStretch(particles: ParticleArrays, sticks: StickArrays): void {
        for (let pass = 0; pass < PASSES; pass++) {
            const isWhole = isLastOfStep && pass % WHOLE === 0;
            if (drawTogether(particles, sticks, isWhole)) continue;
            if (isWhole || !isLastOfStep) return;
            pass += WHOLE - 1 - (pass % WHOLE);
        }
    },
};

/** After the last answers of a substep. What is fast is followed instead, see collisions.ts. @param isLast of a step */
export function giveWay({ state, lengths }: Body, contacts: Contacts, isLast: boolean): void {
    if (!contacts.hasSqueezed || contacts.closing > 0) return;
    answered = contacts;
    isLastOfStep = isLast;
    for (let i = 0; i < lengths.length; i++) lengths[i].limitStretch?.(gently, state);
}

/** One pass over all sticks, or those of parts in which some were above {@link MOST}; whether any was. */
function drawTogether(particles: ParticleArrays, sticks: StickArrays, isWhole: boolean): boolean {
    const { strained } = answered;
    const end = sticks.records.length;
    const size = Math.ceil(end / StickRecord.count / STICK_PARTS) * StickRecord.count;
    let isAny = false;
    for (let part = 0, record = 0; record < end; part++, record += size) {
        if (!isWhole && strained[part] === 0) continue;
        const isStrained = drawPart(particles, sticks, record, Math.min(end, record + size));
        strained[part] = isStrained ? 1 : 0;
        isAny ||= isStrained;
    }
    return isAny;
}

/** The same of the records from one slot to another. */
function drawPart(particles: ParticleArrays, { records, recordFloats }: StickArrays, first: number, end: number): boolean {
    const { positions: x } = particles;
    let isAny = false;
    for (let record = first; record < end; record += StickRecord.count) {
        for (let lane = 0; lane < 4; lane++) {
            const slot = record + lane;
            const a = rowAt(records[record + StickRecord.rows + 2 * lane]);
            const b = rowAt(records[record + StickRecord.rows + 2 * lane + 1]);
            const dx = x[b] - x[a];
            const dy = x[b + 1] - x[a + 1];
            const dz = x[b + 2] - x[a + 2];
            const most = (1 + MOST) * recordFloats[slot + StickRecord.restLengths];
            const squared = dx * dx + dy * dy + dz * dz;
            if (!(squared > most * most)) continue;
            const wa = recordFloats[slot + StickRecord.weightsA];
            const wb = recordFloats[slot + StickRecord.weightsB];
            if (!(wa + wb > 0)) continue;
            isAny = true;
            const excess = (1 - most / Math.sqrt(squared)) / (wa + wb);
            slip(particles, answered, a, dx * excess * wa, dy * excess * wa, dz * excess * wa);
            slip(particles, answered, b, -dx * excess * wb, -dy * excess * wb, -dz * excess * wb);
        }
    }
    return isAny;
}

/** Moves the particle at slot o without speed, as far as its support lets it. */
function slip(
    { positions: x, residuals: r }: ParticleArrays,
    { supports, newSqueezers }: Contacts,
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
