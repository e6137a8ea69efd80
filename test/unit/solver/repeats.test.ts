import { describe, expect, test } from "@jest/globals";
import { Fabrics } from "../../../src/solver/fabric";
import { grid, hanging, lying, sphere, topRow } from "../../physics/meshes";
import { addCollider, makeCloth, pose, runSteps } from "../../physics/support";

const damped = { ...Fabrics.cotton, damping: 2 };
const ground = pose([0, -1.02, 0], [1, 1, 1], -Math.PI / 2, "x");

/** Largest stretch in every step of the second half of `steps`. */
function stretches(cloth: ReturnType<typeof makeCloth>, steps: number): number[] {
    const stretch = new Float64Array(2);
    runSteps(cloth, steps / 2);
    return Array.from({ length: steps / 2 }, () => {
        runSteps(cloth, 1);
        return cloth.measureStretch(stretch)[1];
    });
}

describe.each(["scalar", "wasm"] as const)("repeats, %s", (backend) => {
    test("none for cloth in free fall, and none for cloth that hangs still", () => {
        const falling = makeCloth(backend, grid(12, 12, lying()), { fabric: damped, substepCount: 1 });
        runSteps(falling, 60);
        expect(falling.repeats.count).toBe(0);
        const hung = makeCloth(backend, grid(24, 24, hanging()), { fabric: damped, substepCount: 1, tetherSlack: 0, pinned: topRow(24, 24) });
        runSteps(hung, 600);
        expect(hung.repeats.count).toBe(0);
    });

    test("a heap with short edges and one substep is held, and comes to rest", () => {
        const make = (): ReturnType<typeof makeCloth> => {
            const cloth = makeCloth(backend, sphere(3), { fabric: damped, substepCount: 1 });
            addCollider(cloth, "halfSpace", ground);
            return cloth;
        };
        const held = make();
        expect(Math.max(...stretches(held, 600))).toBeLessThan(0.11);
        expect(held.repeats.count).toBeGreaterThan(0);
        expect(Math.sqrt((2 * held.kineticEnergy) / (4 * Math.PI * 0.2))).toBeLessThan(0.05);
        const loose = make();
        Object.assign(loose, { repeats: { count: 0, watch: () => {} } });
        expect(Math.max(...stretches(loose, 600))).toBeGreaterThan(0.11);
    });

    test("a fabric that may stretch is left to", () => {
        const cloth = makeCloth(backend, grid(8, 8, hanging()), { fabric: { ...Fabrics.rubber, stretchStiffness: 20 }, pinned: topRow(8, 8) });
        runSteps(cloth, 120);
        expect(cloth.measureStretch(new Float64Array(2))[1]).toBeGreaterThan(0.1);
        expect(cloth.repeats.count).toBe(0);
    });
});
