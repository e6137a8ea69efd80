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
import { FreePins } from "./freePins";
import { Grasp, grasp } from "./grasp";
import type { Grip } from "./grip";
import type { BodyState } from "../state";
import { dot } from "../math/vector";

/** A place of the plane and two directions in it, each as a point: what the frame carries. */
const CORNERS = 3;

/** Within a call: a corner, how far it drifts, and how a particle goes against the plane [m]. */
const corner = new Float64Array(3);
const drifted = new Float64Array(3);
const rubbed = new Float64Array(3);

/** See the top of the file. */
export class PlanePins extends FreePins {
    /** The corners now, and how far each comes in a substep [m], shape [3, 3]. */
    private readonly _corners = new Float64Array(3 * CORNERS);
    private readonly _displacements = new Float64Array(3 * CORNERS);
    /** From the first corner to the second and to the third, shape [2, 3]. */
    private readonly _edges = new Float64Array(6);
    /** See {@link _findPlace}. */
    private readonly _shares = new Float64Array(2);
    /** Where its particles were when this was last asked [m], shape [count, 3]. */
    private readonly _places: Float64Array;
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
        grip: Grip | null = null,
    ) {
        super(particles, corners, grip);
        this._places = new Float64Array(3 * particles.length);
    }

    protected override _hold(state: BodyState, done: number, count: number): void {
        this._layOut(done, count);
        this._press(state);
    }

    /** Lays the plane where it is after `done` of `count` substeps. */
    private _layOut(done: number, count: number): void {
        const {
            _corners: p,
            _displacements: displacements,
            _stepFrom: from,
            _stepTo: to,
            _normal: normal,
            _edges: edges,
            drift,
        } = this;
        for (let q = 0; q < p.length; q++) {
            displacements[q] = (to[q] - from[q]) / count;
            p[q] = from[q] + displacements[q] * done;
        }
        for (let q = 0; drift && q < p.length; q += 3) {
            drift.move(p, q);
            for (let c = 0; c < 3; c++) corner[c] = p[q + c];
            drift.readDrifted(corner, drifted);
            for (let c = 0; c < 3; c++) displacements[q + c] += drifted[c];
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
    private _press(state: BodyState): void {
        const { positions: x, previous, inverseMasses } = state;
        const { particles, _corners: p, _friction: friction, _normal: normal, _grip: grip } = this;
        const nx = normal[0];
        const ny = normal[1];
        const nz = normal[2];
        for (let i = 0; i < particles.length; i++) {
            if (inverseMasses[particles[i]] === 0 || grip?.holds(i) === false) continue;
            const o = rowOf(particles[i]);
            const off = nx * (x[o] - p[0]) + ny * (x[o + 1] - p[1]) + nz * (x[o + 2] - p[2]);
            for (let c = 0; c < 3; c++) {
                grasp[c] = off * normal[c];
                grasp[Grasp.axis + c] = normal[c];
            }
            grasp[Grasp.along] = grip ? grip.pull(state, particles[i], i, grasp) : 1;
            const pressed = Math.abs(grasp[0] * nx + grasp[1] * ny + grasp[2] * nz);
            grasp[Grasp.across] = 0;
            if (friction > 0) this._rub(x, previous, o, friction * pressed);
            this._take(state, i);
        }
    }

    /** Adds up to `most` [m] of a particle's way against the plane in this substep to what it is drawn back by. @param o its row */
    private _rub(x: Float32Array, previous: Float32Array, o: number, most: number): void {
        const { _displacements: d, _normal: n } = this;
        for (let c = 0; c < 3; c++) rubbed[c] = x[o + c] - grasp[c];
        if (!this._findPlace(rubbed)) return;
        this._readMixed(d, drifted);
        for (let c = 0; c < 3; c++) rubbed[c] -= previous[o + c] + drifted[c];
        const across = dot(rubbed, n);
        for (let c = 0; c < 3; c++) rubbed[c] -= across * n[c];
        const length = Math.sqrt(dot(rubbed, rubbed));
        if (length === 0) return;
        const share = Math.min(1, most / length);
        grasp[Grasp.across] = share;
        for (let c = 0; c < 3; c++) grasp[c] += share * rubbed[c];
    }

    /** Finds a place in the plane as p0 + a u + b v: what is there moves as d0 + a du + b dv. @returns whether corners span it now */
    private _findPlace(x: ArrayLike<number>): boolean {
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
    private _readMixed(of: Float64Array, target: Float64Array): void {
        const { _shares: shares } = this;
        for (let c = 0; c < 3; c++) target[c] = of[c] + shares[0] * (of[3 + c] - of[c]) + shares[1] * (of[6 + c] - of[c]);
    }

    protected override _readAt(places: Float64Array, i: number, target: Float64Array): void {
        for (let c = 0; c < 3; c++) corner[c] = this._places[3 * i + c];
        this._findPlace(corner);
        this._readMixed(places, target);
    }

    /** Wherever its particles are. */
    override pullPlaces({ positions: x }: BodyState): Float64Array {
        this.particles.forEach((particle, i) => {
            for (let c = 0; c < 3; c++) this._places[3 * i + c] = x[rowOf(particle) + c];
        });
        return this._places;
    }
}
