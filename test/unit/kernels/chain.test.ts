/** The kernels of a rope's links of the WASM backend against the scalar ones: see conformance.test.ts. */
import { describe, expect, test } from "@jest/globals";
import type { Kernels } from "../../../src/kernels/kernels";
import type { Body } from "../../../src/solver/body";
import type { Chain } from "../../../src/solver/methods/xpbd/chain";
import { createRope, lengthOf } from "../../../src/solver/rope";
import { defaultRope } from "../../../src/solver/materials/ropeMaterial";
import type { RopeMaterial } from "../../../src/solver/materials/ropeMaterial";
import { defaultSettings } from "../../../src/solver/settings";
import { pinParticles } from "../../physics/support";
import { seededRandom } from "../../random";
import { compare, motionOf } from "./agreement";

/** A rope of uneven links, pinned at its first particle, whose particles have moved by up to a tenth of a link. */
function movedRope(kernels: Kernels, count: number, rope: Partial<RopeMaterial>, seed = count): Body {
    const random = seededRandom(seed);
    const points = Float32Array.from({ length: 3 * count }, (_, k) => (k % 3 === 0 ? k / 30 : 0) + 0.02 * random());
    const material = { ...defaultRope(), length: lengthOf(points), ...rope };
    const body = createRope(kernels, points, { ...defaultSettings(), rope: material });
    pinParticles(body, [0]);
    body.prepare();
    const { positions, inverseMasses } = body.state;
    for (let i = 0; i < count; i++)
        for (let c = 0; c < 3; c++) if (inverseMasses[i] > 0) positions[4 * i + c] += 0.01 * (2 * random() - 1);
    return body;
}

describe.each([2, 3, 4, 5, 8, 9, 64, 301])("%i particles", (count) => {
    test.each([
        ["limp", { bendStiffness: 0 }],
        ["stiff, with a load", { bendStiffness: 1, endMass: 1 }],
        ["that stretches", { stretchStiffness: 100 }],
    ])("%s: growth, bending and three passes over lengths", (_name, rope) => {
        compare((kernels) => {
            const body = movedRope(kernels, count, rope);
            (body.settings as unknown as { rope: RopeMaterial }).rope.length *= 1.01;
            body.invalidate();
            body.prepare();
            const before = body.state.positions.slice();
            for (let pass = 0; pass < 3; pass++) for (const constraint of body.passes) constraint.project(kernels, body.state);
            expect(body.state.positions).not.toEqual(before);
            return { ...motionOf(body.state), tensions: (body.lengths[0] as Chain).tensions.subarray(0, count - 1) };
        }, 1e-5);
    });
});
