import { ANGULAR_CORRECTION, LIMIT_ITERATIONS, LIMIT_LOOKAHEAD, LIMIT_MARGIN } from "../tunables";
import { JointRow, JointSlots, JointTurn, SolverVelocity, RigidBodyPose } from "../../kernels/rigidBodyLayout";
import { addRowMoment, applyGeometricDamping, couplingOf, applyRow, rowError, prepareRow } from "./jointRows";
import { velocityRow } from "./solverRows";
import type { RigidSolverArrays, JointConstraints } from "./solverRows";
import { factorLDL } from "../solvers/projective/envelopeFactor";
import type { Envelope } from "../solvers/projective/envelopeFactor";
import type { SolverBody } from "./solverBody";
import type { Joint } from "./joint";

const { centre: C, before: B, moment: G } = RigidBodyPose;
const { spin: SPIN } = SolverVelocity;
const { along, moments, target: wanted, mobility, impulse: given, count: ROW } = JointRow;
/** A row that leaves less than this share of its mobility to those before follows from them: two hinges of one door. */
const MIN_PIVOT_RATIO = 1e-8;

/**
 * The joints of a contact solver that hold in a substep, all at once: what they hold is met exactly, whatever hangs on what. Limits push only; each is met in turn with all
 * joints held.
 */
export class JointSolver implements JointConstraints {
    private readonly _joints: Joint[] = [];
    /** Those that it has been laid out for, and in which order. */
    private _orderedJoints: Joint[] = [];
    private _order: Joint[] = [];
    /** Held rows, three and more of each joint, then limits; shape [n, JointRow.count]. */
    private _rows = new Float64Array(0);
    /** Rows of their bodies' motions, shape [n, 2]. */
    private _rowBodies = new Int32Array(0);
    private _envelope: Envelope = { firstColumns: new Uint32Array(0), starts: new Uint32Array(1) };
    private _entries = new Float64Array(0);
    /** Of the held rows. */
    private _diagonal = new Float64Array(0);
    private _impulses = new Float64Array(0);
    /** Of the limits that are near: their rows; what they ask of the held rows, reduced, shape [n, held]; how far each has the others go with all joints held, shape [n, n]. */
    private _limits = new Int32Array(0);
    private _limitCount = 0;
    private _limitResponses = new Float64Array(0);
    private _limitCouplings = new Float64Array(0);
    /** Error of each row, and its impulse in a pass. */
    private _errors = new Float64Array(0);
    private _deltas = new Float64Array(0);
    /** The first held row that each asks anything of. */
    private _firstRows = new Int32Array(0);

    get count(): number {
        return this._joints.length;
    }

    /** Number of the first body of one of them. */
    firstBodyOf(joint: number): number {
        return this._joints[joint].first.index;
    }

    /** Of the second; of one to the world the first. */
    secondBodyOf(joint: number): number {
        const { first, second } = this._joints[joint];
        return (second ?? first).index;
    }

    clear(): void {
        this._joints.length = 0;
    }

    add(joint: Joint): void {
        this._joints.push(joint);
    }

    /** Lets go of joints that hold no longer. */
    removeBroken(): void {
        this._joints.length = this._orderedJoints.length = this._order.length = 0;
    }

    beginSubstep({ motions }: RigidSolverArrays): void {
        const { _joints: joints } = this;
        if (joints.length === 0) return;
        if (!this._isOrdered()) this._orderRows();
        for (let k = 0; k < joints.length; k++) joints[k].snapTogether(motions);
        this._rows.fill(0);
        this._readJoints(motions, B, 1);
    }

    beginVelocityPhase({ motions }: RigidSolverArrays): void {
        if (this._joints.length > 0) this._readJoints(motions, C, 0);
    }

    private _isOrdered(): boolean {
        const { _joints: joints, _orderedJoints: laid } = this;
        for (let k = 0; k < joints.length; k++) if (joints[k] !== laid[k]) return false;
        return joints.length === laid.length;
    }

    /** Makes room, and finds which rows share bodies with which before. */
    private _orderRows(): void {
        this._orderedJoints = this._joints.slice();
        const joints = (this._order = leavesFirst(this._orderedJoints));
        const firstRow = new Map<SolverBody, number>();
        const firstColumns: number[] = [];
        let limitCount = 0;
        for (const { first, second, lockedAxisCount: heldCount, limitCount: limits } of joints) {
            const own = firstColumns.length;
            for (const body of [first, second]) if (body && !firstRow.has(body)) firstRow.set(body, own);
            const start = Math.min(firstRow.get(first)!, second ? firstRow.get(second)! : own);
            for (let n = 0; n < 3 + heldCount; n++) firstColumns.push(start);
            limitCount += limits;
        }
        const starts = new Uint32Array(firstColumns.length + 1);
        firstColumns.forEach((first, i) => (starts[i + 1] = starts[i] + i - first));
        this._envelope = { firstColumns: Uint32Array.from(firstColumns), starts };
        this._entries = new Float64Array(starts[firstColumns.length]);
        this._diagonal = new Float64Array(firstColumns.length);
        this._impulses = new Float64Array(firstColumns.length);
        this._rows = new Float64Array(ROW * (firstColumns.length + limitCount));
        this._rowBodies = new Int32Array(2 * (firstColumns.length + limitCount));
        this._limits = new Int32Array(limitCount);
        this._limitResponses = new Float64Array(limitCount * firstColumns.length);
        this._limitCouplings = new Float64Array(limitCount * limitCount);
        this._errors = new Float64Array(limitCount);
        this._deltas = new Float64Array(limitCount);
        this._firstRows = new Int32Array(limitCount);
    }

    /** Reads where joints are, and what they want. @param places rows of the bodies' places @param share of what is off that is taken back */
    private _readJoints(motions: Float64Array, places: number, share: number): void {
        const { _order: joints, _rows: x } = this;
        let held = 0;
        this._limitCount = 0;
        let limit = this._diagonal.length;
        for (let k = 0; k < joints.length; k++) {
            const joint = joints[k];
            const { data, first, second, lockedAxisCount: heldCount, limitCount } = joint;
            joint.updateFrames(places);
            const a = velocityRow(first.index);
            const b = velocityRow(second?.index ?? -1);
            for (let c = 0; c < 3; c++, held++) {
                const o = ROW * held;
                x[o + along + c] = 1;
                for (let side = 0; side < 6; side += 3) {
                    const d = (c + 1) % 3;
                    const e = (c + 2) % 3;
                    x[o + moments + side + d] = data[JointSlots.arms + side + e];
                    x[o + moments + side + e] = -data[JointSlots.arms + side + d];
                }
                x[o + wanted] = -share * data[JointSlots.gap + c];
                this._fillDiagonal(held, motions, a, b);
            }
            for (let n = 0; n < heldCount + limitCount; n++) {
                const t = JointSlots.turns + n * JointTurn.count;
                const angle = data[t + JointTurn.angle];
                const row = n < heldCount ? held++ : limit++;
                this._writeAngularRow(row, data, t);
                x[ROW * row + wanted] = n >= heldCount && angle > 0 ? -angle : -share * ANGULAR_CORRECTION * angle;
                this._fillDiagonal(row, motions, a, b);
                if (n >= heldCount && this._isLimitNear(row, angle, motions)) this._limits[this._limitCount++] = row;
            }
        }
        this._factor(motions);
        for (let n = 0; n < this._limitCount; n++) this._computeLimitResponses(n, motions);
    }

    private _writeAngularRow(row: number, data: Float64Array, t: number): void {
        const { _rows: x } = this;
        const o = ROW * row;
        let lean = 0;
        for (let c = 0; c < 3; c++) {
            lean += x[o + moments + c] * data[t + JointTurn.axis + c];
            x[o + moments + c] = x[o + moments + 3 + c] = data[t + JointTurn.axis + c];
        }
        // Another limit.
        if (row >= this._diagonal.length && !(lean > 0)) x[o + given] = 0;
    }

    private _isLimitNear(row: number, angle: number, motions: Float64Array): boolean {
        const a = this._rowBodies[2 * row] + SPIN;
        const b = this._rowBodies[2 * row + 1] + SPIN;
        let turn = 0;
        for (let c = 0; c < 3; c++) turn += Math.abs(motions[a + c] - motions[b + c]);
        return angle < LIMIT_MARGIN + LIMIT_LOOKAHEAD * turn && this._rows[ROW * row + mobility] > 0;
    }

    private _fillDiagonal(row: number, motions: Float64Array, a: number, b: number): void {
        this._rowBodies[2 * row] = a;
        this._rowBodies[2 * row + 1] = b;
        prepareRow(this._rows, ROW * row, motions, a, b);
    }

    private _fillOffDiagonal(motions: Float64Array, p: number, q: number): number {
        const { _rowBodies: of, _rows: x } = this;
        return couplingOf(x, motions, ROW * p, of[2 * p], of[2 * p + 1], ROW * q, of[2 * q], of[2 * q + 1]);
    }

    private _factor(motions: Float64Array): void {
        const { _envelope: envelope, _entries: entries, _diagonal: diagonal, _rows: x } = this;
        const { firstColumns, starts } = envelope;
        for (let i = 0; i < diagonal.length; i++) {
            for (let j = firstColumns[i]; j < i; j++)
                entries[starts[i] - firstColumns[i] + j] = this._fillOffDiagonal(motions, i, j);
            diagonal[i] = x[ROW * i + mobility];
        }
        factorLDL(envelope, entries, diagonal, MIN_PIVOT_RATIO);
    }

    /** Finds how far a limit has others go, and those it, with all joints held. */
    private _computeLimitResponses(n: number, motions: Float64Array): void {
        const {
            _diagonal: diagonal,
            _impulses: y,
            _limitResponses: asked,
            _limits: limits,
            _limitCount: count,
            _limitCouplings: between,
        } = this;
        const row = limits[n];
        for (let i = 0; i < diagonal.length; i++) y[i] = this._fillOffDiagonal(motions, i, row);
        this._forwardSolve();
        asked.set(y, n * y.length);
        let first = 0;
        while (first < y.length && y[first] === 0) first++;
        this._firstRows[n] = first;
        for (let k = 0; k <= n; k++) {
            const other = k * y.length;
            let sum = this._fillOffDiagonal(motions, limits[k], row);
            for (let i = Math.max(first, this._firstRows[k]); i < y.length; i++) sum -= (y[i] * asked[other + i]) / diagonal[i];
            between[n * count + k] = between[k * count + n] = sum;
        }
        // What joints leave no room to is no limit.
        const own = n * count + n;
        if (!(between[own] > MIN_PIVOT_RATIO * this._rows[ROW * row + mobility])) between[own] = Infinity;
    }

    /** Solves by L, in place. */
    private _forwardSolve(): void {
        const { _envelope, _entries: entries, _impulses: y } = this;
        const { firstColumns, starts } = _envelope;
        for (let i = 0; i < y.length; i++) {
            const row = starts[i] - firstColumns[i];
            let sum = y[i];
            for (let j = firstColumns[i]; j < i; j++) sum -= entries[row + j] * y[j];
            y[i] = sum;
        }
    }

    solve({ motions }: RigidSolverArrays): void {
        if (this._joints.length === 0) return;
        this._solveLocked(motions);
        if (this._solveLimits(motions)) this._solveLocked(motions);
    }

    /** Has limits push, as if all joints held meanwhile. @returns whether any has */
    private _solveLimits(motions: Float64Array): boolean {
        const {
            _rows: x,
            _rowBodies: of,
            _limits: limits,
            _limitCount: count,
            _limitCouplings: between,
            _errors: lacks,
            _deltas: sizes,
        } = this;
        for (let n = 0; n < count; n++) {
            const row = limits[n];
            lacks[n] = rowError(x, ROW * row, motions, of[2 * row], of[2 * row + 1]);
            sizes[n] = 0;
        }
        for (let round = 0; round < LIMIT_ITERATIONS; round++)
            for (let n = 0; n < count; n++) {
                const size = Math.max(-x[ROW * limits[n] + given] - sizes[n], lacks[n] / between[n * count + n]);
                if (size === 0) continue;
                sizes[n] += size;
                for (let k = 0; k < count; k++) lacks[k] -= size * between[n * count + k];
            }
        let isAny = false;
        for (let n = 0; n < count; n++) {
            const row = limits[n];
            isAny ||= sizes[n] !== 0;
            applyRow(x, ROW * row, motions, of[2 * row], of[2 * row + 1], sizes[n]);
        }
        return isAny;
    }

    /** Has all that is held go as it is wanted. */
    private _solveLocked(motions: Float64Array): void {
        const { _envelope, _entries: entries, _diagonal: diagonal, _impulses: y, _rows: x, _rowBodies: of } = this;
        const { firstColumns, starts } = _envelope;
        for (let i = 0; i < y.length; i++) y[i] = rowError(x, ROW * i, motions, of[2 * i], of[2 * i + 1]);
        this._forwardSolve();
        for (let i = 0; i < y.length; i++) y[i] /= diagonal[i];
        for (let i = y.length - 1; i >= 0; i--) {
            const row = starts[i] - firstColumns[i];
            for (let j = firstColumns[i]; j < i; j++) y[j] -= entries[row + j] * y[i];
            applyRow(x, ROW * i, motions, of[2 * i], of[2 * i + 1], y[i]);
        }
    }

    addMoments(): void {
        const { _order: joints } = this;
        let held = 0;
        let limit = this._diagonal.length;
        for (let k = 0; k < joints.length; k++) {
            const { lockedAxisCount: heldCount, limitCount, first, second } = joints[k];
            for (let n = 0; n < 3 + heldCount + limitCount; n++) {
                const o = ROW * (n < 3 + heldCount ? held++ : limit++);
                addRowMoment(this._rows, o, 0, first.rigidConstraint.pose, G);
                if (second) addRowMoment(this._rows, o, 3, second.rigidConstraint.pose, G);
            }
        }
    }

    endSubstep(): void {
        const { _order: joints, _rows: x } = this;
        for (let k = 0; k < joints.length; k++) {
            joints[k].first.jointPull.fill(0);
            joints[k].second?.jointPull.fill(0);
        }
        let o = 0;
        for (let k = 0; k < joints.length; k++) {
            let squared = 0;
            for (let c = 0; c < 3; c++) squared += x[o + c * ROW + given] * x[o + c * ROW + given];
            joints[k].endSubstep(Math.sqrt(squared));
            o += ROW * (3 + joints[k].lockedAxisCount);
        }
        for (let k = 0; k < joints.length; k++) {
            dampSwing(joints[k].first);
            if (joints[k].second) dampSwing(joints[k].second!);
        }
    }
}

/** Brakes a body by what pulls on it; once. */
function dampSwing({ rigidConstraint: sticks, jointPull: strain }: SolverBody): void {
    applyGeometricDamping(sticks.pose, strain);
    strain.fill(0);
}

/** From the ends of limbs inwards: then their matrix has few numbers beside its diagonal. */
function leavesFirst(joints: readonly Joint[]): Joint[] {
    const jointsOf = new Map<SolverBody, Joint[]>();
    for (const joint of joints)
        for (const body of [joint.first, joint.second]) if (body) jointsOf.set(body, [...(jointsOf.get(body) ?? []), joint]);
    const order = new Set<Joint>();
    const isSeen = new Set<Joint>();
    const walk = (body: SolverBody | null): void => {
        for (const joint of (body && jointsOf.get(body)) ?? []) {
            if (isSeen.has(joint)) continue;
            isSeen.add(joint);
            walk(joint.first === body ? joint.second : joint.first);
            order.add(joint);
        }
    };
    for (const { first, second } of joints) {
        walk(first);
        walk(second);
    }
    return [...order];
}
