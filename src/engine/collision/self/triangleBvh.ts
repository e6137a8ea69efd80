import type { Arena } from "../../../kernels/arena";
import type { ProxyArrays } from "../../../kernels/selfCollisionLayout";
import { NONE } from "../../../kernels/structSchema";
import { BvhLayout, BvhTriangle } from "../../../kernels/selfContactLayout";
import type { BvhArrays } from "../../../kernels/selfContactLayout";
import { ArenaStruct } from "../../memory/arenaArrays";
import { treeOrderOf } from "../broadphase/treeOrder";

/** Corners of a triangle. */
const CORNERS = [0, 1, 2];

/** Bounding volume hierarchy of a body's triangles, see BvhLayout. */
export class TriangleBvh extends ArenaStruct implements BvhArrays {
    readonly triangleCount: number;
    readonly leafCount: number;
    readonly boxCount: number;
    readonly hasLayers: number;
    triangles!: Uint32Array;
    faces!: Float32Array;
    boxes!: Float32Array;

    /**
     * @param restPositions rest positions [m], shape [particleCount, 3]
     * @param hasLayers whether parts that are far over the surface are close at rest
     * @throws RangeError when there is no memory left
     */
    constructor(
        arena: Arena,
        readonly proxy: ProxyArrays,
        restPositions: Float32Array,
        hasLayers: boolean,
    ) {
        super(BvhLayout);
        this.hasLayers = hasLayers ? 1 : 0;
        this.triangleCount = proxy.surface.triangleCount;
        this.leafCount = 2 ** Math.ceil(Math.log2(Math.max(1, this.triangleCount)));
        this.boxCount = 2 * this.leafCount - 1;
        this._allocate(arena);
        // Read only now: the arena may have moved them.
        const { triangles } = proxy.surface;
        this._writeTriangles(triangles, treeOrderOf(restPositions, triangles, this.leafCount));
    }

    /** Writes the triangles in an order, with their owners and neighbours. */
    private _writeTriangles(corners: Uint32Array, order: Uint32Array): void {
        const { triangles } = this;
        const owned = new Set<number>();
        // Where each edge was met last, by its two particles: its slot among the neighbours.
        const open = new Map<string, number>();
        order.forEach((triangle, t) => {
            const o = t * BvhTriangle.count;
            const [a, b, c] = CORNERS.map((k) => corners[3 * triangle + k]);
            triangles.set([a, b, c], o);
            for (const k of CORNERS) {
                const p = triangles[o + k];
                const q = triangles[o + ((k + 1) % 3)];
                if (!owned.has(p)) triangles[o + BvhTriangle.ownership] |= 1 << k;
                owned.add(p);
                const slot = o + BvhTriangle.neighbours + k;
                triangles[slot] = NONE;
                // A link of a rope has one edge.
                if (k > 0 && triangles[o + 1] === triangles[o + 2]) continue;
                const edge = `${Math.min(p, q)} ${Math.max(p, q)}`;
                const other = open.get(edge);
                open.set(edge, slot);
                if (other === undefined) {
                    triangles[o + BvhTriangle.ownership] |= 8 << k;
                    continue;
                }
                triangles[slot] = Math.floor(other / BvhTriangle.count);
                triangles[other] = t;
            }
        });
    }
}
