import { describe, expect, test } from "@jest/globals";
import { Uniform } from "../../src/kernels/layout";
import { Fabrics } from "../../src/engine/index";
import { MAX_SPEED } from "../../src/engine/tunables";
import { validateState } from "../../src/engine/state/state";
import { evenWind } from "./air";
import { grid, gridIndex, hanging, topRow } from "./meshes";
import { addCollider, at, makeCloth, pinParticles, pose, runSeconds, runSteps, stretchOf, velocityOf } from "./support";
import { seededRandom } from "../random";

const N = 8;
const NAMES = Object.keys(Fabrics) as (keyof typeof Fabrics)[];

describe("soak", () => {
    test.each([1, 2, 3, 4])("random kicks of every kind for 2000 steps (seed %d): never a NaN, and it recovers", (seed) => {
        const random = seededRandom(seed);
        const any = (scale: number): number => (2 * random() - 1) * scale;
        const huge = (): number => any(10 ** (random() * 15 - 3));
        const cloth = makeCloth(grid(N, N, hanging(1), "alternating"), {
            fabric: { ...Fabrics.cotton },
            tetherSlack: 0,
            pinned: [gridIndex(N, 0, N)],
            wind: {
                ...evenWind([0, 0, 0]),
                sample(_clock, uniforms) {
                    // What a Wind can be set to: 1 km/s, gusts of a micrometre, any drag.
                    for (let slot = Uniform.windVelocity; slot < Uniform.gustWave; slot++) uniforms[slot] = gusty ? any(1000) : 0;
                    for (let slot = Uniform.gustWave; slot < Uniform.gustPhase; slot++)
                        uniforms[slot] = gusty ? any(10 ** any(6)) : 0;
                    uniforms[Uniform.gustPhase] = random();
                    for (const slot of [Uniform.airDensity, Uniform.drag, Uniform.skinFriction])
                        uniforms[slot] = gusty ? 10 ** any(6) : 0;
                },
            },
        });
        let gusty = true;
        const pins = pinParticles(cloth, topRow(N, N));
        const ball = addCollider(cloth, "sphere", pose([0.5, -0.5, 1], [0.3, 0.3, 0.3]));
        const plate = addCollider(cloth, "plane", pose([0.5, -2, 0], [1, 1, 1], -Math.PI / 2, "x"));
        const floor = addCollider(cloth, "halfSpace", pose([0.5, -2.5, 0], [1, 1, 1], -Math.PI / 2, "x"));
        const { settings } = cloth;
        const kicks: (() => void)[] = [
            () => cloth.applyImpulse(any(1), any(1), any(1), huge(), huge(), huge(), 10 ** any(3)),
            () => settings.gravity.set([huge(), huge(), huge()]),
            () => pins.setTargets(pose([huge(), huge(), huge()])),
            () => pins.setTargets(pose([any(1), any(1), any(1)], [1, 1, 1], any(4))),
            () => ball.setPose(pose([huge(), huge(), huge()], [huge(), huge(), huge()], any(4))),
            () => ball.setPose(pose([any(1), any(1), any(1)], [random(), random(), random()], any(4))),
            () => ball.setPose(pose([0.5, -0.5, 0], [0, 0.2, 0])),
            () => plate.setPose(pose([any(1), any(1), any(1)], [random() + 0.01, 1, 1], any(4), "x")),
            () => plate.setPose(pose([huge(), huge(), huge()], [huge(), 0, huge()])),
            () => floor.setPose(pose([0, huge(), 0], [1, 1, 1], any(4), "x")),
            () => {
                settings.substepCount = 1 + Math.floor(random() * 12);
                settings.fixedTimeStep = 10 ** (-1 - 3 * random());
                cloth.invalidate();
            },
            () => {
                settings.fabric = {
                    ...Fabrics[NAMES[Math.floor(random() * NAMES.length)]],
                    arealDensity: 10 ** any(4),
                    stretchStiffness: [0, 1, 1e6, Infinity][Math.floor(random() * 4)],
                    shearStiffness: [0, 1, 1e6, Infinity][Math.floor(random() * 4)],
                    bendStiffness: [0, 1e-6, 1, Infinity][Math.floor(random() * 4)],
                    damping: [0, 0.6, 1e4][Math.floor(random() * 3)],
                    friction: [0, 0.5, 1e3][Math.floor(random() * 3)],
                };
                cloth.invalidate();
            },
            () => cloth.rebase(Math.round(any(100)), Math.round(any(100)), Math.round(any(100))),
        ];
        runSteps(cloth, 2000, () => {
            if (random() < 0.3) kicks[Math.floor(random() * kicks.length)]();
            validateState(cloth.state);
        });

        // All is quiet again.
        gusty = false;
        settings.gravity.set([0, -9.81, 0]);
        settings.substepCount = 4;
        settings.fixedTimeStep = 1 / 60;
        settings.fabric = { ...Fabrics.cotton, damping: 2 };
        cloth.invalidate();
        for (const collider of [...cloth.colliders]) {
            cloth.removeCollider(collider);
            collider.release();
        }
        pins.setTargets(pose([0, 0, 0]));
        runSeconds(cloth, 15);
        validateState(cloth.state);
        expect(stretchOf(cloth).mean).toBeLessThan(0.03);
        const top = at(cloth, gridIndex(N, N / 2, N));
        for (let i = 0; i < cloth.state.particleCount; i++) {
            const [x, y, z] = at(cloth, i);
            expect(Math.hypot(x - top[0], y - top[1], z - top[2])).toBeLessThan(1.3);
        }
    });

    test("free particles are never faster than 1 km/s along an axis, whatever pushes them", () => {
        for (const push of [1e4, 1e9, 1e18]) {
            const cloth = makeCloth(grid(N, N, hanging(1)), {
                gravity: [push, -push, 0],
                fabric: { stretchStiffness: 0 },
            });
            cloth.applyImpulse(0.5, -0.5, 0, 0, 0, push, 0.3);
            for (let step = 0; step < 5; step++) {
                runSteps(cloth, 1);
                for (let i = 0; i < cloth.state.particleCount; i++) {
                    for (const v of velocityOf(cloth, i)) expect(Math.abs(v)).toBeLessThanOrEqual(MAX_SPEED * 1.001);
                }
            }
        }
    });

    test("all its particles at one point: it unfolds again, or at least stays finite", () => {
        const cloth = makeCloth(grid(N, N, hanging(1)), {
            fabric: { ...Fabrics.cotton },
            pinned: topRow(N, N),
            tetherSlack: 0,
        });
        for (let i = 0; i < cloth.state.particleCount; i++) {
            for (let c = 0; c < 3; c++) cloth.state.positions[4 * i + c] = cloth.state.previous[4 * i + c] = 0;
        }
        runSeconds(cloth, 5);
        validateState(cloth.state);
        expect(stretchOf(cloth).mean).toBeLessThan(0.05);
    });

    test("torn to the ends of the world and let go, it comes together within seconds", () => {
        const cloth = makeCloth(grid(N, N, hanging(1)), {
            fabric: { ...Fabrics.cotton },
            pinned: topRow(N, N),
            tetherSlack: 0,
        });
        const random = seededRandom(8);
        for (let i = 0; i < cloth.state.particleCount; i++) {
            for (let c = 0; c < 3; c++) cloth.state.positions[4 * i + c] += 1e6 * (random() - 0.5);
        }
        runSeconds(cloth, 10);
        validateState(cloth.state);
        expect(stretchOf(cloth).mean).toBeLessThan(0.03);
    });
});
