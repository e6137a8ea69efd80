import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type {
    Affine,
    Body,
    ClothSettings,
    Kernels,
    SurfaceParticles,
    SurfaceView,
    Weld,
    LazyModule,
    OutOfMemoryError,
    StepObserver,
    InterpolatedParticles,
} from "../../engine/index";
import type { Edit } from "../mesh/userEdits";
import type { CloneListener } from "../mesh/geometryOverride";
import type { Override, PartsSource } from "../mesh/meshBinding";

/** Rest shape of what is drawn otherwise, for files. Nothing that is seen changes. */
export interface RestShape {
    /** Exporters find the rest shape until {@link end} was called as often. */
    begin(): void;
    end(): void;
    /** Calls a function in which all that reads vertices finds the rest shape. */
    read<T>(run: () => T): T;
}

/** Ties a mesh to particles, and writes those back into its vertex buffers every frame. */
export interface BodyBinding {
    readonly mesh: Mesh;
    readonly particleCount: number;
    /** Rest positions of the particles [mesh-local units], shape [particleCount, 3]. */
    readonly restPositions: Float32Array;
    /** Particle of each vertex, shape [vertexCount]. May be a view of memory that moves: not to be kept. */
    readonly particleOfVertex: Uint32Array;
    readonly vertexCount: number;
    /** Positions as posed at attach, and before skinning and morphing [mesh-local units], shape [vertexCount, 3]. */
    readonly restVertexPositions: Float32Array;
    readonly authoredPositions: Float32Array;
    /** Vertices that are joined into one particle; null: those at one place. */
    readonly weld: Weld | null;
    /** True if the user has given the mesh other vertices or triangles than it has. */
    readonly isEdited: boolean;
    /** Geometry in place of the authored one, of what writes vertices. */
    readonly override?: Override | null;
    /** Meshes that it draws, where those are several; see {@link ClothBehavior.parts}. */
    readonly parts?: PartsSource | null;
    /** Rest shape of what writes something else than vertices. */
    readonly restShape?: RestShape;
    /** Vertex colours as floats in [0, 1], shape [vertexCount, 4] as r g b a; null where the mesh has none. */
    getVertexColors(): Float32Array | null;
    /** Writes positions, normals, tangents and bounds of the mesh; once a frame. */
    write(particles: SurfaceParticles, view: SurfaceView): void;
    /**
     * Of what moves its mesh instead of the vertices: whether someone else has moved that since it was last written.
     * @param motion how, as a map of the world, out
     */
    detectNodeMove?(motion: Affine): boolean;
    /** Follows a move of the world's origin [m], x y z. Of what moves its mesh. */
    shiftOrigin?(by: readonly number[]): void;
    /** Gives the mesh its authored geometry back, or what the user has made of it. Idempotent. */
    dispose(expected?: Affine): Edit | null;
}

/** Factory of a body from a mesh: a sheet of cloth, a rope. */
export interface BodyKind<Binding extends BodyBinding = BodyBinding> {
    /** Name of the behavior's class, for errors. */
    readonly owner: string;
    /** True if it moves its node: such bodies run first in a frame, so that others find the node at its present place. */
    readonly runsFirst?: boolean;
    /** True of sheets, which buckle, and so must not begin flat to the last bit, see engine/bodies/perturbFlat.ts. */
    readonly isSheet?: boolean;
    /** @throws Error where the mesh cannot be that; RangeError without memory. The mesh is then as before. */
    bind(mesh: Mesh, kernels: Kernels, toWorld: Affine, host: Pick<BodyInstanceHost, "cloneListener" | "parts">): Binding;
    /**
     * @param pose map from mesh-local to simulation space
     * @param rest the binding's particles there [m], shape [particleCount, 3]
     * @param origin world position of simulation space's origin [m]; kept
     * @throws RangeError when there is no memory left
     */
    build(
        binding: Binding,
        kernels: Kernels,
        settings: ClothSettings,
        pose: Affine,
        rest: Float32Array,
        origin: Float64Array,
    ): Body;
}

/** The side of the behavior that its instance calls. */
export interface BodyInstanceHost extends StepObserver {
    /** Listener to copies of the mesh. */
    readonly cloneListener: CloneListener;
    /** Parts of the cloth; null: its mesh alone. */
    readonly parts: PartsSource | null;
    /** Logs a warning, each text once. */
    warn(message: string): void;
    /** Loads a module that colliders or pins need; colliders are synchronised when it is there. */
    requestModule(part: LazyModule<unknown>): void;
    /** The kernels' memory is full within a frame: the body cannot go on. */
    endOutOfMemory(error: OutOfMemoryError): void;
}

/** The user's edit of vertices and triangles of a mesh while it was cloth. */
export interface WorldEdit extends Edit {
    /** True if vertices moved in the world; false if the mesh was moved against them. */
    readonly isVertexMove: boolean;
}

/** Positions and velocities of a mesh's particles, to go on from in another attachment of it. */
export interface SavedMotion {
    /** World position of simulation space's origin [m]. */
    readonly origin: Float64Array;
    /** The world's time [s]. */
    readonly worldTime: number;
    /** Substep that the displacements belong to [s]; 0: unknown. */
    readonly substep: number;
    /** State of the adaptive substep, see Refiner. */
    readonly substepState?: readonly number[] | undefined;
    readonly particleMotion: readonly Float32Array[];
    readonly particleOfVertex: Uint32Array;
    /** Of vertices that lie between two others. */
    readonly blend?: InterpolatedParticles;
}
