import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { MorphTargetManager } from "@babylonjs/core/Morph/morphTargetManager";
import type { SkinParts, SkinTargetGeometry } from "../../engine/index";
import type { GeometryOverride } from "../mesh/geometryOverride";

/** The part of a mesh's binding that its skin needs; see BodyBinding. */
export interface SkinnedBinding {
    readonly override?: GeometryOverride | null;
    readonly particleCount: number;
    readonly particleOfVertex: Uint32Array;
    readonly vertexCount: number;
    readonly restPositions: Float32Array;
    readonly restVertexPositions: Float32Array;
    readonly authoredPositions: Float32Array;
}

const OWNER = "ClothBehavior";
/** Numbers of a matrix. */
const MATRIX = 16;
/** Bones that may move a vertex, in one kind of vertex data. */
const INFLUENCES = 4;
/** The pose of a mesh without bones. */
export const STILL = Float32Array.from({ length: MATRIX }, (_, i) => (i % 5 === 0 ? 1 : 0));

/** Bones and morph targets of a mesh that is cloth, for its particles: one vertex stands for each. */
export class SkinSource {
    readonly geometry: SkinTargetGeometry;
    /** The vertex of each particle, shape [particleCount]. */
    private readonly _vertices: Uint32Array;
    private readonly _normals: ArrayLike<number> | null;
    private readonly _influences: Float64Array;
    private readonly _hasBones: boolean;
    private _isMorphed = false;

    /** @throws RangeError on weights that are no numbers, or of bones that are not there */
    constructor(
        private readonly _mesh: Mesh,
        private readonly _binding: SkinnedBinding,
        reject: SkinParts["reject"],
    ) {
        const authored = _binding.override!.authoredGeometry();
        this._vertices = verticesOf(_binding);
        this._normals = authored.getVerticesData("normal");
        const kinds = ["", "Extra"]
            .map((more) => ({
                indices: authored.getVerticesData(`matricesIndices${more}`),
                weights: authored.getVerticesData(`matricesWeights${more}`),
            }))
            .filter(({ indices, weights }) => indices && weights);
        this._hasBones = _mesh.skeleton !== null && kinds.length > 0;
        const influenceCount = this._hasBones ? Math.min(_mesh.numBoneInfluencers, INFLUENCES * kinds.length) : 1;
        const boneCount = this._hasBones ? this._matrices().length / MATRIX : 1;
        const { particleCount } = _binding;
        const bones = new Uint32Array(influenceCount * particleCount);
        const weights = new Float32Array(bones.length);
        for (let i = 0; i < particleCount; i++) {
            const first = influenceCount * i;
            let sum = 0;
            for (let k = 0; this._hasBones && k < influenceCount; k++) {
                const kind = kinds[Math.floor(k / INFLUENCES)];
                const from = INFLUENCES * this._vertices[i] + (k % INFLUENCES);
                const weight = kind.weights![from];
                if (!Number.isFinite(weight)) reject(OWNER, "skin", "a mesh of finite bone weights, or false", _mesh.name);
                if (weight === 0) continue;
                const bone = kind.indices![from];
                if (!(bone < boneCount))
                    reject(OWNER, "skin", "a mesh whose skeleton has the bones of its weights, or false", _mesh.name);
                bones[first + k] = bone;
                weights[first + k] = weight;
                sum += weight;
            }
            // Babylon divides by the sum, as the last coordinate of what it draws.
            if (sum === 0) weights[first] = sum = 1;
            for (let k = 0; k < influenceCount; k++) weights[first + k] /= sum;
        }
        this.geometry = { particleCount, boneCount, influenceCount, bones, weights };
        this._influences = new Float64Array(this._morphs?.numTargets ?? 0);
    }

    private get _morphs(): MorphTargetManager | null {
        return this._mesh.morphTargetManager;
    }

    private _matrices(): ArrayLike<number> {
        const skeleton = this._mesh.skeleton!;
        skeleton.prepare(true);
        return skeleton.getTransformMatrices(this._mesh);
    }

    /** The bones' matrices in this frame, from where vertices were bound to mesh-local space; null where they are not finite, or fewer than there were. */
    readBones(): ArrayLike<number> | null {
        if (!this._hasBones) return STILL;
        if (!this._mesh.skeleton) return null;
        const matrices = this._matrices();
        const { length } = STILL;
        if (matrices.length < this.geometry.boneCount * length) return null;
        for (let i = 0; i < this.geometry.boneCount * length; i++) if (!Number.isFinite(matrices[i])) return null;
        return matrices;
    }

    /**
     * Writes the vertices and normals as they were bound, morphed by the targets, where those have changed.
     * @param rest x y z 1, and `normals` x y z 0, shape [particleCount, 4]
     * @returns true if they have
     */
    writeRest(rest: Float32Array, normals: Float32Array): boolean {
        if (!this._readInfluences() && this._isMorphed) return false;
        this._isMorphed = true;
        const { authoredPositions: x } = this._binding;
        const { _vertices: vertices, _normals: n } = this;
        for (let i = 0; i < vertices.length; i++) {
            for (let c = 0; c < 3; c++) {
                rest[4 * i + c] = x[3 * vertices[i] + c];
                normals[4 * i + c] = n ? n[3 * vertices[i] + c] : 0;
            }
            rest[4 * i + 3] = 1;
        }
        for (let t = 0; t < this._influences.length; t++) {
            const influence = this._influences[t];
            if (influence === 0) continue;
            const target = this._morphs!.getTarget(t);
            addMorph(rest, vertices, x, target.getPositions(), influence);
            if (n) addMorph(normals, vertices, n, target.getNormals(), influence);
        }
        return true;
    }

    /** @returns true if a morph target's influence has changed */
    private _readInfluences(): boolean {
        const { _influences: last } = this;
        let areNew = false;
        for (let t = 0; t < last.length; t++) {
            const influence = t < (this._morphs?.numTargets ?? 0) ? this._morphs!.getTarget(t).influence : 0;
            if (influence === last[t] || !Number.isFinite(influence)) continue;
            last[t] = influence;
            areNew = true;
        }
        return areNew;
    }
}

/** Adds what a target differs by from the mesh. @param rows shape [n, 4] */
function addMorph(
    rows: Float32Array,
    vertices: Uint32Array,
    base: ArrayLike<number>,
    target: ArrayLike<number> | null,
    influence: number,
): void {
    if (!target) return;
    for (let i = 0; i < vertices.length; i++)
        for (let c = 0; c < 3; c++) rows[4 * i + c] += influence * (target[3 * vertices[i] + c] - base[3 * vertices[i] + c]);
}

/** A vertex at each particle: of those that ride on one, the first that lies at its place. */
function verticesOf({
    particleOfVertex,
    particleCount,
    vertexCount,
    restVertexPositions: x,
    restPositions: p,
}: SkinnedBinding): Uint32Array {
    const vertices = new Uint32Array(particleCount).fill(vertexCount);
    for (const isAtPlace of [true, false]) {
        for (let v = 0; v < vertexCount; v++) {
            const i = particleOfVertex[v];
            const isThere = x[3 * v] === p[3 * i] && x[3 * v + 1] === p[3 * i + 1] && x[3 * v + 2] === p[3 * i + 2];
            if (vertices[i] === vertexCount && (isThere || !isAtPlace)) vertices[i] = v;
        }
    }
    return vertices;
}
