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
import { StickBodyContact, StickBodyMemory, StickBodyParties, StickBodyPose } from "../stickBodyLayout";
import type { StickBodyArrays } from "../stickBodyLayout";
import { bounce, widen } from "./contacts";
import {
    along,
    arm,
    direction,
    followSpin,
    impulse,
    measureMobility,
    mobility,
    moveAnew,
    takeImpulse,
    writeBody,
} from "./stickBody";

/** A body in a pile. */
export interface PiledBody {
    readonly sticks: StickBodyArrays;
    /** Its origin from the pile's [m]. */
    readonly offset: Float64Array;
    /** Whether it stands as it is: asleep, or of another time. */
    isFixed: boolean;
    /** Whether it is of those that take the present substep. */
    isStepping: boolean;
}

/** Bodies that may touch, and their contacts. */
export interface PileArrays {
    readonly bodies: readonly PiledBody[];
    /** Shape [≥ count, StickBodyContact.count]. */
    readonly contacts: Float64Array;
    /** Shape [≥ count, StickBodyParties.count]. */
    readonly parties: Int32Array;
    /** The first of {@link activeCount}: the contacts of bodies that take the substep. */
    readonly active: Int32Array;
    activeCount: number;
    /** What contacts' colliders are, by number. */
    readonly colliders: readonly Float32Array[];
    /** Number of the substep. */
    substep: number;
}

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

const { centre: C, axes: U, move: M, spin: S, inverseMass: W, before: B } = StickBodyPose;
const {
    local,
    other,
    offset,
    kept,
    friction,
    restitution,
    normal,
    approach,
    pushed,
    held,
    drift,
    arms,
    gap,
    mobility: ease,
} = StickBodyContact;
const { first, second, collider: met, key } = StickBodyParties;
/** Within a call: where a contact is from the first body's origin, and its motion against the other's [m]. */
const place = new Float64Array(3);
const there = new Float64Array(3);
const slip = new Float64Array(3);
const away = new Float64Array(1);
/** What of a contact's normal speed is asked for [m]. */
const wanted = new Float64Array(1);

/** Answers the active contacts. */
export function answerPile(pile: PileArrays): void {
    const { bodies, activeCount: count, active, contacts } = pile;
    if (count === 0) return;
    for (let k = 0; k < count; k++) {
        locate(pile, active[k], B);
        measureGap(pile, active[k]);
        // That before anything is pushed.
        contacts[active[k] * StickBodyContact.count + approach] = away[0];
    }
    for (let k = 0; k < count; k++) warm(pile, active[k]);
    const stride = strideOf(count);
    for (let pass = 0; pass < PASSES; pass++) answerAll(pile, stride, pass, true);
    for (let i = 0; i < bodies.length; i++) if (bodies[i].isStepping) moveAnew(bodies[i].sticks.pose);
    for (let k = 0; k < count; k++) {
        remember(pile, active[k]);
        locate(pile, active[k], C);
    }
    for (let pass = 0; pass < SETTLES; pass++) answerAll(pile, stride, pass, false);
    for (let k = 0; k < count; k++) memorise(pile, active[k]);
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
    const { activeCount: count, active } = pile;
    const last = pass % 2 > 0 ? count - 1 : 0;
    for (let n = 0, k = 0; n < count; n++, k = (k + stride) % count) pushOut(pile, active[Math.abs(last - k)], isMoving);
    for (let n = 0, k = 0; n < count; n++, k = (k + stride) % count) rub(pile, active[Math.abs(last - k)], isMoving);
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

/** Notes from where a contact acts on its bodies, of which `rows` tells the places; and how far it is open there, if that is where they are. */
function locate(pile: PileArrays, contact: number, rows: number): void {
    const { bodies, contacts, parties, colliders } = pile;
    const row = contact * StickBodyContact.count;
    const who = contact * StickBodyParties.count;
    const a = bodies[parties[who + first]];
    const b = parties[who + second] < 0 ? null : bodies[parties[who + second]];
    const ofA = b && a.isStepping ? rows : C;
    const { pose } = a.sticks;
    const axesOfA = ofA - C + U;
    for (let c = 0; c < 3; c++) place[c] = pose[ofA + c] + along(pose, axesOfA, contacts, row + local, c);
    if (b) {
        const ofB = b.isStepping ? rows : C;
        const to = b.sticks.pose;
        contacts[row + gap] = -contacts[row + kept];
        for (let c = 0; c < 3; c++) {
            there[c] = to[ofB + c] + along(to, ofB - C + U, contacts, row + other, c) + b.offset[c] - a.offset[c];
            contacts[row + gap] += (place[c] - there[c]) * contacts[row + normal + c];
            // Midway: what acts there on both has no moment.
            place[c] = (place[c] + there[c]) / 2;
            contacts[row + arms + 3 + c] = place[c] + a.offset[c] - b.offset[c] - to[ofB + c];
        }
    } else {
        contacts[row + gap] = -contacts[row + offset];
        for (let c = 0; c < 3; c++) contacts[row + gap] += place[c] * contacts[row + normal + c];
    }
    for (let c = 0; c < 3; c++) {
        contacts[row + arms + c] = place[c] - pose[ofA + c];
        direction[c] = contacts[row + normal + c];
    }
    measure(pile, contact);
    contacts[row + ease] = mobility[0];
    if (!b) writeCarried(colliders[parties[who + met]], contacts, row);
}

/** Writes how far a collider's material goes at {@link place}: where of two bodies the second's point would be. */
function writeCarried(collider: Float32Array, contacts: Float64Array, row: number): void {
    for (let c = 0; c < 3; c++) {
        const m = Contact.motion + c;
        contacts[row + arms + 3 + c] =
            place[0] * collider[m] + place[1] * collider[m + 4] + place[2] * collider[m + 8] + collider[m + 12];
    }
}

/** Of a contact with a collider, which is where it will be at the end of the substep: how far it is open before. */
function measureGap(pile: PileArrays, contact: number): void {
    const { contacts, parties } = pile;
    const row = contact * StickBodyContact.count;
    reach(pile, contact);
    if (parties[contact * StickBodyParties.count + second] < 0) contacts[row + gap] -= away[0];
}

/** Tells a contact's motion ({@link slip}), and that along the normal ({@link away}). */
function reach({ bodies, contacts, parties }: PileArrays, contact: number): void {
    const row = contact * StickBodyContact.count;
    const who = contact * StickBodyParties.count;
    const { pose } = bodies[parties[who + first]].sticks;
    const to = parties[who + second] < 0 ? null : bodies[parties[who + second]].sticks.pose;
    const at = row + arms;
    away[0] = 0;
    for (let c = 0; c < 3; c++) {
        const d = (c + 1) % 3;
        const e = (c + 2) % 3;
        slip[c] = pose[M + c] + (pose[S + d] * contacts[at + e] - pose[S + e] * contacts[at + d]);
        if (to) slip[c] -= to[M + c] + (to[S + d] * contacts[at + 3 + e] - to[S + e] * contacts[at + 3 + d]);
        else slip[c] -= contacts[at + 3 + c];
        away[0] += slip[c] * contacts[row + normal + c];
    }
}

/** Writes by how much a unit of impulse along {@link direction} moves the two apart there [1/kg]: {@link mobility}. */
function measure({ bodies, contacts, parties, colliders }: PileArrays, contact: number): void {
    const at = contact * StickBodyContact.count + arms;
    const who = contact * StickBodyParties.count;
    const a = bodies[parties[who + first]];
    let sum = 0;
    if (!a.isFixed) {
        takeArm(contacts, at);
        measureMobility(a.sticks.pose);
        sum = mobility[0];
    }
    if (parties[who + second] >= 0) {
        const b = bodies[parties[who + second]];
        if (!b.isFixed) {
            takeArm(contacts, at + 3);
            measureMobility(b.sticks.pose);
            sum += mobility[0];
        }
    } else {
        const taker = colliders[parties[who + met]][Contact.takerMass];
        if (taker > 0) sum += 1 / taker;
    }
    mobility[0] = sum;
}

function takeArm(contacts: Float64Array, at: number): void {
    for (let c = 0; c < 3; c++) arm[c] = contacts[at + c];
}

/** Gives both bodies {@link impulse}, the second the opposite one. */
function give({ bodies, contacts, parties, colliders }: PileArrays, contact: number): void {
    const at = contact * StickBodyContact.count + arms;
    const who = contact * StickBodyParties.count;
    const a = bodies[parties[who + first]];
    takeArm(contacts, at);
    if (parties[who + second] < 0) note(colliders[parties[who + met]], a.sticks.pose);
    if (!a.isFixed) takeImpulse(a.sticks.pose);
    if (parties[who + second] < 0) return;
    const b = bodies[parties[who + second]];
    if (b.isFixed) return;
    takeArm(contacts, at + 3);
    for (let c = 0; c < 3; c++) impulse[c] = -impulse[c];
    takeImpulse(b.sticks.pose);
}

/** Has a collider that takes impulses take {@link impulse} at {@link arm}. */
function note(collider: Float32Array, pose: Float32Array): void {
    if (!(collider[Contact.takerMass] > 0)) return;
    collider[Contact.pushedMass] = 1 / pose[W];
    for (let c = 0; c < 3; c++) {
        const d = (c + 1) % 3;
        const e = (c + 2) % 3;
        collider[Contact.push + c] += impulse[c];
        const y = pose[C + d] + arm[d] - collider[Contact.centre + d];
        const z = pose[C + e] + arm[e] - collider[Contact.centre + e];
        collider[Contact.twist + c] += y * impulse[e] - z * impulse[d];
    }
}

/** Gives a contact what it had in the last substep. */
function warm(pile: PileArrays, contact: number): void {
    const { contacts } = pile;
    const row = contact * StickBodyContact.count;
    if (contacts[row + pushed] === 0) return;
    for (let c = 0; c < 3; c++) impulse[c] = contacts[row + pushed] * contacts[row + normal + c] + contacts[row + held + c];
    give(pile, contact);
}

/** Has a contact not close further than it is open; what is inside comes out by and by. What was pushed too far, since others push too, comes back. */
function pushOut(pile: PileArrays, contact: number, isMoving: boolean): void {
    const { contacts } = pile;
    const row = contact * StickBodyContact.count;
    reach(pile, contact);
    const open = contacts[row + gap];
    wanted[0] = open > 0 ? -open : isMoving ? -RECOVERED * open : 0;
    if (!isMoving && contacts[row + restitution] > 0 && contacts[row + pushed] > 0) bounceOff(pile, contact);
    let size = (wanted[0] - away[0]) / contacts[row + ease];
    if (isMoving && open <= 0) size = FIRM * size - SOFT * contacts[row + pushed];
    size = Math.max(-contacts[row + pushed], size);
    if (size === 0) return;
    contacts[row + pushed] += size;
    for (let c = 0; c < 3; c++) impulse[c] = size * contacts[row + normal + c];
    give(pile, contact);
}

function bounceOff({ bodies, contacts, parties }: PileArrays, contact: number): void {
    const row = contact * StickBodyContact.count;
    const { uniforms } = bodies[parties[contact * StickBodyParties.count + first]].sticks.particles;
    wanted[0] = Math.max(wanted[0], bounce(uniforms, contacts[row + approach], contacts[row + restitution]));
}

/** Takes back by friction what a contact moves across, and has crept, by so much in all as it is pressed. */
function rub(pile: PileArrays, contact: number, isMoving: boolean): void {
    const { contacts } = pile;
    const row = contact * StickBodyContact.count;
    const grip = contacts[row + friction] * contacts[row + pushed];
    if (grip === 0 && contacts[row + held] === 0 && contacts[row + held + 1] === 0 && contacts[row + held + 2] === 0) return;
    reach(pile, contact);
    let slide = 0;
    for (let c = 0; c < 3; c++) {
        slip[c] -= away[0] * contacts[row + normal + c];
        if (isMoving) slip[c] += RETURNED * contacts[row + drift + c];
        slide += slip[c] * slip[c];
    }
    if (!(slide > 0)) return;
    slide = Math.sqrt(slide);
    for (let c = 0; c < 3; c++) direction[c] = slip[c] / slide;
    measure(pile, contact);
    let squared = 0;
    for (let c = 0; c < 3; c++) {
        impulse[c] = contacts[row + held + c] - slip[c] / mobility[0];
        squared += impulse[c] * impulse[c];
    }
    const share = squared > grip * grip ? grip / Math.sqrt(squared) : 1;
    for (let c = 0; c < 3; c++) {
        const sum = impulse[c] * share;
        impulse[c] = sum - contacts[row + held + c];
        contacts[row + held + c] = sum;
    }
    give(pile, contact);
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
