// Tethers read which particles are pinned from a view that their own allocation had left behind, when the memory grew in it:
// pins got tethers to themselves, and the last particles none.
import { afterEach, expect, jest, test } from "@jest/globals";
import { getKernels, createCloth } from "../../src/engine/index";
import { buildTopology } from "../../src/engine/topology/topology";
import { grid, hanging, topRow } from "../physics/meshes";
import { makeCloth, pinParticles } from "../physics/support";
import { moveMemoryAlways } from "../unit/binding/harness";

afterEach(() => void jest.restoreAllMocks());

test("tethers are the same in a memory that grows as they are laid out", () => {
    const sheet = grid(6, 6, hanging(1));
    const still = makeCloth(sheet, { tetherSlack: 0, pinned: topRow(6, 6) });
    const topology = buildTopology(sheet.positions, sheet.triangles);
    moveMemoryAlways();
    const moving = createCloth(getKernels(), topology, sheet.positions, still.settings);
    pinParticles(moving, topRow(6, 6));
    moving.prepare();
    const [expected, laidOut] = [still, moving].map(({ constraints }) => {
        const tethers = constraints.find(({ name }) => name === "tethers")!;
        const { particles, anchors } = tethers as unknown as Record<"particles" | "anchors", Uint32Array>;
        return [tethers.count, [...particles], [...anchors]];
    });
    expect(laidOut).toEqual(expected);
});
