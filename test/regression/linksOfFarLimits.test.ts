// Far limits came to lie in several levels, and pictures of them showed none; springs to pins were shown as no tethers.
import { expect, test } from "@jest/globals";
import { linksOf } from "../../src/engine/index";
import { grid, hanging, topRow } from "../physics/meshes";
import { makeCloth } from "../physics/support";

test.each(["farUnilateralLimits", "unilateralLimits", "tethers", "structural"])(
    "%s of cloth that stretches are all seen",
    (name) => {
        const cloth = makeCloth(grid(20, 20, hanging()), {
            fabric: { stretchStiffness: 5000, arealDensity: 0.2, shearStiffness: 200 },
            tetherSlack: 0,
            pinned: topRow(20, 20),
        });
        const constraint = cloth.constraints.find((each) => each.name === name)!;
        const { pairs, lengths } = linksOf(constraint);
        expect(constraint.count).toBeGreaterThan(0);
        expect([pairs.length / 2, lengths.length]).toEqual([constraint.count, constraint.count]);
        cloth.release();
    },
);
