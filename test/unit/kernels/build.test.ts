/** Every kernel that builds, in WebAssembly, against the scalar one: the same to the bit. */
import { describe, expect, test } from "@jest/globals";
import type { Arena } from "../../../src/kernels/arena";
import { FanLayout, MarchLayout } from "../../../src/kernels/restLayout";
import { CloudLayout, EdgeLayout, FaceLayout, PointLayout, UniqueLayout, WeldLayout } from "../../../src/kernels/surfaceLayout";
import { NONE } from "../../../src/kernels/layout";
import { SplitLayout, SplitParameter, StickLengthLayout, TetherOrderLayout } from "../../../src/kernels/prepareLayout";
import type { Kernels } from "../../../src/kernels/kernels";
import { LimitRecord, StickRecord } from "../../../src/kernels/layout";
import { transformPoint } from "../../../src/solver/math/affine";
import { seededRandom } from "../../random";
import { compareBits } from "./agreement";
import { allocateStruct, randomPositions } from "./arrays";

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
        compareBits((kernels) => splits(kernels, false, seed));
        const { isSplit } = compareBits((kernels) => splits(kernels, true, seed));
        expect(isSplit).toEqual(Uint32Array.of(seed > 0 ? 1 : 0));
    });
});

test("findFans: every corner's triangle once, in its winding", () => {
    const triangles = [0, 1, 2, 2, 1, 3, 1, 0, 5];
    const { starts, others } = compareBits(({ arena, findFans }) => {
        const fans = allocateStruct(arena as Arena, FanLayout, { cornerCount: 9, startCount: 7 });
        fans.triangles.set(triangles);
        findFans(fans);
        return { starts: fans.starts.slice(), others: fans.others.slice() };
    });
    expect(Array.from(starts)).toEqual([0, 2, 5, 7, 8, 8, 9]);
    expect(Array.from(others)).toEqual([1, 2, 5, 1, 2, 0, 3, 2, 0, 5, 0, 1, 1, 3, 2, 1, 1, 0]);
});

describe("marchGroups", () => {
    /** A bumpy sheet of 12 × 12 particles with scattered sources, each a group. */
    function march({ arena, findFans, marchGroups }: Kernels, sourceCount: number): Record<string, ArrayLike<number>> {
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
        for (let i = 0; i < sourceCount; i++) {
            const p = Math.floor(random() * n * n);
            m.labels[p] = p;
        }
        marchGroups(m);
        const { counts, distances, keys, sources } = m;
        return {
            counts: counts.slice(),
            distances: distances.slice(),
            keys: keys.slice(),
            sources: sources.slice(),
        };
    }

    test.each([0, 1, 3, 20])("%i sources", (count) => {
        const { counts } = compareBits((kernels) => march(kernels, count));
        expect(Array.from(counts).every((k) => k === Math.min(3, count))).toBe(true);
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
        const found = compareBits((kernels) => {
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
    const { lengths, recordFloats } = compareBits(({ arena, readLengths, scaleLengths }) => {
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
    const { rounds, longest, particles, anchors, lengths } = compareBits(({ arena, countTethers, orderTethers }) => {
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
    const { box, mapped } = compareBits(({ arena, mapPoints }) => {
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
