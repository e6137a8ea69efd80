import { describe, expect, test } from "@jest/globals";
import type { Body, Vector } from "../../src/engine/index";
import { grid, gridIndex, hanging, lying, topRow } from "./meshes";
import { addCollider, at, lowest, makeCloth, measure, pose, runSeconds, setVelocity, stretchOf, velocityOf } from "./support";

const COTTON = { arealDensity: 0.2, shearStiffness: 200, bendStiffness: 5e-5, damping: 0.6, thickness: 0.01, friction: 0.4 };

/** How deep the deepest particle is inside a ball [m]; below 0: its clearance. */
function depthIn(cloth: Body, centre: Vector, radius: number): number {
    let depth = -Infinity;
    for (let i = 0; i < cloth.state.particleCount; i++) {
        const [x, y, z] = at(cloth, i);
        depth = Math.max(depth, radius - Math.hypot(x - centre[0], y - centre[1], z - centre[2]));
    }
    return depth;
}

describe("spheres", () => {
    test.each([1, 4, 10])("a 2 × 2 m sheet drapes over a ball and never enters it, %d substeps", (substepCount) => {
        const cloth = makeCloth(grid(24, 24, lying(2, 2, 0.6)), { fabric: COTTON, substepCount });
        addCollider(cloth, "sphere", pose([0, 0, 0], [0.5, 0.5, 0.5]));
        let deepest = -Infinity;
        runSeconds(cloth, 3, () => (deepest = Math.max(deepest, depthIn(cloth, [0, 0, 0], 0.51))));
        expect(deepest).toBeLessThan(1e-4);
        // It lies on the top and hangs down around.
        expect(at(cloth, gridIndex(24, 12, 12))[1]).toBeCloseTo(0.51, 2);
        expect(lowest(cloth)).toBeLessThan(-0.3);
        const [x, , z] = measure(cloth).centre;
        expect(Math.hypot(x, z)).toBeLessThan(0.05);
    });

    test("a sheet that lies on a ball is not left stretched by its friction: mean below 0.5 %, largest below 9 %", () => {
        const cloth = makeCloth(grid(32, 32, lying(2, 2, 0.6)), { fabric: COTTON });
        addCollider(cloth, "sphere", pose([0, 0, 0], [0.5, 0.5, 0.5]));
        runSeconds(cloth, 4);
        expect(stretchOf(cloth).mean).toBeLessThan(0.005);
        expect(stretchOf(cloth).max).toBeLessThan(0.09);
    });

    test("several colliders: each counts, in any order, however far away the others are", () => {
        const half: Vector = [0.5, 0.5, 0.5];
        for (const centres of [
            [
                [0, 0, 0],
                [50, 0, 0],
            ],
            [
                [50, 0, 0],
                [0, 0, 0],
            ],
            [
                [-0.3, 0, 0],
                [0.3, 0, 0],
            ],
        ] as Vector[][]) {
            const cloth = makeCloth(grid(12, 12, lying(1, 1, 0.55)), { fabric: COTTON });
            for (const centre of centres) addCollider(cloth, "sphere", pose(centre, half));
            runSeconds(cloth, 1);
            for (const centre of centres) expect(depthIn(cloth, centre, 0.51)).toBeLessThan(1e-3);
            expect(at(cloth, gridIndex(12, 6, 6))[1]).toBeGreaterThan(0.35);
        }
    });

    test("the margin is kept in addition to the thickness", () => {
        const cloth = makeCloth(grid(16, 16, lying(1, 1, 0.6)), { fabric: COTTON });
        addCollider(cloth, "sphere", pose([0, 0, 0], [0.5, 0.5, 0.5])).settings.margin = 0.03;
        runSeconds(cloth, 1.5);
        expect(at(cloth, gridIndex(16, 8, 8))[1]).toBeCloseTo(0.54, 3);
    });

    test("a ball at 1 m/s pushes a hanging sheet before it, and does not throw it", () => {
        const cloth = makeCloth(grid(16, 16, hanging(1)), { fabric: COTTON, pinned: topRow(16, 16), tetherSlack: 0 });
        const centreAt = (t: number): Vector => [0.5, -0.6, -0.4 + Math.min(t, 0.5)];
        const ball = addCollider(cloth, "sphere", pose(centreAt(0), [0.2, 0.2, 0.2]));
        let deepest = -Infinity;
        let fastest = 0;
        runSeconds(cloth, 1.5, (step) => {
            deepest = Math.max(deepest, depthIn(cloth, centreAt(step / 60), 0.21));
            for (let i = 0; i < cloth.state.particleCount; i++) fastest = Math.max(fastest, Math.abs(velocityOf(cloth, i)[2]));
            ball.setPose(pose(centreAt((step + 1) / 60), [0.2, 0.2, 0.2]));
        });
        expect(deepest).toBeLessThan(1e-4);
        expect(fastest).toBeLessThan(4);
        // It ends resting against the ball's front.
        expect(at(cloth, gridIndex(16, 8, 6))[2]).toBeCloseTo(0.1 + 0.21, 1);
    });

    test("a ball that is put inside the cloth pushes it out at once, without a bang", () => {
        const cloth = makeCloth(grid(16, 16, hanging(1)), { fabric: COTTON, pinned: topRow(16, 16), tetherSlack: 0 });
        runSeconds(cloth, 0.5);
        const ball = addCollider(cloth, "sphere", pose([0.5, -0.6, 5], [0.2, 0.2, 0.2]));
        runSeconds(cloth, 0.1);
        ball.setPose(pose([0.5, -0.6, -0.05], [0.2, 0.2, 0.2]));
        runSeconds(cloth, 2);
        expect(depthIn(cloth, [0.5, -0.6, -0.05], 0.21)).toBeLessThan(1e-4);
        expect(stretchOf(cloth).mean).toBeLessThan(0.02);
    });

    test("an ellipsoid, scaled and turned: nothing enters it", () => {
        const half: Vector = [0.8, 0.3, 0.5];
        const cloth = makeCloth(grid(24, 24, lying(2, 2, 0.5)), { fabric: COTTON });
        addCollider(cloth, "sphere", pose([0, 0, 0], half, 0.3));
        let innermost = Infinity;
        runSeconds(cloth, 2.5, () => {
            for (let i = 0; i < cloth.state.particleCount; i++) {
                const [x, y, z] = at(cloth, i);
                const u = x * Math.cos(0.3) + y * Math.sin(0.3);
                const v = y * Math.cos(0.3) - x * Math.sin(0.3);
                innermost = Math.min(innermost, Math.hypot(u / half[0], v / half[1], z / half[2]));
            }
        });
        expect(innermost).toBeGreaterThan(1);
        // The middle rests on it at about its thickness.
        const [x, y, z] = at(cloth, gridIndex(24, 12, 12));
        const u = x * Math.cos(0.3) + y * Math.sin(0.3);
        const v = y * Math.cos(0.3) - x * Math.sin(0.3);
        expect(Math.hypot(u / half[0], v / half[1], z / half[2])).toBeLessThan(1.06);
    });

    test.each([5, 20, 50])("a sheet that falls at %d m/s on a ball of 1 m does not pass", (speed) => {
        const cloth = makeCloth(grid(12, 12, lying(1, 1, 1)), { fabric: COTTON });
        addCollider(cloth, "sphere", pose([0, -0.5, 0], [1, 1, 1]));
        for (let i = 0; i < cloth.state.particleCount; i++) setVelocity(cloth, i, [0, -speed, 0]);
        runSeconds(cloth, 1);
        expect(depthIn(cloth, [0, -0.5, 0], 1.01)).toBeLessThan(1e-4);
        expect(at(cloth, gridIndex(12, 6, 6))[1]).toBeGreaterThan(0.4);
    });

    test("a small ball shot at 10 m/s takes the middle of a hanging sheet along", () => {
        const cloth = makeCloth(grid(24, 24, hanging(1)), { fabric: COTTON, pinned: topRow(24, 24), tetherSlack: 0 });
        const ball = addCollider(cloth, "sphere", pose([0.5, -0.5, -1], [0.15, 0.15, 0.15]));
        let farthest = 0;
        runSeconds(cloth, 0.4, (step) => {
            // It stops 0.3 m behind the sheet.
            ball.setPose(pose([0.5, -0.5, Math.min(0.3, -1 + (10 * (step + 1)) / 60)], [0.15, 0.15, 0.15]));
            farthest = Math.max(farthest, at(cloth, gridIndex(24, 12, 12))[2]);
        });
        expect(farthest).toBeGreaterThan(0.29);
    });
});
