/** Solids that kept particles inside: fast ellipsoids, round ones wider than their pose, capsules with one sphere in the other. */
import { describe, expect, test } from "@jest/globals";
import { colliderShapes } from "../../src/engine/collision/shapes/registry";
import type { Body } from "../../src/engine/index";
import { grid, lying } from "../physics/meshes";
import { addCollider, at, makeCloth, pose, runSteps } from "../physics/support";

const FABRIC = { arealDensity: 0.2, shearStiffness: 200, thickness: 0.01, friction: 0.4 };

/** Largest of a measure over all particles. */
function most(cloth: Body, measure: (x: number, y: number, z: number) => number): number {
    let value = -Infinity;
    for (let i = 0; i < cloth.state.particleCount; i++) value = Math.max(value, measure(...at(cloth, i)));
    return value;
}

describe("particles left inside", () => {
    test.each([1, 4])("an ellipsoid that spins at 20 rad/s and comes at 30 m/s, %d substeps", (substepCount) => {
        const cloth = makeCloth(grid(16, 16, lying(1.5, 1.5)), { fabric: FABRIC, substepCount });
        const half = [0.4, 0.15, 0.3] as const;
        const place = (step: number) => pose([0, Math.min(0.4, -2 + step / 2), 0], half, step / 3, "z");
        const ellipsoid = addCollider(cloth, "sphere", place(0));
        let deepest = -Infinity;
        runSteps(cloth, 12, (step) => {
            const [cos, sin, y0] = [Math.cos(step / 3), Math.sin(step / 3), place(step)[13]];
            // Share of the way to the surface that is missing, times the shortest half axis.
            const depth = (x: number, y: number, z: number): number => {
                const u = (x * cos + (y - y0) * sin) / half[0];
                const v = ((y - y0) * cos - x * sin) / half[1];
                return (1 - Math.hypot(u, v, z / half[2])) * half[1];
            };
            deepest = Math.max(deepest, most(cloth, depth));
            ellipsoid.setPose(place(step + 1));
        });
        expect(deepest).toBeLessThan(1e-3);
    });

    test.each(["cylinder", "capsule"] as const)("a %s that is scaled across its axis is round everywhere", (shape) => {
        const cloth = makeCloth(grid(16, 16, lying(1, 1, 0.35)), { fabric: FABRIC });
        addCollider(cloth, shape, pose([0, 0, 0], [0.3, 0.5, 0.1], Math.PI / 2, "x"));
        runSteps(cloth, 60);
        // Its axis is along z.
        expect(most(cloth, (x, y, z) => (Math.abs(z) < 0.2 ? 0.3 - Math.hypot(x, y) : -1))).toBeLessThan(-0.009);
    });

    test("a tapered capsule fills the height of its pose", () => {
        const cloth = makeCloth(grid(16, 16, lying(1, 1, 0.55)), { fabric: FABRIC });
        const capsule = colliderShapes.capsule(cloth.kernels, 0, [1, 0.5]);
        capsule.setPose(pose([0, 0, 0], [0.3, 0.5, 0.3]));
        cloth.addCollider(capsule);
        runSteps(cloth, 60);
        // Triangles lie on its top, and lift their corners a little.
        expect(Math.abs(most(cloth, (_x, y) => y) - 0.5105)).toBeLessThan(0.002);
        // The large sphere reaches down to -0.5.
        expect(most(cloth, (x, y, z) => 0.3 - Math.hypot(x, y + 0.2, z))).toBeLessThan(-0.009);
    });

    test("a capsule whose small sphere is in the large one is that one", () => {
        const cloth = makeCloth(grid(16, 16, lying(1, 1, 0.35)), { fabric: FABRIC });
        const capsule = colliderShapes.capsule(cloth.kernels, 0, [1, 0.5]);
        // Spheres of 0.3 and 0.15 m, 0.05 m from each other.
        capsule.setPose(pose([0, 0, 0], [0.3, 0.25, 0.3]));
        cloth.addCollider(capsule);
        runSteps(cloth, 60);
        expect(most(cloth, (x, y, z) => 0.3 - Math.hypot(x, y - 0.05, z))).toBeLessThan(-0.009);
    });
});
