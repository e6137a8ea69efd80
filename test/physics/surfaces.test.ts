/** Cloth on inclines, conveyors and turntables: friction's known answers on solids. */
import { describe, expect, test } from "@jest/globals";
import type { Body } from "../../src/engine/index";
import { grid, gridIndex, lying } from "./meshes";
import { addCollider, at, G, makeCloth, measure, pose, runSeconds, velocityOf } from "./support";

const FRICTION = 0.5;
const FABRIC = { arealDensity: 0.2, shearStiffness: 200, bendStiffness: 5e-5, thickness: 0.01, friction: FRICTION };
const MIDDLE = gridIndex(8, 4, 4);

const speedOf = (cloth: Body): number => {
    const { momentum, mass } = measure(cloth);
    return Math.hypot(...momentum) / mass;
};

describe("cloth on solids", () => {
    /** Cloth on the top of a box that is tilted by an angle. */
    function incline(angle: number): Body {
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
        const lies = lying(0.4, 0.4);
        const cloth = makeCloth(
            grid(8, 8, (u, v) => {
                const [x, , z] = lies(u, v);
                return [x * cos - 0.01 * sin, x * sin + 0.01 * cos, z];
            }),
            { fabric: FABRIC },
        );
        addCollider(cloth, "box", pose([3 * sin, -3 * cos, 0], [6, 3, 3], angle));
        return cloth;
    }

    test("sticks to an incline below the angle of friction, slides above it with a = g (sin - friction cos)", () => {
        const below = incline(Math.atan(FRICTION) - 0.02);
        const start = at(below, MIDDLE)[0];
        runSeconds(below, 2);
        expect(Math.abs(at(below, MIDDLE)[0] - start)).toBeLessThan(1e-3);
        for (const angle of [Math.atan(FRICTION) + 0.1, 0.9]) {
            const above = incline(angle);
            runSeconds(above, 0.2);
            const before = speedOf(above);
            runSeconds(above, 0.5);
            const expected = G * (Math.sin(angle) - FRICTION * Math.cos(angle));
            expect(Math.abs((speedOf(above) - before) / 0.5 / expected - 1)).toBeLessThan(0.02);
        }
    });

    test.each([0, 0.6])("takes the speed of a conveyor, damping %d", (damping) => {
        const cloth = makeCloth(grid(8, 8, lying(0.4, 0.4, 0.01)), { fabric: { ...FABRIC, damping } });
        const belt = addCollider(cloth, "box", pose([0, -0.5, 0], [6, 0.5, 1]));
        runSeconds(cloth, 1, (step) => belt.setPose(pose([(step + 1) / 60, -0.5, 0], [6, 0.5, 1])));
        for (const particle of [0, MIDDLE, 80]) {
            const [x, y, z] = velocityOf(cloth, particle);
            expect(Math.hypot(x - 1, y, z)).toBeLessThan(0.02);
        }
    });

    test("a slow conveyor takes cloth along against damping, that of settling included", () => {
        // So little friction that air brakes it: friction g = damping v is all that there is.
        const cloth = makeCloth(grid(8, 8, lying(0.4, 0.4, 0.01)), { fabric: { ...FABRIC, friction: 0.1, damping: 2 } });
        const belt = addCollider(cloth, "box", pose([0, -0.5, 0], [9, 0.5, 1]));
        runSeconds(cloth, 3, (step) => belt.setPose(pose([(step + 1) / 60, -0.5, 0], [9, 0.5, 1])));
        // Settling takes 0.15 m/s of damping more.
        const speed = (0.1 * G) / 2 - 0.15;
        expect(Math.abs(speedOf(cloth) / speed - 1)).toBeLessThan(0.05);
    });

    test.each([
        [2, 0],
        [2, 0.6],
        [0.1, 2],
    ])("turns with a turntable at %d rad/s, damping %d", (rate, damping) => {
        const cloth = makeCloth(grid(8, 8, lying(0.4, 0.4, 0.01)), { fabric: { ...FABRIC, damping } });
        const place = (step: number) => pose([0, -0.5, 0], [1, 0.5, 1], (rate * step) / 60, "y");
        const table = addCollider(cloth, "cylinder", place(0));
        runSeconds(cloth, 1.5, (step) => table.setPose(place(step + 1)));
        for (const particle of [0, 8, 80]) {
            const [x, , z] = at(cloth, particle);
            const [vx, , vz] = velocityOf(cloth, particle);
            expect(Math.abs(Math.hypot(x, z) / Math.hypot(0.2, 0.2) - 1)).toBeLessThan(0.05);
            expect(Math.abs(Math.hypot(vx, vz) / (rate * Math.hypot(x, z)) - 1)).toBeLessThan(0.02);
        }
    });
});
