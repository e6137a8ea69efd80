import type { Geometry } from "@babylonjs/core/Meshes/geometry";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { weldOfPlaces } from "../../engine/index";
import type { TornMesh } from "../../engine/index";
import { keepSubMeshes, createEmptyGeometry, resetSnapshot } from "../mesh/geometrySwap";
import { SKIN_KINDS } from "../mesh/pausedPose";
import { readFloats, setWeld } from "../mesh/readMesh";

/** A part of a mesh that one material draws, as Babylon has it. */
interface SubMeshRange {
    readonly indexStart: number;
    readonly indexCount: number;
    readonly verticesStart: number;
    readonly verticesCount: number;
}

/** A mesh before it was torn. */
export interface UntornGeometry {
    readonly geometry: Geometry;
    readonly ranges: readonly SubMeshRange[];
    readonly isUnIndexed: boolean;
}

export function saveUntorn(mesh: Mesh): UntornGeometry {
    const ranges = mesh.subMeshes.map(({ indexStart, indexCount, verticesStart, verticesCount }) => ({
        ...{ indexStart, indexCount, verticesStart, verticesCount },
    }));
    return { geometry: mesh.geometry!, ranges, isUnIndexed: mesh.isUnIndexed };
}

/** Makes a torn geometry of that which a mesh has, and gives it to the mesh. @param kept is not disposed of */
export function applyTorn(mesh: Mesh, torn: TornMesh, kept: Geometry): void {
    const source = mesh.geometry!;
    const geometry = createEmptyGeometry(source, `${source.id.replace(/#torn\d+$/, "")}#torn${mesh.uniqueId}`, torn.indices);
    for (const kind of source.getVerticesDataKinds()) {
        const buffer = source.getVertexBuffer(kind)!;
        const rows = readFloats(source, kind, buffer.getSize());
        if (rows)
            geometry.setVerticesData(
                kind,
                interpolateRows(kind, rows, buffer.getSize(), torn),
                buffer.isUpdatable(),
                buffer.getSize(),
            );
    }
    setWeld(geometry, weldOfPlaces(torn.placeOfVertex, torn.placeCount));
    applyGeometry(mesh, { geometry, ranges: rangesOf(mesh, torn), isUnIndexed: false }, kept);
}

/** Ranges of a mesh's submeshes after its triangles were divided. */
export function rangesOf(mesh: Mesh, { triangleOf, vertexCount }: TornMesh): readonly SubMeshRange[] {
    const firstPartOf = (triangle: number): number => {
        const first = triangleOf.findIndex((of) => of >= triangle);
        return first < 0 ? triangleOf.length : first;
    };
    return mesh.subMeshes.map(({ indexStart, indexCount }) => {
        const start = firstPartOf(indexStart / 3);
        const count = firstPartOf((indexStart + indexCount) / 3) - start;
        return { indexStart: 3 * start, indexCount: 3 * count, verticesStart: 0, verticesCount: vertexCount };
    });
}

/** Gives a mesh a geometry; what it had goes, unless something else draws it or it is kept. */
export function applyGeometry(mesh: Mesh, { geometry, ranges, isUnIndexed }: UntornGeometry, kept: Geometry | null = null): void {
    const before = mesh.geometry!;
    keepSubMeshes(mesh, () => geometry.applyToMesh(mesh));
    mesh.isUnIndexed = isUnIndexed;
    mesh.subMeshes.forEach((subMesh, i) => Object.assign(subMesh, ranges[i]));
    resetSnapshot(mesh);
    if (before !== kept && before !== geometry && before.meshes.length === 0) before.dispose();
}

/** Rows of a kind of vertex data at the vertices of a torn or divided mesh. */
export function interpolateRows(
    kind: string,
    rows: Float32Array,
    size: number,
    { from, to, shares }: Pick<TornMesh, "from" | "to" | "shares">,
): Float32Array {
    const result = new Float32Array(from.length * size);
    // Numbers of bones do not mix.
    const isWhole = SKIN_KINDS.includes(kind);
    const isDirection = kind === "normal" || kind === "tangent";
    for (let v = 0; v < from.length; v++) {
        const share = isWhole ? Math.round(shares[v]) : shares[v];
        const a = from[v] * size;
        const b = to[v] * size;
        const o = v * size;
        // Where it is the same vertex, to the bit.
        for (let c = 0; c < size; c++)
            result[o + c] = share === 0 ? rows[a + c] : rows[a + c] + share * (rows[b + c] - rows[a + c]);
        if (!isDirection || share === 0) continue;
        const length = Math.hypot(result[o], result[o + 1], result[o + 2]);
        for (let c = 0; c < 3 && length > 0; c++) result[o + c] /= length;
    }
    return result;
}
