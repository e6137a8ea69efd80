import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { MorphTargetManager } from "@babylonjs/core/Morph/morphTargetManager";
import { Edges, mapPointCloud, positive, reject, subdivide, weld, weldOfPlaces, wholeMesh } from "../../engine/index";
import type { TornMesh } from "../../engine/index";
import { createEmptyGeometry } from "../mesh/geometrySwap";
import { movesVertices } from "../mesh/pausedPose";
import { readFloats, readMesh, setWeld } from "../mesh/readMesh";
import { SkinWeights } from "../mesh/skinWeights";
import { worldMatrixOf } from "../support/carriers";
import { applyGeometry, interpolateRows, rangesOf } from "../tearing/tornGeometry";

const OWNER = "ClothBuilder: Subdivide";
/** Most vertices that come of it. */
const MAX_VERTICES = 1_000_000;
/** Largest area of a triangle of sides of length 1. */
const LARGEST_AREA = Math.sqrt(3) / 4;

/** Vertex data of one kind, of the mesh or of a morph target. */
interface VertexRows {
    readonly kind: string;
    readonly size: number;
    rows: Float32Array;
    /** Takes the rows when all is divided. */
    apply(rows: Float32Array): void;
}

/** See {@link ClothBuilder.Subdivide}. */
export function subdivideMesh(mesh: Mesh, maxEdge: number): Mesh {
    if (typeof mesh?.getVerticesData !== "function") reject(OWNER, "mesh", "a Mesh", mesh);
    positive(OWNER, "maxEdge", maxEdge);
    if (mesh.behaviors.some((behavior) => "onCollisionObservable" in behavior))
        reject(OWNER, "mesh", "subdivided before it is cloth", mesh.name);
    const { indices, bindPositions, weld: torn } = readMesh(mesh, OWNER);
    const source = mesh.geometry!;
    const world = Float64Array.from(worldMatrixOf(mesh));
    const { placeOfVertex, placeCount } = torn ?? weld(bindPositions, indices);

    const geometry = createEmptyGeometry(source, `${source.id}#divided${mesh.uniqueId}`, null);
    const skin = new SkinWeights(source);
    const positions: VertexRows = {
        ...{ kind: "position", size: 3, rows: bindPositions },
        apply: (rows) => geometry.setVerticesData("position", rows, false, 3),
    };
    const manager = ownMorphs(mesh);
    const all = [positions, ...morphRowsOf(manager)];
    for (const kind of source.getVerticesDataKinds()) {
        const size = source.getVertexBuffer(kind)!.getSize();
        const rows = kind === "position" || movesVertices(kind) ? null : readFloats(source, kind, size);
        if (rows) all.push({ kind, size, rows, apply: (result) => geometry.setVerticesData(kind, result, false, size) });
    }

    let divided = wholeMesh(indices, placeOfVertex, placeCount);
    let needed = 0;
    for (;;) {
        const places = mapPointCloud(positions.rows, world).mapped;
        const crossings = halvedEdges(divided, places, maxEdge);
        if (crossings.size === 0) break;
        const count = divided.vertexCount;
        needed ||= areaOf(divided.indices, places) / (LARGEST_AREA * maxEdge * maxEdge) / 2;
        if (Math.max(needed, count + crossings.size) > MAX_VERTICES)
            reject(OWNER, "maxEdge", `so long that "${mesh.name}" has at most ${MAX_VERTICES} vertices`, maxEdge);
        divided = subdivide(divided, { crossings, places: new Set(), uncutEdges: new Set() }).mesh;
        // New vertices lie between those of the last round, not of the first.
        const from = divided.from.map((of, v) => (v < count ? v : of));
        const shares = divided.shares.map((share, v) => (v < count ? 0 : share));
        const between = { from, to: divided.to, shares };
        for (const data of all) data.rows = interpolateRows(data.kind, data.rows, data.size, between);
        skin.interpolate(from, divided.to, shares);
    }
    geometry.setIndices(divided.indices, divided.vertexCount);
    mesh.morphTargetManager = null;
    if (manager) manager.areUpdatesFrozen = true;
    for (const { apply, rows } of all) apply(rows);
    skin.write(geometry);
    if (torn) setWeld(geometry, weldOfPlaces(divided.placeOfVertex, divided.placeCount));
    applyGeometry(mesh, { geometry, ranges: rangesOf(mesh, divided), isUnIndexed: false });
    if (manager) manager.areUpdatesFrozen = false;
    manager?.synchronize();
    mesh.morphTargetManager = manager;
    return mesh;
}

/** Edges longer than so much, each crossed in its middle. @param positions of the vertices [m], shape [vertexCount, 3] */
function halvedEdges(
    { indices, placeOfVertex, placeCount }: TornMesh,
    positions: Float32Array,
    maxEdge: number,
): Map<number, number> {
    const edges = new Edges(placeCount);
    const crossings = new Map<number, number>();
    for (let i = 0; i < indices.length; i++) {
        const [v, w] = [indices[i], indices[i % 3 === 2 ? i - 2 : i + 1]];
        const length = Math.hypot(...[0, 1, 2].map((c) => positions[3 * v + c] - positions[3 * w + c]));
        if (length > maxEdge) crossings.set(edges.key(placeOfVertex[v], placeOfVertex[w]), 0.5);
    }
    return crossings;
}

/** Area of triangles [m²]. */
function areaOf(indices: Uint32Array, x: Float32Array): number {
    let sum = 0;
    for (let t = 0; t < indices.length; t += 3) {
        const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
        const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
        const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
        sum += Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 2;
    }
    return sum;
}

/** The mesh's morph targets; a copy of those that other meshes use, too. */
function ownMorphs(mesh: Mesh): MorphTargetManager | null {
    const { morphTargetManager: manager } = mesh;
    const isShared = manager && mesh.getScene().meshes.some((other) => other !== mesh && other.morphTargetManager === manager);
    return isShared ? manager.clone() : manager;
}

/** Vertex data of morph targets. */
function morphRowsOf(manager: MorphTargetManager | null): VertexRows[] {
    const all: VertexRows[] = [];
    const add = (kind: string, size: number, rows: ArrayLike<number> | null, apply: (rows: Float32Array) => void): void => {
        if (rows) all.push({ kind, size, rows: Float32Array.from(rows), apply });
    };
    for (let i = 0; manager && i < manager.numTargets; i++) {
        const target = manager.getTarget(i);
        add("position", 3, target.getPositions(), (rows) => target.setPositions(rows));
        add("normal", 3, target.getNormals(), (rows) => target.setNormals(rows));
        add("tangent", 3, target.getTangents(), (rows) => target.setTangents(rows));
        add("uv", 2, target.getUVs(), (rows) => target.setUVs(rows));
        add("uv2", 2, target.getUV2s(), (rows) => target.setUV2s(rows));
        add("color", 4, target.getColors(), (rows) => target.setColors(rows));
    }
    return all;
}
