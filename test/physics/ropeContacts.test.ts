import { describe, expect, test } from "@jest/globals";
import type { Body, Vector } from "../../src/engine/index";
import type { SelfCollisionTier } from "../../src/engine/collision/self/collisionProxy";
import { World } from "../../src/engine/index";
import { seededRandom } from "../random";
import { advance, Heap } from "./layers";
import { grid, gridIndex, lying } from "./meshes";
import { boxMesh, makePlant } from "./plants";
import { line, makeRope } from "./ropes";
import type { RopeOptions } from "./ropes";
import { gapBetween } from "./segments";
import { addCollider, at, makeCloth, measure, pinParticles, pose, setVelocity } from "./support";

const RADIUS = 0.01;
const FABRIC = { thickness: RADIUS, friction: 0.4, damping: 0.4 };
const CLOTH = { ...FABRIC, shearStiffness: 200, arealDensity: 0.2, bendStiffness: 1e-5 };

/** Bodies that keep off themselves and each other. */
function together(bodies: readonly Body[], tier: SelfCollisionTier = "triangles"): World {
    const world = new World();
    for (const body of bodies) {
        const restPositions = new Float32Array(3 * body.state.particleCount);
        body.readPositions(restPositions);
        const isRope = body.triangles.triangles[1] === body.triangles.triangles[2];
        world.enableSelfCollision(body, {
            restPositions,
            groups: { group: 1, mask: -1 },
            settings: { thickness: null, isAdaptive: false },
            tier: isRope ? "triangles" : tier,
            warn: (message) => expect(message).toBe(""),
        });
    }
    return world;
}

function onGround(body: Body): Body {
    addCollider(body, "halfSpace", pose([0, 0, 0], [1, 1, 1], -Math.PI / 2, "x"));
    return body;
}

/** Momentum [kg m/s], and energy of motion [J], of all. */
function measureAll(bodies: readonly Body[]): { momentum: number[]; kinetic: number } {
    const all = bodies.map(measure);
    return {
        momentum: [0, 1, 2].map((c) => all.reduce((sum, { momentum }) => sum + momentum[c], 0)),
        kinetic: all.reduce((sum, { kinetic }) => sum + kinetic, 0),
    };
}

describe("ropes that touch", () => {
    const rope = (points: Float32Array, options: RopeOptions = {}): Body => makeRope(points, { fabric: FABRIC, ...options });

    const jitter = seededRandom(5);
    test.each([
        ["links far longer than thick, 60 Hz", 6, () => 1 / 60],
        ["30 Hz", 21, () => 1 / 30],
        ["144 Hz", 21, () => 1 / 144],
        ["frames of any length", 21, () => 0.005 + 0.03 * jitter()],
        ["links shorter than thick", 81, () => 1 / 60],
    ])("one that falls across another lies on it at the sum of their radii: %s", (_, count, seconds) => {
        const stiff = { rope: { bendStiffness: 1e-2 } };
        const below = onGround(rope(line([-0.5, 0.011, 0], [0.5, 0.011, 0], count), stiff));
        const above = onGround(rope(line([0.007, 0.1, -0.3], [0.007, 0.1, 0.3], count), stiff));
        const bodies = [below, above];
        advance(together(bodies), bodies, Math.round(2 / seconds()), seconds);
        expect(Math.abs(gapBetween(below, above) / (2 * RADIUS) - 1)).toBeLessThan(0.04);
        expect(Math.max(...Array.from({ length: count }, (__, i) => at(above, i)[1]))).toBeGreaterThan(0.028);
    });

    test.each([
        ["cloth that is held", "triangles", false],
        ["cloth that is held", "robust", false],
        ["a plant", "triangles", true],
        ["a plant", "robust", true],
    ] as const)("one that falls across a bar of %s, with corners, does not cut them: %s", (_, tier, isPlant) => {
        for (const thickness of [RADIUS, 0.4 * RADIUS]) {
            const options = { fabric: { ...FABRIC, damping: 2, thickness: 0.002 } };
            const shape = boxMesh([0.6, 0.04, 0.04], [12, 1, 1]);
            const count = shape.positions.length / 3;
            const ends = Array.from({ length: count }, (__, i) => i).filter(
                (i) => !isPlant || Math.abs(shape.positions[3 * i]) > 0.29,
            );
            const bar = isPlant ? makePlant(shape, options) : makeCloth(shape, options);
            pinParticles(bar, ends);
            const over = rope(line([0.02, 0.08, -0.3], [0.02, 0.08, 0.3], 31), { fabric: { ...FABRIC, thickness, damping: 1 } });
            const heap = new Heap([bar, over], null, [], tier);
            for (let f = 0; f < 100; f++) expect(heap.run(1).crossings).toBe(0);
            expect(Math.max(...Array.from({ length: 31 }, (__, i) => at(over, i)[1]))).toBeGreaterThan(0.02);
        }
    });

    test.each([
        ["a rope", null],
        ["cloth that keeps off by triangles", "triangles"],
        ["cloth that keeps off by particles", "particles"],
    ] as const)("momentum is kept, and no energy made, where one meets %s in free flight", (_, tier) => {
        const free = { gravity: [0, 0, 0] as Vector, fabric: { ...FABRIC, damping: 0 } };
        const flying = rope(line([-0.4, 0.1, 0.013], [0.4, 0.1, 0.013], 25), free);
        const other = tier
            ? makeCloth(grid(8, 8, lying(0.5, 0.5, 0)), { ...free, fabric: { ...CLOTH, damping: 0 } })
            : rope(line([0.01, 0, -0.4], [0.01, 0, 0.4], 25), free);
        for (let i = 0; i < 25; i++) setVelocity(flying, i, [0, -1, 0]);
        const bodies = [flying, other];
        const world = together(bodies, tier ?? "triangles");
        const before = measureAll(bodies);
        let most = 0;
        for (let f = 0; f < 30; f++) {
            advance(world, bodies, 1);
            most = Math.max(most, measureAll(bodies).kinetic);
        }
        const after = measureAll(bodies);
        for (let c = 0; c < 3; c++) expect(Math.abs(after.momentum[c] - before.momentum[c])).toBeLessThan(1e-3 * 0.08);
        expect(measure(other).momentum[1]).toBeLessThan(-0.01);
        expect(most).toBeLessThan(1.001 * before.kinetic);
    });

    test.each(["triangles", "particles", "robust"] as const)(
        "a rope laid over a sheet that hangs by its corners pulls it down: %s",
        (tier) => {
            const quads = 8;
            const sagOf = (isLaden: boolean): number => {
                const sheet = makeCloth(grid(quads, quads, lying(1, 1, 0)), { fabric: { ...CLOTH, damping: 3 } });
                pinParticles(
                    sheet,
                    [0, quads].flatMap((u) => [0, quads].map((v) => gridIndex(quads, u, v))),
                );
                const laid = rope(line([-0.3, 0.03, 0.02], [0.3, 0.03, 0.02], 25), {
                    rope: { linearDensity: 0.3 },
                    fabric: { ...FABRIC, damping: 3 },
                });
                const bodies = isLaden ? [sheet, laid] : [sheet];
                advance(together(bodies, tier), bodies, 100);
                const middle = at(sheet, gridIndex(quads, quads / 2, quads / 2))[1];
                if (isLaden) for (let i = 0; i < 25; i++) expect(at(laid, i)[1]).toBeGreaterThan(middle - 0.02);
                return middle;
            };
            expect(sagOf(true)).toBeLessThan(sagOf(false) - 4e-3);
        },
    );

    test.each([
        [0.6, true],
        [0.65, true],
        [0.85, false],
    ])("one hung over another holds by friction up to Euler and Eytelwein's ratio: %d of it on one side", (share, holds) => {
        const count = 41;
        const below = rope(line([-0.3, 0, 0], [0.3, 0, 0], 21), { pinned: Array.from({ length: 21 }, (_, i) => i) });
        const around = 2.1 * RADIUS;
        const points = new Float32Array(3 * count);
        for (let i = 0; i < count; i++) {
            const along = i / (count - 1) - share;
            const turn = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, along / around));
            const down = Math.abs(along - turn * around);
            points.set([0.004, around * Math.cos(turn) - down, around * Math.sin(turn)], 3 * i);
        }
        const hung = rope(points);
        const bodies = [below, hung];
        advance(together(bodies), bodies, 240);
        const [first, last] = [at(hung, 0)[1], at(hung, count - 1)[1]];
        // Of 0.4 and half a turn: 3.5 to 1.
        expect(first > -1 && Math.abs(last + 1 - share) < 0.1).toBe(holds);
        if (holds) expect(gapBetween(below, hung)).toBeGreaterThan(0.95 * 2 * RADIUS);
    });

    test("one that is poured on the ground in a heap lies apart from itself", () => {
        const count = 81;
        const points = new Float32Array(3 * count);
        for (let i = 0; i < count; i++)
            points.set([0.03 * Math.sin(0.7 * i), 0.05 + (3 * i) / (count - 1), 0.03 * Math.cos(0.7 * i)], 3 * i);
        const poured = onGround(rope(points, { rope: { bendStiffness: 1e-3 } }));
        const world = together([poured]);
        advance(world, [poured], 240);
        for (let f = 0; f < 60; f += 10) {
            advance(world, [poured], 10);
            expect(gapBetween(poured, poured, 4)).toBeGreaterThan(0.9 * 2 * RADIUS);
        }
        expect(measure(poured).centre[1]).toBeLessThan(0.05);
        expect(measure(poured).centre[1]).toBeGreaterThan(0.011);
    });

    test("a heap of ropes has no energy from nothing, at any frame rate", () => {
        const next = seededRandom(7);
        const ropes = Array.from({ length: 5 }, (_, k) => {
            const turn = 1.3 * k;
            const [x, z] = [0.4 * Math.cos(turn), 0.4 * Math.sin(turn)];
            return onGround(rope(line([-x, 0.05 + 0.05 * k, -z], [x, 0.05 + 0.05 * k, z], 17)));
        });
        const world = together(ropes);
        const energy = (): number => ropes.reduce((sum, one) => sum + measure(one).kinetic + measure(one).potential, 0);
        let last = energy();
        for (let f = 0; f < 100; f++) {
            advance(world, ropes, 1, () => 0.003 + 0.03 * next());
            const now = energy();
            // A hundredth of what there was at first.
            expect(now).toBeLessThan(last + 5e-3);
            last = Math.min(last, now);
        }
    });
});
