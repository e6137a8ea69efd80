import { describe, expect, test } from "@jest/globals";
import type { Body, Vector } from "../../src/engine/index";
import { grid, gridIndex, hanging, lying } from "./meshes";
import { addCollider, at, makeCloth, pinParticles, pose, runFrame } from "./support";
import { seededRandom } from "../random";

const N = 12;
const CORNERS = [gridIndex(N, 0, N), gridIndex(N, N, N)];
const SECONDS = 2;

/** Frame times [s] that add up to SECONDS. */
const FRAMES: Record<string, number[]> = {
    "30 Hz": Array(SECONDS * 30).fill(1 / 30),
    "50 Hz": Array(SECONDS * 50).fill(1 / 50),
    "144 Hz": Array(SECONDS * 144).fill(1 / 144),
    "240 Hz": Array(SECONDS * 240).fill(1 / 240),
    jitter: jitter(SECONDS, 0.002, 0.035),
};

function jitter(seconds: number, shortest: number, longest: number): number[] {
    const random = seededRandom(5);
    const frames: number[] = [];
    let left = seconds;
    while (left > longest) {
        frames.push(shortest + (longest - shortest) * random());
        left -= frames[frames.length - 1];
    }
    return [...frames, left];
}

/** Runs frames; `move` puts what moves where it is at a time [s]. */
function play(cloth: Body, frames: readonly number[], move: (time: number) => void = () => {}): Float32Array {
    let time = 0;
    for (const seconds of frames) {
        time += seconds;
        move(time);
        runFrame(cloth, seconds);
    }
    expect(cloth.clock.time).toBeCloseTo(SECONDS, 6);
    return cloth.state.positions.slice();
}

const REFERENCE = Array<number>(SECONDS * 60).fill(1 / 60);
const FABRIC = { damping: 0.6, shearStiffness: 200, bendStiffness: 5e-5, thickness: 0.01, friction: 0.3, arealDensity: 0.2 };

describe("frame rate", () => {
    describe.each(Object.keys(FRAMES))("%s against 60 Hz", (name) => {
        const frames = FRAMES[name];

        test("between static pins and over a static ball: the same bits", () => {
            const run = (times: readonly number[]): Float32Array => {
                const cloth = makeCloth(grid(N, N, lying()), { fabric: FABRIC, pinned: CORNERS, tetherSlack: 0 });
                addCollider(cloth, "sphere", pose([0, -0.5, 0.1], [0.3, 0.3, 0.3]));
                return play(cloth, times);
            };
            expect(run(frames)).toEqual(run(REFERENCE));
        });

        test("with pins and a ball in even motion: the same path", () => {
            const run = (times: readonly number[]): Float32Array => {
                const cloth = makeCloth(grid(N, N, lying()), { fabric: FABRIC, tetherSlack: 0 });
                const pins = pinParticles(cloth, CORNERS);
                const ballAt = (t: number): Vector => [0.05, -0.6, 1 - t];
                const ball = addCollider(cloth, "sphere", pose(ballAt(0), [0.25, 0.25, 0.25]));
                return play(cloth, times, (t) => {
                    pins.setTargets(pose([0.1 * t, 0.2 * t, -0.15 * t]));
                    ball.setPose(pose(ballAt(t), [0.25, 0.25, 0.25]));
                });
            };
            expect(largestDifference(run(frames), run(REFERENCE))).toBeLessThan(2e-3);
        });

        test("with pins on a curved path: near, as near as the frames follow the curve", () => {
            const run = (times: readonly number[]): Float32Array => {
                const cloth = makeCloth(grid(N, N, lying()), { fabric: FABRIC, tetherSlack: 0 });
                const pins = pinParticles(cloth, CORNERS);
                return play(cloth, times, (t) => pins.setTargets(pose([0.2 * Math.sin(3 * t), 0.1 * (1 - Math.cos(4 * t)), 0])));
            };
            expect(largestDifference(run(frames), run(REFERENCE))).toBeLessThan(0.05);
        });
    });

    test("a still frame does not move anything", () => {
        const cloth = makeCloth(grid(4, 4, hanging()), { pinned: [20, 24] });
        runFrame(cloth, 1 / 60);
        const before = cloth.state.positions.slice();
        for (let i = 0; i < 100; i++) runFrame(cloth, 0);
        expect(cloth.state.positions).toEqual(before);
    });

    test("a long frame makes no more than its cap of steps, and owes nothing to the next", () => {
        const cloth = makeCloth(grid(4, 4, hanging()), { maxStepsPerFrame: 3 });
        runFrame(cloth, 60);
        expect(cloth.clock.steps).toBe(3);
        expect(cloth.clock.time).toBeCloseTo(3 / 60, 9);
        runFrame(cloth, 1 / 60);
        expect(cloth.clock.steps).toBe(1);
        runFrame(cloth, 0);
        expect(cloth.clock.steps).toBe(0);
    });

    test("steps add up over a long time: 10 minutes of 7 ms frames", () => {
        const cloth = makeCloth(grid(1, 1, hanging()), { substepCount: 1, pinned: [0, 1, 2, 3] });
        let steps = 0;
        for (let t = 0; t < 600 - 1e-9; t += 0.007) {
            runFrame(cloth, 0.007);
            steps += cloth.clock.steps;
        }
        expect(Math.abs(steps - 36000)).toBeLessThanOrEqual(1);
    });

    test("a pin is at every step where its straight way is at the step's own time", () => {
        for (const name of Object.keys(FRAMES)) {
            const cloth = makeCloth(grid(N, N, lying()), { tetherSlack: 0 });
            const pins = pinParticles(cloth, CORNERS);
            const start = at(cloth, CORNERS[0])[0];
            const places: number[] = [];
            cloth.observer = { beforeStep() {}, afterStep: () => places.push(at(cloth, CORNERS[0])[0] - start) };
            let time = 0;
            for (const seconds of FRAMES[name]) {
                time += seconds;
                pins.setTargets(pose([time, 0, 0]));
                runFrame(cloth, seconds);
            }
            places.forEach((x, s) => expect(x).toBeCloseTo((s + 1) / 60, 4));
        }
    });
});

function largestDifference(a: Float32Array, b: Float32Array): number {
    return a.reduce((largest, value, i) => Math.max(largest, Math.abs(value - b[i])), 0);
}
