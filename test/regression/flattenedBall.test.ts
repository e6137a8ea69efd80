import { expect, test } from "@jest/globals";
import { SphereCollider } from "../../src/engine/collision/shapes/sphere";
import { kernelsOf, PLAIN, pose } from "../physics/support";

// A ball that had come fast and was flattened to nothing still counted as near where it had passed: cloth there got further
// passes for nothing.
test("a ball that is flattened in fast motion is near nothing", () => {
    const ball = new SphereCollider(kernelsOf().arena);
    const goTo = (x: number, size: number): void => {
        ball.setPose(pose([x, 0, 0], [size, size, size]));
        ball.beginStep({ fraction: 1 });
        ball.moveTo(1, 1, PLAIN);
    };
    const between = Float32Array.of(0.9, -0.1, -0.1, 0, 1.1, 0.1, 0.1, 0);
    goTo(0, 0.25);
    goTo(2, 0.25);
    expect(ball.mayTouch(between)).toBe(true);
    goTo(2, 0);
    expect(ball.mayTouch(between)).toBe(false);
});
