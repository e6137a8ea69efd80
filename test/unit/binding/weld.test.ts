import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Scene } from "@babylonjs/core/scene";
import fc from "fast-check";
import { weld, getKernels } from "../../../src/engine/index";
import { MeshBinding } from "../../../src/babylon/mesh/meshBinding";
import { expectHolds } from "../../property";
import { applyData } from "./builders";
import { difference, expectIs, floatsOf, makeScene, validateBinding, writeShape } from "./harness";
import { seededRandom } from "../../random";

describe("weld", () => {
    test("joins vertices across the borders of its cells", () => {
        const random = seededRandom(1);
        // Pairs two thirds of a tolerance apart, in all directions, all over a box of diagonal √3.
        const positions: number[] = [0, 0, 0, 1, 1, 1];
        for (let i = 0; i < 3000; i++) {
            const p = [random(), random(), random()];
            const d = [random() - 0.5, random() - 0.5, random() - 0.5];
            const length = Math.hypot(...d);
            positions.push(...p, ...p.map((c, k) => c + (d[k] / length) * 1.1e-5));
        }
        const { placeCount, placeOfVertex } = weld(Float32Array.from(positions));
        expect(placeCount).toBe(3002);
        for (let v = 2; v < placeOfVertex.length; v += 2) expect(placeOfVertex[v]).toBe(placeOfVertex[v + 1]);
    });

    test.each([0, 1, 2])("joins what is just within the tolerance along axis %d, and nothing just beyond it", (axis) => {
        // The box is the unit cube: its diagonal is √3.
        const tolerance = Math.sqrt(3) * 1e-5;
        const random = seededRandom(7 + axis);
        for (const [share, isJoined] of [
            [0.97, true],
            [1.03, false],
        ] as const) {
            const positions: number[] = [0, 0, 0, 1, 1, 1];
            for (let i = 0; i < 3000; i++) {
                const p = [random(), random(), random()];
                positions.push(...p, ...p.map((c, k) => (k === axis ? c + (c < 0.5 ? share : -share) * tolerance : c)));
            }
            const { placeOfVertex } = weld(Float64Array.from(positions) as unknown as Float32Array);
            const joined = placeOfVertex.filter((place, v) => v > 1 && v % 2 === 0 && place === placeOfVertex[v + 1]);
            expect(joined.length).toBe(isJoined ? 3000 : 0);
        }
    });

    test("keeps vertices apart that are further than a few tolerances", () => {
        const positions: number[] = [];
        for (let i = 0; i <= 2000; i++) positions.push(i / 2000, 0, 0, i / 2000, 5e-5, 0);
        expect(weld(Float32Array.from(positions)).placeCount).toBe(4002);
    });

    test("numbers places by their first vertex and takes the nearest one", () => {
        const { placeOfVertex, vertexOfPlace } = weld(new Float32Array([0, 0, 0, 1, 0, 0, 0, 0, 0, 2, 0, 0, 1, 0, 0]));
        expect([...placeOfVertex]).toEqual([0, 1, 0, 2, 1]);
        expect([...vertexOfPlace]).toEqual([0, 1, 3]);
    });

    test("allows for the rounding of coordinates far from the local origin", () => {
        const far = 1e6;
        const step = 2 ** -4; // of 32-bit floats near a million
        const { placeCount } = weld(new Float32Array([far, 0, 0, far + step, 0, 0, far + 1, 0, 0, far + 1, 1, 0]));
        expect(placeCount).toBe(3);
    });

    test.each([1e4, 1e38])("is not widened by a vertex of no triangle %p m away", (far) => {
        const positions = new Float32Array([0, 0, 0, 1e-3, 0, 0, 0, 1e-3, 0, far, 0, -far, 1e-3, 0, 0]);
        const { placeCount, placeOfVertex } = weld(positions, Uint32Array.of(0, 1, 2));
        expect(placeCount).toBe(4);
        expect([...placeOfVertex]).toEqual([0, 1, 2, 3, 1]);
    });

    test("counts every triangle's vertices, also where they are more than the vertices", () => {
        const positions = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 50, 0, 0, 50, 1, 0, 50, 0, 0]);
        const { placeOfVertex } = weld(positions, Uint32Array.of(0, 1, 2, 2, 1, 0, 3, 4, 5));
        expect([...placeOfVertex]).toEqual([0, 1, 2, 3, 4, 3]);
    });

    test("is one place where all lie at the origin", () => {
        expect(weld(new Float32Array(12)).placeCount).toBe(1);
    });

    test("counts all vertices where there are no triangles", () => {
        const row = Array.from({ length: 9 }, (_, i) => [i / 9, 0, 0]).flat();
        const { placeOfVertex } = weld(Float32Array.of(...row, 50, 0, 0, 50, 1, 0, 50, 0, 0));
        expect([...placeOfVertex.subarray(9)]).toEqual([9, 10, 9]);
    });

    test.each([1e-30, 1e-3, 1e30])("works at the scale of %p", (scale) => {
        const { placeCount } = weld(Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0], (c) => c * scale));
        expect(placeCount).toBe(3);
    });
});

describe("any triangle soup", () => {
    let scene: Scene;
    beforeAll(() => {
        scene = makeScene();
    });
    afterAll(() => {
        scene.getEngine().dispose();
    });

    /** Vertices on a coarse lattice, so that many coincide, with arbitrary triangles and normals. */
    const soup = fc.record({
        lattice: fc.array(
            fc.tuple(fc.integer({ min: -2, max: 2 }), fc.integer({ min: -2, max: 2 }), fc.integer({ min: -2, max: 2 })),
            { minLength: 3, maxLength: 24 },
        ),
        picks: fc.array(fc.nat(1000), { minLength: 3, maxLength: 120 }),
        normals: fc.option(
            fc.array(fc.constantFrom([0, 1, 0], [0, -1, 0], [1, 0, 0], [0, 0, 0], [NaN, 0, 0], [0.1, 1, 0]), {
                minLength: 24,
                maxLength: 24,
            }),
        ),
        size: fc.constantFrom(1e-4, 1, 1e4),
        isIndexed: fc.boolean(),
    });

    test("is refused with a clear error, or becomes a valid cloth that writes itself back and goes without trace", () => {
        expectHolds(
            fc.property(soup, ({ lattice, picks, normals, size, isIndexed }) => {
                const positions = lattice.flatMap((p) => p.map((c) => c * size));
                const indices = isIndexed ? picks.slice(0, picks.length - (picks.length % 3)).map((i) => i % lattice.length) : null;
                const mesh = applyData(new Mesh("soup", scene), positions, indices, normals?.slice(0, lattice.length).flat());
                mesh.isUnIndexed = !isIndexed;
                const { geometry } = mesh;
                let binding: MeshBinding | null = null;
                try {
                    binding = new MeshBinding(mesh, getKernels());
                } catch (error) {
                    expect((error as Error).message).toMatch(/^ClothBehavior: mesh "soup" must have .*, got /);
                }
                if (binding) {
                    validateBinding(binding);
                    writeShape(binding);
                    expect(difference(floatsOf(mesh, "position"), binding.restVertexPositions)).toBeLessThan(1e-6 * size);
                    if (normals) {
                        const written = floatsOf(mesh, "normal");
                        expect(written.every(Number.isFinite)).toBe(true);
                    }
                    writeShape(binding, (x, y, z) => [x + y * z, y - x, z + x * x]);
                    expect(floatsOf(mesh, "position").every(Number.isFinite)).toBe(true);
                    binding.dispose();
                }
                expectIs(mesh.geometry, geometry);
                expect(Array.from(floatsOf(mesh, "position"))).toEqual(positions.map(Math.fround));
                mesh.dispose();
                expect(scene.geometries.length).toBe(0);
            }),
            { numRuns: 400 },
        );
    });
});
