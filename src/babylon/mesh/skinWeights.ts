import type { Geometry } from "@babylonjs/core/Meshes/geometry";
import { readFloats } from "./readMesh";

/** Kinds of vertex data that name bones, each with the kind of their weights. */
const SKIN_PAIRS = [
    ["matricesIndices", "matricesWeights"],
    ["matricesIndicesExtra", "matricesWeightsExtra"],
];
/** Bones of a vertex in one kind of vertex data. */
const BONES = 4;

/** Bones and weights of a geometry's vertices, with new vertices between them. */
export class SkinWeights {
    private readonly _pairs: readonly (readonly string[])[];
    /** Weights by bones, of each vertex. */
    private _vertices: ReadonlyMap<number, number>[];

    constructor(geometry: Geometry) {
        this._pairs = SKIN_PAIRS.filter((kinds) => kinds.every((kind) => geometry.isVerticesDataPresent(kind)));
        this._vertices = Array.from({ length: this._pairs.length && geometry.getTotalVertices() }, () => new Map());
        for (const [boneKind, weightKind] of this._pairs) {
            const bones = readFloats(geometry, boneKind, BONES)!;
            const weights = readFloats(geometry, weightKind, BONES)!;
            this._vertices.forEach((vertex, v) => {
                for (let i = BONES * v; i < BONES * (v + 1); i++)
                    if (weights[i] > 0) (vertex as Map<number, number>).set(bones[i], (vertex.get(bones[i]) ?? 0) + weights[i]);
            });
        }
    }

    /** Goes on to vertices between those that it has, at a share of the path from one to the other. */
    interpolate(from: Uint32Array, to: Uint32Array, shares: Float32Array): void {
        const before = this._vertices;
        if (before.length === 0) return;
        this._vertices = Array.from(from, (a, v) => {
            const share = shares[v];
            if (share === 0) return before[a];
            const blend = new Map<number, number>();
            for (const [bone, weight] of before[a]) blend.set(bone, (1 - share) * weight);
            for (const [bone, weight] of before[to[v]]) blend.set(bone, (blend.get(bone) ?? 0) + share * weight);
            return blend;
        });
    }

    /** Writes them: of bones that are too many, those of most weight, whose weights keep their sum. */
    write(geometry: Geometry): void {
        const count = BONES * this._pairs.length;
        this._pairs.forEach(([boneKind, weightKind], p) => {
            const bones = new Float32Array(BONES * this._vertices.length);
            const weights = new Float32Array(BONES * this._vertices.length);
            this._vertices.forEach((vertex, v) => {
                const all = [...vertex].sort((a, b) => b[1] - a[1]);
                const kept = all.slice(0, count);
                const scale = sumOf(all) / sumOf(kept);
                kept.slice(BONES * p, BONES * (p + 1)).forEach(([bone, weight], i) => {
                    bones[BONES * v + i] = bone;
                    weights[BONES * v + i] = all.length > count ? weight * scale : weight;
                });
            });
            geometry.setVerticesData(boneKind, bones, false, BONES);
            geometry.setVerticesData(weightKind, weights, false, BONES);
        });
    }

    /** True if a kind of vertex data is told by {@link write}. */
    writes(kind: string): boolean {
        return this._pairs.some((kinds) => kinds.includes(kind));
    }
}

function sumOf(influences: readonly (readonly [number, number])[]): number {
    return influences.reduce((sum, [, weight]) => sum + weight, 0);
}
