import { describe, expect, test } from "@jest/globals";
import type { Vector } from "../../../src/engine/index";
import { addCollider, at, makeCloth, pose, runSteps } from "../../physics/support";

describe("contacts with ellipsoids", () => {
    test.each(["x", "y", "z"] as const)(
        "what starts near an ellipsoid's middle leaves it by its own side, flat along %s",
        (axis) => {
            const c = { x: 0, y: 1, z: 2 }[axis];
            const half: Vector = [c === 0 ? 0.3 : 3, c === 1 ? 0.3 : 3, c === 2 ? 0.3 : 3];
            for (const height of [2e-4, -2e-4, 1e-5, -1e-5]) {
                const places = [0, 0.1].flatMap((u) => [0, 0.1].map((v): Vector => [height, u, v]));
                const positions = Float32Array.from(places.flatMap((p) => [p[(3 - c) % 3], p[(4 - c) % 3], p[(5 - c) % 3]]));
                const cloth = makeCloth({ positions, triangles: Uint32Array.of(0, 1, 2, 1, 3, 2) }, { gravity: [0, 0, 0] });
                addCollider(cloth, "sphere", pose([0, 0, 0], half));
                runSteps(cloth, 1);
                for (let i = 0; i < 4; i++) expect(at(cloth, i)[c] * Math.sign(height)).toBeGreaterThan(0.29);
            }
        },
    );
});
