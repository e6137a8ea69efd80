/**
 * Pin constraints of a rigid body at its points, in a substep: engine/rigidbody/pinImpulses.ts moves the body.
 *
 * For its pin, each partly free point is a particle with a mass. Friction and the release of pins depend on the force on such a particle. That mass
 * is the body's resistance to the pull: at first a share of its own mass, then scaled by the pulls of the previous substep.
 *
 * A dynamic node (see DynamicCarrier) of a fixed point yields with it: the constraint is then as stiff as the node's least effective mass M there, H = M / (m + M),
 * and the node takes the opposite impulse. Each substep removes a part of the distance between them: removing all of it, with frames of any length, would
 * add speed from nothing.
 */
import { MAX_PIN_MASS_RATIO, MIN_PIN_MASS_RATIO, PIN_CLOSING_SHARE } from "../tunables";
import { ROW, rowOf } from "../../kernels/layout";
import { localOffset, predictPoints } from "./rigidMotion";
import { RigidPinRecord, RigidBodyPose } from "../../kernels/rigidBodyLayout";
import type { RigidBodyArrays, RigidPinArrays } from "../../kernels/rigidBodyLayout";
import type { Embedding, UnweldedPins } from "../attachments/unweldedPins";
import type { PinSet } from "../attachments/pinSet";

const {
    delta: WAY,
    axis: AXIS,
    across: ACROSS,
    along: ALONG,
    point: PLACE,
    mass: MASS,
    impulse: IMPULSE,
    particle: PARTICLE,
} = RigidPinRecord;

/** Valid within a call: position of a point, its offset from the node's centre [m], and a pull there [kg m]. */
const place = new Float64Array(3);
const arm = new Float64Array(3);
const reaction = new Float64Array(3);

/** Pulls by less than this tell nothing of a mass, times that [m]. */
const MIN_IMPULSE = 1e-9;

export class PinConstraints implements RigidPinArrays {
    records = new Float64Array(0);
    pinCount = 0;
    /** Mass of a point [kg]. */
    pointMass = 0;
    /** Particles of pins that hold them fast, with what pins them. */
    private _fixedParticles: number[] = [];
    private _fixedPins: PinSet[] = [];
    /** Effective mass of the node at each point [kg]; 0: the node is not dynamic. */
    private _carrierMasses = new Float64Array(0);
    /** Particles of pins that leave them free to go some ways. */
    private _partialParticles: number[] = [];
    private _partialSets: PartialPinSet[] = [];
    /** True if the points are at the predicted positions of the substep. */
    private _arePredicted = false;

    constructor(readonly rigidConstraint: RigidBodyArrays) {}

    /** Has pins tell what they ask. @param pins all of the body's @returns the particles that are held fast */
    update(pins: readonly PinSet[]): readonly number[] {
        const fast = new Map<number, PinSet>();
        for (const set of pins) for (const particle of set.isFixed ? set.particles : []) fast.set(particle, set);
        const free = pins.filter(({ isFixed: isFast }) => !isFast) as UnweldedPins[];
        this._partialSets = free.map((set) => (set.embedding = new PartialPinSet(this, set.particles)));
        this._fixedParticles = [...fast.keys()];
        this._fixedPins = [...fast.values()];
        this._carrierMasses = new Float64Array(this._fixedParticles.length);
        this._partialParticles = [...new Set(free.flatMap(({ particles }) => Array.from(particles)))].filter(
            (particle) => !fast.has(particle),
        );
        const length = RigidPinRecord.count * pins.reduce((sum, { particles }) => sum + particles.length, 0);
        if (this.records.length < length) this.records = new Float64Array(length);
        this.pinCount = 0;
        return this._fixedParticles;
    }

    /** Has the points weigh their shares of the body. @param mass of it [kg] */
    resetMasses(mass: number): void {
        this.pointMass = mass / Math.max(1, this._partialParticles.length);
        const { inverseMasses } = this.rigidConstraint.particles;
        for (const particle of this._partialParticles) inverseMasses[particle] = 1 / this.pointMass;
        this._fixedParticles.forEach((particle, i) => {
            const { dynamicCarrier: drift, particles } = this._fixedPins[i];
            const o = rowOf(particle);
            const { positions: x } = this.rigidConstraint.particles;
            this._carrierMasses[i] = drift ? drift.minMassAt(x[o], x[o + 1], x[o + 2]) / particles.length : 0;
            // It moves as the body does, whatever can be pulled.
            inverseMasses[particle] = 0;
        });
    }

    /** Has the points go where pins find them: where the sticks would have them. */
    predictPoints(): void {
        if (!this._arePredicted) predictPoints(this.rigidConstraint, this._partialParticles);
        this._arePredicted = true;
    }

    /** Begins a record, of a particle that weighs its share. @returns where it begins */
    addRecord(particle: number): number {
        const { records } = this;
        const r = this.pinCount++ * RigidPinRecord.count;
        const { positions: x } = this.rigidConstraint.particles;
        records.fill(0, r, r + RigidPinRecord.count);
        for (let c = 0; c < 3; c++) records[r + PLACE + c] = x[rowOf(particle) + c];
        records[r + MASS] = this.pointMass;
        records[r + PARTICLE] = particle;
        return r;
    }

    /** All pins have told what they ask: what holds points fast is among it. */
    finishRecords(): void {
        for (let i = 0; i < this._fixedParticles.length; i++) {
            const r = this.addRecord(this._fixedParticles[i]);
            this.records[r + ACROSS] = this.records[r + ALONG] = this.records[r + AXIS] = 1;
            if (this._carrierMasses[i] > 0) this._addCarrierMobility(i, r);
        }
    }

    /** Makes the constraint of the `i`-th point yield with the node that the pin follows. */
    private _addCarrierMobility(i: number, r: number): void {
        const { records } = this;
        const { previous } = this.rigidConstraint.particles;
        records[r + ACROSS] = records[r + ALONG] = this._carrierMasses[i] / (records[r + MASS] + this._carrierMasses[i]);
        // Where the body has it as the substep begins, and where the carrier does.
        const o = rowOf(this._fixedParticles[i]);
        this._readPreviousPoint(o);
        for (let c = 0; c < 3; c++) records[r + PLACE + c] += (1 - PIN_CLOSING_SHARE) * (place[c] - previous[o + c]);
    }

    /** Writes {@link place}: where the body had a point when the last substep ended, by its four particles, which tell its axes. */
    private _readPreviousPoint(o: number): void {
        const { pose, locals, particles } = this.rigidConstraint;
        const { previous: p } = particles;
        for (let c = 0; c < 3; c++) {
            let sum = p[c] + p[ROW + c] + p[2 * ROW + c] + p[3 * ROW + c];
            for (let k = 0; k < 3; k++) {
                // Two of the four are on either side of the centre along an axis.
                const off = 2 * (p[c] + p[(k + 1) * ROW + c]) - (p[c] + p[ROW + c] + p[2 * ROW + c] + p[3 * ROW + c]);
                sum += (locals[o + k] / pose[RigidBodyPose.radii + k]) * off;
            }
            place[c] = sum / 4;
        }
    }

    /** Applies the reaction to the nodes of fixed points at the end of the substep, see PinSet.feelPull. */
    private _applyToCarriers(): void {
        const first = this.pinCount - this._fixedParticles.length;
        const { pose, locals } = this.rigidConstraint;
        for (let i = 0; i < this._fixedParticles.length; i++) {
            const { dynamicCarrier: drift } = this._fixedPins[i];
            if (!drift) continue;
            const r = (first + i) * RigidPinRecord.count;
            const o = rowOf(this._fixedParticles[i]);
            for (let c = 0; c < 3; c++) {
                place[c] = pose[RigidBodyPose.centre + c] + localOffset(pose, RigidBodyPose.axes, locals, o, c);
                reaction[c] = -this.records[r + IMPULSE + c];
            }
            drift.readArm(place, arm);
            drift.addPull(arm, reaction);
        }
    }

    /** Ends a substep: what pulls there were tells what the points weigh. */
    endSubstep(): void {
        if (this.pinCount > 0) this._applyToCarriers();
        for (let i = 0; i < this._partialSets.length; i++) this._partialSets[i].updateMasses();
        this._arePredicted = false;
        this.pinCount = 0;
    }
}

/** Set of pins that leaves its points partly free. */
class PartialPinSet implements Embedding {
    /** Mass of each of its points, as a multiple of its share of the body. */
    private _massScales = 1;
    /** Its records, from the first to that before the last. */
    private _first = 0;
    private _last = 0;

    constructor(
        private readonly _constraints: PinConstraints,
        private readonly _particles: Uint32Array,
    ) {}

    predict(): void {
        const { _constraints: all, _particles: particles, _massScales: heaviness } = this;
        const { inverseMasses } = all.rigidConstraint.particles;
        all.predictPoints();
        for (let i = 0; i < particles.length; i++)
            if (inverseMasses[particles[i]] > 0) inverseMasses[particles[i]] = 1 / (heaviness * all.pointMass);
        this._first = this._last = all.pinCount;
    }

    /** Notes by what a particle is held, see Grasp. */
    record(particle: number, grasp: Float64Array): void {
        const { _constraints: all } = this;
        const r = all.addRecord(particle);
        all.records[r + MASS] *= this._massScales;
        for (let k = 0; k <= ALONG; k++) all.records[r + k] = grasp[k];
        this._last = all.pinCount;
    }

    updateMasses(): void {
        const { records, pointMass: share } = this._constraints;
        let asked = 0;
        let given = 0;
        for (let c = 0; c < 3; c++) {
            let ways = 0;
            let pulls = 0;
            for (let n = this._first; n < this._last; n++) {
                const r = n * RigidPinRecord.count;
                // What gives is no measure.
                if (records[r + ACROSS] < 1 && records[r + ALONG] < 1) continue;
                ways += records[r + MASS] * records[r + WAY + c];
                pulls += records[r + IMPULSE + c];
            }
            asked += ways * ways;
            given += pulls * pulls;
        }
        if (!(asked > (MIN_IMPULSE * share) ** 2)) return;
        const heaviness = this._massScales * Math.sqrt(given / asked);
        if (heaviness >= 0) this._massScales = Math.min(MAX_PIN_MASS_RATIO, Math.max(MIN_PIN_MASS_RATIO, heaviness));
    }
}
