import type { Arena } from "./arena";
import type { ParticleArrays, StickArrays, SurfaceArrays, TetherArrays, TriangleArrays } from "./layout";

/** Names of the backends. */
export type BackendName = "scalar" | "wasm";

/**
 * The hot loops behind one interface. A backend is a set of free functions over the arrays of layout.ts and the arena in
 * which those arrays live; `scalar/` is the readable specification and the oracle of every other backend.
 *
 * Numbers that change per call travel in the arrays (uniforms, collider data, frame): a double passed through an
 * interface would be boxed, and nothing here may allocate.
 */
export interface Kernels {
    readonly name: BackendName;
    readonly arena: Arena;

    /** Verlet: x += clamp((x - previous + residual) keep + g dt²), previous = old x; particles of inverse mass 0 stand still. */
    integrate(particles: ParticleArrays): void;
    /** Projects the sticks [start, end) (multiples of four) in order; see constraints/sticks.ts. */
    projectSticks(particles: ParticleArrays, sticks: StickArrays, start: number, end: number): void;
    /** The same for sticks that only pull; see constraints/longLimits.ts. */
    projectLimits(particles: ParticleArrays, limits: StickArrays, start: number, end: number): void;
    /** Pulls particles back within the length of their tethers; see constraints/tethers.ts. */
    projectTethers(particles: ParticleArrays, tethers: TetherArrays): void;
    /** Adds the impulse of wind on every triangle to the particles' velocities; see forces/wind.ts. */
    applyWind(particles: ParticleArrays, triangles: TriangleArrays): void;
    /** Keeps particles outside a sphere or ellipsoid; see colliders/sphere.ts for the data. */
    collideSphere(particles: ParticleArrays, collider: Float32Array): void;
    /** Finds the face of a rectangle that each particle belongs to in this substep; once, before anything is pushed. */
    findSides(particles: ParticleArrays, collider: Float32Array): void;
    /** Notes a plane or rectangle as the particles' support, where it is nearer than the one that they have. */
    findSupports(particles: ParticleArrays, collider: Float32Array): void;
    /** Keeps particles off a plane or rectangle; see colliders/plane.ts for the data. */
    collidePlane(particles: ParticleArrays, collider: Float32Array): void;
    /** Box that the particles swept in this substep, over positions and previous, written to the uniforms. */
    measureBounds(particles: ParticleArrays): void;
    /** Largest way of a particle since stepStart, written to the uniforms. */
    measureMotion(particles: ParticleArrays): void;

    /** Interpolated particles to mesh-local points, and their bounds into the frame. */
    transformPoints(particles: ParticleArrays, surface: SurfaceArrays): void;
    /** Area-weighted unit normals of the points. */
    computeNormals(surface: SurfaceArrays): void;
    /** Points and normals to the vertex buffers. */
    writeVertices(surface: SurfaceArrays): void;
    /** Tangents of the vertices, orthogonal to the vertex normals. */
    writeTangents(surface: SurfaceArrays): void;
}
