import { SkinLayout, SkinBounds } from "../../../kernels/meshLayout";
import type { SkinArrays } from "../../../kernels/meshLayout";
import { MATRIX_SIZE, ROW, rowOffset } from "../../../kernels/layout";
import type { Kernels } from "../../../kernels/kernelTable";
import { meshKernels } from "../../../kernels/modules/mesh.generated";
import { ArenaStruct } from "../../memory/arenaArrays";
import { meshBvhPlanOf } from "../broadphase/meshBvhPlan";
import type { MeshBvhPlan } from "../broadphase/meshBvhPlan";
import { isSameSize } from "../broadphase/meshBvh";
import type { Skin } from "./skinGeometry";

/** Those of a skin, one an arena. */
const posesOfSkins = new WeakMap<Skin, SkinnedPose[]>();

/** A skin's vertices in the arena, once for all bodies that meet it. */
export class SkinnedPose extends ArenaStruct implements SkinArrays {
    readonly vertexCount: number;
    readonly triangleCount: number;
    readonly boneCount: number;
    readonly influenceCount: number;
    readonly plan: MeshBvhPlan;
    corners!: Uint32Array;
    rest!: Float32Array;
    bones!: Uint32Array;
    weights!: Float32Array;
    matrices!: Float32Array;
    posed!: Float32Array;
    posedBefore!: Float32Array;
    bounds!: Float32Array;
    /** Number of poses that it has taken. */
    poseCount = 0;
    private readonly _size = new Float64Array(9);
    private _revision = 0;
    private _users = 0;

    private constructor(
        private readonly _kernels: Kernels,
        private readonly _skin: Skin,
    ) {
        super(SkinLayout);
        const { geometry: form } = _skin;
        const { order } = (this.plan = meshBvhPlanOf(form.mesh));
        this.triangleCount = order.length;
        this.vertexCount = form.vertexCount;
        this.boneCount = form.boneCount;
        this.influenceCount = form.influenceCount;
        this._allocate(_kernels.arena);
        for (let k = 0; k < this.corners.length; k++)
            this.corners[k] = rowOffset(form.corners[3 * order[Math.floor(k / 3)] + (k % 3)]);
        this.bones.set(Uint32Array.from(form.bones, (bone) => rowOffset((bone * MATRIX_SIZE) / ROW)));
        this.weights.set(form.weights);
        if (!posesOfSkins.get(_skin)?.push(this)) posesOfSkins.set(_skin, [this]);
    }

    /** The vertices of a skin in an arena; freed when its last user lets go. @throws RangeError when there is no memory left */
    static of(kernels: Kernels, skin: Skin): SkinnedPose {
        const found = posesOfSkins.get(skin)?.find(({ _kernels: { arena } }) => arena === kernels.arena);
        return found ?? new SkinnedPose(kernels.add(meshKernels), skin);
    }

    /** One user more. */
    addUser(): void {
        this._users++;
    }

    /** One user less; freed with the last. */
    removeUser(): void {
        if (--this._users > 0) return;
        const posed = posesOfSkins.get(this._skin)!;
        posed.splice(posed.indexOf(this), 1);
        this.release();
    }

    /** Poses the vertices as the skin is now, unless that has been done. @param size where the local axes lie in the frame [m], rows, shape [3, 3] */
    pose(size: Float64Array): void {
        const { _skin: skin } = this;
        if (this._revision === skin.revision && isSameSize(size, this._size)) return;
        this._revision = skin.revision;
        this._size.set(size);
        const { rest, matrices } = this;
        for (let i = 0, o = 0; i < skin.rest.length; i += 3, o += ROW) {
            for (let c = 0; c < 3; c++) rest[o + c] = skin.rest[i + c];
            rest[o + 3] = 1;
        }
        for (let o = 0; o < matrices.length; o += 4) {
            for (let c = 0; c < 3; c++) {
                matrices[o + c] =
                    skin.matrices[o] * size[c] + skin.matrices[o + 1] * size[3 + c] + skin.matrices[o + 2] * size[6 + c];
            }
        }
        this._kernels.poseSkin(this);
        // Where it is first seen, it has not moved.
        if (this.poseCount++ === 0) this._kernels.poseSkin(this);
    }

    /** Largest displacement of a vertex since the last frame [m]. */
    get motion(): number {
        return this.bounds[SkinBounds.motion];
    }
}
