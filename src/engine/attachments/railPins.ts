/**
 * Pins on a rail: particles that slide along a line of straight pieces, as a curtain's rings do.
 *
 *     ●━━━○━━○━━━━━━━●        every substep each particle goes to the nearest point of the rail; what it moves along it stays its motion,
 *         │  │       ┃        less friction. They keep their order, and such distances as asked for.
 *         x  x       ●
 */
import { RING_MASS_SCALE } from "../tunables";
import { rowOf } from "../../kernels/layout";
import { UnweldedPins } from "./unweldedPins";
import { CORRECTION_ACROSS, CORRECTION_ALONG, CORRECTION_AXIS } from "./pinCorrection";
import { pinCorrection } from "./pinForce";
import type { PinForce } from "./pinForce";
import type { BodyState } from "../state/state";
import { dot } from "../math/vector";

/** A rail. */
export interface Rail {
    /** Corners in the carrying frame, two or more; shape [cornerCount, 3]. */
    readonly corners: Float64Array;
    /** Coulomb friction coefficient, >= 0. */
    readonly friction: number;
    /** Least and greatest distance of two neighbours along the rail [m], >= 0; Infinity: any. */
    readonly spacing: number;
    readonly maxSpacing: number;
}

/** Smallest distance along the rail that counts as off its end [m]: the rounding error of positions in 32 bits. */
const END_TOLERANCE = 1e-5;

/** Within a call: a corner, how far it drifts, a place [m]. */
const corner = new Float64Array(3);
const driftStep = new Float64Array(3);
const place = new Float64Array(3);

/** See the top of the file. The rail's corners follow the frame. */
export class RailPins extends UnweldedPins {
    /** Particles in the order in which they sit on the rail, from its first corner on; null: not known yet. */
    private _order: Uint32Array | null = null;
    /** Corners now, lengths of the rail up to each [m], and where each particle is, as such a length. */
    private readonly _corners: Float64Array;
    private readonly _lengths: Float64Array;
    private readonly _railPositions: Float64Array;
    /** See {@link _findSegment}. */
    private _segment = 1;
    private _share = 0;
    /** Displacement of each corner in a substep [m], shape [cornerCount, 3]. */
    private readonly _displacements: Float64Array;

    constructor(
        particles: Uint32Array,
        private readonly _rail: Rail,
        grip: PinForce | null = null,
    ) {
        super(particles, _rail.corners, grip);
        this._corners = new Float64Array(_rail.corners.length);
        this._displacements = new Float64Array(_rail.corners.length);
        this._lengths = new Float64Array(_rail.corners.length / 3);
        this._railPositions = new Float64Array(particles.length);
    }

    override get massScale(): number {
        return this._force ? 1 : RING_MASS_SCALE;
    }

    protected override _correctAll(state: BodyState, done: number, count: number): void {
        this._updateRail(done, count);
        this._projectOntoRail(state);
    }

    /** Those that it still holds keep their order. */
    protected override _onRelease(): void {
        this._order = null;
    }

    /** Lays the rail where it is after `done` of `count` substeps. */
    private _updateRail(done: number, count: number): void {
        const {
            _corners: corners,
            _displacements: displacements,
            _lengths: lengths,
            _stepFrom: from,
            _stepTo: to,
            dynamicCarrier: drift,
        } = this;
        for (let q = 0; q < corners.length; q++) {
            displacements[q] = (to[q] - from[q]) / count;
            corners[q] = from[q] + displacements[q] * done;
        }
        for (let q = 0; drift && q < corners.length; q += 3) {
            drift.movePoint(corners, q);
            this._readCorner(q);
            drift.readDrifted(corner, driftStep);
            for (let c = 0; c < 3; c++) displacements[q + c] += driftStep[c];
        }
        for (let k = 1, q = 3; k < lengths.length; k++, q += 3) {
            const x = corners[q] - corners[q - 3];
            const y = corners[q + 1] - corners[q - 2];
            const z = corners[q + 2] - corners[q - 1];
            lengths[k] = lengths[k - 1] + Math.sqrt(x * x + y * y + z * z);
        }
    }

    /** Puts the particles on the rail. */
    private _projectOntoRail(state: BodyState): void {
        const { positions: x, inverseMasses } = state;
        const { particles } = this;
        for (let i = 0; i < particles.length; i++) this._findRailPosition(x, i);
        this._order ??= sortedOrder(this._railPositions).filter((i) => this._force?.isHeld(i) ?? true);
        this._enforceSpacing(inverseMasses, this._order);
        for (let i = 0; i < particles.length; i++)
            if (inverseMasses[particles[i]] > 0 && this._force?.isHeld(i) !== false) this._moveToRail(state, i);
    }

    /** Finds the place of the `i`-th particle: length of the rail up to the point of it that is nearest [m]. */
    private _findRailPosition(x: Float32Array, i: number): void {
        const { _corners: corners, _lengths: lengths, _railPositions: places } = this;
        const o = rowOf(this.particles[i]);
        let least = Infinity;
        places[i] = 0;
        for (let k = 1, q = 0; k < lengths.length; k++, q += 3) {
            const length = lengths[k] - lengths[k - 1];
            if (length === 0) continue;
            const ux = (corners[q + 3] - corners[q]) / length;
            const uy = (corners[q + 4] - corners[q + 1]) / length;
            const uz = (corners[q + 5] - corners[q + 2]) / length;
            const dx = x[o] - corners[q];
            const dy = x[o + 1] - corners[q + 1];
            const dz = x[o + 2] - corners[q + 2];
            const along = Math.min(length, Math.max(0, dx * ux + dy * uy + dz * uz));
            const ex = dx - along * ux;
            const ey = dy - along * uy;
            const ez = dz - along * uz;
            const squared = ex * ex + ey * ey + ez * ez;
            if (squared >= least) continue;
            least = squared;
            places[i] = lengths[k - 1] + along;
        }
    }

    /**
     * Keeps the particles in order, apart and together: two that are too near or too far share the way, what is held elsewhere gives
     * none; the ends hold all.
     */
    private _enforceSpacing(inverseMasses: Float32Array, order: Uint32Array): void {
        const { particles, _railPositions: places, _lengths: lengths } = this;
        const end = lengths[lengths.length - 1];
        const last = order.length - 1;
        const spacing = Math.min(this._rail.spacing, end / Math.max(1, last));
        const maxSpacing = Math.max(this._rail.maxSpacing, spacing);
        for (let k = 1; k <= last; k++) {
            const gap = places[order[k]] - places[order[k - 1]];
            const off = gap < spacing ? spacing - gap : gap > maxSpacing ? maxSpacing - gap : 0;
            if (off === 0) continue;
            if (inverseMasses[particles[order[k - 1]]] > 0) places[order[k - 1]] -= off / 2;
            if (inverseMasses[particles[order[k]]] > 0) places[order[k]] += off / 2;
        }
        for (let k = last, least = -Infinity, most = end; k >= 0; k--) {
            const i = order[k];
            if (inverseMasses[particles[i]] > 0) places[i] = Math.max(least, Math.min(most, places[i]));
            least = places[i] - maxSpacing;
            most = places[i] - spacing;
        }
        for (let k = 0, least = 0, most = Infinity; k <= last; k++) {
            const i = order[k];
            if (inverseMasses[particles[i]] > 0) places[i] = Math.max(least, Math.min(most, places[i]));
            least = places[i] + spacing;
            most = places[i] + maxSpacing;
        }
    }

    /** Finds the rail segment of the `i`-th particle, by the corner at its end, and the share of the segment before the particle. */
    private _findSegment(i: number): void {
        const { _lengths: lengths, _railPositions: places } = this;
        let k = 1;
        while (k < lengths.length - 1 && lengths[k] < places[i]) k++;
        const length = lengths[k] - lengths[k - 1];
        this._segment = k;
        this._share = length > 0 ? (places[i] - lengths[k - 1]) / length : 0;
    }

    protected override _readAt(corners: Float64Array, i: number, target: Float64Array): void {
        this._findSegment(i);
        const q = 3 * (this._segment - 1);
        for (let c = q; c < q + 3; c++) target[c - q] = corners[c] + this._share * (corners[c + 3] - corners[c]);
    }

    /** Puts the `i`-th particle at its place; friction takes of its motion along the rail, against that of the rail. */
    private _moveToRail(state: BodyState, i: number): void {
        const { positions: x, previous } = state;
        const { _corners: corners, _displacements: displacements, _lengths: lengths, _force: grip } = this;
        const { friction } = this._rail;
        const o = rowOf(this.particles[i]);
        this._readAt(corners, i, place);
        const { _segment: k, _share: share } = this;
        const length = lengths[k] - lengths[k - 1];
        const q = 3 * (k - 1);
        const ux = corners[q + 3] - corners[q];
        const uy = corners[q + 4] - corners[q + 1];
        const uz = corners[q + 5] - corners[q + 2];
        for (let c = 0; c < 3; c++) pinCorrection[c] = x[o + c] - place[c];
        const isAtEnd = Math.abs(pinCorrection[0] * ux + pinCorrection[1] * uy + pinCorrection[2] * uz) > END_TOLERANCE * length;
        const held = grip ? grip.scaleCorrection(state, this.particles[i], i, pinCorrection) : 1;
        pinCorrection[CORRECTION_ACROSS] = held;
        // A piece of no length leads nowhere.
        pinCorrection[CORRECTION_ALONG] = isAtEnd || length === 0 ? held : 0;
        for (let c = 0; c < 3; c++)
            pinCorrection[CORRECTION_AXIS + c] = length > 0 ? (corners[q + 3 + c] - corners[q + c]) / length : 0;
        if (friction > 0 && length > 0) {
            // From where it goes, which is not on the rail where its hold gives.
            const d = displacements;
            const vx = x[o] - pinCorrection[0] - previous[o] - d[q] - share * (d[q + 3] - d[q]);
            const vy = x[o + 1] - pinCorrection[1] - previous[o + 1] - d[q + 1] - share * (d[q + 4] - d[q + 1]);
            const vz = x[o + 2] - pinCorrection[2] - previous[o + 2] - d[q + 2] - share * (d[q + 5] - d[q + 2]);
            const along = (vx * ux + vy * uy + vz * uz) / length;
            const most = friction * Math.sqrt(dot(pinCorrection, pinCorrection));
            const taken = Math.max(-most, Math.min(most, along));
            const back = taken / length;
            pinCorrection[0] += back * ux;
            pinCorrection[1] += back * uy;
            pinCorrection[2] += back * uz;
            if (along !== 0) pinCorrection[CORRECTION_ALONG] = Math.max(pinCorrection[CORRECTION_ALONG], taken / along);
        }
        this._applyCorrection(state, i);
    }

    private _readCorner(q: number): void {
        for (let c = 0; c < 3; c++) corner[c] = this._corners[q + c];
    }
}

/** Numbers of places in ascending order. Apart: where there is a closure, each entry costs memory. */
function sortedOrder(places: Float64Array): Uint32Array {
    return Uint32Array.from(places, (_, i) => i).sort((a, b) => places[a] - places[b]);
}
