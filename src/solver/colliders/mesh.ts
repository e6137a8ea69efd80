/**
 * Triangle mesh, closed or open, solid on both sides of every triangle: particles stay on the side on which they are. What starts
 * inside a closed one leaves it. C = |x - nearest point| - thickness >= 0, and no path of a particle crosses a triangle.
 *
 *        ● ↑ n
 *     ╲__╱╲___╱╲__
 *
 * Data: MeshData and MeshLayout in kernels/contactLayout.ts; the triangles are shared, see meshTree.ts.
 */
import type { Arena, BlockLayout } from "../../kernels/arena";
import { Contact, MeshData, MeshLayout, MeshPlace, SolidData } from "../../kernels/contactLayout";
import { paddedCountOf } from "../../kernels/layout";
import type { ContactArrays, MeshArrays } from "../../kernels/contactLayout";
import type { ParticleArrays } from "../../kernels/layout";
import type { Kernels } from "../../kernels/kernels";
import { cutStruct, describeStruct } from "../../kernels/structs";
import { identity, invert, multiply } from "../affine";
import type { Affine } from "../affine";
import { isSameSize, MeshTree } from "./meshTree";
import type { MeshForm } from "./meshTree";
import { measureExtent, Solid } from "./solid";

/** Distance kept at least [m]: what has none is on no side. */
const LEAST_KEPT = 2e-4;

const [before, after, inverse, change] = [identity(), identity(), identity(), identity()];

export class MeshCollider extends Solid implements MeshArrays {
    declare descriptor: Uint32Array;
    private _tree!: MeshTree;
    /** The size that its triangles have, see MeshTree.stretch. */
    private readonly _size = new Float64Array(9);
    /** Whether the pose of the frame's end spans a space. */
    private _hasSize = false;

    /** @throws RangeError when there is no memory left */
    constructor(arena: Arena, particleCount: number, form: MeshForm) {
        super(arena, MeshData.places + (paddedCountOf(particleCount) / 4) * MeshPlace.count, MeshData.places);
        this.data[MeshData.isClosed] = form[0];
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

    /** Its size is that of the frame's end: on the straight way there, what turns is smaller. */
    protected override _takeForm(target: Affine): void {
        this._hasSize = this._split(target);
        if (this._hasSize) this._takeSize();
    }

    protected override _writeShape(before: Affine): void {
        super._writeShape(before);
        this._isSolid = this._isSolid && this._hasSize;
    }

    protected override _writeDimensions(): void {
        const { data } = this;
        data[SolidData.sweep] = 0;
        data[MeshData.kept] = Math.max(LEAST_KEPT, data[Contact.thickness]);
        measureExtent(this._size, this._extent);
    }

    /** Takes its triangles in the present size. What is known of particles grows along. */
    private _takeSize(): void {
        const { data, _stretch: stretch, _size: size } = this;
        if (isSameSize(size, stretch)) return;
        const tree = this._tree.inSize(stretch);
        if (tree !== this._tree) {
            this._tree = tree;
            describeStruct(MeshLayout, this);
        }
        if (this._hasMemory) this._movePlaces(size, stretch);
        size.set(stretch);
        data[MeshData.size] = 4 * stretch.reduce((sum, x) => sum + Math.abs(x), 0);
    }

    private _movePlaces(from: Float64Array, to: Float64Array): void {
        for (let i = 0; i < 9; i++) {
            before[i + Math.floor(i / 3)] = from[i];
            after[i + Math.floor(i / 3)] = to[i];
        }
        if (!invert(before, inverse)) return this.leave();
        multiply(inverse, after, change);
        const { data } = this;
        for (let o = MeshData.places; o < data.length; o += MeshPlace.count) {
            for (let s = o; s < o + 4; s++) {
                const x = data[s];
                const y = data[s + 4];
                const z = data[s + 8];
                for (let c = 0; c < 3; c++) data[s + 4 * c] = x * change[c] + y * change[4 + c] + z * change[8 + c];
                if (data[s + MeshPlace.radius] > 0) data[s + MeshPlace.radius] = -1;
            }
        }
    }

    override find(kernels: Kernels, particles: ParticleArrays, contacts: ContactArrays): void {
        this._hasMemory = true;
        kernels.findMeshContacts(particles, this, contacts);
    }
}
