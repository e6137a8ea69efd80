/** The kernels against their references in test/reference/. */
import { expect } from "@jest/globals";
import type { Kernels } from "../../../src/engine/index";
import type { ParticleArrays } from "../../../src/kernels/layout";
import { referenceKernels } from "../../reference/referenceKernels";
import { complete, createBodyKernels } from "./allKernels";

export const wasmKernels = complete(createBodyKernels());

/** Runs a scenario on the kernels and on their references and compares the arrays that it returns; the tolerance is relative beyond 1. */
export function compare(scenario: (kernels: Kernels) => Record<string, Float32Array>, tolerance: number): void {
    const expected = scenario(referenceKernels);
    const actual = scenario(wasmKernels);
    for (const name of Object.keys(expected)) {
        let worst = 0;
        let where = -1;
        for (let i = 0; i < expected[name].length; i++) {
            const error = Math.abs(actual[name][i] - expected[name][i]) / Math.max(1, Math.abs(expected[name][i]));
            if (error > worst || Number.isNaN(error)) {
                worst = error;
                where = i;
                if (Number.isNaN(error)) break;
            }
        }
        if (!(worst <= tolerance)) {
            const [e, a] = [expected[name][where], actual[name][where]];
            throw new Error(`${name}[${where}] is ${a}, ${e} in the reference: off by ${worst}`);
        }
        expect(actual[name].length).toBe(expected[name].length);
    }
}

/** Runs a scenario on the kernels and on their references, which give the same to the bit. */
export function compareBits(scenario: (kernels: Kernels) => Record<string, ArrayLike<number>>): Record<string, ArrayLike<number>> {
    const expected = scenario(referenceKernels);
    expect(scenario(wasmKernels)).toEqual(expected);
    return expected;
}

export const motionOf = ({ positions, previous, residuals }: ParticleArrays): Record<string, Float32Array> => ({
    positions,
    previous,
    residuals,
});
