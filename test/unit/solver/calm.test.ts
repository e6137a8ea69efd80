import { describe, expect, test } from "@jest/globals";
import type { Body, ColliderShape } from "../../../src/engine/index";
import { evenWind } from "../../physics/air";
import { grid, hanging } from "../../physics/meshes";
import { addCollider, makeCloth, pose, runFrame } from "../../physics/support";
import { seededRandom } from "../../random";

const stateOf = ({ state }: Body): number[] => [...state.positions, ...state.previous, ...state.residuals];

/** Two equal cloths; of the second, which is being measured, no step is calm. */
function makePair(): [Body, Body] {
    const make = (): Body =>
        makeCloth(grid(7, 7, hanging()), { pinned: [0], fabric: { thickness: 0.01, friction: 0.4, damping: 1 } });
    const pair: [Body, Body] = [make(), make()];
    pair[1].stopwatch.isOn = true;
    return pair;
}

describe("calm steps", () => {
    test("colliders out of reach leave a body calm, one within reach does not", () => {
        const [body, watched] = makePair();
        addCollider(body, "halfSpace", pose([0, -30, 0], [1, 1, 1], -Math.PI / 2, "x"));
        addCollider(body, "plane", pose([0, -20, 0], [5, 5, 1], -Math.PI / 2, "x"));
        const ball = addCollider(body, "sphere", pose([0, 0, 20]));
        for (let f = 0; f < 10; f++) runFrame(body, 1 / 60);
        expect(body.recordedSubstep.isActive).toBe(true);
        ball.setPose(pose([0, 0, 10]));
        runFrame(body, 1 / 60);
        expect(body.recordedSubstep.isActive).toBe(true);
        ball.setPose(pose([0, 0, -10]));
        runFrame(body, 1 / 60);
        expect(body.recordedSubstep.isActive).toBe(false);
        for (const each of [body, watched]) each.release();
    });

    test.each<ColliderShape>(["sphere", "box", "capsule", "cylinder", "hull", "plane", "halfSpace"])(
        "the motion among colliders that come, go and are run into is the same to the bit: %s",
        (shape) => {
            let calm = 0;
            let ended = 0;
            // Where chance puts a shape decides how often it is met.
            for (const seed of [7, 11, 13]) {
                const random = seededRandom(seed);
                const pair = makePair();
                const centre = (): [number, number, number] => [2 * random() - 1, -1.5 * random() - 0.5, 6 * random() - 3];
                const far = pose([3, -40, 3], [1, 1, 1], -Math.PI / 2, "x");
                const [a, b] = pair.map((body) => addCollider(body, shape, far));
                pair.forEach((body) => addCollider(body, "halfSpace", pose([0, -2.2, 0], [1, 1, 1], -Math.PI / 2, "x")));
                for (let f = 0; f < 36; f++) {
                    if (f % 9 === 0) {
                        const to = f % 2 ? far : pose(centre(), [0.4, 0.4, 0.4], random(), "x");
                        for (const collider of [a, b]) collider.setPose(to);
                    } else for (const collider of [a, b]) collider.holdPose();
                    const seconds = [1 / 60, 0.4 / 60, 2.3 / 60][f % 3];
                    for (const body of pair) runFrame(body, seconds);
                    expect(stateOf(pair[0])).toEqual(stateOf(pair[1]));
                    if (pair[0].recordedSubstep.isActive) calm++;
                    else ended++;
                }
                for (const body of pair) body.release();
            }
            expect(calm).toBeGreaterThan(5);
            expect(ended).toBeGreaterThan(5);
        },
    );

    test.each([0, 0.02])(
        "what a gust drives into a collider in a later substep meets it there, as it moves by %s m",
        (distance) => {
            let ended = 0;
            for (let i = 0; i < 60; i++) {
                const pair = makePair();
                for (const body of pair) {
                    body.settings.gravity.fill(0);
                    body.removePins(body.pins[0]);
                    // Until it is known to be steady, in no wind to speak of.
                    body.settings.wind = evenWind([0, 0, 1e-9]);
                    for (let f = 0; f < 5; f++) runFrame(body, 1 / 60);
                    body.settings.wind = evenWind([0, 0, 5 + i / 4]);
                    const face = 0.0122 + 0.5;
                    const box = addCollider(body, "box", pose([0, -0.5, face], [2, 2, 0.5]));
                    runFrame(body, 0);
                    box.setPose(pose([distance, -0.5, face], [2, 2, 0.5]));
                    runFrame(body, 1 / 60);
                }
                expect(stateOf(pair[0])).toEqual(stateOf(pair[1]));
                if (!pair[0].recordedSubstep.isActive) ended++;
                for (const body of pair) body.release();
            }
            expect(ended).toBeGreaterThan(5);
        },
    );
});
