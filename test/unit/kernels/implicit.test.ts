/** The kernels of the implicit method: known solutions of its system. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { MatrixBlock, SystemNumber } from "../../../src/kernels/implicitLayout";
import type { Body, SolverName } from "../../../src/engine/index";
import { solverModule } from "../../../src/engine/index";
import type { BlockSystem } from "../../../src/engine/solvers/implicit/blockSystem";
import type { Flexion } from "../../../src/engine/solvers/implicit/flexion";
import { seededRandom } from "../../random";
import { grid, gridIndex, lying } from "../../physics/meshes";
import type { Sheet } from "../../physics/meshes";
import { at, makeCloth, runSteps } from "../../physics/support";

beforeAll(() => solverModule.load());

const systemOf = (cloth: Body): BlockSystem => (cloth.solver as unknown as { readonly _system: BlockSystem })._system;

/** A sheet whose particles are off by a tenth of an edge, pinned by a corner; springs with dampers, threads of two kinds. */
function makeSheet(columns: number, rows: number, solver: SolverName = "implicit"): Body {
    const random = seededRandom(columns);
    const flat = grid(columns, rows, lying(columns / 20, rows / 20));
    const positions = flat.positions.map((x) => x + 0.01 * (random() - 0.5));
    const sheet: Sheet = { ...flat, positions };
    const fabric = { arealDensity: 0.2, stretchStiffness: 1e4, shearStiffness: 300, bendStiffness: 1e-3 };
    const cloth = makeCloth(sheet, { solver, springDamping: 1e-3, pinned: [0], substepCount: 1, fabric });
    const { positions: x, inverseMasses } = cloth.state;
    for (let i = 0; i < cloth.state.particleCount; i++)
        for (let c = 0; c < 3; c++) if (inverseMasses[i] > 0) x[4 * i + c] += 0.01 * (random() - 0.5);
    return cloth;
}

describe("implicit", () => {
    test("the solution of a system is one: it pushes as the right side does", () => {
        const cloth = makeSheet(8, 8);
        const system = systemOf(cloth);
        system.numbers[SystemNumber.tolerance] = 1e-5;
        runSteps(cloth, 1);
        const { rows, columns, blocks, masses, solution: x, right } = system;
        let off = 0;
        for (let i = 1; i < system.particleCount; i++) {
            for (let r = 0; r < 3; r++) {
                let push = masses[i] * x[4 * i + r];
                for (let k = rows[4 * i]; k < rows[4 * i + 2]; k++)
                    for (let c = 0; c < 3; c++)
                        push += blocks[MatrixBlock.count * k + 4 * c + r] * (x[4 * columns[k] + c] - x[4 * i + c]);
                off = Math.max(off, Math.abs(push - right[4 * i + r]));
            }
        }
        expect(off).toBeLessThan(1e-3 * Math.hypot(...right));
    });

    test.each([0.999, 0.9, 0.6366, 0.3, 0.01])("a spring that buckles to %d of its length pushes as an arc does", (share) => {
        const cloth = makeCloth(grid(2, 1, lying(0.2, 0.1)), {
            solver: "implicitBuckling",
            fabric: { bendStiffness: 1e-5 },
        });
        const { _system: system, _energyTerms } = cloth.solver as unknown as {
            _system: BlockSystem;
            _energyTerms: readonly unknown[];
        };
        const flexion = _energyTerms[1] as Flexion;
        runSteps(cloth, 1);
        system.velocities.fill(0);
        const { lengths, particles, stiffnesses } = flexion;
        const s = lengths.findIndex((length, k) => Math.abs(length - 0.2) < 1e-6 && stiffnesses[2 * k] > 0);
        stiffnesses.fill(0, 0, 2 * s);
        stiffnesses.fill(0, 2 * s + 2);
        const [a, c] = particles.subarray(3 * s, 3 * s + 2);
        system.places.set([0, 0, 0], 3 * a);
        system.places.set([share * lengths[s], 0, 0], 3 * c);
        system.numbers[SystemNumber.gravity + 1] = 0;
        cloth.kernels.assembleSystem(system, cloth.state);
        cloth.kernels.addFlexion(system, flexion);
        // |x| = L sin(a)/a of the arc's half angle.
        let half = 1e-3;
        for (let step = 1; step > 1e-12; step /= 2)
            while (Math.sin(half + step) / (half + step) > share && half + step < Math.PI) half += step;
        const curvature = (2 * half) / lengths[s];
        const force = (stiffnesses[2 * s] * curvature ** 2) / (Math.sin(half) / half - Math.cos(half));
        expect(Math.abs(system.right[4 * c] / system.numbers[SystemNumber.step] / force - 1)).toBeLessThan(1e-3);
        expect(system.right[4 * a]).toBeCloseTo(-system.right[4 * c], 9);
    });

    test("what falls freely needs no iteration, and falls by gravity alone", () => {
        const cloth = makeCloth(grid(6, 6, lying(1, 1)), {
            solver: "implicit",
            substepCount: 1,
            fabric: { stretchStiffness: 1e5 },
        });
        runSteps(cloth, 30);
        expect(systemOf(cloth).numbers[SystemNumber.iterations]).toBe(0);
        for (let i = 0; i < 49; i++) expect(at(cloth, i)[1]).toBeCloseTo((-9.81 * 30 * 31) / 2 / 3600, 5);
    });
});

test("a sheet of 2,592 triangles takes few iterations: factors see farther than particles do (by their own blocks alone it took 600)", () => {
    const n = 36;
    const pinned = [gridIndex(n, 0, n), gridIndex(n, n, n)];
    const fabric = { arealDensity: 0.2, shearStiffness: 200, bendStiffness: 5e-5 };
    const cloth = makeCloth(grid(n, n, lying(1, 1)), { solver: "implicit", substepCount: 1, pinned, fabric });
    let [most, sum] = [0, 0];
    runSteps(cloth, 90, () => {
        const iterations = systemOf(cloth).numbers[SystemNumber.iterations];
        most = Math.max(most, iterations);
        sum += iterations;
    });
    expect(most).toBeLessThan(70);
    expect(sum / 90).toBeLessThan(35);
});
