import type { Arena } from "../kernels/arena";
import { TriangleLayout } from "../kernels/layout";
import type { TriangleArrays } from "../kernels/layout";
import { ArenaStruct } from "./arenaArrays";

/** The simulated triangles of one cloth, in the arena. */
export class Triangles extends ArenaStruct implements TriangleArrays {
    readonly triangleCount: number;
    triangles!: Uint32Array;

    constructor(arena: Arena, triangles: Uint32Array) {
        super(TriangleLayout);
        this.triangleCount = triangles.length / 3;
        this._allocate(arena);
        this.triangles.set(triangles);
    }
}
