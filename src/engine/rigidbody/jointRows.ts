/**
 * Rows of joints of rigid bodies: a point that two share (Jakobsen 2001, §6), and axes about which they are held, or kept within a limit. In speeds, beside the
 * contacts of a contact solver (stickBodyContacts.ts): impulses have both meet at the end of the substep.
 *
 *     J v = wanted,   v += M⁻¹ Jᵀ λ   ⇒   J M⁻¹ Jᵀ λ = wanted - J v
 *
 * Of all joints of a contact solver at once, since one after the other they never meet where a body is light, or short to its joints, between others: their matrix has numbers only
 * where two share a body (Baraff 1996), and is factored once for each time that arms are read.
 */
import { JointRow, SolverVelocity, RigidBodyPose } from "../../kernels/rigidBodyLayout";
import { applyInverseInertia } from "./solverRows";

const { along, moments, angularResponses: turns, target: wanted, mobility, impulse: given } = JointRow;
const { spin: S, inverseMass: W } = SolverVelocity;
const { axes: U, inverseInertia: I, spin: S0 } = RigidBodyPose;
/** Square of the angle of a swing that a substep can tell [rad²]. */
const MAX_SWING_SQUARED = 1;

/** Finds how both bodies give way by a row whose direction and moments are written. @param a rows of their motions `v` */
export function prepareRow(x: Float64Array, o: number, v: Float64Array, a: number, b: number): void {
    applyInverseInertia(v, a, x, o + moments, o + turns);
    applyInverseInertia(v, b, x, o + moments + 3, o + turns + 3);
    x[o + mobility] = couplingOf(x, v, o, a, b, o, a, b);
}

/** Motion along row `p` by a unit impulse of row `q`. @param a and b, c and d: rows of their bodies' motions `v` */
export function couplingOf(
    x: Float64Array,
    v: Float64Array,
    p: number,
    a: number,
    b: number,
    q: number,
    c: number,
    d: number,
): number {
    const straight = x[p + along] * x[q + along] + x[p + along + 1] * x[q + along + 1] + x[p + along + 2] * x[q + along + 2];
    let sum = 0;
    if (a === c) sum += v[a + W] * straight + dot(x, p + moments, q + turns);
    if (b === d) sum += v[b + W] * straight + dot(x, p + moments + 3, q + turns + 3);
    if (a === d) sum -= v[a + W] * straight + dot(x, p + moments, q + turns + 3);
    if (b === c) sum -= v[b + W] * straight + dot(x, p + moments + 3, q + turns);
    return sum;
}

function dot(x: Float64Array, p: number, q: number): number {
    return x[p] * x[q] + x[p + 1] * x[q + 1] + x[p + 2] * x[q + 2];
}

/** Error of a row against its target. */
export function rowError(x: Float64Array, o: number, v: Float64Array, a: number, b: number): number {
    let lack = x[o + wanted];
    for (let c = 0; c < 3; c++) {
        lack -= x[o + along + c] * (v[a + c] - v[b + c]);
        lack -= x[o + moments + c] * v[a + S + c] - x[o + moments + 3 + c] * v[b + S + c];
    }
    return lack;
}

/** Has both bodies take so much by a row; what stands has no mobility. */
export function applyRow(x: Float64Array, o: number, v: Float64Array, a: number, b: number, size: number): void {
    const p = size * v[a + W];
    const q = size * v[b + W];
    for (let c = 0; c < 3; c++) {
        v[a + c] += p * x[o + along + c];
        v[b + c] -= q * x[o + along + c];
        v[a + S + c] += size * x[o + turns + c];
        v[b + S + c] -= size * x[o + turns + 3 + c];
    }
    x[o + given] += size;
}

/** Adds the moment of what a row has given to a body, at `g`. @param side 0 the first, 3 the second */
export function addRowMoment(x: Float64Array, o: number, side: number, pose: Float32Array, g: number): void {
    const size = side === 0 ? x[o + given] : -x[o + given];
    for (let c = 0; c < 3; c++) pose[g + c] += size * x[o + moments + side + c];
}

/**
 * Brakes what a body swings across its pulls faster than substeps can tell: a pull at an arm is a spring (geometric stiffness, Tournier et al. 2015), and what is light between
 * what is heavy would swing wider and wider.
 * @param strain pulls times their arms in a substep, about the principal axes, x y z [kg m²]
 */
export function applyGeometricDamping(pose: Float32Array, strain: Float64Array): void {
    for (let k = 0; k < 3; k++) {
        const squared = strain[k] * pose[I + k];
        if (squared <= MAX_SWING_SQUARED) continue;
        const u = U + 4 * k;
        const spin = pose[S0] * pose[u] + pose[S0 + 1] * pose[u + 1] + pose[S0 + 2] * pose[u + 2];
        const less = spin * (1 - MAX_SWING_SQUARED / squared);
        for (let c = 0; c < 3; c++) pose[S0 + c] -= less * pose[u + c];
    }
}
