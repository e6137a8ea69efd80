import { describe, expect, test } from "@jest/globals";
import type { Body } from "../../src/engine/index";
import { validateState } from "../../src/engine/state/state";
import { costOf, OVERFLOW_WARNING } from "./layerCost";
import { pushThrough, forceThroughItself, Heap } from "./layers";
import { grid, lying, topRow } from "./meshes";
import type { Sheet } from "./meshes";
import { addCollider, at, makeCloth, measure, pose, setVelocity } from "./support";
import type { ClothOptions } from "./support";

const FABRIC = { thickness: 0.01, friction: 0.4, damping: 0.6, shearStiffness: 200, bendStiffness: 5e-5, arealDensity: 0.2 };

describe("layers of cloth", () => {
    const make = (sheet: Sheet, options: ClothOptions = {}): Body => makeCloth(sheet, { fabric: FABRIC, ...options });

    function onGround(cloth: Body): Body {
        addCollider(cloth, "halfSpace", pose([0, 0, 0], [1, 1, 1], -Math.PI / 2, "x"));
        return cloth;
    }

    const sheetAt = (y: number, quads = 12, options: ClothOptions = {}): Body =>
        onGround(make(grid(quads, quads, lying(0.6, 0.6, y)), options));

    /** Mean height of a cloth [m]. */
    function heightOf(cloth: Body): number {
        let sum = 0;
        for (let i = 0; i < cloth.state.particleCount; i++) sum += at(cloth, i)[1];
        return sum / cloth.state.particleCount;
    }

    function highest(cloth: Body): number {
        return Math.max(...Array.from({ length: cloth.state.particleCount }, (_, i) => at(cloth, i)[1]));
    }

    test("a sheet rests on another, as far above it as they are thick", () => {
        const heap = new Heap([sheetAt(0.05), sheetAt(0.15)], 0.03).run(90);
        expect(Math.abs(heightOf(heap.cloths[0]) - 0.01)).toBeLessThan(1e-3);
        expect(Math.abs(heightOf(heap.cloths[1]) - 0.04)).toBeLessThan(3e-3);
        expect(heap.crossings).toBe(0);
    });

    test("the thickness left out is the fabric's, at least half of the edges", () => {
        const heap = new Heap([sheetAt(0.05), sheetAt(0.15)]).run(90);
        expect(Math.abs(heightOf(heap.cloths[1]) - 0.035)).toBeLessThan(3e-3);
        expect(heap.warnings).toEqual([]);
    });

    test("of two resolutions, in different substeps and steps", () => {
        const fine = sheetAt(0.2, 23, { substepCount: 6 });
        const fast = sheetAt(0.3, 12, { fixedTimeStep: 1 / 120, substepCount: 2 });
        const heap = new Heap([sheetAt(0.05), fine, fast]).run(120);
        expect(heap.crossings).toBe(0);
        expect(heightOf(fine)).toBeGreaterThan(0.02);
        expect(heightOf(fast)).toBeGreaterThan(heightOf(fine) + 0.01);
    });

    test("cloths whose groups do not meet pass", () => {
        const heap = new Heap([sheetAt(0.05), sheetAt(0.15)], null, [-1, 2]).run(90);
        expect(Math.abs(heightOf(heap.cloths[1]) - 0.01)).toBeLessThan(1e-3);
    });

    test("three sheets in a pile come to rest", () => {
        const heap = new Heap(Array.from({ length: 3 }, (_, k) => sheetAt(0.05 + 0.06 * k))).run(120);
        expect(heap.crossings).toBe(0);
        for (const { state } of heap.cloths) expect(state.motion * 60).toBeLessThan(1e-3);
    });

    test("ten sheets that have fallen straight on each other stay so, and fall asleep", () => {
        const cloths = Array.from({ length: 10 }, (_, k) =>
            onGround(make(grid(11, 11, lying(1, 1, 0.05 + 0.06 * k)), { sleepSpeed: 2e-3 })),
        );
        new Heap(cloths).run(120);
        expect(cloths.map(({ isAsleep }) => isAsleep)).toEqual(cloths.map(() => true));
        const [low, high] = [cloths[0], cloths[9]].map((cloth) => at(cloth, 0));
        for (const c of [0, 2]) expect(Math.abs(high[c] - low[c])).toBeLessThan(2e-3);
    });

    test("six sheets that have fallen in a pile lie above each other, for some seconds", () => {
        const heap = new Heap(Array.from({ length: 6 }, (_, k) => sheetAt(0.05 + 0.06 * k))).run(180);
        expect(heap.crossings).toBe(0);
        const heights = heap.cloths.map(heightOf);
        for (let k = 1; k < 6; k++) expect(heights[k] - heights[k - 1]).toBeGreaterThan(0.015);
    });

    const bowed = (quads: number): Sheet =>
        grid(quads, quads, (u, v) => [0.3 * Math.sin(1.5 * Math.PI * v), 0.75 * v + 0.1, u - 0.5]);

    test.each([30, 31])("a sheet of %i² that falls edge-on folds, and passes through itself only within creases", (quads) => {
        const heap = new Heap([onGround(make(bowed(quads)))]);
        // What is closer than three edges over the mesh does not collide: there, creases that are pressed flat cross.
        heap.run(10);
        for (let f = 10; f < 40; f++) expect(heap.run(1).crossingsOf(3 / quads)).toBe(0);
        expect(heap.run(140).crossingsOf(3 / quads)).toBe(0);
        expect(highest(heap.cloths[0])).toBeGreaterThan(0.025);
    });

    test("without, all of it comes down to the ground", () => {
        // Of 31² to 33² one fold goes on to stand, 3.5 cm high.
        const alone = new Heap([onGround(make(bowed(30)))]);
        alone.world.disableSelfCollision(alone.cloths[0]);
        expect(highest(alone.run(180).cloths[0])).toBeLessThan(0.015);
    });

    test.each([30, 31])("without, a sheet of %i² passes through itself", (quads) => {
        const alone = new Heap([onGround(make(bowed(quads)))]);
        alone.world.disableSelfCollision(alone.cloths[0]);
        let most = 0;
        for (let f = 0; f < 60; f++) most = Math.max(most, alone.run(1).crossingsOf(3 / quads));
        expect(most).toBeGreaterThan(100);
    });

    test("what meets in free fall keeps its momentum", () => {
        const gravity = [0, 0, 0] as const;
        const options: ClothOptions = { gravity: [...gravity], fabric: { ...FABRIC, damping: 0 } };
        const [a, b] = [0.1, 0.2].map((y) => make(grid(8, 8, lying(0.4, 0.4, y)), options));
        for (let i = 0; i < b.state.particleCount; i++) setVelocity(b, i, [0.1, -1, 0]);
        const before = measure(b).momentum;
        new Heap([a, b]).run(30);
        const after = [measure(a).momentum, measure(b).momentum];
        for (let c = 0; c < 3; c++) expect(Math.abs(after[0][c] + after[1][c] - before[c])).toBeLessThan(1e-4);
        // Without bounce: they go on together.
        expect(after[0][1]).toBeLessThan(0.4 * before[1]);
    });

    test("what meets far from where it began meets as there", () => {
        const gapAfter = (way: number): number => {
            const [a, b] = [0.1, 0.2].map((y) => make(grid(8, 8, lying(0.4, 0.4, y)), { gravity: [0, 0, 0] }));
            const heap = new Heap([a, b]).run(1);
            for (const cloth of [a, b]) cloth.teleport(Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, way, 0, 0, 1));
            for (let i = 0; i < b.state.particleCount; i++) setVelocity(b, i, [0, -1, 0]);
            heap.run(20);
            return heightOf(b) - heightOf(a);
        };
        // A million metres away, 32-bit floats are 6 cm apart.
        expect(Math.abs(gapAfter(1e6) - gapAfter(0))).toBeLessThan(1e-3);
    });

    test("two runs are the same to the bit", () => {
        const run = (): Float32Array => new Heap([sheetAt(0.05), sheetAt(0.1)]).run(40).cloths[1].state.positions.slice();
        expect(run()).toEqual(run());
    });

    test("wakes what it falls on", () => {
        const below = sheetAt(0.02, 12, { sleepSpeed: 1e-3 });
        const above = sheetAt(6, 12, { sleepSpeed: 1e-3 });
        const heap = new Heap([below, above]).run(5);
        while (!below.isAsleep) heap.run(1);
        expect(heightOf(above)).toBeGreaterThan(0.1);
        for (let f = 0; f < 90 && below.isAsleep; f++) heap.run(1);
        expect(below.isAsleep).toBe(false);
        heap.run(60);
        expect(heap.crossings).toBe(0);
        expect(heightOf(above)).toBeGreaterThan(heightOf(below) + 0.015);
    });

    const tooThin =
        "selfThickness 0 is less than its particles keep apart, 0.025 m, half of its edges: it keeps apart by its triangles";
    test.each([
        ["zero thickness", "each cloth", 0, [tooThin, tooThin]],
        ["enormous thickness", "all of them", 1e3, [OVERFLOW_WARNING]],
    ])("%s: finite, and one warning for %s", (_, __, thickness, warnings) => {
        const heap = new Heap([sheetAt(0.05), sheetAt(0.06)], thickness).run(20);
        for (const cloth of heap.cloths) validateState(cloth.state);
        expect(heap.warnings).toEqual(warnings);
    });

    test.each([0, 60])("what is no number does not spread to another cloth, after %i frames", (frames) => {
        const [broken, sound] = [sheetAt(0.02, 8), sheetAt(0.05, 8)];
        const heap = new Heap([broken, sound]).run(frames);
        broken.state.positions.fill(NaN, 0, 3);
        heap.run(20);
        expect(() => validateState(sound.state)).not.toThrow();
    });

    test("thousand particles in one place: finite, in a bounded number of pairs, one warning", () => {
        const cloths = Array.from({ length: 40 }, () => sheetAt(0.2, 5));
        const heap = new Heap(cloths);
        const { pairs, contacts, bytes } = costOf(heap, 10);
        for (const cloth of cloths) validateState(cloth.state);
        expect(heap.warnings).toEqual([OVERFLOW_WARNING]);
        expect(pairs).toBeLessThanOrEqual(8);
        expect(contacts).toBe(0);
        expect(bytes).toBeLessThan(1_500);
    });

    test("layers that lie close at rest keep their distance, and do not push each other off", () => {
        // A sheet folded over at rest: two layers 2 cm apart, with edges of 5 cm.
        const folded = grid(8, 16, (u, v) => (v <= 0.5 ? [0.4 * u, 0.2, 0.8 * v] : [0.4 * u, 0.22, 0.8 * (1 - v)]));
        const cloth = make(folded, { gravity: [0, 0, 0] });
        const before = cloth.state.positions.slice();
        new Heap([cloth]).run(60);
        const moved = Math.max(...cloth.state.positions.map((x, i) => Math.abs(x - before[i])));
        expect(moved).toBeLessThan(0.01);
    });

    test.each([
        [10, 9],
        [16, 13],
    ] as const)("curtains of %i² and %i² whose middles pins force through each other are clean 3 s after they let go", (a, b) => {
        const { heap, letGo } = pushThrough(make, "particles", [a, b]);
        expect(heap.crossings).toBeGreaterThan(50);
        letGo();
        expect(heap.run(180).crossings).toBe(0);
    });

    test("curtains of 16² and 13², one of which a ball has pushed through the other, from border to border, are clean 2 s after it has gone", () => {
        const cloths = [16, 13].map((n, k) =>
            make(
                grid(n, n, (u, v) => [0.6 * (u - 0.5), 0.6 * v, 0.08 * k]),
                { pinned: topRow(n, n) },
            ),
        );
        const ballAt = (z: number): Float64Array => pose([0, 0.3, z], [0.16, 0.16, 0.16]);
        const ball = addCollider(cloths[0], "sphere", ballAt(-0.3));
        const heap = new Heap(cloths);
        let crossings = 0;
        for (let f = 1; f <= 40; f++) {
            ball.setPose(ballAt(0.015 * f - 0.3));
            heap.run(1);
            if (f % 10 === 0) crossings = Math.max(crossings, heap.crossings);
        }
        expect(crossings).toBeGreaterThan(30);
        heap.run(30);
        cloths[0].removeCollider(ball);
        expect(heap.run(120).crossings).toBe(0);
    });

    test.each([10, 16])("a sheet of %i quads whose halves are forced through each other is clean 3 s after that ends", (quads) => {
        const { heap, letGo } = forceThroughItself(make, "particles", quads);
        expect(heap.crossingsBeyond(3)).toBeGreaterThan(50);
        letGo();
        // Within two edges nothing collides: creases that are pulled tight stay crossed.
        expect(heap.run(180).crossingsBeyond(3)).toBe(0);
    });

    /** Where a sheet is that passes through itself, and the sheet. */
    const crossed = (): { heap: Heap; cloth: Body; positions: Float32Array } => {
        const { heap, letGo } = forceThroughItself(make, "particles", 10);
        letGo();
        const [cloth] = heap.cloths;
        const positions = new Float32Array(3 * cloth.state.particleCount);
        cloth.readPositions(positions);
        return { heap, cloth, positions };
    };

    test("what starts through itself, at rest, is clean after 3 s", () => {
        const { heap, cloth, positions } = crossed();
        heap.run(120);
        expect(heap.crossingsBeyond(3)).toBe(0);
        cloth.resetTo(positions);
        expect(heap.crossingsBeyond(3)).toBeGreaterThan(50);
        expect(heap.run(180).crossingsBeyond(3)).toBe(0);
    });

    test.each(
        (["particles", "triangles", "robust"] as const).flatMap((tier) => [[tier, 12, 0.6] as const, [tier, 13, 1.6] as const]),
    )(
        "two sheets that start across each other are apart after 1.5 s: %s, 12 and %i quads, %f rad between them",
        (tier, quads, angle) => {
            // Turned about a line through their middles: neither is cut in two by the other, from border to border.
            const across = (n: number, turn: number, aside: number): Body =>
                make(
                    grid(n, n, (u, v) => [
                        0.6 * (u - 0.5),
                        (0.6 * (v - 0.5) + aside) * Math.cos(turn),
                        (0.6 * (v - 0.5) + aside) * Math.sin(turn),
                    ]),
                    { gravity: [0, 0, 0] },
                );
            const heap = new Heap([across(12, 0.1, 0), across(quads, 0.1 + angle, 0.003)], null, [], tier);
            expect(heap.crossings).toBeGreaterThan(50);
            expect(heap.run(90).crossings).toBe(0);
            // Nor are they thrown: they came apart by half of their length, in half a second at least.
            for (const cloth of heap.cloths) expect(Math.hypot(...measure(cloth).momentum) / measure(cloth).mass).toBeLessThan(1);
        },
    );

    test.each(["particles", "triangles", "robust"] as const)(
        "what starts pressed into each other gets no more speed from fine substeps than from coarse ones: %s",
        (tier) => {
            const mostEnergy = (substepCount: number): number => {
                const cloths = [0, 1, 2, 3].map((k) =>
                    make(
                        grid(6, 6, (u, v) => [0.4 * u, 0.004 * k + 0.01 * Math.sin(9 * u + 2 * k) * Math.cos(7 * v), 0.4 * v]),
                        { gravity: [0, 0, 0], substepCount },
                    ),
                );
                const heap = new Heap(cloths, 0.03, [], tier);
                let most = 0;
                for (let f = 0; f < 8; f++) {
                    heap.run(1);
                    most = Math.max(
                        most,
                        cloths.reduce((sum, cloth) => sum + cloth.kineticEnergy, 0),
                    );
                }
                return most;
            };
            const usual = mostEnergy(4);
            expect(usual).toBeGreaterThan(1e-3);
            expect(mostEnergy(32)).toBeLessThan(usual);
        },
    );

    test("put back, it comes out of itself in the same way", () => {
        const { heap, cloth, positions } = crossed();
        const [first, second] = [20, 50].map((frames) => {
            cloth.resetTo(positions);
            heap.run(frames);
            cloth.resetTo(positions);
            heap.run(25);
            return cloth.state.positions.slice();
        });
        expect(second).toEqual(first);
    });

    test("thinner than its particles keep apart: goes by its triangles, and says so", () => {
        const heap = new Heap([onGround(sheetAt(0.02)), sheetAt(0.04)], 0.005);
        expect(heap.run(60).warnings[0]).toMatch(
            /^selfThickness 0.005 is less than its particles keep apart, 0.025 m, half of its edges: it keeps apart by its triangles/,
        );
        expect(heap.cloths.map(({ collisionProxy: member }) => member!.usesTriangles)).toEqual([true, true]);
        expect(heap.crossings).toBe(0);
        const [low, high] = heap.cloths.map(highest);
        expect(high - low).toBeGreaterThan(0.004);
        expect(high - low).toBeLessThan(0.008);
        expect(heap.cloths.some(({ collisionProxy: member }) => member!.needsRejoin)).toBe(false);
    });
});
