import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { isFiniteAffine, multiply } from "../../engine/math/affine";
import type { Affine } from "../../engine/math/affine";
import { worldMatrixOf } from "../nodes";

/** Where the bones of a skinned mesh carry what is given in its bind pose. One for all that follow the mesh. */
export class SkinPose {
    /** Of the present frame: the mesh's world matrix, and how each bone moves its bind pose; null: not asked yet. */
    private readonly _world = new Float64Array(16);
    private _matrices: Float32Array | null = null;
    private readonly _skin = new Float64Array(16);
    private readonly _local = new Float64Array(16);

    constructor(readonly mesh: AbstractMesh) {}

    /** Whether there is nothing any more that carries. */
    get isDisposed(): boolean {
        const { skeleton } = this.mesh;
        return this.mesh.isDisposed() || !skeleton || skeleton.getScene().skeletons.indexOf(skeleton) < 0;
    }

    /** A new frame: the bones may be elsewhere. */
    expire(): void {
        this._matrices = null;
    }

    /**
     * Fills where a bone carries a place of the bind pose now.
     * @param bone its place in the mesh's matrices
     * @param place affine map to the mesh's local space
     * @returns whether it is finite
     */
    follow(bone: number, place: Affine, pose: Affine): boolean {
        const { mesh, _skin: skin, _local: local, _world: world } = this;
        if (!this._matrices) {
            mesh.skeleton!.prepare(true);
            this._matrices = mesh.skeleton!.getTransformMatrices(mesh);
            world.set(worldMatrixOf(mesh));
        }
        for (let i = 0; i < 16; i++) skin[i] = this._matrices[16 * bone + i];
        multiply(place, skin, local);
        multiply(local, world, pose);
        return isFiniteAffine(pose);
    }
}
