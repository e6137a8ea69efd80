import { rowOf, Uniform } from "../../kernels/layout";
import type { Body } from "../body";
import { FreePins } from "../pins/freePins";
import type { BodyState } from "../state";
import type { Tie } from "./tie";

/** A knot has so much of the heavier side's mass in addition, as inertia without weight: what is light could not hand on what pulls it. */
const LUMP = 0.1;
/** Ends that are apart when they are tied come together by this share a substep. */
const CLOSING = 0.05;

/** One side of a knot: a particle of a body. Its presence among the body's pins keeps that from being recorded, and wakes it with the other. */
export class KnotSide extends FreePins {
    /** Where the integration of this substep has left the particle, and where the knot was put [m], x y z. */
    readonly begun = new Float64Array(3);
    readonly joined = new Float32Array(3);
    readonly joinedBefore = new Float32Array(3);
    override readonly isTie = true;
    /** Whether its body takes the present substep. */
    isPresent = false;
    /** The knot, while it is tied, and its other side. */
    knot: Knot | null = null;
    other: KnotSide | null = null;
    /** Mass of the knot [kg]. */
    knotMass = 0;

    constructor(
        readonly body: Body,
        readonly particle: number,
    ) {
        super(Uint32Array.of(particle));
    }

    get row(): number {
        return rowOf(this.particle);
    }

    override get heaviness(): number {
        const own = this.body.masses.of(this.particle);
        return own > 0 ? this.knotMass / own : 1;
    }

    /** It rests when both do. */
    override get isMoving(): boolean {
        return !(this.other?.body.sleep.isStill ?? true);
    }

    override moveTo({ positions: x }: BodyState): void {
        this.isPresent = true;
        for (let c = 0, o = this.row; c < 3; c++) this.begun[c] = x[o + c];
    }

    override restart(): void {
        this.knot?.begin();
    }

    /** Nothing carries it. */
    override beginStep(): void {}
    override rebase(): void {}

    /** Mass of all of the body [kg]. */
    weigh(): number {
        const { body } = this;
        let mass = 0;
        for (let i = 0; i < body.state.particleCount; i++) mass += body.masses.of(i);
        return mass;
    }
}

/**
 * Ties a particle of one body to one of another: both are one particle, which each body's constraints move as their own.
 *
 *     rope ●━━●━━◉╌╌●╌╌● cloth      x = x₀ + g dt² + (J_a + J_b) / M,   J the impulses of each side's pass, M = m_a + m_b + lump
 *
 * The cloth's passes come first, then the rope's, from where those have pulled the knot: a chain is exact, passes over cloth are not. So momentum
 * is kept whatever the masses. What hangs on light particles would stretch what it hangs on by F dt² / M in each substep: the knot has a tenth of the heavier
 * side's mass in addition, as inertia; gravity does not act on that.
 */
export class Knot implements Tie {
    /** From the first side to the second [m]: it vanishes. */
    private readonly _apart = new Float64Array(3);
    /** Whether one of the bodies has lately taken a substep without the other. */
    wasApart = false;
    private _lump = 0;
    private _revisionA = -1;
    private _revisionB = -1;

    /** @param a its passes come first; @param b its passes after contact come last */
    constructor(
        readonly a: KnotSide,
        readonly b: KnotSide,
    ) {
        [a.other, b.other] = [b, a];
        a.knot = b.knot = this;
        this.begin();
        this._weigh();
        a.body.addPins(a);
        b.body.addPins(b);
    }

    get last(): Body {
        return this.b.body;
    }

    /** Begins from where both sides are, in step with the first. */
    begin(): void {
        const { a, b } = this;
        const [p, q] = [a.body, b.body];
        for (let c = 0; c < 3; c++)
            this._apart[c] = q.state.positions[b.row + c] + q.origin[c] - (p.state.positions[a.row + c] + p.origin[c]);
        this.keepTime();
    }

    /** Has the second body take its steps when the first does. */
    keepTime(): void {
        this.wasApart = false;
        this.b.body.clock.takeMotion(this.a.body.clock.copyMotion());
    }

    /** Unties it. */
    release(): void {
        this.a.body.removePins(this.a);
        this.b.body.removePins(this.b);
        this.a.other = this.b.other = this.a.knot = this.b.knot = null;
    }

    /** Follows the masses of both bodies. */
    review(): void {
        const { a, b } = this;
        if (a.body.state.massRevision === this._revisionA && b.body.state.massRevision === this._revisionB) return;
        const before = a.knotMass;
        this._weigh();
        this._revisionA = a.body.state.massRevision;
        this._revisionB = b.body.state.massRevision;
        if (Math.abs(a.knotMass - before) <= 1e-6 * before) return;
        for (const { body } of [a, b]) {
            body.masses.invalidate();
            body.invalidate();
        }
    }

    private _weigh(): void {
        const { a, b } = this;
        const heavier = Math.max(a.weigh() / knotsOf(a.body), b.weigh() / knotsOf(b.body));
        this._lump = LUMP * heavier;
        a.knotMass = b.knotMass = a.body.masses.of(a.particle) + b.body.masses.of(b.particle) + this._lump;
    }

    /** Once the bodies of a substep have moved, ahead of what they meet. */
    join(): void {
        const { a, b } = this;
        if (a.isPresent && b.isPresent) this._joinBoth();
        else if (a.isPresent) this._follow(a, b, 1);
        else if (b.isPresent) this._follow(b, a, -1);
        this.wasApart ||= a.isPresent !== b.isPresent;
    }

    /** Once they have met that: what contact has done to either side is done to both. */
    end(): void {
        const { a, b, _apart: apart } = this;
        if (a.isPresent && b.isPresent) {
            const { positions: x, previous: p } = a.body.state;
            const { positions: y, previous: q } = b.body.state;
            for (let c = 0, k = a.row, l = b.row; c < 3; c++, k++, l++) {
                apart[c] *= 1 - CLOSING;
                const moved = x[k] - a.joined[c];
                const met = y[l] - b.joined[c];
                const movedBefore = p[k] - a.joinedBefore[c];
                const metBefore = q[l] - b.joinedBefore[c];
                x[k] += met;
                y[l] += moved;
                p[k] += metBefore;
                q[l] += movedBefore;
            }
        }
        a.isPresent = b.isPresent = false;
    }

    private _joinBoth(): void {
        const { a, b, _apart: apart } = this;
        const first = a.body;
        const second = b.body;
        const { positions: x, previous: p, residuals: r, uniforms } = first.state;
        const { positions: y, previous: q, residuals: s } = second.state;
        const weightless = this._lump / a.knotMass;
        const share = second.masses.of(b.particle) / (first.masses.of(a.particle) + second.masses.of(b.particle));
        for (let c = 0, k = a.row, l = b.row; c < 3; c++, k++, l++) {
            const shift = first.origin[c] - second.origin[c] + apart[c];
            const begun = a.begun[c] + share * (b.begun[c] - shift - a.begun[c]) - weightless * uniforms[Uniform.gravity + c];
            const place = begun + (x[k] - a.begun[c]) + (y[l] - b.begun[c]);
            y[l] = place + shift;
            q[l] = p[k] + shift;
            s[l] = r[k] = 0;
        }
    }

    /** Once the second body's passes have moved it: the first follows. */
    hand(): void {
        const { a, b, _apart: apart } = this;
        if (!a.isPresent || !b.isPresent) return;
        const first = a.body;
        const second = b.body;
        const { positions: x, previous: p } = first.state;
        const { positions: y, previous: q } = second.state;
        for (let c = 0, k = a.row, l = b.row; c < 3; c++, k++, l++) {
            const shift = first.origin[c] - second.origin[c] + apart[c];
            a.joined[c] = x[k] = y[l] - shift;
            a.joinedBefore[c] = p[k] = q[l] - shift;
            b.joined[c] = y[l];
            b.joinedBefore[c] = q[l];
        }
    }

    /** Where the other body does not move, it holds its particle. */
    private _follow({ body, row }: KnotSide, still: KnotSide, side: number): void {
        const { positions: x, previous: p } = body.state;
        for (let c = 0; c < 3; c++) {
            const place = still.body.state.positions[still.row + c] + still.body.origin[c] - body.origin[c];
            x[row + c] = p[row + c] = place - side * this._apart[c];
        }
    }
}

/** How many knots hold a body, at least one. */
function knotsOf({ pins }: Body): number {
    let count = 0;
    for (const set of pins) if (set instanceof KnotSide) count++;
    return Math.max(1, count);
}
