import { afterEach, expect, jest, test } from "@jest/globals";
import { ClothBehavior } from "../../src/index";
import { disposeWorlds, makeSquare, makeWorld } from "../unit/babylon/harness";

afterEach(disposeWorlds);

/** WebGPU's snapshot went on drawing with buffers that had been destroyed: an error each frame and a blank canvas. */
test("a cloth that changes the mesh's buffers has the snapshot of the draws taken anew", () => {
    const { scene, engine, frame } = makeWorld();
    const snapshotRenderingReset = jest.fn();
    Object.assign(engine, { snapshotRenderingReset });
    const isOn = jest.spyOn(engine, "snapshotRendering", "get").mockReturnValue(true);
    const mesh = makeSquare(scene);
    const cloth = new ClothBehavior();
    const resetsBy = (change: () => void): boolean => {
        snapshotRenderingReset.mockClear();
        change();
        return snapshotRenderingReset.mock.calls.length > 0;
    };
    expect(resetsBy(() => mesh.addBehavior(cloth))).toBe(true);
    expect(resetsBy(() => frame(undefined, 3))).toBe(false);
    expect(resetsBy(() => mesh.removeBehavior(cloth))).toBe(true);
    mesh.addBehavior(cloth);
    expect(resetsBy(() => mesh.dispose())).toBe(true);
    isOn.mockReturnValue(false);
    expect(resetsBy(() => makeSquare(scene).addBehavior(new ClothBehavior()))).toBe(false);
});
