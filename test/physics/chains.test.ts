import { describe, expect, test } from "@jest/globals";
import type { Fabric } from "../../src/engine/index";
import { chain } from "./meshes";
import { G, at, distance, lowest, makeCloth, powerLaw, runSeconds, runSteps } from "./support";

/** As good as rigid, but not meant to be: sticks without limits of strain. [N/m] */
const JUST_STIFF = { stretchStiffness: 1e15 };

/** Hanging straight down from the origin. */
const hangingDown = (count: number, restLength: number): Float32Array =>
    Float32Array.from({ length: count * 3 }, (_, i) => (i % 3 === 1 ? -restLength * Math.floor(i / 3) : 0));

/** Times at which a value falls through zero, between samples a fixed step apart. */
function fallsThroughZero(values: readonly number[], step: number): number[] {
    const times: number[] = [];
    for (let i = 1; i < values.length; i++) {
        if (values[i - 1] > 0 && values[i] <= 0) times.push(step * (i - 1 + values[i - 1] / (values[i - 1] - values[i])));
    }
    return times;
}

const period = (times: readonly number[]): number => (times[times.length - 1] - times[0]) / (times.length - 1);

describe("chains", () => {
    test("oscillator (Macklin 2016 §6.1): mass 1, rest length 1, start 1.5, compliance 0.001: period 2π √(αm) = 0.199 s", () => {
        const cloth = makeCloth(chain(Float32Array.of(0, 0, 0, 1.5, 0, 0), [1, 1], 1), {
            gravity: [0, 0, 0],
            fabric: { stretchStiffness: 1000 },
            substepCount: 64,
            fixedTimeStep: 1 / 240,
            pinned: [0],
        });
        const lengths: number[] = [];
        runSteps(cloth, 480, () => lengths.push(at(cloth, 1)[0] - 1));
        expect(period(fallsThroughZero(lengths, 1 / 240))).toBeCloseTo(2 * Math.PI * Math.sqrt(0.001), 4);
        // Little is lost to the method: ten periods later the amplitude is still above 0.45 of 0.5 m.
        expect(Math.max(...lengths.slice(-60))).toBeGreaterThan(0.45);
        expect(Math.max(...lengths)).toBeLessThan(0.501);
    });

    test("pendulum: 1 m, 10 degrees: period 2π √(l/g) (1 + θ²/16) = 2.010 s", () => {
        const angle = Math.PI / 18;
        const cloth = makeCloth(chain(Float32Array.of(0, 0, 0, Math.sin(angle), -Math.cos(angle), 0), [1, 1], 1), {
            substepCount: 8,
            pinned: [0],
        });
        const xs: number[] = [];
        runSeconds(cloth, 20, () => xs.push(at(cloth, 1)[0]));
        expect(period(fallsThroughZero(xs, 1 / 60))).toBeCloseTo(2 * Math.PI * Math.sqrt(1 / G) * (1 + angle ** 2 / 16), 2);
        // The method's own damping, of the order of the substep: 1 % a second here.
        expect(Math.max(...xs.slice(-120))).toBeGreaterThan(0.8 * Math.sin(angle));
        expect(distance(cloth, 0, 1)).toBeCloseTo(1, 4);
    });

    test("tension: 20 × 1 kg; below the first particle hang 19 g = 186 N, above the last one 9.81 N", () => {
        const stiffness = 2e4;
        const cloth = makeCloth(chain(hangingDown(20, 0.1), Array(20).fill(1), 0.1), {
            fabric: { stretchStiffness: stiffness, damping: 5 },
            substepCount: 40,
            pinned: [0],
        });
        runSeconds(cloth, 3);
        const tension = (i: number): number => stiffness * (distance(cloth, i, i + 1) - 0.1);
        expect(tension(0) / (19 * G)).toBeCloseTo(1, 1);
        expect(tension(9) / (10 * G)).toBeCloseTo(1, 1);
        expect(tension(18) / G).toBeCloseTo(1, 1);
    });

    test("catenary: 1.5 m of chain between pins 1 m apart sags by a (cosh(½/a) - 1) = 0.503 m", () => {
        const count = 20;
        const positions = new Float32Array((count + 1) * 3);
        const depth = Math.sqrt(0.75 ** 2 - 0.5 ** 2);
        for (let i = 0; i <= count; i++) {
            positions[3 * i] = i / count;
            positions[3 * i + 1] = -depth * (1 - Math.abs((2 * i) / count - 1));
        }
        const cloth = makeCloth(chain(positions, Array(count + 1).fill(0.01), 1.5 / count), {
            fabric: { damping: 3 },
            substepCount: 16,
            pinned: [0, count],
        });
        runSeconds(cloth, 6);
        const a = catenaryParameter(1, 1.5);
        expect(-lowest(cloth)).toBeCloseTo(a * (Math.cosh(0.5 / a) - 1), 2);
        for (let i = 0; i <= count; i++) {
            const [x, y] = at(cloth, i);
            expect(y).toBeCloseTo(a * (Math.cosh((x - 0.5) / a) - Math.cosh(0.5 / a)), 2);
        }
    });

    test("heavy end: stretch falls as 1/n² with the substeps", () => {
        const counts = [4, 8, 16, 32];
        const stretches = counts.map((substepCount) => {
            const cloth = makeCloth(chain(hangingDown(20, 0.1), [...Array(19).fill(1), 1000], 0.1), {
                substepCount,
                fabric: { ...JUST_STIFF, damping: 1 },
                pinned: [0],
            });
            runSeconds(cloth, 8);
            return -lowest(cloth) - 1.9;
        });
        expect(powerLaw(counts, stretches)).toBeGreaterThan(-2.2);
        expect(powerLaw(counts, stretches)).toBeLessThan(-1.8);
    });

    // The stretch does not depend on the links' length; 0.1 m instead of the paper's 1 m leaves 32-bit positions the digits
    // that 1 kg needs to lift 100 t.
    test.each([
        [10, 98],
        [30, 10.9],
        [100, 1],
    ])(
        "heavy chain (Macklin 2019 §6.1): 20 links, the last 1e5 heavier: %d substeps stretch it by %d m",
        (substepCount, expected) => {
            const stretchOf = (fabric: Partial<Fabric>): number => {
                const links = chain(hangingDown(20, 0.1), [...Array(19).fill(1), 1e5], 0.1);
                const cloth = makeCloth(links, { substepCount, fabric, pinned: [0] });
                let stretch = 0;
                runSeconds(cloth, 10, () => (stretch = Math.max(stretch, -lowest(cloth) - 1.9)));
                return stretch / expected;
            };
            const ofSticks = stretchOf(JUST_STIFF);
            expect(ofSticks).toBeGreaterThan(0.95);
            expect(ofSticks).toBeLessThan(1.05);
            // Limits of strain take most of what the paper's sticks leave.
            expect(stretchOf({ stretchStiffness: Infinity })).toBeLessThan(0.3);
        },
    );
});

/** The a of y = a cosh(x/a) for a chain of a length between two pins of one height. */
function catenaryParameter(span: number, length: number): number {
    let low = 0.01;
    let high = 100;
    for (let k = 0; k < 100; k++) {
        const a = (low + high) / 2;
        if (2 * a * Math.sinh(span / 2 / a) > length) low = a;
        else high = a;
    }
    return low;
}
