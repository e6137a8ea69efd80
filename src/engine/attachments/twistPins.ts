import { transformPoint } from "../math/affine";
import type { Affine } from "../math/affine";
import type { Clock, Substeps } from "../time/clock";
import type { Twist, TwistEnd } from "../rope/twist";
import { PinSet } from "./pinSet";
import type { BodyState } from "../state/state";
import { anyPerpendicular, orthonormaliseTo } from "../math/parallelTransport";

/** Distance from the end of the two points that sample the node's rotation [m]. */
const ARM_LENGTH = 1e-4;

/** Within a call: its places, and the sum of what they lag by. */
const places = new Float64Array(9);
const [arm, pull] = [new Float64Array(3), new Float64Array(3)];

/** Pin of a rope's end that twists with its node: two more points follow the node, one along the rope and one across. */
export class TwistPins extends PinSet implements TwistEnd {
    readonly along = Float64Array.of(1, 0, 0);
    readonly across = Float64Array.of(0, 1, 0);
    attachCount = 0;
    /** Rendered positions; null: the simulated ones. */
    private _renderTargetsOfFrame: Float64Array | null = null;

    /** @param particles the end, one */
    constructor(
        particles: Uint32Array,
        readonly isEnd: boolean,
        private readonly _twist: Twist,
    ) {
        super(particles, particles.length + 2);
    }

    override attach(state: BodyState, toFrame: Affine, motion: Affine | null = null): void {
        super.attach(state, toFrame, motion);
        const { along, across, to, offsets } = this;
        this._twist.readFrame(state, this.isEnd, along, across);
        for (let c = 0; c < 3; c++) {
            to[3 + c] = to[c] + ARM_LENGTH * along[c];
            to[6 + c] = to[c] + ARM_LENGTH * across[c];
        }
        for (const q of [3, 6]) transformPoint(toFrame, to, q, offsets, q);
        this._resetHistory();
        this.attachCount++;
    }

    override restart(): void {
        super.restart();
        this._twist.restart();
    }

    override beginStep(state: BodyState, clock: Pick<Clock, "fraction">, settings: Substeps): void {
        super.beginStep(state, clock, settings);
        this._twist.ends[this.isEnd ? 1 : 0] = this;
    }

    override moveToSubstep(state: BodyState, done: number, count: number): void {
        super.moveToSubstep(state, done, count);
        this._readFrame(this._stepFrom, this._stepTo, done / count, true);
    }

    /** Always false: twisted pins need every step. */
    override get isSettled(): boolean {
        return super.isSettled && this._twist.moment === 0;
    }

    get mobility(): number {
        const { dynamicCarrier: drift, along } = this;
        if (!drift) return 0;
        let sum = 0;
        for (let i = 0; i < 9; i++) sum += along[i % 3] * along[(i / 3) | 0] * drift.mobility[i];
        return sum / drift.mass;
    }

    turnBy(moment: Float64Array): void {
        const { dynamicCarrier: drift } = this;
        const size = Math.sqrt(moment[0] * moment[0] + moment[1] * moment[1] + moment[2] * moment[2]);
        if (!drift || !(size > 0)) return;
        for (let c = 0; c < 3; c++) moment[c] /= size;
        anyPerpendicular(moment, 0, arm);
        // Two pulls on opposite arms, each other's opposite: arm × (moment × arm) is the moment.
        for (let c = 0; c < 3; c++) {
            const d = (c + 1) % 3;
            const e = (c + 2) % 3;
            pull[c] = ((moment[d] * arm[e] - moment[e] * arm[d]) * size) / 2;
        }
        for (let side = 0; side < 2; side++) {
            drift.addPull(arm, pull);
            for (let c = 0; c < 3; c++) {
                arm[c] = -arm[c];
                pull[c] = -pull[c];
            }
        }
    }

    /** Turning about the rope is for the twist to stop. */
    override dampCarrierRotation(share: number): void {
        const { along, dynamicCarrier: drift } = this;
        const { speed } = drift!;
        for (let c = 0; c < 3; c++) pull[c] = speed[3 + c];
        super.dampCarrierRotation(share);
        let lost = 0;
        for (let c = 0; c < 3; c++) lost += (pull[c] - speed[3 + c]) * along[c];
        for (let c = 0; c < 3; c++) speed[3 + c] += lost * along[c];
    }

    override setRenderTargets(toSimulation: Affine | null): void {
        super.setRenderTargets(toSimulation);
        if (!toSimulation) {
            this._renderTargetsOfFrame = null;
            return;
        }
        this._renderTargetsOfFrame ??= new Float64Array(9);
        for (let q = 0; q < 9; q += 3) transformPoint(toSimulation, this.offsets, q, this._renderTargetsOfFrame, q);
    }

    readRenderFrame(along: Float64Array, across: Float64Array): void {
        this._readFrame(this._renderTargetsOfFrame ?? this.to, this._renderTargetsOfFrame ?? this.to, 1, false);
        along.set(this.along);
        across.set(this.across);
    }

    private _readFrame(from: Float64Array, to: Float64Array, fraction: number, drifts: boolean): void {
        const { along, across, dynamicCarrier: drift } = this;
        for (let k = 0; k < 9; k++) places[k] = from[k] + (to[k] - from[k]) * fraction;
        if (drifts && drift) for (let q = 0; q < 9; q += 3) drift.movePoint(places, q);
        for (let c = 0; c < 3; c++) {
            along[c] = places[3 + c] - places[c];
            across[c] = places[6 + c] - places[c];
        }
        const length = Math.sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
        // A frame that is scaled to nothing has no direction.
        if (!(length > 0)) return;
        for (let c = 0; c < 3; c++) along[c] /= length;
        orthonormaliseTo(across, along, 0);
    }
}
