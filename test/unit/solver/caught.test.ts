/** Particles that a step leaves inside one of several fast solids are freed, where there is room. */
import { describe, expect, test } from "@jest/globals";
import type { Vector } from "../../../src/engine/math/vector";
import { grid, lying } from "../../physics/meshes";
import { addCollider, at, makeCloth, pose } from "../../physics/support";

const ANGLE = Math.PI / 6;

/**
 * Two boxes, of which one leans on the other, with a wedge between them, and a particle that starts there; where it is freed to.
 *
 *     ╲  second  ╱
 *      ╲     ╱
 *       ╲╱    wedge
 *     ━━━━━━━━━━━━━━
 *         first
 */
function freeBetween(start: Vector, fastMotions: readonly [number, number]): Vector {
    const cloth = makeCloth(grid(1, 1, lying(1, 1, 0)), { fabric: { thickness: 0.01 } });
    const boxes = [
        addCollider(cloth, "box", pose([0, -0.5, 0], [1, 0.5, 5])),
        addCollider(cloth, "box", pose([-0.5 * Math.sin(ANGLE), 0.5 * Math.cos(ANGLE), 0], [1, 0.5, 5], ANGLE)),
    ];
    boxes.forEach((box, i) => {
        box.moveTo(1, 1, cloth.settings.fabric);
        box.isNear = true;
        box.fastMotion = fastMotions[i];
    });
    const { positions, previous } = cloth.state;
    for (let i = 0; i < 4; i++) positions.set(i === 0 ? start : [9, 9, 9], 4 * i);
    previous.set(positions);
    cloth.kernels.measureBounds(cloth.state);
    cloth.contacts!.begin(boxes, 2, 2);
    cloth.contacts!.recoverPenetrations(cloth.kernels, boxes, 2);
    return at(cloth, 0);
}

describe("caught between solids", () => {
    test("what is inside of one, at the foot of another, comes out where they leave room", () => {
        const [x, y] = freeBetween([0.01, -0.05, 0], [1, 1]);
        // What is no deeper is not caught.
        expect(y).toBeGreaterThan(-5e-4);
        expect(x * Math.sin(ANGLE) - y * Math.cos(ANGLE)).toBeGreaterThan(-5e-4);
        expect(Math.hypot(x, y)).toBeLessThan(0.1);
    });

    test.each([
        ["inside of one, and touches the other", [0.012, -0.005, 0], [1, 1]],
        ["squeezed by a slow one", [0.012, -0.005, 0], [1, 0]],
    ] as const)("what is %s stays", (_name, start, fastMotions) => {
        freeBetween(start, fastMotions).forEach((value, c) => expect(value).toBeCloseTo(start[c], 6));
    });
});
