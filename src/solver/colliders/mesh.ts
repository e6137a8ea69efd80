/**
 * Triangle mesh, closed or open, solid on both sides of every triangle: particles stay on the side on which they are. What starts
 * inside a closed one leaves it. C = |x - nearest point| - thickness >= 0, and no path of a particle crosses a triangle.
 *
 *        ● ↑ n
 *     ╲__╱╲___╱╲__
 *
 * Data: MeshData and MeshLayout in kernels/meshLayout.ts; the triangles are shared, see meshTree.ts.
 */
import type { Arena, BlockLayout } from "../../kernels/arena";
import { MeshData, MeshLayout, MeshPlace } from "../../kernels/meshLayout";
import type { MeshArrays } from "../../kernels/meshLayout";
import { cutStruct, describeStruct } from "../../kernels/structs";
import type { MeshForm } from "./meshPlan";
import { growthOf, MeshSolid } from "./meshSolid";
import { isSameSize, MeshTree } from "./meshTree";
import { measureExtent } from "./solid";

const moved = new Float64Array(3);

export class MeshCollider extends MeshSolid implements MeshArrays {
    declare descriptor: Uint32Array;
    readonly vertexCount = 0;
    private _tree!: MeshTree;

    /** @throws RangeError when there is no memory left */
    constructor(
        arena: Arena,
        particleCount: number,
        readonly form: MeshForm,
    ) {
        super(arena, particleCount, MeshPlace.count, form[0]);
        try {
            this._tree = MeshTree.take(arena, form);
        } catch (error) {
            super.release();
            throw error;
        }
        describeStruct(MeshLayout, this);
    }

    protected override _cut(layout: BlockLayout): void {
        super._cut(layout);
        cutStruct(MeshLayout, this, layout, []);
    }

    get nodeCount(): number {
        return this._tree.nodeCount;
    }

    get triangleCount(): number {
        return this._tree.triangleCount;
    }

    get slotCount(): number {
        return this.data.length;
    }

    override get mesh(): this {
        return this;
    }

    get nodes(): Uint32Array {
        return this._tree.nodes;
    }

    get nodeFloats(): Float32Array {
        return this._tree.nodeFloats;
    }

    get triangles(): Float32Array {
        return this._tree.triangles;
    }

    override release(): void {
        if (this.byteLength > 0) this._tree.letGo();
        super.release();
    }

    protected override _writeDimensions(): void {
        super._writeDimensions();
        measureExtent(this.size, this._extent);
    }

    /** Takes its triangles in the present size. What is known of particles grows along. */
    protected override _takeSize(): void {
        const { data, _stretch: stretch, size } = this;
        if (isSameSize(size, stretch)) return;
        const tree = this._tree.inSize(stretch);
        if (tree !== this._tree) {
            this._tree = tree;
            describeStruct(MeshLayout, this);
        }
        data[MeshData.size] = 4 * stretch.reduce((sum, x) => sum + Math.abs(x), 0);
        if (this._hasMemory) this._movePlaces(size, stretch);
        size.set(stretch);
    }

    private _movePlaces(from: Float64Array, to: Float64Array): void {
        const change = growthOf(from, to);
        if (!change) return this.leave();
        const { data } = this;
        const farthest = data[MeshData.size];
        for (let o = MeshData.places; o < data.length; o += MeshPlace.count) {
            for (let s = o; s < o + 4; s++) {
                const x = data[s];
                const y = data[s + 4];
                const z = data[s + 8];
                for (let c = 0; c < 3; c++) moved[c] = x * change[c] + y * change[4 + c] + z * change[8 + c];
                // Beyond the mesh the way back crosses nothing, and 32 bits would not tell where on it the mesh is.
                const excess = Math.max(1, Math.sqrt(moved[0] ** 2 + moved[1] ** 2 + moved[2] ** 2) / farthest);
                for (let c = 0; c < 3; c++) data[s + 4 * c] = moved[c] / excess;
                if (data[s + MeshPlace.radius] > 0) data[s + MeshPlace.radius] = -1;
            }
        }
    }
}
