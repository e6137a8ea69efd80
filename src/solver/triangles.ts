import type { Arena, BlockLayout } from "../kernels/arena";
import type { TriangleArrays } from "../kernels/layout";
import { ArenaArrays } from "./arenaArrays";

/** The simulated triangles of one cloth, in the arena. */
export class Triangles extends ArenaArrays implements TriangleArrays {
    readonly triangleCount: number;
    triangles!: Uint32Array;

    constructor(arena: Arena, triangles: Uint32Array) {
        super();
        this.triangleCount = triangles.length / 3;
        this._allocate(arena);
        this.triangles.set(triangles);
    }

    protected override _cut(layout: BlockLayout): void {
        this.triangles = layout.uint32(this.triangleCount * 3);
    }
}
