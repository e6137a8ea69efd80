import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { Budget, newScheduleEntry } from "../../../src/engine/index";
import type { ScheduleEntry } from "../../../src/engine/index";

let clock = 0;

beforeEach(() => void jest.spyOn(performance, "now").mockImplementation(() => clock));
afterEach(() => void jest.restoreAllMocks());

/** A body: a step of it takes so many milliseconds. */
interface Worker {
    readonly turn: ScheduleEntry;
    cost: number;
    turns: number;
    longestWait: number;
}

const worker = (cost: number, priority = 0): Worker => ({
    turn: { ...newScheduleEntry(), priority },
    cost,
    turns: 0,
    longestWait: 0,
});

/** A frame of groups of so many. @returns what it took */
function runFrame(budget: Budget, all: Worker[], size = 4, steps = 1): number {
    const start = clock;
    budget.beginFrame(all);
    for (let first = 0; first < all.length; first += size) {
        budget.beginGroup();
        for (const one of all.slice(first, first + size)) {
            if (budget.accepts(one.turn, steps, one.cost)) {
                clock += steps * one.cost;
                one.turns++;
            }
            one.longestWait = Math.max(one.longestWait, one.turn.waitedFrames);
        }
        budget.endGroup();
    }
    return clock - start;
}

describe("a budget", () => {
    test("is kept once it is known what a body takes", () => {
        const all = Array.from({ length: 40 }, (_, i) => worker(0.2 + (i % 5) / 10));
        const budget = new Budget(4);
        for (let f = 0; f < 100; f++) {
            const time = runFrame(budget, all);
            // At first a group, of which nothing is known yet, goes beyond it.
            expect(time).toBeLessThanOrEqual(f < 15 ? 4 + 4 * 0.6 : 4);
            if (f >= 15) expect(time).toBeGreaterThan(4 - 2 * 0.6);
        }
    });

    test("lets all have their turns alike", () => {
        const all = Array.from({ length: 40 }, () => worker(0.4));
        const budget = new Budget(4);
        for (let f = 0; f < 200; f++) runFrame(budget, all);
        const turns = all.map((one) => one.turns);
        expect(Math.max(...turns) - Math.min(...turns)).toBeLessThanOrEqual(1);
        expect(Math.max(...all.map((one) => one.longestWait))).toBeLessThanOrEqual(5);
    });

    test("lets one of high priority move in every frame, and no one wait for ever", () => {
        const all = [...Array.from({ length: 20 }, () => worker(1)), worker(1, 1e6), worker(1, 30)];
        const [hero, second] = all.slice(-2);
        const rest = all.slice(0, 20);
        const budget = new Budget(2.5);
        for (let f = 0; f < 400; f++) runFrame(budget, all);
        expect(hero.turns).toBe(400);
        for (const one of rest) {
            expect(one.turns).toBeGreaterThan(5);
            expect(second.turns).toBeGreaterThan(5 * one.turns);
            expect(one.longestWait).toBeLessThanOrEqual(30 + 20);
        }
    });

    test("lets one that alone takes more move in every frame", () => {
        const [one] = [worker(9)];
        const budget = new Budget(2);
        for (let f = 0; f < 20; f++) runFrame(budget, [one]);
        expect(one.turns).toBe(20);
    });

    test("finds out when a body becomes cheaper, or dearer", () => {
        const all = Array.from({ length: 10 }, () => worker(2));
        const budget = new Budget(4);
        const turnsIn = (frames: number): number => {
            const before = all.reduce((sum, { turns }) => sum + turns, 0);
            for (let f = 0; f < frames; f++) runFrame(budget, all);
            return all.reduce((sum, { turns }) => sum + turns, 0) - before;
        };
        turnsIn(50);
        expect(turnsIn(50)).toBeLessThanOrEqual(100);
        for (const one of all) one.cost = 0.2;
        turnsIn(100);
        expect(turnsIn(50)).toBe(500);
        for (const one of all) one.cost = 2;
        turnsIn(100);
        expect(turnsIn(50)).toBeLessThanOrEqual(100);
    });

    test("counts all steps of a slow frame", () => {
        const all = Array.from({ length: 10 }, () => worker(1));
        const budget = new Budget(5.5);
        for (let f = 0; f < 20; f++) runFrame(budget, all);
        expect(runFrame(budget, all, 4, 2)).toBeLessThanOrEqual(5.5);
    });
});
