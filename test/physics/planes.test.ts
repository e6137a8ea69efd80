import { describe, expect, test } from "@jest/globals";
import type { Body } from "../../src/engine/index";
import { grid, lying } from "./meshes";
import { addCollider, at, makeCloth, measure, runSeconds, setVelocity, velocityOf } from "./support";

const COTTON = { arealDensity: 0.2, shearStiffness: 200, bendStiffness: 5e-5, damping: 0.6, thickness: 0.01, friction: 0.4 };

/** A horizontal square of side 2 half, its front up, at height y. */
const table = (half: number, y = 0): Float64Array => Float64Array.of(half, 0, 0, 0, 0, 0, -half, 0, 0, 1, 0, 0, 0, y, 0, 1);

function heights(cloth: Body): number[] {
    return Array.from({ length: cloth.state.particleCount }, (_, i) => at(cloth, i)[1]);
}

describe("planes", () => {
    test.each(["plane", "halfSpace"] as const)("a sheet comes to rest on a %s at its thickness", (shape) => {
        const cloth = makeCloth(grid(12, 12, lying(1, 1, 0.3)), { fabric: COTTON });
        addCollider(cloth, shape, table(2));
        runSeconds(cloth, 2);
        for (const y of heights(cloth)) expect(y).toBeCloseTo(0.01, 4);
        expect(measure(cloth).kinetic).toBeLessThan(1e-8);
    });

    test.each([10, 25, 40, 50])("a sheet that falls at %d m/s does not tunnel, from any height", (speed) => {
        for (const shape of ["plane", "halfSpace"] as const) {
            for (const substepCount of [1, 4]) {
                for (const start of [1.6, 1.7, 1.8, 1.9, 2, 2.1]) {
                    const cloth = makeCloth(grid(3, 3, lying(1, 1, start)), { fabric: COTTON, substepCount });
                    addCollider(cloth, shape, table(1));
                    for (let i = 0; i < 16; i++) setVelocity(cloth, i, [0, -speed, 0]);
                    runSeconds(cloth, 0.5);
                    expect(Math.min(...heights(cloth))).toBeGreaterThan(0.0099);
                }
            }
        }
    });

    test.each([0.2, 1, 5, 20, 50])("a rectangle is solid from behind: a sheet that rises at %d m/s stays below", (speed) => {
        const cloth = makeCloth(grid(6, 6, lying(1, 1, -0.55)), { fabric: COTTON, gravity: [0, 9.81, 0] });
        addCollider(cloth, "plane", table(1));
        for (let i = 0; i < 49; i++) setVelocity(cloth, i, [0, speed, 0]);
        runSeconds(cloth, 1.5);
        for (const y of heights(cloth)) expect(y).toBeCloseTo(-0.01, 4);
    });

    test("a half-space is solid all through: what starts below comes up", () => {
        const cloth = makeCloth(grid(6, 6, lying(1, 1, -0.5)), { fabric: COTTON });
        addCollider(cloth, "halfSpace", table(1));
        runSeconds(cloth, 1);
        for (const y of heights(cloth)) expect(y).toBeCloseTo(0.01, 4);
        for (let i = 0; i < 49; i++) expect(Math.hypot(...velocityOf(cloth, i))).toBeLessThan(0.01);
    });

    test("a tablecloth stays on its table, its edges hang over, nothing sticks through", () => {
        const count = 24;
        const cloth = makeCloth(grid(count, count, lying(2, 2, 0.1)), { fabric: COTTON });
        addCollider(cloth, "plane", table(0.5));
        const inner = Array.from({ length: cloth.state.particleCount }, (_, i) => i).filter((i) => {
            const [x, , z] = at(cloth, i);
            return Math.abs(x) < 0.4 && Math.abs(z) < 0.4;
        });
        const outer = Array.from({ length: cloth.state.particleCount }, (_, i) => i).filter((i) => {
            const [x, , z] = at(cloth, i);
            return Math.max(Math.abs(x), Math.abs(z)) > 0.7;
        });
        let deepest = Infinity;
        runSeconds(cloth, 4, () => {
            for (const i of inner) deepest = Math.min(deepest, at(cloth, i)[1]);
        });
        expect(deepest).toBeGreaterThan(0.0099);
        for (const i of outer) expect(at(cloth, i)[1]).toBeLessThan(-0.05);
        const [x, , z] = measure(cloth).centre;
        expect(Math.hypot(x, z)).toBeLessThan(0.05);
    });

    test("a table top that rises at 2 m/s lifts the sheet on it, and lets it fall when it stops", () => {
        const cloth = makeCloth(grid(8, 8, lying(1, 1, 0.01)), { fabric: { ...COTTON, damping: 0 } });
        const top = addCollider(cloth, "plane", table(1));
        const heightAt = (step: number): number => Math.min(0.5, (2 * step) / 60);
        runSeconds(cloth, 0.2, (step) => {
            if (step > 0) for (const y of heights(cloth)) expect(y - heightAt(step)).toBeCloseTo(0.01, 4);
            top.setPose(table(1, heightAt(step + 1)));
        });
        expect(velocityOf(cloth, 40)[1]).toBeCloseTo(2, 1);
        let highest = 0;
        runSeconds(cloth, 1.5, (step) => {
            highest = Math.max(highest, at(cloth, 40)[1]);
            top.setPose(table(1, heightAt(step + 13)));
        });
        // Thrown off with 2 m/s at 0.5 m: v² / 2g = 0.2 m higher.
        expect(highest).toBeCloseTo(0.51 + 4 / (2 * 9.81), 1);
        for (const y of heights(cloth)) expect(y).toBeCloseTo(0.51, 3);
    });

    test.each([5, 20, 40])("a racket that comes at %d m/s takes the sheet with it", (speed) => {
        const cloth = makeCloth(grid(4, 4, lying(1, 1, 0)), { fabric: COTTON, gravity: [0, 0, 0] });
        const racket = addCollider(cloth, "plane", table(1, -0.5));
        const heightAt = (time: number): number => -0.5 + speed * time;
        runSeconds(cloth, 1 / speed, (step) => racket.setPose(table(1, heightAt((step + 1) / 60))));
        const end = heightAt(Math.round(60 / speed) / 60);
        for (const y of heights(cloth)) expect(y).toBeGreaterThan(end + 0.0099);
        expect(velocityOf(cloth, 12)[1] / speed).toBeCloseTo(1, 1);
    });

    test("a trapdoor that is taken away lets the sheet fall", () => {
        const cloth = makeCloth(grid(6, 6, lying(1, 1, 0.05)), { fabric: COTTON });
        const door = addCollider(cloth, "plane", table(1));
        runSeconds(cloth, 0.5);
        cloth.removeCollider(door);
        runSeconds(cloth, 1);
        for (const y of heights(cloth)) expect(y).toBeLessThan(-3);
    });
});
