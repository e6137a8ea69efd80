/** Triangles keep off solids, not only particles: a coarse cloth lies on what is smaller than its edges. */
import { describe, expect, test } from "@jest/globals";
import type { Body, ColliderShape, Vector } from "../../src/engine/index";
import { grid, gridIndex, lying } from "./meshes";
import { addCollider, at, lowest, makeCloth, measure, pose, runSeconds, stretchOf } from "./support";

const COTTON = { arealDensity: 0.2, shearStiffness: 200, bendStiffness: 5e-5, damping: 0.6, thickness: 0.005, friction: 0.4 };
/** Points of a triangle that are looked at: so many along an edge. */
const SAMPLES = 8;

type Distance = (x: number, y: number, z: number) => number;

const ball =
    (radius: number): Distance =>
    (x, y, z) =>
        Math.hypot(x, y, z) - radius;
const cube =
    (half: number): Distance =>
    (...p) => {
        const e = p.map((x) => Math.abs(x) - half);
        return Math.hypot(...e.map((x) => Math.max(0, x))) + Math.min(0, Math.max(...e));
    };
/** Lies along x. */
const capsule =
    (radius: number, half: number): Distance =>
    (x, y, z) =>
        Math.hypot(x - Math.max(-half, Math.min(half, x)), y, z) - radius;
/** Of first order, less than the true one. */
const ellipsoid =
    (a: number, b: number, c: number): Distance =>
    (x, y, z) => {
        const k = Math.hypot(x / a, y / b, z / c);
        return ((k - 1) * k) / Math.hypot(x / a / a, y / b / b, z / c / c);
    };

/** How deep the deepest point of any triangle is inside a shape [m]. */
function depthOfTriangles(cloth: Body, distance: Distance): number {
    const { triangles } = cloth.triangles;
    let depth = -Infinity;
    for (let t = 0; t < triangles.length; t += 3) {
        const [a, b, c] = [at(cloth, triangles[t]), at(cloth, triangles[t + 1]), at(cloth, triangles[t + 2])];
        for (let i = 0; i <= SAMPLES; i++) {
            for (let j = 0; i + j <= SAMPLES; j++) {
                const [u, v] = [i / SAMPLES, j / SAMPLES];
                const [x, y, z] = a.map((value, k) => value * (1 - u - v) + b[k] * u + c[k] * v);
                depth = Math.max(depth, -distance(x, y, z));
            }
        }
    }
    return depth;
}

const SHAPES: readonly [string, ColliderShape, Vector, number, Distance][] = [
    ["a ball of 0.3 m", "sphere", [0.3, 0.3, 0.3], 0, ball(0.3)],
    ["a ball of 0.05 m", "sphere", [0.05, 0.05, 0.05], 0, ball(0.05)],
    ["an ellipsoid", "sphere", [0.3, 0.1, 0.2], 0, ellipsoid(0.3, 0.1, 0.2)],
    ["a cube of 0.4 m", "box", [0.2, 0.2, 0.2], 0, cube(0.2)],
    ["a capsule", "capsule", [0.1, 0.4, 0.1], Math.PI / 2, capsule(0.1, 0.3)],
];

describe("coarse cloth", () => {
    test.each(SHAPES.flatMap((shape) => [8, 16].map((quads) => [...shape, quads] as const)))(
        "on %s, no point of a triangle is deeper than 1 mm",
        (name, shape, half, angle, distance, quads) => {
            const cloth = makeCloth(grid(quads, quads, lying(1, 1, half[1] + 0.1)), { fabric: COTTON });
            addCollider(cloth, shape, pose([0, 0, 0], half, angle));
            runSeconds(cloth, 2);
            for (let look = 0; look < 3; look++) {
                runSeconds(cloth, 0.3);
                const depth = depthOfTriangles(cloth, distance);
                expect([name, quads, Math.max(depth, 1e-3)]).toEqual([name, quads, 1e-3]);
            }
        },
    );

    test.each([
        [6, 0.3],
        [8, 0.7],
    ])("thin cloth of %d quads on a box turned by %f rad is cut neither by its edges nor by its corners", (quads, angle) => {
        // Each was up to 4 mm inside, where its point nearest to the core is not its deepest.
        const cloth = makeCloth(grid(quads, quads, lying(1, 1, 0.25)), {
            fabric: { ...COTTON, thickness: 0.002, damping: 1 },
        });
        const [half, centre]: Vector[] = [
            [0.16, 0.2, 0.3],
            [0.04, 0, 0.02],
        ];
        addCollider(cloth, "box", pose(centre, half, angle, "y"));
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
        const behind = (x: number, y: number, z: number): number =>
            Math.max(Math.abs(cos * x - sin * z) - half[0], Math.abs(y) - half[1], Math.abs(sin * x + cos * z) - half[2]);
        runSeconds(cloth, 2.5);
        for (let look = 0; look < 3; look++) {
            runSeconds(cloth, 0.3);
            expect(depthOfTriangles(cloth, (x, y, z) => behind(x - centre[0], y - centre[1], z - centre[2]))).toBeLessThan(1e-3);
        }
    });

    test.each([4, 8])("a ball smaller than the edges of %d quads carries the sheet, at rest", (quads) => {
        // Under the middle of a triangle, between the particles; hung so low that the sheet does not slide off.
        const cloth = makeCloth(grid(quads, quads, lying(1, 1, 0.2)), {
            fabric: { ...COTTON, damping: 2 },
            pinned: [0, quads, (quads + 1) * quads, (quads + 1) ** 2 - 1],
        });
        const centre: Vector = [0.33 / quads, 0.12, 0.66 / quads];
        addCollider(cloth, "sphere", pose(centre, [0.04, 0.04, 0.04]));
        runSeconds(cloth, 5);
        const depth = depthOfTriangles(cloth, (x, y, z) => ball(0.04)(x - centre[0], y - centre[1], z - centre[2]));
        // The bow of a surface may take half of the thickness.
        expect(depth).toBeLessThan(-0.0024);
        expect(depth).toBeGreaterThan(-0.0051);
        const { kinetic, mass } = measure(cloth);
        expect(Math.sqrt((2 * kinetic) / mass)).toBeLessThan(1e-2);
    });

    test("a ball pressed 5 cm into a coarse sheet on a table: nothing behind, no stretch that stays", () => {
        for (const table of ["halfSpace", "box"] as const) {
            const cloth = makeCloth(grid(8, 8, lying(0.9, 0.9, 0.011)), { fabric: COTTON });
            if (table === "box") addCollider(cloth, "box", pose([0, -0.2, 0], [0.6, 0.2, 0.6]));
            else addCollider(cloth, "halfSpace", pose([0, 0, 0], [1, 1, 1], -Math.PI / 2, "x"));
            const place = (time: number) => pose([0.043, Math.max(0.15, 0.5 - time / 2, time - 1.3), 0.027], [0.2, 0.2, 0.2]);
            const pressing = addCollider(cloth, "sphere", place(0));
            let most = 0;
            let low = Infinity;
            runSeconds(cloth, 2, (step) => {
                most = Math.max(most, stretchOf(cloth).max);
                low = Math.min(low, lowest(cloth));
                pressing.setPose(place((step + 1) / 60));
            });
            expect(most).toBeLessThan(0.3);
            expect(low).toBeGreaterThan(0.0045);
            expect(stretchOf(cloth).max).toBeLessThan(0.01);
        }
    });

    test("fine cloth asks no triangles, and a collider far from the long edges none either", () => {
        const cloth = makeCloth(grid(32, 32, lying(1, 1, 0.31)), { fabric: COTTON });
        addCollider(cloth, "sphere", pose([0, 0, 0], [0.3, 0.3, 0.3]));
        runSeconds(cloth, 0.5);
        expect(at(cloth, gridIndex(32, 16, 16))[1]).toBeCloseTo(0.305, 3);
        expect(cloth.contacts!.faces).toBeNull();
    });
});
