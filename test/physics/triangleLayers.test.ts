import { describe, expect, test } from "@jest/globals";
import type { Body } from "../../src/engine/index";
import { MAX_RELISTS } from "../../src/engine/tunables";
import type { SelfCollisionTier } from "../../src/engine/collision/self/collisionProxy";
import { validateState } from "../../src/engine/state/state";
import { costOf, OVERFLOW_WARNING } from "./layerCost";
import { pushThrough, Heap } from "./layers";
import { grid, lying } from "./meshes";
import type { Sheet } from "./meshes";
import { addCollider, at, makeCloth, measure, pose, setVelocity } from "./support";
import type { ClothOptions } from "./support";

const FABRIC = { thickness: 0.01, friction: 0.4, damping: 0.6, shearStiffness: 200, bendStiffness: 5e-5, arealDensity: 0.2 };

/** By triangles; what holds for both tiers is asked of both. */
const TIERS = ["triangles", "robust"] as const;

describe("layers of triangles", () => {
    const make = (sheet: Sheet, options: ClothOptions = {}): Body => makeCloth(sheet, { fabric: FABRIC, ...options });
    const heapOf = (
        cloths: readonly Body[],
        thickness: number | null = null,
        masks: readonly number[] = [],
        tier: SelfCollisionTier = "triangles",
    ): Heap => new Heap(cloths, thickness, masks, tier);

    function onGround(cloth: Body): Body {
        addCollider(cloth, "halfSpace", pose([0, 0, 0], [1, 1, 1], -Math.PI / 2, "x"));
        return cloth;
    }

    /** A sheet that lies at a height, turned about the vertical. */
    const sheetAt = (y: number, quads = 10, turn = 0, options: ClothOptions = {}): Body => {
        const [c, s] = [0.6 * Math.cos(turn), 0.6 * Math.sin(turn)];
        const place = lying(1, 1, y);
        const turned = grid(quads, quads, (u, v) => {
            const [x, height, z] = place(u, v);
            return [x * c - z * s, height, x * s + z * c];
        });
        return onGround(make(turned, options));
    };

    function heightOf(cloth: Body): number {
        let sum = 0;
        for (let i = 0; i < cloth.state.particleCount; i++) sum += at(cloth, i)[1];
        return sum / cloth.state.particleCount;
    }

    test.each([0.004, 0.01, 0.03])(
        "sheets of any turn rest on each other at a thickness of %d m, far below their edges",
        (thickness) => {
            const heap = heapOf([sheetAt(0.05), sheetAt(0.12, 10, 0.5)], thickness).run(90);
            expect(heap.crossings).toBe(0);
            expect(Math.abs(heightOf(heap.cloths[0]) - 0.01)).toBeLessThan(1e-3);
            expect(Math.abs(heightOf(heap.cloths[1]) - heightOf(heap.cloths[0]) - thickness)).toBeLessThan(0.3 * thickness);
            expect(heap.warnings).toEqual([]);
        },
    );

    test("ten sheets that have fallen in a pile lie apart and asleep", () => {
        const heap = heapOf(Array.from({ length: 10 }, (_, k) => sheetAt(0.05 + 0.06 * k, 5, 0, { sleepSpeed: 2e-3 })));
        for (let f = 0; f < 30; f++) expect(heap.run(1).crossings).toBe(0);
        heap.run(70);
        expect(heap.crossings).toBe(0);
        for (const { isAsleep } of heap.cloths) expect(isAsleep).toBe(true);
        for (let k = 1; k < 10; k++) expect(heightOf(heap.cloths[k]) - heightOf(heap.cloths[k - 1])).toBeGreaterThan(0.009);
    });

    test("a sheet that falls on its edge folds, and passes through itself in no frame looked at", () => {
        const bowed = grid(20, 20, (u, v) => [0.3 * Math.sin(1.5 * Math.PI * v), 0.75 * v + 0.1, u - 0.5]);
        const heap = heapOf([onGround(make(bowed))]);
        for (let f = 0; f < 25; f++) expect(heap.run(4).crossings).toBe(0);
        expect(Math.max(...Array.from({ length: 441 }, (_, i) => at(heap.cloths[0], i)[1]))).toBeGreaterThan(0.018);
    });

    test.each(TIERS)("of two resolutions, in different substeps and steps, by %s", (tier) => {
        const fine = sheetAt(0.12, 17, 0.3, { substepCount: 6 });
        const fast = sheetAt(0.2, 8, 0.9, { fixedTimeStep: 1 / 120, substepCount: 2 });
        const heap = heapOf([sheetAt(0.05), fine, fast], null, [], tier).run(90);
        expect(heap.crossings).toBe(0);
        expect(heightOf(fine)).toBeGreaterThan(0.018);
        expect(heightOf(fast)).toBeGreaterThan(heightOf(fine) + 0.008);
    });

    test.each(TIERS)("cloths whose groups do not meet pass, by %s", (tier) => {
        const heap = heapOf([sheetAt(0.05), sheetAt(0.15)], null, [-1, 2], tier).run(60);
        expect(Math.abs(heightOf(heap.cloths[1]) - 0.01)).toBeLessThan(1e-3);
    });

    test("what is kept off by particles and what is by triangles meet by their particles", () => {
        const heap = new Heap([sheetAt(0.05)], 0.03);
        const above = heapOf([sheetAt(0.15)], 0.03);
        const { collisionProxy: member } = above.cloths[0];
        const both = [heap.cloths[0], above.cloths[0]];
        above.world.disableSelfCollision(above.cloths[0]);
        heap.world.enableSelfCollision(above.cloths[0], member!.options);
        for (let f = 0; f < 90; f++) {
            for (const cloth of both) {
                cloth.clock.frameSeconds = 1 / 60;
                cloth.beginFrame();
            }
            heap.world.advance(both);
        }
        expect(heightOf(above.cloths[0])).toBeGreaterThan(0.03);
    });

    test("what meets in free fall keeps its momentum", () => {
        const options: ClothOptions = { gravity: [0, 0, 0], fabric: { ...FABRIC, damping: 0 } };
        const [a, b] = [0.1, 0.2].map((y, k) => make(grid(8 - k, 8, lying(0.4, 0.4, y)), options));
        for (let i = 0; i < b.state.particleCount; i++) setVelocity(b, i, [0.1, -1, 0]);
        const before = measure(b).momentum;
        heapOf([a, b]).run(30);
        const after = [measure(a).momentum, measure(b).momentum];
        for (let c = 0; c < 3; c++)
            expect(Math.abs(after[0][c] + after[1][c] - before[c])).toBeLessThan(0.02 * Math.abs(before[1]));
        expect(after[0][1]).toBeLessThan(0.3 * before[1]);
    });

    test("curtains of 0.6 m whose middles pins force through each other by 0.15 m are clean 3 s after they let go", () => {
        const { heap, letGo } = pushThrough(make, "triangles", [10, 9]);
        expect(heap.crossings).toBeGreaterThan(20);
        letGo();
        expect(heap.run(180).crossings).toBe(0);
    });

    // They shook at 0.4 to 1.3 m/s for as long as they were held.
    test.each(TIERS)(
        "curtains that pins hold through each other come to rest, and are clean 3 s after they are let go: %s",
        (tier) => {
            const { heap, letGo } = pushThrough(make, tier, [10, 9]);
            // Of 16 pairs all rest by then.
            heap.run(720);
            let fastest = 0;
            for (let f = 0; f < 30; f++) {
                heap.run(1);
                for (const { state, settings } of heap.cloths) fastest = Math.max(fastest, state.motion / settings.fixedTimeStep);
            }
            expect(heap.crossings).toBeGreaterThan(20);
            expect(fastest).toBeLessThan(0.2);
            letGo();
            expect(heap.run(180).crossings).toBe(0);
        },
    );

    test.each(TIERS)("two runs are the same to the bit, by %s", (tier) => {
        const run = (): Float32Array =>
            heapOf([sheetAt(0.05), sheetAt(0.1, 10, 0.4)], null, [], tier)
                .run(40)
                .cloths[1].state.positions.slice();
        expect(run()).toEqual(run());
    });

    const tooThick = "selfThickness 1000 is more than triangles of its mesh keep: it counts as 0.23 m, about two of its edges";
    test.each(TIERS.flatMap((tier) => [[tier, 0, []] as const, [tier, 1e3, [tooThick, tooThick]] as const]))(
        "by %s, thickness %d m: finite, and a warning for each cloth only of what is more than it keeps",
        (tier, thickness, warnings) => {
            const heap = heapOf([sheetAt(0.05, 6), sheetAt(0.06, 6)], thickness, [], tier);
            const { relists, bytes } = costOf(heap, 10);
            for (const cloth of heap.cloths) validateState(cloth.state);
            expect(heap.warnings).toEqual(warnings);
            expect(relists).toBeLessThanOrEqual(tier === "robust" ? MAX_RELISTS : heap.cloths[0].settings.substepCount);
            expect(bytes).toBeLessThan(tier === "robust" ? 16_000 : 5_000);
        },
    );

    test("many in one place, without area or no number: finite, with a list a substep of bounded length, one warning", () => {
        const flat = grid(5, 5, () => [0, 0.2, 0]);
        const thin = grid(5, 5, (u) => [u, 0.2, 0]);
        const cloths = [...Array.from({ length: 12 }, () => sheetAt(0.2, 5)), make(flat), make(thin)];
        const heap = heapOf(cloths);
        cloths[0].state.positions.fill(NaN, 0, 3);
        const { relists, contacts, bytes } = costOf(heap, 5);
        for (const cloth of cloths.slice(1)) validateState(cloth.state);
        expect(heap.warnings).toEqual([OVERFLOW_WARNING]);
        expect(relists).toBeLessThanOrEqual(cloths[0].settings.substepCount);
        expect(contacts).toBeLessThanOrEqual(48);
        expect(bytes).toBeLessThan(5_000);
    });
});
