/**
 * Particles that a step leaves inside a solid, since others were in the way: a support is its solid's tangent plane, which reaches
 * farther than the solid, and what one pushes out the next may be pushed into. They are tried on by themselves, out of each solid in
 * turn, first as they have come, then by the nearest way:
 *
 *      ___  ● 3      the second solid    What comes out of all of them stays there, without any speed of that way. What does not, where
 *     ╱ 1 ╲╱‾‾‾‾     pushes it out of    there is no room between the solids, goes back to where it was squeezed.
 *     ╲_●_╱● 2       its own side
 */
import { Contact, ContactRecord } from "../../../kernels/contactLayout";
import type { ContactArrays } from "../../../kernels/contactLayout";
import { ROW, rowAt } from "../../../kernels/layout";
import type { ParticleArrays } from "../../../kernels/layout";
import type { Kernels } from "../../../kernels/kernelTable";
import type { Collider } from "../shapes/collider";

/** What is no deeper below a surface is not caught [m]. */
const MIN_DEPTH = 5e-4;
/** What is no farther from a solid than the thickness and this touches it [m]. */
const TOUCH_TOLERANCE = 1e-3;
/** Units in which those that a particle touches are counted: fast solids, slow ones (which are one of the first, too), and fast ones that are bent. */
const SLOW_UNIT = 1 << 10;
const CONCAVE_UNIT = 1 << 20;
/** All are tried on in so many turns, each from where they were ... */
const JOINT_ITERATIONS = 2;
/** ... and what touches one solid alone in so many, each from where the last one left it: between two that meet at an angle a turn leaves a share of the way. */
const SINGLE_ITERATIONS = 9;

export class PenetrationRecovery {
    /** Slots of the particles that are caught, the first {@link _count}, and where they were, x y z of each [m]. */
    private readonly _slots: Uint32Array;
    private readonly _startPositions: Float32Array;
    /** Which of them each particle is, from 1; 0: none. */
    private readonly _numbers: Uint32Array;
    /** How many solids each particle touches, in the units above. */
    private readonly _contactCounts: Uint32Array;
    /** 1 of those that are still inside. */
    private readonly _isInside: Uint8Array;
    private _count = 0;

    constructor(
        private readonly _particles: ParticleArrays,
        private readonly _contacts: ContactArrays,
    ) {
        const { paddedCount } = _particles;
        this._slots = new Uint32Array(paddedCount);
        this._startPositions = new Float32Array(3 * paddedCount);
        this._numbers = new Uint32Array(paddedCount);
        this._contactCounts = new Uint32Array(paddedCount);
        this._isInside = new Uint8Array(paddedCount);
    }

    /** Frees what can be freed of what is inside the first `count` of these colliders that are near. */
    recover(kernels: Kernels, colliders: readonly Collider[], count: number): void {
        this._contactCounts.fill(0);
        this._detect(kernels, colliders, count, false);
        this._skipSqueezed(true);
        for (let turn = 0; turn < SINGLE_ITERATIONS && this._count > 0; turn++) {
            if (turn === JOINT_ITERATIONS) this._skipSqueezed(false);
            for (let i = 0; i < count; i++) if (colliders[i].isNear) this._push(kernels, colliders[i], turn > 0);
            kernels.measureBounds(this._particles);
            this._detect(kernels, colliders, count, true);
            this._accept(turn < JOINT_ITERATIONS || turn === SINGLE_ITERATIONS - 1);
        }
        for (let i = 0; i < this._count; i++) this._numbers[this._slots[i] / ROW] = 0;
        this._count = 0;
    }

    /** Notes which particles are inside. @param isAgain whether those that have been noted are meant, and others not */
    private _detect(kernels: Kernels, colliders: readonly Collider[], count: number, isAgain: boolean): void {
        const { _contacts: contacts, _numbers: numbers, _isInside: isInside, _contactCounts: touched } = this;
        isInside.fill(0, 0, this._count);
        for (let i = 0; i < count; i++) {
            const collider = colliders[i];
            if (!collider.isNear) continue;
            detectInside(kernels, this._particles, contacts, collider, true, TOUCH_TOLERANCE);
            const touch = collider.fastMotion > 0 ? (collider.isConcave ? CONCAVE_UNIT : 1) : 1 + SLOW_UNIT;
            const deep = MIN_DEPTH + Math.max(0, collider.data[Contact.thickness]);
            for (let k = 0; k < contacts.recordCount[0]; k++) {
                const record = k * ContactRecord.count;
                const row = rowAt(contacts.records[record + ContactRecord.row]);
                for (let lane = 0; lane < 4; lane++) {
                    const depth = contacts.recordFloats[record + lane + ContactRecord.depths];
                    const o = row + ROW * lane;
                    if (!isAgain && depth !== 0) touched[o / ROW] += touch;
                    if (!(depth > deep)) continue;
                    if (isAgain) {
                        if (numbers[o / ROW] > 0) isInside[numbers[o / ROW] - 1] = 1;
                    } else if (numbers[o / ROW] === 0) this._record(o);
                }
            }
        }
    }

    /** What touches two is squeezed between them, and stays where it is. @param isSlow whether one of them is to be slow; else planes of what is bent, which hold far from it, do not count */
    private _skipSqueezed(isSlow: boolean): void {
        const { _isInside: isInside, _slots: slots, _contactCounts: touched } = this;
        for (let i = 0; i < this._count; i++) {
            const touches = touched[slots[i] / ROW];
            const straight = touches % SLOW_UNIT;
            const isSqueezed = isSlow
                ? touches % CONCAVE_UNIT >= SLOW_UNIT && straight + touches / CONCAVE_UNIT >= 2
                : straight > 1;
            isInside[i] = isSqueezed ? 0 : 1;
        }
        this._accept(true);
    }

    private _record(o: number): void {
        const { positions } = this._particles;
        const index = this._count++;
        this._slots[index] = o;
        this._numbers[o / ROW] = this._count;
        for (let c = 0; c < 3; c++) this._startPositions[3 * index + c] = positions[o + c];
    }

    /** Pushes what is caught out of a collider. @param isNearest whether by the nearest way, wherever it came from */
    private _push(kernels: Kernels, collider: Collider, isNearest: boolean): void {
        const { _contacts: contacts, _numbers: numbers, _particles: particles } = this;
        detectInside(kernels, particles, contacts, collider, isNearest);
        for (let k = 0; k < contacts.recordCount[0]; k++) {
            const record = k * ContactRecord.count;
            const row = rowAt(contacts.records[record + ContactRecord.row]);
            for (let lane = 0; lane < 4; lane++) {
                const o = row + ROW * lane;
                const slot = record + lane;
                const depth = contacts.recordFloats[slot + ContactRecord.depths];
                if (!(depth > 0) || numbers[o / ROW] === 0) continue;
                const normal = slot + ContactRecord.normals;
                for (let c = 0; c < 3; c++) particles.positions[o + c] += depth * contacts.recordFloats[normal + 4 * c];
            }
        }
    }

    /** Leaves what is free where it is, and keeps the others. @param isBack whether these go back to where they were */
    private _accept(isBack: boolean): void {
        const { _slots: slots, _startPositions: starts, _numbers: numbers, _isInside: isInside } = this;
        const { positions: x, residuals: r } = this._particles;
        let left = 0;
        for (let i = 0; i < this._count; i++) {
            const o = slots[i];
            const q = 3 * i;
            numbers[o / ROW] = isInside[i] > 0 ? left + 1 : 0;
            for (let c = 0; c < 3; c++) {
                const start = starts[q + c];
                if (isInside[i] > 0) {
                    starts[3 * left + c] = start;
                    if (isBack) x[o + c] = start;
                    // A way out is no speed.
                } else r[o + c] -= x[o + c] - start;
            }
            if (isInside[i] > 0) slots[left++] = o;
        }
        this._count = left;
    }
}

function detectInside(
    kernels: Kernels,
    particles: ParticleArrays,
    contacts: ContactArrays,
    collider: Collider,
    isNearest: boolean,
    near = 0,
): void {
    collider.data[Contact.supportDistance] = near;
    if (isNearest) collider.detectStatic(kernels, particles, contacts);
    else collider.detect(kernels, particles, contacts);
}
