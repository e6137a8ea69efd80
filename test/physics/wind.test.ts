import { describe, expect, test } from "@jest/globals";
import { backendNames } from "../../src/kernels/backend";
import { Uniform } from "../../src/kernels/layout";
import type { Body } from "../../src/solver/body";
import type { WindField } from "../../src/solver/settings";
import { disc, grid, irregular, lying } from "./meshes";
import type { Sheet } from "./meshes";
import { G, makeCloth, measure, runSeconds, runSteps, setVelocity, stretchOf, velocityOf } from "./support";
import type { Vector } from "../../src/solver/vector";
import { seededRandom } from "../random";

/** An even wind [m/s] of a linear drag [kg/(m² s)]. */
function evenWind(velocity: Vector, drag: number): WindField {
    return {
        sample(_time, uniforms) {
            uniforms.fill(0, Uniform.windVelocity, Uniform.gustPhase + 1);
            uniforms.set(velocity, Uniform.windVelocity);
            return drag;
        },
    };
}

/** Mean velocity of a cloth [m/s]. */
function meanVelocity(cloth: Body): number[] {
    const { momentum, mass } = measure(cloth);
    return momentum.map((p) => p / mass);
}

/** The unit square tilted about z. */
const tilted =
    (size: number, angle: number) =>
    (u: number, v: number): [number, number, number] => [
        (u - 0.5) * size * Math.cos(angle),
        (u - 0.5) * size * Math.sin(angle),
        (v - 0.5) * size,
    ];

describe.each(backendNames)("wind, %s", (backend) => {
    const STILL: Vector = [0, 0, 0];

    test.each([
        [1, 1, 0],
        [1, 3, 0],
        [2, 1, 0],
        [1, 2, 0.5],
        [1, 2, 1.2],
        [1, 2, -0.8],
    ])("on %d m at %d m/s, tilted by %d: impulse c A dt (u · n) n in a step", (size, speed, angle) => {
        const cloth = makeCloth(backend, grid(8, 8, tilted(size, angle)), {
            gravity: STILL,
            fabric: { arealDensity: 10 },
            wind: evenWind([0, speed, 0], 1.5),
        });
        runSteps(cloth, 1);
        const impulse = (1.5 * size * size * speed * Math.cos(angle)) / 60;
        const { momentum } = measure(cloth);
        [-Math.sin(angle), Math.cos(angle), 0].forEach((n, c) =>
            expect(Math.abs(momentum[c] - impulse * n)).toBeLessThan(0.01 * impulse),
        );
    });

    test("edge-on it does nothing", () => {
        const cloth = makeCloth(backend, grid(8, 8, lying()), { gravity: STILL, wind: evenWind([5, 0, 3], 2) });
        runSeconds(cloth, 1);
        expect(measure(cloth).kinetic).toBeLessThan(1e-10);
    });

    test("on cloth that moves with it, it does nothing", () => {
        const cloth = makeCloth(backend, grid(8, 8, lying()), { gravity: STILL, wind: evenWind([1, 2, 3], 5) });
        for (let i = 0; i < 81; i++) setVelocity(cloth, i, [1, 2, 3]);
        runSeconds(cloth, 1);
        meanVelocity(cloth).forEach((v, c) => expect(v).toBeCloseTo([1, 2, 3][c], 3));
        expect(stretchOf(cloth).max).toBeLessThan(1e-4);
    });

    test("the relative wind counts: cloth in still air is braked as it would be blown", () => {
        const blown = makeCloth(backend, grid(8, 8, lying()), { gravity: STILL, wind: evenWind([0, 3, 0], 1) });
        const braked = makeCloth(backend, grid(8, 8, lying()), { gravity: STILL, wind: evenWind(STILL, 1) });
        for (let i = 0; i < 81; i++) setVelocity(braked, i, [0, -3, 0]);
        runSeconds(blown, 0.5);
        runSeconds(braked, 0.5);
        expect(meanVelocity(blown)[1] - 3).toBeCloseTo(meanVelocity(braked)[1], 3);
    });

    test("a sheet across the wind takes on its speed as 1 - exp(-c t / ρ)", () => {
        for (const [arealDensity, drag, seconds] of [
            [1, 1, 1],
            [0.2, 0.5, 0.4],
            [1, 0.5, 2],
        ]) {
            const cloth = makeCloth(backend, grid(8, 8, lying()), {
                gravity: STILL,
                fabric: { arealDensity },
                wind: evenWind([0, 2, 0], drag),
            });
            runSeconds(cloth, seconds);
            expect(meanVelocity(cloth)[1] / (2 * (1 - Math.exp((-drag * seconds) / arealDensity)))).toBeCloseTo(1, 1);
        }
    });

    test("a sheet that falls flat is braked: v = ρ g / c (1 - exp(-c t / ρ))", () => {
        const cloth = makeCloth(backend, grid(8, 8, lying(), "alternating"), {
            fabric: { arealDensity: 0.2, shearStiffness: 200, bendStiffness: 1e-3 },
            wind: evenWind(STILL, 0.2),
        });
        // Later it tilts and flutters.
        runSeconds(cloth, 2);
        const exact = -G * (1 - Math.exp(-2));
        expect(meanVelocity(cloth)[1] / exact).toBeGreaterThan(0.97);
        expect(meanVelocity(cloth)[1] / exact).toBeLessThan(1.05);
    });

    test.each([0.001, 0.01, 0.1, 1])(
        "cloth of %d kg/m² never overshoots the wind, whatever the drag and the mesh",
        (arealDensity) => {
            const sheets = {
                grid: grid(8, 8, lying()),
                disc: disc(24, 6, lying()),
                irregular: irregular(8, 8, lying(), seededRandom(2)),
            };
            for (const drag of [0.1, 2, 100]) {
                for (const [name, sheet] of Object.entries(sheets)) {
                    const cloth = makeCloth(backend, sheet, {
                        gravity: STILL,
                        fabric: { arealDensity },
                        wind: evenWind([0, 5, 0], drag),
                    });
                    let fastest = 0;
                    let mean = 0;
                    runSeconds(cloth, 1, () => {
                        mean = Math.max(mean, meanVelocity(cloth)[1]);
                        for (let i = 0; i < cloth.state.particleCount; i++) fastest = Math.max(fastest, velocityOf(cloth, i)[1]);
                    });
                    // The sheet as a whole does not; single particles of an uneven mesh may for a moment.
                    expect({ drag, name, mean: mean < 5 * 1.005, fastest: fastest < 5 * 1.2 }).toEqual({
                        drag,
                        name,
                        mean: true,
                        fastest: true,
                    });
                    if (drag > 10 * arealDensity) expect(meanVelocity(cloth)[1]).toBeGreaterThan(4.9);
                }
            }
        },
    );

    test("wind does not depend on the substeps or on the mesh", () => {
        const speed = (sheet: Sheet, substepCount: number): number => {
            const cloth = makeCloth(backend, sheet, { gravity: STILL, substepCount, wind: evenWind([0, 3, 0], 1) });
            runSeconds(cloth, 0.5);
            return meanVelocity(cloth)[1];
        };
        const reference = speed(grid(8, 8, lying()), 4);
        expect(speed(grid(8, 8, lying()), 1) / reference).toBeCloseTo(1, 2);
        expect(speed(grid(8, 8, lying()), 16) / reference).toBeCloseTo(1, 2);
        expect(speed(grid(16, 16, lying()), 4) / reference).toBeCloseTo(1, 2);
        expect(speed(irregular(10, 7, lying(), seededRandom(1)), 4) / reference).toBeCloseTo(1, 2);
    });

    test("wind and impulses are the same anywhere in simulation space, with any number of substeps", () => {
        for (const y of [0, 20, 200]) {
            for (const substepCount of [4, 16, 32]) {
                const blown = makeCloth(backend, grid(4, 4, lying(1, 1, y)), {
                    gravity: STILL,
                    substepCount,
                    wind: evenWind([0, 3, 0], 0.3),
                });
                runSeconds(blown, 1);
                expect(meanVelocity(blown)[1] / (3 * (1 - Math.exp(-0.3)))).toBeCloseTo(1, 1);
                const kicked = makeCloth(backend, grid(4, 4, lying(1, 1, y)), { gravity: STILL, substepCount });
                runSteps(kicked, 60, () => kicked.applyImpulse(0, y, 0, 0, 0.01, 0, 3));
                expect(measure(kicked).momentum[1]).toBeCloseTo(0.6, 2);
            }
        }
    });

    test("a gust is a wave that blows here and not there", () => {
        const gust: WindField = {
            sample(_time, uniforms) {
                uniforms.fill(0, Uniform.windVelocity, Uniform.gustPhase + 1);
                uniforms[Uniform.gustVelocity + 1] = 4;
                uniforms[Uniform.gustWave] = 1;
                return 1;
            },
        };
        // One wavelength over the sheet: up on its left half, down on its right, with the amplitude of 4 m/s in the middle.
        const cloth = makeCloth(
            backend,
            grid(16, 16, (u, v) => [u, 0, v]),
            { gravity: STILL, fabric: { arealDensity: 100 }, wind: gust },
        );
        runSteps(cloth, 1);
        const full = 4 / (100 * 60);
        const row = 8 * 17;
        expect(velocityOf(cloth, row + 4)[1] / full).toBeCloseTo(1, 1);
        expect(velocityOf(cloth, row + 12)[1] / full).toBeCloseTo(-1, 1);
        expect(Math.abs(measure(cloth).momentum[1])).toBeLessThan(0.06 * 100 * full);
    });
});
