import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { MorphTargetManager } from "@babylonjs/core/Morph/morphTargetManager";
import { Skin, reject } from "../../engine/index";
import type { TriangleFit } from "./shapes/triangles";

/** Numbers of a matrix. */
const MATRIX = 16;
/** Bones that may move a vertex, in one kind of vertex data. */
const INFLUENCES = 4;

/** True if bones or morph targets move the vertices of a mesh. */
export function isPosed(mesh: AbstractMesh): boolean {
    return isSkinned(mesh) || (morphsOf(mesh)?.numTargets ?? 0) > 0;
}

function isSkinned(mesh: AbstractMesh): boolean {
    return Boolean(mesh.skeleton) && mesh.isVerticesDataPresent("matricesIndices") && mesh.isVerticesDataPresent("matricesWeights");
}

function morphsOf(mesh: AbstractMesh): MorphTargetManager | null {
    return (mesh as Mesh).morphTargetManager ?? null;
}

/** A mesh's triangles as its skeleton and its morph targets pose them. */
export class PosedMesh {
    readonly skin: Skin;
    private readonly _isSkinned: boolean;
    /** Vertices of the mesh that belong to the skin. */
    private readonly _vertices: Uint32Array;
    private readonly _influences: Float64Array;

    /** @throws RangeError on weights of bones that are not there */
    constructor(
        private readonly _mesh: AbstractMesh,
        { form, corners }: TriangleFit,
        owner: string,
    ) {
        this._isSkinned = isSkinned(_mesh);
        this._vertices = Uint32Array.from(new Set(corners));
        const places = new Map(Array.from(this._vertices, (vertex, place) => [vertex, place]));
        const kinds = this._isSkinned ? influenceKindsOf(_mesh) : [];
        const boneCount = this._isSkinned ? _mesh.skeleton!.getTransformMatrices(_mesh).length / MATRIX : 1;
        const influenceCount = Math.max(1, INFLUENCES * kinds.length);
        const bones = new Float32Array(influenceCount * this._vertices.length);
        const weights = new Float32Array(bones.length).fill(this._isSkinned ? 0 : 1);
        for (let i = 0; i < bones.length && this._isSkinned; i++) {
            const kind = kinds[Math.floor((i % influenceCount) / INFLUENCES)];
            const from = INFLUENCES * this._vertices[Math.floor(i / influenceCount)] + (i % INFLUENCES);
            weights[i] = kind.weights[from];
            if (!Number.isFinite(weights[i])) reject(owner, "source", "a mesh of finite bone weights", _mesh.name);
            if (weights[i] === 0) continue;
            bones[i] = kind.indices[from];
            if (!(bones[i] < boneCount)) reject(owner, "source", "a mesh whose skeleton has the bones of its weights", _mesh.name);
        }
        this._influences = new Float64Array(morphsOf(_mesh)?.numTargets ?? 0);
        this.skin = new Skin({
            mesh: form,
            corners: corners.map((vertex) => places.get(vertex)!),
            vertexCount: this._vertices.length,
            boneCount,
            influenceCount,
            bones,
            weights,
        });
        this._morph();
        if (!this._isSkinned) for (let i = 0; i < MATRIX; i += 5) this.skin.matrices[i] = 1;
        this.skin.revision = 1;
    }

    /** Takes the pose of this frame. @returns whether it is finite */
    updatePose(): boolean {
        const { skin, _mesh: mesh } = this;
        let isNew = this._areMorphsNew();
        if (isNew) this._morph();
        if (this._isSkinned) {
            mesh.skeleton!.prepare(true);
            const now = mesh.skeleton!.getTransformMatrices(mesh);
            const { matrices } = skin;
            for (let i = 0; i < matrices.length; i++) if (!Number.isFinite(now[i])) return false;
            for (let i = 0; i < matrices.length; i++) {
                if (matrices[i] === now[i]) continue;
                matrices[i] = now[i];
                isNew = true;
            }
        }
        if (isNew) skin.revision++;
        return true;
    }

    /** True if a morph target's influence has changed since the last frame. */
    private _areMorphsNew(): boolean {
        const { _influences: last } = this;
        const targets = morphsOf(this._mesh);
        let areNew = false;
        for (let i = 0; i < last.length; i++) {
            const influence = i < targets!.numTargets ? targets!.getTarget(i).influence : 0;
            if (influence === last[i] || !Number.isFinite(influence)) continue;
            last[i] = influence;
            areNew = true;
        }
        return areNew;
    }

    /** Writes the vertices as targets have morphed them. */
    private _morph(): void {
        const { _vertices: vertices, _influences: influences, _mesh: mesh } = this;
        const { rest } = this.skin;
        const base = mesh.getVerticesData("position")!;
        for (let k = 0; k < rest.length; k++) rest[k] = base[3 * vertices[Math.floor(k / 3)] + (k % 3)];
        for (let i = 0; i < influences.length; i++) {
            const target = influences[i] === 0 ? null : morphsOf(mesh)!.getTarget(i).getPositions();
            if (!target) continue;
            for (let k = 0; k < rest.length; k++) {
                const from = 3 * vertices[Math.floor(k / 3)] + (k % 3);
                rest[k] += influences[i] * (target[from] - base[from]);
            }
        }
    }
}

/** The kinds of vertex data that say which bones move a vertex. */
function influenceKindsOf(mesh: AbstractMesh): { indices: ArrayLike<number>; weights: ArrayLike<number> }[] {
    const kinds = ["", "Extra"].map((more) => ({
        indices: mesh.getVerticesData(`matricesIndices${more}`),
        weights: mesh.getVerticesData(`matricesWeights${more}`),
    }));
    const isThere = (kind: (typeof kinds)[number], i: number): boolean =>
        kind.indices !== null && kind.weights !== null && INFLUENCES * i < mesh.numBoneInfluencers;
    return kinds.filter(isThere) as { indices: ArrayLike<number>; weights: ArrayLike<number> }[];
}
