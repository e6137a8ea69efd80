/**
 * A mesh's triangles in the arena, and a tree of boxes over them, once for all bodies that meet the mesh in one size. The tree halves
 * the triangles in the order of a Morton curve; that order is found once a form, and what a size changes is rewritten.
 */
import type { Arena, BlockLayout } from "../../kernels/arena";
import { MeshNode, MeshTriangle } from "../../kernels/contactLayout";
import { ArenaArrays } from "../arenaArrays";

/** A mesh: 1 where its triangles close a volume, else 0; then the corners a b c of each triangle, with an area, in [-1, 1]³. */
export type MeshForm = ArrayLike<number>;

/** What every size of a form shares. */
interface Plan {
    /** Which triangle of the form is in each place. */
    readonly order: Uint32Array;
    /** Of each node, see MeshNode. */
    readonly next: Uint32Array;
    readonly ranges: Uint32Array;
    readonly trees: MeshTree[];
}

/** Triangles of a leaf: one bit less than a node's range has for them. */
const LEAF = 4;
/** Cells of the Morton curve along an axis, a power of two. */
const CELLS = 1024;
/** Sizes that differ by a smaller share are one. */
const SAME_SIZE = 1e-5;

const plans = new WeakMap<MeshForm, Plan>();

export class MeshTree extends ArenaArrays {
    nodes!: Uint32Array;
    nodeFloats!: Float32Array;
    triangles!: Float32Array;
    /** Where the unit axes lie in the frame [m], rows, shape [3, 3]; zeros: not known yet. */
    readonly stretch = new Float64Array(9);
    users = 0;

    constructor(
        readonly arena: Arena,
        private readonly _form: MeshForm,
        private readonly _plan: Plan,
    ) {
        super();
        this._allocate(arena);
        _plan.trees.push(this);
    }

    /** The tree of a form in any size, for one user more; to be given back with {@link letGo}. @throws RangeError when there is no memory left */
    static take(arena: Arena, form: MeshForm): MeshTree {
        let plan = plans.get(form);
        if (!plan) plans.set(form, (plan = planOf(form)));
        return (plan.trees.find((tree) => tree.arena === arena) ?? new MeshTree(arena, form, plan)).hold();
    }

    get nodeCount(): number {
        return this._plan.next.length;
    }

    get triangleCount(): number {
        return this._plan.order.length;
    }

    /** One user more. */
    hold(): this {
        this.users++;
        return this;
    }

    /** One user less; freed with the last. */
    letGo(): void {
        if (--this.users > 0) return;
        this._plan.trees.splice(this._plan.trees.indexOf(this), 1);
        this.release();
    }

    /** The tree that its user takes in another size: this one, if no one else has it. @throws RangeError when there is no memory left */
    inSize(stretch: Float64Array): MeshTree {
        if (isSameSize(this.stretch, stretch)) return this;
        const { arena, _form: form, _plan: plan } = this;
        let tree = plan.trees.find((other) => other.arena === arena && isSameSize(other.stretch, stretch));
        if (!tree) {
            tree = this.users === 1 ? this : new MeshTree(arena, form, plan);
            tree._write(stretch);
        }
        if (tree !== this) {
            tree.hold();
            this.letGo();
        }
        return tree;
    }

    protected override _cut(layout: BlockLayout): void {
        this.nodes = layout.uint32(this.nodeCount * MeshNode.count);
        this.nodeFloats = new Float32Array(this.nodes.buffer, this.nodes.byteOffset, this.nodes.length);
        this.triangles = layout.float32(this.triangleCount * MeshTriangle.count);
    }

    private _write(s: Float64Array): void {
        const { nodes, nodeFloats: f, triangles: t, _form: form } = this;
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
            const first = (ranges[i] >>> 3) * MeshTriangle.count;
            const last = first + (ranges[i] & 7) * MeshTriangle.count;
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

/** Whether two stretches are one, and known. */
export function isSameSize(a: Float64Array, b: Float64Array): boolean {
    const size = Math.max(a[0], a[4], a[8]);
    for (let i = 0; i < 9; i++) if (!(Math.abs(a[i] - b[i]) <= SAME_SIZE * size)) return false;
    return size > 0;
}

/** Writes the triangle of the corners x to the slots from o. */
function writeTriangle(x: Float64Array, t: Float32Array, o: number): void {
    const ux = x[3] - x[0], uy = x[4] - x[1], uz = x[5] - x[2]; // prettier-ignore
    const vx = x[6] - x[0], vy = x[7] - x[1], vz = x[8] - x[2]; // prettier-ignore
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const squared = nx * nx + ny * ny + nz * nz;
    const length = Math.sqrt(squared);
    const put = (slot: number, x: number, y: number, z: number, w: number): void => {
        t[o + slot] = x;
        t[o + slot + 1] = y;
        t[o + slot + 2] = z;
        t[o + slot + 3] = w;
    };
    put(MeshTriangle.corner, x[0], x[1], x[2], 1 / (ux * ux + uy * uy + uz * uz));
    put(MeshTriangle.ab, ux, uy, uz, 1 / (vx * vx + vy * vy + vz * vz));
    put(MeshTriangle.ac, vx, vy, vz, 1 / ((vx - ux) ** 2 + (vy - uy) ** 2 + (vz - uz) ** 2));
    put(MeshTriangle.normal, nx / length, ny / length, nz / length, (nx * x[0] + ny * x[1] + nz * x[2]) / length);
    // v × n and n × u over n².
    put(MeshTriangle.dualB, (vy * nz - vz * ny) / squared, (vz * nx - vx * nz) / squared, (vx * ny - vy * nx) / squared, 0);
    put(MeshTriangle.dualC, (ny * uz - nz * uy) / squared, (nz * ux - nx * uz) / squared, (nx * uy - ny * ux) / squared, 0);
}

function planOf(form: MeshForm): Plan {
    const count = (form.length - 1) / 9;
    const keys = new Float64Array(count);
    for (let i = 0, o = 1; i < count; i++, o += 9) {
        let key = 0;
        for (let c = 0; c < 3; c++) {
            const middle = (form[o + c] + form[o + c + 3] + form[o + c + 6]) / 3;
            key |= spread(Math.min(CELLS - 1, Math.floor(((middle + 1) / 2) * CELLS))) << c;
        }
        keys[i] = key * count + i;
    }
    keys.sort();
    const order = Uint32Array.from(keys, (key) => key % count);
    const next: number[] = [];
    const ranges: number[] = [];
    const divide = (start: number, end: number): void => {
        const node = next.length;
        const isLeaf = end - start <= LEAF;
        next.push(0);
        ranges.push(isLeaf ? start * 8 + end - start : 0);
        if (!isLeaf) {
            const middle = start + LEAF * Math.ceil((end - start) / (2 * LEAF));
            divide(start, middle);
            divide(middle, end);
        }
        next[node] = next.length;
    };
    divide(0, count);
    return { order, next: Uint32Array.from(next), ranges: Uint32Array.from(ranges), trees: [] };
}

/** The ten bits of a number, two zeros between. */
function spread(x: number): number {
    x = (x | (x << 16)) & 0x30000ff;
    x = (x | (x << 8)) & 0x300f00f;
    x = (x | (x << 4)) & 0x30c30c3;
    return (x | (x << 2)) & 0x9249249;
}
