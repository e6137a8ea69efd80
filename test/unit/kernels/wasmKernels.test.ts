import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { printable } from "../../../src/kernels/printable";
import { bytesOf } from "../../../src/kernels/wasmKernels";
import { createBodyKernels } from "./allKernels";
import { randomParticles } from "./arrays";

describe("createBodyKernels", () => {
    afterEach(() => {
        jest.restoreAllMocks();
    });

    test("kernels follow their arrays when the memory grows", () => {
        const kernels = createBodyKernels();
        const particles = randomParticles(kernels.arena, 100, 1);
        particles.uniforms.set([1, 0, -0.01, 0, 1]);
        const y = particles.positions[1] + (particles.positions[1] - particles.previous[1]) - 0.01;
        const { buffer } = particles.positions;
        kernels.arena.allocate(8_000_000, { relocate: () => {} });
        expect(particles.positions.buffer).not.toBe(buffer);
        kernels.integrate(particles);
        expect(particles.positions[1]).toBeCloseTo(y, 6);
    });

    test.each([0, 1, 5, 6, 7, 600])("reads %i bytes from their text", (count) => {
        const bytes = Uint8Array.from({ length: count }, (_, i) => 255 - ((i * 37) & 255));
        expect(bytesOf(printable(bytes))).toEqual(bytes);
    });

    test("says so where SIMD is missing", () => {
        jest.spyOn(WebAssembly, "validate").mockReturnValue(false);
        jest.spyOn(WebAssembly, "Module").mockImplementation(() => {
            throw new WebAssembly.CompileError("invalid value type 's128'");
        });
        expect(() => createBodyKernels()).toThrow("WebAssembly lacks SIMD");
    });

    test("says so where a content security policy forbids it", () => {
        jest.spyOn(WebAssembly, "Module").mockImplementation(() => {
            throw new WebAssembly.CompileError("Wasm code generation disallowed by embedder");
        });
        expect(() => createBodyKernels()).toThrow(/content security policy.*Wasm code generation disallowed by embedder/);
    });

    test("says so where there is no memory", () => {
        jest.spyOn(WebAssembly, "Memory").mockImplementation(() => {
            throw new RangeError("could not allocate memory");
        });
        expect(() => createBodyKernels()).toThrow("could not allocate memory");
    });

    test("says so where there is no WebAssembly", () => {
        const original = WebAssembly;
        Object.defineProperty(globalThis, "WebAssembly", { value: undefined, configurable: true });
        try {
            expect(() => createBodyKernels()).toThrow("WebAssembly is not available");
        } finally {
            Object.defineProperty(globalThis, "WebAssembly", { value: original, configurable: true });
        }
    });
});
