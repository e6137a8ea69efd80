import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { Frame } from "../../kernels/layout";
import type { ParticleArrays } from "../../kernels/layout";
import type { Kernels } from "../../kernels/kernels";
import { identity, transformPoint } from "../../solver/affine";
import type { Affine } from "../../solver/affine";
import { clusterTriangles, findClusters } from "../../solver/surface/clusters";
import type { Edit } from "./edits";
import { findFaces, simulatedTriangles } from "../../solver/surface/faces";
import { GeometryLoan } from "./geometryLoan";
import { LocalBounds } from "./localBounds";
import { fail, readFloats, readMesh } from "./readMesh";
import { findPoints, findTangents } from "../../solver/surface/points";
import { seatRiders } from "../../solver/surface/riders";
import type { Riders } from "../../solver/surface/riders";
import { Surface } from "../../solver/surface/surface";
import { weld } from "../../solver/surface/weld";

/**
 * Ties a Babylon mesh to particles: welds its vertices into particles once, and writes the particles back into its vertex
 * buffers every frame.
 *
 * While the binding lives, the mesh draws a geometry of its own with updatable buffers; its skeleton and morph targets are
 * out of effect (it starts as posed). {@link dispose} gives everything back.
 */
export class MeshBinding {
    readonly mesh: Mesh;
    readonly particleCount: number;
    /** Rest positions of the particles [mesh-local units], shape [particleCount, 3]. */
    readonly restPositions: Float32Array;
    /**
     * Particles of the simulated triangles, shape [triangleCount, 3]: every one has an area and occurs once (the back of a
     * double-sided mesh is the same cloth). (b-a)×(c-a) points along the authored normals.
     */
    readonly triangles: Uint32Array;
    readonly vertexCount: number;
    /** Particle of each vertex, shape [vertexCount]; a vertex of no triangle rides on some particle. */
    readonly particleOfVertex: Uint32Array;
    /** Authored positions [mesh-local units], shape [vertexCount, 3]; a vertex of no triangle lies at its particle. */
    readonly restVertexPositions: Float32Array;
    /** The same before skinning and morphing, whatever the pose at attach: what selectors see. */
    readonly authoredPositions: Float32Array;

    private readonly _kernels: Kernels;
    private readonly _surface: Surface;
    private readonly _bounds: LocalBounds;
    /** What lies beside the particle that carries it; null where every point lies at its particle. */
    private readonly _riders: Riders | null;
    private _loan: GeometryLoan | null = null;

    /**
     * @param toWorld map from mesh-local space to the world's axes and size: what details far below the mesh's scale depend on
     * @throws Error where the mesh cannot be a cloth; RangeError without memory. The mesh is then as before.
     */
    constructor(mesh: Mesh, kernels: Kernels, toWorld: Affine = identity()) {
        const data = readMesh(mesh);
        const faces = findFaces(data, weld(data.positions, data.indices));
        if (faces.faceCount === 0) {
            throw fail(mesh, "must have a triangle with an area", `${data.indices.length / 3} triangles without`);
        }
        const points = findPoints(data, faces);
        const places = gatherRows(data.positions, faces.vertexOfParticle);
        this.mesh = mesh;
        this.vertexCount = data.vertexCount;
        this.restVertexPositions = data.positions.slice();
        for (const v of faces.riders) {
            const p = faces.particleOfVertex[v] * 3;
            this.restVertexPositions.set(places.subarray(p, p + 3), v * 3);
        }
        this.authoredPositions = data.authoredPositions.slice();
        for (const v of faces.riders) {
            const vertex = faces.vertexOfParticle[faces.particleOfVertex[v]] * 3;
            this.authoredPositions.set(data.authoredPositions.subarray(vertex, vertex + 3), v * 3);
        }
        const triangles = simulatedTriangles(faces);
        const axes = toWorld.slice().fill(0, 12, 15);
        const sized = new Float32Array(places.length);
        for (let i = 0; i < places.length; i += 3) transformPoint(axes, places, i, sized, i);
        const clusters = findClusters(sized, triangles);
        this.particleCount = clusters?.clusterCount ?? faces.particleCount;
        this.particleOfVertex = clusters
            ? faces.particleOfVertex.map((place) => clusters.clusterOfPlace[place])
            : faces.particleOfVertex;
        this.triangles = clusters ? clusterTriangles(clusters, triangles) : triangles;
        this.restPositions = clusters ? gatherRows(places, clusters.placeOfCluster) : places;
        this._riders = clusters && seatRiders(clusters, this.triangles, points.particleOfPoint, sized);

        const surface = new Surface(kernels.arena, {
            pointCount: points.pointCount,
            surfaceTriangleCount: faces.faceCount,
            vertexCount: data.vertexCount,
            hasNormals: data.normals !== null,
            hasTangents: data.bindTangents !== null,
        });
        this._kernels = kernels;
        this._surface = surface;
        surface.particleOfPoint.set(
            clusters ? points.particleOfPoint.map((place) => clusters.clusterOfPlace[place]) : points.particleOfPoint,
        );
        surface.surfaceTriangles.set(points.surfaceTriangles);
        surface.pointOfVertex.set(points.pointOfVertex);
        surface.vertexPositions.set(this.restVertexPositions);
        if (data.normals) {
            surface.vertexNormals.set(data.normals);
        }
        if (data.bindTangents) {
            surface.vertexTangents.set(data.bindTangents);
            findTangents(data, faces, points, surface.tangentWeights, surface.tangentTriangles);
        }

        this._bounds = new LocalBounds(mesh);
        this._loan = new GeometryLoan(mesh, surface, this._bounds);
    }

    /** Vertex colours as floats in [0, 1], shape [vertexCount, 4] as r g b a; null where the mesh has none. */
    getVertexColors(): Float32Array | null {
        const geometry = this.mesh.geometry;
        return geometry && readFloats(geometry, "color", 4);
    }

    /**
     * Writes positions, normals, tangents and bounds of the mesh; once a frame. Does nothing when the mesh is disposed or was
     * given another geometry.
     * @param toLocal affine map from the particles' space to the mesh's, row vectors, shape [4, 4]
     * @param alpha 0 shows the particles at stepStart, 1 at positions
     */
    write(particles: ParticleArrays, toLocal: Float32Array, alpha: number): void {
        const loan = this._loan;
        if (!loan || !loan.isActive) {
            return;
        }
        const kernels = this._kernels;
        const surface = this._surface;
        surface.frame.set(toLocal, Frame.toLocal);
        surface.frame[Frame.alpha] = alpha;
        kernels.transformPoints(particles, surface);
        this._riders?.place(surface);
        if (surface.hasNormals || surface.hasTangents) {
            kernels.computeNormals(surface);
        }
        kernels.writeVertices(surface);
        if (surface.hasTangents) {
            kernels.writeTangents(surface);
        }
        loan.upload(surface);
        this._bounds.write(surface);
    }

    /** Whether the user has given the mesh other vertices or triangles than the cloth has. */
    get isEdited(): boolean {
        return this._loan?.isEdited(this._surface) ?? false;
    }

    /**
     * Gives the mesh its authored geometry back, or what the user has made of it. Idempotent; safe after mesh, scene or engine
     * have been disposed.
     * @param expected map of mesh-local space that leaves the mesh where it was drawn: what an edit by the mesh's matrix does
     */
    dispose(expected: Affine = identity()): Edit | null {
        const edit = this._loan?.restore(this._surface, expected) ?? null;
        this._loan = null;
        this._surface.release();
        return edit;
    }
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
