import { ADDED_MASS_SHARE, TIE_CLOSING_SHARE } from "../../tunables";
import { rowOf, Uniform } from "../../../kernels/layout";
import type { Body } from "../../bodies/body";
import { UnweldedPins } from "../unweldedPins";
import type { BodyState } from "../../state/state";
import type { Coupling } from "./coupling";

/** End of a tie: a particle of a body. As one of the body's pins, it prevents recorded substeps and wakes the body with the other. */
export class TieEnd extends UnweldedPins {
    /** Position of the particle after the integration of this substep, and position given to the tie [m], x y z. */
    readonly startPosition = new Float64Array(3);
    readonly joinedPosition = new Float32Array(3);
    readonly joinedPrevious = new Float32Array(3);
    override readonly isCoupling = true;
    /** True if the body takes the present substep. */
    isPresent = false;
    /** Tie, while it is active, and its other end. */
    tie: ParticleTie | null = null;
    other: TieEnd | null = null;
    /** Mass of the tie [kg]. */
    tieMass = 0;

    constructor(
        readonly body: Body,
        readonly particle: number,
    ) {
        super(Uint32Array.of(particle));
    }

    get row(): number {
        return rowOf(this.particle);
    }

    override get massScale(): number {
        const own = this.body.masses.massOf(this.particle);
        return own > 0 ? this.tieMass / own : 1;
    }

    /** It rests when both do. */
    override get isMoving(): boolean {
        return !(this.other?.body.sleep.isStill ?? true);
    }

    override moveToSubstep({ positions: x }: BodyState): void {
        this.isPresent = true;
        for (let c = 0, o = this.row; c < 3; c++) this.startPosition[c] = x[o + c];
    }

    override restart(): void {
        this.tie?.restart();
    }

    /** No node: the tie follows none. */
    override beginStep(): void {}
    override rebase(): void {}

    /** Mass of all of the body [kg]. */
    bodyMass(): number {
        const { body } = this;
        let mass = 0;
        for (let i = 0; i < body.state.particleCount; i++) mass += body.masses.massOf(i);
        return mass;
    }
}

/**
 * Ties a particle of one body to one of another: both are one particle, which each body's constraints move as their own.
 *
 *     rope ●━━●━━◉╌╌●╌╌● cloth      x = x₀ + g dt² + (J_a + J_b) / M,   J the impulses of each side's pass, M = m_a + m_b + lump
 *
 * The cloth's passes come first, then the rope's, from where those have pulled the tie: a chain is exact, passes over cloth are not. So momentum
 * is kept whatever the masses. What hangs on light particles would stretch what it hangs on by F dt² / M in each substep: the tie has a tenth of the heavier
 * side's mass in addition, as inertia; gravity does not act on that.
 */
export class ParticleTie implements Coupling {
    /** From the first side to the second [m]: it vanishes. */
    private readonly _offset = new Float64Array(3);
    /** True if one of the bodies has lately taken a substep without the other. */
    wasOutOfStep = false;
    private _addedMass = 0;
    private _revisionA = -1;
    private _revisionB = -1;

    /** @param a its passes come first; @param b its passes after contact come last */
    constructor(
        readonly a: TieEnd,
        readonly b: TieEnd,
    ) {
        [a.other, b.other] = [b, a];
        a.tie = b.tie = this;
        this.restart();
        this._computeMass();
        a.body.addPins(a);
        b.body.addPins(b);
    }

    get lastBody(): Body {
        return this.b.body;
    }

    /** Begins from where both sides are, in step with the first. */
    restart(): void {
        const { a, b } = this;
        const [p, q] = [a.body, b.body];
        for (let c = 0; c < 3; c++)
            this._offset[c] = q.state.positions[b.row + c] + q.origin[c] - (p.state.positions[a.row + c] + p.origin[c]);
        this.syncClocks();
    }

    /** Has the second body take its steps when the first does. */
    syncClocks(): void {
        this.wasOutOfStep = false;
        this.b.body.clock.restoreMotion(this.a.body.clock.saveMotion());
    }

    /** Unties it. */
    release(): void {
        this.a.body.removePins(this.a);
        this.b.body.removePins(this.b);
        this.a.other = this.b.other = this.a.tie = this.b.tie = null;
    }

    /** Follows the masses of both bodies. */
    updateMasses(): void {
        const { a, b } = this;
        if (a.body.state.massRevision === this._revisionA && b.body.state.massRevision === this._revisionB) return;
        const before = a.tieMass;
        this._computeMass();
        this._revisionA = a.body.state.massRevision;
        this._revisionB = b.body.state.massRevision;
        if (Math.abs(a.tieMass - before) <= 1e-6 * before) return;
        for (const { body } of [a, b]) {
            body.masses.invalidate();
            body.invalidate();
        }
    }

    private _computeMass(): void {
        const { a, b } = this;
        const heavier = Math.max(a.bodyMass() / tieCountOf(a.body), b.bodyMass() / tieCountOf(b.body));
        this._addedMass = ADDED_MASS_SHARE * heavier;
        a.tieMass = b.tieMass = a.body.masses.massOf(a.particle) + b.body.masses.massOf(b.particle) + this._addedMass;
    }

    /** Runs after the bodies of a substep have moved, before their collisions. */
    beforeContact(): void {
        const { a, b } = this;
        if (a.isPresent && b.isPresent) this._joinBoth();
        else if (a.isPresent) this._followStill(a, b, 1);
        else if (b.isPresent) this._followStill(b, a, -1);
        this.wasOutOfStep ||= a.isPresent !== b.isPresent;
    }

    /** Once they have met that: what contact has done to either side is done to both. */
    afterContact(): void {
        const { a, b, _offset: apart } = this;
        if (a.isPresent && b.isPresent) {
            const { positions: x, previous: p } = a.body.state;
            const { positions: y, previous: q } = b.body.state;
            for (let c = 0, k = a.row, l = b.row; c < 3; c++, k++, l++) {
                apart[c] *= 1 - TIE_CLOSING_SHARE;
                const moved = x[k] - a.joinedPosition[c];
                const met = y[l] - b.joinedPosition[c];
                const movedBefore = p[k] - a.joinedPrevious[c];
                const metBefore = q[l] - b.joinedPrevious[c];
                x[k] += met;
                y[l] += moved;
                p[k] += metBefore;
                q[l] += movedBefore;
            }
        }
        a.isPresent = b.isPresent = false;
    }

    private _joinBoth(): void {
        const { a, b, _offset: apart } = this;
        const first = a.body;
        const second = b.body;
        const { positions: x, previous: p, residuals: r, uniforms } = first.state;
        const { positions: y, previous: q, residuals: s } = second.state;
        const weightless = this._addedMass / a.tieMass;
        const share = second.masses.massOf(b.particle) / (first.masses.massOf(a.particle) + second.masses.massOf(b.particle));
        for (let c = 0, k = a.row, l = b.row; c < 3; c++, k++, l++) {
            const shift = first.origin[c] - second.origin[c] + apart[c];
            const begun =
                a.startPosition[c] +
                share * (b.startPosition[c] - shift - a.startPosition[c]) -
                weightless * uniforms[Uniform.gravity + c];
            const place = begun + (x[k] - a.startPosition[c]) + (y[l] - b.startPosition[c]);
            y[l] = place + shift;
            q[l] = p[k] + shift;
            s[l] = r[k] = 0;
        }
    }

    /** Once the second body's passes have moved it: the first follows. */
    afterLatePasses(): void {
        const { a, b, _offset: apart } = this;
        if (!a.isPresent || !b.isPresent) return;
        const first = a.body;
        const second = b.body;
        const { positions: x, previous: p } = first.state;
        const { positions: y, previous: q } = second.state;
        for (let c = 0, k = a.row, l = b.row; c < 3; c++, k++, l++) {
            const shift = first.origin[c] - second.origin[c] + apart[c];
            a.joinedPosition[c] = x[k] = y[l] - shift;
            a.joinedPrevious[c] = p[k] = q[l] - shift;
            b.joinedPosition[c] = y[l];
            b.joinedPrevious[c] = q[l];
        }
    }

    /** Moves the particle to the other body's, which does not move. */
    private _followStill({ body, row }: TieEnd, still: TieEnd, side: number): void {
        const { positions: x, previous: p } = body.state;
        for (let c = 0; c < 3; c++) {
            const place = still.body.state.positions[still.row + c] + still.body.origin[c] - body.origin[c];
            x[row + c] = p[row + c] = place - side * this._offset[c];
        }
    }
}

/** Number of ties that hold a body, at least one. */
function tieCountOf({ pins }: Body): number {
    let count = 0;
    for (const set of pins) if (set instanceof TieEnd) count++;
    return Math.max(1, count);
}
