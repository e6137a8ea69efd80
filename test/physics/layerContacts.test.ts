// What layers do to each other where they touch: no thrust from nothing, Coulomb's friction, the mean of two thicknesses.
import { describe, expect, test } from "@jest/globals";
import type { Body } from "../../src/engine/index";
import type { SelfCollisionTier } from "../../src/engine/collision/self/collisionProxy";
import { Heap } from "./layers";
import { grid, lying } from "./meshes";
import { addCollider, at, makeCloth, measure, pose } from "./support";

const FABRIC = { thickness: 0.01, friction: 0.4, damping: 0.6, shearStiffness: 200, bendStiffness: 5e-5, arealDensity: 0.2 };
const TIERS: readonly SelfCollisionTier[] = ["particles", "triangles", "robust"];

function onGround(cloth: Body): Body {
    addCollider(cloth, "halfSpace", pose([0, 0, 0], [1, 1, 1], -Math.PI / 2, "x"));
    return cloth;
}

function meanHeight(cloth: Body): number {
    let sum = 0;
    for (let i = 0; i < cloth.state.particleCount; i++) sum += at(cloth, i)[1];
    return sum / cloth.state.particleCount;
}

describe("contact between layers", () => {
    // A sheet of 1.1 m that is dropped on its edge and folds, and lies on its own layers: 16 cm/s before, by triangles.
    test.each([
        ["triangles", 4],
        ["triangles", 8],
        ["robust", 4],
    ] as const)("by %s, %d substeps, a fold has nothing to push itself along a ground without friction", (tier, substepCount) => {
        const folded = grid(14, 14, (u, v) => [1.1 * (u - 0.5), 0.2 + 1.1 * v, 0.09 * Math.sin(1.4 * Math.PI * (v - 0.5))]);
        const cloth = onGround(makeCloth(folded, { fabric: { ...FABRIC, friction: 0 }, substepCount }));
        const heap = new Heap([cloth], 0.015, [], tier);
        for (let second = 0; second < 4; second++) {
            heap.run(60);
            const { momentum, mass } = measure(cloth);
            expect(Math.hypot(momentum[0], momentum[2]) / mass).toBeLessThan(1e-3);
        }
        expect(heap.crossings).toBe(0);
    });

    test.each(TIERS)("by %s, a sheet stays on a slope below the angle of friction, and slides above it", (tier) => {
        const accelerationOn = (slope: number): number => {
            const g = 9.81 / Math.hypot(1, slope);
            const options = { fabric: { ...FABRIC, damping: 0 }, gravity: [g * slope, -g, 0] as [number, number, number] };
            const all = Array.from({ length: 17 * 17 }, (_, i) => i);
            const slab = makeCloth(grid(16, 16, lying(1.6, 1.6, 0)), { ...options, pinned: all });
            const sheet = makeCloth(grid(6, 6, lying(0.4, 0.4, tier === "particles" ? 0.055 : 0.012)), options);
            const heap = new Heap([slab, sheet], null, [], tier).run(30);
            const before = measure(sheet).momentum[0];
            heap.run(20);
            return ((measure(sheet).momentum[0] - before) * 3) / measure(sheet).mass;
        };
        expect(Math.abs(accelerationOn(0.36))).toBeLessThan(0.02);
        const theory = (9.81 * (0.5 - 0.4)) / Math.hypot(1, 0.5);
        expect(Math.abs(accelerationOn(0.5) - theory)).toBeLessThan(0.3 * theory);
    });

    test.each(TIERS)("by %s, two cloths keep apart by the mean of their thicknesses", (tier) => {
        const cloths = [0.05, 0.15].map((y) => onGround(makeCloth(grid(12, 12, lying(0.6, 0.6, y)), { fabric: FABRIC })));
        new Heap(cloths, [0.03, 0.05], [], tier).run(120);
        expect(Math.abs(meanHeight(cloths[1]) - meanHeight(cloths[0]) - 0.04)).toBeLessThan(0.002);
    });
});
