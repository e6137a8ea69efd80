/**
 * Contacts of rigid bodies with colliders and with each other, of all bodies of a contact solver at once: a point that is inside has an impulse there move the whole body out, one in turn after the
 * other (Jakobsen 2001, §5; friction and restitution as in Müller et al. 2020, "Detailed rigid body simulation with extended position based dynamics").
 *
 *     ┌─────────┐          Impulse of a depth: λ = depth / mobility. Friction takes back the motion across, by μ λ at most. Both are sums over passes (projected
 *     │    ●    │          Gauss–Seidel): what one pass has done too much the next takes back, and no contact pulls. They begin with those of the last substep.
 *   ━━┷━●━━━━━●━┷━━        Then the speed off the surface is what it was to be: a contact pushes, it does not throw. What creeps while friction holds it is
 *                          drawn back.
 */
import {
    CONTACT_ITERATIONS,
    CONVERGED_SPEED,
    CREEP_RECOVERY,
    PENETRATION_RECOVERY,
    SOFT_CORRECTION,
    SOFT_DAMPING,
    VELOCITY_ITERATIONS,
} from "../tunables";
import { Contact } from "../../kernels/contactLayout";
import { Uniform } from "../../kernels/layout";
import { SolverVelocity, RigidContact, RigidContactMemory, RigidContactOwners, RigidBodyPose } from "../../kernels/rigidBodyLayout";
import { restitutedSpeed, expandBlockBounds } from "../collision/response/contactMath";
import { applyImpulse, impulse, updateContactFrame, velocityRow, readVelocity, writeVelocity } from "./solverRows";
import type { RigidSolverArrays } from "./solverRows";
import { updateAxisMoves, advanceFromStart, writeBody } from "./rigidMotion";

/** Share of the contacts from one to the next: 1 less the golden ratio. */
const GOLDEN_STRIDE = 0.382;

/** Contacts that move and turn by less in a substep act where they did before [m, rad]. */
const FRAME_REUSE_TOLERANCE = 2e-4;

const { centre: C, before: B, moment: G } = RigidBodyPose;
const { friction, restitution, normal, approach, normalImpulse: pushed, frictionImpulse: held, creep: drift, arms } = RigidContact;
const {
    gap,
    mobility,
    moments,
    angularResponses: turns,
    surfaceMotion: carried,
    mobilityMatrix: spread,
    hasFrame: located,
} = RigidContact;
const { first, second, collider: met, featureKey: key } = RigidContactOwners;
const { spin: S, inverseMass: W } = SolverVelocity;
/** Within a call: a contact's motion against the other's [m], and that along the normal. */
const relativeMotion = new Float64Array(3);
const normalMotion = new Float64Array(1);
/** Target normal motion of a contact [m]. */
const targetNormalMotion = new Float64Array(1);
/** True if no contact of the present pass has changed a speed by more than {@link convergedMotion} [m in a substep]. */
let isConverged = false;
const convergedMotion = new Float64Array(1);

/** Answers the active contacts, and has ties hold: island by island, of which a processor keeps all that is asked near. */
export function solveContacts(solver: RigidSolverArrays): void {
    const { bodies, islands, jointSolver } = solver;
    // What stands is of no island.
    for (let i = 0; i < bodies.length; i++) if (bodies[i].hasContact && bodies[i].isFixed) readVelocity(solver, i, C);
    for (let i = 0, from = 0, first = 0; i < islands.count; i++) {
        solveIsland(solver, from, islands.contactEnds[i], first, islands.bodyEnds[i], i === 0 && jointSolver.count > 0);
        from = islands.contactEnds[i];
        first = islands.bodyEnds[i];
    }
}

/** Answers its contacts, from the `from`-th active one. @param first of its bodies, and where they end @param isTied whether it is that of the ties */
function solveIsland(solver: RigidSolverArrays, from: number, to: number, first: number, end: number, isTied: boolean): void {
    const { bodies, active, jointSolver } = solver;
    const { bodies: numbers } = solver.islands;
    for (let i = first; i < end; i++) readVelocity(solver, numbers[i], B);
    solvePositions(solver, from, to, isTied);
    for (let k = from; k < to; k++) addContactMoments(solver, active[k]);
    if (isTied) jointSolver.addMoments();
    for (let i = first; i < end; i++) {
        writeVelocity(solver, numbers[i]);
        if (bodies[numbers[i]].isStepping) advanceFromStart(bodies[numbers[i]].rigidConstraint.pose);
        readVelocity(solver, numbers[i], C);
    }
    solveVelocities(solver, from, to, isTied);
    for (let i = first; i < end; i++) writeVelocity(solver, numbers[i]);
    for (let k = from; k < to; k++) {
        applyToCollider(solver, active[k]);
        storeImpulses(solver, active[k]);
    }
    if (isTied) jointSolver.endSubstep();
    for (let i = first; i < end; i++) {
        const { rigidConstraint: sticks } = bodies[numbers[i]];
        updateAxisMoves(sticks.pose);
        writeBody(sticks);
        expandBlockBounds(sticks.particles, sticks.particleCount);
    }
}

/** Has an island's bodies keep apart in the substep. */
function solvePositions(solver: RigidSolverArrays, from: number, to: number, isTied: boolean): void {
    const { active, jointSolver } = solver;
    for (let k = from; k < to; k++) {
        updateContactFrame(solver, active[k], B);
        measureGap(solver, active[k]);
    }
    for (let k = from; k < to; k++) warmStart(solver, active[k]);
    if (isTied) jointSolver.beginSubstep(solver);
    iterateContacts(solver, from, to, isTied, CONTACT_ITERATIONS);
}

/** Has them have the speeds that they are left with, where they have moved to. */
function solveVelocities(solver: RigidSolverArrays, from: number, to: number, isTied: boolean): void {
    const { active, jointSolver } = solver;
    isConverged = !isTied;
    for (let k = from; k < to; k++) if (!updateCreep(solver, active[k])) updateContactFrame(solver, active[k], C);
    if (isTied) jointSolver.beginVelocityPhase(solver);
    if (!isConverged) iterateContacts(solver, from, to, isTied, VELOCITY_ITERATIONS);
}

/**
 * Passes over the contacts of an island: as many as there are for the substep's moves ({@link CONTACT_ITERATIONS}) or for the speeds after ({@link VELOCITY_ITERATIONS}), or until one changes nothing that counts.
 * Ties alone are met at once.
 */
function iterateContacts(solver: RigidSolverArrays, from: number, to: number, isTied: boolean, passes: number): void {
    const { active, jointSolver } = solver;
    const count = to - from;
    const isMoving = passes === CONTACT_ITERATIONS;
    const stride = strideOf(count);
    const { uniforms } = solver.bodies[solver.islands.bodies[0]].rigidConstraint.particles;
    convergedMotion[0] = CONVERGED_SPEED * uniforms[Uniform.substep];
    for (let pass = count > 0 ? 0 : passes - 1; pass < passes; pass++) {
        const last = pass % 2 > 0 ? count - 1 : 0;
        isConverged = !isTied;
        for (let n = 0, k = 0; n < count; n++, k = nextIndex(k, stride, count))
            solveNormal(solver, active[from + Math.abs(last - k)], isMoving);
        for (let n = 0, k = 0; n < count; n++, k = nextIndex(k, stride, count))
            solveFriction(solver, active[from + Math.abs(last - k)], isMoving);
        // Last: what a blow leaves of a joint that is open can be seen, what it leaves of depth hardly.
        if (isTied) jointSolver.solve(solver);
        if (isConverged) break;
    }
}

/** (k + stride) % count, without a division. */
function nextIndex(k: number, stride: number, count: number): number {
    const next = k + stride;
    return next < count ? next : next - count;
}

/**
 * From one of so many contacts to the next in turn: all are met, those that follow far from each other. Answered round a rim, one after its neighbour, they would have
 * the body creep and turn.
 */
function strideOf(count: number): number {
    let stride = Math.max(1, Math.floor(count * GOLDEN_STRIDE));
    while (greatestCommonDivisor(count, stride) > 1) stride++;
    return stride;
}

/** The greatest common one (Euclid). */
function greatestCommonDivisor(a: number, b: number): number {
    while (b > 0) {
        const rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/** Of a contact with a collider, which is where it will be at the end of the substep: how far it is open before. And how it comes off before anything is pushed. */
function measureGap(solver: RigidSolverArrays, contact: number): void {
    const { motions, contacts, owners } = solver;
    const row = contact * RigidContact.count;
    const who = contact * RigidContactOwners.count;
    readNormalMotion(motions, contacts, row, velocityRow(owners[who + first]), velocityRow(owners[who + second]));
    contacts[row + approach] = normalMotion[0];
    if (owners[who + second] < 0) contacts[row + gap] -= normalMotion[0];
}

/** Tells a contact's motion along its normal: {@link normalMotion}. @param a row of the first body's motion, and `b` of the second's */
function readNormalMotion(v: Float64Array, x: Float64Array, row: number, a: number, b: number): void {
    const n = row + normal;
    const m = row + moments;
    normalMotion[0] =
        x[n] * (v[a] - v[b] - x[row + carried]) +
        x[n + 1] * (v[a + 1] - v[b + 1] - x[row + carried + 1]) +
        x[n + 2] * (v[a + 2] - v[b + 2] - x[row + carried + 2]) +
        (x[m] * v[a + S] + x[m + 1] * v[a + S + 1] + x[m + 2] * v[a + S + 2]) -
        (x[m + 3] * v[b + S] + x[m + 4] * v[b + S + 1] + x[m + 5] * v[b + S + 2]);
}

/** Tells a contact's motion ({@link relativeMotion}), and that along the normal ({@link normalMotion}). */
function readRelativeMotion({ motions: v, contacts: x, owners }: RigidSolverArrays, contact: number): void {
    const row = contact * RigidContact.count;
    const who = contact * RigidContactOwners.count;
    const a = velocityRow(owners[who + first]);
    const b = velocityRow(owners[who + second]);
    const n = row + normal;
    const r = row + arms;
    const to = row + carried;
    const ax = v[a + S];
    const ay = v[a + S + 1];
    const az = v[a + S + 2];
    const bx = v[b + S];
    const by = v[b + S + 1];
    const bz = v[b + S + 2];
    const x0 = v[a] - v[b] - x[to] + (ay * x[r + 2] - az * x[r + 1]) - (by * x[r + 5] - bz * x[r + 4]);
    const x1 = v[a + 1] - v[b + 1] - x[to + 1] + (az * x[r] - ax * x[r + 2]) - (bz * x[r + 3] - bx * x[r + 5]);
    const x2 = v[a + 2] - v[b + 2] - x[to + 2] + (ax * x[r + 1] - ay * x[r]) - (bx * x[r + 4] - by * x[r + 3]);
    normalMotion[0] = x0 * x[n] + x1 * x[n + 1] + x2 * x[n + 2];
    relativeMotion[0] = x0;
    relativeMotion[1] = x1;
    relativeMotion[2] = x2;
}

/** Gives a contact what it had in the last substep. */
function warmStart({ motions, contacts: x, owners }: RigidSolverArrays, contact: number): void {
    const row = contact * RigidContact.count;
    const who = contact * RigidContactOwners.count;
    if (x[row + pushed] === 0) return;
    readImpulse(x, row);
    applyImpulse(motions, velocityRow(owners[who + first]), x, row + arms, 1);
    applyImpulse(motions, velocityRow(owners[who + second]), x, row + arms + 3, -1);
}

/** Has a contact not close further than it is open; what is inside comes out by and by. What was pushed too far, since others push too, comes back. */
function solveNormal(solver: RigidSolverArrays, contact: number, isMoving: boolean): void {
    const { motions: v, contacts: x, owners } = solver;
    const row = contact * RigidContact.count;
    const who = contact * RigidContactOwners.count;
    const a = velocityRow(owners[who + first]);
    const b = velocityRow(owners[who + second]);
    const n = row + normal;
    const open = x[row + gap];
    targetNormalMotion[0] = open > 0 ? -open : isMoving ? -PENETRATION_RECOVERY * open : 0;
    if (!isMoving && x[row + restitution] > 0 && x[row + pushed] > 0) applyRestitution(solver, contact);
    readNormalMotion(v, x, row, a, b);
    let size = (targetNormalMotion[0] - normalMotion[0]) / x[row + mobility];
    if (isMoving && open <= 0) size = SOFT_CORRECTION * size - SOFT_DAMPING * x[row + pushed];
    size = Math.max(-x[row + pushed], size);
    if (size === 0) return;
    if (Math.abs(size) * x[row + mobility] > convergedMotion[0]) isConverged = false;
    x[row + pushed] += size;
    const t = row + turns;
    const p = size * v[a + W];
    const q = size * v[b + W];
    v[a] += p * x[n];
    v[a + 1] += p * x[n + 1];
    v[a + 2] += p * x[n + 2];
    v[a + S] += size * x[t];
    v[a + S + 1] += size * x[t + 1];
    v[a + S + 2] += size * x[t + 2];
    // What is no body stands.
    if (q === 0) return;
    v[b] -= q * x[n];
    v[b + 1] -= q * x[n + 1];
    v[b + 2] -= q * x[n + 2];
    v[b + S] -= size * x[t + 3];
    v[b + S + 1] -= size * x[t + 4];
    v[b + S + 2] -= size * x[t + 5];
}

function applyRestitution({ bodies, contacts, owners }: RigidSolverArrays, contact: number): void {
    const row = contact * RigidContact.count;
    const { uniforms } = bodies[owners[contact * RigidContactOwners.count + first]].rigidConstraint.particles;
    targetNormalMotion[0] = Math.max(
        targetNormalMotion[0],
        restitutedSpeed(uniforms, contacts[row + approach], contacts[row + restitution]),
    );
}

/** Takes back by friction what a contact moves across, and has crept, by so much in all as it is pressed. */
function solveFriction(solver: RigidSolverArrays, contact: number, isMoving: boolean): void {
    const { motions, contacts: x, owners } = solver;
    const row = contact * RigidContact.count;
    const h = row + held;
    const grip = x[row + friction] * x[row + pushed];
    if (grip === 0 && x[h] === 0 && x[h + 1] === 0 && x[h + 2] === 0) return;
    readRelativeMotion(solver, contact);
    const returned = isMoving ? CREEP_RECOVERY : 0;
    const n = row + normal;
    const dx = relativeMotion[0] - normalMotion[0] * x[n] + returned * x[row + drift];
    const dy = relativeMotion[1] - normalMotion[0] * x[n + 1] + returned * x[row + drift + 1];
    const dz = relativeMotion[2] - normalMotion[0] * x[n + 2] + returned * x[row + drift + 2];
    const slide = dx * dx + dy * dy + dz * dz;
    if (!(slide > 0)) return;
    const k = row + spread;
    const squares = x[k] * dx * dx + x[k + 1] * dy * dy + x[k + 2] * dz * dz;
    const back = slide / (squares + 2 * (x[k + 3] * dx * dy + x[k + 4] * dy * dz + x[k + 5] * dz * dx));
    const px = x[h] - back * dx;
    const py = x[h + 1] - back * dy;
    const pz = x[h + 2] - back * dz;
    const squared = px * px + py * py + pz * pz;
    const share = squared > grip * grip ? grip / Math.sqrt(squared) : 1;
    impulse[0] = px * share - x[h];
    impulse[1] = py * share - x[h + 1];
    impulse[2] = pz * share - x[h + 2];
    const given = impulse[0] * impulse[0] + impulse[1] * impulse[1] + impulse[2] * impulse[2];
    if (given > back * back * convergedMotion[0] * convergedMotion[0]) isConverged = false;
    x[h] += impulse[0];
    x[h + 1] += impulse[1];
    x[h + 2] += impulse[2];
    const who = contact * RigidContactOwners.count;
    applyImpulse(motions, velocityRow(owners[who + first]), x, row + arms, 1);
    applyImpulse(motions, velocityRow(owners[who + second]), x, row + arms + 3, -1);
}

/** Has both bodies know the moment of what a contact has pushed and held. */
function addContactMoments({ bodies, contacts: x, owners }: RigidSolverArrays, contact: number): void {
    const row = contact * RigidContact.count;
    const who = contact * RigidContactOwners.count;
    readImpulse(x, row);
    addMoment(bodies[owners[who + first]].rigidConstraint.pose, x, row + arms, 1);
    if (owners[who + second] >= 0) addMoment(bodies[owners[who + second]].rigidConstraint.pose, x, row + arms + 3, -1);
}

function addMoment(pose: Float32Array, x: Float64Array, r: number, sign: number): void {
    pose[G] += sign * (x[r + 1] * impulse[2] - x[r + 2] * impulse[1]);
    pose[G + 1] += sign * (x[r + 2] * impulse[0] - x[r] * impulse[2]);
    pose[G + 2] += sign * (x[r] * impulse[1] - x[r + 1] * impulse[0]);
}

/** Writes what a contact has pushed and held to {@link impulse}. */
function readImpulse(x: Float64Array, row: number): void {
    const by = x[row + pushed];
    impulse[0] = by * x[row + normal] + x[row + held];
    impulse[1] = by * x[row + normal + 1] + x[row + held + 1];
    impulse[2] = by * x[row + normal + 2] + x[row + held + 2];
}

/** Has a collider that takes impulses take what a contact has pushed and held. */
function applyToCollider({ bodies, contacts: x, owners, colliders }: RigidSolverArrays, contact: number): void {
    const row = contact * RigidContact.count;
    const who = contact * RigidContactOwners.count;
    if (owners[who + second] >= 0) return;
    const collider = colliders[owners[who + met]];
    if (!(collider[Contact.dynamicMass] > 0) || x[row + pushed] === 0) return;
    const { pose } = bodies[owners[who + first]].rigidConstraint;
    collider[Contact.contactMass] = 1 / pose[RigidBodyPose.inverseMass];
    for (let c = 0; c < 3; c++) impulse[c] = x[row + pushed] * x[row + normal + c] + x[row + held + c];
    for (let c = 0; c < 3; c++) {
        const d = (c + 1) % 3;
        const e = (c + 2) % 3;
        const y = pose[C + d] + x[row + arms + d] - collider[Contact.centre + d];
        const z = pose[C + e] + x[row + arms + e] - collider[Contact.centre + e];
        collider[Contact.impulse + c] += impulse[c];
        collider[Contact.angularImpulse + c] += y * impulse[e] - z * impulse[d];
    }
}

/**
 * Notes what a contact has crept while friction held it; one that slides, or is off, forgets.
 * @returns whether the two have hardly moved against each other: then the contact acts where it did, and how far it is open now is told
 */
function updateCreep(solver: RigidSolverArrays, contact: number): boolean {
    const { motions: v, contacts: x, owners } = solver;
    const row = contact * RigidContact.count;
    const h = row + held;
    const d = row + drift;
    const n = row + normal;
    const squared = x[h] * x[h] + x[h + 1] * x[h + 1] + x[h + 2] * x[h + 2];
    const grip = x[row + friction] * x[row + pushed];
    readRelativeMotion(solver, contact);
    const sx = relativeMotion[0];
    const sy = relativeMotion[1];
    const sz = relativeMotion[2];
    if (x[row + pushed] > 0 && squared < 0.99 * grip * grip) {
        x[d] += sx - normalMotion[0] * x[n];
        x[d + 1] += sy - normalMotion[0] * x[n + 1];
        x[d + 2] += sz - normalMotion[0] * x[n + 2];
    } else x[d] = x[d + 1] = x[d + 2] = 0;
    const who = contact * RigidContactOwners.count;
    const a = velocityRow(owners[who + first]) + S;
    const b = velocityRow(owners[who + second]) + S;
    let turning = 0;
    for (let c = 0; c < 3; c++) turning += Math.abs(v[a + c]) + Math.abs(v[b + c]);
    const isStill = sx * sx + sy * sy + sz * sz < FRAME_REUSE_TOLERANCE * FRAME_REUSE_TOLERANCE && turning < FRAME_REUSE_TOLERANCE;
    if (isStill) x[row + gap] += normalMotion[0];
    else x[row + located] = 0;
    if (isConverged && x[row + pushed] > 0)
        isConverged = x[row + restitution] === 0 && sx * sx + sy * sy + sz * sz < convergedMotion[0] * convergedMotion[0];
    // What is about to come near has nothing to settle, either.
    else if (isConverged)
        isConverged = isStill && x[row + gap] + normalMotion[0] > 0 && x[h] === 0 && x[h + 1] === 0 && x[h + 2] === 0;
    return isStill;
}

/** Has the point of a contact with a collider know it in the next substep. */
function storeImpulses({ bodies, contacts, owners, substep }: RigidSolverArrays, contact: number): void {
    const row = contact * RigidContact.count;
    const who = contact * RigidContactOwners.count;
    if (owners[who + second] >= 0 || owners[who + key] < 0) return;
    const { memory } = bodies[owners[who + first]].rigidConstraint;
    const m = owners[who + key] * RigidContactMemory.count;
    for (let c = 0; c < 3; c++) {
        memory[m + RigidContactMemory.frictionImpulse + c] = contacts[row + held + c];
        memory[m + RigidContactMemory.creep + c] = contacts[row + drift + c];
        memory[m + RigidContactMemory.normal + c] = contacts[row + normal + c];
    }
    memory[m + RigidContactMemory.normalImpulse] = contacts[row + pushed];
    memory[m + RigidContactMemory.substep] = substep;
}
