import { describe, expect, test } from "@jest/globals";
import type { Body, Vector } from "../../src/engine/index";
import type { SelfCollisionTier } from "../../src/engine/collision/self/collisionProxy";
import { Heap } from "./layers";
import { grid, lying } from "./meshes";
import type { Sheet } from "./meshes";
import { boxMesh, makePlant } from "./plants";
import type { PlantOptions } from "./plants";
import { line, makeRope } from "./ropes";
import { addCollider, at, makeCloth, measure, pose, setVelocity } from "./support";

const THICKNESS = 0.004;
const FABRIC = { thickness: THICKNESS, friction: 0.4, damping: 1 };
const FREE = { gravity: [0, 0, 0] as Vector, fabric: { ...FABRIC, damping: 0 } };

const moved = ({ positions, triangles }: Sheet, by: Vector): Sheet => ({
    positions: positions.map((x, k) => x + by[k % 3]),
    triangles,
});

function onGround(body: Body): Body {
    addCollider(body, "halfSpace", pose([0, 0, 0], [1, 1, 1], -Math.PI / 2, "x"));
    return body;
}

function thrown(body: Body, velocity: Vector): Body {
    for (let i = 0; i < body.state.particleCount; i++) setVelocity(body, i, velocity);
    return body;
}

const heights = (body: Body): number[] => Array.from({ length: body.state.particleCount }, (_, i) => at(body, i)[1]);

/** Momentum [kg m/s], and energy of motion [J], of all. */
function measureAll(bodies: readonly Body[]): { momentum: number[]; kinetic: number } {
    const all = bodies.map(measure);
    return {
        momentum: [0, 1, 2].map((c) => all.reduce((sum, { momentum }) => sum + momentum[c], 0)),
        kinetic: all.reduce((sum, { kinetic }) => sum + kinetic, 0),
    };
}

/** Heights [m] of what is not near its borders. */
function middleOf(body: Body): number[] {
    const all = Array.from({ length: body.state.particleCount }, (_, i) => at(body, i));
    return all.filter(([x, , z]) => Math.abs(x) < 0.06 && Math.abs(z) < 0.06).map(([, y]) => y);
}

/** What keeps off by particles keeps half of its mesh's edges, 17 mm of the jelly's. */
function expectGap(gap: number, tier: SelfCollisionTier): void {
    expect(gap).toBeGreaterThan(0);
    expect(gap).toBeLessThan(tier === "particles" ? 0.017 : 2 * THICKNESS);
}

const tiers: SelfCollisionTier[] = ["particles", "triangles", "robust"];

describe("plants that touch", () => {
    /** A jelly 20 cm high that stands on the ground. */
    const jelly = (at_: Vector = [0, 0.105, 0], options: PlantOptions = {}): Body =>
        makePlant(moved(boxMesh([0.2, 0.2, 0.2], [6, 6, 6]), at_), {
            plant: { stiffness: 2e5 },
            fabric: FABRIC,
            ...options,
        });

    test.each(tiers)("cloth that falls on a jelly lies on it, and hangs down at its sides: %s", (tier) => {
        const half = 8;
        const cloth = (): Body =>
            onGround(
                makeCloth(grid(2 * half, 2 * half, lying(0.4, 0.4, 0.24)), {
                    fabric: { ...FABRIC, arealDensity: 0.2, bendStiffness: 1e-5 },
                }),
            );
        const heap = new Heap([onGround(jelly()), cloth()], null, [], tier);
        heap.run(90);
        const [plant, sheet] = heap.cloths.map(heights);
        // Its middle.
        expectGap(sheet[half * (2 * half + 1) + half] - Math.max(...plant), tier);
        expect(Math.min(...sheet)).toBeLessThan(0.12);
        if (tier !== "particles") expect(heap.crossings).toBe(0);
        const alone = new Heap([onGround(jelly()), cloth()], null, [], tier);
        for (const body of alone.cloths) alone.world.disableSelfCollision(body);
        expect(Math.max(...heights(alone.run(90).cloths[1]))).toBeLessThan(0.1);
    });

    test.each(tiers)("one jelly stands on another: %s", (tier) => {
        const [below, above] = [onGround(jelly()), onGround(jelly([0.01, 0.33, 0.01]))];
        new Heap([below, above], null, [], tier).run(90);
        expectGap(Math.min(...middleOf(above)) - Math.max(...middleOf(below)), tier);
    });

    test.each(tiers)(
        "momentum is kept, and no energy made, where it meets a plant, cloth and a rope in free flight: %s",
        (tier) => {
            const others: Body[] = [
                jelly([0.33, 0.02, 0.03], FREE),
                makeCloth(
                    grid(8, 8, (u, v) => [-0.3, 0.3 * (u - 0.5), 0.3 * (v - 0.5)]),
                    FREE,
                ),
                makeRope(line([0, 0.2, -0.3], [0.01, 0.2, 0.3], 20), FREE),
            ];
            thrown(others[0], [-2, 0, 0]);
            thrown(others[1], [3, 0, 0]);
            thrown(others[2], [0, -3, 0]);
            const bodies = [jelly([0, 0, 0], FREE), ...others];
            const start = measureAll(bodies);
            const heap = new Heap(bodies, null, [], tier);
            for (let f = 0; f < 60; f++) expect(measureAll(heap.run(1).cloths).kinetic).toBeLessThan(1.01 * start.kinetic);
            const end = measureAll(bodies);
            expect(end.kinetic).toBeLessThan(0.9 * start.kinetic);
            end.momentum.forEach((p, c) =>
                expect(Math.abs(p - start.momentum[c])).toBeLessThan(2e-3 * Math.hypot(...start.momentum)),
            );
            // It has been struck.
            expect(measure(bodies[0]).momentum[0]).not.toBeCloseTo(0, 2);
        },
    );

    test.each<SelfCollisionTier>(["triangles", "robust"])("the arms of a clip that close on each other stay apart: %s", (tier) => {
        const clip = (): Body => {
            const bent = grid(4, 30, (u, v) => {
                const angle = Math.PI * (v - 0.5);
                return [0.3 * (1 - Math.cos(angle)), 0.05 * Math.sin(angle), 0.08 * (u - 0.5)];
            });
            const body = makePlant(bent, { ...FREE, plant: { stiffness: 1e4, thickness: 0.003 } });
            for (let i = 0; i < body.state.particleCount; i++) {
                const [x, y] = at(body, i);
                setVelocity(body, i, [0, -30 * x * Math.sign(y), 0]);
            }
            return body;
        };
        const [heap, alone] = [0, 1].map(() => new Heap([clip()], null, [], tier));
        for (const body of alone.cloths) alone.world.disableSelfCollision(body);
        let passed = 0;
        for (let f = 0; f < 30; f++) {
            expect(heap.run(1).crossings).toBe(0);
            passed += alone.run(1).crossings;
        }
        expect(passed).toBeGreaterThan(20);
    });

    test("where cloth takes more substeps for its contacts, a plant of its scene goes along", () => {
        const cloth = thrown(
            makeCloth(
                grid(10, 10, (u, v) => [0.02 * Math.sin(9 * v), 0.23 + 0.4 * u, 0.4 * (v - 0.5)]),
                { fabric: FABRIC },
            ),
            [0, -5, 0],
        );
        const heap = new Heap([onGround(jelly()), onGround(cloth)], null, [], "triangles", true);
        let most = 0;
        for (let f = 0; f < 12; f++) {
            const [plant, sheet] = heap.run(1).cloths.map(({ settings }) => settings.substepCount);
            expect(plant).toBe(sheet);
            most = Math.max(most, plant);
        }
        expect(most).toBeGreaterThan(4);
    });
});
