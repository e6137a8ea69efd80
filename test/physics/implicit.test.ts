// The implicit method: what it rests in is what theory and the default's converged solution say, and no step is too large for it.
import { beforeAll, describe, expect, test } from "@jest/globals";
import { solverModule } from "../../src/engine/index";
import type { SolverName } from "../../src/engine/index";
import { elasticaTip, LENGTH, strip } from "./elastica";
import { grid, gridIndex, hanging, lying, topRow } from "./meshes";
import {
    addCollider,
    at,
    G,
    lowest,
    makeCloth,
    measure,
    pose,
    runSeconds,
    runSteps,
    setVelocity,
    stretchOf,
    threadsOf,
} from "./support";
import type { ClothOptions } from "./support";

beforeAll(() => solverModule.load());

const make = (shape: Parameters<typeof makeCloth>[0], options: ClothOptions) =>
    makeCloth(shape, { solver: "implicit", substepCount: 1, ...options });

describe("comes to rest where theory and the default have it, within 2 %", () => {
    test.each([500, 5000])("a sheet that hangs, %d N/m", (stretchStiffness) => {
        const rows = 16;
        const sag = (solver: SolverName, substepCount: number): number => {
            const cloth = make(grid(4, rows, hanging(0.25, 1)), {
                solver,
                substepCount,
                pinned: topRow(4, rows),
                fabric: { stretchStiffness, damping: 3 },
            });
            runSeconds(cloth, 4);
            const bottom = -1 - at(cloth, gridIndex(4, 2, 0))[1];
            cloth.release();
            return bottom;
        };
        const implicit = sag("implicit", 1);
        expect(Math.abs(implicit / (G / (2 * stretchStiffness)) - 1)).toBeLessThan(0.02);
        expect(Math.abs(implicit / sag("xpbd", 64) - 1)).toBeLessThan(0.02);
    });

    test.each([
        [1e-4, 16],
        [5e-4, 16],
        [1e-4, 32],
    ])("a strip that is clamped level and bends, %d N·m in %d cells", (bendStiffness, cells) => {
        const tipOf = (solver: SolverName, substepCount: number): [number, number] => {
            const { sheet, held, tip } = strip(cells, "grid");
            const cloth = make(sheet, {
                solver,
                substepCount,
                pinned: held,
                fabric: { arealDensity: 0.2, stretchStiffness: 1e4, shearStiffness: 200, bendStiffness, damping: 4 },
            });
            runSeconds(cloth, 4);
            const mean: [number, number] = [0, 0];
            for (const i of tip) for (let k = 0; k < 2; k++) mean[k] += at(cloth, i)[k] / tip.length / LENGTH;
            cloth.release();
            return mean;
        };
        const [x, y] = tipOf("implicit", 1);
        const [ex, ey] = elasticaTip(bendStiffness);
        const [cx, cy] = tipOf("xpbd", 64);
        expect(Math.hypot(x - ex, y - ey)).toBeLessThan(0.02);
        expect(Math.hypot(x - cx, y - cy)).toBeLessThan(0.02);
    });

    test.each([1e-4, 5e-4])("the same by springs that buckle, within 4 %%: %d N·m", (bendStiffness) => {
        const { sheet, held, tip } = strip(16, "grid");
        const fabric = { arealDensity: 0.2, stretchStiffness: 1e4, shearStiffness: 200, bendStiffness, damping: 4 };
        const cloth = make(sheet, { solver: "implicitBuckling", pinned: held, fabric });
        runSeconds(cloth, 4);
        const [x, y] = elasticaTip(bendStiffness);
        const mean = (k: number): number => tip.reduce((sum, i) => sum + at(cloth, i)[k] / tip.length / LENGTH, 0);
        expect(Math.hypot(mean(0) - x, mean(1) - y)).toBeLessThan(0.04);
        expect(cloth.solver?.warning).toBeNull();
    });

    test("a panel that shears under its weight", () => {
        const drop = (solver: SolverName, substepCount: number): number => {
            const columns = 8;
            const sheet = grid(columns, 16, hanging(0.5, 1));
            const left = Array.from({ length: 17 }, (_, j) => gridIndex(columns, 0, j));
            const cloth = make(sheet, {
                solver,
                substepCount,
                pinned: left,
                fabric: { stretchStiffness: 2000, shearStiffness: 100, bendStiffness: 1e-2, damping: 3 },
            });
            runSeconds(cloth, 4);
            const y = -0.5 - at(cloth, gridIndex(columns, columns, 8))[1];
            cloth.release();
            return y;
        };
        const implicit = drop("implicit", 1);
        const converged = drop("xpbd", 64);
        expect(Math.abs(implicit / converged - 1)).toBeLessThan(0.02);
    });
});

describe("is stable at 1/60 s", () => {
    test.each([1e5, Infinity])("with %d N/m: hung by two corners, thrown about by impulses", (stretchStiffness) => {
        const cloth = make(grid(10, 10, lying(1, 1, 0)), {
            pinned: [gridIndex(10, 0, 10), gridIndex(10, 10, 10)],
            fabric: { arealDensity: 0.2, stretchStiffness, shearStiffness: 1e4, bendStiffness: 1e-4, damping: 1 },
        });
        runSeconds(cloth, 2, (step) => {
            if (step % 20 === 10) cloth.applyImpulse(0, -0.5, 0, 0.1, 0.2, 0.3 - (step % 40) / 50, 0.3);
        });
        expect(cloth.solver?.warning).toBeNull();
        const swinging = measure(cloth).kinetic;
        expect(swinging).toBeLessThan(5);
        runSeconds(cloth, 5);
        expect(measure(cloth).kinetic).toBeLessThan(0.02 * Math.max(1, swinging));
        expect(stretchOf(cloth).max).toBeLessThan(0.02);
        expect(lowest(cloth)).toBeGreaterThan(-1.5);
    });

    test("and lies on a sphere, at its thickness", () => {
        const cloth = make(grid(12, 12, lying(1, 1, 0.3)), {
            fabric: {
                arealDensity: 0.2,
                stretchStiffness: 1e5,
                shearStiffness: 100,
                bendStiffness: 1e-4,
                damping: 2,
                thickness: 0.01,
                friction: 0.6,
            },
        });
        addCollider(cloth, "sphere", pose([0, 0, 0], [0.25, 0.25, 0.25]));
        runSeconds(cloth, 2);
        let nearest = Infinity;
        for (let i = 0; i < cloth.state.particleCount; i++) nearest = Math.min(nearest, Math.hypot(...at(cloth, i)) - 0.25);
        expect(nearest).toBeGreaterThan(0.0099);
        expect(nearest).toBeLessThan(0.02);
        expect(at(cloth, gridIndex(12, 6, 6))[1]).toBeGreaterThan(0.25);
    });
});

test("stretches along warp and weft by their own stiffnesses", () => {
    const sheet = grid(4, 12, hanging(0.3, 1));
    const sag = (warpAxis: 0 | 1): number => {
        const cloth = make(sheet, {
            pinned: topRow(4, 12),
            threads: threadsOf(sheet, warpAxis, warpAxis === 0 ? 1 : 0),
            fabric: { stretchStiffness: { warp: 2000, weft: 500 }, damping: 3 },
        });
        runSeconds(cloth, 3);
        return -1 - at(cloth, gridIndex(4, 2, 0))[1];
    };
    expect(Math.abs(sag(1) / (G / 4000) - 1)).toBeLessThan(0.02);
    expect(Math.abs(sag(0) / (G / 1000) - 1)).toBeLessThan(0.02);
});

test.each(["implicit", "implicitBuckling"] as const)(
    "%s keeps the shape that it has at rest: a bent sheet without weight does not move",
    (solver) => {
        const bent = grid(8, 4, (u, v) => [Math.sin(2 * u), v, Math.cos(2 * u)]);
        const cloth = make(bent, {
            solver,
            gravity: [0, 0, 0],
            fabric: { stretchStiffness: 1e4, shearStiffness: 100, bendStiffness: 1e-2 },
        });
        runSteps(cloth, 60);
        for (let i = 0; i < cloth.state.particleCount; i++)
            at(cloth, i).forEach((x, c) => expect(Math.abs(x - bent.positions[3 * i + c])).toBeLessThan(1e-6));
    },
);

test("takes a step that stretches drastically in pieces: a sheet that is spun at 20 rad/s keeps its size (in whole steps it was 5 % wider)", () => {
    const fabric = { arealDensity: 0.2, stretchStiffness: 1e4, shearStiffness: 1e3, bendStiffness: 1e-4 };
    const cloth = make(grid(10, 10, lying(1, 1, 0)), { gravity: [0, 0, 0], fabric });
    for (let i = 0; i < 121; i++) {
        const [x, , z] = at(cloth, i);
        setVelocity(cloth, i, [20 * z, 0, -20 * x]);
    }
    let most = 0;
    runSteps(cloth, 30, () => (most = Math.max(most, stretchOf(cloth).max)));
    expect(most).toBeLessThan(0.02);
    expect(cloth.solver?.warning).toBeNull();
});
