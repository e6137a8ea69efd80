import type { Arena } from "../../kernels/arena";
import { TriangleLayout } from "../../kernels/layout";
import type { TriangleArrays } from "../../kernels/layout";
import { ArenaStruct } from "./arenaArrays";

/** Triangles in the arena, shared by what needs the same ones: the body that they are simulated for, the surface that is drawn. */
export class SharedTriangles extends ArenaStruct implements TriangleArrays {
    readonly triangleCount: number;
    triangles!: Uint32Array;
    private readonly _users = new Set<object>();

    /** @throws RangeError when there is no memory left */
    constructor(arena: Arena, triangles: Uint32Array) {
        super(TriangleLayout);
        this.triangleCount = triangles.length / 3;
        this._allocate(arena);
        this.triangles.set(triangles);
    }

    /** Keeps them until the holder lets go. */
    retain(by: object): this {
        this._users.add(by);
        return this;
    }

    /** Frees the memory when the last holder lets go. Idempotent. */
    releaseFrom(by: object): void {
        this._users.delete(by);
        if (this._users.size === 0) this.release();
    }
}
