import { SNAP_GAP_RATIO } from "../tunables";
import { JointSlots, JointTurn, SolverVelocity, RigidBodyPose } from "../../kernels/rigidBodyLayout";
import { velocityRow } from "./solverRows";
import { localOffset, readStatic } from "./rigidMotion";
import { transformPoint } from "../math/affine";
import type { Affine } from "../math/affine";
import type { SolverBody } from "./solverBody";

const { centre: C, axes: U, before: B } = RigidBodyPose;
const { local, localOther: other, arms, gap, turns } = JointSlots;

/** Within a call. */
const pointA = new Float64Array(3);
const pointB = new Float64Array(3);

/**
 * Joint of two rigid bodies, or of one and the world: a shared point, and axes about which their relative rotation is locked or limited.
 *
 *     ┌─────┐  ╱╲       The joint stores its point and its three axes in the coordinates of both bodies; they coincide at creation.
 *     │  a  ●╱ b ╲
 *     └─────┘╲   ╱      Solved with all joints of the contact solver ({@link Linkage}).
 */
export abstract class Joint {
    /** See {@link JointSlots}. */
    readonly data = new Float64Array(JointSlots.count);
    /** Its axes now, as the first has them and as the second: rows, shape [3, 3]. */
    protected readonly _axesOfFirst = new Float64Array(9);
    protected readonly _axesOfSecond = new Float64Array(9);
    /** Axes of the joint along the bodies' principal axes; for the world, its own axes. */
    private readonly _localAxesOfFirst = new Float64Array(9);
    private readonly _localAxesOfSecond = new Float64Array(9);
    /** Anchor, if the second body is the world [m]. */
    private readonly _anchor = new Float64Array(3);
    /** Force above which the joint breaks [N]. */
    breakForce = Infinity;
    /** With how much it has pulled in the last substep [N]. */
    force = 0;
    isBroken = false;

    /**
     * @param at its place in the world [m]
     * @param axes unit vectors in the world, rows, shape [3, 3]; the third is that of a hinge
     * @param areApart whether its bodies keep off each other, too
     */
    constructor(
        public first: SolverBody,
        public second: SolverBody | null,
        at: ArrayLike<number>,
        axes: ArrayLike<number>,
        readonly areApart: boolean,
    ) {
        this._recordLocalFrame(first, at, axes, local, this._localAxesOfFirst);
        if (second) this._recordLocalFrame(second, at, axes, other, this._localAxesOfSecond);
        else this._localAxesOfSecond.set(axes);
        this._anchor.set(at);
    }

    /** Follows a move of the world's origin [m], x y z. */
    shiftAnchor(by: readonly number[]): void {
        for (let c = 0; c < 3; c++) this._anchor[c] += by[c];
    }

    /** Notes where it is in a body, where that is now. */
    private _recordLocalFrame(
        { rigidConstraint: sticks, body }: SolverBody,
        at: ArrayLike<number>,
        axes: ArrayLike<number>,
        slot: number,
        rows: Float64Array,
    ): void {
        readStatic(sticks);
        const { pose } = sticks;
        for (let k = 0; k < 3; k++) {
            const u = U + 4 * k;
            this.data[slot + k] = 0;
            for (let c = 0; c < 3; c++) this.data[slot + k] += (at[c] - body.origin[c] - pose[C + c]) * pose[u + c];
            for (let n = 0; n < 9; n += 3) rows[n + k] = axes[n] * pose[u] + axes[n + 1] * pose[u + 1] + axes[n + 2] * pose[u + 2];
        }
    }

    /** Holds another body in the place of one of its own, which was built anew. @param map from coordinates along that one's principal axes to those of the other */
    replaceBody(old: SolverBody, body: SolverBody, map: Affine): void {
        const isFirst = this.first === old;
        if (isFirst) this.first = body;
        else this.second = body;
        const rows = isFirst ? this._localAxesOfFirst : this._localAxesOfSecond;
        const slot = isFirst ? local : other;
        transformPoint(map, this.data.slice(slot, slot + 3), 0, this.data, slot);
        const before = rows.slice();
        for (let n = 0; n < 9; n += 3)
            for (let c = 0; c < 3; c++) rows[n + c] = before[n] * map[c] + before[n + 1] * map[4 + c] + before[n + 2] * map[8 + c];
        orthonormalise(rows);
    }

    /** True if the body is one of the joint's bodies. */
    involves(member: SolverBody): boolean {
        return this.first === member || this.second === member;
    }

    /** Number of locked axes, which come first; then the number of limited axes, which follow them. */
    abstract readonly lockedAxisCount: number;
    abstract readonly limitCount: number;

    /** Ends a substep. @param impulse by what it has pulled [kg m] */
    endSubstep(impulse: number): void {
        const { data: x, first, second } = this;
        const { fixedTimeStep, substepCount } = first.body.settings;
        this.force = impulse / (fixedTimeStep / substepCount) ** 2;
        this.isBroken ||= this.force > this.breakForce;
        accumulatePull(first, x, local, impulse);
        if (second) accumulatePull(second, x, other, impulse);
    }

    /** Snaps the bodies together if the joint's points are far apart, as after a teleport: each moves in inverse proportion to its mass. */
    snapTogether(motions: Float64Array): void {
        this.updateFrames(B);
        const { data: x, first, second } = this;
        if (!(normAt(x, gap) > SNAP_GAP_RATIO * Math.max(normAt(x, arms), normAt(x, arms + 3)))) return;
        const w = motions[velocityRow(first.index) + SolverVelocity.inverseMass];
        const sum = w + motions[velocityRow(second?.index ?? -1) + SolverVelocity.inverseMass];
        if (!(sum > 0)) return;
        for (let c = 0; c < 3; c++) {
            translateBody(first, c, (-x[gap + c] * w) / sum);
            if (second) translateBody(second, c, x[gap + c] * (1 - w / sum));
        }
    }

    /** Reads where it is in its bodies, of which `rows` tells the places. */
    updateFrames(rows: number): void {
        const { first, second, data: x } = this;
        this._readBodyFrame(first, rows, local, this._localAxesOfFirst, this._axesOfFirst, pointA);
        if (second) {
            this._readBodyFrame(second, rows, other, this._localAxesOfSecond, this._axesOfSecond, pointB);
            for (let c = 0; c < 3; c++) pointB[c] += second.offset[c] - first.offset[c];
        } else {
            this._axesOfSecond.set(this._localAxesOfSecond);
            for (let c = 0; c < 3; c++) pointB[c] = this._anchor[c] - first.body.origin[c];
        }
        for (let c = 0; c < 3; c++) {
            x[gap + c] = pointA[c] - pointB[c];
            // Midway: what acts there on both has no moment.
            const middle = second ? (pointA[c] + pointB[c]) / 2 : pointA[c];
            x[arms + c] = middle - centreOf(first, rows, c);
            if (second) x[arms + 3 + c] = middle + first.offset[c] - second.offset[c] - centreOf(second, rows, c);
        }
        this._computeAxes();
    }

    /** Writes where a body has its place and its axes. */
    private _readBodyFrame(
        of: SolverBody,
        rows: number,
        slot: number,
        at: Float64Array,
        axes: Float64Array,
        target: Float64Array,
    ): void {
        const { pose } = of.rigidConstraint;
        const u = (of.isStepping ? rows : C) - C + U;
        for (let c = 0; c < 3; c++) {
            target[c] = centreOf(of, rows, c) + localOffset(pose, u, this.data, slot, c);
            for (let n = 0; n < 9; n += 3) axes[n + c] = localOffset(pose, u, at, n, c);
        }
    }

    /** Writes the axes about which it holds, from {@link _axesOfFirst} and {@link _axesOfSecond}. */
    protected abstract _computeAxes(): void;

    /** Writes the `n`-th of them. @param sign of the vector */
    protected _setAxis(n: number, from: ArrayLike<number>, o: number, sign: number, angle: number): void {
        const t = turns + n * JointTurn.count;
        for (let c = 0; c < 3; c++) this.data[t + JointTurn.axis + c] = sign * from[o + c];
        this.data[t + JointTurn.angle] = angle;
    }

    /** Has nothing hold about the `n`-th. */
    protected _clearAxis(n: number): void {
        const t = turns + n * JointTurn.count;
        this.data.fill(0, t + JointTurn.axis, t + JointTurn.axis + 3);
    }
}

/** Makes axes unit vectors square to each other; the third keeps its direction. */
function orthonormalise(rows: Float64Array): void {
    for (const n of [6, 0]) {
        const lean = n === 6 ? 0 : rows[0] * rows[6] + rows[1] * rows[7] + rows[2] * rows[8];
        for (let c = 0; c < 3; c++) rows[n + c] -= lean * rows[6 + c];
        const size = normAt(rows, n);
        for (let c = 0; c < 3; c++) rows[n + c] /= size;
    }
    for (let c = 0; c < 3; c++) {
        const d = (c + 1) % 3;
        const e = (c + 2) % 3;
        rows[3 + c] = rows[6 + d] * rows[e] - rows[6 + e] * rows[d];
    }
}

function normAt(x: Float64Array, o: number): number {
    return Math.sqrt(x[o] * x[o] + x[o + 1] * x[o + 1] + x[o + 2] * x[o + 2]);
}

function accumulatePull({ jointPull: sum }: SolverBody, x: Float64Array, o: number, impulse: number): void {
    const squared = x[o] * x[o] + x[o + 1] * x[o + 1] + x[o + 2] * x[o + 2];
    for (let k = 0; k < 3; k++) sum[k] += impulse * Math.sqrt(squared - x[o + k] * x[o + k]);
}

function translateBody({ rigidConstraint: { pose } }: SolverBody, c: number, by: number): void {
    pose[C + c] += by;
    pose[B + c] += by;
}

function centreOf({ rigidConstraint: sticks, isStepping }: SolverBody, rows: number, c: number): number {
    return sticks.pose[(isStepping ? rows : C) + c];
}
