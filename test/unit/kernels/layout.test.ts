// The generated side against the declaration, as it is compiled; and several instances on one memory.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { getKernels } from "../../../src/engine/index";
import { kernelTable } from "../../../src/kernels/kernelTable";
import type { ParticleArrays } from "../../../src/kernels/layout";
import * as contactLayout from "../../../src/kernels/contactLayout";
import { struct, layoutStruct, writeDescriptor } from "../../../src/kernels/structSchema";
import * as layout from "../../../src/kernels/layout";
import * as prepareLayout from "../../../src/kernels/constraintLayout";
import * as restLayout from "../../../src/kernels/restLayout";
import * as surfaceLayout from "../../../src/kernels/surfaceLayout";
import { BlockLayout } from "../../../src/kernels/arena";
import { coreKernels } from "../../../src/kernels/modules/core.generated";
import { WasmArena } from "../../../src/kernels/wasmArena";
import { bytesOf, instantiate } from "../../../src/kernels/wasmKernels";
import { complete, MODULES, createBodyKernels } from "./allKernels";
import { allocateStruct, randomParticles, randomSurface, randomAir } from "./arrays";

const assembly = readFileSync("src/kernels/assembly/layout.generated.ts", "utf8");
/** Every slot and struct. */
const declared = { ...layout, ...contactLayout, ...prepareLayout, ...restLayout, ...surfaceLayout };
const modules = [coreKernels, ...MODULES].map(({ text }) => new WebAssembly.Module(bytesOf(text)));

describe("the generated layout", () => {
    test("names every slot at its byte offset", () => {
        for (const [name, slots] of Object.entries(declared)) {
            if (typeof slots !== "object" || name.endsWith("Layout")) continue;
            const body = assembly.match(new RegExp(`namespace ${name} \\{(.*?)\\n\\}`, "s"))![1];
            const offsets = [...body.matchAll(/const (\w+): usize = (\d+);/g)].map(([, slot, offset]) => [
                slot,
                Number(offset) / 4,
            ]);
            expect([name, Object.fromEntries(offsets)]).toEqual([name, slots]);
        }
    });

    test("has the fields of every struct in the order of its descriptor", () => {
        for (const [name, declaration] of Object.entries(declared)) {
            if (!name.endsWith("Layout")) continue;
            const body = assembly.match(new RegExp(`class ${name.replace("Layout", "Arrays")} \\{(.*?)\\n\\}`, "s"))![1];
            expect([name, [...body.matchAll(/(\w+): \w+;/g)].map(([, field]) => field)]).toEqual([name, Object.keys(declaration)]);
        }
    });

    test("the modules export the kernels of the table and import no more than memory, scratch and what Math cannot leave to them", () => {
        const exports = modules.flatMap((module) => WebAssembly.Module.exports(module)).filter(({ kind }) => kind === "function");
        expect(exports.map(({ name }) => name).sort()).toEqual([...Object.keys(kernelTable), ...modules.map(() => "run")].sort());
        const imports = modules.flatMap((module) => WebAssembly.Module.imports(module).map(({ name }) => name));
        expect([...new Set(imports)].sort()).toEqual(["atan2", "cos", "memory", "scratch", "sin"]);
    });
});

describe("structs", () => {
    test("a descriptor holds numbers, flags and addresses, those of other structs, too", () => {
        const { arena } = createBodyKernels();
        const inner = allocateStruct(arena, layout.TriangleLayout, { triangleCount: 3 });
        const declaration = {
            count: { type: "count" },
            isOn: { type: "flag" },
            numbers: { type: "f32", shape: ["count", "isOn", 3] },
            inner: struct<layout.TriangleArrays>("TriangleArrays"),
        } as const;
        const outer = allocateStruct(arena, declaration, { count: 5, isOn: true, inner });
        expect(outer.numbers.length).toBe(15);
        expect([...outer.descriptor]).toEqual([5, 1, outer.numbers.byteOffset, inner.descriptor.byteOffset]);
        const addresses = [...outer.descriptor];
        const { buffer } = outer.descriptor;
        arena.allocate(8_000_000, { relocate: () => {} });
        expect(outer.descriptor.buffer).not.toBe(buffer);
        expect([outer.numbers.byteOffset, ...outer.descriptor]).toEqual([addresses[2], ...addresses]);
    });

    test("only what is owned is cut", () => {
        const positions = new Float32Array(32);
        const state = {
            particleCount: 5,
            paddedCount: 8,
            blockCount: 1,
            positions,
            previous: positions,
            descriptor: new Uint32Array(0),
        };
        const sizes = new BlockLayout();
        layoutStruct(layout.ParticleLayout, state, sizes, ["previous"]);
        layoutStruct(layout.ParticleLayout, state, new BlockLayout(new ArrayBuffer(sizes.byteLength)), ["previous"]);
        writeDescriptor(layout.ParticleLayout, state);
        expect(state.positions).toBe(positions);
        expect(state.previous.buffer).toBe(state.descriptor.buffer);
        expect(state.descriptor[Object.keys(layout.ParticleLayout).indexOf("previous")]).toBe(state.previous.byteOffset);
    });
});

test("two instances work side by side on one memory, each with scratch bytes of its own", () => {
    const arena = new WasmArena(new WebAssembly.Memory({ initial: 16 }));
    const used = arena.usedBytes;
    const instances = [complete(instantiate(arena).add(coreKernels)), complete(instantiate(arena).add(coreKernels))];
    expect(arena.usedBytes - used).toBe(2 * 4 * layout.Scratch.count);
    // All of the memory but the blocks of one instance is the same after the kernels of the other.
    const run = (kernels: (typeof instances)[0]): Float32Array[] => {
        const particles = randomParticles(arena, 50, 3);
        const air = randomAir(arena, particles, 3);
        const surface = randomSurface(arena, particles, 40, 40, 3);
        particles.uniforms.set([0.97, 0.01, -0.02, 0.005, 0.03]);
        particles.uniforms.set([3, 0.5, -1, 1, 0.2, 2, 0.3, 0.1, 0.7, 0.4, 0.02, 1 / 60], layout.Uniform.windVelocity);
        kernels.addWind(particles, air);
        kernels.applyAir(particles, air);
        kernels.addAirDisplacements(particles, air);
        kernels.integrate(particles);
        kernels.transformPoints(particles, surface);
        return [particles.positions.slice(), particles.residuals.slice(), surface.points.slice()];
    };
    const scratch = (i: number): number[] => [
        ...new Uint32Array(arena.memory.buffer, 16 + 4 * layout.Scratch.count * i, layout.Scratch.count),
    ];
    const first = run(instances[0]);
    expect(scratch(0).some((word) => word !== 0)).toBe(true);
    expect(scratch(1).every((word) => word === 0)).toBe(true);
    expect(run(instances[1])).toEqual(first);
    expect(scratch(1)).toEqual(scratch(0));
});

describe("recorded calls", () => {
    test("every kernel of the table can be recorded, and does then what it does when called", () => {
        const seen: string[] = [];
        const kernels = complete(getKernels());
        const { arena } = kernels;
        const particles = (): ParticleArrays => {
            const arrays = allocateStruct(arena, layout.ParticleLayout, { particleCount: 3, paddedCount: 4 });
            arrays.positions.set([1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0]);
            arrays.inverseMasses.fill(1, 0, 3);
            arrays.uniforms.set([0.5, 0, -0.1, 0, 10]);
            return arrays;
        };
        const [called, recorded] = [particles(), particles()];
        const calls = kernels.record((k) => {
            seen.push(...Object.keys(k));
            k.integrate(recorded);
            k.integrate(recorded);
            k.measureMotion(recorded);
        });
        for (let i = 0; i < 3; i++) {
            kernels.integrate(called);
            kernels.integrate(called);
            kernels.measureMotion(called);
            // The memory may move meanwhile.
            arena.allocate(1 << 20, { relocate() {} });
            calls.run();
        }
        expect([...recorded.positions]).toEqual([...called.positions]);
        expect([...recorded.uniforms]).toEqual([...called.uniforms]);
        expect(called.positions[1]).not.toBe(2);
        expect(seen.sort()).toEqual(Object.keys(kernelTable).sort());
        calls.release();
    });
});
