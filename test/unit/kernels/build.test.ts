/** Every kernel that builds, in WebAssembly, against the scalar one: the same to the bit. */
import { describe, expect, test } from "@jest/globals";
import type { Arena } from "../../../src/kernels/arena";
import {
    BendLineLayout,
    EdgeStickLayout,
    FanLayout,
    LINES,
    MarchLayout,
    RestLayout,
    StraightLimitLayout,
} from "../../../src/kernels/restLayout";
import { CloudLayout, EdgeLayout, FaceLayout, PointLayout, UniqueLayout, WeldLayout } from "../../../src/kernels/surfaceLayout";
import { NONE } from "../../../src/kernels/layout";
import {
    BendShareLayout,
    SplitLayout,
    SplitParameter,
    StencilKind,
    StencilOrderLayout,
    StencilWeightLayout,
    StickLengthLayout,
    StickOrderLayout,
    StickWeightLayout,
    TetherOrderLayout,
} from "../../../src/kernels/prepareLayout";
import type { Kernels } from "../../../src/kernels/kernels";
import { LimitRecord, LineStencilRecord, StencilRecord, StickRecord } from "../../../src/kernels/layout";
import { scalarKernels } from "../../../src/kernels/scalar/scalarKernels";
import { createWasmKernels } from "../../../src/kernels/wasm/wasmKernels";
import { transformPoint } from "../../../src/solver/affine";
import { disc, grid, irregular, lying, sphere } from "../../physics/meshes";
import type { Sheet } from "../../physics/meshes";
import { seededRandom } from "../../random";
import { allocateStruct } from "./arrays";

const wasmKernels = createWasmKernels();

/** Runs a scenario on both backends and compares the arrays that it returns. */
function compare(scenario: (kernels: Kernels) => Record<string, ArrayLike<number>>): Record<string, ArrayLike<number>> {
    const expected = scenario(scalarKernels);
    expect(scenario(wasmKernels)).toEqual(expected);
    return expected;
}

/** Particles of a bumpy sheet, some at one place. */
function randomPositions(count: number, seed: number): Float32Array {
    const random = seededRandom(seed);
    return Float32Array.from({ length: count * 3 }, (_, i) => (i % 30 < 3 ? 0 : random() * (i % 3 === 2 ? 0.1 : 1)));
}

describe("splitMasses", () => {
    function splits({ arena, splitMasses }: Kernels, isCurved: boolean, seed: number): Record<string, ArrayLike<number>> {
        const random = seededRandom(seed);
        const [particleCount, stickCount] = [50, 40 * seed];
        const set = allocateStruct(arena as Arena, SplitLayout, { particleCount, stickCount, isCurved });
        for (const ends of [set.particlesA, set.particlesB])
            ends.forEach((_, s) => (ends[s] = Math.floor(random() * particleCount)));
        set.positions.set(randomPositions(particleCount, seed));
        for (const [name, value] of Object.entries({ undisturbed: 2, growth: 2.5 }))
            set.parameters[SplitParameter[name as keyof typeof SplitParameter] / 2] = value;
        set.parameters[SplitParameter.curved / 2] = 200;
        set.parameters[SplitParameter.mostCurved / 2] = 3;
        splitMasses(set);
        return { splits: set.splits.slice(), isSplit: set.isSplit.slice(), sums: set.sums.slice() };
    }

    test.each([0, 1, 3, 10])("%i sticks a particle, nearly", (seed) => {
        compare((kernels) => splits(kernels, false, seed));
        const { isSplit } = compare((kernels) => splits(kernels, true, seed));
        expect(isSplit).toEqual(Uint32Array.of(seed > 0 ? 1 : 0));
    });
});

test("findFans: every corner's triangle once, in its winding", () => {
    const triangles = [0, 1, 2, 2, 1, 3, 1, 0, 5];
    const { starts, others } = compare(({ arena, findFans }) => {
        const fans = allocateStruct(arena as Arena, FanLayout, { cornerCount: 9, startCount: 7 });
        fans.triangles.set(triangles);
        findFans(fans);
        return { starts: fans.starts.slice(), others: fans.others.slice() };
    });
    expect(Array.from(starts)).toEqual([0, 2, 5, 7, 8, 8, 9]);
    expect(Array.from(others)).toEqual([1, 2, 5, 1, 2, 0, 3, 2, 0, 5, 0, 1, 1, 3, 2, 1, 1, 0]);
});

describe("marchGroups", () => {
    /** A bumpy sheet of 12 × 12 particles with scattered sources, each a group; only part of it is marched over. */
    function march(
        { arena, findFans, marchGroups }: Kernels,
        sourceCount: number,
        isWhole: boolean,
    ): Record<string, ArrayLike<number>> {
        const random = seededRandom(sourceCount);
        const n = 12;
        const triangles = Array.from({ length: (n - 1) ** 2 }, (_, i) => {
            const a = i + Math.floor(i / (n - 1));
            return random() < 0.5 ? [a, a + 1, a + n, a + 1, a + n + 1, a + n] : [a, a + 1, a + n + 1, a, a + n + 1, a + n];
        }).flat();
        const numbers = { particleCount: n * n, startCount: n * n + 1, cornerCount: triangles.length, slots: 3 };
        const fans = allocateStruct(arena as Arena, FanLayout, numbers);
        const m = allocateStruct(arena as Arena, MarchLayout, numbers);
        fans.triangles.set(triangles);
        findFans(fans);
        m.starts.set(fans.starts);
        m.others.set(fans.others);
        const height = (): number => random() * 0.5;
        m.positions.set(Array.from({ length: n * n }, (_, p) => [p % n, Math.floor(p / n), height()]).flat());
        m.labels.fill(NONE);
        m.isMarched.fill(1);
        m.region.fill(1);
        for (let i = 0; i < sourceCount; i++) {
            const p = Math.floor(random() * n * n);
            m.labels[p] = p;
        }
        marchGroups(m);
        if (!isWhole) {
            m.heapPlaces.fill(0);
            for (let p = 0; p < n * n; p++) m.region[p] = p % n < 5 ? 1 : 0;
            for (let p = 0; p < n * n; p++) if (m.region[p] === 1) m.counts[p] = 0;
            marchGroups(m);
        }
        const { counts, distances, keys, sources, passes } = m;
        return {
            counts: counts.slice(),
            distances: distances.slice(),
            keys: keys.slice(),
            sources: sources.slice(),
            passes: passes.slice(),
        };
    }

    test.each([0, 1, 3, 20])("%i sources", (count) => {
        const { counts } = compare((kernels) => march(kernels, count, true));
        expect(Array.from(counts).every((k) => k === Math.min(3, count))).toBe(true);
        compare((kernels) => march(kernels, count, false));
    });
});

describe("a mesh's sheet", () => {
    const VERTICES = 90;

    /** Triangles between random vertices, of which many lie at, or just beside, the place of another one; some have no area. */
    function randomMesh(seed: number): { positions: Float32Array; normals: Float32Array; indices: Uint32Array } {
        const random = seededRandom(seed);
        const pick = (): number => Math.floor(random() * VERTICES);
        const positions = Float32Array.from({ length: VERTICES * 3 }, () => Math.floor(random() * 4) / 4);
        for (let i = 0; i < 20; i++) positions[3 * pick()] += (random() - 0.5) * 4e-5;
        const normals = Float32Array.from({ length: VERTICES * 3 }, () => (random() < 0.8 ? 0 : random() - 0.3));
        return { positions, normals, indices: Uint32Array.from({ length: 240 }, pick) };
    }

    test.each([1, 2, 3, 4, 5, 6])("is the same, mesh %i", (seed) => {
        const { positions, normals, indices } = randomMesh(seed);
        const hasNormals = seed % 3 > 0;
        const found = compare((kernels) => {
            const arena = kernels.arena as Arena;
            const sizes = { vertexCount: VERTICES, indexCount: indices.length, hasNormals };
            const w = allocateStruct(arena, WeldLayout, { ...sizes, slotCount: 256 });
            w.positions.set(positions);
            w.indices.set(indices);
            w.heads.fill(NONE);
            kernels.measureUsed(w);
            const box = w.box.slice();
            w.box.set([-0.1, -0.1, -0.1, 1.1, 0.6, 1.1, 3e-5]);
            kernels.weldVertices(w);
            const [placeCount] = w.placeCount;
            const f = allocateStruct(arena, FaceLayout, { ...sizes, placeCount });
            f.positions.set(positions);
            if (hasNormals) f.normals.set(normals);
            f.indices.set(indices);
            f.placeOfVertex.set(w.placeOfVertex);
            f.vertexOfPlace.set(w.vertexOfPlace.subarray(0, placeCount));
            kernels.findFaces(f);
            const [cornerCount, , particleCount] = f.counts;
            const u = allocateStruct(arena, UniqueLayout, { cornerCount, slotCount: 256 });
            u.corners.set(f.cornerParticles.subarray(0, cornerCount));
            u.slots.fill(NONE);
            kernels.findUnique(u);
            const p = allocateStruct(arena, PointLayout, { ...sizes, cornerCount, particleCount });
            if (hasNormals) p.normals.set(normals);
            p.corners.set(f.corners.subarray(0, cornerCount));
            p.particleOfVertex.set(f.particleOfVertex.map((particle) => (particle === NONE ? 0 : particle)));
            p.firstPoint.fill(NONE);
            kernels.findPoints(p);
            const e = allocateStruct(arena, EdgeLayout, { placeCount: VERTICES, cornerCount });
            e.positions.set(positions);
            e.triangles.set(f.corners.subarray(0, cornerCount));
            e.shortest[0] = 3;
            kernels.findShortEdges(e);
            const { placeOfVertex, vertexOfPlace } = w;
            const { corners, cornerParticles, undecided, particleOfVertex, counts } = f;
            const { particleOfPoint, pointOfVertex, surfaceTriangles, pointCount } = p;
            const all = { box, placeOfVertex, vertexOfPlace, corners, cornerParticles, undecided, particleOfVertex, counts };
            const more = { triangles: u.triangles, end: u.end, particleOfPoint, pointOfVertex, surfaceTriangles, pointCount };
            const edges = { shortest: e.shortest, short: e.short, shortCount: e.shortCount };
            return Object.fromEntries(Object.entries({ ...all, ...more, ...edges }).map(([name, array]) => [name, array.slice()]));
        });
        // Something of each was there to find.
        expect(new Set(Array.from(found.placeOfVertex)).size).toBeLessThan(VERTICES);
        expect(found.counts[0]).toBeLessThan(indices.length);
        expect(found.counts[1] > 0).toBe(hasNormals);
        expect(found.counts[3]).toBeGreaterThan(0);
        expect(found.shortCount[0]).toBeGreaterThan(0);
    });
});

test.each([StickRecord.count, LimitRecord.count])("lengths in records of %i slots are read, and scaled", (recordSize) => {
    const { lengths, recordFloats } = compare(({ arena, readLengths, scaleLengths }) => {
        const sticks = allocateStruct(arena as Arena, StickLengthLayout, { stickCount: 8, recordSize });
        sticks.recordFloats.forEach((_, i) => (sticks.recordFloats[i] = i + 0.1));
        readLengths(sticks);
        sticks.scale[0] = 1.1;
        scaleLengths(sticks);
        return { lengths: sticks.lengths.slice(), recordFloats: sticks.recordFloats.slice() };
    });
    const first = StickRecord.restLengths;
    const slots = [0, 1, 2, 3].flatMap((lane) => [first + lane, recordSize + first + lane]).sort((a, b) => a - b);
    expect(Array.from(lengths)).toEqual(slots.map((slot) => Math.fround(slot + 0.1)));
    expect(Array.from(recordFloats)).toEqual(
        Array.from(recordFloats, (_, i) => (slots.includes(i) ? Math.fround(1.1 * Math.fround(i + 0.1)) : Math.fround(i + 0.1))),
    );
});

test("tethers come in rounds, in one order of the groups for all particles", () => {
    const [particleCount, slots] = [40, 3];
    const random = seededRandom(9);
    const entries = Array.from({ length: particleCount }, () =>
        [0, 1, 2].sort(() => random() - 0.5).slice(0, Math.floor(4 * random())),
    );
    const { rounds, longest, particles, anchors, lengths } = compare(({ arena, countTethers, orderTethers }) => {
        const tethers = allocateStruct(arena as Arena, TetherOrderLayout, { particleCount, slots, capacity: 200 });
        tethers.labels.fill(NONE);
        // Groups 0, 1, 2 by their lowest particles 5, 6, 7.
        for (let g = 0; g < 3; g++) tethers.labels[5 + g] = 5 + g;
        entries.forEach((groups, p) => {
            tethers.inverseMasses[p] = p >= 5 && p < 8 ? 0 : 1;
            tethers.counts[p] = groups.length;
            groups.forEach((g, k) => {
                tethers.sources[p * slots + k] = 5 + g;
                tethers.distances[p * slots + k] = p + g / 8;
            });
        });
        countTethers(tethers);
        tethers.next.set([0, 60, 120]);
        tethers.scale[0] = 1.5;
        orderTethers(tethers);
        const { rounds, longest, particles, anchors, lengths } = tethers;
        const all = { rounds, longest, particles, anchors, lengths };
        return Object.fromEntries(Object.entries(all).map(([name, array]) => [name, array.slice()]));
    });
    const held = entries.map((groups, p) => ({ p, groups })).filter(({ p }) => p < 5 || p > 7);
    expect(longest[0]).toBe(Math.max(...held.flatMap(({ p, groups }) => groups.map((g) => p + g / 8))));
    for (let r = 0; r < slots; r++) {
        const there = held.filter(({ groups }) => groups.length > r).map(({ p, groups }) => [p, [...groups].sort()[r]]);
        expect(rounds[r]).toBe(there.length);
        const laid = there.map((_, i) => [particles[60 * r + i], anchors[60 * r + i] - 5]);
        expect(laid).toEqual(there);
        expect(there.map((_, i) => lengths[60 * r + i])).toEqual(there.map(([p, g]) => 1.5 * (p + g / 8)));
    }
});

test("mapPoints: the points' box, and the points mapped", () => {
    const points = randomPositions(33, 2);
    const map = Float64Array.from({ length: 16 }, (_, i) => Math.sin(i + 1));
    const { box, mapped } = compare(({ arena, mapPoints }) => {
        const cloud = allocateStruct(arena as Arena, CloudLayout, { pointCount: 33 });
        cloud.points.set(points);
        cloud.map.set(map);
        mapPoints(cloud);
        return { box: cloud.box.slice(), mapped: cloud.mapped.slice() };
    });
    expect(box[4]).toBe(Math.max(...points.filter((_, i) => i % 3 === 1)));
    const expected = new Float32Array(3);
    transformPoint(map, points, 96, expected, 0);
    expect(Array.from(mapped).slice(96)).toEqual(Array.from(expected));
});

describe("a surface at rest", () => {
    /** Triangles between any particles: edges with many triangles, fans that end and begin anywhere. */
    function nonsense(): Sheet {
        const random = seededRandom(5);
        const triangles = Array.from({ length: 90 }, (_, t) => {
            const a = Math.floor(30 * random());
            return [a, (a + 1 + (t % 3)) % 30, (a + 5 + Math.floor(8 * random())) % 30];
        });
        return { positions: randomPositions(30, 5), triangles: Uint32Array.from(triangles.flat()) };
    }
    const meshes: Record<string, Sheet> = {
        grid: grid(20, 22, lying(1)),
        "long cells": grid(8, 24, lying(1)),
        wound: grid(24, 8, (u, v) => [Math.sin(7 * u), Math.cos(7 * u), v]),
        irregular: irregular(20, 20, lying(1), seededRandom(3), 0.35),
        disc: disc(24, 6, lying(1)),
        sphere: sphere(2),
        nonsense: nonsense(),
    };

    test.each(Object.keys(meshes))("%s: sticks, limits and stencils are the same", (name) => {
        const { positions, triangles } = meshes[name];
        const [particleCount, cornerCount] = [positions.length / 3, triangles.length];
        const fanSize = particleCount + cornerCount;
        const found = compare((kernels) => {
            const arena = kernels.arena as Arena;
            const rest = allocateStruct(arena, RestLayout, { particleCount, cornerCount, fanSize });
            rest.positions.set(positions);
            rest.triangles.set(triangles);
            kernels.surveySurface(rest);
            const triangleCount = cornerCount / 3;
            const sticks = allocateStruct(arena, EdgeStickLayout, { rest, particleCount, cornerCount, triangleCount });
            kernels.findSticks(sticks);
            // Of some there are more than there is room for.
            const limits = [1, 4, 16].map((span) => {
                const all = allocateStruct(arena, StraightLimitLayout, { rest, span, every: 1 + (span & 1), capacity: 200 });
                kernels.findStraightLimits(all);
                return all;
            });
            const stencils = [1, 3, 9].map((span) => {
                const numbers = { rest, particleCount, fanSize, span, capacity: 600, isChosen: span === 9 };
                const all = allocateStruct(arena, BendLineLayout, numbers);
                all.shares.set(sticks.areas);
                all.leastChords.forEach((_, l) => (all.leastChords[l] = (l % 4) * 0.1));
                kernels.findBendLines(all);
                return all;
            });
            const stickCount = sticks.counts[0];
            const sizes = { particleCount, spareParticle: particleCount };
            const kinds = [
                [true, StickRecord.count],
                [false, StickRecord.count],
                [false, LimitRecord.count],
            ] as const;
            const orders = kinds.map(([isSplit, recordSize]) => {
                const order = allocateStruct(arena, StickOrderLayout, {
                    ...sizes,
                    stickCount,
                    isSplit,
                    capacity: stickCount + 400,
                    recordSize,
                });
                order.particlesA.set(sticks.structuralA.subarray(0, stickCount));
                order.particlesB.set(sticks.structuralB.subarray(0, stickCount));
                order.restLengths.set(sticks.structuralLengths.subarray(0, stickCount));
                order.factors.set(sticks.structuralFactors.subarray(0, stickCount));
                order.splits.forEach((_, i) => (order.splits[i] = 1 + i));
                kernels.orderSticks(order);
                return order;
            });
            const weights = orders.slice(0, 2).map(({ laid: [count], isSplit, records, laidFactors, laidSplits }, i) => {
                const numbers = { stickCount: count, rowCount: particleCount + 4, isSplit, isExact: !isSplit };
                const copies = [
                    records.slice(0, (count / 4) * 20),
                    laidFactors.slice(0, count),
                    laidSplits.slice(0, isSplit ? 2 * count : 0),
                ];
                const all = allocateStruct(arena, StickWeightLayout, numbers);
                all.records.set(copies[0]);
                all.factors.set(copies[1]);
                all.splits.set(copies[2]);
                for (let p = 0; p < particleCount; p++) all.inverseMasses[p] = p % 7 === 0 ? 0 : 1 + (p % 5);
                all.parameters.set([i === 0 ? 200 : Infinity, 1e4, 1 + i]);
                kernels.weighSticks(all);
                return all;
            });
            const stencilCount = Math.min(600, stencils[0].found[0]);
            const laid = Object.values(StencilKind)
                .slice(0, -1)
                .map((kind) => {
                    const recordSize = kind === StencilKind.line ? LineStencilRecord.count : StencilRecord.count;
                    const numbers = { ...sizes, stencilCount, kind, recordSize, capacity: stencilCount + 100 };
                    const order = allocateStruct(arena, StencilOrderLayout, numbers);
                    for (const key of ["particles", "weights", "areas", "curvatures", "lines"] as const)
                        order[key].set(stencils[0][key].subarray(0, order[key].length));
                    kernels.orderStencils(order);
                    return order;
                });
            const bend = allocateStruct(arena, BendShareLayout, { particleCount, lineCount: LINES * particleCount });
            bend.areas.set(sticks.areas);
            for (let p = 0; p < particleCount; p++) bend.inverseMasses[p] = p % 3 === 0 ? 0 : 1 + (p % 5);
            bend.parameters.set([0.2, 1e4]);
            bend.stiffnesses.fill(1e-3);
            bend.left.forEach((_, l) => (bend.left[l] = (l % 11) * 1e-4));
            const shares = laid.map(({ laid: [recordCount], recordSize, records, laidAreas, laidLines }) => {
                const copies = [
                    records.slice(0, recordCount * recordSize),
                    laidAreas.slice(0, recordCount),
                    laidLines.slice(0, recordCount),
                ];
                const all = allocateStruct(arena, StencilWeightLayout, { bend, recordCount, recordSize });
                all.records.set(copies[0]);
                all.areas.set(copies[1]);
                all.lines.set(copies[2]);
                all.clamped[0] = 1.5;
                kernels.measureStencils(all);
                return all;
            });
            kernels.wantStencils(bend);
            kernels.markStencils(shares[1]);
            kernels.takeStiffness(bend);
            for (const all of shares) kernels.weighStencils(all);
            const arrays = [rest, sticks, ...limits, ...stencils, ...orders, ...laid, ...weights, bend, ...shares].flatMap(
                (struct, i) =>
                    Object.entries(struct)
                        .filter(
                            ([key, value]) => ArrayBuffer.isView(value) && !["descriptor", "remaining", "lastColor"].includes(key),
                        )
                        .map(([key, value]) => [`${i} ${key}`, (value as Float32Array).slice()] as const),
            );
            return Object.fromEntries(arrays);
        });
        expect(found["1 counts"][0]).toBeGreaterThan(0);
        expect(Math.max(...Array.from(found["5 found"]))).toBeGreaterThan(0);
        expect(found["8 laid"][0]).toBeGreaterThan(found["1 counts"][0]);
        expect(found["10 laid"][0] + found["11 laid"][0] + found["12 laid"][0]).toBeGreaterThanOrEqual(
            Math.min(600, found["5 found"][0]),
        );
    });
});
