import { MIN_MESH_DISTANCE } from "../../tunables";
import type { Arena } from "../../../kernels/arena";
import { Contact } from "../../../kernels/contactLayout";
import type { ContactArrays } from "../../../kernels/contactLayout";
import type { Kernels } from "../../../kernels/kernelTable";
import { paddedCountOf } from "../../../kernels/layout";
import type { ParticleArrays } from "../../../kernels/layout";
import { MeshData } from "../../../kernels/meshLayout";
import type { MeshArrays } from "../../../kernels/meshLayout";
import { identity, invert, multiply } from "../../math/affine";
import type { Affine } from "../../math/affine";
import type { SegmentShape } from "./collider";
import { isSameSize } from "../broadphase/meshBvh";
import { Solid } from "./solid";

const [before, after, inverse, change] = [identity(), identity(), identity(), identity()];

/** Base of rigid and skinned mesh colliders. */
export abstract class MeshColliderBase extends Solid {
    override readonly isConcave = true;

    override get segmentShape(): SegmentShape {
        return "mesh";
    }

    /** Kernel arguments. */
    abstract readonly mesh: MeshArrays;
    /** True if its vertices are constant in its frame. */
    readonly isRigid: boolean = true;
    /** Identity of the triangle list, equal for all sizes and poses. */
    abstract readonly geometry: object;
    /** The size that the mesh has: where its unit axes lie in the frame, rows, shape [3, 3]; zeros: not known yet. */
    readonly size = new Float64Array(9);
    /** True if the pose of the frame's end has volume. */
    protected _hasSize = false;

    /**
     * @param placeSlots numbers that it remembers of four particles
     * @param sides the first number of its form, see MeshGeometry
     * @throws RangeError when there is no memory left
     */
    constructor(arena: Arena, particleCount: number, placeSlots: number, sides: number) {
        super(arena, MeshData.memory + (paddedCountOf(particleCount) / 4) * placeSlots, MeshData.memory);
        this.data[MeshData.isClosed] = sides === 1 ? 1 : 0;
        this.data[MeshData.front] = Math.trunc(sides / 2);
    }

    /** Its size is that of the frame's end: on the straight way there, what turns is smaller. */
    protected override _updateShape(target: Affine): void {
        this._hasSize = this._decompose(target);
        if (this._hasSize) this._updateSize();
    }

    /** Takes the present stretch as its size. */
    protected abstract _updateSize(): void;

    /**
     * Takes points of its frame, x y z each, along as it has grown: that is motion, too. Where its size then had no volume they are NaN.
     * @param size its size when they were taken, which becomes the present one
     * @returns whether its size is another
     */
    scalePoints(points: Float64Array, size: Float64Array): boolean {
        if (isSameSize(size, this.size)) return false;
        const growth = scaleMapOf(size, this.size);
        for (let o = 0; o < points.length; o += 3) {
            const x = points[o];
            const y = points[o + 1];
            const z = points[o + 2];
            for (let c = 0; c < 3; c++) points[o + c] = growth ? x * growth[c] + y * growth[4 + c] + z * growth[8 + c] : NaN;
        }
        size.set(this.size);
        return true;
    }

    protected override _writeShape(before: Affine): void {
        super._writeShape(before);
        this._isValid = this._isValid && this._hasSize;
    }

    protected override _writeDimensions(): void {
        const { data } = this;
        data[MeshData.sweep] = 0;
        data[MeshData.keptDistance] = Math.max(MIN_MESH_DISTANCE, data[Contact.thickness]);
    }

    override detect(kernels: Kernels, particles: ParticleArrays, contacts: ContactArrays): void {
        this._hasMemory = true;
        kernels.detectMeshContacts(particles, this.mesh, contacts);
    }
}

/** Map of the points of a mesh's frame from one size to another; a shared object. Null: the first has no volume. */
export function scaleMapOf(from: Float64Array, to: Float64Array): Affine | null {
    for (let i = 0; i < 9; i++) {
        before[i + Math.floor(i / 3)] = from[i];
        after[i + Math.floor(i / 3)] = to[i];
    }
    if (!invert(before, inverse)) return null;
    multiply(inverse, after, change);
    return change;
}
