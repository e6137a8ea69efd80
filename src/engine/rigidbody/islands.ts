import type { IslandArrays } from "./solverRows";
import { join, representativeOf, separate } from "../math/unionFind";

/** No island. */
const NONE = -1;

/**
 * Bodies that hang together by contacts between them, or by ties: what one island does is no other's concern. Contacts are listed by island, in each in the order in which they came.
 *
 *     ┌─┐
 *     ├─┤  ┌─┐      Two islands: what stands does not join them.
 *   ━━┷━┷━━┷━┷━━
 */
export class Islands implements IslandArrays {
    /** Number of islands. */
    count = 0;
    bodies = new Int32Array(0);
    bodyEnds = new Int32Array(1);
    /** End of each island in the list of contacts. */
    contactEnds = new Int32Array(1);
    /** Sets of the bodies of an island, see math/unionFind.ts. */
    private _parents = new Int32Array(0);
    /** Numbers of the islands by the bodies that stand for them. */
    private _numbers = new Int32Array(0);
    /** Added contacts, and a body of each. */
    private _contacts = new Int32Array(0);
    private _contactBodies = new Int32Array(0);
    private _added = 0;
    /** Bodies that have been taken in. */
    private _included = new Int32Array(0);
    private _includedCount = 0;
    /** One of the tied bodies. */
    private _coupledBody = NONE;

    /** Begins anew, each body alone. @param most contacts that may be added */
    reset(bodyCount: number, most: number): void {
        if (this._parents.length < bodyCount) {
            this._parents = new Int32Array(bodyCount);
            this._numbers = new Int32Array(bodyCount);
            this._included = new Int32Array(bodyCount);
            this.bodies = new Int32Array(bodyCount);
            this.contactEnds = new Int32Array(bodyCount + 1);
            this.bodyEnds = new Int32Array(bodyCount + 1);
        }
        if (this._contacts.length < most) {
            this._contacts = new Int32Array(2 * most);
            this._contactBodies = new Int32Array(2 * most);
        }
        separate(this._parents, bodyCount);
        this._numbers.fill(NONE);
        this._added = this._includedCount = 0;
        this._coupledBody = NONE;
    }

    /** Has two be of the island of tied bodies, which is the first. */
    couple(a: number, b: number): void {
        if (this._coupledBody === NONE) this._coupledBody = a;
        join(this._parents, this._coupledBody, a);
        join(this._parents, a, b);
    }

    /** Adds a contact of two bodies, or of one with what stands. */
    addContact(contact: number, a: number, b: number): void {
        this._contacts[this._added] = contact;
        this._contactBodies[this._added++] = a;
        if (a !== b) join(this._parents, a, b);
    }

    /** Takes in a body that moves: all that are in contacts, or tied. */
    include(body: number): void {
        this._included[this._includedCount++] = body;
    }

    /** Lists all that was added and taken in. @param target of the contacts @returns how many of those there are */
    build(target: Int32Array): number {
        const {
            _added: added,
            _contactBodies: owners,
            _included: members,
            _numbers: numbers,
            _parents: parents,
            contactEnds: ends,
            bodyEnds,
        } = this;
        this.count = 0;
        ends.fill(0);
        bodyEnds.fill(0);
        if (this._coupledBody !== NONE) this._islandOf(this._coupledBody);
        for (let n = 0; n < this._includedCount; n++) bodyEnds[this._islandOf(members[n]) + 1]++;
        for (let n = 0; n < added; n++) ends[this._islandOf(owners[n]) + 1]++;
        // Where each begins, which is where it ends once all are there.
        for (let i = 1; i < this.count; i++) {
            ends[i] += ends[i - 1];
            bodyEnds[i] += bodyEnds[i - 1];
        }
        for (let n = 0; n < this._includedCount; n++)
            this.bodies[bodyEnds[numbers[representativeOf(parents, members[n])]]++] = members[n];
        for (let n = 0; n < added; n++) target[ends[numbers[representativeOf(parents, owners[n])]]++] = this._contacts[n];
        return added;
    }

    /** The number of a body's island. */
    private _islandOf(body: number): number {
        const { _numbers: numbers } = this;
        const island = representativeOf(this._parents, body);
        if (numbers[island] === NONE) numbers[island] = this.count++;
        return numbers[island];
    }
}
