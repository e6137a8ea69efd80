import { found, FoundPoint, findHullPoints } from "./hullPairs";
import { readNow } from "./stickBodyMotion";
import { answerPile } from "./answerPile";
import type { NotingPile } from "./noteContacts";
import { PileMotion, StickBodyContact, StickBodyParties, StickBodyPose } from "../../kernels/stickBodyLayout";
import { agree } from "../colliders/groups";
import type { Accompanied, Company } from "../company";
import { finestOf } from "../time/finest";
import type { Steps } from "../time/finest";
import { noteBurdens } from "../joints/burdens";
import type { Joint } from "../joints/joint";
import { Linkage } from "../joints/linkage";
import { Islands } from "./islands";
import { LastFound } from "./lastFound";
import { NearPairs } from "./nearPairs";
import { Pairing } from "./pairing";
import { PileMember } from "./pileMember";
import type { Piled } from "./pileMember";

const { centre: C, axes: U, move: M, spin: S } = StickBodyPose;
/** Slots of a contact that go on from step to step. */
const { pushed: KEPT_FROM, restitution: KEPT_TO } = StickBodyContact;
/** Bodies look for each other so much farther than they come in a step [m]. */
const LEAST_MARGIN = 1e-3;
/** What moves so far in a substep against what it touches is fast [m]. */
const FAST = 5e-4;
/** And in a step slow: contacts may go on where they are [m]. */
const SLOW = 1e-4;

/** Within a call. */
const axes = new Float64Array(9);
const place = new Float64Array(3);
const middle = new Float64Array(3);
const most = new Float64Array(1);

/**
 * The rigid bodies of a world that may touch, and their contacts, those with colliders among them: all are answered together.
 *
 *     ┌───┐         Where two may touch is found once a step, with a margin for what they come nearer in it, by their convex hulls. Contacts go on
 *     ├───┴┐        from step to step by what they are known by: a corner, an edge. Those with colliders are found in each substep.
 *   ━━┷━━━━┷━━
 */
export class Pile implements Company, NotingPile {
    readonly bodies: PileMember[] = [];
    motions = new Float64Array(PileMotion.count);
    contacts = new Float64Array(64 * StickBodyContact.count);
    parties = new Int32Array(64 * StickBodyParties.count);
    active = new Int32Array(64);
    activeCount = 0;
    readonly islands = new Islands();
    readonly pairing = new Pairing();
    readonly colliders: Float32Array[] = [];
    readonly joints: Joint[] = [];
    /** Those of {@link joints} whose bodies take the substep. */
    readonly tie = new Linkage();
    /** Number of the substep. It goes on when contacts are forgotten: bodies know by it whether they have noted theirs, and which are of the last one. */
    substep = 0;
    /** Those that may touch in a step. */
    private readonly _near = new NearPairs();
    private readonly _last = new LastFound();
    private _count = 0;
    private _colliderCount = 0;
    private _firstCollider = 0;
    /** Contacts between bodies, the first of all. */
    private _pairCount = 0;
    private _areFound = false;
    private _finest: Steps | null = null;
    /** Whether any two that touch move so fast that they are looked at anew in each substep. */
    private _isAnyFast = false;
    private _olderContacts = new Float64Array(64 * StickBodyContact.count);
    private _olderParties = new Int32Array(64 * StickBodyParties.count);

    add(body: Piled): PileMember {
        const member = new PileMember(body, this);
        this.bodies.push(member);
        this.motions = new Float64Array((this.bodies.length + 1) * PileMotion.count);
        this.forgetFinest();
        this.forget();
        return member;
    }

    remove(member: PileMember): void {
        const index = this.bodies.indexOf(member);
        if (index < 0) return;
        this.bodies.splice(index, 1);
        this.forgetFinest();
        for (const other of this.bodies) other.wakeWithout(member);
        for (const other of member.spared) other.spared.delete(member);
        for (let i = this.joints.length - 1; i >= 0; i--) if (this.joints[i].joins(member)) this._takeOut(i);
        this.forget();
    }

    /** How its bodies are stepped; null: it has none. */
    get finest(): Steps | null {
        return (this._finest ??= finestOf(this.bodies.map(({ body }) => body.asked)));
    }

    /** What is asked of a body, or which there are, has changed. */
    forgetFinest(): void {
        this._finest = null;
    }

    /** Whether a joint holds a body to another. */
    ties(member: PileMember): boolean {
        const { joints } = this;
        for (let i = 0; i < joints.length; i++) if (joints[i].second && joints[i].joins(member)) return true;
        return false;
    }

    /** Has a joint hold, if its bodies are here. */
    join(joint: Joint): void {
        for (const body of [joint.first, joint.second]) if (body && !this.bodies.includes(body)) return;
        this.joints.push(joint);
        noteBurdens(this.bodies, this.joints);
        this.forget();
        joint.first.body.wake();
        joint.second?.body.wake();
    }

    /** Ends it. */
    part(joint: Joint): void {
        joint.isBroken = true;
        const index = this.joints.indexOf(joint);
        if (index >= 0) this._takeOut(index);
    }

    private _takeOut(index: number): void {
        const [joint] = this.joints.splice(index, 1);
        noteBurdens(this.bodies, this.joints);
        this.tie.forget();
        this._relocate();
        joint.first.body.wake();
        joint.second?.body.wake();
    }

    /** Contacts begin anew: bodies have come, gone, or been put elsewhere. */
    forget(): void {
        this._count = this._pairCount = this.activeCount = 0;
        this._areFound = false;
        this.bodies.forEach((member, number) => (member.number = number));
    }

    prepare(): void {
        this._areFound = false;
        this.pairing.clear();
    }

    /** Begins the contacts of a substep, after bodies of it have moved. */
    separate(stepping: readonly Accompanied[]): void {
        this.pairing.end();
        const { bodies } = this;
        const { body: leader } = stepping[0].companion as PileMember;
        let isOther = false;
        for (let i = 0; i < bodies.length; i++) isOther = bodies[i].begin(bodies[0].body.origin) || isOther;
        if (isOther) this._relocate();
        for (let i = 0; i < stepping.length; i++) (stepping[i].companion as PileMember).isStepping = true;
        for (let i = 0; i < bodies.length; i++) if (!bodies[i].isStepping) readStanding(bodies[i]);
        this.substep = (this.substep + 1) % (1 << 20);
        this._colliderCount = 0;
        if (!this._areFound) this._find(leader.settings.substepCount);
        this._areFound = !this._isAnyFast;
        this._count = this._pairCount;
    }

    /** Has contacts between bodies be told anew how those give way. */
    private _relocate(): void {
        const { count, located } = StickBodyContact;
        for (let contact = 0; contact < this._pairCount; contact++) this.contacts[contact * count + located] = 0;
    }

    /** Answers all contacts, once bodies have noted those with colliders. */
    guard(): void {
        this._tie();
        this._activate();
        answerPile(this);
        for (let i = this.joints.length - 1; i >= 0; i--) if (this.joints[i].isBroken) this.part(this.joints[i]);
    }

    /** Finds the joints of bodies that take the substep. */
    private _tie(): void {
        const { joints, tie } = this;
        tie.empty();
        for (let i = 0; i < joints.length; i++) {
            const { first, second } = joints[i];
            if (second) {
                first.wakeBy(second);
                second.wakeBy(first);
                first.lieAs(second);
                second.lieAs(first);
            }
            if (!first.isStepping && !second?.isStepping) continue;
            tie.add(joints[i]);
            first.isMet = true;
            if (second) second.isMet = true;
        }
    }

    /** Has two not keep off each other, joined or not. */
    spare(a: PileMember, b: PileMember): void {
        a.spared.add(b);
        b.spared.add(a);
    }

    /** Whether two do not keep off each other: joined, or spared. */
    private _areOne(a: PileMember, b: PileMember): boolean {
        if (a.spared.has(b)) return true;
        const { joints } = this;
        for (let i = 0; i < joints.length; i++) if (!joints[i].areApart && joints[i].joins(a) && joints[i].joins(b)) return true;
        return false;
    }

    /** Lists the contacts of bodies that take the substep, by islands. */
    private _activate(): void {
        const { bodies, parties, islands, tie } = this;
        if (this.active.length < this._count) this.active = new Int32Array(2 * this._count);
        islands.begin(bodies.length, this._count);
        for (let i = 0; i < tie.count; i++) islands.tie(tie.firstOf(i), tie.secondOf(i));
        for (let contact = 0; contact < this._count; contact++) {
            const who = contact * StickBodyParties.count;
            const a = bodies[parties[who]];
            const b = parties[who + 1] < 0 ? a : bodies[parties[who + 1]];
            if (!(a.isStepping || b.isStepping) || (a.isFixed && b.isFixed)) continue;
            a.isMet = b.isMet = true;
            islands.add(contact, a.isFixed ? b.number : a.number, b.isFixed ? a.number : b.number);
        }
        for (let i = 0; i < bodies.length; i++) if (bodies[i].isMet && !bodies[i].isFixed) islands.takeIn(i);
        this.activeCount = islands.list(this.active);
    }

    /** Begins with a body whose colliders are noted next: each has its own. */
    beginColliders(): void {
        this._firstCollider = this._colliderCount;
    }

    /** The number of a collider in this substep. */
    noteCollider(data: Float32Array): number {
        for (let i = this._firstCollider; i < this._colliderCount; i++) if (this.colliders[i] === data) return i;
        // The list keeps its length: one that is emptied gives its memory back, and asks for it anew.
        this.colliders[this._colliderCount] = data;
        return this._colliderCount++;
    }

    addContact(): number {
        const contact = this._count++;
        const row = contact * StickBodyContact.count;
        if (row + StickBodyContact.count > this.contacts.length) {
            this.contacts = grown(this.contacts, Float64Array);
            this.parties = grown(this.parties, Int32Array);
        }
        this.contacts.fill(0, row, row + StickBodyContact.count);
        return contact;
    }

    /** Finds contacts between bodies for a step of so many substeps. */
    private _find(substepCount: number): void {
        const { bodies } = this;
        const before = this._pairCount;
        const { contacts, parties } = this;
        this.contacts = this._olderContacts;
        this.parties = this._olderParties;
        this._olderContacts = contacts;
        this._olderParties = parties;
        this._count = 0;
        this._isAnyFast = false;
        this._last.begin();
        const { _near: near } = this;
        near.resize(bodies.length);
        for (let i = 0; i < bodies.length; i++) bodies[i].writeRange(near.ranges, i, LEAST_MARGIN, substepCount);
        near.find();
        let older = 0;
        for (let n = 0; n < near.count; n++) {
            const i = near.pairs[2 * n];
            const k = near.pairs[2 * n + 1];
            // Pairs come in order: those of the last step, too.
            while (older < before && this._isOlder(older, i, k)) older++;
            if (bodies[i].isFixed && bodies[k].isFixed && !(bodies[i].isAsleep && bodies[k].isAsleep)) continue;
            this._findPair(bodies[i], bodies[k], substepCount, older, before);
        }
        this._pairCount = this._count;
    }

    /** Whether an old contact is of a pair before (i, k). */
    private _isOlder(contact: number, i: number, k: number): boolean {
        const who = contact * StickBodyParties.count;
        const first = this._olderParties[who];
        return first < i || (first === i && this._olderParties[who + 1] < k);
    }

    private _findPair(a: PileMember, b: PileMember, substepCount: number, older: number, before: number): void {
        const p = a.sticks.pose;
        const q = b.sticks.pose;
        let squared = 0;
        let closing = 0;
        let turning = 0;
        for (let c = 0; c < 3; c++) {
            place[c] = q[C + c] + b.offset[c] - p[C + c] - a.offset[c];
            squared += place[c] * place[c];
            closing += (q[M + c] - p[M + c]) * (q[M + c] - p[M + c]);
            turning += Math.abs(p[S + c]) * a.hull.radius + Math.abs(q[S + c]) * b.hull.radius;
        }
        const kept = a.thickness + b.thickness;
        most[0] = kept + LEAST_MARGIN + substepCount * (Math.sqrt(closing) + turning);
        const reach = a.hull.radius + b.hull.radius + most[0];
        if (!(squared < reach * reach) || !agree(a.groups, b.groups) || this._areOne(a, b)) return;
        for (let r = 0; r < 3; r++)
            for (let c = 0; c < 3; c++) {
                let sum = 0;
                for (let x = 0; x < 3; x++) sum += q[U + 4 * r + x] * p[U + 4 * c + x];
                axes[3 * r + c] = sum;
            }
        for (let c = 0; c < 3; c++) middle[c] = place[0] * p[U + 4 * c] + place[1] * p[U + 4 * c + 1] + place[2] * p[U + 4 * c + 2];
        const contact = this._count;
        const motion = Math.sqrt(closing) + turning;
        if (
            substepCount * motion < SLOW &&
            this._isOf(older, before, a, b) &&
            this._last.isSame(older, axes, middle, a.hull, b.hull)
        ) {
            this._last.keep(older, contact, found.normal);
            for (let k = older; this._isOf(k, before, a, b); k++) this._goOn(a, b, k);
        } else {
            findHullPoints(a.hull, b.hull, axes, middle, most);
            for (let n = 0; n < found.count; n++) this._addPair(a, b, n, older, before);
            if (found.count === 0) return;
            this._last.note(contact, axes, middle, found.normal);
        }
        this._isAnyFast ||= motion > FAST;
        a.wakeBy(b);
        b.wakeBy(a);
    }

    /** Whether a contact of the last step is one of these two. */
    private _isOf(contact: number, before: number, a: PileMember, b: PileMember): boolean {
        const who = contact * StickBodyParties.count;
        return contact < before && this._olderParties[who] === a.number && this._olderParties[who + 1] === b.number;
    }

    private _addPair(a: PileMember, b: PileMember, n: number, older: number, before: number): void {
        const row = this._addContact(a, b, found.keys[n]);
        const { contacts } = this;
        const o = n * FoundPoint.count;
        for (let c = 0; c < 3; c++) {
            contacts[row + StickBodyContact.local + c] = found.points[o + FoundPoint.first + c];
            contacts[row + StickBodyContact.other + c] = found.points[o + FoundPoint.second + c];
        }
        for (let k = older; this._isOf(k, before, a, b); k++) {
            if (this._olderParties[k * StickBodyParties.count + StickBodyParties.key] !== found.keys[n]) continue;
            this._copy(k, row, KEPT_FROM, KEPT_TO);
            return;
        }
    }

    /** Has a contact of the last step go on where it is. */
    private _goOn(a: PileMember, b: PileMember, older: number): void {
        const row = this._addContact(a, b, this._olderParties[older * StickBodyParties.count + StickBodyParties.key]);
        this._copy(older, row, StickBodyContact.local, StickBodyContact.local + 3);
        this._copy(older, row, StickBodyContact.other, StickBodyContact.other + 3);
        this._copy(older, row, KEPT_FROM, KEPT_TO);
    }

    private _copy(older: number, row: number, from: number, to: number): void {
        const o = older * StickBodyContact.count;
        for (let slot = from; slot < to; slot++) this.contacts[row + slot] = this._olderContacts[o + slot];
    }

    /** Adds a contact of two, by what it is known, along the normal that was found. @returns its row */
    private _addContact(a: PileMember, b: PileMember, key: number): number {
        const contact = this.addContact();
        const row = contact * StickBodyContact.count;
        const who = contact * StickBodyParties.count;
        const { contacts, parties } = this;
        const { pose } = a.sticks;
        const { normal } = found;
        parties[who + StickBodyParties.first] = a.number;
        parties[who + StickBodyParties.second] = b.number;
        parties[who + StickBodyParties.key] = key;
        for (let c = 0; c < 3; c++)
            contacts[row + StickBodyContact.normal + c] =
                normal[0] * pose[U + c] + normal[1] * pose[U + 4 + c] + normal[2] * pose[U + 8 + c];
        contacts[row + StickBodyContact.kept] = a.thickness + b.thickness;
        contacts[row + StickBodyContact.friction] = Math.sqrt(a.friction * b.friction);
        return row;
    }
}

/** What is not stepped in this frame stands, however it moved before. */
function readStanding({ sticks, isPresent }: PileMember): void {
    readNow(sticks);
    if (isPresent) return;
    sticks.pose.fill(0, M, M + 3);
    sticks.pose.fill(0, S, S + 3);
}

function grown<Numbers extends Float64Array | Int32Array>(of: Numbers, Made: new (length: number) => Numbers): Numbers {
    const larger = new Made(2 * of.length);
    larger.set(of);
    return larger;
}
