/** Every kernel that builds, in WebAssembly, against the scalar one: the same to the bit. */
import { describe, expect, test } from "@jest/globals";
import type { Arena } from "../../../src/kernels/arena";
import { SplitLayout, SplitParameter } from "../../../src/kernels/buildLayout";
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
