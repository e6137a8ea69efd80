// Characters made by code: tubes on chains of bones, morphed and posed at random.
import { Bone } from "@babylonjs/core/Bones/bone";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import { MorphTarget } from "@babylonjs/core/Morph/morphTarget";
import { MorphTargetManager } from "@babylonjs/core/Morph/morphTargetManager";
import type { Scene } from "@babylonjs/core/scene";

export interface SleeveOptions {
    /** Number of quads around and along. Default 12 and 20. */
    columns?: number;
    rows?: number;
    /** Bones of each vertex. Default 4. */
    influences?: 4 | 8;
    /** Weights as they are, without making their sum 1. Default false. */
    isUneven?: boolean;
    isMorphed?: boolean;
    /** Number of bones along the tube. Default 5. */
    boneCount?: number;
}

/** A tube of 1 m along y and 0.3 m wide, open at both ends, on a chain of bones. */
export interface Sleeve {
    readonly mesh: Mesh;
    readonly skeleton: Skeleton;
    readonly bones: readonly Bone[];
    readonly morph: MorphTarget | null;
}

export function makeSleeve(scene: Scene, options: SleeveOptions = {}): Sleeve {
    const { columns = 12, rows = 20, influences = 4, isUneven = false, isMorphed = false, boneCount = 5 } = options;
    const positions: number[] = [];
    const normals: number[] = [];
    const indices: number[] = [];
    for (let j = 0; j <= rows; j++) {
        for (let i = 0; i < columns; i++) {
            const angle = (2 * Math.PI * i) / columns;
            positions.push(0.15 * Math.cos(angle), 1 - j / rows, 0.15 * Math.sin(angle));
            normals.push(Math.cos(angle), 0, Math.sin(angle));
            const [p, q] = [j * columns + i, j * columns + ((i + 1) % columns)];
            if (j < rows) indices.push(p, q, p + columns, q, q + columns, p + columns);
        }
    }
    const mesh = new Mesh("sleeve", scene);
    const data = new VertexData();
    Object.assign(data, { positions, normals, indices });
    data.applyToMesh(mesh);
    const skeleton = new Skeleton("skeleton", "skeleton", scene);
    const bones: Bone[] = [];
    for (let b = 0; b < boneCount; b++)
        bones.push(new Bone(`bone${b}`, skeleton, bones[b - 1] ?? null, Matrix.Translation(0, b === 0 ? 0 : 1 / boneCount, 0)));
    const kinds = influences === 8 ? ["", "Extra"] : [""];
    const weightsOf = (v: number): number[] => {
        const all = Array.from({ length: boneCount }, (_, b) =>
            Math.exp(-8 * Math.abs(positions[3 * v + 1] * boneCount - b - 0.5)),
        );
        const kept = all.map((weight, b) => (b < influences ? weight : 0));
        const sum = kept.reduce((a, b) => a + b, 0);
        return Array.from({ length: influences }, (_, k) => ((kept[k] ?? 0) / sum) * (isUneven ? 0.8 : 1));
    };
    kinds.forEach((kind, half) => {
        const count = positions.length / 3;
        const at = <T>(make: (v: number) => T[]): T[] => Array.from({ length: count }, (_, v) => make(v)).flat();
        mesh.setVerticesData(
            `matricesIndices${kind}`,
            at(() => [0, 1, 2, 3].map((k) => Math.min(boneCount - 1, 4 * half + k))),
        );
        mesh.setVerticesData(
            `matricesWeights${kind}`,
            at((v) => weightsOf(v).slice(4 * half, 4 * half + 4)),
        );
    });
    mesh.numBoneInfluencers = influences;
    mesh.skeleton = skeleton;
    let morph: MorphTarget | null = null;
    if (isMorphed) {
        morph = new MorphTarget("wide", 0, scene);
        morph.setPositions(Float32Array.from(positions, (x, k) => (k % 3 === 1 ? x : 1.4 * x)));
        morph.setNormals(Float32Array.from(normals));
        mesh.morphTargetManager = new MorphTargetManager(scene);
        mesh.morphTargetManager.addTarget(morph);
    }
    return { mesh, skeleton, bones, morph };
}

/** Turns every bone but the first, and moves the first. @param random 0..1 */
export function poseAtRandom({ bones, morph }: Sleeve, random: () => number, size = 1): void {
    const around = (): number => size * (2 * random() - 1);
    bones.forEach((bone, b) => {
        bone.setRotationQuaternion(Quaternion.FromEulerAngles(0.5 * around(), 0.5 * around(), 0.5 * around()));
        if (b === 0) bone.setPosition(new Vector3(0.2 * around(), 0.2 * around(), 0.2 * around()));
    });
    if (morph) morph.influence = random();
}

/** Vertices where Babylon's own skinning draws them, in the world, shape [vertexCount, 3]: of a copy that is no cloth. */
export function skinnedVertices(copy: Mesh): Float64Array {
    copy.skeleton!.prepare(true);
    const local = copy.getPositionData(true, true)!;
    const world = copy.computeWorldMatrix(true);
    const places = new Float64Array(local.length);
    const place = new Vector3();
    for (let i = 0; i < local.length; i += 3) {
        Vector3.TransformCoordinatesFromFloatsToRef(local[i], local[i + 1], local[i + 2], world, place);
        place.toArray(places as unknown as Float32Array, i);
    }
    return places;
}

/** Largest distance between two sets of places, of some vertices [m]. */
export function farthest(a: ArrayLike<number>, b: ArrayLike<number>, vertices: readonly number[]): number {
    return Math.max(
        ...vertices.map((v) => Math.hypot(a[3 * v] - b[3 * v], a[3 * v + 1] - b[3 * v + 1], a[3 * v + 2] - b[3 * v + 2])),
    );
}
