import type { Arena } from "../../../kernels/arena";
import { MeshNode, SkinMeshLayout } from "../../../kernels/meshLayout";
import type { SkinMeshArrays } from "../../../kernels/meshLayout";
import { ArenaStruct } from "../../memory/arenaArrays";
import type { SkinnedPose } from "./skinnedPose";

const OWNED_ARRAYS = ["nodes", "nodeFloats", "triangles", "vertices", "from", "to", "step"];

/** The triangles of a skin as they are for one body. */
export class SkinnedTriangles extends ArenaStruct implements SkinMeshArrays {
    readonly nodeCount: number;
    readonly triangleCount: number;
    readonly vertexCount: number;
    nodes!: Uint32Array;
    nodeFloats!: Float32Array;
    triangles!: Float32Array;
    vertices!: Float32Array;
    from!: Float32Array;
    to!: Float32Array;
    step!: Float32Array;

    /** @throws RangeError when there is no memory left */
    constructor(
        arena: Arena,
        readonly skin: SkinnedPose,
        private readonly _collider: { readonly data: Float32Array },
    ) {
        super(SkinMeshLayout, OWNED_ARRAYS);
        const { next, ranges } = skin.plan;
        this.nodeCount = next.length;
        this.triangleCount = skin.triangleCount;
        this.vertexCount = skin.vertexCount;
        this._allocate(arena);
        for (let i = 0, o = 0; i < next.length; i++, o += MeshNode.count) {
            this.nodes[o + MeshNode.next] = next[i];
            this.nodes[o + MeshNode.triangles] = ranges[i];
        }
    }

    get data(): Float32Array {
        return this._collider.data;
    }

    get slotCount(): number {
        return this.data.length;
    }

    get corners(): Uint32Array {
        return this.skin.corners;
    }

    /** Begins where another is in its step: at its start (0), at its end (1), or between. */
    startFrom({ from, to }: SkinnedTriangles, share: number): void {
        for (let o = 0; o < from.length; o++) this.from[o] = from[o] + (to[o] - from[o]) * share;
    }
}
