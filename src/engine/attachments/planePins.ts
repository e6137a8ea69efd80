/**
 * Pins on a plane: particles that slide on it anywhere and leave it nowhere.
 *
 *          n ↑   ○ x
 *            │   ┆            C = n · (x - p) = 0,   ∇C = n
 *     ━━━━━━━p━━━●━━━━━━━     every substep each particle goes to the nearest point of the plane; what it moves in the plane it stays its
 *                             motion, less friction (Coulomb) against what of the plane is there
 *
 * A particle that may move in a plane only (Baraff & Witkin 1998 §5.1), which here itself may move and turn.
 */
import { rowOf } from "../../kernels/layout";
import { UnweldedPins } from "./unweldedPins";
import { CORRECTION_ACROSS, CORRECTION_ALONG, CORRECTION_AXIS } from "./pinCorrection";
import { pinCorrection } from "./pinForce";
import type { PinForce } from "./pinForce";
import type { BodyState } from "../state/state";
import { dot } from "../math/vector";

/** Point of the plane and two directions in it, each as a point; all follow the frame. */
const CORNER_COUNT = 3;

/** Within a call: a corner, how far it drifts, and how a particle goes against the plane [m]. */
const corner = new Float64Array(3);
const driftStep = new Float64Array(3);
const slip = new Float64Array(3);

/** See the top of the file. */
export class PlanePins extends UnweldedPins {
    /** The corners now, and how far each comes in a substep [m], shape [3, 3]. */
    private readonly _corners = new Float64Array(3 * CORNER_COUNT);
    private readonly _displacements = new Float64Array(3 * CORNER_COUNT);
    /** From the first corner to the second and to the third, shape [2, 3]. */
    private readonly _edges = new Float64Array(6);
    /** See {@link _findPlaneCoordinates}. */
    private readonly _shares = new Float64Array(2);
    /** Particle positions at the last query [m], shape [count, 3]. */
    private readonly _lastPositions: Float64Array;
    /** Normal, of length 1; where the corners lie in a line now, what it was. */
    private readonly _normal = Float64Array.of(0, 1, 0);

    /**
     * @param corners three of the plane's points in the carrying frame, not in a line, shape [3, 3]
     * @param _friction Coulomb friction coefficient, >= 0
     */
    constructor(
        particles: Uint32Array,
        corners: Float64Array,
        private readonly _friction: number,
        grip: PinForce | null = null,
    ) {
        super(particles, corners, grip);
        this._lastPositions = new Float64Array(3 * particles.length);
    }

    protected override _correctAll(state: BodyState, done: number, count: number): void {
        this._updatePlane(done, count);
        this._projectOntoPlane(state);
    }

    /** Lays the plane where it is after `done` of `count` substeps. */
    private _updatePlane(done: number, count: number): void {
        const {
            _corners: p,
            _displacements: displacements,
            _stepFrom: from,
            _stepTo: to,
            _normal: normal,
            _edges: edges,
            dynamicCarrier: drift,
        } = this;
        for (let q = 0; q < p.length; q++) {
            displacements[q] = (to[q] - from[q]) / count;
            p[q] = from[q] + displacements[q] * done;
        }
        for (let q = 0; drift && q < p.length; q += 3) {
            drift.movePoint(p, q);
            for (let c = 0; c < 3; c++) corner[c] = p[q + c];
            drift.readDrifted(corner, driftStep);
            for (let c = 0; c < 3; c++) displacements[q + c] += driftStep[c];
        }
        for (let c = 0; c < 3; c++) {
            edges[c] = p[3 + c] - p[c];
            edges[3 + c] = p[6 + c] - p[c];
        }
        const x = edges[1] * edges[5] - edges[2] * edges[4];
        const y = edges[2] * edges[3] - edges[0] * edges[5];
        const z = edges[0] * edges[4] - edges[1] * edges[3];
        const length = Math.sqrt(x * x + y * y + z * z);
        if (length === 0) return;
        normal[0] = x / length;
        normal[1] = y / length;
        normal[2] = z / length;
    }

    /** Puts the particles on the plane; friction takes of their motion in it. */
    private _projectOntoPlane(state: BodyState): void {
        const { positions: x, previous, inverseMasses } = state;
        const { particles, _corners: p, _friction: friction, _normal: normal, _force: grip } = this;
        const nx = normal[0];
        const ny = normal[1];
        const nz = normal[2];
        for (let i = 0; i < particles.length; i++) {
            if (inverseMasses[particles[i]] === 0 || grip?.isHeld(i) === false) continue;
            const o = rowOf(particles[i]);
            const off = nx * (x[o] - p[0]) + ny * (x[o + 1] - p[1]) + nz * (x[o + 2] - p[2]);
            for (let c = 0; c < 3; c++) {
                pinCorrection[c] = off * normal[c];
                pinCorrection[CORRECTION_AXIS + c] = normal[c];
            }
            pinCorrection[CORRECTION_ALONG] = grip ? grip.scaleCorrection(state, particles[i], i, pinCorrection) : 1;
            const pressed = Math.abs(pinCorrection[0] * nx + pinCorrection[1] * ny + pinCorrection[2] * nz);
            pinCorrection[CORRECTION_ACROSS] = 0;
            if (friction > 0) this._addFriction(x, previous, o, friction * pressed);
            this._applyCorrection(state, i);
        }
    }

    /** Adds up to `most` [m] of a particle's way against the plane in this substep to what it is drawn back by. @param o its row */
    private _addFriction(x: Float32Array, previous: Float32Array, o: number, most: number): void {
        const { _displacements: d, _normal: n } = this;
        for (let c = 0; c < 3; c++) slip[c] = x[o + c] - pinCorrection[c];
        if (!this._findPlaneCoordinates(slip)) return;
        this._interpolate(d, driftStep);
        for (let c = 0; c < 3; c++) slip[c] -= previous[o + c] + driftStep[c];
        const across = dot(slip, n);
        for (let c = 0; c < 3; c++) slip[c] -= across * n[c];
        const length = Math.sqrt(dot(slip, slip));
        if (length === 0) return;
        const share = Math.min(1, most / length);
        pinCorrection[CORRECTION_ACROSS] = share;
        for (let c = 0; c < 3; c++) pinCorrection[c] += share * slip[c];
    }

    /** Finds a place in the plane as p0 + a u + b v: what is there moves as d0 + a du + b dv. @returns whether corners span it now */
    private _findPlaneCoordinates(x: ArrayLike<number>): boolean {
        const { _corners: p, _normal: n, _edges: edges, _shares: shares } = this;
        const rx = x[0] - p[0];
        const ry = x[1] - p[1];
        const rz = x[2] - p[2];
        const ux = edges[0];
        const uy = edges[1];
        const uz = edges[2];
        const vx = edges[3];
        const vy = edges[4];
        const vz = edges[5];
        const area = n[0] * (uy * vz - uz * vy) + n[1] * (uz * vx - ux * vz) + n[2] * (ux * vy - uy * vx);
        if (area === 0) return false;
        shares[0] = (n[0] * (ry * vz - rz * vy) + n[1] * (rz * vx - rx * vz) + n[2] * (rx * vy - ry * vx)) / area;
        shares[1] = (n[0] * (uy * rz - uz * ry) + n[1] * (uz * rx - ux * rz) + n[2] * (ux * ry - uy * rx)) / area;
        return true;
    }

    /** Writes what is at that place of what the corners have, x y z. @param of shape [3, 3] */
    private _interpolate(of: Float64Array, target: Float64Array): void {
        const { _shares: shares } = this;
        for (let c = 0; c < 3; c++) target[c] = of[c] + shares[0] * (of[3 + c] - of[c]) + shares[1] * (of[6 + c] - of[c]);
    }

    protected override _readAt(places: Float64Array, i: number, target: Float64Array): void {
        for (let c = 0; c < 3; c++) corner[c] = this._lastPositions[3 * i + c];
        this._findPlaneCoordinates(corner);
        this._interpolate(places, target);
    }

    /** Wherever its particles are. */
    override reactionPoints({ positions: x }: BodyState): Float64Array {
        this.particles.forEach((particle, i) => {
            for (let c = 0; c < 3; c++) this._lastPositions[3 * i + c] = x[rowOf(particle) + c];
        });
        return this._lastPositions;
    }
}
