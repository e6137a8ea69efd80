import { describe, expect, test } from "@jest/globals";
import { Uniform } from "../../src/kernels/layout";
import { Geodesics } from "../../src/engine/topology/geodesics";
import { findNearestGroups } from "../../src/engine/solvers/xpbd/tethers";
import { disc, grid, gridIndex, irregular, lying, sphere, topRow } from "./meshes";
import type { Sheet } from "./meshes";
import { distance, makeCloth, runSeconds, setVelocity } from "./support";
import { seededRandom } from "../random";

function straight({ positions: x }: Sheet, a: number, b: number): number {
    return Math.hypot(x[3 * a] - x[3 * b], x[3 * a + 1] - x[3 * b + 1], x[3 * a + 2] - x[3 * b + 2]);
}

/** Distances from the nearest of all sources; Infinity where there is no way. */
function distancesFrom(sheet: Sheet, all: readonly number[]): { distances: Float32Array; sources: Uint32Array } {
    const mesh = new Geodesics(sheet.positions, sheet.triangles);
    const labels = new Int32Array(mesh.particleCount).fill(-1);
    for (const source of all) labels[source] = all[0];
    const nearest = findNearestGroups(mesh, labels, 1);
    return { distances: nearest.distances.map((d, p) => (nearest.counts[p] > 0 ? d : Infinity)), sources: nearest.sources };
}

describe("geodesics", () => {
    const flat: Record<string, Sheet> = {
        "grid, one-way diagonals": grid(16, 12, lying(2, 1)),
        "grid, alternating diagonals": grid(16, 12, lying(2, 1), "alternating"),
        "long cells": grid(4, 32, lying(1, 2)),
        irregular: irregular(14, 14, lying(), seededRandom(4)),
        "very irregular": irregular(14, 14, lying(), seededRandom(5), 0.45),
    };

    test.each(Object.keys(flat))("on a flat sheet (%s) they are straight lines", (name) => {
        const sheet = flat[name];
        const count = sheet.positions.length / 3;
        for (const source of [0, Math.floor(count / 2), count - 1, 7]) {
            const { distances, sources } = distancesFrom(sheet, [source]);
            for (let p = 0; p < count; p++) {
                const exact = straight(sheet, source, p);
                expect(distances[p]).toBeGreaterThan(exact * (1 - 1e-5) - 1e-6);
                expect(distances[p]).toBeLessThan(exact * 1.05 + 1e-6);
                expect(sources[p]).toBe(source);
            }
        }
    });

    test("on a regular grid they are exact", () => {
        for (const diagonals of ["oneWay", "alternating"] as const) {
            const sheet = grid(16, 16, lying(), diagonals);
            const { distances } = distancesFrom(sheet, [gridIndex(16, 5, 3)]);
            for (let p = 0; p < distances.length; p++) {
                expect(Math.abs(distances[p] - straight(sheet, gridIndex(16, 5, 3), p))).toBeLessThan(1e-4);
            }
        }
    });

    test("round a sphere they are great circles, within 3 %, and never shorter than the chord", () => {
        const sheet = sphere(4);
        for (const source of [0, 20, 100]) {
            const { distances } = distancesFrom(sheet, [source]);
            for (let p = 0; p < distances.length; p++) {
                const chord = straight(sheet, source, p);
                const arc = 2 * Math.asin(Math.min(1, chord / 2));
                expect(distances[p]).toBeGreaterThan(chord * (1 - 1e-6) - 1e-6);
                expect(distances[p]).toBeGreaterThan(arc * 0.97 - 1e-6);
                expect(distances[p]).toBeLessThan(arc * 1.03 + 1e-6);
            }
        }
    });

    test("over a fold they are as long as the flat way", () => {
        const flatSheet = grid(12, 12, lying(2, 1));
        const folded = grid(12, 12, (u, v) => [Math.abs(2 * u - 1) * Math.SQRT1_2, (2 * u - 1) * Math.SQRT1_2, v]);
        const a = distancesFrom(flatSheet, [0]).distances;
        const b = distancesFrom(folded, [0]).distances;
        a.forEach((d, p) => expect(Math.abs(b[p] - d)).toBeLessThan(1e-4));
    });

    test("round a hole they go round, not across", () => {
        // A ring: a disc without its inner rings.
        const whole = disc(32, 8, lying(2));
        const isInner = (p: number): boolean => p < 1 + 5 * 32;
        const triangles = [];
        for (let t = 0; t < whole.triangles.length; t += 3) {
            const corners = [...whole.triangles.subarray(t, t + 3)];
            if (!corners.some(isInner)) triangles.push(...corners);
        }
        const ring: Sheet = { positions: whole.positions, triangles: Uint32Array.from(triangles) };
        const source = 1 + 5 * 32;
        const opposite = source + 16;
        const { distances } = distancesFrom(ring, [source]);
        // The inner edge of the ring is a polygon of 32 sides of radius 6/8.
        const around = 16 * 2 * 0.75 * Math.sin(Math.PI / 32);
        expect(distances[opposite] / around).toBeCloseTo(1, 2);
        expect(distances[0]).toBe(Infinity);
    });

    test("several sources: the nearest, and which it is", () => {
        const sheet = grid(16, 16, lying());
        const row = topRow(16, 16);
        const { distances, sources } = distancesFrom(sheet, row);
        for (let p = 0; p < distances.length; p++) {
            const exact = Math.min(...row.map((s) => straight(sheet, s, p)));
            expect(distances[p]).toBeCloseTo(exact, 4);
            expect(straight(sheet, sources[p], p)).toBeLessThan(exact * 1.05 + 1e-6);
        }
    });

    test("from a row of sources over irregular triangles they are straight lines, within 0.2 % in the mean", () => {
        for (const seed of [1, 2, 3]) {
            const sheet = irregular(16, 32, lying(1, 2), seededRandom(seed));
            const row = topRow(16, 32);
            const { distances, sources } = distancesFrom(sheet, row);
            let excess = 0;
            for (let p = 0; p < distances.length; p++) {
                const exact = Math.min(...row.map((s) => straight(sheet, s, p)));
                if (exact === 0) continue;
                expect(distances[p]).toBeGreaterThan(exact * (1 - 1e-5));
                expect(distances[p]).toBeLessThan(exact * 1.1);
                expect(straight(sheet, sources[p], p)).toBeLessThan(exact * 1.1);
                excess += (distances[p] / exact - 1) / distances.length;
            }
            expect(excess).toBeLessThan(0.002);
        }
    });

    test.each([0.2, 1, 3])("from a row of sources over cloth that turns by %d rad they are never shorter than its arcs", (turn) => {
        const place = (u: number, v: number): [number, number, number] => [
            u,
            Math.cos((1 - v) * turn) / turn,
            Math.sin((1 - v) * turn) / turn,
        ];
        for (const sheet of [grid(32, 32, place), irregular(32, 32, place, seededRandom(3))]) {
            const { distances } = distancesFrom(sheet, topRow(32, 32));
            // Chords of cells are shorter than the arc by a 24th of the square of their angle.
            const chords = 1 - (turn / 32) ** 2 / 12;
            for (let p = 0; p < distances.length; p++) {
                const exact = Math.atan2(sheet.positions[3 * p + 2], sheet.positions[3 * p + 1]) / turn;
                expect(distances[p]).toBeGreaterThan(exact * chords - 1e-6);
            }
        }
    });

    test("groups are what hangs together by edges", () => {
        const sheet = grid(8, 8, lying());
        const labels = new Geodesics(sheet.positions, sheet.triangles).connectedGroups(Uint32Array.from([41, 0, 1, 2, 8, 80, 40]));
        const found = [...labels.entries()].filter(([, label]) => label >= 0);
        expect(found).toEqual([
            [0, 0],
            [1, 0],
            [2, 0],
            [8, 8],
            [40, 40],
            [41, 40],
            [80, 80],
        ]);
    });
});

describe("tethers", () => {
    test("however it is thrown about, no particle is farther from its pins than the way over the cloth", () => {
        const sheet = irregular(12, 12, lying(), seededRandom(9));
        const pinned = [0, 12, 156 + 6];
        const cloth = makeCloth(sheet, { fabric: { shearStiffness: 100 }, tetherSlack: 0, pinned, substepCount: 2 });
        const ways = pinned.map((pin) => distancesFrom(sheet, [pin]).distances);
        const random = seededRandom(3);
        let longest = 0;
        runSeconds(cloth, 4, (step) => {
            for (let p = 0; p < cloth.state.particleCount; p++) {
                if (step % 60 === 0 && !pinned.includes(p))
                    setVelocity(cloth, p, [20 * random() - 10, 20 * random() - 10, 20 * random() - 10]);
                // The last of its tethers to be pulled is held exactly, the others nearly.
                pinned.forEach((pin, i) => (longest = Math.max(longest, distance(cloth, p, pin) / Math.max(ways[i][p], 0.1))));
            }
        });
        // 1.21: a tether pulls along the mean of its directions now and before, which at 10 m/s is not yet quite its length (1.167), and
        // after it what is stretched far is drawn together, see reference/stretchLimits.ts.
        expect(longest).toBeLessThan(1.22);
        expect(longest).toBeGreaterThan(0.95);
    });

    test.each([
        [1, 1.042],
        [4, 1.006],
        [8, 1.006],
    ])(
        "one pin, %d substeps: at most the way, %d times that where sticks stretched far had the last word",
        (substepCount, most) => {
            const sheet = grid(10, 10, lying());
            const way = distancesFrom(sheet, [0]).distances;
            const random = seededRandom(3);
            let tautSteps = 0;
            // Each start is off by rounding, which decides when sticks are stretched far: see reference/stretchLimits.ts.
            for (let start = 0; start < 5; start++) {
                const cloth = makeCloth(sheet, { tetherSlack: 0, pinned: [0], substepCount });
                const { positions, previous, uniforms } = cloth.state;
                for (let p = 1; p < 121; p++) positions[4 * p + 1] = previous[4 * p + 1] = 1e-7 * (random() - 0.5);
                runSeconds(cloth, 2, () => {
                    let longest = 0;
                    for (let p = 1; p < 121; p++) longest = Math.max(longest, distance(cloth, p, 0) / way[p]);
                    expect(longest).toBeLessThan(uniforms[Uniform.strain] > 0.04 ? most : 1 + 1e-6);
                    if (longest > 0.999) tautSteps++;
                });
            }
            expect(tautSteps).toBeGreaterThan(50);
        },
    );
});
