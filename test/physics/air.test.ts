import { describe, expect, test } from "@jest/globals";
import { Fabrics } from "../../src/engine/index";
import { longTest } from "../long";
import { creasesOfFlag, flyFlag, dropSheet, fillSail, hangFlags, topSpeedOfDrop } from "./air";

describe("cloth in air", () => {
    // The whole table: npm run bench -- --only physics.
    const seconds = 20;

    test("a flag flaps in steady wind, faster in proportion to it", () => {
        const flights = [9, 12, 15].map((speed) => ({
            speed,
            ...flyFlag({ speed, arealDensity: 0.2, seconds }),
        }));
        for (const { swing } of flights) expect(swing).toBeGreaterThan(0.1);
        const rates = flights.map(({ frequency, speed }) => frequency / speed);
        const mean = rates.reduce((sum, rate) => sum + rate) / rates.length;
        for (const rate of rates) expect(Math.abs(rate / mean - 1)).toBeLessThan(0.3);
    });

    test("its frequency is in proportion to the wind where weight, stiffness and damping are", () => {
        const rates = [5, 10].map((speed) => {
            const { frequency } = flyFlag({ speed, arealDensity: 0.12, substepCount: 8, likeAt: 8, seconds });
            return frequency / speed;
        });
        // Crossings of twenty seconds: of a slow flag they are few.
        expect(Math.abs(rates[0] / rates[1] - 1)).toBeLessThan(0.45);
    });

    test.each([
        // Flag makers' rule of thumb 68°, 51° and 24°; by a drag coefficient of 0.12 (Munson) 69°, 40° and 11°.
        [2.5, 50, 80],
        [4.4, 22, 55],
        [9.4, 8, 28],
    ])("nylon flags of 1.5 m in %d m/s hang at %d to %d degrees, and flap as flags do", (speed, least, most) => {
        const { angle, frequency } = hangFlags(speed, 4);
        expect(angle).toBeGreaterThan(least);
        expect(angle).toBeLessThan(most);
        const expected = Math.sqrt((1.2 * speed * speed) / (Fabrics.nylon.arealDensity * 1.5)) / (2 * Math.PI);
        if (speed < 4) return;
        expect(frequency / expected).toBeGreaterThan(0.5);
        expect(frequency / expected).toBeLessThan(1.5);
    });

    const hangsAlike = (speed: number, count: number, ratio: number): void => {
        const angles = [60, 90, 144].map((hertz) => hangFlags(speed, count, { hertz, columns: 30 }).angle);
        expect(Math.max(...angles) / Math.min(...angles)).toBeLessThan(ratio);
    };
    // Speed, number of flags, largest ratio. At 4.4 m/s a flag goes from hanging to flying and back in tens of seconds: the means of ten differ by chance.
    test.each([[2.5, 3, 1.2]])("in %d m/s it hangs alike at 60, 90 and 144 steps a second", hangsAlike);
    longTest.each([
        [4.4, 10, 1.45],
        [9.4, 4, 1.2],
    ])("in %d m/s it hangs alike at 60, 90 and 144 steps a second", hangsAlike);

    test.each([
        [2.5, 60],
        [9.4, 144],
    ])("in %d m/s at %d Hz it creases alike in even and in odd columns", (speed, hertz) => {
        const ratio = creasesOfFlag(speed, { hertz });
        expect(Math.max(ratio, 1 / ratio)).toBeLessThan(1.3);
    });

    test.each([60, 144])("level sheets of chiffon, cotton and leather fall as fast as theory says at %d Hz", (hertz) => {
        for (const fabric of [Fabrics.chiffon, Fabrics.cotton, Fabrics.leather]) {
            expect(Math.abs(topSpeedOfDrop({ ...fabric }, hertz) - 1)).toBeLessThan(0.05);
        }
    });

    test("below a critical speed it hangs down its pole", () => {
        const { swing, frequency, tip } = flyFlag({ speed: 0.8, arealDensity: 0.3, seconds });
        // Sheltered in its folds, it sways for long.
        expect(swing).toBeLessThan(0.3);
        expect(frequency).toBeLessThan(0.5);
        expect(tip[0]).toBeLessThan(0.6);
        expect(tip[1]).toBeLessThan(-3);
    });

    test("a limp sheet dropped at 3° flutters and does not fold", () => {
        const { flatness, sways, fall } = dropSheet({ angle: 3, seconds: 3 });
        expect(flatness).toBeGreaterThan(0.99);
        expect(sways).toBeGreaterThanOrEqual(1);
        // Beside its terminal speed.
        expect(Math.abs(fall / Math.sqrt((2 * 0.2 * 9.81) / (1.2 * 1.2)) - 1)).toBeLessThan(0.05);
    });

    test("a sail held by three corners bellies, and stands", () => {
        const { depth, motion, stretch } = fillSail({ speed: 8, fabric: Fabrics.denim, seconds: 5 });
        expect(depth).toBeGreaterThan(0.05);
        expect(motion).toBeLessThan(0.01);
        expect(stretch).toBeLessThan(0.05);
    });
});
