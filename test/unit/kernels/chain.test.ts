/** The kernels of a rope's links of the WASM backend against the scalar ones: see conformance.test.ts. */
import { describe, expect, test } from "@jest/globals";
import type { Kernels } from "../../../src/kernels/kernels";
import type { Body } from "../../../src/solver/body";
import type { Chain } from "../../../src/solver/methods/xpbd/chain";
import type { ChainBend } from "../../../src/solver/methods/xpbd/chainBend";
import { BendTeam } from "../../../src/solver/teams/bendTeam";
import { ChainColumns } from "../../../src/solver/teams/chainColumns";
import { ChainTeam } from "../../../src/solver/teams/chainTeam";
import { createRope, lengthOf } from "../../../src/solver/rope";
import { defaultRope } from "../../../src/solver/materials/ropeMaterial";
import type { RopeMaterial } from "../../../src/solver/materials/ropeMaterial";
import { defaultSettings } from "../../../src/solver/settings";
import { kernelsOf, pinParticles } from "../../physics/support";
import { seededRandom } from "../../random";
import { motionOf } from "./agreement";

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

describe.each([2, 3, 8, 9, 64])("teams of chains of %i particles", (count) => {
    test("get to the bit what each gets alone", () => {
        const kernels = kernelsOf();
        for (let round = 0; round < 30; round++) {
            const [alone, together] = [0, 1].map(() =>
                Array.from({ length: 2 + (round % 3) }, (_, i) =>
                    movedRope(kernels, count, { stretchStiffness: i === 1 && round % 2 ? 100 : Infinity }, 10 * round + i),
                ),
            );
            // Some fold, others are pushed together without.
            for (const ropes of [alone, together])
                ropes.forEach(({ state: { positions: x }, lengths: [chain] }, i) => {
                    for (let substep = 0; substep < 5; substep++) kernels.growChain(chain as Chain);
                    for (let o = 4; o < 4 * count; o += 4) x[o] *= 0.97;
                    if (i % 2 === 0) for (let o = 4; o < 4 * count; o += 4) x[o] = 0.03 * ((o / 4) % 2);
                });
            const columns = ChainColumns.hold(kernels.arena, ChainTeam.rowsOf(together[0].state));
            const team = new ChainTeam(
                kernels.arena,
                together.map(({ state, lengths: [chain] }) => ({ particles: state, chain: chain as Chain })),
                columns,
            );
            for (let pass = 0; pass < 3; pass++) {
                for (const { state, lengths } of alone) kernels.projectChain(state, lengths[0] as Chain);
                kernels.projectChains(team);
            }
            expect(together.map(({ state }) => motionOf(state))).toEqual(alone.map(({ state }) => motionOf(state)));
            for (const held of [team, columns]) held.release();
            for (const body of [...alone, ...together]) body.release();
        }
    });
});

describe.each([3, 4, 9, 10, 64])("teams of chains of %i particles that bend", (count) => {
    test("get to the bit what each gets alone", () => {
        const kernels = kernelsOf();
        for (const memberCount of [2, 3, 4]) {
            const [alone, together] = [0, 1].map(() =>
                Array.from({ length: memberCount }, (_, i) =>
                    movedRope(kernels, count, { bendStiffness: 0.01 * 10 ** i, endMass: i === 1 ? 1 : 0 }, 10 * memberCount + i),
                ),
            );
            const bendOf = ({ constraints }: Body): ChainBend => constraints.find(({ name }) => name === "bend") as ChainBend;
            const before = alone.map(({ state }) => state.positions.slice());
            const columns = ChainColumns.hold(kernels.arena, ChainTeam.rowsOf(together[0].state));
            const team = new BendTeam(
                kernels.arena,
                together.map((body) => ({ particles: body.state, bend: bendOf(body) })),
                columns,
            );
            for (let pass = 0; pass < 3; pass++) {
                for (const body of alone) kernels.bendChain(body.state, bendOf(body));
                kernels.bendChains(team);
            }
            alone.forEach(({ state }, i) => expect(state.positions).not.toEqual(before[i]));
            expect(together.map(({ state }) => motionOf(state))).toEqual(alone.map(({ state }) => motionOf(state)));
            for (const held of [team, columns]) held.release();
            for (const body of [...alone, ...together]) body.release();
        }
    });
});
