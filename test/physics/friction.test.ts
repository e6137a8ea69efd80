import { describe, expect, test } from "@jest/globals";
import type { Body } from "../../src/engine/index";
import { disc, grid, lying } from "./meshes";
import { G, addCollider, at, makeCloth, measure, pose, runSeconds, setVelocity, velocityOf } from "./support";

const THICKNESS = 0.01;
const degrees = (angle: number): number => (angle * Math.PI) / 180;

/** Poses map z = 0 of their unit frame; this lays it flat, facing up, and then tilts it about z. */
function incline(angle: number): Float64Array {
    const c = Math.cos(angle);
    const s = Math.sin(angle);
    return Float64Array.of(c, s, 0, 0, 0, 0, -1, 0, -s, c, 0, 0, 0, 0, 0, 1);
}

/** A sheet that lies on the incline, `up` along the slope. */
const onIncline =
    (angle: number) =>
    (u: number, v: number): [number, number, number] => [
        (u - 0.5) * Math.cos(angle) - THICKNESS * Math.sin(angle),
        (u - 0.5) * Math.sin(angle) + THICKNESS * Math.cos(angle),
        v - 0.5,
    ];

/** Distance that the centre of mass has slid down the incline, and its height above it [m]. */
function slid(cloth: Body, angle: number): { down: number; height: number } {
    const [x, y] = measure(cloth).centre;
    return { down: -(x * Math.cos(angle) + y * Math.sin(angle)), height: y * Math.cos(angle) - x * Math.sin(angle) };
}

describe("friction", () => {
    const laid = (friction: number, angle: number, substepCount = 4): Body => {
        const cloth = makeCloth(grid(8, 8, onIncline(angle)), {
            fabric: { thickness: THICKNESS, friction, shearStiffness: 200 },
            substepCount,
        });
        addCollider(cloth, "halfSpace", incline(angle));
        return cloth;
    };

    test.each([
        [0.3, 10],
        [0.3, 16],
        [0.6, 10],
        [0.6, 30],
        [1, 44],
    ])("μ = %d sticks on an incline of %d°", (friction, angle) => {
        const cloth = laid(friction, degrees(angle));
        runSeconds(cloth, 2);
        const { down, height } = slid(cloth, degrees(angle));
        expect(Math.abs(down)).toBeLessThan(1e-3);
        expect(height).toBeCloseTo(THICKNESS, 4);
    });

    test.each([
        [0, 20],
        [0.3, 18],
        [0.3, 30],
        [0.6, 32],
        [0.6, 45],
        [1, 60],
    ])("μ = %d slides down an incline of %d° with g (sin θ - μ cos θ)", (friction, angle) => {
        const cloth = laid(friction, degrees(angle));
        runSeconds(cloth, 1);
        const acceleration = G * (Math.sin(degrees(angle)) - friction * Math.cos(degrees(angle)));
        const { down, height } = slid(cloth, degrees(angle));
        expect(down / (acceleration / 2)).toBeGreaterThan(0.99);
        expect(down / (acceleration / 2)).toBeLessThan(1.02);
        expect(height).toBeCloseTo(THICKNESS, 4);
    });

    test("friction does not depend on the substeps", () => {
        const distances = [1, 4, 16].map((substepCount) => {
            const cloth = laid(0.3, degrees(25), substepCount);
            runSeconds(cloth, 1);
            return slid(cloth, degrees(25)).down;
        });
        for (const down of distances) expect(down / distances[1]).toBeCloseTo(1, 1);
    });

    test("a sheet thrown along the floor stops after v² / 2μg", () => {
        const cloth = laid(0.5, 0);
        for (let i = 0; i < cloth.state.particleCount; i++) setVelocity(cloth, i, [2, 0, 0]);
        runSeconds(cloth, 2);
        expect(-slid(cloth, 0).down).toBeCloseTo(4 / (2 * 0.5 * G), 1);
        expect(Math.abs(measure(cloth).momentum[0])).toBeLessThan(1e-4);
    });

    test("a collider's own friction comes before the fabric's", () => {
        const cloth = laid(0, degrees(20));
        cloth.colliders[0].settings.friction = 1;
        runSeconds(cloth, 1);
        expect(Math.abs(slid(cloth, degrees(20)).down)).toBeLessThan(1e-3);
    });

    test("a conveyor: a floor that moves takes the sheet along, at most with μ g", () => {
        const cloth = laid(0.4, 0);
        const belt = incline(0);
        runSeconds(cloth, 0.25, (step) => {
            belt[12] = (step + 1) / 60;
            cloth.colliders[0].setPose(belt);
        });
        expect(measure(cloth).momentum[0] / measure(cloth).mass).toBeCloseTo(0.25 * 0.4 * G, 1);
        runSeconds(cloth, 1, (step) => {
            belt[12] = (step + 16) / 60;
            cloth.colliders[0].setPose(belt);
        });
        for (let i = 0; i < cloth.state.particleCount; i++) expect(velocityOf(cloth, i)[0]).toBeCloseTo(1, 2);
    });

    test("a ball that turns drags a cloth on it round; without friction it does not", () => {
        const spin = (friction: number, speed: number): number => {
            const cloth = makeCloth(disc(24, 6, lying(0.4, 0.4, 0.52)), {
                fabric: {
                    friction,
                    thickness: THICKNESS,
                    shearStiffness: 200,
                    bendStiffness: 5e-5,
                    damping: 0.6,
                    arealDensity: 0.2,
                },
            });
            const ball = addCollider(cloth, "sphere", pose([0, 0, 0], [0.5, 0.5, 0.5]));
            runSeconds(cloth, 0.5);
            runSeconds(cloth, 1, (step) => ball.setPose(pose([0, 0, 0], [0.5, 0.5, 0.5], (speed * (step + 1)) / 60, "y")));
            let inertia = 0;
            for (let i = 0; i < cloth.state.particleCount; i++) {
                const [x, , z] = at(cloth, i);
                inertia += cloth.masses.massOf(i) * (x * x + z * z);
            }
            return measure(cloth).spin[1] / inertia;
        };
        // A turn from z to x, as poses turn about y, is positive.
        expect(spin(0.5, 1)).toBeCloseTo(1, 2);
        expect(Math.abs(spin(0.5, -2) / -2 - 1)).toBeLessThan(0.02);
        // Sliding off, the frictionless sheet turns a little by itself: what the ball does makes no difference.
        expect(Math.abs(spin(0, 10) - spin(0, 0))).toBeLessThan(0.005);
    });
});
