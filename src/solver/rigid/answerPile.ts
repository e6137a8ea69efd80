/**
 * Contacts of rigid bodies with colliders and with each other, of all bodies of a pile at once: a point that is inside has an impulse there move the whole body out, one in turn after the
 * other (Jakobsen 2001, §5; friction and restitution as in Müller et al. 2020, "Detailed rigid body simulation with extended position based dynamics").
 *
 *     ┌─────────┐          Impulse of a depth: λ = depth / mobility. Friction takes back the motion across, by μ λ at most. Both are sums over passes (projected
 *     │    ●    │          Gauss–Seidel): what one pass has done too much the next takes back, and no contact pulls. They begin with those of the last substep.
 *   ━━┷━●━━━━━●━┷━━        Then the speed off the surface is what it was to be: a contact pushes, it does not throw. What creeps while friction holds it is
 *                          drawn back.
 */
import { Contact } from "../../kernels/contactLayout";
import { Uniform } from "../../kernels/layout";
import { PileMotion, StickBodyContact, StickBodyMemory, StickBodyParties, StickBodyPose } from "../../kernels/stickBodyLayout";
import { bounce, widenAll } from "../colliders/contactMath";
import { give, impulse, locate, motionOf, readMotion, writeMotion } from "./pileRows";
import type { PileArrays } from "./pileRows";
import { followSpin, moveAnew, writeBody } from "./stickBodyMotion";

/** How often all contacts are pushed out and held by friction, there and back; and settled. */
const PASSES = 4;
const SETTLES = 2;
/** Share of the contacts from one to the next: 1 less the golden ratio. */
const GOLDEN = 0.382;
/** Share of what is inside that comes out in a substep, and of what friction has let creep that is drawn back. */
const RECOVERED = 0.17;
const RETURNED = 0.2;
/** What is inside is pushed out softly, or stacks rock themselves over: by this share of what is due, less this share of what it is pushed already (Catto 2011, "Soft constraints"). */
const FIRM = 0.942;
const SOFT = 0.03;

/** Contacts that move and turn by less in a substep act where they did before [m, rad]. */
const STILL = 2e-4;
/** What changes by no more than this has settled [m/s]. */
const CALM = 2e-5;

const { centre: C, before: B, moment: G } = StickBodyPose;
const { friction, restitution, normal, approach, pushed, held, drift, arms } = StickBodyContact;
const { gap, mobility, moments, turns, carried, spread, located } = StickBodyContact;
const { first, second, collider: met, key } = StickBodyParties;
const { spin: S, inverseMass: W } = PileMotion;
/** Within a call: a contact's motion against the other's [m], and that along the normal. */
const slip = new Float64Array(3);
const away = new Float64Array(1);
/** What of a contact's normal speed is asked for [m]. */
const wanted = new Float64Array(1);
/** Whether no contact of the present pass has changed a speed by more than {@link calm} [m in a substep]. */
let isSettled = false;
const calm = new Float64Array(1);

/** Answers the active contacts, and has ties hold: island by island, of which a processor keeps all that is asked near. */
export function answerPile(pile: PileArrays): void {
    const { bodies, islands, tie } = pile;
    // What stands is of no island.
    for (let i = 0; i < bodies.length; i++) if (bodies[i].isMet && bodies[i].isFixed) readMotion(pile, i, C);
    for (let i = 0, from = 0, first = 0; i < islands.count; i++) {
        answerIsland(pile, from, islands.ends[i], first, islands.bodyEnds[i], i === 0 && tie.count > 0);
        from = islands.ends[i];
        first = islands.bodyEnds[i];
    }
}

/** Answers its contacts, from the `from`-th active one. @param first of its bodies, and where they end @param isTied whether it is that of the ties */
function answerIsland(pile: PileArrays, from: number, to: number, first: number, end: number, isTied: boolean): void {
    const { bodies, active, tie } = pile;
    const { bodies: numbers } = pile.islands;
    for (let i = first; i < end; i++) readMotion(pile, numbers[i], B);
    push(pile, from, to, isTied);
    for (let k = from; k < to; k++) giveMoment(pile, active[k]);
    if (isTied) tie.giveMoment();
    for (let i = first; i < end; i++) {
        writeMotion(pile, numbers[i]);
        if (bodies[numbers[i]].isStepping) moveAnew(bodies[numbers[i]].sticks.pose);
        readMotion(pile, numbers[i], C);
    }
    settle(pile, from, to, isTied);
    for (let i = first; i < end; i++) writeMotion(pile, numbers[i]);
    for (let k = from; k < to; k++) {
        press(pile, active[k]);
        memorise(pile, active[k]);
    }
    if (isTied) tie.end();
    for (let i = first; i < end; i++) {
        const { sticks } = bodies[numbers[i]];
        followSpin(sticks.pose);
        writeBody(sticks);
        widenAll(sticks.particles, sticks.particleCount);
    }
}

/** Has an island's bodies keep apart in the substep. */
function push(pile: PileArrays, from: number, to: number, isTied: boolean): void {
    const { active, tie } = pile;
    for (let k = from; k < to; k++) {
        locate(pile, active[k], B);
        measureGap(pile, active[k]);
    }
    for (let k = from; k < to; k++) warm(pile, active[k]);
    if (isTied) tie.begin(pile);
    answerAll(pile, from, to, isTied, PASSES);
}

/** Has them have the speeds that they are left with, where they have moved to. */
function settle(pile: PileArrays, from: number, to: number, isTied: boolean): void {
    const { active, tie } = pile;
    isSettled = !isTied;
    for (let k = from; k < to; k++) if (!remember(pile, active[k])) locate(pile, active[k], C);
    if (isTied) tie.settle(pile);
    if (!isSettled) answerAll(pile, from, to, isTied, SETTLES);
}

/**
 * Passes over the contacts of an island: as many as there are for the substep's moves ({@link PASSES}) or for the speeds after ({@link SETTLES}), or until one changes nothing that counts.
 * Ties alone are met at once.
 */
function answerAll(pile: PileArrays, from: number, to: number, isTied: boolean, passes: number): void {
    const { active, tie } = pile;
    const count = to - from;
    const isMoving = passes === PASSES;
    const stride = strideOf(count);
    const { uniforms } = pile.bodies[pile.islands.bodies[0]].sticks.particles;
    calm[0] = CALM * uniforms[Uniform.substep];
    for (let pass = count > 0 ? 0 : passes - 1; pass < passes; pass++) {
        const last = pass % 2 > 0 ? count - 1 : 0;
        isSettled = !isTied;
        for (let n = 0, k = 0; n < count; n++, k = after(k, stride, count))
            pushOut(pile, active[from + Math.abs(last - k)], isMoving);
        for (let n = 0, k = 0; n < count; n++, k = after(k, stride, count)) rub(pile, active[from + Math.abs(last - k)], isMoving);
        // Last: what a blow leaves of a joint that is open can be seen, what it leaves of depth hardly.
        if (isTied) tie.hold(pile);
        if (isSettled) break;
    }
}

/** (k + stride) % count, without a division. */
function after(k: number, stride: number, count: number): number {
    const next = k + stride;
    return next < count ? next : next - count;
}

/**
 * From one of so many contacts to the next in turn: all are met, those that follow far from each other. Answered round a rim, one after its neighbour, they would have
 * the body creep and turn.
 */
function strideOf(count: number): number {
    let stride = Math.max(1, Math.floor(count * GOLDEN));
    while (dividerOf(count, stride) > 1) stride++;
    return stride;
}

/** The greatest common one (Euclid). */
function dividerOf(a: number, b: number): number {
    while (b > 0) {
        const rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/** Of a contact with a collider, which is where it will be at the end of the substep: how far it is open before. And how it comes off before anything is pushed. */
function measureGap(pile: PileArrays, contact: number): void {
    const { motions, contacts, parties } = pile;
    const row = contact * StickBodyContact.count;
    const who = contact * StickBodyParties.count;
    close(motions, contacts, row, motionOf(parties[who + first]), motionOf(parties[who + second]));
    contacts[row + approach] = away[0];
    if (parties[who + second] < 0) contacts[row + gap] -= away[0];
}

/** Tells a contact's motion along its normal: {@link away}. @param a row of the first body's motion, and `b` of the second's */
function close(v: Float64Array, x: Float64Array, row: number, a: number, b: number): void {
    const n = row + normal;
    const m = row + moments;
    away[0] =
        x[n] * (v[a] - v[b] - x[row + carried]) +
        x[n + 1] * (v[a + 1] - v[b + 1] - x[row + carried + 1]) +
        x[n + 2] * (v[a + 2] - v[b + 2] - x[row + carried + 2]) +
        (x[m] * v[a + S] + x[m + 1] * v[a + S + 1] + x[m + 2] * v[a + S + 2]) -
        (x[m + 3] * v[b + S] + x[m + 4] * v[b + S + 1] + x[m + 5] * v[b + S + 2]);
}

/** Tells a contact's motion ({@link slip}), and that along the normal ({@link away}). */
function reach({ motions: v, contacts: x, parties }: PileArrays, contact: number): void {
    const row = contact * StickBodyContact.count;
    const who = contact * StickBodyParties.count;
    const a = motionOf(parties[who + first]);
    const b = motionOf(parties[who + second]);
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
    away[0] = x0 * x[n] + x1 * x[n + 1] + x2 * x[n + 2];
    slip[0] = x0;
    slip[1] = x1;
    slip[2] = x2;
}

/** Gives a contact what it had in the last substep. */
function warm({ motions, contacts: x, parties }: PileArrays, contact: number): void {
    const row = contact * StickBodyContact.count;
    const who = contact * StickBodyParties.count;
    if (x[row + pushed] === 0) return;
    readImpulse(x, row);
    give(motions, motionOf(parties[who + first]), x, row + arms, 1);
    give(motions, motionOf(parties[who + second]), x, row + arms + 3, -1);
}

/** Has a contact not close further than it is open; what is inside comes out by and by. What was pushed too far, since others push too, comes back. */
function pushOut(pile: PileArrays, contact: number, isMoving: boolean): void {
    const { motions: v, contacts: x, parties } = pile;
    const row = contact * StickBodyContact.count;
    const who = contact * StickBodyParties.count;
    const a = motionOf(parties[who + first]);
    const b = motionOf(parties[who + second]);
    const n = row + normal;
    const open = x[row + gap];
    wanted[0] = open > 0 ? -open : isMoving ? -RECOVERED * open : 0;
    if (!isMoving && x[row + restitution] > 0 && x[row + pushed] > 0) bounceOff(pile, contact);
    close(v, x, row, a, b);
    let size = (wanted[0] - away[0]) / x[row + mobility];
    if (isMoving && open <= 0) size = FIRM * size - SOFT * x[row + pushed];
    size = Math.max(-x[row + pushed], size);
    if (size === 0) return;
    if (Math.abs(size) * x[row + mobility] > calm[0]) isSettled = false;
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

function bounceOff({ bodies, contacts, parties }: PileArrays, contact: number): void {
    const row = contact * StickBodyContact.count;
    const { uniforms } = bodies[parties[contact * StickBodyParties.count + first]].sticks.particles;
    wanted[0] = Math.max(wanted[0], bounce(uniforms, contacts[row + approach], contacts[row + restitution]));
}

/** Takes back by friction what a contact moves across, and has crept, by so much in all as it is pressed. */
function rub(pile: PileArrays, contact: number, isMoving: boolean): void {
    const { motions, contacts: x, parties } = pile;
    const row = contact * StickBodyContact.count;
    const h = row + held;
    const grip = x[row + friction] * x[row + pushed];
    if (grip === 0 && x[h] === 0 && x[h + 1] === 0 && x[h + 2] === 0) return;
    reach(pile, contact);
    const returned = isMoving ? RETURNED : 0;
    const n = row + normal;
    const dx = slip[0] - away[0] * x[n] + returned * x[row + drift];
    const dy = slip[1] - away[0] * x[n + 1] + returned * x[row + drift + 1];
    const dz = slip[2] - away[0] * x[n + 2] + returned * x[row + drift + 2];
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
    if (given > back * back * calm[0] * calm[0]) isSettled = false;
    x[h] += impulse[0];
    x[h + 1] += impulse[1];
    x[h + 2] += impulse[2];
    const who = contact * StickBodyParties.count;
    give(motions, motionOf(parties[who + first]), x, row + arms, 1);
    give(motions, motionOf(parties[who + second]), x, row + arms + 3, -1);
}

/** Has both bodies know the moment of what a contact has pushed and held. */
function giveMoment({ bodies, contacts: x, parties }: PileArrays, contact: number): void {
    const row = contact * StickBodyContact.count;
    const who = contact * StickBodyParties.count;
    readImpulse(x, row);
    addMoment(bodies[parties[who + first]].sticks.pose, x, row + arms, 1);
    if (parties[who + second] >= 0) addMoment(bodies[parties[who + second]].sticks.pose, x, row + arms + 3, -1);
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
function press({ bodies, contacts: x, parties, colliders }: PileArrays, contact: number): void {
    const row = contact * StickBodyContact.count;
    const who = contact * StickBodyParties.count;
    if (parties[who + second] >= 0) return;
    const collider = colliders[parties[who + met]];
    if (!(collider[Contact.takerMass] > 0) || x[row + pushed] === 0) return;
    const { pose } = bodies[parties[who + first]].sticks;
    collider[Contact.pushedMass] = 1 / pose[StickBodyPose.inverseMass];
    for (let c = 0; c < 3; c++) impulse[c] = x[row + pushed] * x[row + normal + c] + x[row + held + c];
    for (let c = 0; c < 3; c++) {
        const d = (c + 1) % 3;
        const e = (c + 2) % 3;
        const y = pose[C + d] + x[row + arms + d] - collider[Contact.centre + d];
        const z = pose[C + e] + x[row + arms + e] - collider[Contact.centre + e];
        collider[Contact.push + c] += impulse[c];
        collider[Contact.twist + c] += y * impulse[e] - z * impulse[d];
    }
}

/**
 * Notes what a contact has crept while friction held it; one that slides, or is off, forgets.
 * @returns whether the two have hardly moved against each other: then the contact acts where it did, and how far it is open now is told
 */
function remember(pile: PileArrays, contact: number): boolean {
    const { motions: v, contacts: x, parties } = pile;
    const row = contact * StickBodyContact.count;
    const h = row + held;
    const d = row + drift;
    const n = row + normal;
    const squared = x[h] * x[h] + x[h + 1] * x[h + 1] + x[h + 2] * x[h + 2];
    const grip = x[row + friction] * x[row + pushed];
    reach(pile, contact);
    const sx = slip[0];
    const sy = slip[1];
    const sz = slip[2];
    if (x[row + pushed] > 0 && squared < 0.99 * grip * grip) {
        x[d] += sx - away[0] * x[n];
        x[d + 1] += sy - away[0] * x[n + 1];
        x[d + 2] += sz - away[0] * x[n + 2];
    } else x[d] = x[d + 1] = x[d + 2] = 0;
    const who = contact * StickBodyParties.count;
    const a = motionOf(parties[who + first]) + S;
    const b = motionOf(parties[who + second]) + S;
    let turning = 0;
    for (let c = 0; c < 3; c++) turning += Math.abs(v[a + c]) + Math.abs(v[b + c]);
    const isStill = sx * sx + sy * sy + sz * sz < STILL * STILL && turning < STILL;
    if (isStill) x[row + gap] += away[0];
    else x[row + located] = 0;
    if (isSettled && x[row + pushed] > 0) isSettled = x[row + restitution] === 0 && sx * sx + sy * sy + sz * sz < calm[0] * calm[0];
    // What is about to come near has nothing to settle, either.
    else if (isSettled) isSettled = isStill && x[row + gap] + away[0] > 0 && x[h] === 0 && x[h + 1] === 0 && x[h + 2] === 0;
    return isStill;
}

/** Has the point of a contact with a collider know it in the next substep. */
function memorise({ bodies, contacts, parties, substep }: PileArrays, contact: number): void {
    const row = contact * StickBodyContact.count;
    const who = contact * StickBodyParties.count;
    if (parties[who + second] >= 0 || parties[who + key] < 0) return;
    const { memory } = bodies[parties[who + first]].sticks;
    const m = parties[who + key] * StickBodyMemory.count;
    for (let c = 0; c < 3; c++) {
        memory[m + StickBodyMemory.held + c] = contacts[row + held + c];
        memory[m + StickBodyMemory.drift + c] = contacts[row + drift + c];
        memory[m + StickBodyMemory.normal + c] = contacts[row + normal + c];
    }
    memory[m + StickBodyMemory.pushed] = contacts[row + pushed];
    memory[m + StickBodyMemory.substep] = substep;
}
