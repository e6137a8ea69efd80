import type { ParticleArrays, StickArrays, SurfaceArrays, TetherArrays, TriangleArrays } from "../layout";
import type { Kernels } from "../kernels";
import { wasmBase64 } from "./binary.generated";
import { WasmArena } from "./wasmArena";

/** Exports of assembly/index.ts. Addresses are byte offsets into the memory. */
interface WasmExports {
    integrate(x: number, previous: number, residuals: number, inverseMasses: number, paddedCount: number, uniforms: number): void;
    measureBounds(x: number, previous: number, particleCount: number, uniforms: number): void;
    measureMotion(x: number, stepStart: number, paddedCount: number, uniforms: number): void;
    projectSticks(x: number, records: number, start: number, end: number): void;
    projectLimits(x: number, records: number, start: number, end: number): void;
    projectTethers(x: number, particles: number, anchors: number, maxLengths: number, tetherCount: number): void;
    applyWind(
        x: number,
        previous: number,
        residuals: number,
        inverseMasses: number,
        triangles: number,
        triangleCount: number,
        uniforms: number,
    ): void;
    collideSphere(
        x: number,
        previous: number,
        residuals: number,
        inverseMasses: number,
        supports: number,
        paddedCount: number,
        collider: number,
    ): void;
    findSides(previous: number, inverseMasses: number, paddedCount: number, collider: number): void;
    findSupports(x: number, supports: number, paddedCount: number, collider: number): void;
    collidePlane(
        x: number,
        previous: number,
        residuals: number,
        inverseMasses: number,
        paddedCount: number,
        collider: number,
    ): void;
    transformPoints(x: number, stepStart: number, particleOfPoint: number, points: number, pointCount: number, frame: number): void;
    computeNormals(points: number, normals: number, pointCount: number, triangles: number, triangleCount: number): void;
    writeVertices(
        pointOfVertex: number,
        vertexCount: number,
        points: number,
        vertexPositions: number,
        normals: number,
        vertexNormals: number,
        hasNormals: number,
    ): void;
    writeTangents(
        points: number,
        normals: number,
        pointOfVertex: number,
        triangles: number,
        tangentTriangles: number,
        tangentWeights: number,
        vertexTangents: number,
        vertexCount: number,
    ): void;
}

/** Pages that the memory starts with: 1 MiB. */
const INITIAL_PAGES = 16;

/**
 * The WebAssembly SIMD backend: one module and one memory, in which the state of all its cloths lives. Call once a page.
 *
 * The arrays given to the kernels must have been cut from this backend's arena. Only their addresses cross over, as
 * integers: there is nothing to copy, and a double would be boxed.
 *
 * @throws Error with the reason when WebAssembly or its SIMD is refused (old browser, content security policy, memory)
 */
export function createWasmKernels(): Kernels {
    const { exports, arena } = instantiate();
    return {
        name: "wasm",
        arena,
        integrate({ positions, previous, residuals, inverseMasses, paddedCount, uniforms }: ParticleArrays): void {
            exports.integrate(
                positions.byteOffset,
                previous.byteOffset,
                residuals.byteOffset,
                inverseMasses.byteOffset,
                paddedCount,
                uniforms.byteOffset,
            );
        },
        measureMotion({ positions, stepStart, paddedCount, uniforms }: ParticleArrays): void {
            exports.measureMotion(positions.byteOffset, stepStart.byteOffset, paddedCount, uniforms.byteOffset);
        },
        measureBounds({ positions, previous, particleCount, uniforms }: ParticleArrays): void {
            exports.measureBounds(positions.byteOffset, previous.byteOffset, particleCount, uniforms.byteOffset);
        },
        projectSticks({ positions }: ParticleArrays, sticks: StickArrays, start: number, end: number): void {
            exports.projectSticks(positions.byteOffset, sticks.records.byteOffset, start, end);
        },
        projectLimits({ positions }: ParticleArrays, limits: StickArrays, start: number, end: number): void {
            exports.projectLimits(positions.byteOffset, limits.records.byteOffset, start, end);
        },
        projectTethers({ positions }: ParticleArrays, tethers: TetherArrays): void {
            exports.projectTethers(
                positions.byteOffset,
                tethers.particles.byteOffset,
                tethers.anchors.byteOffset,
                tethers.maxLengths.byteOffset,
                tethers.tetherCount,
            );
        },
        applyWind({ positions, previous, residuals, inverseMasses, uniforms }: ParticleArrays, triangles: TriangleArrays): void {
            exports.applyWind(
                positions.byteOffset,
                previous.byteOffset,
                residuals.byteOffset,
                inverseMasses.byteOffset,
                triangles.triangles.byteOffset,
                triangles.triangleCount,
                uniforms.byteOffset,
            );
        },
        collideSphere(particles: ParticleArrays, collider: Float32Array): void {
            exports.collideSphere(
                particles.positions.byteOffset,
                particles.previous.byteOffset,
                particles.residuals.byteOffset,
                particles.inverseMasses.byteOffset,
                particles.supports.byteOffset,
                particles.paddedCount,
                collider.byteOffset,
            );
        },
        findSides({ previous, inverseMasses, paddedCount }: ParticleArrays, collider: Float32Array): void {
            exports.findSides(previous.byteOffset, inverseMasses.byteOffset, paddedCount, collider.byteOffset);
        },
        findSupports({ positions, supports, paddedCount }: ParticleArrays, collider: Float32Array): void {
            exports.findSupports(positions.byteOffset, supports.byteOffset, paddedCount, collider.byteOffset);
        },
        collidePlane(particles: ParticleArrays, collider: Float32Array): void {
            exports.collidePlane(
                particles.positions.byteOffset,
                particles.previous.byteOffset,
                particles.residuals.byteOffset,
                particles.inverseMasses.byteOffset,
                particles.paddedCount,
                collider.byteOffset,
            );
        },
        transformPoints({ positions, stepStart }: ParticleArrays, surface: SurfaceArrays): void {
            exports.transformPoints(
                positions.byteOffset,
                stepStart.byteOffset,
                surface.particleOfPoint.byteOffset,
                surface.points.byteOffset,
                surface.pointCount,
                surface.frame.byteOffset,
            );
        },
        computeNormals(surface: SurfaceArrays): void {
            exports.computeNormals(
                surface.points.byteOffset,
                surface.pointNormals.byteOffset,
                surface.pointCount,
                surface.surfaceTriangles.byteOffset,
                surface.surfaceTriangleCount,
            );
        },
        writeVertices(surface: SurfaceArrays): void {
            exports.writeVertices(
                surface.pointOfVertex.byteOffset,
                surface.vertexCount,
                surface.points.byteOffset,
                surface.vertexPositions.byteOffset,
                surface.pointNormals.byteOffset,
                surface.vertexNormals.byteOffset,
                surface.hasNormals ? 1 : 0,
            );
        },
        writeTangents(surface: SurfaceArrays): void {
            exports.writeTangents(
                surface.points.byteOffset,
                surface.pointNormals.byteOffset,
                surface.pointOfVertex.byteOffset,
                surface.surfaceTriangles.byteOffset,
                surface.tangentTriangles.byteOffset,
                surface.tangentWeights.byteOffset,
                surface.vertexTangents.byteOffset,
                surface.vertexCount,
            );
        },
    };
}

function instantiate(): { exports: WasmExports; arena: WasmArena } {
    if (typeof WebAssembly !== "object") throw new Error("WebAssembly is not available");
    if (wasmBase64 === "") throw new Error("this build holds no WebAssembly kernels");
    const bytes = Uint8Array.from(atob(wasmBase64), (character) => character.charCodeAt(0));
    if (!WebAssembly.validate(bytes)) throw new Error("WebAssembly lacks SIMD (128-bit) instructions");
    try {
        // Synchronous, so that a cloth runs as soon as it is attached; a module this small compiles in a millisecond.
        const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES });
        const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
        return { exports: instance.exports as unknown as WasmExports, arena: new WasmArena(memory) };
    } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`WebAssembly is refused (a content security policy needs 'wasm-unsafe-eval'): ${reason}`, { cause: error });
    }
}
