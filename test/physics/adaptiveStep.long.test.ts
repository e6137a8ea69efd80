import { describe, expect, test } from "@jest/globals";
import type { Body, SolverName } from "../../src/engine/index";
import type { SelfCollisionTier } from "../../src/engine/collision/self/collisionProxy";
import { Heap } from "./layers";
import { grid, lying } from "./meshes";
import { addCollider, makeCloth, measure, pose, setVelocity } from "./support";

const FABRIC = { thickness: 0.01, friction: 0.4, damping: 0.6, shearStiffness: 200, bendStiffness: 5e-5, arealDensity: 0.2 };

describe("adaptive step", () => {
    /** A bowed sheet that comes down on its edge at 4 m/s, in one substep. */
    function fallingOnEdge(quads: number, solver: SolverName = "xpbd"): Body {
        const bowed = grid(quads, quads, (u, v) => [0.3 * Math.sin(1.5 * Math.PI * v), 0.75 * v + 0.1, u - 0.5]);
        const cloth = makeCloth(bowed, { fabric: FABRIC, substepCount: 1, solver });
        addCollider(cloth, "halfSpace", pose([0, 0, 0], [1, 1, 1], -Math.PI / 2, "x"));
        for (let i = 0; i < cloth.state.particleCount; i++) setVelocity(cloth, i, [0, -4, 0]);
        return cloth;
    }

    /** Takes frames, and gives the most substeps of any. */
    function take(heap: Heap, frames: number): number {
        let most = 0;
        for (let f = 0; f < frames; f++) most = Math.max(most, heap.run(1).cloths[0].settings.substepCount);
        return most;
    }

    const heapOf = (cloths: readonly Body[], tier: SelfCollisionTier, isAdaptive: boolean): Heap =>
        new Heap(cloths, null, [], tier, isAdaptive);

    test("what passes through itself in one substep does not with more, and goes on with one once it lies", () => {
        const fixed = heapOf([fallingOnEdge(22)], "triangles", false);
        expect(take(fixed, 10)).toBe(1);
        // Later it comes out of itself.
        let crossings = 0;
        for (let f = 0; f < 10; f++) crossings = Math.max(crossings, fixed.run(1).crossings);
        expect(crossings).toBeGreaterThan(0);
        const heap = heapOf([fallingOnEdge(22)], "triangles", true);
        let most = 0;
        for (let f = 0; f < 30; f++) {
            most = Math.max(most, take(heap, 1));
            // The first impact comes in one substep of 70 mm; what passes in it is pulled out.
            if (f >= 12) expect(heap.crossings).toBe(0);
        }
        expect(most).toBe(8);
        let coarse = 0;
        for (let f = 0; f < 30; f++) if (heap.run(1).cloths[0].settings.substepCount === 1) coarse++;
        expect(coarse).toBeGreaterThan(10);
    });

    test.each<[SelfCollisionTier, SolverName]>([
        ["particles", "xpbd"],
        ["robust", "xpbd"],
        ["triangles", "implicit"],
        ["triangles", "squareRootFree"],
    ])("with %s and %s", (tier, solver) => {
        const heap = heapOf([fallingOnEdge(12, solver)], tier, true);
        expect(take(heap, 25)).toBeGreaterThanOrEqual(4);
        expect(take(heapOf([fallingOnEdge(12, solver)], tier, false), 25)).toBe(1);
        heap.run(40);
        const counts = Array.from({ length: 10 }, () => heap.run(1).cloths[0].settings.substepCount);
        expect(Math.min(...counts)).toBe(1);
    });

    test("all that it may meet goes along, and flies on as it did", () => {
        const other = makeCloth(grid(4, 4, lying(0.4, 0.4, 3)), {
            gravity: [0, 0, 0],
            fabric: { ...FABRIC, damping: 0 },
            substepCount: 3,
        });
        for (let i = 0; i < other.state.particleCount; i++) setVelocity(other, i, [1, 0, 0.5]);
        const heap = heapOf([fallingOnEdge(12), other], "triangles", true);
        const before = measure(other).momentum;
        let most = 0;
        for (let f = 0; f < 40; f++) {
            const [asked, others] = heap.run(1).cloths.map(({ settings }) => settings.substepCount);
            expect(others).toBe(3 * asked);
            most = Math.max(most, asked);
        }
        expect(most).toBeGreaterThanOrEqual(4);
        const after = measure(other).momentum;
        for (let c = 0; c < 3; c++) expect(Math.abs(after[c] - before[c])).toBeLessThan(1e-3 * before[0]);
        heap.world.disableSelfCollision(heap.cloths[1]);
        expect(other.settings.substepCount).toBe(3);
    });
});
