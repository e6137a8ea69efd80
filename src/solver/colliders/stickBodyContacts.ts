import type { Arena } from "../../kernels/arena";
import type { Kernels } from "../../kernels/kernels";
import type { ParticleArrays, TriangleArrays } from "../../kernels/layout";
import { notePoints, noteTriangles } from "../../kernels/scalar/noteContacts";
import type { NotingPile } from "../../kernels/scalar/noteContacts";
import { Contacts } from "./contacts";
import type { TriangleContacts } from "./triangles";

/** A pile that numbers colliders. */
interface MeetingPile extends NotingPile {
    /** The number of a collider in this substep. */
    noteCollider(data: Float32Array): number;
}

/** Contacts of a rigid body: noted for its pile, once a substep, which answers those of all bodies together. */
export class StickBodyContacts extends Contacts {
    private _substep = -1;
    private _isNoted = false;

    constructor(
        arena: Arena,
        particles: ParticleArrays,
        triangles: TriangleArrays,
        private readonly _pile: MeetingPile,
        private readonly _member: { readonly number: number },
    ) {
        super(arena, particles, triangles);
    }

    override begin(...pass: Parameters<Contacts["begin"]>): void {
        super.begin(...pass);
        this._isNoted = this._substep === this._pile.substep;
        this._substep = this._pile.substep;
    }

    override answer(_kernels: Kernels, _particles: ParticleArrays, data: Float32Array): void {
        if (!this._isNoted) notePoints(this._pile, this._member.number, this._pile.noteCollider(data), this);
    }

    override answerTriangles(_kernels: Kernels, _particles: ParticleArrays, data: Float32Array, triangles: TriangleContacts): void {
        if (!this._isNoted) noteTriangles(this._pile, this._member.number, this._pile.noteCollider(data), triangles);
    }
}
