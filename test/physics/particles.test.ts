import { describe, expect, test } from "@jest/globals";
import type { Body, Vector } from "../../src/engine/index";
import { AIR_DENSITY } from "../../src/engine/forces/stillAir";
import { validateState } from "../../src/engine/state/state";
import { seededRandom } from "../random";
import { evenWind } from "./air";
import { errorOfSegments, pathOf, START } from "./flight";
import { grid } from "./meshes";
import { spawn, impactsOf, makeParticles, runTogether } from "./particles";
import { addCollider, at, G, makeCloth, measure, pinParticles, runSteps, velocityOf } from "./support";

const all = (cloth: Body): number[] => Array.from({ length: cloth.state.particleCount }, (_, i) => i);
/** A sheet of 2 × 2 m that lies, tilted about z [rad], and stands still. */
const board = (angle = 0, n = 8): Body => {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const cloth = makeCloth(grid(n, n, (u, v) => [(2 * u - 1) * cos, (2 * u - 1) * sin, 2 * v - 1], "alternating"));
    pinParticles(cloth, all(cloth));
    return cloth;
};

describe("free particles", () => {
    test("fly on the parabola", () => {
        const particles = makeParticles({ drag: 0 });
        const i = spawn(particles, [0, 1, 0], [2, 5, -1]);
        runSteps(particles.body, 60);
        [2, 1 + 5 - G / 2, -1].forEach((expected, c) => expect(at(particles.body, i)[c]).toBeCloseTo(expected, 4));
    });

    test.each([1, 4])("fall at their terminal speed √(2 m g / (ρ drag A)), %i substeps", (substepCount) => {
        const particles = makeParticles({ mass: 4.2e-6, radius: 1e-3, drag: 0.5, substepCount });
        const i = spawn(particles, [0, 0, 0]);
        runSteps(particles.body, 300);
        const terminal = Math.sqrt((2 * 4.2e-6 * G) / (AIR_DENSITY * 0.5 * Math.PI * 1e-6));
        expect(Math.abs(-velocityOf(particles.body, i)[1] / terminal - 1)).toBeLessThan(0.01);
    });

    test("fly 2 s through still air within 2 cm of the exact path; a path of 8 Hermite segments is 1 mm off, of 16 a tenth of that", () => {
        const exact = pathOf(120, 1 / 60);
        const [four, eight, sixteen] = [4, 8, 16].map((count) => errorOfSegments(count, 2, exact));
        expect(eight).toBeLessThan(1e-3);
        expect(four / eight).toBeGreaterThan(8);
        expect(eight / sixteen).toBeGreaterThan(10);
        const particles = makeParticles({ substepCount: 4 });
        const i = spawn(particles, [START[0], START[1], 0], [START[2], START[3], 0]);
        let error = 0;
        for (let f = 1; f <= 120; f++) {
            runSteps(particles.body, 1);
            const [x, y] = at(particles.body, i);
            error = Math.max(error, Math.hypot(x - exact[f][0], y - exact[f][1]));
        }
        expect(error).toBeLessThan(0.02);
        expect(error).toBeGreaterThan(eight);
    });

    test("slow down as v / (1 + k v t) in still air", () => {
        const particles = makeParticles({ gravity: [0, 0, 0], mass: 1e-4, radius: 0.01, drag: 1 });
        const i = spawn(particles, [0, 0, 0], [10, 0, 0]);
        runSteps(particles.body, 60);
        const k = (0.5 * AIR_DENSITY * Math.PI * 1e-4) / 1e-4;
        expect(Math.abs((velocityOf(particles.body, i)[0] * (1 + k * 10)) / 10 - 1)).toBeLessThan(0.02);
    });

    test("are carried away by the wind, and no faster", () => {
        const particles = makeParticles({ gravity: [0, 0, 0], mass: 1e-6, radius: 0.01, drag: 1.2 });
        particles.body.winds = [evenWind([3, 0, 0])];
        const i = spawn(particles, [0, 0, 0]);
        let fastest = 0;
        runSteps(particles.body, 200, () => (fastest = Math.max(fastest, velocityOf(particles.body, i)[0])));
        expect(fastest).toBeLessThan(3.001);
        expect(velocityOf(particles.body, i)[0]).toBeGreaterThan(2.95);
    });

    test("leave their places to the last, which goes on; what has none stands still and takes no part", () => {
        const particles = makeParticles({ drag: 0, capacity: 5 });
        for (let i = 0; i < 4; i++) spawn(particles, [i, 0, 0], [0, i, 0]);
        runSteps(particles.body, 30);
        const before = at(particles.body, 3);
        particles.moveSlot(3, 1);
        particles.parkFrom(3);
        runSteps(particles.body, 30);
        expect(particles.count).toBe(3);
        expect(at(particles.body, 1)[1]).toBeCloseTo(3 - G / 2, 4);
        expect(at(particles.body, 3)).toEqual(before);
        expect(measure(particles.body).mass).toBeCloseTo(3 * particles.settings.particles.mass, 10);
        validateState(particles.body.state);
    });

    test("one that is nowhere is parked, and the others go on", () => {
        const particles = makeParticles({ drag: 0 });
        spawn(particles, [NaN, 0, 0]);
        const i = spawn(particles, [0, 0, 0], [1, 0, 0]);
        runSteps(particles.body, 60);
        expect(particles.isMoving(0)).toBe(false);
        expect(at(particles.body, i)[0]).toBeCloseTo(1, 5);
        validateState(particles.body.state);
    });

    test.each([0.1, 0.3])("slide down a slope of %s rad, friction 0.2, as theory says", (angle) => {
        const particles = makeParticles({ drag: 0, friction: 0.2, radius: 0.01, restitution: 0 });
        const along: Vector = [Math.cos(angle), Math.sin(angle), 0];
        const normal: Vector = [-Math.sin(angle), Math.cos(angle), 0];
        addCollider(particles.body, "halfSpace", Float64Array.of(...along, 0, 0, 0, -1, 0, ...normal, 0, 0, 0, 0, 1));
        const i = spawn(particles, [0.01 * normal[0], 0.01 * normal[1], 0]);
        runSteps(particles.body, 60);
        const gone = Math.hypot(...at(particles.body, i).map((x, c) => x - 0.01 * normal[c]));
        const expected = Math.max(0, (G / 2) * (Math.sin(angle) - 0.2 * Math.cos(angle)));
        expect(Math.abs(gone - expected)).toBeLessThan(0.02 * expected + 2e-3);
    });
});

describe("particles and cloth", () => {
    test.each([0, 0.3, 0.6, 0.9])("bounce from what is firm to e² of their height, e = %s", (restitution) => {
        const particles = makeParticles({ drag: 0, restitution, radius: 0.002 });
        const cloth = board();
        const impacts = impactsOf(particles, [cloth]);
        const i = spawn(particles, [0.13, 1, 0.07]);
        let highest = 0;
        let hasStruck = false;
        runTogether(impacts, particles, 110, () => {
            hasStruck ||= impacts.hasHit[i] > 0;
            const up = velocityOf(particles.body, i)[1];
            if (hasStruck && up > 0) highest = Math.max(highest, at(particles.body, i)[1] + (up * up) / (2 * G));
        });
        expect(hasStruck).toBe(true);
        expect(Math.abs(highest - restitution ** 2)).toBeLessThan(0.01 * restitution ** 2 + 4e-3);
        cloth.release();
    });

    test.each([0.1, 0.5])("slide over a sheet that is tilted by %s rad, friction 0.3, as theory says", (angle) => {
        const particles = makeParticles({ drag: 0, restitution: 0, radius: 0.005, friction: 0.3 });
        const cloth = board(angle);
        const normal: Vector = [-Math.sin(angle), Math.cos(angle), 0];
        const impacts = impactsOf(particles, [cloth]);
        const start = [0.5 * Math.cos(angle), 0.5 * Math.sin(angle), 0.03].map(
            (x, c) => x + 0.005 * normal[c],
        ) as unknown as Vector;
        const i = spawn(particles, start);
        runTogether(impacts, particles, 36);
        const gone = Math.hypot(...at(particles.body, i).map((x, c) => x - start[c]));
        const expected = Math.max(0, (G / 2) * 0.36 * (Math.sin(angle) - 0.3 * Math.cos(angle)));
        expect(Math.abs(gone - expected)).toBeLessThan(0.03 * expected + 2e-3);
        cloth.release();
    });

    test("an impact keeps the momentum of both within 0.1 %", () => {
        const particles = makeParticles({ drag: 0, gravity: [0, 0, 0], mass: 0.01, restitution: 0.4, friction: 0.3 });
        const cloth = makeCloth(
            grid(16, 16, (u, v) => [u - 0.5, 0, v - 0.5], "alternating"),
            { gravity: [0, 0, 0], fabric: { arealDensity: 0.2 } },
        );
        const impacts = impactsOf(particles, [cloth]);
        spawn(particles, [0.1, 1, 0.2], [1, -8, 0.5]);
        runTogether(impacts, particles, 30);
        const [mine, its] = [measure(particles.body).momentum, measure(cloth).momentum];
        const given = [0.01, -0.08, 0.005];
        expect(impacts.hasHit[0]).toBe(1);
        expect(its[1]).toBeLessThan(-0.02);
        given.forEach((p, c) => expect(Math.abs(mine[c] + its[c] - p)).toBeLessThan(1e-3 * 0.08));
        cloth.release();
    });

    test("those whose impact is their end stay where they struck", () => {
        const particles = makeParticles({ drag: 0 });
        const cloth = board();
        const impacts = impactsOf(particles, [cloth]);
        impacts.parkOnHit = true;
        spawn(particles, [0.1, 0.5, 0], [3, -4, 0]);
        runTogether(impacts, particles, 20);
        const [x, y] = at(particles.body, 0);
        const time = (-4 + Math.sqrt(16 + 2 * G * 0.5)) / G;
        expect(x).toBeCloseTo(0.1 + 3 * time, 2);
        expect(y).toBeCloseTo(0, 3);
        cloth.release();
    });

    const sheet = (shape: (u: number, v: number) => Vector): Body =>
        makeCloth(grid(64, 64, shape, "alternating"), {
            fabric: { arealDensity: 0.2, shearStiffness: 200 },
            pinned: Array.from({ length: 65 }, (_, i) => i),
        });

    test.each([
        ["hangs", 0],
        ["swings against them at 10 m/s", 10],
        ["flees at 10 m/s", -10],
    ])("nothing passes a sheet of 64 × 64 that %s, at 50 m/s", (_, speed) => {
        const random = seededRandom(5);
        const cloth = sheet((u, v) => [2 * u - 1, 1 - 2 * v, 0]);
        for (let i = 65; i < cloth.state.particleCount; i++) cloth.state.residuals[4 * i + 2] += (speed * (i / 4225)) / 240;
        const particles = makeParticles({ capacity: 400, drag: 0, gravity: [0, 0, 0], restitution: 0.5 });
        const impacts = impactsOf(particles, [cloth]);
        const sides: number[] = [];
        for (let n = 0; n < 400; n++) {
            // From either side, at random slants, towards the inner part of the sheet.
            const from = n % 2 ? 1 : -1;
            const aim: Vector = [1.2 * random() - 0.6, 0.9 * random(), 0];
            const way: Vector = [random() - 0.5, random() - 0.5, -from];
            const length = Math.hypot(...way);
            const far = 1.2 + 2.5 * random();
            const v = way.map((x) => (50 * x) / length);
            spawn(particles, aim.map((x, c) => x - (far * way[c]) / length) as unknown as Vector, v as unknown as Vector);
            sides.push(from);
        }
        let passed = 0;
        runTogether(impacts, particles, 8);
        for (let n = 0; n < 400; n++) if (at(particles.body, n)[2] * sides[n] < -0.9) passed++;
        expect(impacts.hasHit.reduce((sum, struck) => sum + struck, 0)).toBeGreaterThan(390);
        expect(passed).toBe(0);
        cloth.release();
    });

    test("grains on a hung sheet rest there, and weigh it down", () => {
        const particles = makeParticles({ capacity: 60, mass: 3e-4, radius: 0.01, restitution: 0, friction: 0.6 });
        const cloth = makeCloth(
            grid(16, 16, (u, v) => [u - 0.5, 0, v - 0.5], "alternating"),
            {
                fabric: { arealDensity: 0.2, stretchStiffness: 100, damping: 2 },
                pinned: all(board(0, 16)).filter((i) => i % 17 === 0 || i % 17 === 16 || i < 17 || i > 271),
            },
        );
        const impacts = impactsOf(particles, [cloth]);
        runTogether(impacts, particles, 240);
        const before = at(cloth, 144)[1];
        const random = seededRandom(2);
        for (let n = 0; n < 60; n++) spawn(particles, [0.3 * random() - 0.15, 0.2 + 0.3 * random(), 0.3 * random() - 0.15]);
        runTogether(impacts, particles, 360);
        expect(at(cloth, 144)[1]).toBeLessThan(before - 0.001);
        for (let n = 0; n < 60; n++) {
            expect(at(particles.body, n)[1]).toBeGreaterThan(-0.4);
        }
        for (let n = 0; n < 60; n++) expect(Math.hypot(...velocityOf(particles.body, n))).toBeLessThan(0.3);
        validateState(particles.body.state);
        validateState(cloth.state);
        cloth.release();
    });
});
