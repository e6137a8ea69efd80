// A collider was read from a view that its own cloth's room for triangle contacts, made at the first touch, had left behind where memory grew in it: in
// that substep triangles met what lay at the memory's start. Ten sheets in a scene moved otherwise the second time.
import { afterEach, expect, jest, test } from "@jest/globals";
import { WasmArena } from "../../src/kernels/wasmArena";
import type { ColliderShape } from "../../src/engine/index";
import { grid, lying } from "../physics/meshes";
import { addCollider, makeCloth, pose, runSteps } from "../physics/support";

afterEach(() => void jest.restoreAllMocks());

/** Has the memory grow by a page whenever anything is allocated: all views are cut afresh. */
function growAlways(): void {
    const { allocate } = WasmArena.prototype;
    jest.spyOn(WasmArena.prototype, "allocate").mockImplementation(function (this: WasmArena, byteLength, owner) {
        const block = allocate.call(this, byteLength, owner);
        this.memory.grow(1);
        const { _blocks } = this as unknown as { _blocks: Set<{ owner: typeof owner; byteOffset: number }> };
        for (const each of _blocks) each.owner.relocate(this.memory.buffer, each.byteOffset);
        return block;
    });
}

function fall(shape: ColliderShape): number[] {
    const cloth = makeCloth(grid(6, 6, lying(1)), { fabric: { thickness: 0.005, friction: 0.4 } });
    addCollider(cloth, shape, pose([0.08, -0.04, 0.08], [0.05, 0.05, 0.05], 0.3));
    runSteps(cloth, 3);
    const positions = new Float32Array(3 * cloth.state.particleCount);
    cloth.readPositions(positions);
    cloth.release();
    return Array.from(positions);
}

test.each(["sphere", "capsule", "box"] as const)("a coarse cloth meets a %s the same in a memory that grows", (shape) => {
    const still = fall(shape);
    growAlways();
    expect(fall(shape)).toEqual(still);
});
