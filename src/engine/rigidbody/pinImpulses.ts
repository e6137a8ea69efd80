/**
 * Points of a rigid body that pins leave free to go some ways: on a rail, in a plane, by a spring, on a leash.
 *
 *     ━━━━●━━━━         A pin says by which way (g) it would draw back a particle of mass m there, and which part of it it holds, H = h I across its axis
 *        ╱ arm          and along it. That is a spring S = m H (1 - H)⁻¹ with the force f = m (1 - H)⁻¹ g; what is held fast has one that is much stiffer
 *       ◆               than the body is heavy. All springs of a body give way at once, implicitly:
 *
 *     (M + Σ JᵀSJ) v = -Σ Jᵀ (p + f + S d),   p += -(p + f + S (d + J v))
 *
 * where M is what the body weighs and opposes to turning, v how it moves, J v how that moves the point, d where that is from where the pin has found it
 * and p what it has been pulled by; once more from there, since turns are not linear. A particle alone goes by g: so what is held by some of its
 * points swings, slides and hangs as what is held by all of its particles.
 */
import { solveSixBySix } from "../math/eliminate";
import { ROW } from "../../kernels/layout";
import { RigidPinRecord, RigidBodyPose } from "../../kernels/rigidBodyLayout";
import type { RigidBodyArrays, RigidPinArrays } from "../../kernels/rigidBodyLayout";

const { centre: C, axes: U, inverseInertia: I, inverseMass: W } = RigidBodyPose;
const {
    delta: WAY,
    axis: AXIS,
    point: PLACE,
    impulse: IMPULSE,
    arm: ARM,
    effectiveMassAcross: ACROSS,
    effectiveMassAlong: ALONG,
} = RigidPinRecord;

/** The spring of what is held fast is so many times stiffer than its share of the body is heavy. */
const FIXED_STIFFNESS = 1e6;

/** Within a call: six equations, and a motion, x y z and turn. */
const rows = new Float64Array(42);
const motion = new Float64Array(6);
/** Rows of J, that of a unit along x, y and z each: shape [3, 6]; and the same where the point was before the substep: pulls have their moments from there. */
const J = new Float64Array(18);
const P = new Float64Array(18);
const arm = new Float64Array(3);
/** A stiffness xx xy xz yx … of a point [kg], and a vector. */
const S = new Float64Array(9);
const p = new Float64Array(3);

/**
 * Finds by what the points are pulled.
 * @param back slots from centre and axes to those by which pulls have their moments, in the pose
 * @param pulled the sum of what they are pulled by from now on [kg m], x y z, and its moment [kg m²]; written
 */
export function solvePinImpulses(body: RigidBodyArrays, holds: RigidPinArrays, back: number, pulled: Float64Array): void {
    const { records } = holds;
    const end = holds.pinCount * RigidPinRecord.count;
    readEffectiveMasses(holds);
    beginEquations(body.pose);
    for (let r = 0; r < end; r += RigidPinRecord.count) {
        readArm(body, records, r);
        readStiffness(records, r);
        readResidual(body.pose, records, r);
        writeLevers(body, records, r, back);
        addPointStiffness();
    }
    solveSixBySix(rows, motion);
    pulled.fill(0);
    for (let r = 0; r < end; r += RigidPinRecord.count) {
        writeJacobian(records, r);
        readStiffness(records, r);
        readResidual(body.pose, records, r);
        for (let c = 0; c < 3; c++) {
            for (let k = 0; k < 3; k++) {
                let moved = 0;
                for (let l = 0; l < 6; l++) moved += J[6 * k + l] * motion[l];
                p[c] -= S[3 * c + k] * moved;
            }
            records[r + IMPULSE + c] += p[c];
        }
        writeLevers(body, records, r, back);
        for (let k = 0; k < 6; k++) for (let c = 0; c < 3; c++) pulled[k] += P[6 * c + k] * p[c];
    }
}

/** Begins the equations: what the body weighs, and what it opposes to turning, I = Σ uₖ uₖᵀ / inverse moment. */
function beginEquations(pose: Float32Array): void {
    rows.fill(0);
    for (let c = 0; c < 3; c++) {
        rows[8 * c] = 1 / pose[W];
        for (let d = 0; d < 3; d++)
            for (let k = 0; k < 3; k++) rows[7 * (3 + c) + 3 + d] += (pose[U + 4 * k + c] * pose[U + 4 * k + d]) / pose[I + k];
    }
}

/** Notes where the point is from the centre. */
function readArm(body: RigidBodyArrays, records: Float64Array, r: number): void {
    writeArm(body, records, r, U);
    for (let c = 0; c < 3; c++) records[r + ARM + c] = arm[c];
    writeLever(J);
}

/** Writes where the point is from the centre, by axes from slot `u` on. */
function writeArm({ pose, locals }: RigidBodyArrays, records: Float64Array, r: number, u: number): void {
    const o = ROW * records[r + RigidPinRecord.particle];
    for (let c = 0; c < 3; c++)
        arm[c] = locals[o] * pose[u + c] + locals[o + 1] * pose[u + 4 + c] + locals[o + 2] * pose[u + 8 + c];
}

function writeLevers(body: RigidBodyArrays, records: Float64Array, r: number, back: number): void {
    writeArm(body, records, r, U + back);
    writeLever(P);
}

function writeJacobian(records: Float64Array, r: number): void {
    for (let c = 0; c < 3; c++) arm[c] = records[r + ARM + c];
    writeLever(J);
}

/** v + turn × arm. */
function writeLever(of: Float64Array): void {
    of.fill(0);
    for (let c = 0; c < 3; c++) {
        const d = (c + 1) % 3;
        const e = (c + 2) % 3;
        of[7 * c] = 1;
        of[6 * c + 3 + d] = arm[e];
        of[6 * c + 3 + e] = -arm[d];
    }
}

/** Notes m / (1 - h) of all points. In one loop: numbers that calls take or return may be boxed. */
function readEffectiveMasses({ records: m, pinCount: heldCount, pointMass: share }: RigidPinArrays): void {
    for (let r = 0, end = heldCount * RigidPinRecord.count; r < end; r += RigidPinRecord.count) {
        const mass = m[r + RigidPinRecord.mass];
        m[r + ACROSS] = Math.min(FIXED_STIFFNESS * share, mass / (1 - m[r + RigidPinRecord.across]));
        m[r + ALONG] = Math.min(FIXED_STIFFNESS * share, mass / (1 - m[r + RigidPinRecord.along]));
    }
}

/** m H (1 - H)⁻¹. */
function readStiffness(m: Float64Array, r: number): void {
    const across = m[r + RigidPinRecord.across] * m[r + ACROSS];
    const along = m[r + RigidPinRecord.along] * m[r + ALONG] - across;
    for (let c = 0; c < 3; c++) {
        for (let d = 0; d < 3; d++) S[3 * c + d] = along * m[r + AXIS + c] * m[r + AXIS + d];
        S[4 * c] += across;
    }
}

/** Remaining pull on the point, if nothing yields: -(p + f + S d). */
function readResidual(pose: Float32Array, m: Float64Array, r: number): void {
    const across = m[r + ACROSS];
    let along = 0;
    for (let c = 0; c < 3; c++) along += m[r + AXIS + c] * m[r + WAY + c];
    along *= m[r + ALONG] - across;
    for (let c = 0; c < 3; c++) {
        p[c] = -m[r + IMPULSE + c] - across * m[r + WAY + c] - along * m[r + AXIS + c];
        for (let d = 0; d < 3; d++) p[c] -= S[3 * c + d] * (pose[C + d] + m[r + ARM + d] - m[r + PLACE + d]);
    }
}

/** Adds a point to what gives way as one. */
function addPointStiffness(): void {
    for (let k = 0; k < 6; k++) {
        for (let c = 0; c < 3; c++) {
            let sum = 0;
            for (let d = 0; d < 3; d++) sum += P[6 * d + k] * S[3 * d + c];
            for (let l = 0; l < 6; l++) rows[7 * k + l] += sum * J[6 * c + l];
            rows[7 * k + 6] += P[6 * c + k] * p[c];
        }
    }
}
