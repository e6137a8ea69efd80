import { afterEach, expect, jest, test } from "@jest/globals";
import { Stopwatch } from "../../../src/engine/index";

afterEach(() => {
    jest.restoreAllMocks();
});

/** A clock that stands still but when told. */
function clock(): (milliseconds: number) => void {
    let time = 1000;
    jest.spyOn(performance, "now").mockImplementation(() => time);
    return (milliseconds) => (time += milliseconds);
}

function frame(watch: Stopwatch, pass: (milliseconds: number) => void, laps: readonly number[]): void {
    watch.beginFrame();
    pass(100);
    watch.start();
    laps.forEach((milliseconds, phase) => {
        pass(milliseconds);
        watch.lap(phase);
    });
    watch.endFrame();
}

test("the clock is not even read while it is off", () => {
    const pass = clock();
    const watch = new Stopwatch(2);
    frame(watch, pass, [3, 4]);
    expect(performance.now).not.toHaveBeenCalled();
    expect([...watch.means]).toEqual([0, 0]);
});

test("means are of all frames up to 60, from the first that was on from its beginning", () => {
    const pass = clock();
    const watch = new Stopwatch(2);
    watch.beginFrame();
    watch.isOn = true;
    watch.start();
    pass(50);
    watch.lap(0);
    watch.endFrame();
    expect([...watch.means]).toEqual([0, 0]);
    frame(watch, pass, [3, 4]);
    expect([...watch.means]).toEqual([3, 4]);
    expect([...watch.milliseconds]).toEqual([3, 4]);
    frame(watch, pass, [5, 10]);
    expect([...watch.means]).toEqual([4, 7]);
    for (let i = 2; i < 60; i++) frame(watch, pass, [4, 7]);
    frame(watch, pass, [64, 7]);
    expect(watch.means[0]).toBeCloseTo(5, 6);
    frame(watch, pass, [65, 7]);
    expect(watch.means[0]).toBeCloseTo(6, 6);
});
