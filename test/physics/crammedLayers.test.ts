import { expect, test } from "@jest/globals";
import { backendNames } from "../../src/kernels/backend";
import type { LayerTier } from "../../src/solver/crowd/member";
import { validateState } from "../../src/solver/state";
import { Heap } from "./layers";
import { grid, lying } from "./meshes";
import { makeCloth } from "./support";

const TIERS: readonly LayerTier[] = ["particles", "triangles", "robust"];
const CASES = backendNames.flatMap((backend) => TIERS.map((tier) => [tier, backend] as const));

test.each(CASES)("a thousand layers in one place, %s, %s: finite, in bounded memory, one warning at most", (tier, backend) => {
    // The scalar backend takes ten times as long, and looks at the same.
    const cloths = Array.from({ length: backend === "scalar" && tier === "robust" ? 300 : 1000 }, () =>
        makeCloth(backend, grid(1, 1, lying(0.1, 0.1, 1)), {}),
    );
    const heap = new Heap(cloths, null, [], tier).run(1);
    const { byteLength } = cloths[0].crowd!;
    heap.run(1);
    for (const { state } of cloths) validateState(state);
    expect(heap.warnings.length).toBeLessThanOrEqual(1);
    expect(cloths[0].crowd!.byteLength).toBe(byteLength);
});

test.each(CASES)("all of a cloth's particles in one point, %s, %s: finite, one warning at most", (tier, backend) => {
    const cloth = makeCloth(backend, grid(15, 15, lying(1, 1, 1)), {});
    const heap = new Heap([cloth], null, [], tier);
    cloth.place(new Float32Array(3 * cloth.state.particleCount).fill(0.5));
    heap.run(5);
    validateState(cloth.state);
    expect(heap.warnings.length).toBeLessThanOrEqual(1);
});

test.each(CASES)("layers a kilometre thick, %s, %s: finite, one warning a cloth at most", (tier, backend) => {
    const cloths = [1, 1.02].map((y) => makeCloth(backend, grid(6, 6, lying(1, 1, y)), {}));
    const heap = new Heap(cloths, 1e3, [], tier).run(10);
    for (const { state } of cloths) validateState(state);
    expect(heap.warnings.length).toBeLessThanOrEqual(3);
});
