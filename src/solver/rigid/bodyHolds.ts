/**
 * What pins of a rigid body ask of the points that they hold, in a substep: solver/rigid/stickBodyHolds.ts has the body follow.
 *
 * Each point that is free to go some ways is to its pin a particle of a mass. What friction and what pins let go by is the force on such a particle, so that mass
 * is what the body opposes to the pull: a share of its own at first, and then as much more or less as the pulls of the substep before were.
 *
 * What carries a point that is held fast, and can be pulled (see PinDrift), gives way with it: the hold is then as stiff as the least mass M that resists there, H = M / (m + M),
 * and the carrier is pulled by the opposite. They are brought together by a part of what is between them in each substep: all of it, as frames of any length leave it, would be
 * speed from nothing.
 */
import { ROW, rowOf } from "../../kernels/layout";
import { along, leadPoints } from "./stickBodyMotion";
import { StickBodyHold, StickBodyPose } from "../../kernels/stickBodyLayout";
import type { StickBodyArrays, StickBodyHolds } from "../../kernels/stickBodyLayout";
import type { Embedding, FreePins } from "../pins/freePins";
import type { PinSet } from "../pins/pins";

const {
    way: WAY,
    axis: AXIS,
    across: ACROSS,
    along: ALONG,
    place: PLACE,
    mass: MASS,
    impulse: IMPULSE,
    particle: PARTICLE,
} = StickBodyHold;

/** A point's mass is its share of the body times so much at least and at most. */
const LEAST = 0.01;
const MOST = 4;
/** Share of what is between a point and a carrier that can be pulled by which they come together in a substep. */
const CLOSING = 0.05;

/** Within a call: where a point of the body is, where from its carrier's centre [m], and a pull there [kg m]. */
const place = new Float64Array(3);
const arm = new Float64Array(3);
const back = new Float64Array(3);

/** Pulls by less than this tell nothing of a mass, times that [m]. */
const SMALL = 1e-9;

export class BodyHolds implements StickBodyHolds {
    records = new Float64Array(0);
    heldCount = 0;
    /** Mass of a point [kg]. */
    share = 0;
    /** Particles of pins that hold them fast, with what pins them. */
    private _fast: number[] = [];
    private _pins: PinSet[] = [];
    /** What of the carriers resists at each [kg]; 0: nothing can pull it. */
    private _resisting = new Float64Array(0);
    /** Particles of pins that leave them free to go some ways. */
    private _free: number[] = [];
    private _sets: FreeHold[] = [];
    /** Whether the points are where the substep would have them. */
    private _areLed = false;

    constructor(readonly sticks: StickBodyArrays) {}

    /** Has pins tell what they ask. @param pins all of the body's @returns the particles that are held fast */
    take(pins: readonly PinSet[]): readonly number[] {
        const fast = new Map<number, PinSet>();
        for (const set of pins) for (const particle of set.isFast ? set.particles : []) fast.set(particle, set);
        const free = pins.filter(({ isFast }) => !isFast) as FreePins[];
        this._sets = free.map((set) => (set.embedding = new FreeHold(this, set.particles)));
        this._fast = [...fast.keys()];
        this._pins = [...fast.values()];
        this._resisting = new Float64Array(this._fast.length);
        this._free = [...new Set(free.flatMap(({ particles }) => Array.from(particles)))].filter((particle) => !fast.has(particle));
        const length = StickBodyHold.count * pins.reduce((sum, { particles }) => sum + particles.length, 0);
        if (this.records.length < length) this.records = new Float64Array(length);
        this.heldCount = 0;
        return this._fast;
    }

    /** Has the points weigh their shares of the body. @param mass of it [kg] */
    weigh(mass: number): void {
        this.share = mass / Math.max(1, this._free.length);
        const { inverseMasses } = this.sticks.particles;
        for (const particle of this._free) inverseMasses[particle] = 1 / this.share;
        this._fast.forEach((particle, i) => {
            const { drift, particles } = this._pins[i];
            const o = rowOf(particle);
            const { positions: x } = this.sticks.particles;
            this._resisting[i] = drift ? drift.leastMassAt(x[o], x[o + 1], x[o + 2]) / particles.length : 0;
            // It moves as the body does, whatever can be pulled.
            inverseMasses[particle] = 0;
        });
    }

    /** Has the points go where pins find them: where the sticks would have them. */
    lead(): void {
        if (!this._areLed) leadPoints(this.sticks, this._free);
        this._areLed = true;
    }

    /** Begins a record, of a particle that weighs its share. @returns where it begins */
    add(particle: number): number {
        const { records } = this;
        const r = this.heldCount++ * StickBodyHold.count;
        const { positions: x } = this.sticks.particles;
        records.fill(0, r, r + StickBodyHold.count);
        for (let c = 0; c < 3; c++) records[r + PLACE + c] = x[rowOf(particle) + c];
        records[r + MASS] = this.share;
        records[r + PARTICLE] = particle;
        return r;
    }

    /** All pins have told what they ask: what holds points fast is among it. */
    complete(): void {
        for (let i = 0; i < this._fast.length; i++) {
            const r = this.add(this._fast[i]);
            this.records[r + ACROSS] = this.records[r + ALONG] = this.records[r + AXIS] = 1;
            if (this._resisting[i] > 0) this._yield(i, r);
        }
    }

    /** Has the hold of the `i`-th point give way with what carries it. */
    private _yield(i: number, r: number): void {
        const { records } = this;
        const { previous } = this.sticks.particles;
        records[r + ACROSS] = records[r + ALONG] = this._resisting[i] / (records[r + MASS] + this._resisting[i]);
        // Where the body has it as the substep begins, and where the carrier does.
        const o = rowOf(this._fast[i]);
        this._readBefore(o);
        for (let c = 0; c < 3; c++) records[r + PLACE + c] += (1 - CLOSING) * (place[c] - previous[o + c]);
    }

    /** Writes {@link place}: where the body had a point when the last substep ended, by its four particles, which tell its axes. */
    private _readBefore(o: number): void {
        const { pose, locals, particles } = this.sticks;
        const { previous: p } = particles;
        for (let c = 0; c < 3; c++) {
            let sum = p[c] + p[ROW + c] + p[2 * ROW + c] + p[3 * ROW + c];
            for (let k = 0; k < 3; k++) {
                // Two of the four are on either side of the centre along an axis.
                const off = 2 * (p[c] + p[(k + 1) * ROW + c]) - (p[c] + p[ROW + c] + p[2 * ROW + c] + p[3 * ROW + c]);
                sum += (locals[o + k] / pose[StickBodyPose.radii + k]) * off;
            }
            place[c] = sum / 4;
        }
    }

    /** Has carriers of points that are held fast be pulled by the opposite of what the body was: it ends with the substep, see PinSet.feelPull. */
    private _pull(): void {
        const first = this.heldCount - this._fast.length;
        const { pose, locals } = this.sticks;
        for (let i = 0; i < this._fast.length; i++) {
            const { drift } = this._pins[i];
            if (!drift) continue;
            const r = (first + i) * StickBodyHold.count;
            const o = rowOf(this._fast[i]);
            for (let c = 0; c < 3; c++) {
                place[c] = pose[StickBodyPose.centre + c] + along(pose, StickBodyPose.axes, locals, o, c);
                back[c] = -this.records[r + IMPULSE + c];
            }
            drift.readArm(place, arm);
            drift.add(arm, back);
        }
    }

    /** Ends a substep: what pulls there were tells what the points weigh. */
    end(): void {
        if (this.heldCount > 0) this._pull();
        for (let i = 0; i < this._sets.length; i++) this._sets[i].weighAnew();
        this._areLed = false;
        this.heldCount = 0;
    }
}

/** What one set of pins asks that leaves its points free to go some ways. */
class FreeHold implements Embedding {
    /** Mass of each of its points, as a multiple of its share of the body. */
    private _heaviness = 1;
    /** Its records, from the first to that before the last. */
    private _first = 0;
    private _last = 0;

    constructor(
        private readonly _all: BodyHolds,
        private readonly _particles: Uint32Array,
    ) {}

    begin(): void {
        const { _all: all, _particles: particles, _heaviness: heaviness } = this;
        const { inverseMasses } = all.sticks.particles;
        all.lead();
        for (let i = 0; i < particles.length; i++)
            if (inverseMasses[particles[i]] > 0) inverseMasses[particles[i]] = 1 / (heaviness * all.share);
        this._first = this._last = all.heldCount;
    }

    /** Notes by what a particle is held, see Grasp. */
    note(particle: number, grasp: Float64Array): void {
        const { _all: all } = this;
        const r = all.add(particle);
        all.records[r + MASS] *= this._heaviness;
        for (let k = 0; k <= ALONG; k++) all.records[r + k] = grasp[k];
        this._last = all.heldCount;
    }

    weighAnew(): void {
        const { records, share } = this._all;
        let asked = 0;
        let given = 0;
        for (let c = 0; c < 3; c++) {
            let ways = 0;
            let pulls = 0;
            for (let n = this._first; n < this._last; n++) {
                const r = n * StickBodyHold.count;
                // What gives is no measure.
                if (records[r + ACROSS] < 1 && records[r + ALONG] < 1) continue;
                ways += records[r + MASS] * records[r + WAY + c];
                pulls += records[r + IMPULSE + c];
            }
            asked += ways * ways;
            given += pulls * pulls;
        }
        if (!(asked > (SMALL * share) ** 2)) return;
        const heaviness = this._heaviness * Math.sqrt(given / asked);
        if (heaviness >= 0) this._heaviness = Math.min(MOST, Math.max(LEAST, heaviness));
    }
}
