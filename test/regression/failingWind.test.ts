import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { afterEach, expect, test } from "@jest/globals";
import { ClothBehavior, Wind } from "../../src/index";
import { disposeWorlds, FRAME, makeSquare, makeWorld } from "../unit/babylon/harness";

afterEach(disposeWorlds);

// What a wind threw left the scene's frames in the middle of a step: none of its cloths ever moved again.
test("a wind that throws ends its own cloth's frame, is told, and stops nothing for good", () => {
    const { scene, frame } = makeWorld();
    const blows = { x: 1, y: 0, z: 0 };
    let isBroken = false;
    // A Vector3 is kept as it is.
    const velocity = Object.defineProperty(new Vector3(1, 0, 0), "x", {
        get: () => {
            if (isBroken) throw new Error("mine");
            return 1;
        },
    });
    const cloths = [velocity, blows].map((v) => {
        const cloth = new ClothBehavior({ wind: new Wind({ velocity: v }) });
        makeSquare(scene, 4).addBehavior(cloth);
        return cloth;
    });
    const heights = (): number[] => cloths.map((cloth) => cloth.getParticlePositions()[1]);
    frame();
    isBroken = true;
    const before = heights();
    const drawn = (): number => cloths[1].attachedNode!.getVerticesData("position")![1];
    const drawnBefore = drawn();
    expect(() => frame()).toThrow("mine");
    expect(drawn()).toBeLessThan(drawnBefore);
    expect(heights()[0]).toBe(before[0]);
    expect(heights()[1]).toBeLessThan(before[1]);
    isBroken = false;
    frame(FRAME, 5);
    heights().forEach((height, i) => expect(height).toBeLessThan(before[i] - 0.01));
});
