// Stiff shells that were jerked got energy from nothing, and stiff boxes on a hinge stuck half way: found by random plants.
import { describe, expect, test } from "@jest/globals";
import type { Body } from "../../src/engine/index";
import { grid, sphere } from "../physics/meshes";
import type { Sheet } from "../physics/meshes";
import { boxMesh, elasticOf, makePlant } from "../physics/plants";
import { G, measure, runSteps } from "../physics/support";
import { seededRandom } from "../random";

const energyOf = (body: Body): number => {
    const { kinetic, potential } = measure(body);
    return kinetic + potential + elasticOf(body);
};

/** Shells of 1 m. */
const SHELLS: [string, Sheet][] = [
    ["arch", grid(8, 8, (u, v) => [0.5 * Math.cos(3 * u), v, 0.5 * Math.sin(3 * u)])],
    ["bowl", grid(6, 6, (u, v) => [u - 0.5, (u - 0.5) ** 2 + (v - 0.5) ** 2, v - 0.5])],
    ["ball", sphere(2)],
];

describe("stiff plants", () => {
    test.each(SHELLS)("what is jerked gains no energy: %s", (_name, shell) => {
        const pinned = [0, 1];
        const body = makePlant(shell, {
            substepCount: 1,
            plant: { stiffness: Infinity, density: 100 },
            pinned,
        });
        const random = seededRandom(1);
        const { positions, previous, particleCount } = body.state;
        for (let i = 0; i < particleCount; i++)
            for (let c = 0; c < 3 && !pinned.includes(i); c++)
                previous[4 * i + c] = positions[4 * i + c] - (20 * (random() - 0.5)) / 60;
        runSteps(body, 60);
        const begin = energyOf(body);
        let highest = begin;
        runSteps(body, 240, () => (highest = Math.max(highest, energyOf(body))));
        // To lift it by a tenth of its size.
        expect(highest - begin).toBeLessThan(0.1 * measure(body).mass * G);
    });

    test("a box on a hinge swings through", () => {
        const box = boxMesh([1, 0.1, 0.1], [10, 1, 1]);
        const isHeld = (i: number): boolean => box.positions[3 * i] < -0.49 && box.positions[3 * i + 1] > 0;
        const pinned = Array.from({ length: box.positions.length / 3 }, (_, i) => i).filter(isHeld);
        const body = makePlant(box, { plant: { stiffness: Infinity }, pinned });
        let angle = 0;
        runSteps(body, 120, () => {
            const [x, y] = measure(body).centre;
            angle = Math.max(angle, Math.atan2(-y, x + 0.5));
        });
        expect(angle).toBeGreaterThan((2 * Math.PI) / 3);
    });
});
