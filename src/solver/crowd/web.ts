import type { Arena } from "../../kernels/arena";
import type { MemberArrays } from "../../kernels/crowdLayout";
import { NONE } from "../../kernels/fields";
import { WebLayout, WebTriangle } from "../../kernels/touchLayout";
import type { WebArrays } from "../../kernels/touchLayout";
import { ArenaStruct } from "../arenaArrays";

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
        this._lay(triangles, orderOf(restPositions, triangles, this.leafCount));
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
                const edge = `${Math.min(p, q)} ${Math.max(p, q)}`;
                const other = open.get(edge);
                const slot = o + WebTriangle.neighbours + k;
                triangles[slot] = NONE;
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

/** The triangles in the order of a tree's leaves: halved at the middle of the longest side of the box of their middles, over and over. */
function orderOf(x: Float32Array, triangles: Uint32Array, leafCount: number): Uint32Array {
    const count = triangles.length / 3;
    const order = Uint32Array.from({ length: count }, (_, t) => t);
    const middle = (t: number, c: number): number => CORNERS.reduce((sum, k) => sum + x[3 * triangles[3 * t + k] + c], 0);
    const split = (first: number, end: number, leaves: number): void => {
        if (end - first < 2) return;
        const part = order.subarray(first, end);
        const sizes = CORNERS.map((c) => {
            let least = Infinity;
            let most = -Infinity;
            for (const t of part) {
                least = Math.min(least, middle(t, c));
                most = Math.max(most, middle(t, c));
            }
            return most - least;
        });
        const axis = sizes.indexOf(Math.max(...sizes));
        part.sort((s, t) => middle(s, axis) - middle(t, axis) || s - t);
        const half = leaves / 2;
        split(first, Math.min(end, first + half), half);
        split(Math.min(end, first + half), end, half);
    };
    split(0, count, leafCount);
    return order;
}
