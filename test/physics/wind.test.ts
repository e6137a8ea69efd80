import { describe, expect, test } from "@jest/globals";
import { Uniform } from "../../src/kernels/layout";
import type { Body, WindField, Vector } from "../../src/engine/index";
import { Fabrics } from "../../src/engine/index";
import { evenWind, fallOfPlate } from "./air";
import { disc, grid, gridIndex, irregular, lying } from "./meshes";
import { at, G, makeCloth, measure, runSeconds, runSteps, setVelocity, stretchOf, velocityOf } from "./support";
import { seededRandom } from "../random";

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

const STIFF = { stretchStiffness: Infinity, shearStiffness: Infinity, bendStiffness: Infinity };
const STILL: Vector = [0, 0, 0];

describe("wind", () => {
    test.each([
        [1, 1, 0],
        [1, 3, 0],
        [2, 1, 0],
        [1, 2, 0.5],
        [1, 2, 1.2],
        [1, 2, -0.8],
    ])("on %d m at %d m/s, tilted by %d: impulse ½ ρ A |u| (drag (u · n) n + friction u_t) dt in a step", (size, speed, angle) => {
        const cloth = makeCloth(grid(8, 8, tilted(size, angle)), {
            gravity: STILL,
            fabric: { arealDensity: 100 },
            wind: evenWind([0, speed, 0], { airDensity: 2, drag: 1.5, skinFriction: 0.3 }),
        });
        runSteps(cloth, 1);
        const impulse = (size * size * speed * speed) / 60;
        const { momentum } = measure(cloth);
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
        const across = 1.5 * impulse * cos;
        const along = 0.3 * impulse * sin;
        [along * cos - across * sin, along * sin + across * cos, 0].forEach((expected, c) =>
            expect(Math.abs(momentum[c] - expected)).toBeLessThan(0.01 * impulse),
        );
    });

    test("edge-on there is nothing but skin friction", () => {
        const cloth = makeCloth(grid(8, 8, lying()), {
            gravity: STILL,
            wind: evenWind([4, 0, 3], { skinFriction: 0.1 }),
        });
        runSeconds(cloth, 1);
        // v' = ½ ρ c (5 - v)²
        const speed = 5 - 5 / (1 + 0.5 * 1.2 * 0.1 * 5);
        meanVelocity(cloth).forEach((v, c) => expect(Math.abs(v - speed * [0.8, 0, 0.6][c])).toBeLessThan(0.01 * speed));
        expect(stretchOf(cloth).max).toBeLessThan(1e-4);
    });

    test("on cloth that moves with it, it does nothing", () => {
        const cloth = makeCloth(grid(8, 8, lying()), { gravity: STILL, wind: evenWind([1, 2, 3]) });
        for (let i = 0; i < 81; i++) setVelocity(cloth, i, [1, 2, 3]);
        runSeconds(cloth, 1);
        meanVelocity(cloth).forEach((v, c) => expect(Math.abs(v - [1, 2, 3][c])).toBeLessThan(1e-3));
        expect(stretchOf(cloth).max).toBeLessThan(1e-4);
    });

    test("the relative wind counts: cloth in still air is braked as it would be blown", () => {
        const blown = makeCloth(grid(8, 8, lying()), { gravity: STILL, wind: evenWind([0, 3, 0]) });
        const braked = makeCloth(grid(8, 8, lying()), { gravity: STILL, wind: evenWind(STILL) });
        for (let i = 0; i < 81; i++) setVelocity(braked, i, [0, -3, 0]);
        runSeconds(blown, 0.5);
        runSeconds(braked, 0.5);
        expect(Math.abs(meanVelocity(blown)[1] - 3 - meanVelocity(braked)[1])).toBeLessThan(1e-3);
    });

    const STEPS: [hertz: number, substepCount: number][] = [
        [30, 1],
        [60, 1],
        [60, 4],
        [240, 8],
    ];

    test.each(STEPS)(
        "a sheet across the wind takes on its speed as 1 - 1 / (1 + k u t / σ), at %d Hz in %d substeps",
        (hertz, substepCount) => {
            const wind = evenWind([0, 3, 0], { drag: 1 });
            const sheets = [
                grid(8, 8, lying()),
                grid(21, 16, lying()),
                irregular(10, 7, lying(), seededRandom(1)),
                disc(24, 6, lying()),
            ];
            for (const sheet of sheets) {
                const fabric = { ...STIFF, arealDensity: 0.2 };
                const cloth = makeCloth(sheet, { gravity: STILL, fixedTimeStep: 1 / hertz, substepCount, fabric, wind });
                runSeconds(cloth, 0.4);
                const k = (0.5 * 1.2 * 3 * 0.4) / 0.2;
                expect(Math.abs(meanVelocity(cloth)[1] / (3 * (1 - 1 / (1 + k))) - 1)).toBeLessThan(0.005);
            }
        },
    );

    test.each(STEPS)("a stiff sheet falls flat at √(2 σ g / (ρ drag)), at %d Hz in %d substeps", (hertz, substepCount) => {
        for (const n of [8, 24]) {
            const cloth = makeCloth(grid(n, n, lying(), "alternating"), {
                fixedTimeStep: 1 / hertz,
                substepCount,
                fabric: { ...STIFF, arealDensity: 0.2 },
                wind: evenWind(STILL),
            });
            runSeconds(cloth, 2);
            const exact = Math.sqrt((2 * 0.2 * G) / (1.2 * 1.2));
            const before = measure(cloth).centre[1];
            runSeconds(cloth, 1);
            // What it falls in a second, and what it is said to.
            expect(Math.abs((before - measure(cloth).centre[1]) / exact - 1)).toBeLessThan(0.01);
            expect(Math.abs(-meanVelocity(cloth)[1] / exact - 1)).toBeLessThan(0.01);
        }
    });

    test.each(STEPS)("a plate held at 45° glides as the air carries it, at %d Hz in %d substeps", (hertz, substepCount) => {
        for (const [damping, error] of [
            [0, 0.005],
            [Fabrics.cotton.damping, 0.02],
        ]) {
            const { across, along } = fallOfPlate({ angle: Math.PI / 4, hertz, substepCount, quads: 8, damping });
            expect(Math.abs(across - 1)).toBeLessThan(error);
            expect(Math.abs(along - 1)).toBeLessThan(error);
        }
    });

    test.each([4, 16])("what is held bears all of the wind, with %d substeps", (substepCount) => {
        // A strip across the wind between two pinned ends hangs in a parabola: its tension, by the sag, is q L² / (8 f).
        const sag = (wind: WindField | null, gravity: Vector): number => {
            const n = 16;
            const pinned = [0, n, n + 1, 2 * n + 1];
            const cloth = makeCloth(
                grid(n, 1, (u, v) => [u, 0, v / n]),
                {
                    gravity,
                    substepCount,
                    pinned,
                    wind,
                    fabric: { arealDensity: 0.1, stretchStiffness: Infinity, damping: 3 },
                },
            );
            runSeconds(cloth, 4);
            return at(cloth, gridIndex(n, n / 2, 0))[1];
        };
        // 1.5 m/s is ½ ρ drag u² = 1.6 N/m², as much as the weight in 16 m/s².
        const pressed = sag(evenWind([0, 1.5, 0], { skinFriction: 0 }), STILL);
        const heavy = sag(null, [0, (0.5 * 1.2 * 1.2 * 2.25) / 0.1, 0]);
        // A curved face shelters itself a little: it shows less than its largest area.
        expect(Math.abs(pressed / heavy - 1)).toBeLessThan(0.06);
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
                    const cloth = makeCloth(sheet, {
                        gravity: STILL,
                        fabric: { arealDensity },
                        wind: evenWind([0, 5, 0], { drag }),
                    });
                    let fastest = 0;
                    runSeconds(cloth, 1, () => {
                        for (let i = 0; i < cloth.state.particleCount; i++) fastest = Math.max(fastest, velocityOf(cloth, i)[1]);
                    });
                    expect({ drag, name, isSlower: fastest < 5 * 1.005 }).toEqual({ drag, name, isSlower: true });
                    if (drag > 10 * arealDensity) expect(meanVelocity(cloth)[1]).toBeGreaterThan(4.5);
                }
            }
        },
    );

    test("still air only takes energy, from whatever moves", () => {
        const random = seededRandom(4);
        const cloth = makeCloth(irregular(12, 12, lying(1, 1, 3), random), {
            gravity: STILL,
            // Nothing that springs back, which has motion to give.
            fabric: { arealDensity: 0.1 },
            wind: evenWind(STILL, { drag: 3, skinFriction: 0.5 }),
        });
        for (let i = 0; i < cloth.state.particleCount; i++) {
            setVelocity(cloth, i, [random() * 8 - 4, random() * 8 - 4, random() * 8 - 4]);
        }
        let energy = cloth.kineticEnergy;
        for (let s = 0; s < 120; s++) {
            runSteps(cloth, 1);
            expect(cloth.kineticEnergy).toBeLessThan(energy * 1.02 + 1e-9);
            energy = Math.min(energy, cloth.kineticEnergy);
        }
    });

    test("wind and impulses are the same anywhere in simulation space, with any number of substeps", () => {
        const wind = evenWind([0, 3, 0], { drag: 0.3 });
        for (const y of [0, 20, 200]) {
            for (const substepCount of [4, 16, 32]) {
                const blown = makeCloth(grid(4, 4, lying(1, 1, y)), { gravity: STILL, substepCount, wind });
                runSeconds(blown, 1);
                expect(Math.abs(meanVelocity(blown)[1] / (3 * (1 - 1 / (1 + 0.5 * 1.2 * 0.3 * 3))) - 1)).toBeLessThan(0.01);
                const kicked = makeCloth(grid(4, 4, lying(1, 1, y)), { gravity: STILL, substepCount });
                runSteps(kicked, 60, () => kicked.applyImpulse(0, y, 0, 0, 0.01, 0, 3));
                expect(measure(kicked).momentum[1]).toBeCloseTo(0.6, 2);
            }
        }
    });

    test("a gust is a wave that blows here and not there", () => {
        const gust: WindField = {
            ...evenWind(STILL),
            sample(clock, uniforms, origin) {
                evenWind(STILL).sample(clock, uniforms, origin);
                uniforms[Uniform.gustVelocity + 1] = 4;
                uniforms[Uniform.gustWave] = 1;
            },
        };
        // One wavelength over the sheet: up on its left half, down on its right, with the amplitude of 4 m/s in the middle.
        const cloth = makeCloth(
            grid(16, 16, (u, v) => [u, 0, v]),
            { gravity: STILL, fabric: { arealDensity: 100 }, wind: gust },
        );
        runSteps(cloth, 1);
        const full = (0.5 * 1.2 * 1.2 * 16) / (100 * 60);
        const row = 8 * 17;
        expect(velocityOf(cloth, row + 4)[1] / full).toBeCloseTo(1, 1);
        expect(velocityOf(cloth, row + 12)[1] / full).toBeCloseTo(-1, 1);
        expect(Math.abs(measure(cloth).momentum[1])).toBeLessThan(0.06 * 100 * full);
    });

    test("the centre of pressure of a plate is 0.3 (1 - sin α) of its chord ahead of its middle", () => {
        for (const [angle, lead] of [
            [Math.PI / 2, 0],
            [Math.PI / 3, 0.3 * (1 - Math.sqrt(3) / 2)],
            [Math.PI / 6, 0.15],
        ]) {
            const cloth = makeCloth(grid(32, 4, lying()), {
                gravity: STILL,
                fabric: { arealDensity: 100 },
                wind: evenWind([4 * Math.cos(angle), 4 * Math.sin(angle), 0], { skinFriction: 0 }),
            });
            runSteps(cloth, 1);
            const { momentum, spin } = measure(cloth);
            // Upwind of the middle, which is at x = 0.
            expect(Math.abs(spin[2] / momentum[1] + lead)).toBeLessThan(0.004);
        }
    });
});
