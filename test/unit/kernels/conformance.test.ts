/**
 * The hot kernels against their references (test/reference), on the same seeded random data.
 *
 * Tolerance: the references compute in doubles and round once a store, the WASM kernels in floats throughout. One
 * call of a kernel on numbers of size 1 may differ by a few units in the last place of a float: 1e-6, or 1e-5 where one
 * call feeds results into each other many times (passes over sticks) or divides by small lengths (contacts, normals).
 */
import { describe, expect, test } from "@jest/globals";
import { Frame, LimitRecord, SurfaceLayout, Uniform } from "../../../src/kernels/layout";
import type { SurfaceArrays } from "../../../src/kernels/layout";
import type { Kernels } from "../../../src/engine/index";
import { writeDescriptor } from "../../../src/kernels/structSchema";
import {
    allocate,
    randomParticles,
    randomLineStencils,
    randomPlaneStencils,
    randomLimits,
    randomSticks,
    randomSurface,
    randomTethers,
    randomAir,
} from "./arrays";
import { compare, motionOf, wasmKernels } from "./agreement";

/** Counts around the widths of the SIMD loops. */
const counts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 1001];

describe("integrate", () => {
    test.each(counts)("%i particles, some pinned, some at the speed limit", (count) => {
        compare((kernels) => {
            const particles = randomParticles(kernels.arena, count, count);
            particles.uniforms.set([0.97, 0.01, -0.02, 0.005, 0.03]);
            kernels.integrate(particles);
            kernels.integrate(particles);
            return motionOf(particles);
        }, 1e-6);
    });

    test("residuals keep a weight that rounding would take away", () => {
        for (const kernels of [wasmKernels]) {
            const particles = randomParticles(kernels.arena, 8, 1);
            particles.positions.fill(1);
            particles.previous.fill(1);
            particles.residuals.fill(0);
            // A hundredth of what a float near 1 can show.
            particles.uniforms.set([1, 6e-10, -6e-10, 6e-10, 1]);
            for (let step = 0; step < 1000; step++) kernels.integrate(particles);
            const fallen = (6e-10 * 1000 * 1001) / 2;
            for (const [k, sign] of [1, -1, 1].entries()) expect((particles.positions[k] - 1) * sign).toBeCloseTo(fallen, 6);
        }
    });

    test("keeps the fourth lane zero although the slot after gravity is not", () => {
        const particles = randomParticles(wasmKernels.arena, 10, 1);
        particles.uniforms.set([1, 0, 0, 0, 5]);
        wasmKernels.integrate(particles);
        for (let o = 3; o < particles.positions.length; o += 4) expect(particles.positions[o]).toBe(0);
    });
});

describe("measureBounds", () => {
    test.each(counts)("%i particles, whatever the padding holds", (count) => {
        compare((kernels) => {
            const particles = randomParticles(kernels.arena, count, count + 50);
            particles.positions.fill(100, count * 4);
            particles.previous.fill(-100, count * 4);
            kernels.measureBounds(particles);
            return { uniforms: particles.uniforms };
        }, 0);
    });
});

describe("measureMotion", () => {
    test.each(counts)("%i particles, the padding at rest", (count) => {
        compare((kernels) => {
            const particles = randomParticles(kernels.arena, count, count + 80);
            kernels.measureMotion(particles);
            return { uniforms: particles.uniforms };
        }, 1e-7);
    });

    test.each([0, 1, 2])("finds a single motion along axis %i in every row", (axis) => {
        for (const kernels of [wasmKernels]) {
            for (let i = 0; i < 9; i++) {
                const particles = randomParticles(kernels.arena, 9, 1);
                particles.stepStart.set(particles.positions);
                particles.stepStart[i * 4 + axis] -= 0.5;
                kernels.measureMotion(particles);
                expect(particles.uniforms[Uniform.motion]).toBeCloseTo(0.5, 6);
            }
        }
    });
});

describe.each(["projectDistances", "projectLengths", "limitStrain", "projectUnilateralLimits"] as const)("%s", (project) => {
    test.each([2, 3, 5, 8, 9, 41, 300])("%i particles: pinned, coincident, of no length, padding", (count) => {
        compare((kernels) => {
            const particles = randomParticles(kernels.arena, count, count);
            const sticks = randomSticks(kernels.arena, particles, 5, count);
            particles.uniforms[Uniform.strain] = 1;
            for (let pass = 0; pass < 3; pass++) kernels[project](particles, sticks);
            return { ...motionOf(particles), records: sticks.recordFloats, uniforms: particles.uniforms };
        }, 3e-5);
    });

    test("pinned and spare particles stay to the last bit", () => {
        const particles = randomParticles(wasmKernels.arena, 100, 3);
        const sticks = randomSticks(wasmKernels.arena, particles, 6, 3);
        const before = particles.positions.slice();
        particles.uniforms[Uniform.strain] = 1;
        wasmKernels[project](particles, sticks);
        let moved = 0;
        for (let i = 0; i < particles.paddedCount; i++) {
            const [now, then] = [particles.positions.slice(i * 4, i * 4 + 4), before.slice(i * 4, i * 4 + 4)];
            if (particles.inverseMasses[i] === 0) expect(now).toEqual(then);
            else if (now[0] !== then[0]) moved++;
            expect(now[3]).toBe(0);
        }
        expect(moved).toBeGreaterThan(20);
    });
});

test.each([2, 3, 5, 8, 9, 41, 300])(
    "projectUnsplitLimits with %i particles: pinned, coincident, of no length, padding",
    (count) => {
        compare((kernels) => {
            const particles = randomParticles(kernels.arena, count, count);
            const limits = randomLimits(kernels.arena, particles, 5, count);
            for (let pass = 0; pass < 3; pass++) kernels.projectUnsplitLimits(particles, limits);
            return { ...motionOf(particles), records: limits.recordFloats };
        }, 1e-5);
    },
);

test.each([41, 300])("projectUnsplitLimits with %i particles, many of which weigh the same; marks change no bit", (count) => {
    const marks: boolean[][] = [];
    compare((kernels) => {
        const run = (passes: number, marked?: Uint32Array) => {
            const particles = randomParticles(kernels.arena, count, count);
            const { inverseMasses: w } = particles;
            for (let i = 0; i < count; i++) if (w[i] > 0 && w[i] < 1.4) w[i] = 2 + (i % 7) * 1e-6;
            const limits = randomLimits(kernels.arena, particles, 5, count);
            if (marked) limits.records.set(marked);
            for (let pass = 0; pass < passes; pass++) kernels.projectUnsplitLimits(particles, limits);
            return { motion: motionOf(particles), records: limits.records };
        };
        const { motion, records } = run(3);
        expect(run(1, records).motion).toEqual(run(1).motion);
        marks.push(
            Array.from({ length: records.length / LimitRecord.count }, (_, r) => r * LimitRecord.count).map(
                (r) => records[r] > records[r + 1],
            ),
        );
        return motion;
    }, 1e-5);
    const [scalar, wasm] = marks;
    expect(wasm.some((isMarked, r) => isMarked && !scalar[r])).toBe(false);
    expect(new Set(wasm).size).toBe(2);
});

describe("bending stencils", () => {
    test.each([17, 40, 301])("%i particles: pinned, of three and four, with e at b, padding", (count) => {
        for (const project of ["projectLineStencils", "projectStencils", "projectCurvedStencils"] as const) {
            compare((kernels) => {
                const particles = randomParticles(kernels.arena, count, count);
                for (let pass = 0; pass < 3; pass++) {
                    if (project === "projectLineStencils")
                        kernels[project](particles, randomLineStencils(kernels.arena, particles, 48, count));
                    else kernels[project](particles, randomPlaneStencils(kernels.arena, particles, 48, count));
                }
                return motionOf(particles);
            }, 1e-5);
        }
    });

    test("curvature of no direction is left alone; pinned and spare particles stay to the last bit", () => {
        const particles = randomParticles(wasmKernels.arena, 17, 3);
        particles.positions.subarray(0, 4 * 17).fill(0.5);
        for (let i = 0; i < 17; i++) particles.positions[4 * i + 3] = 0;
        const before = particles.positions.slice();
        wasmKernels.projectCurvedStencils(particles, randomPlaneStencils(wasmKernels.arena, particles, 8, 1));
        expect(particles.positions).toEqual(before);
    });
});

describe("projectTethers", () => {
    test.each([5, 6, 7, 8, 90, 300])("%i particles", (count) => {
        compare((kernels) => {
            const particles = randomParticles(kernels.arena, count, count);
            kernels.projectTethers(particles, randomTethers(kernels.arena, particles, count));
            return motionOf(particles);
        }, 1e-6);
    });

    test("a slack particle stays to the last bit beside a taut one", () => {
        const particles = randomParticles(wasmKernels.arena, 90, 2);
        const before = particles.positions.slice();
        const tethers = randomTethers(wasmKernels.arena, particles, 2);
        tethers.maxLengths.fill(10);
        tethers.maxLengths[1] = 0.01;
        wasmKernels.projectTethers(particles, tethers);
        const moved = new Set<number>();
        particles.positions.forEach((value, o) => {
            if (value !== before[o]) moved.add(o >> 2);
        });
        expect([...moved]).toEqual([tethers.particles[1]]);
    });

    test("unlimited length, and a particle on its anchor", () => {
        compare((kernels) => {
            const particles = randomParticles(kernels.arena, 30, 6);
            const tethers = randomTethers(kernels.arena, particles, 6);
            tethers.maxLengths.fill(Infinity, 0, 8);
            tethers.maxLengths.fill(0, 8, 16);
            const [p, a] = [tethers.particles[9], tethers.anchors[9]];
            particles.positions.copyWithin(p * 4, a * 4, a * 4 + 4);
            kernels.projectTethers(particles, tethers);
            return motionOf(particles);
        }, 1e-6);
    });
});

describe("air", () => {
    function blow(kernels: Kernels, count: number, frictionRate: number, pieceCount = 1): Record<string, Float32Array> {
        const particles = randomParticles(kernels.arena, count, count);
        const air = randomAir(kernels.arena, particles, count, pieceCount);
        const { uniforms } = particles;
        uniforms.set([3, 0.5, -1, 1, 0.2, 2, 0.3, 0.1, 0.7, 0.4, 0.03, 1 / 240], Uniform.windVelocity);
        uniforms[Uniform.frictionRate] = frictionRate;
        uniforms[Uniform.substepShare] = 0.25;
        kernels.addWind(particles, air);
        const velocities = air.airMotion.slice();
        kernels.predictMidstep(particles);
        kernels.applyAir(particles, air);
        const pushes = air.airMotion.slice();
        kernels.addAirDisplacements(particles, air);
        return {
            ...motionOf(particles),
            velocities,
            pushes,
            attempts: air.predictedDisplacements,
            paths: air.airPaths,
            box: uniforms.slice(Uniform.middle),
            boxes: air.boxes,
        };
    }

    test.each([1, 2, 3, 4, 5, 6, 7, 8, 400])("on %i particles, some without a face, some pinned", (count) => {
        compare((kernels) => blow(kernels, count, 0.002), 1e-5);
    });

    test.each([2, 3, 40])("on %i pieces", (pieceCount) => {
        compare((kernels) => blow(kernels, 40, 0.002, pieceCount), 1e-5);
    });

    test.each(["addBoxWind", "addSphereWind", "addConeWind"] as const)("%s, on what the air had before", (kernel) => {
        compare((kernels) => {
            const particles = randomParticles(kernels.arena, 203, 7);
            const air = randomAir(kernels.arena, particles, 7);
            const { uniforms } = particles;
            uniforms.set([3, 0.5, -1, 1, 0.2, 2, 0.3, 0.1, 0.7, 0.4], Uniform.windVelocity);
            uniforms.set([0.4, 0.1, 0, 0, -0.1, 0.3, 0.1, 0, 0, 0.2, 0.5, 0, 0.1, -0.1, 0.05, 1, 4], Uniform.zone);
            kernels[kernel](particles, air);
            return { pushes: air.airMotion };
        }, 1e-5);
    });

    test("skin friction takes no more than all of the speed", () => {
        compare((kernels) => blow(kernels, 40, 10), 1e-5);
    });
});

describe("surface", () => {
    /** Runs all four kernels of a frame. */
    function frame(kernels: Kernels, count: number, hasNormals: boolean): Record<string, Float32Array> {
        const particles = randomParticles(kernels.arena, 70, count);
        const surface = randomSurface(kernels.arena, particles, count, count + 3, count) as SurfaceArrays & { hasNormals: boolean };
        surface.hasNormals = hasNormals;
        writeDescriptor(SurfaceLayout, surface);
        kernels.transformPoints(particles, surface);
        kernels.computeNormals(surface);
        kernels.writeVertices(surface);
        kernels.writeTangents(surface);
        const { points, pointNormals, vertexPositions, vertexNormals, vertexTangents } = surface;
        return { points, frame: surface.frame, pointNormals, vertexPositions, vertexNormals, vertexTangents };
    }

    test.each(counts)("%i points", (count) => compare((kernels) => frame(kernels, count, true), 1e-5));

    test("without normals the normals' buffer is left alone", () => {
        compare((kernels) => frame(kernels, 20, false), 1e-5);
    });

    test("nothing is written beyond the end of a vertex buffer", () => {
        const { arena } = wasmKernels;
        const particles = randomParticles(arena, 9, 1);
        for (const count of counts.slice(0, 9)) {
            const surface = randomSurface(arena, particles, 5, count, count);
            for (const name of ["vertexPositions", "vertexNormals"] as const) {
                // The buffer of the vertices with a canary right behind it, which no alignment hides.
                const canary = allocate(arena, { whole: new Float32Array(0) as Float32Array }, (target, layout) => {
                    target.whole = layout.float32(count * 3 + 4);
                });
                canary.whole.fill(42);
                surface[name] = canary.whole.subarray(0, count * 3);
                writeDescriptor(SurfaceLayout, surface);
                wasmKernels.writeVertices(surface);
                expect(Array.from(canary.whole.slice(count * 3))).toEqual([42, 42, 42, 42]);
                expect(Array.from(canary.whole.slice(0, count * 3))).not.toContain(42);
            }
        }
    });

    test("vertices may be written over the points that they have the numbers of", () => {
        for (const kernels of [wasmKernels]) {
            for (const count of counts) {
                const surface = randomSurface(kernels.arena, randomParticles(kernels.arena, 70, count), count, count, count);
                surface.pointOfVertex.forEach((_, v) => (surface.pointOfVertex[v] = v));
                surface.points.forEach((_, i) => (surface.points[i] = surface.pointNormals[i] = i));
                kernels.writeVertices(surface);
                const apart = [surface.vertexPositions.slice(), surface.vertexNormals.slice()];
                surface.vertexPositions = surface.points.subarray(0, 3 * count);
                surface.vertexNormals = surface.pointNormals.subarray(0, 3 * count);
                writeDescriptor(SurfaceLayout, surface);
                kernels.writeVertices(surface);
                expect([surface.vertexPositions.slice(), surface.vertexNormals.slice()]).toEqual(apart);
            }
        }
    });

    test("alpha 0 and 1 give the start and the end of the step", () => {
        for (const alpha of [0, 1]) {
            compare((kernels) => {
                const particles = randomParticles(kernels.arena, 30, 4);
                const surface = randomSurface(kernels.arena, particles, 25, 25, 4);
                surface.frame[Frame.alpha] = alpha;
                kernels.transformPoints(particles, surface);
                return { points: surface.points };
            }, 1e-6);
        }
    });
});
