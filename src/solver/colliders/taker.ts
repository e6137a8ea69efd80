/**
 * What takes the impulses of a collider's contacts: a body that someone else moves, between frames. Within a frame it gives way as the
 * impulses have it: it *drifts* from where its pose says. Without that they would answer to where it was half a frame ago, and whatever
 * rests on cloth would be thrown higher and higher. In the next frame, whose pose has the impulses in it, the drift goes away.
 */
import { Contact } from "../../kernels/contactLayout";
import type { Affine } from "../affine";
import type { Substeps } from "../clock";

export class Taker {
    /** How the drift changes in this substep: displacement x y z [m], turn about the collider's centre x y z [rad]. */
    readonly driftStep = new Float64Array(6);
    private readonly _drift = new Float64Array(6);
    /** What of it is of the last frame, and over how many substeps, of how many, it goes away. */
    private readonly _old = new Float64Array(6);
    private readonly _fresh = new Float64Array(6);
    private _left = 0;
    private _count = 0;

    constructor(
        /** Its mass [kg], > 0. */
        public mass: number,
        /** Mean square of its radii of gyration [m²], > 0. */
        public gyration: number,
    ) {}

    /** Begins a frame of so many substeps. */
    beginFrame(count: number): void {
        if (count === 0) return;
        this._left = this._count = count;
        this._old.set(this._drift);
        this._fresh.fill(0);
    }

    /** Begins a substep, after the impulses that the collider's data have. */
    advance(data: Float32Array): void {
        const { mass, gyration, _drift: drift, _old: old, _fresh: fresh, driftStep } = this;
        this._left = Math.max(0, this._left - 1);
        const share = this._count > 0 ? this._left / this._count : 0;
        for (let c = 0; c < 3; c++) {
            fresh[c] -= data[Contact.push + c] / mass;
            fresh[3 + c] -= data[Contact.twist + c] / (mass * gyration);
        }
        for (let c = 0; c < 6; c++) {
            const now = old[c] * share + fresh[c];
            driftStep[c] = now - drift[c];
            drift[c] = now;
        }
    }

    /** Moves a pose along. */
    move(pose: Affine): void {
        const { _drift: drift } = this;
        const [, , , rx, ry, rz] = drift;
        for (let r = 0; r < 12; r += 4) {
            const x = pose[r],
                y = pose[r + 1],
                z = pose[r + 2];
            pose[r] += ry * z - rz * y;
            pose[r + 1] += rz * x - rx * z;
            pose[r + 2] += rx * y - ry * x;
        }
        for (let c = 0; c < 3; c++) pose[12 + c] += drift[c];
    }

    /**
     * Takes out what contacts have given back since it was last taken.
     * @param data of the collider
     * @param target impulse x y z [N s], its moment about the collider's present centre x y z [N m s], and that centre x y z, simulation space [m]
     * @param settings of the steps since
     */
    take(data: Float32Array, target: Float64Array, { fixedTimeStep, substepCount }: Substeps): void {
        const perSubstep = substepCount / fixedTimeStep;
        for (let c = 0; c < 3; c++) {
            target[c] = -data[Contact.push + c] * perSubstep;
            target[3 + c] = -data[Contact.twist + c] * perSubstep;
            target[6 + c] = data[Contact.centre + c];
            data[Contact.push + c] = data[Contact.twist + c] = 0;
        }
    }

    /** Whether it is elsewhere than its pose says. */
    get isDrifting(): boolean {
        const { _drift: drift } = this;
        for (let c = 0; c < 6; c++) if (drift[c] !== 0) return true;
        return false;
    }
}
