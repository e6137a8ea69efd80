import type { Kernels } from "../../kernels/kernelTable";
import { Frame, SurfaceLayout } from "../../kernels/layout";
import type { ParticleArrays, SurfaceArrays } from "../../kernels/layout";
import type { BlockLayout } from "../../kernels/arena";
import { ArenaStruct } from "../memory/arenaArrays";
import { areEqual } from "../math/vector";
import { SharedTriangles } from "../memory/sharedTriangles";
import { findTangents } from "./shadingPoints";
import type { EmbeddedPoints } from "./embeddedPoints";
import { mapVertices } from "./meshMap";
import type { MeshMap } from "./meshMap";

/** Drawn surface of particles: vertex buffers as Babylon uploads them. */
export interface RenderSurface {
    readonly vertexCount: number;
    readonly hasNormals: boolean;
    readonly hasTangents: boolean;
    /** Shapes [vertexCount, 3], [vertexCount, 3] or empty, [vertexCount, 4] or empty. */
    readonly vertexPositions: Float32Array;
    readonly vertexNormals: Float32Array;
    readonly vertexTangents: Float32Array;
    /** Box of the positions, smallest x y z 0, largest x y z 0. */
    readonly bounds: Float32Array;
}

/** Particles as a surface reads them: those of a body, or its drawn state. */
export type SurfaceParticles = ParticleArrays;

/** Drawn surface of one sheet: vertex positions, normals and tangents in mesh-local space, written from its particles. */
export class Surface extends ArenaStruct implements SurfaceArrays, RenderSurface {
    readonly pointCount: number;
    readonly surfaceTriangleCount: number;
    readonly vertexCount: number;
    readonly hasNormals: boolean;
    readonly hasTangents: boolean;
    readonly isMirrored: boolean;
    particleOfPoint!: Uint32Array;
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
    private readonly _embeddedPoints: EmbeddedPoints | null;
    private readonly _sharedArrays: SharedArrays;
    private readonly _triangles: SharedTriangles;

    /**
     * Begins with the mesh as it was read.
     * @param simulated the sheet's triangles: those that are drawn, on most meshes
     * @throws RangeError when there is no memory left
     */
    constructor(
        private readonly _kernels: Kernels,
        sheet: MeshMap,
        simulated: SharedTriangles,
    ) {
        const sharing = sharedArraysOf(sheet);
        super(
            SurfaceLayout,
            Object.keys(SurfaceLayout).filter((name) => !sharing.has(name)),
        );
        this._sharedArrays = sharing;
        const { data, faces, points } = sheet;
        this.pointCount = points.pointCount;
        this.surfaceTriangleCount = faces.faceCount;
        this.vertexCount = data.vertexCount;
        this.hasNormals = data.normals !== null;
        this.hasTangents = data.bindTangents !== null;
        this.isMirrored = sheet.isMirrored;
        this._embeddedPoints = sheet.embeddedPoints;
        const isSimulated = areEqual(points.surfaceTriangles, sheet.triangles);
        this._triangles = (isSimulated ? simulated : new SharedTriangles(_kernels.arena, points.surfaceTriangles)).retain(this);
        try {
            this._allocate(_kernels.arena);
        } catch (error) {
            this._triangles.releaseFrom(this);
            throw error;
        }
        this.particleOfPoint.set(sheet.particleOfPoint);
        this.pointOfVertex.set(points.pointOfVertex);
        this.vertexPositions.set(mapVertices(data.positions, faces));
        if (data.normals) this.vertexNormals.set(data.normals);
        if (data.bindTangents) {
            this.vertexTangents.set(data.bindTangents);
            findTangents(data, faces, points, this.tangentWeights, this.tangentTriangles);
        }
    }

    get surfaceTriangles(): Uint32Array {
        return this._triangles.triangles;
    }

    protected override _cut(layout: BlockLayout): void {
        super._cut(layout);
        const { _sharedArrays: sharing, vertexCount } = this;
        if (sharing.has("particleOfPoint")) this.particleOfPoint = this.pointOfVertex;
        if (sharing.has("vertexPositions")) this.vertexPositions = this.points.subarray(0, 3 * vertexCount);
        if (sharing.has("vertexNormals")) this.vertexNormals = this.pointNormals.subarray(0, this.hasNormals ? 3 * vertexCount : 0);
    }

    override release(): void {
        super.release();
        this._triangles.releaseFrom(this);
    }

    /**
     * Writes the vertices' positions, normals and tangents, and the bounds.
     */
    write(particles: SurfaceParticles, { toLocal, alpha }: SurfaceView): void {
        const { _kernels: kernels, frame, bounds } = this;
        for (let i = 0; i < 16; i++) frame[Frame.toLocal + i] = toLocal[i];
        frame[Frame.alpha] = alpha;
        kernels.transformPoints(particles, this);
        this._embeddedPoints?.update(this);
        if (this.hasNormals || this.hasTangents) kernels.computeNormals(this);
        kernels.writeVertices(this);
        if (this.hasTangents) kernels.writeTangents(this);
        for (let i = 0; i < 8; i++) bounds[i] = frame[Frame.minimum + i];
    }
}

/** Arguments of the draw. */
export interface SurfaceView {
    /** Affine map from the particles' space to the mesh's, row vectors, shape [4, 4]. */
    readonly toLocal: ArrayLike<number>;
    /** 0 shows the particles at stepStart, 1 at positions. */
    readonly alpha: number;
}

/** Names of arrays that lie in other ones' memory. */
type SharedArrays = ReadonlySet<string>;

/**
 * Arrays that a surface may share: if each vertex is the point of its number, a point is used up when its vertex is written, which lies before it; and most
 * particles have the numbers of their points.
 */
function sharedArraysOf({ data, points, particleOfPoint }: MeshMap): SharedArrays {
    const sharing = new Set(["surfaceTriangles"]);
    if (areEqual(particleOfPoint, points.pointOfVertex)) sharing.add("particleOfPoint");
    const isOneToOne = points.pointOfVertex.every((point, v) => point === v);
    // Tangents are written from the points when the vertices have been.
    if (isOneToOne && !data.bindTangents) sharing.add("vertexPositions").add("vertexNormals");
    return sharing;
}
