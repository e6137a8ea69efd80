import { describe, expect, test } from "@jest/globals";
import { GustyWind, stillAir } from "../../src/engine/index";
import type { ZoneShape, WindField, Vector } from "../../src/engine/index";
import { evenWind } from "./air";
import { grid } from "./meshes";
import { at, makeCloth, pose, runSteps, velocityOf } from "./support";

const STILL: Vector = [0, 0, 0];

/** A steady wind in a zone: its unit shape under a pose. */
function zoneWind(shape: ZoneShape, world: Float64Array | null, velocity: Vector = [0, 8, 0], falloff = 0.01): WindField {
    const [x, y, z] = velocity;
    return GustyWind.forWind({
        velocity: { x, y, z },
        turbulence: 0,
        gustLength: 1,
        airDensity: 1.2,
        drag: 1.2,
        skinFriction: 0,
        seed: 0,
        zone: { shape, falloff, world: () => world },
    });
}

describe("wind zones", () => {
    /** A lying sheet of 4 × 4 m in a wind; its particles' places beside their speeds over that of an even wind of 8 m/s, after a step. */
    function speeds(wind: WindField, axis = 1): (readonly [place: Vector, speed: number])[] {
        const sheet = grid(40, 40, (u, v) => [4 * u - 2, 0, 4 * v - 2]);
        const settings = { gravity: STILL, fabric: { arealDensity: 1000 }, substepCount: 1 };
        const cloth = makeCloth(sheet, { ...settings, wind });
        const even = makeCloth(sheet, { ...settings, wind: evenWind([0, 8, 0]) });
        runSteps(cloth, 1);
        runSteps(even, 1);
        const full = velocityOf(even, 40)[1];
        const all = Array.from({ length: 41 * 41 }, (_, i) => [at(cloth, i), velocityOf(cloth, i)[axis] / full] as const);
        cloth.release();
        even.release();
        return all;
    }

    /** Whether the wind blows where it should, and nowhere else; off edges by a centimetre. */
    function expectWithin(wind: WindField, isInside: (x: number, z: number, margin: number) => boolean): void {
        let count = 0;
        for (const [[x, , z], speed] of speeds(wind)) {
            if (isInside(x, z, -0.02)) {
                expect(Math.abs(speed - 1)).toBeLessThan(1e-3);
                count++;
            } else if (!isInside(x, z, 0.02)) expect(Math.abs(speed)).toBeLessThan(1e-6);
        }
        expect(count).toBeGreaterThan(50);
    }

    test("a box, moved, turned and scaled, blows within; its velocity turns with it", () => {
        const world = pose([0.55, 0.1, 0], [1.5, 1, 2.5], Math.PI / 6, "y");
        expectWithin(zoneWind("box", world), (x, z, margin) => {
            const [u, v] = [x - 0.55, z];
            const along = u * world[0] + v * world[2];
            const across = u * world[8] + v * world[10];
            return Math.abs(along) / 1.5 < 0.75 + margin && Math.abs(across) / 2.5 < 1.25 + margin;
        });
        // Around z by a quarter: up is aside, and a lying sheet feels none of it.
        const aside = zoneWind("box", pose(STILL, [9, 9, 9], Math.PI / 2, "z"));
        for (const [, speed] of speeds(aside)) expect(Math.abs(speed)).toBeLessThan(1e-6);
        const up = zoneWind("box", pose(STILL, [9, 9, 9], Math.PI / 2, "z"), [8, 0, 0]);
        for (const [, speed] of speeds(up)) expect(Math.abs(speed - 1)).toBeLessThan(1e-3);
    });

    test("a sphere blows within", () => {
        const wind = zoneWind("sphere", pose([-0.45, 0.3, 0.2], [2, 2, 2]));
        const radius = Math.sqrt(1 - 0.09);
        expectWithin(wind, (x, z, margin) => Math.hypot(x + 0.45, z - 0.2) < radius + margin);
    });

    test("a cone is a jet from its node along z: it widens and slows", () => {
        // From x = -1.95 along x, 3 m long, 2 m wide at its end.
        const world = new Float64Array([0, 0, -2, 0, 0, 2, 0, 0, 3, 0, 0, 0, -1.95, 0, 0, 1]);
        const all = speeds(zoneWind("cone", world));
        for (const [[x, , z], speed] of all) {
            const w = (x + 1.95) / 3;
            const isInside = (margin: number): boolean => w > -margin && w < 1 + margin && Math.abs(z) < 0.5 * (1 + w) + margin;
            // The load is as the square of the speed.
            if (isInside(-0.05)) expect(Math.abs(speed * (1 + w) ** 2 - 1)).toBeLessThan(2e-3);
            else if (!isInside(0.05)) expect(Math.abs(speed)).toBeLessThan(1e-6);
        }
        expect(all.filter(([, speed]) => speed > 0.1).length).toBeGreaterThan(300);
    });

    test("winds add up, the air beside a zone is still, and in vacuum there is none", () => {
        const sheet = grid(4, 4, (u, v) => [u, 0, v]);
        const blown = (own: WindField | null, ...winds: WindField[]): number => {
            const cloth = makeCloth(sheet, { gravity: STILL, fabric: { arealDensity: 1000 }, wind: own });
            cloth.winds = winds;
            runSteps(cloth, 1);
            const speed = velocityOf(cloth, 12)[1];
            cloth.release();
            return speed;
        };
        const zone = zoneWind("sphere", pose(STILL, [9, 9, 9]), [0, 4, 0]);
        const whole = blown(evenWind([0, 8, 0]));
        expect(Math.abs(blown(evenWind([0, 4, 0]), zone) / whole - 1)).toBeLessThan(1e-3);
        expect(Math.abs(blown(stillAir, zone, evenWind([0, 4, 0])) / whole - 1)).toBeLessThan(1e-3);
        // One wind blows once.
        const own = evenWind([0, 8, 0]);
        expect(blown(own, own)).toBe(whole);
        for (const [wind, speed] of [
            [stillAir, Math.sqrt((2 * 0.1 * 9.81) / 1.44)],
            [null, 9.81],
        ] as const) {
            const falling = makeCloth(sheet, { fabric: { arealDensity: 0.1 }, wind });
            falling.winds = [zoneWind("box", pose([0, 50, 0])), zoneWind("box", null)];
            runSteps(falling, 60);
            expect(Math.abs(velocityOf(falling, 0)[1] / -speed - 1)).toBeLessThan(1e-3);
            falling.release();
        }
    });

    test("cloth sleeps in still air and beside a zone, and wakes when its wind comes", () => {
        const sheet = grid(4, 4, (u, v) => [u, 0, v]);
        const pinned = Array.from({ length: 25 }, (_, i) => i);
        const cloth = makeCloth(sheet, { pinned, sleepSpeed: 1e-3, wind: { ...evenWind(STILL), isActive: false } });
        const world = pose([0, 50, 0]);
        cloth.winds = [zoneWind("sphere", world)];
        runSteps(cloth, 60);
        expect(cloth.isAsleep).toBe(true);
        world[13] = 0.1;
        runSteps(cloth, 1);
        expect(cloth.isAsleep).toBe(false);
        cloth.release();
    });
});
