import { SkinLayout, SkinMeasure } from "../../kernels/meshLayout";
import type { SkinArrays } from "../../kernels/meshLayout";
import { ROW, rowOffset } from "../../kernels/layout";
import type { Kernels } from "../../kernels/kernels";
import { meshKernels } from "../../kernels/modules/mesh.generated";
import { ArenaStruct } from "../arenaArrays";
import { planOf } from "./meshPlan";
import type { MeshPlan } from "./meshPlan";
import { isSameSize } from "./meshTree";
import { MATRIX } from "./skin";
import type { Skin } from "./skin";

/** Those of a skin, one an arena. */
const ofSkins = new WeakMap<Skin, PosedSkin[]>();

/** A skin's vertices in the arena, once for all bodies that meet it. */
export class PosedSkin extends ArenaStruct implements SkinArrays {
    readonly vertexCount: number;
    readonly triangleCount: number;
    readonly boneCount: number;
    readonly influenceCount: number;
    readonly plan: MeshPlan;
    corners!: Uint32Array;
    rest!: Float32Array;
    bones!: Uint32Array;
    weights!: Float32Array;
    matrices!: Float32Array;
    posed!: Float32Array;
    posedBefore!: Float32Array;
    measure!: Float32Array;
    /** Number of poses that it has taken. */
    poses = 0;
    private readonly _size = new Float64Array(9);
    private _revision = 0;
    private _users = 0;

    private constructor(
        private readonly _kernels: Kernels,
        private readonly _skin: Skin,
    ) {
        super(SkinLayout);
        const { form } = _skin;
        const { order } = (this.plan = planOf(form.mesh));
        this.triangleCount = order.length;
        this.vertexCount = form.vertexCount;
        this.boneCount = form.boneCount;
        this.influenceCount = form.influenceCount;
        this._allocate(_kernels.arena);
        for (let k = 0; k < this.corners.length; k++)
            this.corners[k] = rowOffset(form.corners[3 * order[Math.floor(k / 3)] + (k % 3)]);
        this.bones.set(Uint32Array.from(form.bones, (bone) => rowOffset((bone * MATRIX) / ROW)));
        this.weights.set(form.weights);
        if (!ofSkins.get(_skin)?.push(this)) ofSkins.set(_skin, [this]);
    }

    /** The vertices of a skin in an arena; freed when its last user lets go. @throws RangeError when there is no memory left */
    static of(kernels: Kernels, skin: Skin): PosedSkin {
        const found = ofSkins.get(skin)?.find(({ _kernels: { arena } }) => arena === kernels.arena);
        return found ?? new PosedSkin(kernels.add(meshKernels), skin);
    }

    /** One user more. */
    hold(): void {
        this._users++;
    }

    /** One user less; freed with the last. */
    letGo(): void {
        if (--this._users > 0) return;
        const posed = ofSkins.get(this._skin)!;
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
        if (this.poses++ === 0) this._kernels.poseSkin(this);
    }

    /** How far a vertex has come since the last frame, at most [m]. */
    get motion(): number {
        return this.measure[SkinMeasure.motion];
    }
}
