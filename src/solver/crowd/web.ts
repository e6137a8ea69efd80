import type { Arena } from "../../kernels/arena";
import type { MemberArrays } from "../../kernels/crowdLayout";
import { NONE } from "../../kernels/fields";
import { WebLayout, WebTriangle } from "../../kernels/touchLayout";
import type { WebArrays } from "../../kernels/touchLayout";
import { ArenaStruct } from "../arenaArrays";
import { treeOrderOf } from "../math/treeOrder";

/** Corners of a triangle. */
const CORNERS = [0, 1, 2];

/** A member's triangles in a tree of boxes, see WebLayout. */
export class Web extends ArenaStruct implements WebArrays {
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
        readonly member: MemberArrays,
        restPositions: Float32Array,
        hasLayers: boolean,
    ) {
        super(WebLayout);
        this.hasLayers = hasLayers ? 1 : 0;
        this.triangleCount = member.surface.triangleCount;
        this.leafCount = 2 ** Math.ceil(Math.log2(Math.max(1, this.triangleCount)));
        this.boxCount = 2 * this.leafCount - 1;
        this._allocate(arena);
        // Read only now: the arena may have moved them.
        const { triangles } = member.surface;
        this._lay(triangles, treeOrderOf(restPositions, triangles, this.leafCount));
    }

    /** Writes the triangles in an order, with their owners and neighbours. */
    private _lay(corners: Uint32Array, order: Uint32Array): void {
        const { triangles } = this;
        const owned = new Set<number>();
        // Where each edge was met last, by its two particles: its slot among the neighbours.
        const open = new Map<string, number>();
        order.forEach((triangle, t) => {
            const o = t * WebTriangle.count;
            const [a, b, c] = CORNERS.map((k) => corners[3 * triangle + k]);
            triangles.set([a, b, c], o);
            for (const k of CORNERS) {
                const p = triangles[o + k];
                const q = triangles[o + ((k + 1) % 3)];
                if (!owned.has(p)) triangles[o + WebTriangle.owned] |= 1 << k;
                owned.add(p);
                const slot = o + WebTriangle.neighbours + k;
                triangles[slot] = NONE;
                // A link of a rope has one edge.
                if (k > 0 && triangles[o + 1] === triangles[o + 2]) continue;
                const edge = `${Math.min(p, q)} ${Math.max(p, q)}`;
                const other = open.get(edge);
                open.set(edge, slot);
                if (other === undefined) {
                    triangles[o + WebTriangle.owned] |= 8 << k;
                    continue;
                }
                triangles[slot] = Math.floor(other / WebTriangle.count);
                triangles[other] = t;
            }
        });
    }
}
