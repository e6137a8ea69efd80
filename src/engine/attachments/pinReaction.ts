/**
 * Reaction on the node of pins whose particles keep their masses: rails, planes, springs.
 *
 *     ━━━━○━━━━     (m + s) v = Σ kᵢ (aᵢ aᵢᵀ or I - aᵢ aᵢᵀ) wᵢ      The node and the particles that it moves along are one body while it yields:
 *         ┆ w                                                  of a particle's displacement (w), each moves its part, and the impulse is conserved.
 *         ● x
 */
import { CORRECTION_ACROSS, CORRECTION_ALONG, CORRECTION_AXIS } from "./pinCorrection";
import { dot, writeCross } from "../math/vector";

/** Layout of a record: particle, arm from the node's centre x y z [m], mass [kg], row. */
const ARM = 8;
const MASS = 11;
const ROW = 12;
const RECORD = 13;

/** Within a call: a motion, x y z and turn; an arm; and an axis, then the arm times that. */
const motion = new Float64Array(6);
const turning = motion.subarray(3);
const arm = new Float64Array(3);
const lever = new Float64Array(6);
/** Linear system: six rows of six numbers and the right-hand side. */
const rows = new Float64Array(42);

/** Body that takes the reaction: see DynamicCarrier. */
interface ReactionBody {
    readArm(place: Float64Array, target: Float64Array): void;
    solve(rows: Float64Array, way: Float64Array): void;
    displace(way: Float64Array): void;
}

export class PinReaction {
    /** Of each particle; shape [count, RECORD]. */
    private _records = new Float64Array(0);
    private _hasRecords = false;

    /** Begins anew: nothing of so many particles is held. */
    reset(count: number): void {
        if (this._records.length < RECORD * count) this._records = new Float64Array(RECORD * count);
        this._records.fill(0);
        this._hasRecords = false;
    }

    /**
     * Notes how the `i`-th particle is held.
     * @param grasp see pinCorrection.ts
     * @param o its row
     * @param x positions of all
     */
    record(i: number, grasp: Float64Array, o: number, inverseMass: number, x: Float32Array, drift: ReactionBody): void {
        const { _records: records } = this;
        const r = RECORD * i;
        for (let k = 0; k < ARM; k++) records[r + k] = grasp[k];
        for (let c = 0; c < 3; c++) motion[c] = x[o + c] - grasp[c];
        drift.readArm(motion, arm);
        for (let c = 0; c < 3; c++) records[r + ARM + c] = arm[c];
        records[r + MASS] = 1 / inverseMass;
        records[r + ROW] = o;
        this._hasRecords = true;
    }

    /** Moves the particles and the node. */
    solve(x: Float32Array, drift: ReactionBody): void {
        if (!this._hasRecords) return;
        const { _records: records } = this;
        rows.fill(0);
        for (let r = 0; r < records.length; r += RECORD) if (records[r + MASS] > 0) this._addPoint(r);
        drift.solve(rows, motion);
        drift.displace(motion);
        for (let r = 0; r < records.length; r += RECORD) if (records[r + MASS] > 0) this._movePoint(r, x);
    }

    /** Leaves of a pull at the `i`-th particle what it is held fast against, x y z. */
    keepHeldPart(i: number, pull: Float64Array): void {
        const { _records: m } = this;
        const r = RECORD * i;
        this._project(r, pull, Math.floor(m[r + CORRECTION_ACROSS]), Math.floor(m[r + CORRECTION_ALONG]));
    }

    /** Makes a vector what of it is held, where so much is across the axis and along it. */
    private _project(r: number, v: Float64Array, across: number, whole: number): void {
        const { _records: m } = this;
        const a = r + CORRECTION_AXIS;
        const along = (whole - across) * (m[a] * v[0] + m[a + 1] * v[1] + m[a + 2] * v[2]);
        for (let c = 0; c < 3; c++) v[c] = across * v[c] + along * m[a + c];
    }

    private _readArm(r: number): void {
        for (let c = 0; c < 3; c++) arm[c] = this._records[r + ARM + c];
    }

    /** Adds a particle to what moves as one. */
    private _addPoint(r: number): void {
        const { _records: m } = this;
        const mass = m[r + MASS];
        const across = mass * m[r + CORRECTION_ACROSS];
        const along = mass * m[r + CORRECTION_ALONG] - across;
        this._readArm(r);
        for (let c = 0; c < 3; c++) lever[c] = m[r + CORRECTION_AXIS + c];
        writeCross(arm, lever, lever, 3);
        for (let k = 0; k < 6; k++) for (let l = 0; l < 6; l++) rows[7 * k + l] += along * lever[k] * lever[l];
        const squared = dot(arm, arm);
        for (let c = 0; c < 3; c++) {
            const d = (c + 1) % 3;
            const e = (c + 2) % 3;
            rows[7 * c + c] += across;
            // Of v + turn × arm: what turning moves, and what a push turns.
            rows[7 * c + 3 + d] += across * arm[e];
            rows[7 * c + 3 + e] -= across * arm[d];
            rows[7 * (3 + d) + c] += across * arm[e];
            rows[7 * (3 + e) + c] -= across * arm[d];
            rows[7 * (3 + c) + 3 + c] += across * squared;
            for (let l = 0; l < 3; l++) rows[7 * (3 + c) + 3 + l] -= across * arm[c] * arm[l];
            rows[7 * c + 6] += mass * m[r + c];
            rows[7 * (3 + c) + 6] += mass * (arm[d] * m[r + e] - arm[e] * m[r + d]);
        }
    }

    /** Moves a particle back, and with the node as far as the pin holds it. */
    private _movePoint(r: number, x: Float32Array): void {
        const { _records: m } = this;
        const o = m[r + ROW];
        this._readArm(r);
        writeCross(turning, arm, lever);
        for (let c = 0; c < 3; c++) lever[c] += motion[c];
        this._project(r, lever, m[r + CORRECTION_ACROSS], m[r + CORRECTION_ALONG]);
        for (let c = 0; c < 3; c++) x[o + c] += lever[c] - m[r + c];
    }
}
