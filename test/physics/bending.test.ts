import { describe, expect, test } from "@jest/globals";
import { backendNames } from "../../src/kernels/backend";
import { identity } from "../../src/solver/affine";
import { buildTopology } from "../../src/solver/rest/topology";
import { grid, gridIndex, irregular, lying } from "./meshes";
import type { Sheet } from "./meshes";
import { at, makeCloth, measure, runSeconds } from "./support";
import { seededRandom } from "../random";

describe("energy of bend sticks", () => {
    /** Energy of a sheet's bend sticks, wound onto a cylinder, as a share of the plate's ½ B κ² A. */
    const energyShare = ({ positions: x, triangles }: Sheet, curvature: number): number => {
        const { bend, areas } = buildTopology(x, triangles);
        const wound = (p: number): number[] => {
            const angle = curvature * x[3 * p];
            return [Math.sin(angle) / curvature, (1 - Math.cos(angle)) / curvature, x[3 * p + 2]];
        };
        let energy = 0;
        bend.particlesA.forEach((a, s) => {
            const [p, q] = [wound(a), wound(bend.particlesB[s])];
            const change = Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) - bend.restLengths[s];
            energy += 0.5 * bend.stiffnessFactors[s] * change * change;
        });
        return energy / (0.5 * curvature * curvature * areas.reduce((a, b) => a + b));
    };
    const meshes: Record<string, (count: number) => Sheet> = {
        "one-way diagonals": (count) => grid(count, count, lying(0.2)),
        "alternating diagonals": (count) => grid(count, count, lying(0.2), "alternating"),
        irregular: (count) => irregular(count, count, lying(0.2), seededRandom(3), 0.2),
    };

    test.each(Object.keys(meshes))("%s: the plate's at a radius of 5 cm, at any resolution", (name) => {
        const shares = [8, 16, 32].map((count) => energyShare(meshes[name](count), 20));
        for (const share of shares) {
            expect(share).toBeGreaterThan(0.8);
            expect(share).toBeLessThan(1.5);
            expect(Math.abs(share / shares[0] - 1)).toBeLessThan(0.2);
        }
    });

    test("softer than a plate at gentler curves: distances see a fold to second order", () => {
        const sheet = grid(16, 16, lying(0.2));
        expect(energyShare(sheet, 5) / energyShare(sheet, 20)).toBeCloseTo(1 / 16, 2);
    });
});

describe.each(backendNames)("bending, %s", (backend) => {
    const COLUMNS = 16;
    const LENGTH = 0.2;

    /** Width of the loop in which a strip hangs from its two ends, held together, as a share of its length. */
    const loopWidth = (bendStiffness: number): number => {
        const width = (2 * LENGTH) / COLUMNS;
        const ends = [0, COLUMNS].flatMap((i) => [0, 1, 2].map((j) => gridIndex(COLUMNS, i, j)));
        const cloth = makeCloth(
            backend,
            grid(COLUMNS, 2, (u, v) => [u * LENGTH, 0, v * width], "alternating"),
            {
                fabric: { arealDensity: 0.2, shearStiffness: 200, bendStiffness, damping: 4 },
                substepCount: 8,
                pinned: ends,
            },
        );
        // Flat at rest, it starts as a ring.
        const radius = LENGTH / (2 * Math.PI);
        const ring = new Float32Array(cloth.state.particleCount * 3);
        for (let j = 0; j <= 2; j++) {
            for (let i = 0; i <= COLUMNS; i++) {
                const angle = (2 * Math.PI * i) / COLUMNS;
                ring.set([radius * Math.sin(angle), radius * (Math.cos(angle) - 1), (j * width) / 2], 3 * gridIndex(COLUMNS, i, j));
            }
        }
        cloth.state.place(ring);
        cloth.pins[0].grab(cloth.state, identity());
        runSeconds(cloth, 3);
        expect(measure(cloth).kinetic).toBeLessThan(1e-8);
        const xs = Array.from({ length: COLUMNS + 1 }, (_, i) => at(cloth, gridIndex(COLUMNS, i, 1))[0]);
        return (Math.max(...xs) - Math.min(...xs)) / LENGTH;
    };

    test("a strip held by both ends hangs as a flat fold without bending stiffness, as an open loop with it", () => {
        expect(loopWidth(0)).toBeLessThan(0.03);
        expect(loopWidth(5e-6)).toBeGreaterThan(0.1);
        expect(loopWidth(5e-5)).toBeGreaterThanOrEqual(loopWidth(5e-6));
        expect(loopWidth(Infinity)).toBeLessThan(0.35);
    });
});
