import type { Arena } from "../../kernels/arena";
import type { Kernels } from "../../kernels/kernels";
import type { ParticleArrays, TriangleArrays } from "../../kernels/layout";
import type { StickBodyArrays } from "../../kernels/stickBodyLayout";
import { answerStickBody, answerStickBodyTriangles } from "../../kernels/scalar/stickBodyContacts";
import { Contacts } from "./contacts";
import type { TriangleContacts } from "./triangles";

/** Contacts of a rigid body: each moves all of it. */
export class StickBodyContacts extends Contacts {
    constructor(
        arena: Arena,
        particles: ParticleArrays,
        triangles: TriangleArrays,
        private readonly _body: StickBodyArrays,
    ) {
        super(arena, particles, triangles);
    }

    override answer(_kernels: Kernels, _particles: ParticleArrays, data: Float32Array): void {
        answerStickBody(this._body, data, this);
    }

    override answerTriangles(_kernels: Kernels, _particles: ParticleArrays, data: Float32Array, triangles: TriangleContacts): void {
        answerStickBodyTriangles(this._body, data, triangles);
    }
}
