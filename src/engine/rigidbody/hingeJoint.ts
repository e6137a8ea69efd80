import { angleOf } from "../math/angle";
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
