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
import { rowOf } from "../kernels/layout";
import { FreePins, way } from "./freePins";
import type { Grip } from "./grip";
import type { BodyState } from "./state";

/** A place of the plane and two directions in it, each as a point: what the frame carries. */
const CORNERS = 3;

/** See the top of the file. */
export class PlanePins extends FreePins {
    /** The corners now, and how far each comes in a substep [m], shape [3, 3]. */
    private readonly _corners = new Float64Array(3 * CORNERS);
    private readonly _displacements = new Float64Array(3 * CORNERS);
    /** From the first corner to the second and to the third, shape [2, 3]. */
    private readonly _edges = new Float64Array(6);
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
    }

    protected override _hold(state: BodyState, done: number, count: number): void {
        this._layOut(done, count);
        this._press(state);
    }

    /** Lays the plane where it is after `done` of `count` substeps. */
    private _layOut(done: number, count: number): void {
        const { _corners: p, _displacements: displacements, _stepFrom: from, _stepTo: to, _normal: normal, _edges: edges } = this;
        for (let q = 0; q < p.length; q++) {
            displacements[q] = (to[q] - from[q]) / count;
            p[q] = from[q] + displacements[q] * done;
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
            way[0] = off * nx;
            way[1] = off * ny;
            way[2] = off * nz;
            grip?.pull(state, particles[i], i, way);
            for (let c = 0; c < 3; c++) x[o + c] -= way[c];
            const pressed = Math.abs(way[0] * nx + way[1] * ny + way[2] * nz);
            if (friction > 0) this._rub(x, previous, o, friction * pressed);
        }
    }

    /** Takes up to `most` [m] of a particle's way against the plane in this substep. @param o its row */
    private _rub(x: Float32Array, previous: Float32Array, o: number, most: number): void {
        const { _corners: p, _displacements: d, _normal: n, _edges: edges } = this;
        // The place in the plane as p0 + a u + b v: what is there moves as d0 + a du + b dv.
        const rx = x[o] - p[0];
        const ry = x[o + 1] - p[1];
        const rz = x[o + 2] - p[2];
        const ux = edges[0];
        const uy = edges[1];
        const uz = edges[2];
        const vx = edges[3];
        const vy = edges[4];
        const vz = edges[5];
        const area = n[0] * (uy * vz - uz * vy) + n[1] * (uz * vx - ux * vz) + n[2] * (ux * vy - uy * vx);
        if (area === 0) return;
        const a = (n[0] * (ry * vz - rz * vy) + n[1] * (rz * vx - rx * vz) + n[2] * (rx * vy - ry * vx)) / area;
        const b = (n[0] * (uy * rz - uz * ry) + n[1] * (uz * rx - ux * rz) + n[2] * (ux * ry - uy * rx)) / area;
        const wx = x[o] - previous[o] - d[0] - a * (d[3] - d[0]) - b * (d[6] - d[0]);
        const wy = x[o + 1] - previous[o + 1] - d[1] - a * (d[4] - d[1]) - b * (d[7] - d[1]);
        const wz = x[o + 2] - previous[o + 2] - d[2] - a * (d[5] - d[2]) - b * (d[8] - d[2]);
        const across = wx * n[0] + wy * n[1] + wz * n[2];
        const tx = wx - across * n[0];
        const ty = wy - across * n[1];
        const tz = wz - across * n[2];
        const length = Math.sqrt(tx * tx + ty * ty + tz * tz);
        if (length === 0) return;
        const share = Math.min(1, most / length);
        x[o] -= share * tx;
        x[o + 1] -= share * ty;
        x[o + 2] -= share * tz;
    }
}
