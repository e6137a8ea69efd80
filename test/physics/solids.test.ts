import { describe, expect, test } from "@jest/globals";
import type { Affine, Body, ColliderShape, Vector } from "../../src/engine/index";
import { invert, identity } from "../../src/engine/index";
import { seededRandom } from "../random";
import { grid, gridIndex, hanging, lying, topRow } from "./meshes";
import { addCollider, at, lowest, makeCloth, measure, pose, runSeconds, runSteps, stretchOf } from "./support";

const COTTON = { arealDensity: 0.2, shearStiffness: 200, bendStiffness: 5e-5, damping: 0.6, thickness: 0.01, friction: 0.4 };

/** Solids by name: shape, and depth inside at a point of the unit frame, times the half extents, which are along the axes [m]. */
const SOLIDS = {
    box: (x: number, y: number, z: number, half: Vector) =>
        Math.min(half[0] - Math.abs(x), half[1] - Math.abs(y), half[2] - Math.abs(z)),
    hull: (x: number, y: number, z: number, half: Vector) =>
        Math.min(half[0] - Math.abs(x), half[1] - Math.abs(y), half[2] - Math.abs(z)),
    capsule: (x: number, y: number, z: number, half: Vector) => {
        const length = half[1] - half[0];
        return half[0] - Math.hypot(x, y - Math.max(-length, Math.min(length, y)), z);
    },
    sphere: (x: number, y: number, z: number, half: Vector) => half[0] - Math.hypot(x, y, z),
    cylinder: (x: number, y: number, z: number, half: Vector) => Math.min(half[0] - Math.hypot(x, z), half[1] - Math.abs(y)),
} as const satisfies Partial<Record<ColliderShape, unknown>>;
type SolidName = keyof typeof SOLIDS;
const NAMES = Object.keys(SOLIDS) as SolidName[];

/** A ball is as high as wide. */
const sized = (name: SolidName, half: Vector): Vector => (name === "sphere" ? [half[0], half[0], half[0]] : half);

/** How deep the deepest particle is inside a solid [m]. */
function depthIn(cloth: Body, name: SolidName, where: Affine, half: Vector): number {
    const inverse = identity();
    invert(where, inverse);
    let depth = -Infinity;
    for (let i = 0; i < cloth.state.particleCount; i++) {
        const p = at(cloth, i);
        const [x, y, z] = [0, 1, 2].map(
            (c) => (p[0] * inverse[c] + p[1] * inverse[4 + c] + p[2] * inverse[8 + c] + inverse[12 + c]) * half[c],
        );
        depth = Math.max(depth, SOLIDS[name](x, y, z, half));
    }
    return depth;
}

/** The same of the points of triangles, by samples. */
function depthOfTriangles(cloth: Body, triangles: Uint32Array, name: SolidName, where: Affine, half: Vector): number {
    const inverse = identity();
    invert(where, inverse);
    const x = cloth.state.positions;
    let depth = -Infinity;
    const point = [0, 0, 0];
    for (let t = 0; t < triangles.length; t += 3) {
        const [a, b, c] = [4 * triangles[t], 4 * triangles[t + 1], 4 * triangles[t + 2]];
        for (let i = 0; i <= 4; i++) {
            for (let j = 0; j <= 4 - i; j++) {
                for (let k = 0; k < 3; k++) point[k] = (x[a + k] * i + x[b + k] * j + x[c + k] * (4 - i - j)) / 4;
                const [px, py, pz] = point;
                const q = (k: number): number =>
                    (px * inverse[k] + py * inverse[4 + k] + pz * inverse[8 + k] + inverse[12 + k]) * half[k];
                depth = Math.max(depth, SOLIDS[name](q(0), q(1), q(2), half));
            }
        }
    }
    return depth;
}

describe("solids", () => {
    test.each(NAMES.flatMap((name) => [1, 4].map((substepCount) => ({ name, substepCount }))))(
        "a sheet drapes over a $name, never enters it, and comes to rest, $substepCount substeps",
        ({ name, substepCount }) => {
            const half = sized(name, [0.3, 0.45, 0.3]);
            const cloth = makeCloth(grid(24, 24, lying(1.6, 1.6, 0.6)), { fabric: COTTON, substepCount });
            const where = pose([0, 0, 0], half);
            addCollider(cloth, name, where);
            let deepest = -Infinity;
            runSeconds(cloth, 5, () => (deepest = Math.max(deepest, depthIn(cloth, name, where, half))));
            // Off an edge the thickness is kept along the diagonal.
            expect(deepest).toBeLessThan(-0.0055);
            expect(at(cloth, gridIndex(24, 12, 12))[1]).toBeCloseTo(half[1] + 0.01, 2);
            expect(lowest(cloth)).toBeLessThan(0.1);
            const { kinetic, mass } = measure(cloth);
            expect(Math.sqrt((2 * kinetic) / mass)).toBeLessThan(0.08);
        },
    );

    test.each(
        [...NAMES.map((name) => [name, 0.25] as const), ["box", 0.02] as const].flatMap(
            (solid) =>
                [
                    [...solid, 1],
                    [...solid, 4],
                ] as const,
        ),
    )("a %s thrown at 50 m/s into a hanging sheet takes it along, half %f m thick, %d substeps", (name, thick, substepCount) => {
        const half = sized(name, [0.25, 0.4, name === "box" ? thick : 0.25]);
        const cloth = makeCloth(grid(32, 32, hanging(2, 2)), {
            fabric: COTTON,
            pinned: topRow(32, 32),
            tetherSlack: 0.02,
            substepCount,
        });
        const collider = addCollider(cloth, name, pose([1, -1, -3], half));
        let where = pose([1, -1, -3], half);
        let deepest = -Infinity;
        runSteps(cloth, 8, (step) => {
            deepest = Math.max(deepest, depthIn(cloth, name, where, half));
            where = pose([1, -1, Math.min(0.3, -3 + ((step + 1) * 50) / 60)], half);
            collider.setPose(where);
        });
        expect(deepest).toBeLessThan(1e-3);
        // What was in its way is before it still, or has swung past its edges.
        for (let i = 14; i <= 18; i++) {
            for (let j = 12; j <= 17; j++) {
                const [x, y, z] = at(cloth, gridIndex(32, i, j));
                if (Math.abs(x - 1) < half[0] && Math.abs(y + 1) < half[1]) expect(z).toBeGreaterThan(0.3);
            }
        }
    });

    /** Solids that cross a curtain, by half extents and how they are turned. */
    const CROSSING: readonly { name: SolidName; half: Vector; angle: number; axis: "x" | "y" | "z" }[] = [
        { name: "box", half: [0.25, 0.25, 0.25], angle: 0, axis: "x" },
        { name: "box", half: [0.25, 0.25, 0.25], angle: 0.5, axis: "x" },
        { name: "sphere", half: [0.25, 0.25, 0.25], angle: 0, axis: "x" },
        { name: "box", half: [0.25, 0.25, 0.25], angle: Math.PI / 4, axis: "z" },
        { name: "capsule", half: [0.25, 0.5, 0.25], angle: 0, axis: "x" },
        { name: "capsule", half: [0.25, 0.5, 0.25], angle: Math.PI / 2, axis: "x" },
        { name: "capsule", half: [0.25, 0.5, 0.25], angle: Math.PI / 4, axis: "z" },
    ];

    test.each(CROSSING)(
        "a $name, turned by $angle about $axis, that crosses a curtain at 50 m/s and stops 3 m behind it is slipped round",
        ({ name, half, angle, axis }) => {
            const quads = 64;
            const curtain = grid(quads, quads, hanging(2, 2));
            const cloth = makeCloth(curtain, { fabric: COTTON, pinned: topRow(quads, quads), tetherSlack: 0.02 });
            const poseAt = (z: number): Affine => pose([1, -1, z], half, angle, axis);
            const collider = addCollider(cloth, name, poseAt(-3));
            let where = poseAt(-3);
            let [deepest, deepestTriangle] = [-Infinity, -Infinity];
            const look = (): void => {
                deepest = Math.max(deepest, depthIn(cloth, name, where, half));
                deepestTriangle = Math.max(deepestTriangle, depthOfTriangles(cloth, curtain.triangles, name, where, half));
            };
            const stop = (6 * 60) / 50;
            runSteps(cloth, Math.ceil(stop) + 20, (step) => {
                if (step > 3) look();
                where = poseAt(Math.min(3, -3 + ((step + 1) * 50) / 60));
                collider.setPose(where);
            });
            // The sheet slips off its edges so fast that chords cut these; none goes through.
            expect(deepest).toBeLessThan(1e-3);
            expect(deepestTriangle).toBeLessThan(0.1);
            runSeconds(cloth, 1.7);
            look();
            expect(depthOfTriangles(cloth, curtain.triangles, name, where, half)).toBeLessThan(1e-3);
            expect(stretchOf(cloth).max).toBeLessThan(0.05);
        },
    );

    test("random solids, scaled, moving and spinning up to 50 m/s and 20 rad/s: nothing inside at the end of a frame", () => {
        const random = seededRandom(3);
        for (let run = 0; run < 12; run++) {
            const name = NAMES[run % NAMES.length];
            const width = 0.1 + 0.3 * random();
            const half = sized(name, [width, width * (1 + random()), width]);
            const cloth = makeCloth(grid(16, 16, lying(1.5, 1.5, 0)), { fabric: COTTON });
            const collider = addCollider(cloth, name, pose([0, -2, 0], half));
            const axis = (["x", "y", "z"] as const)[run % 3];
            let where = pose([0, -2, 0], half);
            let deepest = -Infinity;
            let speed: Vector = [0, 0, 0];
            let [spin, angle] = [0, 0];
            const centre: [number, number, number] = [0, -2, 0];
            runSteps(cloth, 60, (step) => {
                deepest = Math.max(deepest, depthIn(cloth, name, where, half));
                if (step % 10 === 0) {
                    // Towards the middle of the sheet, from wherever it is.
                    const target = at(cloth, gridIndex(16, 8, 8));
                    const way = target.map((x, c) => x - centre[c] + (random() - 0.5) * 0.4);
                    const length = Math.hypot(...way);
                    const pace = 50 * random();
                    speed = way.map((x) => (x / length) * pace) as unknown as Vector;
                    spin = 40 * (random() - 0.5);
                }
                for (let c = 0; c < 3; c++) centre[c] += speed[c] / 60;
                angle += spin / 60;
                where = pose(centre, half, angle, axis);
                collider.setPose(where);
            });
            expect([name, run, Math.max(deepest, 1e-3)]).toEqual([name, run, 1e-3]);
        }
    });

    test("a sheared box is the solid that it looks like", () => {
        const cloth = makeCloth(grid(16, 16, lying(1, 1, 0.7)), { fabric: COTTON });
        const where = pose([0, 0, 0], [0.4, 0.4, 0.4]);
        where[4] = 0.3;
        addCollider(cloth, "box", where);
        runSeconds(cloth, 2);
        expect(depthIn(cloth, "hull", where, [0.4, 0.4, 0.4])).toBeLessThan(1e-4);
        expect(at(cloth, gridIndex(16, 8, 8))[1]).toBeCloseTo(0.41, 2);
        expect(stretchOf(cloth).mean).toBeLessThan(0.01);
    });
});
