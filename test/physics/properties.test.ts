import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Body, Fabric } from "../../src/engine/index";
import { validateState } from "../../src/engine/state/state";
import { expectHolds } from "../property";
import { disc, irregular } from "./meshes";
import type { Sheet } from "./meshes";
import { addCollider, at, makeCloth, measure, pose, runSteps, setVelocity } from "./support";
import { seededRandom } from "../random";

/** A sheet of any kind: irregular grids, discs, and soups of triangles between random points. */
const sheets: fc.Arbitrary<Sheet> = fc.oneof(
    fc
        .record({
            seed: fc.nat(1000),
            columns: fc.integer({ min: 1, max: 9 }),
            rows: fc.integer({ min: 1, max: 9 }),
            jitter: fc.double({ min: 0, max: 0.49, noNaN: true }),
        })
        .map(({ seed, columns, rows, jitter }) =>
            irregular(columns, rows, (u, v) => [u, 0.2 * Math.sin(3 * u), v], seededRandom(seed), jitter),
        ),
    fc
        .record({ sectors: fc.integer({ min: 3, max: 16 }), rings: fc.integer({ min: 1, max: 5 }) })
        .map(({ sectors, rings }) => disc(sectors, rings, (u, v) => [u, 0, v])),
    fc
        .record({ seed: fc.nat(1000), points: fc.integer({ min: 3, max: 20 }), triangles: fc.integer({ min: 1, max: 40 }) })
        .map(({ seed, points, triangles }) => soup(points, triangles, seededRandom(seed))),
);

/** Triangles between random points, sharing edges and corners as it happens; no triangle twice, none without area. */
function soup(pointCount: number, triangleCount: number, random: () => number): Sheet {
    const positions = Float32Array.from({ length: pointCount * 3 }, () => random());
    const triangles = [0, 1, 2];
    const known = new Set(["0,1,2"]);
    for (let t = 1; t < triangleCount; t++) {
        const corners = [0, 0, 0].map(() => Math.floor(random() * pointCount));
        const key = [...corners].sort((a, b) => a - b).join();
        if (new Set(corners).size < 3 || known.has(key)) continue;
        known.add(key);
        triangles.push(...corners);
    }
    return { positions, triangles: Uint32Array.from(triangles) };
}

const stiffness = fc.constantFrom(0, 1e-6, 1, 100, 1e6, Infinity);
const fabrics: fc.Arbitrary<Partial<Fabric>> = fc.record({
    arealDensity: fc.constantFrom(1e-3, 0.2, 50),
    stretchStiffness: stiffness,
    shearStiffness: stiffness,
    bendStiffness: stiffness,
    damping: fc.constantFrom(0, 0.6, 50),
    thickness: fc.constantFrom(0, 0.01, 0.2),
    friction: fc.constantFrom(0, 0.4, 10),
});
const times = fc.record({
    substepCount: fc.integer({ min: 1, max: 12 }),
    fixedTimeStep: fc.constantFrom(1 / 1000, 1 / 240, 1 / 60, 1 / 20, 0.5),
});

/** Random velocities up to a speed [m/s]. */
function stir(cloth: Body, speed: number, seed: number): void {
    const random = seededRandom(seed);
    const any = (): number => (2 * random() - 1) * speed;
    for (let i = 0; i < cloth.state.particleCount; i++) setVelocity(cloth, i, [any(), any(), any()]);
}

describe("any mesh, fabric and time step", () => {
    const runs = { numRuns: 60 };

    test("no throw and no NaN, with pins, tethers, colliders and wind-swept velocities", () => {
        expectHolds(
            fc.property(
                sheets,
                fabrics,
                times,
                fc.nat(1000),
                fc.constantFrom(0, 0.1, Infinity),
                (sheet, fabric, time, seed, tetherSlack) => {
                    const count = sheet.positions.length / 3;
                    const cloth = makeCloth(sheet, {
                        fabric,
                        ...time,
                        tetherSlack,
                        pinned: seed % 2 ? [seed % count, (seed * 7) % count] : [],
                    });
                    addCollider(cloth, "sphere", pose([0.5, -0.3, 0.5], [0.3, 0.2, 0.4]));
                    addCollider(cloth, "halfSpace", pose([0, -1, 0], [1, 1, 1], -Math.PI / 2, "x"));
                    addCollider(cloth, "plane", pose([0.5, -0.6, 0.5], [1, 1, 1], -Math.PI / 2, "x"));
                    stir(cloth, 20, seed);
                    runSteps(cloth, 40);
                    validateState(cloth.state);
                },
            ),
            runs,
        );
    });

    test("pinned particles stay where they are, whatever pulls at them", () => {
        expectHolds(
            fc.property(sheets, fabrics, times, fc.nat(1000), (sheet, fabric, time, seed) => {
                const pinned = [seed % (sheet.positions.length / 3), 0];
                const cloth = makeCloth(sheet, { fabric, ...time, tetherSlack: 0, pinned });
                addCollider(cloth, "sphere", pose([0.5, 0, 0.5], [0.5, 0.5, 0.5]));
                stir(cloth, 20, seed);
                runSteps(cloth, 20);
                for (const p of pinned) at(cloth, p).forEach((x, c) => expect(x).toBe(sheet.positions[3 * p + c]));
            }),
            runs,
        );
    });

    test("free cloth keeps its momentum: sticks only push against each other", () => {
        expectHolds(
            fc.property(sheets, fabrics, times, fc.nat(1000), (sheet, fabric, time, seed) => {
                const cloth = makeCloth(sheet, { fabric: { ...fabric, damping: 0 }, ...time, gravity: [0, 0, 0] });
                // A centimetre or so in a step, however long that is.
                const speed = 0.01 / time.fixedTimeStep;
                stir(cloth, speed, seed);
                const before = measure(cloth);
                runSteps(cloth, 30);
                const after = measure(cloth);
                before.momentum.forEach((p, c) =>
                    expect(Math.abs(after.momentum[c] - p) / (before.mass * speed)).toBeLessThan(5e-3),
                );
            }),
            runs,
        );
    });

    test("nothing ends below the floor", () => {
        expectHolds(
            fc.property(sheets, fabrics, times, fc.nat(1000), (sheet, fabric, time, seed) => {
                const cloth = makeCloth(sheet, { fabric, ...time });
                addCollider(cloth, "halfSpace", pose([0, -0.5, 0], [1, 1, 1], -Math.PI / 2, "x"));
                stir(cloth, 20, seed);
                runSteps(cloth, 40, () => {
                    for (let i = 0; i < cloth.state.particleCount; i++) {
                        if (!(at(cloth, i)[1] > -0.5 - 1e-4)) throw new Error(`particle ${i} at ${at(cloth, i)}`);
                    }
                });
            }),
            runs,
        );
    });

    test("the same input gives the same bits", () => {
        expectHolds(
            fc.property(sheets, fabrics, times, fc.nat(1000), (sheet, fabric, time, seed) => {
                const run = (): Float32Array => {
                    const cloth = makeCloth(sheet, { fabric, ...time, tetherSlack: 0, pinned: [0] });
                    addCollider(cloth, "sphere", pose([0.5, -0.5, 0.5], [0.4, 0.4, 0.4]));
                    stir(cloth, 5, seed);
                    runSteps(cloth, 20);
                    return cloth.state.positions.slice();
                };
                expect(run()).toEqual(run());
            }),
            { ...runs, numRuns: 20 },
        );
    });
});
