import { describe, expect, test } from "@jest/globals";
import { findWarpWeft } from "../../../src/engine/index";
import { complianceAlong, lineStiffness, stiffnessAlong } from "../../../src/engine/materials/warpWeftStiffness";
import { grid, gridIndex, irregular, lying } from "../../physics/meshes";
import { seededRandom } from "../../random";

const angle = 0.4;

describe("threads", () => {
    const sheet = irregular(6, 5, lying(3, 2), seededRandom(1));
    const vertices = Uint32Array.from({ length: sheet.positions.length / 3 }, (_, v) => v);
    /** Texture coordinates turned by an angle, of any scale along each axis. */
    const uvs = (scaleU: number, scaleV: number): Float32Array =>
        Float32Array.from({ length: 2 * vertices.length }, (_, k) => {
            const [x, z] = [sheet.positions[3 * (k >> 1)], sheet.positions[3 * (k >> 1) + 2]];
            return k % 2
                ? scaleV * (z * Math.cos(angle) - x * Math.sin(angle))
                : scaleU * (x * Math.cos(angle) + z * Math.sin(angle));
        });

    test.each([
        [1, 1],
        [0.1, 5],
        [-2, 1],
    ])("run along u, whatever its scale: %d, %d", (scaleU, scaleV) => {
        const threads = findWarpWeft(sheet.positions, sheet.triangles, vertices, uvs(scaleU, scaleV));
        for (const [a, b] of [
            [0, 9],
            [3, 17],
            [20, 8],
        ]) {
            const [dx, dz] = [0, 2].map((i) => sheet.positions[3 * b + i] - sheet.positions[3 * a + i]);
            const cosine = (dx * Math.cos(angle) + dz * Math.sin(angle)) / Math.hypot(dx, dz);
            expect(threads.alongWarp(a, b)).toBeCloseTo(cosine ** 2, 5);
        }
    });

    test("are nowhere where texture coordinates have no area: every direction is between warp and weft", () => {
        const { positions, triangles } = grid(2, 2, lying());
        const numbers = Uint32Array.from({ length: 9 }, (_, v) => v);
        const threads = findWarpWeft(positions, triangles, numbers, new Float32Array(18));
        expect(threads.alongWarp(gridIndex(2, 0, 0), gridIndex(2, 1, 0))).toBe(0.5);
    });
});

describe("stiffness along a direction", () => {
    test("of lines evenly spread, seen by cos⁴ of the curvature, is warp's along warp and weft's along weft", () => {
        for (const [warp, weft] of [
            [1, 1],
            [3, 1],
            [1, 4.5],
            [1, 40],
            [2, 0],
        ]) {
            const bendingAlong = (direction: number): number =>
                [0, 1, 2, 3].reduce((sum, k) => {
                    const line = (k * Math.PI) / 4;
                    return sum + (2 / 3) * lineStiffness(warp, weft, Math.cos(line) ** 2) * Math.cos(line - direction) ** 4;
                }, 0);
            expect(bendingAlong(0)).toBeCloseTo(warp, 6);
            expect(bendingAlong(Math.PI / 2)).toBeCloseTo(weft, 6);
            expect(stiffnessAlong(warp, weft, 0.25)).toBeCloseTo(0.25 * warp + 0.75 * weft);
        }
    });

    test("springs in a row: what is rigid gives nothing, what is off gives all", () => {
        expect(complianceAlong(2, 4, 1)).toBe(0.5);
        expect(complianceAlong(2, 4, 0.5)).toBe(0.375);
        expect(complianceAlong(Infinity, 4, 1)).toBe(0);
        expect(complianceAlong(Infinity, 0, 1)).toBe(0);
        expect(complianceAlong(Infinity, 0, 0.5)).toBe(Infinity);
    });
});
