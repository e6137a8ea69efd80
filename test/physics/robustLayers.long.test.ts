import { describe, expect, jest, test } from "@jest/globals";
import { SelfContacts } from "../../src/engine/collision/self/selfContacts";
import { advance, Heap, twist } from "./layers";
import { grid, lying } from "./meshes";
import { seededRandom } from "../random";
import { addCollider, lowest, makeCloth, measure, pinParticles, pose, setVelocity } from "./support";

const FABRIC = { thickness: 0.01, friction: 0.4, damping: 0.6, shearStiffness: 200, bendStiffness: 5e-5, arealDensity: 0.2 };

describe("robust layers", () => {
    // By triangles alone, it passes from frame 104 on.
    test("a ribbon whose ends are turned passes through itself in no frame", () => {
        const turned = twist([4, 40], [0.1, 1], { ...FABRIC, thickness: 0.012 });
        const heap = new Heap([turned.cloth], null, [], "robust");
        for (let f = 1; f <= 108; f++) {
            turned.carry(0.15 * f, 0.3 * (f / 180));
            expect(heap.run(1).crossings).toBe(0);
        }
    });

    // What contact moves in a substep is within what was listed for it.
    test("a ribbon whose ends are turned fast is listed once a substep", () => {
        const turned = twist([4, 40], [0.1, 1], { ...FABRIC, thickness: 0.004 });
        const heap = new Heap([turned.cloth], null, [], "robust");
        const lists = jest.spyOn(SelfContacts.prototype, "list");
        for (let f = 1; f <= 40; f++) {
            turned.carry(0.15 * f, 0);
            heap.run(1);
        }
        const { substepCount } = turned.cloth.settings;
        expect(lists.mock.calls.length / 40 / substepCount).toBeLessThan(1.05);
        lists.mockRestore();
    });

    test("sheets that fly at each other at 20 m/s stay on their sides", () => {
        const sheets = [0.1, 0.3].map((y, k) =>
            makeCloth(grid(8 - k, 8, lying(0.4, 0.4, y)), { gravity: [0, 0, 0], fabric: FABRIC }),
        );
        for (const [k, cloth] of sheets.entries())
            for (let i = 0; i < cloth.state.particleCount; i++) setVelocity(cloth, i, [0, k ? -10 : 10, 0]);
        const heap = new Heap(sheets, null, [], "robust");
        for (let f = 0; f < 30; f++) {
            expect(heap.run(1).crossings).toBe(0);
            const [below, above] = sheets.map((cloth) => cloth.state.positions[1]);
            expect(above).toBeGreaterThan(below);
        }
    });

    // By what flies far off all is taken to come along, and what is held too far from that goes with it: through what stands still, too.
    test.each([
        [10, 30],
        [20, 40],
        [40, 120],
    ])("what flies at %d m/s at a cloth that is switched off passes it in no frame, while a third flies at %d", (speed, fast) => {
        const [still, above, third] = [
            { aside: 0, height: 0, fall: 0 },
            { aside: 0.1, height: 0.03, fall: speed },
            { aside: 3, height: 0, fall: fast },
        ].map(({ aside, height, fall }) => {
            const sheet = grid(4, 4, (u, v) => [0.4 * u + aside, height, 0.4 * v]);
            const cloth = makeCloth(sheet, { gravity: [0, 0, 0], fabric: FABRIC });
            for (let i = 0; i < cloth.state.particleCount; i++) setVelocity(cloth, i, [0, -fall, 0]);
            return cloth;
        });
        const heap = new Heap([still, above, third], null, [], "robust");
        const before = still.state.positions.slice();
        for (let f = 0; f < 8; f++) {
            advance(heap.world, [above, third], 1);
            expect(heap.crossings).toBe(0);
            expect(lowest(above)).toBeGreaterThan(0);
        }
        expect(still.state.positions).toEqual(before);
    });

    // All came less far as soon as any pair could not be kept from passing: it went on at a quarter of its speed.
    test("what flies far off keeps its speed while others are thrown at each other at 40 m/s, and all stays apart", () => {
        const cloths = [0, 1, 2, 3].map((k) =>
            makeCloth(
                grid(5 - (k % 2), 5, (u, v) => [0.4 * u + 0.05 * k, 0.1 * k, 0.4 * v + (k === 3 ? 50 : 0)]),
                { gravity: [0, 0, 0], fabric: { ...FABRIC, damping: 0, thickness: 0.005 } },
            ),
        );
        cloths.forEach((cloth, k) => {
            for (let i = 0; i < cloth.state.particleCount; i++)
                setVelocity(cloth, i, k === 3 ? [3, 0, 0] : [Math.sin(k), k === 0 ? 40 : -40, Math.cos(3 * k)]);
        });
        const heap = new Heap(cloths, null, [], "robust");
        const [x] = measure(cloths[3]).centre;
        for (let f = 0; f < 12; f++) expect(heap.run(1).crossings).toBe(0);
        expect(measure(cloths[3]).centre[0] - x).toBeCloseTo((3 * 12) / 60, 3);
    });

    test("what a ball presses into the ground stays apart in each frame", () => {
        const sheets = [0.02, 0.04, 0.06].map((y) => makeCloth(grid(8, 8, lying(0.6, 0.6, y)), { fabric: FABRIC }));
        const balls = sheets.map((cloth) => {
            addCollider(cloth, "halfSpace", pose([0, 0, 0], [1, 1, 1], -Math.PI / 2, "x"));
            return addCollider(cloth, "sphere", pose([0, 0.5, 0], [0.15, 0.15, 0.15]));
        });
        const heap = new Heap(sheets, null, [], "robust");
        for (let f = 0; f < 40; f++) {
            for (const ball of balls) ball.setPose(pose([0.01 * f, Math.max(0.1, 0.5 - 0.03 * f), 0], [0.15, 0.15, 0.15]));
            expect(heap.run(1).crossings).toBe(0);
        }
    });

    test("a curtain that pins move through another yields, and is clean 3 s after they let go", () => {
        const cloths = [8, 7].map((n, k) =>
            makeCloth(
                grid(n, n, (u, v) => [0.6 * (u - 0.5), 0.6 * v, 0.06 * k]),
                {
                    fabric: FABRIC,
                    pinned: Array.from({ length: n + 1 }, (_, i) => n * (n + 1) + i),
                },
            ),
        );
        const heap = new Heap(cloths, null, [], "robust").run(10);
        const grips = cloths.map((cloth, k) => {
            const middle = (8 - k) >> 1;
            return pinParticles(
                cloth,
                [-1, 0, 1].flatMap((j) => [-1, 0, 1].map((i) => (middle + j) * (9 - k) + middle + i)),
            );
        });
        for (let f = 1; f <= 30; f++) {
            grips.forEach((grip, k) => grip.setTargets(pose([0, 0, ((0.5 - k) * 0.21 * f) / 30])));
            heap.run(1);
        }
        expect(heap.crossings).toBeGreaterThan(10);
        cloths.forEach((cloth, k) => cloth.removePins(grips[k]));
        expect(heap.run(180).crossings).toBe(0);
    });

    // Of pages so thin, more lies within the margins than there is room for.
    test("a book whose pages are beaten together stays in order: it looks less far", () => {
        const pages = Array.from({ length: 40 }, (_, k) =>
            makeCloth(grid(3, 3, lying(0.2, 0.2, 6e-4 * k)), {
                fabric: { ...FABRIC, thickness: 5e-4 },
                gravity: [0, 0, 0],
            }),
        );
        pages.forEach((page, k) => {
            for (let i = 0; i < page.state.particleCount; i++) setVelocity(page, i, [0, (0.05 * (20 - k)) / 20, 0.02 * (k % 3)]);
        });
        const heap = new Heap(pages, null, [], "robust");
        for (let f = 0; f < 15; f++) expect(heap.run(1).crossings).toBe(0);
        expect(heap.warnings).toEqual([]);
    });

    // Nothing tells on which side of the other each layer is: there is no side to keep, nor anything to stop for.
    test("a bag that lies flat, both its layers in one plane, falls", () => {
        const bag = grid(7, 14, (u, v) => [0.4 * u, 1, (v < 0.5 ? 0.8 : 0.78) * Math.abs(v - 0.5)]);
        const cloth = makeCloth(bag, { fabric: FABRIC });
        new Heap([cloth], null, [], "robust").run(20);
        expect(lowest(cloth)).toBeLessThan(0.6);
    });

    // Within a substep each would come through all others.
    test("pages thrown at each other at 30 m/s stay in order: all come less far", () => {
        const pages = Array.from({ length: 12 }, (_, k) =>
            makeCloth(grid(4, 4, lying(0.2, 0.2, 4e-3 * k)), {
                fabric: { ...FABRIC, thickness: 5e-4 },
                gravity: [0, 0, 0],
            }),
        );
        pages.forEach((page, k) => {
            for (let i = 0; i < page.state.particleCount; i++)
                setVelocity(page, i, [0, (k < 6 ? 30 : -30) * (1 + 0.3 * Math.sin(7 * k + i)), 10 * Math.cos(5 * k + i)]);
        });
        const heap = new Heap(pages, null, [], "robust");
        for (let f = 0; f < 5; f++) expect(heap.run(1).crossings).toBe(0);
        expect(heap.warnings).toEqual([]);
        expect(pages.every((page) => page.state.motion > 0)).toBe(true);
    });

    // Begun through itself, it has been promised nothing; but half a minute for a frame, and 50 kB for a particle, is more than a page can give.
    test("crammed into a fist, it looks at no more than it has room for, says so, and comes free all but for little", () => {
        const cloth = makeCloth(grid(12, 12, lying(0.6, 0.6, 0)), { fabric: FABRIC, gravity: [0, 0, 0] });
        const heap = new Heap([cloth], null, [], "robust").run(1);
        const random = seededRandom(7);
        cloth.resetTo(Float32Array.from({ length: 3 * cloth.state.particleCount }, () => 0.03 * random()));
        const crossings = heap.crossings;
        heap.run(10);
        expect(heap.warnings).toHaveLength(1);
        // It has let go of what it took before it gave up ...
        expect(cloth.selfCollision!.byteLength / cloth.state.particleCount).toBeLessThan(5_000);
        heap.run(140);
        // ... and takes four times that at most, now that all has room.
        expect(cloth.selfCollision!.byteLength / cloth.state.particleCount).toBeLessThan(16_000);
        expect(heap.warnings).toHaveLength(1);
        expect(cloth.state.positions.every(Number.isFinite)).toBe(true);
        expect(heap.crossings).toBeLessThan(0.02 * crossings);
    });
});
