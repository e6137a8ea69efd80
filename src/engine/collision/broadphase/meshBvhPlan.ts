/** The tree over the triangles of a mesh, whatever its size: it halves them in the order of a Morton curve. */
import { MAX_LEAF_TRIANGLES, MORTON_CELLS } from "../../tunables";
import { rangeOf } from "../../../kernels/meshLayout";

/** A mesh: 1 where its triangles close a volume, 2 or -2 where they are solid on one side alone (see MeshData.front), else 0; then the corners a b c of each triangle, with an area, in [-1, 1]³. */
export type MeshGeometry = ArrayLike<number>;

/** Found once a form. */
export interface MeshBvhPlan {
    /** Triangle index of each leaf slot. */
    readonly order: Uint32Array;
    /** Of each node, see MeshNode. */
    readonly next: Uint32Array;
    readonly ranges: Uint32Array;
}

const plansOfGeometry = new WeakMap<MeshGeometry, MeshBvhPlan>();

/** The tree of a form. */
export function meshBvhPlanOf(form: MeshGeometry): MeshBvhPlan {
    let plan = plansOfGeometry.get(form);
    if (!plan) plansOfGeometry.set(form, (plan = buildPlan(form)));
    return plan;
}

function buildPlan(form: MeshGeometry): MeshBvhPlan {
    const count = (form.length - 1) / 9;
    const keys = new Float64Array(count);
    for (let i = 0, o = 1; i < count; i++, o += 9) {
        let key = 0;
        for (let c = 0; c < 3; c++) {
            const middle = (form[o + c] + form[o + c + 3] + form[o + c + 6]) / 3;
            key |= spreadBits(Math.min(MORTON_CELLS - 1, Math.floor(((middle + 1) / 2) * MORTON_CELLS))) << c;
        }
        keys[i] = key * count + i;
    }
    keys.sort();
    const order = Uint32Array.from(keys, (key) => key % count);
    const next: number[] = [];
    const ranges: number[] = [];
    const halve = (start: number, end: number): void => {
        const node = next.length;
        const isLeaf = end - start <= MAX_LEAF_TRIANGLES;
        next.push(0);
        ranges.push(isLeaf ? rangeOf(start, end - start) : 0);
        if (!isLeaf) {
            const middle = start + MAX_LEAF_TRIANGLES * Math.ceil((end - start) / (2 * MAX_LEAF_TRIANGLES));
            halve(start, middle);
            halve(middle, end);
        }
        next[node] = next.length;
    };
    halve(0, count);
    return { order, next: Uint32Array.from(next), ranges: Uint32Array.from(ranges) };
}

/** The ten bits of a number, two zeros between. */
function spreadBits(x: number): number {
    x = (x | (x << 16)) & 0x30000ff;
    x = (x | (x << 8)) & 0x300f00f;
    x = (x | (x << 4)) & 0x30c30c3;
    return (x | (x << 2)) & 0x9249249;
}
