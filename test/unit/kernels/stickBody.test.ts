/** A rigid body on the memory of the WASM backend, and met by its colliders, against one on the scalar backend: see conformance.test.ts. */
import { describe, expect, test } from "@jest/globals";
import type { Kernels } from "../../../src/kernels/kernels";
import { massPropertiesOf, tetrahedronOf } from "../../../src/solver/rigid/massProperties";
import { defaultSettings } from "../../../src/solver/settings";
import { Pile } from "../../../src/solver/rigid/pile";
import { StickBody } from "../../../src/solver/rigid/stickBody";
import { defaultStickBody } from "../../../src/solver/materials/stickBodyMaterial";
import { box } from "../../physics/stickBodies";
import { addCollider, pinParticles, pose, runSteps } from "../../physics/support";
import { seededRandom } from "../../random";
import { compare, motionOf } from "./agreement";

/** @param speed what its particles go in a substep, at most, along each axis [m] */
function made(kernels: Kernels, seed: number, pile = new Pile(), speed = 0.025): StickBody {
    const random = seededRandom(seed);
    const { positions, triangles } = box([0.1 + random(), 0.1 + random(), 0.1 + random()], [0, 0.3, 0], random());
    const particles = Float32Array.from([...tetrahedronOf(massPropertiesOf(positions, triangles)), ...positions]);
    const settings = { ...defaultSettings(), gravity: Float64Array.of(0, -9.81, 0), body: { ...defaultStickBody(), mass: 3 } };
    const body = new StickBody(
        kernels,
        particles,
        8,
        triangles.map((v) => v + 4),
        settings,
        new Float64Array(3),
        pile,
    );
    body.prepare();
    const { residuals } = body.state;
    for (let i = 0; i < 4; i++) for (let c = 0; c < 3; c++) residuals[4 * i + c] = 2 * speed * (random() - 0.5);
    return body;
}

describe.each([1, 2, 3, 4, 5])("random boxes, %s", (seed) => {
    test.each([1, 2, 3])("sticks hold to the bit, with %s pins", (pins) => {
        compare((kernels) => {
            const body = made(kernels, seed);
            pinParticles(body, [5, 9, 8].slice(0, pins));
            body.prepare();
            for (let k = 0; k < 5; k++) {
                body.state.previous.set(body.state.positions);
                for (const constraint of body.passes) constraint.project(kernels, body.state);
            }
            return { ...motionOf(body.state), pose: body.pose };
        }, 0);
    });

    // The last turns by more than a substep can.
    test.each([1, 2, 3])("sticks of %s bodies hold to the bit", (count) => {
        compare((kernels) => {
            const pile = new Pile();
            const bodies = [0, 1, 2].slice(3 - count).map((i) => made(kernels, 3 * seed + i, pile, [0.001, 0.025, 2][i]));
            const before = bodies.map(({ pose }) => pose.slice());
            for (let k = 0; k < 5; k++) {
                for (const { state, passes } of bodies) {
                    state.previous.set(state.positions);
                    for (const constraint of passes) constraint.project(kernels, state);
                }
                pile.pairing.end();
            }
            bodies.forEach(({ pose }, i) => expect(pose).not.toEqual(before[i]));
            return Object.fromEntries(
                bodies.flatMap(({ state, pose }, i) =>
                    Object.entries({ ...motionOf(state), pose }).map(([name, numbers]) => [`${name} ${i}`, numbers]),
                ),
            );
        }, 0);
    });

    test.each(["plane", "sphere", "box"] as const)("in contact with a %s", (shape) => {
        compare((kernels) => {
            const body = made(kernels, seed);
            const lowest = Math.min(...Array.from({ length: 8 }, (_, i) => body.state.positions[4 * i + 17]));
            const under = pose([0, lowest + 0.01, 0], [9, 9, 9], shape === "plane" ? -Math.PI / 2 : 0, "x");
            if (shape !== "plane") under[13] -= 9;
            const collider = addCollider(body, shape, under);
            collider.settings.friction = 0.4;
            collider.settings.restitution = 0.3;
            const before = body.state.positions.slice();
            runSteps(body, 3);
            expect(body.state.positions).not.toEqual(before);
            return motionOf(body.state);
        }, 1e-4);
    });
});
