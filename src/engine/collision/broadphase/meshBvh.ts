/**
 * A mesh's triangles in the arena, and a tree of boxes over them, once for all bodies that meet the mesh in one size: what a size changes
 * is rewritten.
 */
import { SAME_SIZE_TOLERANCE } from "../../tunables";
import type { Arena, BlockLayout } from "../../../kernels/arena";
import { countIn, firstIn, MeshNode, MeshTriangle, writeTriangle } from "../../../kernels/meshLayout";
import { ArenaArrays } from "../../memory/arenaArrays";
import { meshBvhPlanOf } from "./meshBvhPlan";
import type { MeshGeometry, MeshBvhPlan } from "./meshBvhPlan";

/** The trees of each form. */
const bvhsOf = new WeakMap<MeshGeometry, MeshBvh[]>();

export class MeshBvh extends ArenaArrays {
    nodes!: Uint32Array;
    nodeFloats!: Float32Array;
    triangles!: Float32Array;
    /** Unit axes in the frame [m], rows, shape [3, 3]; zeros: not computed yet. */
    readonly stretch = new Float64Array(9);
    userCount = 0;

    constructor(
        readonly arena: Arena,
        private readonly _geometry: MeshGeometry,
        private readonly _plan: MeshBvhPlan,
        private readonly _shared: MeshBvh[],
    ) {
        super();
        this._allocate(arena);
        _shared.push(this);
    }

    /** The tree of a form in any size, for one user more; to be given back with {@link removeUser}. @throws RangeError when there is no memory left */
    static acquire(arena: Arena, form: MeshGeometry): MeshBvh {
        let trees = bvhsOf.get(form);
        if (!trees) bvhsOf.set(form, (trees = []));
        return (trees.find((tree) => tree.arena === arena) ?? new MeshBvh(arena, form, meshBvhPlanOf(form), trees)).addUser();
    }

    get nodeCount(): number {
        return this._plan.next.length;
    }

    get triangleCount(): number {
        return this._plan.order.length;
    }

    /** One user more. */
    addUser(): this {
        this.userCount++;
        return this;
    }

    /** One user less; freed with the last. */
    removeUser(): void {
        if (--this.userCount > 0) return;
        this._shared.splice(this._shared.indexOf(this), 1);
        this.release();
    }

    /** The tree that its user takes in another size: this one, if no one else has it. @throws RangeError when there is no memory left */
    resized(stretch: Float64Array): MeshBvh {
        if (isSameSize(this.stretch, stretch)) return this;
        const { arena, _geometry: form, _plan: plan, _shared: trees } = this;
        let tree = trees.find((other) => other.arena === arena && isSameSize(other.stretch, stretch));
        if (!tree) {
            tree = this.userCount === 1 ? this : new MeshBvh(arena, form, plan, trees);
            tree._write(stretch);
        }
        if (tree !== this) {
            tree.addUser();
            this.removeUser();
        }
        return tree;
    }

    protected override _cut(layout: BlockLayout): void {
        this.nodes = layout.uint32(this.nodeCount * MeshNode.count);
        this.nodeFloats = new Float32Array(this.nodes.buffer, this.nodes.byteOffset, this.nodes.length);
        this.triangles = layout.float32(this.triangleCount * MeshTriangle.count);
    }

    private _write(s: Float64Array): void {
        const { nodes, nodeFloats: f, triangles: t, _geometry: form } = this;
        const { order, next, ranges } = this._plan;
        this.stretch.set(s);
        const x = new Float64Array(9);
        for (let i = 0, o = 0; i < order.length; i++, o += MeshTriangle.count) {
            for (let k = 0, u = 1 + 9 * order[i]; k < 9; k += 3, u += 3) {
                for (let c = 0; c < 3; c++) x[k + c] = form[u] * s[c] + form[u + 1] * s[3 + c] + form[u + 2] * s[6 + c];
            }
            writeTriangle(x, t, o);
        }
        // The nodes below one come after it.
        for (let i = next.length - 1, o = i * MeshNode.count; i >= 0; i--, o -= MeshNode.count) {
            nodes[o + MeshNode.next] = next[i];
            nodes[o + MeshNode.triangles] = ranges[i];
            const low = o + MeshNode.minimum;
            const high = o + MeshNode.maximum;
            const first = firstIn(ranges[i]) * MeshTriangle.count;
            const last = first + countIn(ranges[i]) * MeshTriangle.count;
            for (let c = 0; c < 3; c++) {
                f[low + c] = Infinity;
                f[high + c] = -Infinity;
                for (let a = first + c; a < last; a += MeshTriangle.count) {
                    const b = t[a] + t[a + MeshTriangle.ab];
                    const d = t[a] + t[a + MeshTriangle.ac];
                    f[low + c] = Math.min(f[low + c], t[a], b, d);
                    f[high + c] = Math.max(f[high + c], t[a], b, d);
                }
                for (let child = i + 1; ranges[i] === 0 && child < next[i]; child = next[child]) {
                    f[low + c] = Math.min(f[low + c], f[child * MeshNode.count + MeshNode.minimum + c]);
                    f[high + c] = Math.max(f[high + c], f[child * MeshNode.count + MeshNode.maximum + c]);
                }
            }
        }
    }
}

/** True if two stretches are one, and known. */
export function isSameSize(a: Float64Array, b: Float64Array): boolean {
    const size = Math.max(a[0], a[4], a[8]);
    for (let i = 0; i < 9; i++) if (!(Math.abs(a[i] - b[i]) <= SAME_SIZE_TOLERANCE * size)) return false;
    return size > 0;
}
