import { SolidData } from "../../kernels/contactLayout";
import type { ContactArrays, FaceContactArrays } from "../../kernels/contactLayout";
import { recordHullContacts, recordPointContacts, recordTriangleContacts } from "./contactSink";
import type { ContactSink } from "./contactSink";
import { detectBoxPoints } from "./boxPoints";
import type { HullBody } from "./boxPoints";
import type { Collider } from "../collision/shapes/collider";
import type { ContactResolver } from "../collision/response/contactResolver";

/** Contact solver's registry that numbers colliders. */
interface ColliderContactSink extends ContactSink {
    /** Begins with the colliders of a body. */
    startColliders(): void;
    /** The number of a collider in this substep. */
    registerCollider(data: Float32Array): number;
}

/** Contacts of a rigid body. They are collected once a substep; the contact solver resolves those of all bodies together. */
export class RigidBodyContacts implements ContactResolver {
    private _substep = -1;
    private _isRecorded = false;

    constructor(
        private readonly _sink: ColliderContactSink,
        private readonly _solverBody: { readonly index: number },
        private readonly _body: HullBody,
    ) {}

    begin(): void {
        this._isRecorded = this._substep === this._sink.substep;
        this._substep = this._sink.substep;
        this._sink.startColliders();
    }

    resolveRigid({ core, data }: Collider): boolean | null {
        const { corners } = this._body;
        // Boxes have rims.
        if (!corners || !core || !(core[SolidData.coreMargin] > 0)) return null;
        if (this._isRecorded) return false;
        if (!detectBoxPoints(this._body, data)) return null;
        return recordHullContacts(this._sink, this._solverBody.index, this._sink.registerCollider(data), corners);
    }

    resolve(data: Float32Array, contacts: ContactArrays): void {
        if (!this._isRecorded) recordPointContacts(this._sink, this._solverBody.index, this._sink.registerCollider(data), contacts);
    }

    resolveFaceContacts(data: Float32Array, triangles: FaceContactArrays): void {
        if (!this._isRecorded)
            recordTriangleContacts(this._sink, this._solverBody.index, this._sink.registerCollider(data), triangles);
    }
}
