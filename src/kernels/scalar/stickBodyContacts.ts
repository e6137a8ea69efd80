/**
 * Contacts of rigid bodies with colliders and with each other, of all bodies of a pile at once: a point that is inside has an impulse there move the whole body out, one in turn after the
 * other (Jakobsen 2001, §5; friction and restitution as in Müller et al. 2020, "Detailed rigid body simulation with extended position based dynamics").
 *
 *     ┌─────────┐          Impulse of a depth: λ = depth / mobility. Friction takes back the motion across, by μ λ at most. Both are sums over passes (projected
 *     │    ●    │          Gauss–Seidel): what one pass has done too much the next takes back, and no contact pulls. They begin with those of the last substep.
 *   ━━┷━●━━━━━●━┷━━        Then the speed off the surface is what it was to be: a contact pushes, it does not throw. What creeps while friction holds it is
 *                          drawn back.
 */
import { Contact } from "../contactLayout";
import { rowOf } from "../layout";
import { PileMotion, StickBodyContact, StickBodyMemory, StickBodyParties, StickBodyPose } from "../stickBodyLayout";
import { bounce, widen } from "./contacts";
import { give, impulse, locate, motionOf, readMotions, writeMotions } from "./pileRows";
import type { PileArrays } from "./pileRows";
import { followSpin, moveAnew, writeBody } from "./stickBody";

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

const { centre: C, before: B, moment: G } = StickBodyPose;
const { friction, restitution, normal, approach, pushed, held, drift, arms, gap, mobility, moments, turns, carried, spread } =
    StickBodyContact;
const { first, second, collider: met, key } = StickBodyParties;
const { spin: S, inverseMass: W } = PileMotion;
/** Within a call: a contact's motion against the other's [m], and that along the normal. */
const slip = new Float64Array(3);
const away = new Float64Array(1);
/** What of a contact's normal speed is asked for [m]. */
const wanted = new Float64Array(1);

/** Answers the active contacts, and has ties hold. */
export function answerPile(pile: PileArrays): void {
    const { bodies, activeCount: count, active, tie } = pile;
    if (count === 0 && tie.count === 0) return;
    readMotions(pile, B);
    for (let k = 0; k < count; k++) {
        locate(pile, active[k], B);
        measureGap(pile, active[k]);
    }
    for (let k = 0; k < count; k++) warm(pile, active[k]);
    tie.begin(pile);
    const stride = strideOf(count);
    // Ties alone are met at once.
    for (let pass = count > 0 ? 0 : PASSES - 1; pass < PASSES; pass++) answerAll(pile, stride, pass, true);
    writeMotions(pile);
    for (let k = 0; k < count; k++) giveMoment(pile, active[k]);
    tie.giveMoment();
    for (let i = 0; i < bodies.length; i++) if (bodies[i].isStepping) moveAnew(bodies[i].sticks.pose);
    readMotions(pile, C);
    for (let k = 0; k < count; k++) {
        remember(pile, active[k]);
        locate(pile, active[k], C);
    }
    tie.settle(pile);
    for (let pass = count > 0 ? 0 : SETTLES - 1; pass < SETTLES; pass++) answerAll(pile, stride, pass, false);
    writeMotions(pile);
    for (let k = 0; k < count; k++) {
        press(pile, active[k]);
        memorise(pile, active[k]);
    }
    tie.end();
    for (let i = 0; i < bodies.length; i++) {
        if (bodies[i].isFixed) continue;
        const { sticks } = bodies[i];
        followSpin(sticks.pose);
        writeBody(sticks);
        for (let p = 0; p < sticks.particleCount; p++) widen(sticks.particles, rowOf(p));
    }
}

/** One pass over all contacts. @param isMoving whether what is pushed moves so in this substep; else only its speed changes */
function answerAll(pile: PileArrays, stride: number, pass: number, isMoving: boolean): void {
    const { activeCount: count, active, tie } = pile;
    const last = pass % 2 > 0 ? count - 1 : 0;
    for (let n = 0, k = 0; n < count; n++, k = after(k, stride, count)) pushOut(pile, active[Math.abs(last - k)], isMoving);
    for (let n = 0, k = 0; n < count; n++, k = after(k, stride, count)) rub(pile, active[Math.abs(last - k)], isMoving);
    // Last: what a blow leaves of a joint that is open can be seen, what it leaves of depth hardly.
    tie.hold(pile);
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
    const { contacts, parties } = pile;
    const row = contact * StickBodyContact.count;
    reach(pile, contact);
    contacts[row + approach] = away[0];
    if (parties[contact * StickBodyParties.count + second] < 0) contacts[row + gap] -= away[0];
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
    for (let c = 0; c < 3; c++) impulse[c] = x[row + pushed] * x[row + normal + c] + x[row + held + c];
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
    const m = row + moments;
    const open = x[row + gap];
    wanted[0] = open > 0 ? -open : isMoving ? -RECOVERED * open : 0;
    if (!isMoving && x[row + restitution] > 0 && x[row + pushed] > 0) bounceOff(pile, contact);
    const along =
        x[n] * (v[a] - v[b] - x[row + carried]) +
        x[n + 1] * (v[a + 1] - v[b + 1] - x[row + carried + 1]) +
        x[n + 2] * (v[a + 2] - v[b + 2] - x[row + carried + 2]) +
        (x[m] * v[a + S] + x[m + 1] * v[a + S + 1] + x[m + 2] * v[a + S + 2]) -
        (x[m + 3] * v[b + S] + x[m + 4] * v[b + S + 1] + x[m + 5] * v[b + S + 2]);
    let size = (wanted[0] - along) / x[row + mobility];
    if (isMoving && open <= 0) size = FIRM * size - SOFT * x[row + pushed];
    size = Math.max(-x[row + pushed], size);
    if (size === 0) return;
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
    for (let c = 0; c < 3; c++) impulse[c] = x[row + pushed] * x[row + normal + c] + x[row + held + c];
    addMoment(bodies[parties[who + first]].sticks.pose, x, row + arms, 1);
    if (parties[who + second] >= 0) addMoment(bodies[parties[who + second]].sticks.pose, x, row + arms + 3, -1);
}

function addMoment(pose: Float32Array, x: Float64Array, r: number, sign: number): void {
    for (let c = 0; c < 3; c++) {
        const d = (c + 1) % 3;
        const e = (c + 2) % 3;
        pose[G + c] += sign * (x[r + d] * impulse[e] - x[r + e] * impulse[d]);
    }
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

/** Notes what a contact has crept while friction held it; one that slides, or is off, forgets. */
function remember(pile: PileArrays, contact: number): void {
    const { contacts } = pile;
    const row = contact * StickBodyContact.count;
    let squared = 0;
    for (let c = 0; c < 3; c++) squared += contacts[row + held + c] * contacts[row + held + c];
    const grip = contacts[row + friction] * contacts[row + pushed];
    const isHeld = contacts[row + pushed] > 0 && squared < 0.99 * grip * grip;
    if (isHeld) reach(pile, contact);
    for (let c = 0; c < 3; c++) {
        const moved = slip[c] - away[0] * contacts[row + normal + c];
        contacts[row + drift + c] = isHeld ? contacts[row + drift + c] + moved : 0;
    }
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
