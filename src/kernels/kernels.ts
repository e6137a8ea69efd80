import type { Arena } from "./arena";
import type { ParticleArrays, StickArrays, SurfaceArrays, TetherArrays, TriangleArrays } from "./layout";

/** Names of the backends. */
export type BackendName = "scalar" | "wasm";

/** What kernels take: structs, and the data of a collider. */
interface Arguments {
    ParticleArrays: ParticleArrays;
    StickArrays: StickArrays;
    TetherArrays: TetherArrays;
    TriangleArrays: TriangleArrays;
    SurfaceArrays: SurfaceArrays;
    /** Contact's slots, then the shape's. */
    ColliderData: Float32Array;
}

/** A kernel: the file of its function in scalar/ and in wasm/assembly/, and what it takes. */
interface Kernel {
    readonly file: string;
    readonly takes: readonly (keyof Arguments)[];
}

/**
 * The kernels: the one place where a new one is declared, beside its two functions. The build derives the module's exports,
 * the bindings and the scalar table from it.
 *
 * What changes per call travels in the arrays (uniforms, collider data, frame): a double passed through an interface would
 * be boxed, and nothing here may allocate. A struct is passed to WebAssembly as the address of its descriptor.
 */
export const kernelTable = {
    /** Verlet: x += clamp((x - previous + residual) keep + g dt²), previous = old x; particles of inverse mass 0 stand still. */
    integrate: { file: "integrate", takes: ["ParticleArrays"] },
    /** Box that the particles swept in this substep, over positions and previous, written to the uniforms. */
    measureBounds: { file: "integrate", takes: ["ParticleArrays"] },
    /** Largest displacement of a particle since stepStart, written to the uniforms. */
    measureMotion: { file: "integrate", takes: ["ParticleArrays"] },
    /** Projects sticks in order; see constraints/sticks.ts. */
    projectSticks: { file: "sticks", takes: ["ParticleArrays", "StickArrays"] },
    /** The same for sticks that only pull; see constraints/longLimits.ts. */
    projectLimits: { file: "sticks", takes: ["ParticleArrays", "StickArrays"] },
    /** Pulls particles back within the length of their tethers; see constraints/tethers.ts. */
    projectTethers: { file: "tethers", takes: ["ParticleArrays", "TetherArrays"] },
    /** Adds the impulse of wind on every triangle to the particles' velocities; see scalar/wind.ts. */
    applyWind: { file: "wind", takes: ["ParticleArrays", "TriangleArrays"] },
    /** Keeps particles outside a sphere or ellipsoid; see colliders/sphere.ts for the data. */
    collideSphere: { file: "sphere", takes: ["ParticleArrays", "ColliderData"] },
    /** Finds the face of a rectangle that each particle belongs to in this substep; once, before anything is pushed. */
    findSides: { file: "plane", takes: ["ParticleArrays", "ColliderData"] },
    /** Notes a plane or rectangle as the particles' support, where it is nearer than the one that they have. */
    findSupports: { file: "plane", takes: ["ParticleArrays", "ColliderData"] },
    /** Keeps particles off a plane or rectangle; see colliders/plane.ts for the data. */
    collidePlane: { file: "plane", takes: ["ParticleArrays", "ColliderData"] },
    /** Interpolated particles to mesh-local points, and their bounds into the frame. */
    transformPoints: { file: "surface", takes: ["ParticleArrays", "SurfaceArrays"] },
    /** Area-weighted unit normals of the points. */
    computeNormals: { file: "surface", takes: ["SurfaceArrays"] },
    /** Points and normals to the vertex buffers. */
    writeVertices: { file: "surface", takes: ["SurfaceArrays"] },
    /** Tangents of the vertices, orthogonal to the vertex normals. */
    writeTangents: { file: "surface", takes: ["SurfaceArrays"] },
} as const satisfies Record<string, Kernel>;

type ArgumentsOf<Takes> = { [I in keyof Takes]: Arguments[Takes[I] & keyof Arguments] };

/** The functions of {@link kernelTable}. */
export type KernelFunctions = {
    readonly [K in keyof typeof kernelTable]: (...args: ArgumentsOf<(typeof kernelTable)[K]["takes"]>) => void;
};

/**
 * The hot loops behind one interface. A backend is a set of free functions over the structs of layout.ts and the arena in
 * which those live; `scalar/` is the readable specification and the oracle of every other backend.
 */
export interface Kernels extends KernelFunctions {
    readonly name: BackendName;
    readonly arena: Arena;
}
