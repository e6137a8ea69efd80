import { angleOf } from "../math/parallelTransport";
import { Joint } from "./joint";

/** Correction of the axes' misalignment, valid within a call. */
const axisError = new Float64Array(3);

/** Two points in common: bodies turn about the line through them, the third of the axes, as far as limits let them. */
export class HingeJoint extends Joint {
    readonly lockedAxisCount = 2;
    readonly limitCount = 1;
    /** Limits of {@link angle} [rad], -π to π. */
    minAngle = -Infinity;
    maxAngle = Infinity;
    /** By how much the first has turned against the second, about the axis x to y [rad]. */
    angle = 0;

    protected _computeAxes(): void {
        const { _axesOfFirst: p, _axesOfSecond: q } = this;
        let [sin, cos] = [0, 0];
        for (let c = 0; c < 3; c++) {
            const d = (c + 1) % 3;
            const e = (c + 2) % 3;
            axisError[c] = p[6 + d] * q[6 + e] - p[6 + e] * q[6 + d];
            sin += (p[d] * q[e] - p[e] * q[d]) * p[6 + c];
            cos += p[c] * q[c];
        }
        for (let n = 0; n < 2; n++) {
            const o = 3 * n;
            this._setAxis(n, p, o, 1, -axisError[0] * p[o] - axisError[1] * p[o + 1] - axisError[2] * p[o + 2]);
        }
        this.angle = angleOf(-sin, cos);
        const [over, under] = [this.angle - this.minAngle, this.maxAngle - this.angle];
        if (over === Infinity && under === Infinity) this._clearAxis(2);
        else if (over < under) this._setAxis(2, p, 6, 1, over);
        else this._setAxis(2, p, 6, -1, under);
    }
}

/** Shorter is no axis. */
const MIN_AXIS_LENGTH = 1e-6;

/** Within a call: the axis about which the third axes have turned against each other, and the middle of both. */
const swingAxis = new Float64Array(3);
const meanAxis = new Float64Array(3);

/** A point in common. Limits are those of a limb along the third axis: how far it leans, and how far it twists about itself. */
export class BallJoint extends Joint {
    readonly lockedAxisCount = 0;
    readonly limitCount = 2;
    /** Limits of the swing between the third axes, and of the twist about them, either way [rad]; ∞: free. */
    swing = Infinity;
    twist = Infinity;

    protected _computeAxes(): void {
        if (this.swing === Infinity && this.twist === Infinity) return;
        const { _axesOfFirst: p, _axesOfSecond: q } = this;
        let [squared, cos] = [0, 0];
        for (let c = 0; c < 3; c++) {
            const d = (c + 1) % 3;
            const e = (c + 2) % 3;
            swingAxis[c] = p[6 + d] * q[6 + e] - p[6 + e] * q[6 + d];
            squared += swingAxis[c] * swingAxis[c];
            cos += p[6 + c] * q[6 + c];
        }
        this._limitTwist(cos);
        const sin = Math.sqrt(squared);
        if (!(sin > MIN_AXIS_LENGTH) || this.swing === Infinity) return this._clearAxis(0);
        for (let c = 0; c < 3; c++) swingAxis[c] /= sin;
        this._setAxis(0, swingAxis, 0, 1, this.swing - angleOf(sin, cos));
    }

    /** The first's first axis goes along as its third turns to the second's: what is left is twist. */
    private _limitTwist(cos: number): void {
        if (this.twist === Infinity || !(1 + cos > MIN_AXIS_LENGTH)) return this._clearAxis(1);
        const { _axesOfFirst: p, _axesOfSecond: q } = this;
        const lean = (swingAxis[0] * p[0] + swingAxis[1] * p[1] + swingAxis[2] * p[2]) / (1 + cos);
        let [y, x] = [0, 0];
        for (let c = 0; c < 3; c++) {
            const d = (c + 1) % 3;
            const e = (c + 2) % 3;
            // Rodrigues, as v (v · p) / (1 + cos) + p cos + v × p.
            const to = swingAxis[c] * lean + p[c] * cos + swingAxis[d] * p[e] - swingAxis[e] * p[d];
            x += to * q[c];
            // Along the second's second axis is as much as it lacks.
            y -= to * q[3 + c];
        }
        const scale = 1 / Math.sqrt(2 + 2 * cos);
        for (let c = 0; c < 3; c++) meanAxis[c] = (p[6 + c] + q[6 + c]) * scale;
        const twist = angleOf(y, x);
        // It twists faster than it turns about the middle of both, the more it leans.
        const left = (this.twist - Math.abs(twist)) * (1 + cos) * scale;
        this._setAxis(1, meanAxis, 0, twist < 0 ? -1 : 1, left);
    }
}
