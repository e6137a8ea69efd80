import { ROW } from "../../kernels/layout";
import type { RigidBody } from "./rigidBody";

/** Within a call: impulse [N s], its moment [N m s], and the centre [m]. */
const linearImpulse = new Float64Array(3);
const angularImpulse = new Float64Array(3);
const centre = new Float64Array(3);

/** User forces on a rigid body: forces at points of it, and moments. They are applied as one impulse before the step in which they act. */
export class AddedBodyForces {
    /** Forces by particle, points among them [N], shape [particleCount, 3]. */
    readonly forces: Float32Array;
    /** Additional moment [N m], x y z. */
    readonly moment = new Float64Array(3);
    hasForces = false;

    constructor(private readonly _body: RigidBody) {
        this.forces = new Float32Array(3 * _body.state.particleCount);
    }

    /** Has what was added be heard, by a body that sleeps, too. */
    wakeBody(): void {
        this.hasForces = true;
        if (this._body.isAsleep) this._body.wake();
    }

    /** Adds a force at a place, simulation space. @param place x y z [m] @param force x y z [N] */
    addAt(place: ArrayLike<number>, force: ArrayLike<number>): void {
        this._readCentre();
        this._addMoment(place, 0, force, 0);
        // The four particles have the centre in their middle.
        for (let q = 0; q < 12; q++) this.forces[q] += force[q % 3] / 4;
    }

    /** Gives the body what was added, for the time of a step, and forgets it. */
    apply(): void {
        if (!this.hasForces) return;
        const { forces: sum, moment, _body: body } = this;
        const { positions: x } = body.state;
        const time = body.settings.fixedTimeStep;
        this._readCentre();
        linearImpulse.fill(0);
        for (let q = 0, o = 0; q < sum.length; q += 3, o += ROW) {
            for (let c = 0; c < 3; c++) linearImpulse[c] += sum[q + c] * time;
            if (q >= 12) this._addMoment(x, o, sum, q);
        }
        let size = 0;
        for (let c = 0; c < 3; c++) {
            angularImpulse[c] = moment[c] * time;
            size += linearImpulse[c] + angularImpulse[c];
        }
        this.clear();
        // What is no number is passed over.
        if (size - size === 0) body.addVelocity(centre, linearImpulse, angularImpulse);
    }

    clear(): void {
        this.forces.fill(0);
        this.moment.fill(0);
        this.hasForces = false;
    }

    private _readCentre(): void {
        const { positions: x } = this._body.state;
        for (let c = 0; c < 3; c++) centre[c] = (x[c] + x[4 + c] + x[8 + c] + x[12 + c]) / 4;
    }

    private _addMoment(place: ArrayLike<number>, o: number, force: ArrayLike<number>, q: number): void {
        for (let c = 0; c < 3; c++) {
            const d = (c + 1) % 3;
            const e = (c + 2) % 3;
            this.moment[c] += (place[o + d] - centre[d]) * force[q + e] - (place[o + e] - centre[e]) * force[q + d];
        }
    }
}
