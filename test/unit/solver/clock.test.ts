import { beforeEach, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { Clock } from "../../../src/engine/time/clock";
import { expectHolds } from "../../property";

const STEP = 1 / 60;
let clock: Clock;

beforeEach(() => {
    clock = new Clock();
});

/** Begins a frame and takes its steps, as Cloth.advance does. */
function frame(seconds: number, maxSteps = 4, step = STEP): number {
    clock.frameSeconds = seconds;
    clock.beginFrame({ fixedTimeStep: step, maxStepsPerFrame: maxSteps });
    clock.time += clock.steps * step;
    return clock.steps;
}

/** How far into the frame the end of its `index`-th step lies. */
function fractionAt(index: number, step: number): number {
    clock.beginStep(index, { fixedTimeStep: step, maxStepsPerFrame: 4 });
    return clock.fraction;
}

describe("counting steps", () => {
    test("whole steps come at once, the rest waits", () => {
        expect([STEP, 0.5 * STEP, 0.5 * STEP, 2.25 * STEP, 0.75 * STEP, 0].map((seconds) => frame(seconds))).toEqual([
            1, 0, 1, 2, 1, 0,
        ]);
    });

    test.each([30, 60, 75, 90, 120, 144, 240, 59.94])("%d Hz: sixty steps a second, in the long run exactly", (hertz) => {
        let steps = 0;
        for (let i = 0; i < hertz * 100; i++) steps += frame(1 / hertz);
        expect(Math.abs(steps - 6000)).toBeLessThanOrEqual(1);
        expect(clock.time).toBeCloseTo(steps * STEP, 6);
    });

    test("rounding of the frame time neither drops nor doubles a step", () => {
        for (let i = 0; i < 10000; i++) expect(frame(16.666666666666668 / 1000)).toBe(1);
        for (const seconds of [Math.fround(STEP), STEP * (1 - 5e-7), STEP * (1 + 5e-7)]) {
            clock.reset();
            for (let i = 0; i < 1000; i++) expect(frame(seconds)).toBe(1);
        }
    });

    test("time beyond the cap is dropped", () => {
        expect([frame(100), frame(0), frame(STEP), frame(Infinity), frame(0)]).toEqual([4, 0, 1, 4, 0]);
        expect([frame(0.9 * STEP), frame(100, 1), frame(0.5 * STEP)]).toEqual([0, 1, 0]);
    });

    test("any frames, caps and steps: never more than the cap, never more than the time", () => {
        const frames = fc.array(
            fc.tuple(
                fc.double({ min: 0, max: 1, noNaN: true }),
                fc.integer({ min: 1, max: 8 }),
                fc.constantFrom(1 / 30, 1 / 60, 1 / 240),
            ),
        );
        expectHolds(
            fc.property(frames, (list) => {
                clock = new Clock();
                let time = 0;
                for (const [seconds, maxSteps, step] of list) {
                    time += seconds;
                    expect(frame(seconds, maxSteps, step)).toBeLessThanOrEqual(maxSteps);
                    expect(clock.time).toBeLessThanOrEqual(time + 1e-6);
                    const alpha = clock.alpha({ fixedTimeStep: step });
                    expect(alpha >= 0 && alpha <= 1).toBe(true);
                    let last = 0;
                    for (let s = 1; s <= clock.steps; s++) {
                        const fraction = fractionAt(s, step);
                        expect(fraction >= last && fraction <= 1).toBe(true);
                        last = fraction;
                    }
                }
            }),
        );
    });
});

describe("where the steps lie in the frame", () => {
    test("evenly, from what was left of the last frame", () => {
        frame(0.5 * STEP);
        frame(2 * STEP);
        expect([1, 2].map((index) => fractionAt(index, STEP))).toEqual([expect.closeTo(0.25), expect.closeTo(0.75)]);
    });

    test("a frame of one step ends with it", () => {
        frame(STEP);
        expect(fractionAt(1, STEP)).toBe(1);
    });

    test("within the frame, also when the step has become shorter meanwhile", () => {
        frame(0.03, 8, 1 / 30);
        expect(frame(0.001, 8, 1 / 240)).toBe(7);
        const fractions = [1, 2, 3, 4, 5, 6, 7].map((index) => fractionAt(index, 1 / 240));
        expect(fractions.every((fraction) => fraction >= 0 && fraction <= 1)).toBe(true);
        expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    });

    test("a frame without time is at its end", () => {
        frame(0);
        expect(fractionAt(1, STEP)).toBe(1);
    });
});

describe("what is drawn", () => {
    test("the last step, while frames end on steps", () => {
        for (const steps of [1, 2, 1, 0, 3, 1]) {
            frame(steps * STEP);
            expect(clock.alpha({ fixedTimeStep: STEP })).toBe(1);
        }
    });

    test("one step behind the time, as soon as a frame has ended between two, and from then on", () => {
        const shown = [1, 0.5, 0.5, 0, 1, 0.25, 0, 0.75, 2].map((steps) => {
            frame(steps * STEP);
            return clock.time / STEP - 1 + clock.alpha({ fixedTimeStep: STEP });
        });
        const expected = [1, 0.5, 1, 1, 2, 2.25, 2.25, 3, 5];
        shown.forEach((time, i) => expect(time).toBeCloseTo(expected[i], 6));
    });

    test.each([50, 61, 90, 120, 144, 1000])("at %d Hz it moves by the frame's time", (hertz) => {
        let last = NaN;
        for (let i = 0; i < 500; i++) {
            frame(1 / hertz);
            const shown = clock.time - STEP + clock.alpha({ fixedTimeStep: STEP }) * STEP;
            if (i > hertz / 30) expect(shown - last).toBeCloseTo(1 / hertz, 6);
            last = shown;
        }
    });

    test("reset begins anew", () => {
        frame(1.5 * STEP);
        clock.reset();
        expect([clock.time, clock.steps]).toEqual([0, 0]);
        expect(frame(0.9 * STEP)).toBe(0);
        clock.reset();
        frame(STEP);
        expect(clock.alpha({ fixedTimeStep: STEP })).toBe(1);
    });

    test("stop ends the frame's steps, and drops no time before them", () => {
        clock.frameSeconds = 3 * STEP;
        clock.beginFrame({ fixedTimeStep: STEP, maxStepsPerFrame: 4 });
        clock.stop();
        expect(clock.steps).toBe(0);
        expect(frame(STEP)).toBe(1);
    });
});
