// Garments in their bind pose over fitted capsules, and pins inside colliders: nothing is flung, and all comes to rest.
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { ClothBehavior, Colliders, select } from "../../../src/index";
import { makeCoat, makeTorso } from "./garments";
import { disposeWorlds, listen, makeWorld, messageOf, told } from "./harness";

beforeEach(() => listen("warn"));
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

/** Largest distance between two sets of positions [m], shape [n, 3]. */
function largestMove(a: ArrayLike<number>, b: ArrayLike<number>): number {
    let most = 0;
    for (let i = 0; i < a.length; i += 3) most = Math.max(most, Math.hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]));
    return most;
}

describe("a coat over capsules that bulge out of the body", () => {
    /** Largest move in frame 1 [m], and the largest speed in the first half second [m/s]. */
    function wear(hasColliders: boolean, milliseconds: number): { first: number; speed: number } {
        const world = makeWorld();
        const torso = makeTorso(world.scene);
        const colliders = hasColliders ? Colliders.fromSkeleton(torso) : [];
        const cloth = new ClothBehavior({ pins: [{ select: select.edge("+y"), target: torso }], colliders });
        makeCoat(world.scene).addBehavior(cloth);
        let before = cloth.getParticlePositions().slice();
        let first = 0;
        let speed = 0;
        for (let f = 1; f <= 500 / milliseconds; f++) {
            world.frame(milliseconds);
            const now = cloth.getParticlePositions().slice();
            if (f === 1) first = largestMove(now, before);
            speed = Math.max(speed, largestMove(now, before) / (milliseconds / 1000));
            before = now;
        }
        return { first, speed };
    }

    test.each([1000 / 30, 1000 / 60, 1000 / 59.94, 1000 / 144])("is not flung at frames of %d ms", (milliseconds) => {
        const [free, worn] = [wear(false, milliseconds), wear(true, milliseconds)];
        // Gravity alone moves it by 1.7 mm in a frame of 60 Hz.
        expect(worn.first).toBeLessThan(free.first + 1e-3);
        expect(worn.speed).toBeLessThan(Math.max(0.3, 1.05 * free.speed));
    });

    test("reset begins as the first frame did", () => {
        const world = makeWorld();
        const torso = makeTorso(world.scene);
        const cloth = new ClothBehavior({ pins: [{ select: select.edge("+y") }], colliders: Colliders.fromSkeleton(torso) });
        makeCoat(world.scene).addBehavior(cloth);
        world.frame();
        const first = cloth.getParticlePositions().slice();
        world.frame(undefined, 60);
        cloth.reset();
        world.frame();
        expect(largestMove(first, cloth.getParticlePositions())).toBeLessThan(1e-3);
    });

    test('fit: "inside" keeps capsules within all vertices', () => {
        const torso = makeTorso(makeWorld().scene);
        const x = torso.getVerticesData("position")!;
        const shapes = Colliders.fromSkeleton(torso, { fit: "inside" });
        expect(shapes.map(({ name }) => name)).toEqual(["hips", "chest"]);
        for (const { start, end, startRadius, endRadius } of shapes) {
            expect(endRadius).toBe(startRadius);
            expect(startRadius).toBeGreaterThan(0.07);
            const d = end.map((e, c) => e - start[c]);
            const squared = d.reduce((sum, e) => sum + e * e, 0);
            for (let i = 0; i < x.length; i += 3) {
                const along = d.reduce((sum, e, c) => sum + e * (x[i + c] - start[c]), 0);
                const t = squared > 0 ? Math.min(1, Math.max(0, along / squared)) : 0;
                const distance = Math.hypot(...d.map((e, c) => x[i + c] - start[c] - t * e));
                expect(distance).toBeGreaterThan(startRadius - 1e-6);
            }
        }
        expect(messageOf(() => Colliders.fromSkeleton(torso, { fit: "tight" as never }))).toMatch(
            /fit must be "around" or "inside", got "tight"/,
        );
    });
});

test("a row pinned 3 cm inside a capsule is told once, moves nothing, and sleeps within 2 s", () => {
    const world = makeWorld();
    const capsule = MeshBuilder.CreateCapsule("capsule", { radius: 0.15, height: 1.4 }, world.scene);
    capsule.rotation.z = Math.PI / 2;
    capsule.position.y = 2;
    const sheet = MeshBuilder.CreateGround("sheet", { width: 0.6, height: 1, subdivisions: 16 }, world.scene);
    sheet.rotation.x = -Math.PI / 2;
    sheet.position.set(0, 1.5, -0.12);
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("+z") }], colliders: [capsule] });
    sheet.addBehavior(cloth);
    let before = cloth.getParticlePositions().slice();
    let speed = 0;
    for (let f = 0; f < 120; f++) {
        world.frame();
        const now = cloth.getParticlePositions().slice();
        speed = Math.max(speed, 60 * largestMove(now, before));
        before = now;
    }
    expect(speed).toBeLessThan(0.1);
    expect(cloth.stats.isAsleep).toBe(true);
    expect(told("warn")).toEqual([
        expect.stringMatching(/"sheet": 17 pinned particles begin inside colliders, up to 3\.0 cm deep.*fit: "inside"/),
    ]);
});
