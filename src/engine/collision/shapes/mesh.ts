/**
 * Triangle mesh, closed or open, solid on both sides of every triangle: particles stay on the side on which they are. What starts
 * inside a closed one leaves it. C = |x - nearest point| - thickness >= 0, and no path of a particle crosses a triangle.
 *
 *        ● ↑ n
 *     ╲__╱╲___╱╲__
 *
 * Data: MeshData and MeshLayout in kernels/meshLayout.ts; the triangles are shared, see meshTree.ts.
 */
import type { Arena, BlockLayout } from "../../../kernels/arena";
import { MeshData, MeshLayout, MeshMemory } from "../../../kernels/meshLayout";
import type { MeshArrays } from "../../../kernels/meshLayout";
import { layoutStruct, writeDescriptor } from "../../../kernels/structSchema";
import type { MeshGeometry } from "../broadphase/meshBvhPlan";
import { scaleMapOf, MeshColliderBase } from "./meshColliderBase";
import { isSameSize, MeshBvh } from "../broadphase/meshBvh";
import { measureExtent } from "./solid";

const moved = new Float64Array(3);

export class MeshCollider extends MeshColliderBase implements MeshArrays {
    declare descriptor: Uint32Array;
    readonly vertexCount = 0;
    private _bvh!: MeshBvh;

    /** @throws RangeError when there is no memory left */
    constructor(
        arena: Arena,
        particleCount: number,
        readonly geometry: MeshGeometry,
    ) {
        super(arena, particleCount, MeshMemory.count, geometry[0]);
        try {
            this._bvh = MeshBvh.acquire(arena, geometry);
        } catch (error) {
            super.release();
            throw error;
        }
        writeDescriptor(MeshLayout, this);
    }

    protected override _cut(layout: BlockLayout): void {
        super._cut(layout);
        layoutStruct(MeshLayout, this, layout, []);
    }

    get nodeCount(): number {
        return this._bvh.nodeCount;
    }

    get triangleCount(): number {
        return this._bvh.triangleCount;
    }

    get slotCount(): number {
        return this.data.length;
    }

    override get mesh(): this {
        return this;
    }

    get nodes(): Uint32Array {
        return this._bvh.nodes;
    }

    get nodeFloats(): Float32Array {
        return this._bvh.nodeFloats;
    }

    get triangles(): Float32Array {
        return this._bvh.triangles;
    }

    override release(): void {
        if (this.byteLength > 0) this._bvh.removeUser();
        super.release();
    }

    protected override _writeDimensions(): void {
        super._writeDimensions();
        measureExtent(this.size, this._extent);
    }

    /** Takes its triangles in the present size. What is known of particles grows along. */
    protected override _updateSize(): void {
        const { data, _stretch: stretch, size } = this;
        if (isSameSize(size, stretch)) return;
        const tree = this._bvh.resized(stretch);
        if (tree !== this._bvh) {
            this._bvh = tree;
            writeDescriptor(MeshLayout, this);
        }
        data[MeshData.size] = 4 * stretch.reduce((sum, x) => sum + Math.abs(x), 0);
        if (this._hasMemory) this._scaleMemory(size, stretch);
        size.set(stretch);
    }

    private _scaleMemory(from: Float64Array, to: Float64Array): void {
        const change = scaleMapOf(from, to);
        if (!change) return this.forgetParticles();
        const { data } = this;
        const farthest = data[MeshData.size];
        for (let o = MeshData.memory; o < data.length; o += MeshMemory.count) {
            for (let s = o; s < o + 4; s++) {
                const x = data[s];
                const y = data[s + 4];
                const z = data[s + 8];
                for (let c = 0; c < 3; c++) moved[c] = x * change[c] + y * change[4 + c] + z * change[8 + c];
                // Beyond the mesh the way back crosses nothing, and 32 bits would not tell where on it the mesh is.
                const excess = Math.max(1, Math.sqrt(moved[0] ** 2 + moved[1] ** 2 + moved[2] ** 2) / farthest);
                for (let c = 0; c < 3; c++) data[s + 4 * c] = moved[c] / excess;
                if (data[s + MeshMemory.radius] > 0) data[s + MeshMemory.radius] = -1;
            }
        }
    }
}
