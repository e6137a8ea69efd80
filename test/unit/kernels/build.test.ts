/** Every kernel that builds, in WebAssembly, against the scalar one: the same to the bit. */
import { describe, expect, test } from "@jest/globals";
import type { Arena } from "../../../src/kernels/arena";
import { FanLayout, MarchLayout, NONE, SplitLayout, SplitParameter } from "../../../src/kernels/buildLayout";
import type { Kernels } from "../../../src/kernels/kernels";
import { scalarKernels } from "../../../src/kernels/scalar/scalarKernels";
import { createWasmKernels } from "../../../src/kernels/wasm/wasmKernels";
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
        for (const [name, value] of Object.entries({ undisturbed: 3.6, leastUndisturbed: 2, curvedUndisturbed: 1000, growth: 2.5 }))
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
