import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { Logger } from "@babylonjs/core/Misc/logger";
import { Scene } from "@babylonjs/core/scene";
import { expect, jest } from "@jest/globals";
import type { MeshBinding } from "../../../src/babylon/mesh/meshBinding";
import type { BlockOwner } from "../../../src/kernels/arena";
import { WasmArena } from "../../../src/kernels/wasmArena";
import { BodyState } from "../../../src/engine/state/state";
import { getKernels } from "../../../src/engine/index";

Logger.LogLevels = Logger.ErrorLogLevel;

export const IDENTITY = new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);

/** A scene without a screen. */
export function makeScene(): Scene {
    return new Scene(new NullEngine());
}

/** Particles at `positions`, shape [particleCount, 3], at rest. */
export function particlesAt(rest: Float32Array): BodyState {
    const particleCount = rest.length / 3;
    const state = new BodyState(getKernels().arena, particleCount);
    state.resetTo(rest);
    return state;
}

/** Writes the rest shape, each particle displaced by `move`. */
export function writeShape(binding: MeshBinding, move?: (x: number, y: number, z: number) => [number, number, number]): void {
    const rest = binding.restPositions.slice();
    for (let o = 0; move && o < rest.length; o += 3) {
        rest.set(move(rest[o], rest[o + 1], rest[o + 2]), o);
    }
    const particles = particlesAt(rest);
    binding.write(particles, { toLocal: IDENTITY, alpha: 1 });
    particles.release();
}

/** A kind of the mesh's vertex data, copied. */
export function floatsOf(mesh: Mesh, kind: string): Float32Array {
    return new Float32Array(mesh.getVerticesData(kind)!);
}

/** Largest difference between two arrays of one length. */
export function difference(a: ArrayLike<number>, b: ArrayLike<number>): number {
    let largest = a.length === b.length ? 0 : Infinity;
    for (let i = 0; i < a.length; i++) {
        const d = Math.abs(a[i] - b[i]);
        largest = d <= largest ? largest : d;
    }
    return largest;
}

/** Smallest cosine between the rows of two arrays of vectors; rows without length are skipped. */
export function smallestCosine(a: Float32Array, b: Float32Array, size: number): number {
    let smallest = 1;
    for (let o = 0; o < a.length; o += size) {
        const lengths = Math.hypot(a[o], a[o + 1], a[o + 2]) * Math.hypot(b[o], b[o + 1], b[o + 2]);
        const cosine = (a[o] * b[o] + a[o + 1] * b[o + 1] + a[o + 2] * b[o + 2]) / lengths;
        smallest = Math.min(smallest, lengths > 0 ? cosine : 1);
    }
    return smallest;
}

/** toBe for Babylon's objects, which are too entangled for a test runner to print. */
export function expectIs(actual: unknown, expected: unknown): void {
    if (actual !== expected) throw new Error(`another object than expected: ${nameOf(actual)} instead of ${nameOf(expected)}`);
    expect(actual === expected).toBe(true);
}

function nameOf(object: unknown): string {
    const { constructor, name, id } = (object ?? {}) as { constructor: { name: string }; name?: string; id?: string };
    return object ? `${constructor.name} ${name ?? id ?? ""}` : String(object);
}

/** Number of places among the rows of `positions`, by comparing all pairs. */
export function countPlaces(positions: Float32Array, tolerance: number): number {
    const places: number[] = [];
    for (let o = 0; o < positions.length; o += 3) {
        const isNew = places.every(
            (q) =>
                Math.hypot(positions[o] - positions[q], positions[o + 1] - positions[q + 1], positions[o + 2] - positions[q + 2]) >
                tolerance,
        );
        if (isNew) places.push(o);
    }
    return places.length;
}

/** Has the kernels' memory grow by a page, so that its buffer is another one and all views are cut afresh. */
export function moveMemory(): void {
    const arena = getKernels().arena as WasmArena;
    arena.memory.grow(1);
    const { _blocks: blocks } = arena as unknown as { _blocks: Set<{ owner: BlockOwner; byteOffset: number }> };
    for (const { owner, byteOffset } of blocks) owner.relocate(arena.memory.buffer, byteOffset);
}

/** Has the kernels' memory move at each allocation until mocks are restored. */
export function moveMemoryAlways(): void {
    const { allocate } = WasmArena.prototype;
    jest.spyOn(WasmArena.prototype, "allocate").mockImplementation(function (this: WasmArena, byteLength, owner) {
        const block = allocate.call(this, byteLength, owner);
        if (this === getKernels().arena) moveMemory();
        return block;
    });
}

/** Throws where the binding's promises about particles and triangles do not hold. */
export function validateBinding(binding: MeshBinding): void {
    const { particleCount, restPositions: x, triangles, particleOfVertex, vertexCount, restVertexPositions } = binding;
    const check = (holds: boolean, rule: string) => {
        if (!holds) throw new Error(rule);
    };
    check(x.length === particleCount * 3, "restPositions has a row for each particle");
    check(x.every(Number.isFinite), "restPositions are finite");
    check(particleOfVertex.length === vertexCount, "particleOfVertex has a row for each vertex");
    check(
        particleOfVertex.every((p) => p < particleCount),
        "particleOfVertex is in range",
    );
    const diagonal = diagonalOf(restVertexPositions);
    for (let v = 0; v < vertexCount; v++) {
        const o = particleOfVertex[v] * 3;
        const distance = Math.hypot(
            x[o] - restVertexPositions[3 * v],
            x[o + 1] - restVertexPositions[3 * v + 1],
            x[o + 2] - restVertexPositions[3 * v + 2],
        );
        check(distance <= 1e-5 * diagonal, `vertex ${v} lies at its particle`);
    }
    const sets = new Set<string>();
    const isUsed = new Uint8Array(particleCount);
    for (let t = 0; t < triangles.length; t += 3) {
        const corners = [...triangles.subarray(t, t + 3)];
        check(
            corners.every((p) => p < particleCount),
            "triangles are in range",
        );
        check(new Set(corners).size === 3, "a triangle has three particles");
        const key = corners
            .slice()
            .sort((a, b) => a - b)
            .join();
        check(!sets.has(key), `triangle ${key} occurs once`);
        sets.add(key);
        const [a, b, c] = corners.map((p) => [x[3 * p], x[3 * p + 1], x[3 * p + 2]]);
        const u = b.map((value, k) => value - a[k]),
            v = c.map((value, k) => value - a[k]);
        check(
            Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) > 0,
            "a triangle has an area",
        );
        for (const p of corners) isUsed[p] = 1;
    }
    check(
        isUsed.every((used) => used === 1),
        "every particle has a triangle",
    );
}

function diagonalOf(positions: Float32Array): number {
    const low = [Infinity, Infinity, Infinity],
        high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < positions.length; i++) {
        low[i % 3] = Math.min(low[i % 3], positions[i]);
        high[i % 3] = Math.max(high[i % 3], positions[i]);
    }
    return Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
}

/** A shape for {@link writeShape} that is no motion. */
export const lift = (x: number, y: number, z: number): [number, number, number] => [x, y + 5 + x, z];
