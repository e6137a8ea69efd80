/** Cloth between two solids: each pushed it into the other, and what stood last had the last word; it stretched to four times its length. */
import { describe, expect, test } from "@jest/globals";
import { backendNames } from "../../src/kernels/backend";
import { grid, hanging, lying, topRow } from "../physics/meshes";
import { addCollider, at, makeCloth, measure, pose, runSeconds, stretchOf } from "../physics/support";

const COTTON = { arealDensity: 0.2, shearStiffness: 200, bendStiffness: 5e-5, damping: 0.6, thickness: 0.01, friction: 0.4 };

describe.each(backendNames)("cloth between solids, %s", (backend) => {
    test.each([
        ["sphere", 0.025, "first"],
        ["sphere", 0.025, "last"],
        ["capsule", 0.2, "first"],
    ] as const)("a %s pressed 5 cm into cloth on a table of half %f m that came %s", (shape, half, order) => {
        const cloth = makeCloth(backend, grid(24, 24, lying(0.9, 0.9, 0.011)), { fabric: COTTON });
        const addTable = () => addCollider(cloth, "box", pose([0, -half, 0], [0.5, half, 0.5]));
        const heightAt = (time: number): number => Math.max(0.15, 0.5 - time / 2, time - 1.3);
        // The capsule lies.
        const place = (step: number) => pose([0.013, heightAt(step / 60), 0.007], [0.2, 0.2, 0.2], Math.PI / 2);
        if (order === "first") addTable();
        const ball = addCollider(cloth, shape, place(0));
        if (order === "last") addTable();
        let most = 0;
        let lowest = Infinity;
        runSeconds(cloth, 2, (step) => {
            most = Math.max(most, stretchOf(cloth).max);
            for (let i = 0; i < cloth.state.particleCount; i++) lowest = Math.min(lowest, at(cloth, i)[1]);
            if (step === 84) expect(measure(cloth).kinetic).toBeLessThan(1e-4);
            ball.setPose(place(step + 1));
        });
        expect(most).toBeLessThan(0.3);
        expect(lowest).toBeGreaterThan(0.0099);
        expect(stretchOf(cloth).max).toBeLessThan(0.01);
    });

    test("two boxes pressed 2 cm into each other about a hanging sheet", () => {
        const cloth = makeCloth(backend, grid(24, 24, hanging(1.2, 1.2)), {
            fabric: COTTON,
            pinned: topRow(24, 24),
            tetherSlack: 0.02,
        });
        const half = [0.3, 0.3, 0.1] as const;
        const place = (side: number, step: number) => pose([0.6, -0.6, side * Math.max(0.09, 0.5 - step / 120)], half);
        const boxes = [-1, 1].map((side) => ({ side, box: addCollider(cloth, "box", place(side, 0)) }));
        let most = 0;
        runSeconds(cloth, 2, (step) => {
            most = Math.max(most, stretchOf(cloth).max);
            for (const { side, box } of boxes) box.setPose(place(side, step + 1));
        });
        expect(most).toBeLessThan(0.35);
    });
});
