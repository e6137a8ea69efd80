/** What is out of a body's reach costs nothing in substeps, and changes nothing. */
import { expect, test } from "@jest/globals";
import type { Body, Collider } from "../../../src/engine/index";
import { grid, lying } from "../../physics/meshes";
import { addCollider, makeCloth, pose, runSteps } from "../../physics/support";
import { seededRandom } from "../../random";

const COTTON = { arealDensity: 0.2, shearStiffness: 200, bendStiffness: 5e-5, damping: 0.6, thickness: 0.01, friction: 0.4 };

/** A sheet among boxes and balls, of which some fly through it and throw it at others; `change` is told of the cloth before it moves. */
function run(seed: number, change: (cloth: Body) => void): Float32Array {
    const random = seededRandom(seed);
    const cloth = makeCloth(grid(12, 12, lying(1, 1)), { fabric: COTTON });
    change(cloth);
    const fliers: { collider: Collider; way: readonly number[]; half: number }[] = [];
    for (let i = 0; i < 30; i++) {
        const half = 0.1 + 0.2 * random();
        const way = [random() - 0.5, random() - 0.5, random() - 0.5].map((x) => 8 * x);
        const shape = i % 2 === 0 ? "box" : "sphere";
        const collider = addCollider(cloth, shape, pose(way as unknown as [number, number, number], [half, half, half]));
        if (i % 3 === 0) fliers.push({ collider, way, half });
    }
    addCollider(cloth, "plane", pose([0, -1, 0], [5, 5, 1], -Math.PI / 2, "x"));
    runSteps(cloth, 90, (step) => {
        for (const { collider, way, half } of fliers) {
            const share = 1 - ((step + 1) % 60) / 20;
            collider.setPose(pose([way[0] * share, way[1] * share, way[2] * share], [half, half, half]));
        }
    });
    const positions = cloth.state.positions.slice();
    cloth.release();
    return positions;
}

test("who asks all colliders in every substep gets the same, to the bit", () => {
    for (let seed = 0; seed < 4; seed++) {
        let outOfReach = 0;
        const reached = run(seed, (cloth) => {
            const { broadPhase: reach } = cloth;
            const begin = reach.begin.bind(reach);
            reach.begin = (body) => {
                begin(body);
                outOfReach += cloth.colliders.length - reach.count;
            };
        });
        const asked = run(seed, ({ broadPhase: reach }) => {
            reach.begin = (body) => {
                reach.includeAll(body);
                reach.mayCollide = true;
            };
        });
        expect(outOfReach).toBeGreaterThan(100);
        expect(reached).toEqual(asked);
    }
});
