import { determinant } from "../math/affine";
import type { Affine } from "../math/affine";
import { mapPointCloud } from "../memory/withScratch";
import { ContentCache } from "../memory/contentCache";
import type { ContentKey } from "../memory/contentCache";
import { runAll } from "../time/slices";
import type { Slices } from "../time/slices";
import { clusterTriangles, findClusters } from "./clusters";
import { findWeldedTriangles, simulatedTriangles } from "./weldedTriangles";
import type { SurfaceTriangles } from "./weldedTriangles";
import type { MeshData } from "./meshData";
import { findShadingPoints } from "./shadingPoints";
import type { ShadingPoints } from "./shadingPoints";
import { embedPoints } from "./embeddedPoints";
import type { EmbeddedPoints } from "./embeddedPoints";
import { weld } from "./weld";

/** Particles of a mesh, and the binding of its vertices to them. */
export interface MeshMap {
    readonly data: MeshData;
    readonly particleCount: number;
    /** Rest positions of the particles [mesh-local units], shape [particleCount, 3]. */
    readonly restPositions: Float32Array;
    /**
     * Particles of the simulated triangles, shape [triangleCount, 3]: every one has an area and occurs once (the back of a
     * double-sided mesh is the same cloth). In the world (b-a)×(c-a) points along the authored normals: what is one shape there, however
     * its mesh's axes are mirrored, is one sheet to the solver.
     */
    readonly triangles: Uint32Array;
    /** True if the mesh's axes are mirrored in the world. */
    readonly isMirrored: boolean;
    /** Particle of each vertex, shape [vertexCount]; a vertex of no triangle rides on some particle. */
    readonly particleOfVertex: Uint32Array;
    readonly faces: SurfaceTriangles;
    readonly points: ShadingPoints;
    /** Particle of each point, shape [pointCount]. */
    readonly particleOfPoint: Uint32Array;
    /** Points at an offset from the particle that carries them; null if every point lies at its particle. */
    readonly embeddedPoints: EmbeddedPoints | null;
}

/** The sheets that were found last. */
const recentMaps = new ContentCache<{ readonly sheet: MeshMap | null }>();

/** The sheet of a mesh, see {@link buildMeshMap}; that of another mesh of the same numbers, where it is known. */
export function meshMapOf(data: MeshData, toWorld: Affine): MeshMap | null {
    return recentMaps.get(keyOf(data, toWorld), () => ({ sheet: buildMeshMap(data, toWorld) })).sheet;
}

/** Builds in slices what {@link meshMapOf} then finds. */
export function* meshMapSlices(data: MeshData, toWorld: Affine): Slices<MeshMap | null> {
    const sheet = yield* buildSlices(data, toWorld);
    return recentMaps.get(keyOf(data, toWorld), () => ({ sheet })).sheet;
}

function keyOf(data: MeshData, toWorld: Affine): ContentKey {
    const { positions, normals, bindPositions, bindNormals, bindTangents, indices, authoredPositions } = data;
    const places = data.weld?.placeOfVertex ?? null;
    const pose = toWorld.slice(0, 12);
    return [positions, normals, bindPositions, bindNormals, bindTangents, places, indices, authoredPositions, pose];
}

/**
 * Finds the sheet of a mesh.
 * @param toWorld map from mesh-local space to the world's axes and size: what details far below the mesh's scale depend on
 * @returns null where no triangle has an area
 */
export function buildMeshMap(data: MeshData, toWorld: Affine): MeshMap | null {
    return runAll(buildSlices(data, toWorld));
}

function* buildSlices(data: MeshData, toWorld: Affine): Slices<MeshMap | null> {
    const isMirrored = determinant(toWorld) < 0;
    const welded = data.weld ?? weld(data.positions, data.indices);
    yield;
    const faces = findWeldedTriangles(data, welded, isMirrored);
    if (faces.faceCount === 0) return null;
    yield;
    const points = findShadingPoints(data, faces);
    // Without a weld of its own, places are numbered as their vertices are.
    const isOneToOne = !data.weld && faces.particleCount === data.vertexCount;
    const places = isOneToOne ? data.positions : gatherRows(data.positions, faces.vertexOfParticle);
    const triangles = simulatedTriangles(faces);
    yield;
    const axes = toWorld.slice().fill(0, 12, 15);
    const sized = mapPointCloud(places, axes).mapped;
    const clusters = findClusters(sized, triangles);
    if (!clusters) {
        const { particleCount, particleOfVertex } = faces;
        const { particleOfPoint } = points;
        return {
            data,
            particleCount,
            restPositions: places,
            triangles,
            isMirrored,
            particleOfVertex,
            faces,
            points,
            particleOfPoint,
            embeddedPoints: null,
        };
    }
    const { clusterCount, clusterOfPlace, placeOfCluster } = clusters;
    const between = clusterTriangles(clusters, triangles);
    return {
        data,
        particleCount: clusterCount,
        restPositions: gatherRows(places, placeOfCluster),
        triangles: between,
        isMirrored,
        particleOfVertex: faces.particleOfVertex.map((place) => clusterOfPlace[place]),
        faces,
        points,
        particleOfPoint: points.particleOfPoint.map((place) => clusterOfPlace[place]),
        embeddedPoints: embedPoints(clusters, between, points.particleOfPoint, sized),
    };
}

/** A copy of positions in which a vertex of no triangle lies at the particle that it rides on. @param positions shape [vertexCount, 3] */
export function mapVertices(
    positions: Float32Array,
    { embeddedVertices: riders, particleOfVertex, vertexOfParticle }: SurfaceTriangles,
): Float32Array {
    const seated = positions.slice();
    for (const v of riders) {
        const seat = 3 * vertexOfParticle[particleOfVertex[v]];
        seated.set(positions.subarray(seat, seat + 3), 3 * v);
    }
    return seated;
}

/** The rows of `rows` (of three) that `indices` names. */
function gatherRows(rows: Float32Array, indices: Uint32Array): Float32Array {
    const gathered = new Float32Array(indices.length * 3);
    for (let i = 0; i < indices.length; i++) {
        const o = indices[i] * 3;
        gathered[3 * i] = rows[o];
        gathered[3 * i + 1] = rows[o + 1];
        gathered[3 * i + 2] = rows[o + 2];
    }
    return gathered;
}
