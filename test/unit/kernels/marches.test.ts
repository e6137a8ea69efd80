import { describe, expect, test } from "@jest/globals";
import { RestLayout } from "../../../src/kernels/restLayout";
import { Marches } from "../../../src/kernels/scalar/marches";
import { surveySurface } from "../../../src/kernels/scalar/rest";
import { scalarKernels } from "../../../src/kernels/scalar/scalarKernels";
import { grid, gridIndex, irregular, lying, sphere } from "../../physics/meshes";
import type { Sheet } from "../../physics/meshes";
import { seededRandom } from "../../random";
import { allocateStruct } from "./arrays";

function marchesOf({ positions, triangles }: Sheet): Marches {
    const [particleCount, cornerCount] = [positions.length / 3, triangles.length];
    const rest = allocateStruct(scalarKernels.arena, RestLayout, {
        particleCount,
        cornerCount,
        fanSize: particleCount + cornerCount,
    });
    rest.positions.set(positions);
    rest.triangles.set(triangles);
    surveySurface(rest);
    return new Marches(rest);
}

describe("straight marches", () => {
    const N = 12;

    test.each(["oneWay", "alternating"] as const)("end at the particles of a grid, %s", (diagonals) => {
        const marches = marchesOf(grid(N, N, lying(N, N), diagonals));
        expect(marches.turnTo(gridIndex(N, 6, 6))).toBe(true);
        expect(marches.isClosed).toBe(true);
        for (let i = 0; i < marches.count; i++) {
            const p = marches.neighbours[i];
            const [di, dj] = [(p % (N + 1)) - 6, Math.floor(p / (N + 1)) - 6];
            expect(marches.go(marches.angles[i], 5 * marches.lengths[i])).toBe(true);
            expect(marches.end).toBe(gridIndex(N, 6 + 5 * di, 6 + 5 * dj));
            expect(Math.hypot(marches.endX, marches.endY)).toBeCloseTo(5 * Math.hypot(di, dj), 4);
        }
    });

    test("end at the border, and go along it", () => {
        const marches = marchesOf(grid(N, N, lying(N, N)));
        marches.turnTo(gridIndex(N, 3, 0));
        expect(marches.isClosed).toBe(false);
        for (const [i, j] of [
            [2, 0],
            [4, 0],
        ]) {
            const k = marches.neighbours.indexOf(gridIndex(N, i, j));
            expect(marches.go(marches.angles[k], 100)).toBe(true);
            expect(marches.end).toBe(gridIndex(N, i < 3 ? 0 : N, 0));
        }
        const inward = marches.neighbours.indexOf(gridIndex(N, 3, 1));
        expect(marches.go(marches.angles[inward], 100)).toBe(true);
        expect(marches.end).toBe(gridIndex(N, 3, N));
        // Outward there is nothing.
        expect(marches.go(marches.angles[inward] + Math.PI, 1)).toBe(false);
    });

    test("are as long as the straight line on any flat mesh, and end near its end", () => {
        const sheet = irregular(20, 20, lying(1), seededRandom(2), 0.35);
        const marches = marchesOf(sheet);
        const x = sheet.positions;
        const random = seededRandom(3);
        for (let k = 0; k < 200; k++) {
            const p = gridIndex(20, 6 + Math.floor(8 * random()), 6 + Math.floor(8 * random()));
            marches.turnTo(p);
            expect(marches.go(2 * Math.PI * random(), 0.25)).toBe(true);
            const length = Math.hypot(x[3 * marches.end] - x[3 * p], x[3 * marches.end + 2] - x[3 * p + 2]);
            expect(Math.hypot(marches.endX, marches.endY)).toBeCloseTo(length, 4);
            expect(Math.abs(length - 0.25)).toBeLessThan(0.06);
            expect(Math.abs(marches.endY)).toBeLessThan(0.03);
        }
    });

    test("go round what was bent from flat", () => {
        const radius = 8 / Math.PI;
        const wound = grid(16, 4, (u, v) => [radius * Math.sin(u * Math.PI * 2), radius * Math.cos(u * Math.PI * 2), 4 * v]);
        const marches = marchesOf(wound);
        marches.turnTo(gridIndex(16, 2, 2));
        const k = marches.neighbours.indexOf(gridIndex(16, 3, 2));
        expect(marches.go(marches.angles[k], 10 * marches.lengths[k])).toBe(true);
        expect(marches.end).toBe(gridIndex(16, 12, 2));
        expect(Math.hypot(marches.endX, marches.endY)).toBeCloseTo(10 * marches.lengths[k], 3);
    });

    test("end on closed meshes, and survive what is no surface", () => {
        const marches = marchesOf(sphere(2));
        for (let p = 0; p < 60; p++) {
            expect(marches.turnTo(p)).toBe(true);
            for (let i = 0; i < marches.count; i++) expect(marches.go(marches.angles[i], 30)).toBe(true);
        }
        // Three leaves of a book, and a particle of none.
        const book = {
            positions: new Float32Array(18).map((_, i) => Math.sin(7 * i)),
            triangles: Uint32Array.of(0, 1, 2, 1, 0, 3, 0, 1, 4),
        };
        const leaves = marchesOf(book);
        for (let p = 0; p < 5; p++) {
            expect(leaves.turnTo(p)).toBe(true);
            for (let i = 0; i < leaves.count; i++) leaves.go(leaves.angles[i], 10);
        }
        expect(leaves.turnTo(5)).toBe(false);
    });
});
