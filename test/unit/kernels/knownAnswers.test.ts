// Mistakes that kernels and references could make alike. Small cases with an answer known beforehand.
import { describe, expect, test } from "@jest/globals";
import { getKernels } from "../../../src/engine/index";
import {
    Frame,
    LimitLayout,
    LimitRecord,
    rowOffset,
    DistanceLayout,
    DistanceRecord,
    SurfaceLayout,
    TetherLayout,
    Uniform,
} from "../../../src/kernels/layout";
import type { LimitArrays, DistanceArrays, TetherArrays } from "../../../src/kernels/layout";
import { writeDescriptor } from "../../../src/kernels/structSchema";
import { allocateStruct, randomParticles, randomSurface, randomAir } from "./arrays";
import { complete } from "./allKernels";
import { at, particlesAt } from "./smallCases";

describe("kernels", () => {
    const kernels = complete(getKernels());

    test("integrate: what is kept of the displacement, and gravity; the residual counts as displacement", () => {
        const particles = particlesAt(kernels, [1, 2, 3], [1, 2, 3]);
        particles.previous.set([0.875, 2, 3]);
        particles.residuals.set([0, 0, 1e-8]);
        particles.inverseMasses[1] = 0;
        particles.uniforms.set([0.5, 0, -0.25, 0, 1]);
        kernels.integrate(particles);
        expect(at(particles, 0)).toEqual([1.0625, 1.75, 3]);
        expect(particles.residuals[2]).toBeCloseTo(5e-9, 12);
        expect(Array.from(particles.previous.subarray(0, 3))).toEqual([1, 2, 3]);
        expect(at(particles, 1)).toEqual([1, 2, 3]);
        particles.uniforms[Uniform.maxDisplacement] = 0.125;
        kernels.integrate(particles);
        expect(at(particles, 0)[1]).toBe(1.625);
    });

    test.each(["projectDistances", "projectUnilateralLimits"] as const)(
        "%s: both ends by their shares, a limit only when it is stretched",
        (project) => {
            const sticks: DistanceArrays = allocateStruct(kernels.arena, DistanceLayout, { constraintCount: 4 });
            const particles = particlesAt(kernels, [0, 0, 0], [4, 0, 0], [0, 1, 0], [0, 2, 0]);
            sticks.records.set([0, 1, 2, 3, 4, 4, 4, 4].map(rowOffset));
            sticks.recordFloats.set([2, 3, 0, 0, 0.25, 0.5, 0, 0, 0.75, 0.5, 0, 0], DistanceRecord.restLengths);
            sticks.maxPush[0] = 2;
            kernels[project](particles, sticks);
            expect([at(particles, 0), at(particles, 1)]).toEqual([
                [0.5, 0, 0],
                [2.5, 0, 0],
            ]);
            const [low, high] = project === "projectDistances" ? [0, 3] : [1, 2];
            expect([at(particles, 2), at(particles, 3)]).toEqual([
                [0, low, 0],
                [0, high, 0],
            ]);
        },
    );

    test.each([
        [3, -0.25, 2.75],
        [3.75, -0.1125, 2.3375],
        [8, -0.0125, 2.0375],
    ])(
        "projectDistances: of 2 m instead of %d it pushes by a share of its length now, by less where it is crushed, of no length not at all",
        (restLength, a, b) => {
            const sticks: DistanceArrays = allocateStruct(kernels.arena, DistanceLayout, { constraintCount: 4 });
            const particles = particlesAt(kernels, [0, 0, 0], [2, 0, 0], [1, 1, 1], [1, 1, 1]);
            sticks.records.set([0, 1, 2, 3, 4, 4, 4, 4].map(rowOffset));
            sticks.recordFloats.set([restLength, 1, 0, 0, 0.25, 0.5, 0, 0, 0.75, 0.5, 0, 0], DistanceRecord.restLengths);
            sticks.maxPush[0] = 0.5;
            kernels.projectDistances(particles, sticks);
            const [first, second, ...others] = [0, 1, 2, 3].map((i) => at(particles, i));
            expect(first[0]).toBeCloseTo(a, 6);
            expect(second[0]).toBeCloseTo(b, 6);
            expect(others).toEqual([
                [1, 1, 1],
                [1, 1, 1],
            ]);
        },
    );

    test("projectUnsplitLimits: by their masses, farther where both ends are free, a pinned one stays", () => {
        const limits: LimitArrays = allocateStruct(kernels.arena, LimitLayout, { constraintCount: 4 });
        const particles = particlesAt(kernels, [0, 0, 0], [4, 0, 0], [0, 1, 0], [0, 3, 0], [0, 0, 5], [0, 0, 9]);
        particles.inverseMasses.set([1, 3, 0, 2, 0, 0]);
        limits.records.set([0, 1, 2, 3, 4, 5, 6, 6].map(rowOffset));
        limits.recordFloats.set([2, 1, 1, 0], LimitRecord.restLengths);
        limits.overRelaxation[0] = 1.5;
        kernels.projectUnsplitLimits(particles, limits);
        expect([0, 1, 2, 3, 4, 5].map((i) => at(particles, i))).toEqual([
            [0.75, 0, 0],
            [1.75, 0, 0],
            [0, 1, 0],
            [0, 2, 0],
            [0, 0, 5],
            [0, 0, 9],
        ]);
    });

    test("projectUnsplitLimits: marks records that pull where the ends of each limit weigh the same", () => {
        const isMarked = (masses: readonly number[]): boolean => {
            const limits: LimitArrays = allocateStruct(kernels.arena, LimitLayout, { constraintCount: 4 });
            const ends = Array.from({ length: 8 }, (_, i) => [i & 1 ? 2 : 0, i >> 1, 0] as [number, number, number]);
            const particles = particlesAt(kernels, ...ends);
            particles.inverseMasses.set(masses);
            limits.records.set([0, 1, 2, 3, 4, 5, 6, 7].map(rowOffset));
            limits.recordFloats.set([1, 1, 1, 1], LimitRecord.restLengths);
            limits.overRelaxation[0] = 1;
            for (let pass = 0; pass < 2; pass++) {
                kernels.projectUnsplitLimits(particles, limits);
                const [a, b] = [at(particles, 0)[0], at(particles, 1)[0]];
                expect(b - a).toBeCloseTo(masses[0] + masses[1] > 0 ? 1 : 2, 6);
                expect(at(particles, 7)[0] - at(particles, 6)[0]).toBeCloseTo(1, 6);
            }
            return limits.records[0] > limits.records[1];
        };
        expect(isMarked([1, 1, 2, 2, 3, 3, 4, 4])).toBe(true);
        expect(isMarked([1, 1, 2, 2 * (1 + 6e-6), 3, 3, 4, 4])).toBe(true);
        expect(isMarked([1, 1, 2, 2 * (1 + 2e-5), 3, 3, 4, 4])).toBe(false);
        expect(isMarked([1, 1, 2, 2, 3, 3, 4, 3])).toBe(false);
        expect(isMarked([0, 1, 2, 2, 3, 3, 4, 4])).toBe(false);
        expect(isMarked([0, 0, 2, 2, 3, 3, 4, 4])).toBe(false);
    });

    test("limitStrain: what is stretched by more than 4 % comes back to that and about a quarter as far again, where a strain was noted", () => {
        const sticks: DistanceArrays = allocateStruct(kernels.arena, DistanceLayout, { constraintCount: 4 });
        const particles = particlesAt(kernels, [0, 0, 0], [2, 0, 0], [0, 1, 0], [0, 2.03, 0], [4, 0, 0], [8, 0, 0]);
        // One that moves by a quarter in a pass, since its mass is split; one that is pinned at both ends.
        sticks.records.set([0, 1, 2, 3, 4, 5, 6, 6].map(rowOffset));
        sticks.recordFloats.set([1, 1, 1, 0, 0, 0.5, 0, 0, 0.25, 0.5, 0, 0], DistanceRecord.restLengths);
        kernels.limitStrain(particles, sticks);
        expect(at(particles, 1)).toEqual([2, 0, 0]);
        particles.uniforms[Uniform.strain] = 0.5;
        kernels.limitStrain(particles, sticks);
        // 2 - 2 × 1.28 (0.5 - 0.04), which is short enough.
        expect(at(particles, 1)[0]).toBeCloseTo(0.8224, 5);
        expect([0, 2, 4, 5].map((i) => at(particles, i))).toEqual([
            [0, 0, 0],
            [0, 1, 0],
            [4, 0, 0],
            [8, 0, 0],
        ]);
    });

    test("projectLengths: the largest strain goes to the uniforms, before it is taken back", () => {
        const sticks: DistanceArrays = allocateStruct(kernels.arena, DistanceLayout, { constraintCount: 8 });
        const particles = particlesAt(kernels, [0, 0, 0], [2, 0, 0], [0, 1, 0], [0, 5, 0]);
        sticks.records.fill(rowOffset(4));
        sticks.records.set([0, 1, 2, 3].map(rowOffset));
        sticks.recordFloats.set([1, 3, 0, 0, 0.25, 0.5, 0, 0, 0.25, 0.5, 0, 0], DistanceRecord.restLengths);
        kernels.projectLengths(particles, sticks);
        expect(particles.uniforms[Uniform.strain]).toBe(0.5);
        expect(at(particles, 1)).toEqual([1.75, 0, 0]);
    });

    test("projectTethers: straight back to the length, the anchor stays", () => {
        const tethers: TetherArrays = allocateStruct(kernels.arena, TetherLayout, { tetherCount: 4 });
        const particles = particlesAt(kernels, [1, 1, 1], [1, 5, 4], [1, 2, 1]);
        tethers.particles.set([1, 2, 3, 3]);
        tethers.anchors.set([0, 0, 3, 3]);
        tethers.maxLengths.set([2.5, 1.5]);
        kernels.projectTethers(particles, tethers);
        expect([at(particles, 0), at(particles, 1), at(particles, 2)]).toEqual([
            [1, 1, 1],
            [1, 3, 2.5],
            [1, 2, 1],
        ]);
    });

    test("what is taut pulls along the mean of its directions now and before, a tether to its length, to the first order", () => {
        const tethers: TetherArrays = allocateStruct(kernels.arena, TetherLayout, { tetherCount: 4 });
        const sticks: DistanceArrays = allocateStruct(kernels.arena, DistanceLayout, { constraintCount: 4 });
        const particles = particlesAt(kernels, [0, 0, 0], [4, 0, 0], [0, 4, 0]);
        particles.previous.set([0, 0, 0, 0, 4, 4, 0, 0, 4, 0, 0]);
        tethers.particles.set([1, 3, 3, 3]);
        tethers.anchors.set([0, 3, 3, 3]);
        tethers.maxLengths.set([2]);
        kernels.projectTethers(particles, tethers);
        expect(at(particles, 1)).toEqual([2, -1, 0]);
        sticks.records.set([0, 2, 3, 3, 3, 3, 3, 3].map(rowOffset));
        sticks.recordFloats.set([2, 0, 0, 0, 0, 0, 0, 0, 1], DistanceRecord.restLengths);
        kernels.projectUnilateralLimits(particles, sticks);
        expect(at(particles, 2)).toEqual([-1, 3, 0]);
    });

    test("air: the quadratic law across a face and along it, shared among the substeps", () => {
        // Four particles of a sheet across y; the wind is (3, 4, 0): 5 m/s.
        const particles = particlesAt(kernels, [0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1], [9, 9, 9], [9, 9, 9]);
        const air = randomAir(kernels.arena, particles, 1);
        air.airMotion.fill(0);
        // A steady flow.
        air.airPaths.fill(0);
        air.predictedDisplacements.set(particles.positions.map((x, i) => x - particles.previous[i]));
        for (let i = 0; i < 4; i++) air.neighbours.set([0, 1, 2, 3, 3, 3].map(rowOffset), 6 * i);
        const { uniforms } = particles;
        uniforms.set([3, 4, 0, 0, 0, 0, 0, 0, 0, 0], Uniform.windVelocity);
        uniforms[Uniform.substep] = 1 / 64;
        uniforms[Uniform.substepShare] = 0.5;
        uniforms[Uniform.dragRate] = 0.02;
        uniforms[Uniform.frictionRate] = 0.001;
        uniforms.set([0.5, 0, 0.5, 0, 1, 0, 1], Uniform.middle);
        kernels.addWind(particles, air);
        kernels.applyAir(particles, air);
        kernels.addAirDisplacements(particles, air);
        for (let i = 0; i < 4; i++) {
            // At sin α = 0.8 the load falls by 3.6 · 0.2 along the chord.
            const load = 1 + 0.72 * (particles.positions[4 * i] < 0.5 ? 0.5 : -0.5);
            const lambda = 0.02 * 5 * load;
            const push = [0.001 * 5 * 3, (lambda / (1 + lambda)) * 4, 0].map((v) => v / 128);
            push.forEach((expected, c) => expect(particles.residuals[4 * i + c]).toBeCloseTo(expected, 7));
        }
    });

    test("the surface of a deformed cloth: unit normals, and unit tangents across them with their signs", () => {
        const particles = randomParticles(kernels.arena, 70, 5);
        const surface = randomSurface(kernels.arena, particles, 60, 60, 5);
        kernels.transformPoints(particles, surface);
        kernels.computeNormals(surface);
        kernels.writeVertices(surface);
        kernels.writeTangents(surface);
        const { vertexNormals: n, vertexTangents: t, vertexPositions, points, pointOfVertex, frame } = surface;
        let count = 0;
        for (let v = 0; v < 60; v++) {
            const p = pointOfVertex[v] * 4;
            expect(Array.from(vertexPositions.subarray(3 * v, 3 * v + 3))).toEqual(Array.from(points.subarray(p, p + 3)));
            expect(t[4 * v + 3]).toBe(v % 2 ? -1 : 1);
            const length = Math.hypot(n[3 * v], n[3 * v + 1], n[3 * v + 2]);
            if (length === 0 || t[4 * v] === 7) continue;
            count++;
            expect(length).toBeCloseTo(1, 5);
            expect(Math.hypot(t[4 * v], t[4 * v + 1], t[4 * v + 2])).toBeCloseTo(1, 5);
            expect(t[4 * v] * n[3 * v] + t[4 * v + 1] * n[3 * v + 1] + t[4 * v + 2] * n[3 * v + 2]).toBeCloseTo(0, 4);
        }
        expect(count).toBeGreaterThan(40);
        for (let c = 0; c < 3; c++) {
            const all = Array.from({ length: 60 }, (_, i) => points[4 * i + c]);
            expect([frame[Frame.minimum + c], frame[Frame.maximum + c]]).toEqual([Math.min(...all), Math.max(...all)]);
        }
    });

    test("computeNormals: along (b - a) × (c - a), each triangle by its area", () => {
        const particles = particlesAt(kernels, [0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 3]);
        const surface = { ...randomSurface(kernels.arena, particles, 4, 4, 2), surfaceTriangleCount: 2 };
        writeDescriptor(SurfaceLayout, surface);
        surface.particleOfPoint.set([0, 1, 2, 3]);
        surface.surfaceTriangles.set([0, 1, 2, 0, 3, 1]);
        surface.frame.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1]);
        kernels.transformPoints(particles, surface);
        kernels.computeNormals(surface);
        const normal = (point: number): number[] => Array.from(surface.pointNormals.subarray(4 * point, 4 * point + 3));
        expect(normal(2)).toEqual([0, 0, 1]);
        expect(normal(3)).toEqual([0, 1, 0]);
        [0, 3, 1].forEach((x, c) => expect(normal(0)[c]).toBeCloseTo(x / Math.sqrt(10), 5));
    });
});
