import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { MorphTarget } from "@babylonjs/core/Morph/morphTarget";
import type { SkinParts, SkinTargetGeometry } from "../../engine/index";
import type { GeometryOverride } from "../mesh/geometryOverride";

/** The part of a mesh's binding that its skin needs; see BodyBinding. */
export interface SkinnedBinding {
    readonly override?: { readonly all: readonly GeometryOverride[] } | null;
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
    private readonly _morphs: readonly PartMorphs[];
    private readonly _hasBones: boolean;
    private _isMorphed = false;

    /** @throws RangeError on weights that are no numbers, or of bones that are not there */
    constructor(
        private readonly _mesh: Mesh,
        private readonly _binding: SkinnedBinding,
        reject: SkinParts["reject"],
    ) {
        const parts = _binding.override!.all;
        this._vertices = verticesOf(_binding);
        this._normals = readParts(parts, "normal", 3);
        const kinds = ["", "Extra"]
            .map((more) => ({
                indices: readParts(parts, `matricesIndices${more}`, INFLUENCES),
                weights: readParts(parts, `matricesWeights${more}`, INFLUENCES),
            }))
            .filter(({ indices, weights }) => indices && weights);
        this._hasBones = _mesh.skeleton !== null && kinds.length > 0;
        const influencers = Math.max(...parts.map(({ mesh }) => mesh.numBoneInfluencers));
        const influenceCount = this._hasBones ? Math.min(influencers, INFLUENCES * kinds.length) : 1;
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
        this._morphs = morphsOf(parts, this._vertices);
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
        for (const part of this._morphs) {
            for (let t = 0; t < part.influences.length; t++) {
                const target = targetOf(part, t);
                if (!target || part.influences[t] === 0) continue;
                addMorph(rest, part, vertices, x, target.getPositions(), part.influences[t]);
                if (n) addMorph(normals, part, vertices, n, target.getNormals(), part.influences[t]);
            }
        }
        return true;
    }

    /** @returns true if a morph target's influence has changed */
    private _readInfluences(): boolean {
        let areNew = false;
        for (const part of this._morphs) {
            for (let t = 0; t < part.influences.length; t++) {
                const influence = targetOf(part, t)?.influence ?? 0;
                if (influence === part.influences[t] || !Number.isFinite(influence)) continue;
                part.influences[t] = influence;
                areNew = true;
            }
        }
        return areNew;
    }
}

/** Morph targets of a mesh, and the particles whose vertices it has. */
interface PartMorphs {
    readonly mesh: Mesh;
    /** Number of its first vertex. */
    readonly first: number;
    readonly particles: Uint32Array;
    /** When they were last read. */
    readonly influences: Float64Array;
}

function morphsOf(parts: readonly GeometryOverride[], vertices: Uint32Array): PartMorphs[] {
    let end = 0;
    return parts.flatMap(({ mesh }) => {
        const first = end;
        end += mesh.getTotalVertices();
        const count = mesh.morphTargetManager?.numTargets ?? 0;
        if (count === 0) return [];
        const particles = Uint32Array.from(vertices.keys()).filter((i) => vertices[i] >= first && vertices[i] < end);
        return [{ mesh, first, particles, influences: new Float64Array(count) }];
    });
}

function targetOf({ mesh }: PartMorphs, t: number): MorphTarget | null {
    const morphs = mesh.morphTargetManager;
    return morphs && t < morphs.numTargets ? morphs.getTarget(t) : null;
}

/** Authored vertex data of a mesh's parts, one after the other, zeros where one lacks the kind; null where all do. */
function readParts(parts: readonly GeometryOverride[], kind: string, size: number): ArrayLike<number> | null {
    const all = parts.map((part) => part.authoredGeometry().getVerticesData(kind));
    if (all.length === 1 || !all.some(Boolean)) return all[0];
    return Float32Array.from(
        all.flatMap((data, i) => Array.from(data ?? new Float32Array(size * parts[i].mesh.getTotalVertices()))),
    );
}

/** Adds what a target differs by from its mesh. @param rows shape [n, 4]; `base` of all parts, `target` of this one */
function addMorph(
    rows: Float32Array,
    { first, particles }: PartMorphs,
    vertices: Uint32Array,
    base: ArrayLike<number>,
    target: ArrayLike<number> | null,
    influence: number,
): void {
    if (!target) return;
    for (let k = 0; k < particles.length; k++) {
        const i = particles[k];
        const v = 3 * vertices[i];
        for (let c = 0; c < 3; c++) rows[4 * i + c] += influence * (target[v - 3 * first + c] - base[v + c]);
    }
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
