// Stretch stiffness 0 made the long limits' rest lengths infinite, and any other after it made them NaN.
import { describe, expect, test } from "@jest/globals";
import type { Body } from "../../src/engine/index";
import { DistanceConstraints } from "../../src/engine/solvers/xpbd/distanceConstraints";
import { grid, hanging, topRow } from "../physics/meshes";
import { makeCloth, runSteps, stretchOf } from "../physics/support";

function restLengths(cloth: Body): number[] {
    return cloth.constraints.flatMap((constraint) =>
        constraint instanceof DistanceConstraints
            ? Array.from({ length: constraint.constraintCount }, (_, s) => constraint.constraintAt(s).restLength)
            : [],
    );
}

describe("stretch stiffness off and on again", () => {
    test.each([Infinity, 40])("leaves rest lengths as they were: %s N/m", (stretchStiffness) => {
        const cloth = makeCloth(grid(8, 8, hanging()), {
            fabric: { stretchStiffness, damping: 2 },
            tetherSlack: 0,
            pinned: topRow(8, 8),
        });
        const { fabric } = cloth.settings;
        const before = restLengths(cloth);
        cloth.settings.fabric = { ...fabric, stretchStiffness: 0 };
        cloth.invalidate();
        runSteps(cloth, 2);
        expect(restLengths(cloth).filter(Number.isFinite)).toHaveLength(before.length);
        cloth.settings.fabric = fabric;
        cloth.invalidate();
        runSteps(cloth, 120);
        expect(restLengths(cloth)).toEqual(before);
        expect(stretchOf(cloth).max).toBeLessThan(stretchStiffness === Infinity ? 0.02 : 0.6);
    });
});
