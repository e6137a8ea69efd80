import { describe, expect, test } from "@jest/globals";
import { evenWind } from "./air";
import { line, makeRope } from "./ropes";
import { at, G, measure, runSeconds, runSteps, setVelocity } from "./support";

const RADIUS = 0.01;
const DENSITY = 0.1;
const STILL = evenWind([0, 0, 0], { airDensity: 1.2, drag: 1.2, skinFriction: 0 });

describe("ropes in wind", () => {
    test.each([0, 0.4, 1.2, -0.8])(
        "tilted by %s: impulse ½ ρ d l (drag |u_n| u_n + π friction |u_t| u_t) dt in a step",
        (angle) => {
            const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
            const rope = makeRope(line([0, 0, 0], [2 * cos, 2 * sin, 0], 20), {
                gravity: [0, 0, 0],
                rope: { linearDensity: 1 },
                fabric: { thickness: RADIUS },
                wind: evenWind([0, 3, 0], { airDensity: 2, drag: 1.5, skinFriction: 0.3 }),
            });
            runSteps(rope, 1);
            const impulse = (2 * (2 * RADIUS) * 9) / 60;
            const across = 1.5 * impulse * cos * cos;
            const along = 0.3 * Math.PI * impulse * sin * Math.abs(sin);
            const { momentum } = measure(rope);
            [along * cos - across * sin, along * sin + across * cos, 0].forEach((expected, c) =>
                expect(Math.abs(momentum[c] - expected)).toBeLessThan(0.01 * impulse),
            );
        },
    );

    test.each([
        [1 / 60, 4],
        [1 / 60, 1],
        [1 / 240, 4],
        [1 / 30, 8],
    ])("falls at its terminal speed: steps of %s s, %s substeps", (fixedTimeStep, substepCount) => {
        const rope = makeRope(line([0, 0, 0], [2, 0, 0], 30), {
            fixedTimeStep,
            substepCount,
            fabric: { thickness: RADIUS },
            rope: { linearDensity: DENSITY },
            wind: STILL,
        });
        runSeconds(rope, 8);
        const { momentum, mass } = measure(rope);
        const terminal = Math.sqrt((2 * DENSITY * G) / (1.2 * 1.2 * 2 * RADIUS));
        expect(Math.abs(-momentum[1] / mass / terminal - 1)).toBeLessThan(0.005);
    });

    test.each([2, 4, 8])("hung by one end at %s m/s it streams straight, where weight and drag across it are equal", (speed) => {
        const rope = makeRope(line([0, 0, 0], [0, -2, 0], 40), {
            pinned: [0],
            fabric: { thickness: RADIUS, damping: 1 },
            rope: { linearDensity: DENSITY },
            wind: evenWind([speed, 0, 0], { airDensity: 1.2, drag: 1.2, skinFriction: 0 }),
        });
        runSeconds(rope, 20);
        // μ g sin α = ½ ρ d drag u² cos² α, α from the vertical.
        const ratio = (0.5 * 1.2 * 1.2 * 2 * RADIUS * speed * speed) / (DENSITY * G);
        const sine = (Math.sqrt(1 + 4 * ratio * ratio) - 1) / (2 * ratio);
        for (const i of [10, 39]) {
            const [x, y] = at(rope, i);
            expect(Math.abs(Math.atan2(x, -y) - Math.asin(sine))).toBeLessThan(0.01);
        }
    });

    test.each([1, 4])("in still air nothing gains energy: %s substeps", (substepCount) => {
        const rope = makeRope(line([0, 0, 0], [1.5, 0, 0], 24), {
            pinned: [0],
            substepCount,
            fabric: { thickness: 0.03, damping: 0 },
            rope: { linearDensity: 0.02 },
            wind: STILL,
        });
        for (let i = 1; i < 24; i++) setVelocity(rope, i, [0, 0, 0.2 * i]);
        const energy = (): number => {
            const { kinetic, potential } = measure(rope);
            return kinetic + potential;
        };
        let before = energy();
        const first = before;
        for (let f = 0; f < 300; f++) {
            runSteps(rope, 1);
            const now = energy();
            expect(now).toBeLessThan(before + 1e-4);
            before = now;
        }
        expect(before).toBeLessThan(first - 0.05);
    });
});
