/** Restitution, and the impulse that contacts give back. */
import { describe, expect, test } from "@jest/globals";
import type { Body, ColliderShape, Vector } from "../../src/engine/index";
import { DynamicBodyProxy } from "../../src/engine/collision/shapes/dynamicBodyProxy";
import { grid, gridIndex, lying } from "./meshes";
import { addCollider, at, makeCloth, measure, pose, runSeconds, runSteps, setVelocity } from "./support";

const COTTON = { arealDensity: 0.2, shearStiffness: 200, bendStiffness: 5e-5, thickness: 0.01, friction: 0.4 };
const UP = pose([0, 0, 0], [1, 1, 1], -Math.PI / 2, "x");

/** A quarter turn into the frame whose z is up, as half-spaces and rectangles have it, else the box around the middle. */
const poseOf = (shape: ColliderShape, x: number): Float64Array =>
    shape === "plane" || shape === "halfSpace"
        ? pose([x, 0, 0], [0.4, 0.4, 0.4], -Math.PI / 2, "x")
        : pose([x, 0, 0], [0.3, 0.2, 0.3]);

/** Momentum, and that of rotation about a point. */
function motionAbout(cloth: Body, [x, y, z]: Vector): number[] {
    const { momentum: p, spin } = measure(cloth);
    return [...p, spin[0] - (y * p[2] - z * p[1]), spin[1] - (z * p[0] - x * p[2]), spin[2] - (x * p[1] - y * p[0])];
}

describe("impulses", () => {
    test.each(["sphere", "box", "capsule", "cylinder", "hull", "plane", "halfSpace"] as const)(
        "what a %s does to the momentum of a free sheet is given back, linear and angular",
        (shape) => {
            // The spread does not matter: the sheet comes in askew, and the shape is off its middle.
            const cloth = makeCloth(grid(12, 12, lying(1, 1, 0.35)), { fabric: COTTON, gravity: [0, 0, 0] });
            for (let i = 0; i < cloth.state.particleCount; i++) setVelocity(cloth, i, [1, -4, 0.5]);
            const collider = addCollider(cloth, shape, poseOf(shape, 0.15));
            collider.dynamicBody = new DynamicBodyProxy(1e9, 1e9);
            const centre: Vector = [0.15, 0, 0];
            const before = motionAbout(cloth, centre);
            const given = new Float64Array(6);
            const part = new Float64Array(9);
            const take = (): void => {
                collider.dynamicBody!.takeImpulse(collider.data, part, cloth.settings);
                for (let c = 0; c < 6; c++) given[c] += part[c];
            };
            runSteps(cloth, 20, take);
            // What still touches has been lent something for a frame: it comes back in the next one, though nothing is near.
            const away = poseOf(shape, 0.15);
            away[13] -= 100;
            collider.setPose(away);
            collider.teleport();
            runSteps(cloth, 1, take);
            take();
            const after = motionAbout(cloth, centre);
            expect(Math.abs(given[1])).toBeGreaterThan(0.2);
            for (let c = 0; c < 3; c++) expect(Math.abs(after[c] - before[c] + given[c])).toBeLessThan(1e-5 * Math.abs(given[1]));
            // Places move within a substep, too: what turns is right to the first order.
            for (let c = 3; c < 6; c++) expect(Math.abs(after[c] - before[c] + given[c])).toBeLessThan(0.01 * Math.abs(given[1]));
        },
    );

    test("no one takes them: nothing is measured; what is far heavier moves the cloth as if no one did", () => {
        // So fine that triangles are not asked, which keep off what takes no impulses only.
        // So heavy that the share that particles take is 1: of 1 - 1e-12 half a second of folding makes a hundredth of a millimetre and more.
        const runs = [0, 1e18].map((takerMass) => {
            const cloth = makeCloth(grid(20, 20, lying(1, 1, 0.25)), { fabric: COTTON });
            const collider = addCollider(cloth, "sphere", pose([0.1, 0, 0], [0.2, 0.2, 0.2]));
            if (takerMass > 0) collider.dynamicBody = new DynamicBodyProxy(takerMass, takerMass);
            runSeconds(cloth, 0.5);
            const given = new Float64Array(9);
            (collider.dynamicBody ?? new DynamicBodyProxy(1, 1)).takeImpulse(collider.data, given, cloth.settings);
            return { positions: cloth.state.positions.slice(), given: given.subarray(0, 6) };
        });
        expect(Array.from(runs[0].given, Math.abs)).toEqual([0, 0, 0, 0, 0, 0]);
        expect(runs[1].given[1]).toBeLessThan(0);
        const worst = runs[0].positions.reduce((most, x, i) => Math.max(most, Math.abs(x - runs[1].positions[i])), 0);
        expect(worst).toBeLessThan(1e-5);
    });

    test("what is lighter than the cloth that it meets goes along with it, no faster back than it came", () => {
        const cloth = makeCloth(grid(12, 12, lying(1, 1, 0.1)), { fabric: COTTON, gravity: [0, 0, 0] });
        const collider = addCollider(cloth, "box", pose([0, 0, 0], [0.4, 0.05, 0.4]));
        const MASS = 0.01;
        collider.dynamicBody = new DynamicBodyProxy(MASS, 1);
        const velocity = new Float64Array(6).fill(0);
        velocity[1] = 3;
        const given = new Float64Array(9);
        let y = 0;
        let slowest = Infinity;
        runSteps(cloth, 30, () => {
            collider.dynamicBody!.takeImpulse(collider.data, given, cloth.settings);
            velocity[1] += given[1] / MASS;
            slowest = Math.min(slowest, velocity[1]);
            collider.setPose(pose([0, (y += velocity[1] / 60), 0], [0.4, 0.05, 0.4]));
        });
        // Of 0.128 kg of cloth over it, and 0.01 of its own.
        expect(slowest).toBeGreaterThan(-1.5);
        expect(velocity[1]).toBeLessThan(1);
    });

    test.each([
        [0, 0],
        [0.5, 0.25],
        [0.8, 0.64],
        [1, 1],
    ])("restitution %d: a sheet that falls flat rises to %d of its height", (restitution, share) => {
        const cloth = makeCloth(grid(6, 6, lying(0.5, 0.5, 0.51)), { fabric: COTTON, substepCount: 8 });
        addCollider(cloth, "halfSpace", UP).settings.restitution = restitution;
        let highest = 0;
        let hasFallen = false;
        const middle = gridIndex(6, 3, 3);
        runSeconds(cloth, 1, () => {
            const [, y] = at(cloth, middle);
            hasFallen ||= y < 0.03;
            if (hasFallen) highest = Math.max(highest, y - 0.01);
        });
        expect(hasFallen).toBe(true);
        expect(Math.abs(highest - 0.5 * share)).toBeLessThan(0.04);
    });

    test("restitution: what rests, rests", () => {
        const cloth = makeCloth(grid(6, 6, lying(0.5, 0.5, 0.02)), { fabric: { ...COTTON, damping: 1 } });
        addCollider(cloth, "halfSpace", UP).settings.restitution = 0.8;
        runSeconds(cloth, 3);
        expect(cloth.state.motion * 60).toBeLessThan(1e-3);
    });
});
