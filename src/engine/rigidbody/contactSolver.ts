import { FAST_RIGID_MOTION, RIGID_MARGIN, SLOW_RIGID_MOTION } from "../tunables";
import { manifold, ManifoldPoint, findHullManifold } from "./hullPairs";
import { readStatic } from "./rigidMotion";
import { solveContacts } from "./solveContacts";
import type { ContactSink } from "./contactSink";
import { SolverVelocity, RigidContact, RigidContactOwners, RigidBodyPose } from "../../kernels/rigidBodyLayout";
import { canCollide } from "../state/colliderSettings";
import type { Groupable, SteppingGroup } from "../state/steppingGroup";
import { shortestSubsteps } from "./sharedSubsteps";
import type { StepRate } from "./sharedSubsteps";
import { writeSupportedLoads } from "./supportedLoads";
import type { Joint } from "./joint";
import { JointSolver } from "./jointSolver";
import { Islands } from "./islands";
import { ManifoldCache } from "./manifoldCache";
import { SweepAndPrune } from "./sweepAndPrune";
import { RigidSolveQueue } from "./rigidConstraint";
import { SolverBody } from "./solverBody";
import type { SolverBodyHost } from "./solverBody";

const { centre: C, axes: U, move: M, spin: S } = RigidBodyPose;
/** Slots of a contact that go on from step to step. */
const { normalImpulse: KEPT_FROM, restitution: KEPT_TO } = RigidContact;

/** Within a call. */
const axes = new Float64Array(9);
const place = new Float64Array(3);
const middle = new Float64Array(3);
const maxDistance = new Float64Array(1);

/**
 * The rigid bodies of a world that may touch, and their contacts, those with colliders among them: all are answered together.
 *
 *     ┌───┐         Where two may touch is found once a step, with a margin for what they come nearer in it, by their convex hulls. Contacts go on
 *     ├───┴┐        from step to step by what they are known by: a corner, an edge. Those with colliders are found in each substep.
 *   ━━┷━━━━┷━━
 */
export class ContactSolver implements SteppingGroup, ContactSink {
    readonly bodies: SolverBody[] = [];
    motions = new Float64Array(SolverVelocity.count);
    contacts = new Float64Array(64 * RigidContact.count);
    owners = new Int32Array(64 * RigidContactOwners.count);
    active = new Int32Array(64);
    activeCount = 0;
    readonly islands = new Islands();
    readonly solveQueue = new RigidSolveQueue();
    readonly colliders: Float32Array[] = [];
    readonly joints: Joint[] = [];
    /** Those of {@link joints} whose bodies take the substep. */
    readonly jointSolver = new JointSolver();
    /** Number of the substep. It goes on when contacts are forgotten: bodies know by it whether they have noted theirs, and which are of the last one. */
    substep = 0;
    /** Pairs of bodies that may collide in a step. */
    private readonly _broadPhase = new SweepAndPrune();
    private readonly _manifolds = new ManifoldCache();
    private _contactCount = 0;
    private _colliderCount = 0;
    private _firstCollider = 0;
    /** Contacts between bodies, the first of all. */
    private _pairCount = 0;
    private _arePairsFound = false;
    private _finestSteps: StepRate | null = null;
    /** True if any contact is so fast that the narrow phase runs again in each substep. */
    private _hasFastContact = false;
    private _previousContacts = new Float64Array(64 * RigidContact.count);
    private _previousOwners = new Int32Array(64 * RigidContactOwners.count);

    add(body: SolverBodyHost): SolverBody {
        const member = new SolverBody(body, this);
        this.bodies.push(member);
        this.motions = new Float64Array((this.bodies.length + 1) * SolverVelocity.count);
        this.invalidateFinestSteps();
        this.resetContacts();
        return member;
    }

    remove(member: SolverBody): void {
        const index = this.bodies.indexOf(member);
        if (index < 0) return;
        this.bodies.splice(index, 1);
        this.invalidateFinestSteps();
        for (const other of this.bodies) other.wakeIfSupportedBy(member);
        for (const other of member.ignoredBodies) other.ignoredBodies.delete(member);
        for (let i = this.joints.length - 1; i >= 0; i--) if (this.joints[i].involves(member)) this._removeBody(i);
        this.resetContacts();
    }

    /** Finest step rate of the bodies; null: there are none. */
    get finestSteps(): StepRate | null {
        return (this._finestSteps ??= shortestSubsteps(this.bodies.map(({ body }) => body.requestedSteps)));
    }

    /** Invalidates the finest step rate after a change of a body's settings or of the list of bodies. */
    invalidateFinestSteps(): void {
        this._finestSteps = null;
    }

    /** True if a joint holds the body to another. */
    hasJoint(member: SolverBody): boolean {
        const { joints } = this;
        for (let i = 0; i < joints.length; i++) if (joints[i].second && joints[i].involves(member)) return true;
        return false;
    }

    /** Has a joint hold, if its bodies are here. */
    addJoint(joint: Joint): void {
        for (const body of [joint.first, joint.second]) if (body && !this.bodies.includes(body)) return;
        this.joints.push(joint);
        writeSupportedLoads(this.bodies, this.joints);
        this.resetContacts();
        joint.first.body.wake();
        joint.second?.body.wake();
    }

    /** Ends it. */
    removeJoint(joint: Joint): void {
        joint.isBroken = true;
        const index = this.joints.indexOf(joint);
        if (index >= 0) this._removeBody(index);
    }

    private _removeBody(index: number): void {
        const [joint] = this.joints.splice(index, 1);
        writeSupportedLoads(this.bodies, this.joints);
        this.jointSolver.removeBroken();
        this._invalidateFrames();
        joint.first.body.wake();
        joint.second?.body.wake();
    }

    /** Contacts begin anew: bodies have come, gone, or been put elsewhere. */
    resetContacts(): void {
        this._contactCount = this._pairCount = this.activeCount = 0;
        this._arePairsFound = false;
        this.bodies.forEach((member, number) => (member.index = number));
    }

    prepareStep(): void {
        this._arePairsFound = false;
        this.solveQueue.clear();
    }

    /** Begins the contacts of a substep, after bodies of it have moved. */
    resolveAfterSolve(stepping: readonly Groupable[]): void {
        this.solveQueue.flush();
        const { bodies } = this;
        const { body: leader } = stepping[0].groupMember as SolverBody;
        let isOther = false;
        for (let i = 0; i < bodies.length; i++) isOther = bodies[i].beginSubstep(bodies[0].body.origin) || isOther;
        if (isOther) this._invalidateFrames();
        for (let i = 0; i < stepping.length; i++) (stepping[i].groupMember as SolverBody).isStepping = true;
        for (let i = 0; i < bodies.length; i++) if (!bodies[i].isStepping) readRestingBody(bodies[i]);
        this.substep = (this.substep + 1) % (1 << 20);
        this._colliderCount = 0;
        if (!this._arePairsFound) this._findContacts(leader.settings.substepCount);
        this._arePairsFound = !this._hasFastContact;
        this._contactCount = this._pairCount;
    }

    /** Has contacts between bodies be told anew how those give way. */
    private _invalidateFrames(): void {
        const { count, hasFrame: located } = RigidContact;
        for (let contact = 0; contact < this._pairCount; contact++) this.contacts[contact * count + located] = 0;
    }

    /** Answers all contacts, once bodies have noted those with colliders. */
    finishSubstep(): void {
        this._activateJoints();
        this._activateContacts();
        solveContacts(this);
        for (let i = this.joints.length - 1; i >= 0; i--) if (this.joints[i].isBroken) this.removeJoint(this.joints[i]);
    }

    /** Finds the joints of bodies that take the substep. */
    private _activateJoints(): void {
        const { joints, jointSolver: tie } = this;
        tie.clear();
        for (let i = 0; i < joints.length; i++) {
            const { first, second } = joints[i];
            if (second) {
                first.wakeIfTouchedBy(second);
                second.wakeIfTouchedBy(first);
                first.inheritSupport(second);
                second.inheritSupport(first);
            }
            if (!first.isStepping && !second?.isStepping) continue;
            tie.add(joints[i]);
            first.hasContact = true;
            if (second) second.hasContact = true;
        }
    }

    /** Has two not keep off each other, joined or not. */
    ignorePair(a: SolverBody, b: SolverBody): void {
        a.ignoredBodies.add(b);
        b.ignoredBodies.add(a);
    }

    /** True if the two bodies do not collide: joined, or excluded. */
    private _isPairIgnored(a: SolverBody, b: SolverBody): boolean {
        if (a.ignoredBodies.has(b)) return true;
        const { joints } = this;
        for (let i = 0; i < joints.length; i++)
            if (!joints[i].areApart && joints[i].involves(a) && joints[i].involves(b)) return true;
        return false;
    }

    /** Lists the contacts of bodies that take the substep, by islands. */
    private _activateContacts(): void {
        const { bodies, owners: parties, islands, jointSolver: tie } = this;
        if (this.active.length < this._contactCount) this.active = new Int32Array(2 * this._contactCount);
        islands.reset(bodies.length, this._contactCount);
        for (let i = 0; i < tie.count; i++) islands.couple(tie.firstBodyOf(i), tie.secondBodyOf(i));
        for (let contact = 0; contact < this._contactCount; contact++) {
            const who = contact * RigidContactOwners.count;
            const a = bodies[parties[who]];
            const b = parties[who + 1] < 0 ? a : bodies[parties[who + 1]];
            if (!(a.isStepping || b.isStepping) || (a.isFixed && b.isFixed)) continue;
            a.hasContact = b.hasContact = true;
            islands.addContact(contact, a.isFixed ? b.index : a.index, b.isFixed ? a.index : b.index);
        }
        for (let i = 0; i < bodies.length; i++) if (bodies[i].hasContact && !bodies[i].isFixed) islands.include(i);
        this.activeCount = islands.build(this.active);
    }

    /** Begins with a body whose colliders are noted next: each has its own. */
    startColliders(): void {
        this._firstCollider = this._colliderCount;
    }

    /** The number of a collider in this substep. */
    registerCollider(data: Float32Array): number {
        for (let i = this._firstCollider; i < this._colliderCount; i++) if (this.colliders[i] === data) return i;
        // The list keeps its length: one that is emptied gives its memory back, and asks for it anew.
        this.colliders[this._colliderCount] = data;
        return this._colliderCount++;
    }

    addContact(): number {
        const contact = this._contactCount++;
        const row = contact * RigidContact.count;
        if (row + RigidContact.count > this.contacts.length) {
            this.contacts = grown(this.contacts, Float64Array);
            this.owners = grown(this.owners, Int32Array);
        }
        this.contacts.fill(0, row, row + RigidContact.count);
        return contact;
    }

    /** Finds contacts between bodies for a step of so many substeps. */
    private _findContacts(substepCount: number): void {
        const { bodies } = this;
        const before = this._pairCount;
        const { contacts, owners: parties } = this;
        this.contacts = this._previousContacts;
        this.owners = this._previousOwners;
        this._previousContacts = contacts;
        this._previousOwners = parties;
        this._contactCount = 0;
        this._hasFastContact = false;
        this._manifolds.beginStep();
        const { _broadPhase: near } = this;
        near.resize(bodies.length);
        for (let i = 0; i < bodies.length; i++) bodies[i].writeBounds(near.boxes, i, RIGID_MARGIN, substepCount);
        near.find();
        let older = 0;
        for (let n = 0; n < near.count; n++) {
            const i = near.pairs[2 * n];
            const k = near.pairs[2 * n + 1];
            // Pairs come in order: those of the last step, too.
            while (older < before && this._precedesPair(older, i, k)) older++;
            if (bodies[i].isFixed && bodies[k].isFixed && !(bodies[i].isAsleep && bodies[k].isAsleep)) continue;
            this._findPair(bodies[i], bodies[k], substepCount, older, before);
        }
        this._pairCount = this._contactCount;
    }

    /** True if an old contact is of a pair before (i, k). */
    private _precedesPair(contact: number, i: number, k: number): boolean {
        const who = contact * RigidContactOwners.count;
        const first = this._previousOwners[who];
        return first < i || (first === i && this._previousOwners[who + 1] < k);
    }

    private _findPair(a: SolverBody, b: SolverBody, substepCount: number, older: number, before: number): void {
        const p = a.rigidConstraint.pose;
        const q = b.rigidConstraint.pose;
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
        maxDistance[0] = kept + RIGID_MARGIN + substepCount * (Math.sqrt(closing) + turning);
        const reach = a.hull.radius + b.hull.radius + maxDistance[0];
        if (!(squared < reach * reach) || !canCollide(a.groups, b.groups) || this._isPairIgnored(a, b)) return;
        for (let r = 0; r < 3; r++)
            for (let c = 0; c < 3; c++) {
                let sum = 0;
                for (let x = 0; x < 3; x++) sum += q[U + 4 * r + x] * p[U + 4 * c + x];
                axes[3 * r + c] = sum;
            }
        for (let c = 0; c < 3; c++) middle[c] = place[0] * p[U + 4 * c] + place[1] * p[U + 4 * c + 1] + place[2] * p[U + 4 * c + 2];
        const contact = this._contactCount;
        const motion = Math.sqrt(closing) + turning;
        if (
            substepCount * motion < SLOW_RIGID_MOTION &&
            this._isContactOf(older, before, a, b) &&
            this._manifolds.isUnchanged(older, axes, middle, a.hull, b.hull)
        ) {
            this._manifolds.retain(older, contact, manifold.normal);
            for (let k = older; this._isContactOf(k, before, a, b); k++) this._reuseContact(a, b, k);
        } else {
            findHullManifold(a.hull, b.hull, axes, middle, maxDistance);
            for (let n = 0; n < manifold.count; n++) this._addPair(a, b, n, older, before);
            if (manifold.count === 0) return;
            this._manifolds.record(contact, axes, middle, manifold.normal);
        }
        this._hasFastContact ||= motion > FAST_RIGID_MOTION;
        a.wakeIfTouchedBy(b);
        b.wakeIfTouchedBy(a);
    }

    /** True if a contact of the last step is between these two bodies. */
    private _isContactOf(contact: number, before: number, a: SolverBody, b: SolverBody): boolean {
        const who = contact * RigidContactOwners.count;
        return contact < before && this._previousOwners[who] === a.index && this._previousOwners[who + 1] === b.index;
    }

    private _addPair(a: SolverBody, b: SolverBody, n: number, older: number, before: number): void {
        const row = this._addPairContact(a, b, manifold.keys[n]);
        const { contacts } = this;
        const o = n * ManifoldPoint.count;
        for (let c = 0; c < 3; c++) {
            contacts[row + RigidContact.local + c] = manifold.points[o + ManifoldPoint.first + c];
            contacts[row + RigidContact.localOther + c] = manifold.points[o + ManifoldPoint.second + c];
        }
        for (let k = older; this._isContactOf(k, before, a, b); k++) {
            if (this._previousOwners[k * RigidContactOwners.count + RigidContactOwners.featureKey] !== manifold.keys[n]) continue;
            this._copyContact(k, row, KEPT_FROM, KEPT_TO);
            return;
        }
    }

    /** Has a contact of the last step go on where it is. */
    private _reuseContact(a: SolverBody, b: SolverBody, older: number): void {
        const row = this._addPairContact(
            a,
            b,
            this._previousOwners[older * RigidContactOwners.count + RigidContactOwners.featureKey],
        );
        this._copyContact(older, row, RigidContact.local, RigidContact.local + 3);
        this._copyContact(older, row, RigidContact.localOther, RigidContact.localOther + 3);
        this._copyContact(older, row, KEPT_FROM, KEPT_TO);
    }

    private _copyContact(older: number, row: number, from: number, to: number): void {
        const o = older * RigidContact.count;
        for (let slot = from; slot < to; slot++) this.contacts[row + slot] = this._previousContacts[o + slot];
    }

    /** Adds a contact of two, by what it is known, along the normal that was found. @returns its row */
    private _addPairContact(a: SolverBody, b: SolverBody, key: number): number {
        const contact = this.addContact();
        const row = contact * RigidContact.count;
        const who = contact * RigidContactOwners.count;
        const { contacts, owners: parties } = this;
        const { pose } = a.rigidConstraint;
        const { normal } = manifold;
        parties[who + RigidContactOwners.first] = a.index;
        parties[who + RigidContactOwners.second] = b.index;
        parties[who + RigidContactOwners.featureKey] = key;
        for (let c = 0; c < 3; c++)
            contacts[row + RigidContact.normal + c] =
                normal[0] * pose[U + c] + normal[1] * pose[U + 4 + c] + normal[2] * pose[U + 8 + c];
        contacts[row + RigidContact.separation] = a.thickness + b.thickness;
        contacts[row + RigidContact.friction] = Math.sqrt(a.friction * b.friction);
        return row;
    }
}

/** Reads a body that is not stepped in this frame as standing still, whatever its last motion. */
function readRestingBody({ rigidConstraint: sticks, isPresent }: SolverBody): void {
    readStatic(sticks);
    if (isPresent) return;
    sticks.pose.fill(0, M, M + 3);
    sticks.pose.fill(0, S, S + 3);
}

function grown<Numbers extends Float64Array | Int32Array>(of: Numbers, Made: new (length: number) => Numbers): Numbers {
    const larger = new Made(2 * of.length);
    larger.set(of);
    return larger;
}
