/**
 * In TypeScript, and no kernel of the table: one body has no lanes to compute at once, and the module that every app loads would be 3.4 kB larger.
 *
 * A rigid body of four particles of equal mass in a tetrahedron and six sticks (Jakobsen 2001, §4 and 5).
 *
 *              3
 *             ╱│╲          Particles at (± rx, ± ry, ± rz) along the principal axes, every other corner of a box: with
 *            ╱ │ ╲         r² = moment of the mass's squared coordinate / mass, they have its mass, centre and inertia.
 *           0──┼──2        A point at l along the axes is Σ cᵢ xᵢ with cᵢ = ¼ (1 ± lx/rx ± ly/ry ± lz/rz), its barycentric
 *            ╲ │ ╱         coordinates; that is centre + l · axes, the axes being sums and differences of the particles.
 *             ╲│╱
 *              1
 * The six sticks are solved all at once. Each pulls along where it was a substep ago (SHAKE), so pulls change neither momentum nor moment of
 * momentum; of all places in which no stick is stretched, the one is left to which the particles' moment Σ pᵢ × dᵢ leads. With aᵢ a particle's place
 * from the centre, and Q the turn of the substep, Σ aᵢ × Q aᵢ = Σ aᵢ × dᵢ (Moser and Veselov 1991): of Q's quaternion (w, v),
 *
 *     w J v + S v × v = ½ Σ aᵢ × dᵢ,   S = Σ aᵢ aᵢᵀ,   J = tr S - S,   w² = 1 - |v|²
 *
 * which repeated division by w J solves, each time better by the factor |v| or more. Tumbling is right to the square of the substep.
 */
import { LARGE_TURN, MAX_DIVISIONS, MAX_TURN, PIN_ITERATIONS } from "../tunables";
import { ROW } from "../../kernels/layout";
import { RigidBodyPose } from "../../kernels/rigidBodyLayout";
import type { RigidBodyArrays, RigidPinArrays } from "../../kernels/rigidBodyLayout";
import { solvePinImpulses } from "./pinImpulses";

/** Maximum subdivisions of v, and the change below which the iteration stops. */
const DIVISION_TOLERANCE = 1e-9;

const {
    centre: C,
    axes: U,
    move: M,
    axisMoves: T,
    radii: R,
    inverseInertia: I,
    inverseMass: W,
    spin: S,
    before: B,
    halfTurn: V,
    moment: G,
    spinBefore: Q,
} = RigidBodyPose;

/** Within a call, as arguments: doubles that a call takes or returns may be boxed. A point from the centre [m], what pushes there [kg m], and what moment that has. */
const arm = new Float64Array(3);
const impulse = new Float64Array(3);
const moment = new Float64Array(3);
/** By what it turns [rad]. */
const angle = new Float64Array(3);
/** An impulse and its moment, x y z each. */
const pinImpulse = new Float64Array(6);

/** Has the sticks hold, then the pins; points go with them. @param holds of its pins */
export function solveRigidConstraint(body: RigidBodyArrays, holds: RigidPinArrays): void {
    advanceFree(body);
    if (holds.pinCount > 0) solvePins(body, holds);
    writeBody(body);
}

/** See Kernels.solveRigidConstraints. */
export function solveRigidConstraints(first: RigidBodyArrays, second: RigidBodyArrays): void {
    advanceFree(first);
    writeBody(first);
    if (second === first) return;
    advanceFree(second);
    writeBody(second);
}

/** Has the sticks hold. */
function advanceFree(body: RigidBodyArrays): void {
    const { pose } = body;
    readPose(body, body.particles.previous);
    orthonormalise(pose);
    for (let c = 0; c < 16; c++) pose[B + c] = pose[C + c];
    for (let c = 0; c < 3; c++) pose[G + c] = 0;
    readHalfTurn(pose);
    advance(pose);
}

/** Puts points to where the sticks will have them. */
export function predictPoints(body: RigidBodyArrays, points: readonly number[]): void {
    const { particles, pose, locals } = body;
    advanceFree(body);
    for (let i = 0; i < points.length; i++) {
        const o = ROW * points[i];
        for (let c = 0; c < 3; c++) particles.positions[o + c] = pose[C + c] + localOffset(pose, U, locals, o, c);
    }
}

/** Moves and turns a body by what it has got since the begin of the substep: exactly, so that no moment is lost. */
export function advanceFromStart(pose: Float32Array): void {
    for (let c = 0; c < 16; c++) pose[C + c] = pose[B + c];
    for (let k = 0; k < 3; k++) {
        const u = U + 4 * k;
        const about = pose[u] * pose[G] + pose[u + 1] * pose[G + 1] + pose[u + 2] * pose[G + 2];
        pose[V + k] += (pose[I + k] * about) / 2;
    }
    for (let c = 0; c < 3; c++) pose[G + c] = 0;
    advance(pose);
}

function advance(pose: Float32Array): void {
    rotateAxes(pose);
    for (let c = 0; c < 3; c++) pose[C + c] += pose[M + c];
    readSpin(pose);
}

/** Reads where a body is that takes no substep, and how it moves. */
export function readStatic(body: RigidBodyArrays): void {
    readPose(body, body.particles.positions);
    orthonormalise(body.pose);
    readSpin(body.pose);
}

/** Reads centre and axes, and how they move in a substep. @param q the particles then */
function readPose({ particles: { positions: x, previous: p, residuals: r }, pose }: RigidBodyArrays, q: Float32Array): void {
    const rx = 4 * pose[R];
    const ry = 4 * pose[R + 1];
    const rz = 4 * pose[R + 2];
    for (let c = 0; c < 3; c++) {
        const q0 = q[c];
        const q1 = q[4 + c];
        const q2 = q[8 + c];
        const q3 = q[12 + c];
        const d0 = x[c] - p[c] + r[c];
        const d1 = x[4 + c] - p[4 + c] + r[4 + c];
        const d2 = x[8 + c] - p[8 + c] + r[8 + c];
        const d3 = x[12 + c] - p[12 + c] + r[12 + c];
        pose[C + c] = (q0 + q1 + q2 + q3) * 0.25;
        pose[U + c] = (q0 + q1 - q2 - q3) / rx;
        pose[U + 4 + c] = (q0 - q1 + q2 - q3) / ry;
        pose[U + 8 + c] = (q0 - q1 - q2 + q3) / rz;
        pose[M + c] = (d0 + d1 + d2 + d3) * 0.25;
        pose[T + c] = (d0 + d1 - d2 - d3) / rx;
        pose[T + 4 + c] = (d0 - d1 + d2 - d3) / ry;
        pose[T + 8 + c] = (d0 - d1 - d2 + d3) / rz;
    }
}

/** Takes what rounding has left of skew out of the axes (Gram and Schmidt). */
function orthonormalise(pose: Float32Array): void {
    normalise(pose, U);
    const lean = pose[U] * pose[U + 4] + pose[U + 1] * pose[U + 5] + pose[U + 2] * pose[U + 6];
    for (let c = 0; c < 3; c++) pose[U + 4 + c] -= lean * pose[U + c];
    normalise(pose, U + 4);
    for (let c = 0; c < 3; c++) {
        const d = (c + 1) % 3;
        const e = (c + 2) % 3;
        pose[U + 8 + c] = pose[U + d] * pose[U + 4 + e] - pose[U + e] * pose[U + 4 + d];
    }
}

function normalise(pose: Float32Array, o: number): void {
    const scale = 1 / Math.sqrt(pose[o] * pose[o] + pose[o + 1] * pose[o + 1] + pose[o + 2] * pose[o + 2]);
    for (let c = 0; c < 3; c++) pose[o + c] *= scale;
}

/** Half of what it is to turn by, as the sticks have it: ½ J⁻¹ of the moment, along the axes. u × d of each axis has none along itself. */
function readHalfTurn(pose: Float32Array): void {
    for (let c = 0; c < 3; c++) {
        const d = (c + 1) % 3;
        const e = (c + 2) % 3;
        let forth = 0;
        let back = 0;
        for (let k = 0; k < 3; k++) {
            forth += pose[U + 4 * e + k] * pose[T + 4 * d + k];
            back += pose[U + 4 * d + k] * pose[T + 4 * e + k];
        }
        const sd = pose[R + d] * pose[R + d];
        const se = pose[R + e] * pose[R + e];
        pose[V + c] = (sd * forth - se * back) / (2 * (sd + se));
    }
}

/** Turns the axes; their moves are then those of rigid turning. */
function rotateAxes(pose: Float32Array): void {
    const sx = pose[R] * pose[R];
    const sy = pose[R + 1] * pose[R + 1];
    const sz = pose[R + 2] * pose[R + 2];
    let bx = pose[V];
    let by = pose[V + 1];
    let bz = pose[V + 2];
    const size = Math.sqrt(bx * bx + by * by + bz * bz);
    if (size > MAX_TURN) {
        const scale = MAX_TURN / size;
        bx *= scale;
        by *= scale;
        bz *= scale;
    }
    const ax = (sy - sz) / (sy + sz);
    const ay = (sz - sx) / (sz + sx);
    const az = (sx - sy) / (sx + sy);
    let vx = bx;
    let vy = by;
    let vz = bz;
    for (let k = 0; k < MAX_DIVISIONS; k++) {
        const w = Math.sqrt(1 - Math.min(0.75, vx * vx + vy * vy + vz * vz));
        const x = (bx - ax * vy * vz) / w;
        const y = (by - ay * vz * vx) / w;
        const z = (bz - az * vx * vy) / w;
        const change = Math.abs(x - vx) + Math.abs(y - vy) + Math.abs(z - vz);
        vx = x;
        vy = y;
        vz = z;
        if (!(change > DIVISION_TOLERANCE)) break;
    }
    const w = Math.sqrt(1 - Math.min(0.75, vx * vx + vy * vy + vz * vz));
    for (let c = 0; c < 3; c++) {
        const ux = pose[U + c];
        const uy = pose[U + 4 + c];
        const uz = pose[U + 8 + c];
        pose[T + c] = 2 * (-(vy * vy + vz * vz) * ux + (vx * vy + w * vz) * uy + (vx * vz - w * vy) * uz);
        pose[T + 4 + c] = 2 * ((vx * vy - w * vz) * ux - (vx * vx + vz * vz) * uy + (vy * vz + w * vx) * uz);
        pose[T + 8 + c] = 2 * ((vx * vz + w * vy) * ux + (vy * vz - w * vx) * uy - (vx * vx + vy * vy) * uz);
        pose[U + c] = ux + pose[T + c];
        pose[U + 4 + c] = uy + pose[T + 4 + c];
        pose[U + 8 + c] = uz + pose[T + 8 + c];
    }
}

/** A point's place from the centre, or of its move from the centre's: coordinate `c` of l · rows. */
export function localOffset(pose: Float32Array, rows: number, locals: ArrayLike<number>, o: number, c: number): number {
    return locals[o] * pose[rows + c] + locals[o + 1] * pose[rows + 4 + c] + locals[o + 2] * pose[rows + 8 + c];
}

/** Has it take what pins pull by: as §5 has it, cᵢ of an impulse on a point for each particle, and the sticks at once. */
function solvePins(body: RigidBodyArrays, holds: RigidPinArrays): void {
    const { pose } = body;
    for (let pass = 0; pass < PIN_ITERATIONS; pass++) {
        const isShaken = pose[V] * pose[V] + pose[V + 1] * pose[V + 1] + pose[V + 2] * pose[V + 2] < LARGE_TURN * LARGE_TURN;
        solvePinImpulses(body, holds, isShaken ? B - C : 0, pinImpulse);
        for (let c = 0; c < 3; c++) {
            impulse[c] = pinImpulse[c];
            moment[c] = pinImpulse[3 + c];
        }
        applyVelocityImpulse(pose);
        if (isShaken) advanceFromStart(pose);
        else applyTransform(pose);
    }
}

/** Moves and turns a body in place by {@link impulse} and {@link angle}: by Cayley's rotation, so that it stays rigid. */
function applyTransform(pose: Float32Array): void {
    const w = pose[W];
    for (let c = 0; c < 3; c++) pose[C + c] += w * impulse[c];
    const x = angle[0] / 2;
    const y = angle[1] / 2;
    const z = angle[2] / 2;
    const scale = 2 / (1 + x * x + y * y + z * z);
    for (let k = 0; k < 12; k += 4) {
        const u = U + k;
        const ax = y * pose[u + 2] - z * pose[u + 1];
        const ay = z * pose[u] - x * pose[u + 2];
        const az = x * pose[u + 1] - y * pose[u];
        const dx = scale * (ax + y * az - z * ay);
        const dy = scale * (ay + z * ax - x * az);
        const dz = scale * (az + x * ay - y * ax);
        pose[u] += dx;
        pose[u + 1] += dy;
        pose[u + 2] += dz;
        pose[T + k] += dx;
        pose[T + k + 1] += dy;
        pose[T + k + 2] += dz;
    }
}

/** Has its motion alone, the move of its centre and its spin, take {@link impulse} and {@link moment}. */
function applyVelocityImpulse(pose: Float32Array): void {
    angle[0] = angle[1] = angle[2] = 0;
    for (let k = 0; k < 3; k++) {
        const u = U + 4 * k;
        const rate = pose[I + k] * (pose[u] * moment[0] + pose[u + 1] * moment[1] + pose[u + 2] * moment[2]);
        for (let c = 0; c < 3; c++) angle[c] += rate * pose[u + c];
    }
    const w = pose[W];
    for (let c = 0; c < 3; c++) {
        pose[S + c] += angle[c];
        pose[M + c] += w * impulse[c];
        pose[G + c] += moment[c];
    }
}

/**
 * Changes how a body moves between steps.
 * @param kick an impulse's place x y z [m], that impulse x y z as mass times the way of a substep [kg m], and a moment beside it x y z [kg m²]
 */
export function addRigidVelocity(body: RigidBodyArrays, kick: Float64Array): void {
    const { pose } = body;
    readStatic(body);
    for (let c = 0; c < 3; c++) {
        arm[c] = kick[c] - pose[C + c];
        impulse[c] = kick[3 + c];
    }
    writeMoment(impulse);
    for (let c = 0; c < 3; c++) moment[c] += kick[6 + c];
    applyVelocityImpulse(pose);
    writeMotion(body);
}

/**
 * Sets how a body moves between steps.
 * @param motion a place x y z [m], how far what is there moves in a substep x y z [m], and by how much the body turns x y z [rad]
 */
export function setRigidVelocity(body: RigidBodyArrays, motion: Float64Array): void {
    const { pose } = body;
    readStatic(body);
    for (let c = 0; c < 3; c++) {
        arm[c] = pose[C + c] - motion[c];
        pose[S + c] = motion[6 + c];
    }
    for (let c = 0; c < 3; c++) {
        const d = (c + 1) % 3;
        const e = (c + 2) % 3;
        pose[M + c] = motion[3 + c] + motion[6 + d] * arm[e] - motion[6 + e] * arm[d];
    }
    writeMotion(body);
}

/** Has the particles' motion be that of the body. */
function writeMotion({ pose, particles: { positions: x, previous: p, residuals: r }, locals }: RigidBodyArrays): void {
    updateAxisMoves(pose);
    for (let o = 0; o < 16; o += 4)
        for (let c = 0; c < 3; c++) r[o + c] = pose[M + c] + localOffset(pose, T, locals, o, c) - (x[o + c] - p[o + c]);
}

/** Has the axes' moves follow the spin as it has changed. */
export function updateAxisMoves(pose: Float32Array): void {
    for (let c = 0; c < 3; c++) angle[c] = pose[S + c] - pose[Q + c];
    for (let k = 0; k < 12; k += 4) {
        const u = U + k;
        pose[T + k] += angle[1] * pose[u + 2] - angle[2] * pose[u + 1];
        pose[T + k + 1] += angle[2] * pose[u] - angle[0] * pose[u + 2];
        pose[T + k + 2] += angle[0] * pose[u + 1] - angle[1] * pose[u];
    }
}

/** The moment about the centre of what is at {@link arm}. */
function writeMoment(of: Float64Array): void {
    moment[0] = arm[1] * of[2] - arm[2] * of[1];
    moment[1] = arm[2] * of[0] - arm[0] * of[2];
    moment[2] = arm[0] * of[1] - arm[1] * of[0];
}

/** Tells by how much it turns, from the moves of its axes: ½ Σ uₖ × dₖ. */
function readSpin(pose: Float32Array): void {
    let x = 0;
    let y = 0;
    let z = 0;
    for (let u = U, t = T; u < U + 12; u += 4, t += 4) {
        x += pose[u + 1] * pose[t + 2] - pose[u + 2] * pose[t + 1];
        y += pose[u + 2] * pose[t] - pose[u] * pose[t + 2];
        z += pose[u] * pose[t + 1] - pose[u + 1] * pose[t];
    }
    pose[S] = pose[Q] = x / 2;
    pose[S + 1] = pose[Q + 1] = y / 2;
    pose[S + 2] = pose[Q + 2] = z / 2;
}

/** Writes the four particles, in their residuals how the body moves, and its points, but those that pins hold. */
export function writeBody({ particles, pose, locals, particleCount }: RigidBodyArrays): void {
    const { positions: x, previous: p, residuals: r } = particles;
    const ax = pose[U];
    const ay = pose[U + 1];
    const az = pose[U + 2];
    const bx = pose[U + 4];
    const by = pose[U + 5];
    const bz = pose[U + 6];
    const ex = pose[U + 8];
    const ey = pose[U + 9];
    const ez = pose[U + 10];
    const cx = pose[C];
    const cy = pose[C + 1];
    const cz = pose[C + 2];
    for (let o = 0, end = 4 * particleCount; o < end; o += 4) {
        if (locals[o + 3] > 0) continue;
        const l = locals[o];
        const m = locals[o + 1];
        const n = locals[o + 2];
        x[o] = cx + (l * ax + m * bx + n * ex);
        x[o + 1] = cy + (l * ay + m * by + n * ey);
        x[o + 2] = cz + (l * az + m * bz + n * ez);
        r[o] = r[o + 1] = r[o + 2] = 0;
    }
    const mx = pose[M];
    const my = pose[M + 1];
    const mz = pose[M + 2];
    for (let o = 0; o < 16; o += 4) {
        if (locals[o + 3] > 0) continue;
        const l = locals[o];
        const m = locals[o + 1];
        const n = locals[o + 2];
        r[o] = mx + (l * pose[T] + m * pose[T + 4] + n * pose[T + 8]) - (x[o] - p[o]);
        r[o + 1] = my + (l * pose[T + 1] + m * pose[T + 5] + n * pose[T + 9]) - (x[o + 1] - p[o + 1]);
        r[o + 2] = mz + (l * pose[T + 2] + m * pose[T + 6] + n * pose[T + 10]) - (x[o + 2] - p[o + 2]);
    }
}
