/** Solver rows: motion and compliance of the bodies, and the points at which contacts act on them. */
import { Contact } from "../../kernels/contactLayout";
import { SolverVelocity, RigidContact, RigidContactOwners, RigidBodyPose } from "../../kernels/rigidBodyLayout";
import type { RigidBodyArrays } from "../../kernels/rigidBodyLayout";

/** Body in the contact solver. */
export interface SolverBodyData {
    readonly rigidConstraint: RigidBodyArrays;
    /** Its origin relative to the contact solver's [m]. */
    readonly offset: Float64Array;
    /** True if the body is fixed: asleep, or of another time. */
    isFixed: boolean;
    /** True if the body takes the present substep. */
    isStepping: boolean;
    /** True if the body is in any active contact, or coupled. */
    hasContact: boolean;
}

/** Bodies that may collide, and their contacts. */
export interface RigidSolverArrays {
    readonly bodies: readonly SolverBodyData[];
    /** Shape [≥ bodies + 1, SolverVelocity.count]; the first row is of what is no body, all zero. */
    readonly motions: Float64Array;
    /** Shape [≥ count, RigidContact.count]. */
    readonly contacts: Float64Array;
    /** Shape [≥ count, RigidContactOwners.count]. */
    readonly owners: Int32Array;
    /** The first of {@link activeCount}: the contacts of bodies that take the substep, island after island. */
    readonly active: Int32Array;
    activeCount: number;
    /** Bodies that hang together by contacts or ties: each island is answered for itself. */
    readonly islands: IslandArrays;
    /** Colliders of the contacts, by number. */
    readonly colliders: readonly Float32Array[];
    /** Number of the substep. */
    substep: number;
    /** Joints of the bodies that take the substep. */
    readonly jointSolver: JointConstraints;
}

/** Islands: their moving bodies and their contacts. While there are joints, the first island holds all joined bodies. */
export interface IslandArrays {
    readonly count: number;
    /** Numbers of the bodies, island after island, and where each ends. */
    readonly bodies: Int32Array;
    readonly bodyEnds: Int32Array;
    /** End of each island in {@link RigidSolverArrays.active}. */
    readonly contactEnds: Int32Array;
}

/** Joints of the contact solver. */
export interface JointConstraints {
    /** Number of joints. */
    readonly count: number;
    /** Begins a substep: notes where they act. */
    beginSubstep(solver: RigidSolverArrays): void;
    /** Has the bodies hold. */
    solve(solver: RigidSolverArrays): void;
    /** Tells the bodies the moment of what they were given. */
    addMoments(): void;
    /** Notes where they act once the bodies have moved; from now on only speeds change. */
    beginVelocityPhase(solver: RigidSolverArrays): void;
    /** Ends the substep. */
    endSubstep(): void;
}

const { centre: C, axes: U, move: M, spin: S, inverseMass: W, inverseInertia: I } = RigidBodyPose;
const {
    local,
    localOther: other,
    offset,
    separation: kept,
    normal,
    arms,
    gap,
    mobility,
    moments,
    angularResponses: turns,
    surfaceMotion: carried,
    mobilityMatrix: spread,
    hasFrame: located,
} = RigidContact;
const { first, second, collider: met } = RigidContactOwners;
/** Within a call: where a contact is from the first body's origin, and where the second has it [m]. */
const pointOnFirst = new Float64Array(3);
const pointOnSecond = new Float64Array(3);

/** The row of a body's motion, -1: of what is no body. */
export function velocityRow(body: number): number {
    return (body + 1) * SolverVelocity.count;
}

/** Reads how a body moves, and how it gives way where `rows` tells its place, if it takes the substep. */
export function readVelocity({ bodies, motions: v }: RigidSolverArrays, body: number, rows: number): void {
    const { rigidConstraint: sticks, isStepping, isFixed } = bodies[body];
    const { pose } = sticks;
    const axes = (isStepping ? rows : C) - C + U;
    const row = velocityRow(body);
    v[row] = pose[M];
    v[row + 1] = pose[M + 1];
    v[row + 2] = pose[M + 2];
    v[row + 3] = pose[S];
    v[row + 4] = pose[S + 1];
    v[row + 5] = pose[S + 2];
    v[row + SolverVelocity.inverseMass] = isFixed ? 0 : pose[W];
    readInertia(pose, axes, isFixed, v, row + SolverVelocity.inverseInertia);
}

/** Writes how a body gives way to moments, at `o`. @param axes where its axes are told */
function readInertia(pose: Float32Array, axes: number, isFixed: boolean, v: Float64Array, o: number): void {
    v[o] = v[o + 1] = v[o + 2] = v[o + 3] = v[o + 4] = v[o + 5] = 0;
    if (isFixed) return;
    for (let k = 0; k < 3; k++) {
        const i = pose[I + k];
        const ux = pose[axes + 4 * k];
        const uy = pose[axes + 4 * k + 1];
        const uz = pose[axes + 4 * k + 2];
        v[o] += i * ux * ux;
        v[o + 1] += i * uy * uy;
        v[o + 2] += i * uz * uz;
        v[o + 3] += i * ux * uy;
        v[o + 4] += i * uy * uz;
        v[o + 5] += i * uz * ux;
    }
}

/** Has a body move as the solver has it. */
export function writeVelocity({ bodies, motions: v }: RigidSolverArrays, body: number): void {
    const { pose } = bodies[body].rigidConstraint;
    const row = velocityRow(body);
    pose[M] = v[row];
    pose[M + 1] = v[row + 1];
    pose[M + 2] = v[row + 2];
    pose[S] = v[row + 3];
    pose[S + 1] = v[row + 4];
    pose[S + 2] = v[row + 5];
}

/** Notes from where a contact acts on its bodies, of which `rows` tells the places; how far it is open there, if that is where they are; and how they give way. Of two bodies once, until that is forgotten. */
export function updateContactFrame(
    { bodies, motions, contacts: x, owners, colliders }: RigidSolverArrays,
    contact: number,
    rows: number,
): void {
    const row = contact * RigidContact.count;
    const who = contact * RigidContactOwners.count;
    const a = bodies[owners[who + first]];
    const isPair = owners[who + second] >= 0;
    const ofA = isPair && a.isStepping ? rows : C;
    const { pose } = a.rigidConstraint;
    const n = row + normal;
    transformLocal(pose, ofA, x, row + local, pointOnFirst);
    let open: number;
    if (isPair) {
        const b = bodies[owners[who + second]];
        const ofB = b.isStepping ? rows : C;
        const to = b.rigidConstraint.pose;
        const { offset: from } = a;
        const { offset: beside } = b;
        transformLocal(to, ofB, x, row + other, pointOnSecond);
        pointOnSecond[0] = pointOnSecond[0] + beside[0] - from[0];
        pointOnSecond[1] = pointOnSecond[1] + beside[1] - from[1];
        pointOnSecond[2] = pointOnSecond[2] + beside[2] - from[2];
        open = (pointOnFirst[0] - pointOnSecond[0]) * x[n] - x[row + kept];
        open += (pointOnFirst[1] - pointOnSecond[1]) * x[n + 1];
        open += (pointOnFirst[2] - pointOnSecond[2]) * x[n + 2];
        if (x[row + located] > 0) {
            x[row + gap] = open;
            return;
        }
        x[row + located] = 1;
        // Midway: what acts there on both has no moment.
        pointOnFirst[0] = (pointOnFirst[0] + pointOnSecond[0]) / 2;
        pointOnFirst[1] = (pointOnFirst[1] + pointOnSecond[1]) / 2;
        pointOnFirst[2] = (pointOnFirst[2] + pointOnSecond[2]) / 2;
        const arm = row + arms + 3;
        x[arm] = pointOnFirst[0] + from[0] - beside[0] - to[ofB];
        x[arm + 1] = pointOnFirst[1] + from[1] - beside[1] - to[ofB + 1];
        x[arm + 2] = pointOnFirst[2] + from[2] - beside[2] - to[ofB + 2];
    } else {
        open = pointOnFirst[0] * x[n] - x[row + offset];
        open += pointOnFirst[1] * x[n + 1];
        open += pointOnFirst[2] * x[n + 2];
        writeSurfaceMotion(colliders[owners[who + met]], x, row);
    }
    x[row + gap] = open;
    x[row + arms] = pointOnFirst[0] - pose[ofA];
    x[row + arms + 1] = pointOnFirst[1] - pose[ofA + 1];
    x[row + arms + 2] = pointOnFirst[2] - pose[ofA + 2];
    const dynamicMass = isPair ? 0 : colliders[owners[who + met]][Contact.dynamicMass];
    x[row + spread] = x[row + spread + 1] = x[row + spread + 2] = dynamicMass > 0 ? 1 / dynamicMass : 0;
    x[row + spread + 3] = x[row + spread + 4] = x[row + spread + 5] = 0;
    addMobility(motions, velocityRow(owners[who + first]), x, row, 0);
    if (isPair) addMobility(motions, velocityRow(owners[who + second]), x, row, 3);
    measureAlong(x, row);
}

/** Writes where a point along the principal axes is. @param rows of the centre and the axes @param o the point's slots */
function transformLocal(pose: Float32Array, rows: number, x: Float64Array, o: number, target: Float64Array): void {
    const u = rows - C + U;
    const l = x[o];
    const m = x[o + 1];
    const n = x[o + 2];
    target[0] = pose[rows] + (l * pose[u] + m * pose[u + 4] + n * pose[u + 8]);
    target[1] = pose[rows + 1] + (l * pose[u + 1] + m * pose[u + 5] + n * pose[u + 9]);
    target[2] = pose[rows + 2] + (l * pose[u + 2] + m * pose[u + 6] + n * pose[u + 10]);
}

/** Writes how far a collider's material goes at {@link pointOnFirst}. */
function writeSurfaceMotion(collider: Float32Array, x: Float64Array, row: number): void {
    const px = pointOnFirst[0];
    const py = pointOnFirst[1];
    const pz = pointOnFirst[2];
    const m = Contact.motion;
    const to = row + carried;
    x[to] = px * collider[m] + py * collider[m + 4] + pz * collider[m + 8] + collider[m + 12];
    x[to + 1] = px * collider[m + 1] + py * collider[m + 5] + pz * collider[m + 9] + collider[m + 13];
    x[to + 2] = px * collider[m + 2] + py * collider[m + 6] + pz * collider[m + 10] + collider[m + 14];
}

/** Notes how one of a contact's bodies gives way. @param side 0 the first, 3 the second */
function addMobility(v: Float64Array, body: number, x: Float64Array, row: number, side: number): void {
    const r = row + arms + side;
    addMobilityMatrix(v, body, x, r, row + spread);
    const n = row + normal;
    const m = row + moments + side;
    x[m] = x[r + 1] * x[n + 2] - x[r + 2] * x[n + 1];
    x[m + 1] = x[r + 2] * x[n] - x[r] * x[n + 2];
    x[m + 2] = x[r] * x[n + 1] - x[r + 1] * x[n];
    applyInverseInertia(v, body, x, m, row + turns + side);
}

/** Adds what of a push at an arm `r` moves a body there, any direction, to the matrix at `k`: 1/m + (r × ·) I⁻¹ (r ×). */
export function addMobilityMatrix(v: Float64Array, body: number, x: Float64Array, r: number, k: number): void {
    const i = body + SolverVelocity.inverseInertia;
    const ixx = v[i];
    const iyy = v[i + 1];
    const izz = v[i + 2];
    const ixy = v[i + 3];
    const iyz = v[i + 4];
    const izx = v[i + 5];
    const rx = x[r];
    const ry = x[r + 1];
    const rz = x[r + 2];
    const w = v[body + SolverVelocity.inverseMass];
    x[k] += w + rz * rz * iyy - 2 * ry * rz * iyz + ry * ry * izz;
    x[k + 1] += w + rz * rz * ixx - 2 * rx * rz * izx + rx * rx * izz;
    x[k + 2] += w + ry * ry * ixx - 2 * rx * ry * ixy + rx * rx * iyy;
    x[k + 3] += -rz * rz * ixy + rx * rz * iyz + ry * rz * izx - rx * ry * izz;
    x[k + 4] += -ry * rz * ixx + rx * rz * ixy + rx * ry * izx - rx * rx * iyz;
    x[k + 5] += ry * rz * ixy - ry * ry * izx - rx * rz * iyy + rx * ry * iyz;
}

/** Writes to `t` what a moment at `m` turns a body by. */
export function applyInverseInertia(v: Float64Array, body: number, x: Float64Array, m: number, t: number): void {
    const i = body + SolverVelocity.inverseInertia;
    x[t] = v[i] * x[m] + v[i + 3] * x[m + 1] + v[i + 5] * x[m + 2];
    x[t + 1] = v[i + 3] * x[m] + v[i + 1] * x[m + 1] + v[i + 4] * x[m + 2];
    x[t + 2] = v[i + 5] * x[m] + v[i + 4] * x[m + 1] + v[i + 2] * x[m + 2];
}

/** Result of {@link applyImpulse}. */
export const impulse = new Float64Array(3);

/** Has a body take {@link impulse}, or the opposite one, at an arm. */
export function applyImpulse(v: Float64Array, body: number, x: Float64Array, r: number, sign: number): void {
    const w = v[body + SolverVelocity.inverseMass];
    if (w === 0) return;
    const px = sign * impulse[0];
    const py = sign * impulse[1];
    const pz = sign * impulse[2];
    const mx = x[r + 1] * pz - x[r + 2] * py;
    const my = x[r + 2] * px - x[r] * pz;
    const mz = x[r] * py - x[r + 1] * px;
    const s = body + SolverVelocity.spin;
    const i = body + SolverVelocity.inverseInertia;
    v[body] += w * px;
    v[body + 1] += w * py;
    v[body + 2] += w * pz;
    v[s] += v[i] * mx + v[i + 3] * my + v[i + 5] * mz;
    v[s + 1] += v[i + 3] * mx + v[i + 1] * my + v[i + 4] * mz;
    v[s + 2] += v[i + 5] * mx + v[i + 4] * my + v[i + 2] * mz;
}

function measureAlong(x: Float64Array, row: number): void {
    const n = row + normal;
    const k = row + spread;
    const squares = x[k] * x[n] * x[n] + x[k + 1] * x[n + 1] * x[n + 1] + x[k + 2] * x[n + 2] * x[n + 2];
    const products = x[k + 3] * x[n] * x[n + 1] + x[k + 4] * x[n + 1] * x[n + 2] + x[k + 5] * x[n + 2] * x[n];
    x[row + mobility] = squares + 2 * products;
}
