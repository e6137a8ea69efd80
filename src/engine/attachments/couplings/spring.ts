/**
 * A spring with a damper between two particles, of one body or of two, beside what XPBD projects.
 *
 *     a ●╌╌╱╲╱╲╌╌● b        F = k (|b - a| - L) + c n·(v_b - v_a),   n from a to b
 *       ╌╌╌╞═╌╌╌            what each end goes farther in the next substep: ± F h² w n
 *
 * F is found where a substep has left both ends, when they have met what they meet, and goes to the residuals, from which Verlet's method takes it, as more than what damping takes of those: so it is the
 * spring of that method (Hairer 2003), which keeps momentum and spin, gains no energy, and has the period 2π/ω of a free pair within (ω h)²/24. At rest F is k u
 * whatever the substep is, since nothing moves.
 *
 * With W = w_a + w_b, each w as often as springs meet in the particle (so that all of them together are no stiffer than one: mass splitting, Tonge 2012), κ = k W h²
 * and γ = c W h, the roots of z² - (2 - κ - δ) z + 1 - δ are stable where κ + 2 δ < 4: κ is 1 at most, δ = 1 - 1 / (1 + γ + γ²/2) = 1 - e^-γ + O(γ³) below 1, and what
 * is stiffer than κ = 1/2 is damped besides, as no substep tells its period. A light particle that is held by many others cannot hand on what such a
 * spring pulls: it has so much inertia more, without weight, that κ is 1/2, and that it goes no farther by the force alone than its neighbours are off (beyond that what holds it
 * across swings up), a tenth of the heavier body at most.
 */
import { MAX_RESOLVED_STIFFNESS, SPRING_STILL_STEPS } from "../../tunables";
import { rowOf } from "../../../kernels/layout";
import { springEndsAt } from "./springEnd";
import type { SpringEnd } from "./springEnd";
import type { Coupling } from "./coupling";

/** An end has so much of the heavier body's mass in addition, at most. */
const ADDED_MASS_SHARE = 0.1;
/** Ends that are nearer have no direction [m]. */
const MIN_LENGTH = 1e-9;

/** Within a call: from the first end to the second [m], and how fast it grows [m/s]. */
const delta = new Float64Array(3);
const relativeVelocity = new Float64Array(3);

/** Parameters of a spring. */
export interface SpringLaw {
    /** Force by length [N/m], >= 0. */
    stiffness: number;
    /** Force by speed [N s/m], >= 0. */
    damping: number;
    /** At rest [m], >= 0. */
    length: number;
    /** Force above which the spring breaks, pulling or pushing, in a substep [N]. */
    breakForce: number;
}

/** See the top of the file. */
export class SpringCoupling implements Coupling {
    readonly lastBody = null;
    /** With how much it has pulled in the last substep [N]; below zero: pushed. */
    force = 0;
    isBroken = false;
    private _revisionA = -1;
    private _revisionB = -1;
    /** The largest force that ends have inertia for [N]. */
    private _maxForce = 0;

    constructor(
        readonly a: SpringEnd,
        readonly b: SpringEnd,
        readonly law: SpringLaw,
    ) {
        [a.other, b.other] = [b, a];
        a.spring = b.spring = this;
        for (const end of [a, b]) {
            end.body.addPins(end);
            updateValence(end);
        }
    }

    /** Distance between the ends [m]. */
    measure(): number {
        this._readDelta();
        return Math.sqrt(delta[0] * delta[0] + delta[1] * delta[1] + delta[2] * delta[2]);
    }

    release(): void {
        for (const end of [this.a, this.b]) {
            end.body.removePins(end);
            end.other = end.spring = null;
            end.addedMass = 0;
            updateValence(end);
        }
    }

    /** Begins anew: how hard it has pulled is forgotten, and the inertia that its ends had for that with it. */
    restart(): void {
        this.force = 0;
        this._revisionA = -1;
        this._maxForce = 0;
    }

    /** The law has changed. */
    onLawChanged(): void {
        this.restart();
        for (const { body } of [this.a, this.b]) body.wake();
    }

    /** Follows the masses of both bodies. */
    updateMasses(): void {
        const { a, b } = this;
        if (a.isReleased || b.isReleased) return;
        // Before they are prepared, they weigh nothing.
        a.body.prepare();
        b.body.prepare();
        const { massRevision: p } = a.body.state;
        const { massRevision: q } = b.body.state;
        if (p === this._revisionA && q === this._revisionB) return;
        this._revisionA = p;
        this._revisionB = q;
        const most = ADDED_MASS_SHARE * Math.max(a.bodyMass(), b.bodyMass());
        for (const end of [a, b]) {
            end.readRates();
            const share = end.substep * end.substep;
            end.wantedMass = Math.min(
                most,
                Math.max((this.law.stiffness * share) / MAX_RESOLVED_STIFFNESS, (this._maxForce * share) / end.spacing),
            );
            updateAddedMass(end);
        }
    }

    beforeContact(): void {}
    afterLatePasses(): void {}

    afterContact(): void {
        const { a, b } = this;
        const isOne = a.isPresent && b.isPresent;
        if (!a.isPresent && !b.isPresent) return;
        a.endSubstepOf();
        b.endSubstepOf();
        if (this.isBroken) return;
        // Of two that take their substeps apart, those of the first count.
        if (a.missedSubsteps === 0) this._applyForce(a, isOne, true, !isStill(b, a));
        else if (isStill(a, b)) this._applyForce(b, true, false, true);
    }

    /**
     * Pulls both ends. No numbers as arguments: they would be boxed.
     * @param first for a substep of whose body
     * @param isHeard whether the other hears of it within that; else after a step
     */
    private _applyForce(first: SpringEnd, isHeard: boolean, pullsA: boolean, pullsB: boolean): void {
        const { a, b, law } = this;
        this._readDelta();
        const size = Math.sqrt(delta[0] * delta[0] + delta[1] * delta[1] + delta[2] * delta[2]);
        const time = first.substep;
        const span = isHeard ? time : Math.max(a.step, b.step);
        const wa = pullsA ? a.inverseMass : 0;
        const wb = pullsB ? b.inverseMass : 0;
        const split = wa * a.valence + wb * b.valence;
        if (!(split > 0 && size > MIN_LENGTH)) return;
        relativeVelocity.fill(0);
        if (pullsA) addVelocity(a, -1);
        if (pullsB) addVelocity(b, 1);
        let speed = 0;
        for (let c = 0; c < 3; c++) speed += (delta[c] * relativeVelocity[c]) / size;
        const told = law.stiffness * split * span * span;
        const stiffness = told > 1 ? 1 / (split * span * span) : law.stiffness;
        // What is heard late drives: a spring that is late by a time by as much as a damper of its stiffness times that takes.
        const least = span > time ? Math.min(1, told) : (Math.min(1, told) - MAX_RESOLVED_STIFFNESS) / (1 - MAX_RESOLVED_STIFFNESS);
        const damped = Math.max(law.damping * split * span, least);
        const damping = (1 - 1 / (1 + damped + (damped * damped) / 2)) / (split * span);
        const force = stiffness * (size - law.length) + damping * speed;
        if (!(force > -Infinity && force < Infinity)) return;
        this.force = force;
        // With room, for there to be few such times.
        if (Math.abs(force) > this._maxForce) {
            this._maxForce = 2 * Math.abs(force);
            this._revisionA = -1;
        }
        if (Math.abs(force) > law.breakForce) {
            this.isBroken = true;
            this.force = 0;
            return;
        }
        const impulse = (force * time) / size;
        for (let c = 0; c < 3; c++) delta[c] *= impulse;
        if (pullsA) applyImpulse(a, true);
        if (pullsB) applyImpulse(b, false);
    }

    private _readDelta(): void {
        const { a, b } = this;
        const { positions: x } = a.body.state;
        const { positions: y } = b.body.state;
        for (let c = 0, k = rowOf(a.particle), l = rowOf(b.particle); c < 3; c++)
            delta[c] = y[l + c] - x[k + c] + (b.body.origin[c] - a.body.origin[c]);
    }
}

/** True if an end's body has been at rest for a while. */
function isStill(end: SpringEnd, other: SpringEnd): boolean {
    return end.missedSubsteps > SPRING_STILL_STEPS * other.body.settings.substepCount;
}

/** Adds how fast an end moves. */
function addVelocity(end: SpringEnd, side: number): void {
    const { positions: x, previous: p, residuals: r } = end.body.state;
    const share = side / end.substep;
    for (let c = 0, o = rowOf(end.particle); c < 3; c++, o++) relativeVelocity[c] += share * (x[o] - p[o] + r[o]);
}

/** Gives an end an impulse, {@link delta} or its opposite [N s]. */
function applyImpulse(end: SpringEnd, isFirst: boolean): void {
    const { body, particle } = end;
    const { residuals: r, inverseMasses } = body.state;
    const share = ((isFirst ? 1 : -1) * inverseMasses[particle] * end.substep) / end.keptShare;
    for (let c = 0, o = rowOf(particle); c < 3; c++) r[o + c] += share * delta[c];
}

/** Tells all ends at a particle how many they are. */
function updateValence({ body, particle }: SpringEnd): void {
    const ends = springEndsAt(body, particle);
    for (const end of ends) end.valence = ends.length;
    if (ends.length > 0) updateAddedMass(ends[0]);
}

/** Gives the particle of an end the inertia that its springs ask for. */
function updateAddedMass({ body, particle }: SpringEnd): void {
    const ends = springEndsAt(body, particle);
    let wanted = 0;
    for (const end of ends) wanted += end.wantedMass;
    const lump = Math.max(0, wanted - body.masses.massOf(particle));
    ends.forEach((end, k) => {
        const own = k === 0 ? lump : 0;
        if (Math.abs(end.addedMass - own) <= 1e-6 * own) return;
        end.setAddedMass(own);
        body.masses.invalidate();
        body.invalidate();
    });
}
