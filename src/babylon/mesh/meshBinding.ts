import {
    SharedTriangles,
    Surface,
    areEqual,
    identity,
    mapVertices,
    meshMapOf,
    findWarpWeft,
    isIsotropic,
} from "../../engine/index";
import type {
    Affine,
    Kernels,
    MeshData,
    RenderSurface,
    SurfaceParticles,
    SurfaceView,
    Weld,
    Fabric,
    WarpWeft,
    WarpWeftFinder,
} from "../../engine/index";
import type { CopiedHierarchy } from "./copiedHierarchy";
import type { Edit } from "./userEdits";
import { GeometryOverride, IGNORE_CLONES } from "./geometryOverride";
import type { CloneListener } from "./geometryOverride";
import { LocalBounds } from "./localBounds";
import { fail, readFloats, readMesh } from "./readMesh";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";

/** Geometries that a cloth writes in place of the authored ones: of a mesh, and of each of its parts. */
export type Override = Pick<GeometryOverride, "isActive" | "isEdited" | "upload" | "restore" | "all">;

/** Tools by which parts are read and drawn. */
export const meshTools = { readMesh, readFloats, fail, GeometryOverride, LocalBounds };
export type MeshTools = typeof meshTools;

/** Several meshes that are one cloth, the first being that of the behavior: see {@link ClothBehavior.parts}. */
export interface PartsSource {
    readonly meshes: readonly Mesh[];
    /** All vertices and triangles. @throws Error where one cannot be cloth, or they do not fit together */
    read(owner: string): MeshData;
    readVertices(kind: string, componentCount: number): Float32Array | null;
    /** Corners of all triangles. */
    getIndices(): ArrayLike<number>;
    /** The copies of the parts in a copied hierarchy. @throws Error where one was not copied */
    copiesIn(hierarchy: CopiedHierarchy): Mesh[];
    /** Has all of them draw their vertices of a surface. */
    override(surface: RenderSurface, clones: CloneListener): Override;
}

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
     * double-sided mesh is the same cloth). In the world (b-a)×(c-a) points along the authored normals. Empty once {@link releaseTriangles}.
     */
    triangles: Uint32Array;
    /** Triangles in the arena, shared with the body. */
    readonly sharedTriangles: SharedTriangles;
    readonly vertexCount: number;
    /** Positions as posed at attach [mesh-local units], shape [vertexCount, 3]; a vertex of no triangle lies at its particle. */
    readonly restVertexPositions: Float32Array;
    /** Positions before skinning and morphing, whatever the pose at attach: selectors see these. */
    readonly authoredPositions: Float32Array;

    /** Vertices that are joined into one particle; null: those at one place. */
    readonly weld: Weld | null;

    /** Null where every vertex has the number of its point. */
    private readonly _particleOfVertex: Uint32Array | null;
    private readonly _surface: Surface;
    override: Override | null = null;
    /** Null: the mesh alone. */
    readonly parts: PartsSource | null;

    /**
     * @param toWorld map from mesh-local space to the world's axes and size: what details far below the mesh's scale depend on
     * @param parts meshes that are cloth with it; null: it alone
     * @param owner names the behavior's class in errors
     * @throws Error where the mesh cannot be a cloth; RangeError without memory. The mesh is then as before.
     */
    constructor(
        mesh: Mesh,
        kernels: Kernels,
        toWorld: Affine = identity(),
        clones: CloneListener = IGNORE_CLONES,
        parts: PartsSource | null = null,
        owner = "ClothBehavior",
    ) {
        const data = parts ? parts.read(owner) : readMesh(mesh, owner);
        const sheet = meshMapOf(data, toWorld);
        if (!sheet) throw fail(mesh, "must have a triangle with an area", `${data.indices.length / 3} triangles without`, owner);
        this.mesh = mesh;
        this.parts = parts;
        this.vertexCount = data.vertexCount;
        this.weld = data.weld;
        this.particleCount = sheet.particleCount;
        this.restPositions = sheet.restPositions;
        this.triangles = sheet.triangles;
        const { restPositions } = sheet;
        const seated = mapVertices(data.positions, sheet.faces);
        // Most meshes are in no pose, and of many each vertex is a particle: one array is enough then.
        this.restVertexPositions = areEqual(seated, restPositions) ? restPositions : seated;
        const isPosed = data.authoredPositions !== data.positions;
        this.authoredPositions = isPosed ? mapVertices(data.authoredPositions, sheet.faces) : this.restVertexPositions;
        this.sharedTriangles = new SharedTriangles(kernels.arena, sheet.triangles).retain(this);
        try {
            this._surface = new Surface(kernels, sheet, this.sharedTriangles);
        } catch (error) {
            this.sharedTriangles.releaseFrom(this);
            throw error;
        }
        this._particleOfVertex = areEqual(sheet.particleOfVertex, sheet.points.pointOfVertex) ? null : sheet.particleOfVertex;
        this.override = parts
            ? parts.override(this._surface, clones)
            : new GeometryOverride(mesh, this._surface, new LocalBounds(mesh), clones);
    }

    /**
     * Particle of each vertex, shape [vertexCount]; a vertex of no triangle rides on some particle. May be a view of memory
     * that moves: not to be kept.
     */
    get particleOfVertex(): Uint32Array {
        return this._particleOfVertex ?? this._surface.pointOfVertex;
    }

    /** Vertex colours as floats in [0, 1], shape [vertexCount, 4] as r g b a; null where the mesh has none. */
    getVertexColors(): Float32Array | null {
        return this.readVertices("color", 4);
    }

    /** Vertex data, of all parts; null where there is none of the kind. */
    readVertices(kind: string, componentCount: number): Float32Array | null {
        const { mesh, parts } = this;
        return parts ? parts.readVertices(kind, componentCount) : mesh.geometry && readFloats(mesh.geometry, kind, componentCount);
    }

    /**
     * Writes positions, normals, tangents and bounds of the mesh; once a frame. Does nothing when the mesh is disposed or was
     * given another geometry.
     */
    write(particles: SurfaceParticles, view: SurfaceView): void {
        const { override, _surface: surface } = this;
        if (!override?.isActive) return;
        surface.write(particles, view);
        override.upload(surface);
    }

    /** Lets go of the triangles, for a cloth that holds them. */
    releaseTriangles(): void {
        this.triangles = new Uint32Array(0);
    }

    /** True if the user has given the mesh other vertices or triangles than the cloth has. */
    get isEdited(): boolean {
        return this.override?.isEdited(this._surface) ?? false;
    }

    /**
     * Gives the mesh its authored geometry back, or what the user has made of it. Idempotent; safe after mesh, scene or engine
     * have been disposed.
     * @param expected map of mesh-local space that leaves the mesh where it was drawn: what an edit by the mesh's matrix does
     */
    dispose(expected: Affine = identity()): Edit | null {
        const edit = this.override?.restore(this._surface, expected) ?? null;
        this.override = null;
        this._surface.release();
        this.sharedTriangles.releaseFrom(this);
        return edit;
    }
}

/**
 * Checks that a fabric has threads on a mesh, if its stiffness differs along warp and weft.
 * @throws RangeError where the mesh has no texture coordinates
 */
export function checkWarpWeft(binding: MeshBinding, fabric: Fabric): void {
    for (const name of ["stretchStiffness", "bendStiffness"] as const) {
        if (isIsotropic(fabric[name]) || readUvs(binding)) continue;
        const rule = `must be one number on a mesh without texture coordinates ("${binding.mesh.name}")`;
        throw new RangeError(`ClothBehavior: fabric.${name} ${rule}, got { warp, weft }`);
    }
}

/**
 * Finds the threads of a mesh that is cloth when they are asked for, and then keeps them.
 * @param binding whose particles are drawn at the mesh's vertices
 * @param recallPositions gives the particles' rest positions [m]
 */
export function warpWeftOf(binding: MeshBinding, recallPositions: () => Float32Array): WarpWeftFinder {
    let threads: WarpWeft | null = null;
    return () => {
        if (threads) return threads;
        const { mesh, parts, vertexCount } = binding;
        const indices = (parts ?? mesh).getIndices() ?? Array.from({ length: vertexCount }, (_, v) => v);
        return (threads = findWarpWeft(recallPositions(), indices, binding.particleOfVertex, readUvs(binding)!));
    };
}

function readUvs(binding: MeshBinding): Float32Array | null {
    return binding.readVertices("uv", 2);
}
