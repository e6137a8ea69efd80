/** Whoever gains energy from nothing is damped, and who does not is not. */
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import "@babylonjs/core/Materials/standardMaterial";
import { afterEach, describe, expect, test } from "@jest/globals";
import { ClothBuilder } from "../../src/index";
import type { FabricName } from "../../src/index";
import type { Body } from "../../src/solver/body";
import { Fabrics } from "../../src/solver/materials/fabric";
import { attachmentOf } from "../bench/world";
import { disposeWorlds, FRAME, makeWorld } from "../unit/babylon/harness";
import { evenWind } from "./air";
import { fastBackends } from "./backends";
import { grid, gridIndex, hanging, topRow } from "./meshes";
import { makeCloth, pinParticles, pose, runSeconds } from "./support";

afterEach(disposeWorlds);

/** A flag beside a pole, in no air, that shakes. */
function shakingFlag(width: number, subdivisions: number, fabric: FabricName, substepCount: number) {
    const { scene, frame } = makeWorld();
    const pole = MeshBuilder.CreateCylinder("pole", { diameter: 0.01, height: 2 * width }, scene);
    const options = { width, height: (2 / 3) * width, subdivisions, pole, wind: null, fabric, substepCount } as const;
    const { cloth } = ClothBuilder.CreateFlag("flag", options, scene);
    return { cloth, pole, frame, body: () => attachmentOf(cloth).cloth };
}

describe("what gains", () => {
    // For ever, at 0.1 to 0.3 m/s, without.
    test.each([
        [0.2, 32, "cotton", 4],
        [0.1, 12, "nylon", 4],
        [0.1, 16, "cotton", 8],
    ] as const)("a flag of %f m in %d edges, of %s at %d substeps, comes to rest", (width, subdivisions, fabric, substepCount) => {
        const { cloth, frame } = shakingFlag(width, subdivisions, fabric, substepCount);
        for (let i = 0; i < 1800 && !cloth.stats.isAsleep; i++) frame(FRAME);
        expect(cloth.stats.isAsleep).toBe(true);
    });

    test("is damped where it may not sleep", () => {
        const { cloth, frame } = shakingFlag(0.1, 16, "cotton", 8);
        cloth.sleepSpeed = 0;
        for (let i = 0; i < 1800; i++) frame(FRAME);
        expect(cloth.stats.kineticEnergy).toBeLessThan(1e-8);
    });

    test("moves as ever once something acts upon it", () => {
        const { cloth, pole, frame, body } = shakingFlag(0.2, 32, "cotton", 4);
        for (let i = 0; i < 1800 && !(body().sleep.gains.more > 0); i++) frame(FRAME);
        expect(body().sleep.gains.more).toBeGreaterThan(0);
        pole.position.x += 0.001;
        frame(FRAME, 10);
        expect([body().sleep.gains.more, cloth.stats.isAsleep]).toEqual([0, false]);
    });
});

describe.each(fastBackends)("what does not gain is not damped: %s", (backend) => {
    const most = (body: Body, seconds: number, before?: (step: number) => void): number => {
        let more = 0;
        runSeconds(body, seconds, (step) => {
            before?.(step);
            more = Math.max(more, body.sleep.gains.more);
        });
        return more;
    };
    const slanted = (u: number, v: number): [number, number, number] => [u, (v - 1) * Math.SQRT1_2, (1 - v) * Math.SQRT1_2];

    test.each([0.02, 0.1, 0.6])("a sheet that swings, of damping %f", (damping) => {
        const fabric = { ...Fabrics.cotton, damping };
        const body = makeCloth(backend, grid(16, 16, slanted), { fabric, pinned: topRow(16, 16) });
        expect(most(body, 6)).toBe(0);
        expect(body.kineticEnergy).toBeGreaterThan(0);
        body.release();
    });

    test.each(["rubber", "leather", "silk"] as const)("one of %s that swings by a corner, and bounces", (name) => {
        const fabric = { ...Fabrics[name], damping: 0.1, ...(name === "rubber" && { stretchStiffness: 30 }) };
        const body = makeCloth(backend, grid(12, 12, slanted), { fabric, pinned: [gridIndex(12, 0, 12)] });
        expect(most(body, 6)).toBe(0);
        body.release();
    });

    test("a strip of leather that was rolled up", () => {
        const flat = grid(48, 4, hanging(1, 0.1));
        const body = makeCloth(backend, flat, { fabric: { ...Fabrics.leather, damping: 0.1 }, gravity: [0, 0, 0] });
        pinParticles(
            body,
            [0, 1, 2, 3, 4].map((row) => gridIndex(48, 0, row)),
        );
        const { positions: x, previous } = body.state;
        for (let o = 0; o < 4 * body.state.particleCount; o += 4) {
            const s = x[o];
            x[o] = 0.15 * Math.sin(s / 0.15);
            x[o + 2] = 0.15 * (1 - Math.cos(s / 0.15));
        }
        previous.set(x);
        expect(most(body, 4)).toBe(0);
        body.release();
    });

    // Damping spares its fall as a whole.
    test("a heavy sheet that falls through still air on its edge", () => {
        const onEdge = grid(8, 8, (u, v) => [u, v, 0]);
        const fabric = { ...Fabrics.canvas, arealDensity: 3, damping: 1.5 };
        const body = makeCloth(backend, onEdge, {
            fabric,
            wind: { ...evenWind([0, 0, 0], { airDensity: 0.01 }), isBlowing: false },
        });
        expect(most(body, 5)).toBe(0);
        body.release();
    });

    test("what is pushed in every second, and what a hand swings", () => {
        const body = makeCloth(backend, grid(12, 12, hanging(1, 1)), { pinned: topRow(12, 12) });
        expect(most(body, 10, (step) => step % 60 === 0 && body.applyImpulse(0.5, -0.9, 0, 0, 0, 0.05, 0.3))).toBe(0);
        body.release();
        const swung = makeCloth(backend, grid(12, 12, hanging(1, 1)));
        const grip = pinParticles(swung, topRow(12, 12));
        expect(most(swung, 10, (step) => grip.carry(pose([0.2 * Math.sin(step / 20), 0, 0])))).toBe(0);
        swung.release();
    });
});
