import { SolidData } from "../../kernels/contactLayout";
import type { ContactArrays, TriangleContactArrays } from "../../kernels/contactLayout";
import { noteHull, notePoints, noteTriangles } from "../rigid/noteContacts";
import type { NotingPile } from "../rigid/noteContacts";
import { findBoxPoints } from "./boxHull";
import type { Hulled } from "./boxHull";
import type { Collider } from "./collider";
import type { ContactAnswers } from "./contacts";

/** A pile that numbers colliders. */
interface MeetingPile extends NotingPile {
    /** Begins with the colliders of a body. */
    beginColliders(): void;
    /** The number of a collider in this substep. */
    noteCollider(data: Float32Array): number;
}

/** Contacts of a rigid body: noted for its pile, once a substep, which answers those of all bodies together. */
export class StickBodyContacts implements ContactAnswers {
    private _substep = -1;
    private _isNoted = false;

    constructor(
        private readonly _pile: MeetingPile,
        private readonly _member: { readonly number: number },
        private readonly _body: Hulled,
    ) {}

    begin(): void {
        this._isNoted = this._substep === this._pile.substep;
        this._substep = this._pile.substep;
        this._pile.beginColliders();
    }

    meet({ core, data }: Collider): boolean | null {
        const { corners } = this._body;
        // Boxes have rims.
        if (!corners || !core || !(core[SolidData.rim] > 0)) return null;
        if (this._isNoted) return false;
        if (!findBoxPoints(this._body, data)) return null;
        return noteHull(this._pile, this._member.number, this._pile.noteCollider(data), corners);
    }

    answer(data: Float32Array, contacts: ContactArrays): void {
        if (!this._isNoted) notePoints(this._pile, this._member.number, this._pile.noteCollider(data), contacts);
    }

    answerTriangles(data: Float32Array, triangles: TriangleContactArrays): void {
        if (!this._isNoted) noteTriangles(this._pile, this._member.number, this._pile.noteCollider(data), triangles);
    }
}
