/**
 * Twist of a rope between two ends whose turning is told. Its waves are far faster than others: it spreads at once, and one angle tells it.
 *
 *      u ↑     ↗ v          E = ½ β m² / L,   M = β m / L
 *     ━━━●━━━━●━━━          m: by how much the last end's direction across, v, is turned about the line from where the first's, u, comes to when it is
 *                           carried along from link to link the shortest way (parallel transport)
 *
 * Where the line is curved, its places change m: of three of them, with unit vectors a and b along the links and κ = 2 a × b / (1 + a · b),
 *
 *     ∂m/∂x₀ = -κ / 2 |x₁ - x₀|,   ∂m/∂x₂ = κ / 2 |x₂ - x₁|,   ∂m/∂x₁ = -∂m/∂x₀ - ∂m/∂x₂
 *
 * (Bergou et al. 2008, "Discrete elastic rods", eq. 9 and § 5). What ends are tied to is one more link, which does not give: the last link may lead where it likes, as
 * from a joint of constant velocity.
 */
import { MAX_SEGMENT_TWIST, MIN_FOLD_COSINE } from "../tunables";
import type { KernelFunctions } from "../../kernels/kernelTable";
import { rowOf } from "../../kernels/layout";
import type { RopeSettings } from "./ropeMaterial";
import type { BodyState } from "../state/state";
import { angleAbout, anyPerpendicular, parallelTransport } from "../math/parallelTransport";
import type { Constraint } from "../state/constraint";

/** Within a call. */
const [across, there, turn, gradient] = [new Float64Array(3), new Float64Array(3), new Float64Array(3), new Float64Array(3)];

/** Carrier of an end, which the end turns: see TwistPins. */
export interface TwistEnd {
    /** Unit vectors along the rope and across it, as they have turned with what carries them, in the present substep. */
    readonly along: Float64Array;
    readonly across: Float64Array;
    /** Rotation of the carrier about the rope by a unit of moment in a substep [1/(kg m²)]; 0: it cannot turn. */
    readonly mobility: number;
    /** Number of times it was attached. */
    readonly attachCount: number;
    /** Turns what carries it. @param moment times the square of the substep, x y z [kg m²]; changed */
    turnBy(moment: Float64Array): void;
    /** Writes {@link along} and {@link across} as they are drawn. */
    readRenderFrame(along: Float64Array, across: Float64Array): void;
}

export class Twist implements Constraint {
    readonly name = "twist";
    readonly count = 0;
    readonly byteLength = 0;
    /** Carriers of its first and last end in the present step; null: free. */
    readonly ends: [TwistEnd | null, TwistEnd | null] = [null, null];
    /** By how much the last end is turned against the first, right-handed about the line [rad], full turns included; 0 where one is free. */
    angle = 0;
    /** Moment on the ends [N m]. */
    moment = 0;
    /** Moment per angle [N m], the most of it, and the square of the substep [s²]. */
    private _stiffness = 0;
    private _maxMoment = 0;
    private _substepSquared = 0;
    /** Unit vectors along the links, and their lengths [m]. */
    private readonly _along: Float64Array;
    private readonly _lengths: Float64Array;

    /** @param _lengthShares what of the rope's length each link is, shape [linkCount] */
    constructor(private readonly _lengthShares: Float32Array) {
        this._along = new Float64Array(3 * _lengthShares.length);
        this._lengths = new Float64Array(_lengthShares.length);
    }

    /** Begins a step: what holds ends tells so. */
    beginStep(): void {
        this.ends[0] = this.ends[1] = null;
    }

    /** Begins anew, without twist. */
    restart(): void {
        this.ends.fill(null);
        this.angle = this.moment = 0;
    }

    prepare(_state: BodyState, { rope }: RopeSettings, substep: number): void {
        const { twistStiffness, bendStiffness, length } = rope;
        let shortest = Infinity;
        for (let j = 0; j < this._lengthShares.length; j++) shortest = Math.min(shortest, this._lengthShares[j] * length);
        this._stiffness = twistStiffness / length;
        this._maxMoment = (MAX_SEGMENT_TWIST * bendStiffness) / shortest;
        this._substepSquared = substep * substep;
    }

    /** Uses the line before the substep: as predicted without forces, moments across short segments would throw it to and fro. */
    project(_kernels: KernelFunctions, state: BodyState): void {
        const [start, end] = this.ends;
        if (!start || !end) {
            this.angle = this.moment = 0;
            return;
        }
        this._measureLinks(state.previous);
        this._measure(start, end);
        const giving = this._substepSquared * this._stiffness * (start.mobility + end.mobility);
        const moment = (this._stiffness * this.angle) / (1 + giving);
        this.moment = Math.max(-this._maxMoment, Math.min(this._maxMoment, moment));
        if (this.moment !== 0) this._applyMoments(state, start, end);
    }

    /** Has no length. */
    measureStretch(): void {}

    release(): void {}

    /** Writes unit vectors along the link at an end and across it, as no twist has them: as the other end's are carried there, or any. */
    readFrame(state: BodyState, isEnd: boolean, along: Float64Array, target: Float64Array): void {
        this._measureLinks(state.positions);
        const { _along: links, ends: holds } = this;
        const last = links.length - 3;
        const other = holds[isEnd ? 0 : 1];
        const to = isEnd ? last : 0;
        let at = other ? last - to : 0;
        if (other) {
            target.set(other.across);
            parallelTransport(target, other.along, 0, links, at);
        } else anyPerpendicular(links, at, target);
        for (const step = to > at ? 3 : -3; at !== to; at += step) parallelTransport(target, links, at, links, at + step);
        along.set(links.subarray(to, to + 3));
    }

    private _measureLinks(x: Float32Array): void {
        const { _along: along, _lengths: lengths } = this;
        for (let j = 0, o = 0; j < lengths.length; j++, o += 3) {
            const a = rowOf(j);
            const b = rowOf(j + 1);
            const dx = x[b] - x[a];
            const dy = x[b + 1] - x[a + 1];
            const dz = x[b + 2] - x[a + 2];
            const length = (lengths[j] = Math.sqrt(dx * dx + dy * dy + dz * dz));
            if (!(length > 0)) continue;
            along[o] = dx / length;
            along[o + 1] = dy / length;
            along[o + 2] = dz / length;
        }
    }

    /** Follows the angle, which goes on from turn to turn. */
    private _measure(start: TwistEnd, end: TwistEnd): void {
        const { _along: links } = this;
        const last = links.length - 3;
        across.set(start.across);
        parallelTransport(across, start.along, 0, links, 0);
        for (let o = 0; o < last; o += 3) parallelTransport(across, links, o, links, o + 3);
        there.set(end.across);
        parallelTransport(there, end.along, 0, links, last);
        const more = angleAbout(links, last, across, there) - this.angle;
        this.angle += more - 2 * Math.PI * Math.round(more / (2 * Math.PI));
    }

    /** Pushes places and what the ends are tied to, as the twist has them. */
    private _applyMoments(state: BodyState, start: TwistEnd, end: TwistEnd): void {
        const { _along: links, _lengths: lengths, moment } = this;
        const last = lengths.length - 1;
        for (let j = 0; j < last; j++) {
            if (!this._curvatureAt(links, 3 * j, links, 3 * j + 3)) continue;
            this._applyForcePair(state, j, lengths[j]);
            this._applyForcePair(state, j + 1, lengths[j + 1]);
        }
        if (this._curvatureAt(start.along, 0, links, 0)) this._applyForcePair(state, 0, lengths[0]);
        this._turnEnd(start, 0, moment);
        if (this._curvatureAt(links, 3 * last, end.along, 0)) this._applyForcePair(state, last, lengths[last]);
        this._turnEnd(end, 3 * last, -moment);
    }

    /** Writes κ of two unit vectors; false where they are one. */
    private _curvatureAt(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
        const cos = a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2];
        const scale = 2 / Math.max(MIN_FOLD_COSINE, 1 + cos);
        for (let c = 0; c < 3; c++) {
            const d = (c + 1) % 3;
            const e = (c + 2) % 3;
            gradient[c] = scale * (a[i + d] * b[j + e] - a[i + e] * b[j + d]);
        }
        return gradient[0] !== 0 || gradient[1] !== 0 || gradient[2] !== 0;
    }

    /** Pushes the first end of a link by -M ∂m/∂x, and the second the other way. */
    private _applyForcePair({ positions: x, inverseMasses: w }: BodyState, link: number, length: number): void {
        if (!(length > 0)) return;
        const force = (this.moment * this._substepSquared) / (2 * length);
        for (let c = 0, a = rowOf(link), b = rowOf(link + 1); c < 3; c++) {
            x[a + c] += w[link] * force * gradient[c];
            x[b + c] -= w[link + 1] * force * gradient[c];
        }
    }

    /** Turns what an end is tied to by a moment about its link. */
    private _turnEnd(pins: TwistEnd, link: number, moment: number): void {
        const { _along: links } = this;
        let cos = 0;
        for (let c = 0; c < 3; c++) cos += pins.along[c] * links[link + c];
        const size = (moment * this._substepSquared) / Math.max(MIN_FOLD_COSINE, 1 + cos);
        for (let c = 0; c < 3; c++) turn[c] = size * (pins.along[c] + links[link + c]);
        pins.turnBy(turn);
    }
}
