import type { Kernels } from "../../kernels/kernels";
import { Frame, SurfaceLayout } from "../../kernels/layout";
import type { ParticleArrays, SurfaceArrays } from "../../kernels/layout";
import { ArenaStruct } from "../arenaArrays";
import { findTangents } from "./points";
import type { Riders } from "./riders";
import { seatVertices } from "./meshSheet";
import type { MeshSheet } from "./meshSheet";

/** Particles as a surface reads them: those of a body, or of its picture. */
export type Particles = ParticleArrays;

/** What is drawn of one sheet: vertex positions, normals and tangents in mesh-local space, written from its particles. */
export class Surface extends ArenaStruct implements SurfaceArrays {
    readonly pointCount: number;
    readonly surfaceTriangleCount: number;
    readonly vertexCount: number;
    readonly hasNormals: boolean;
    readonly hasTangents: boolean;
    particleOfPoint!: Uint32Array;
    surfaceTriangles!: Uint32Array;
    pointOfVertex!: Uint32Array;
    points!: Float32Array;
    pointNormals!: Float32Array;
    tangentWeights!: Float32Array;
    tangentTriangles!: Uint32Array;
    vertexPositions!: Float32Array;
    vertexNormals!: Float32Array;
    vertexTangents!: Float32Array;
    frame!: Float32Array;
    /** Smallest x y z 0, then largest x y z 0 of what was written last [mesh-local units]. */
    readonly bounds = new Float32Array(8);
    private readonly _riders: Riders | null;

    /** Begins with the mesh as it was read. @throws RangeError when there is no memory left */
    constructor(
        private readonly _kernels: Kernels,
        sheet: MeshSheet,
    ) {
        super(SurfaceLayout);
        const { data, faces, points } = sheet;
        this.pointCount = points.pointCount;
        this.surfaceTriangleCount = faces.faceCount;
        this.vertexCount = data.vertexCount;
        this.hasNormals = data.normals !== null;
        this.hasTangents = data.bindTangents !== null;
        this._riders = sheet.riders;
        this._allocate(_kernels.arena);
        this.particleOfPoint.set(sheet.particleOfPoint);
        this.surfaceTriangles.set(points.surfaceTriangles);
        this.pointOfVertex.set(points.pointOfVertex);
        this.vertexPositions.set(seatVertices(data.positions, faces));
        if (data.normals) this.vertexNormals.set(data.normals);
        if (data.bindTangents) {
            this.vertexTangents.set(data.bindTangents);
            findTangents(data, faces, points, this.tangentWeights, this.tangentTriangles);
        }
    }

    /**
     * Writes the vertices' positions, normals and tangents, and the bounds.
     * @param toLocal affine map from the particles' space to the mesh's, row vectors, shape [4, 4]
     * @param alpha 0 shows the particles at stepStart, 1 at positions
     */
    write(particles: Particles, toLocal: Float32Array, alpha: number): void {
        const { _kernels: kernels } = this;
        this.frame.set(toLocal, Frame.toLocal);
        this.frame[Frame.alpha] = alpha;
        kernels.transformPoints(particles, this);
        this._riders?.place(this);
        if (this.hasNormals || this.hasTangents) kernels.computeNormals(this);
        kernels.writeVertices(this);
        if (this.hasTangents) kernels.writeTangents(this);
        for (let i = 0; i < 8; i++) this.bounds[i] = this.frame[Frame.minimum + i];
    }
}
