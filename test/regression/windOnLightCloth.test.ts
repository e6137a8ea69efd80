import { expect, test } from "@jest/globals";
import { evenWind } from "../physics/air";
import { grid, lying } from "../physics/meshes";
import { makeCloth, measure, runSeconds, runSteps } from "../physics/support";

// Each triangle was braked as if it were alone on its corners: the centre of mass of silk paper flew off with 1.5 times the wind.
test("cloth of a gram per m² does not outrun the wind", () => {
    const cloth = makeCloth(grid(8, 8, lying()), {
        gravity: [0, 0, 0],
        fabric: { arealDensity: 0.001 },
        wind: evenWind([0, 5, 0]),
    });
    for (let step = 0; step < 30; step++) {
        runSteps(cloth, 1);
        expect(measure(cloth).momentum[1] / measure(cloth).mass).toBeLessThan(5.01);
    }
});

// The impulse moved `previous` by less than its ulp: 200 m from the origin, with 16 substeps, there was no wind.
test("wind blows 200 m from the origin of simulation space", () => {
    const cloth = makeCloth(grid(4, 4, lying(1, 1, 200)), {
        gravity: [0, 0, 0],
        substepCount: 16,
        wind: evenWind([0, 3, 0]),
    });
    runSeconds(cloth, 1);
    expect(measure(cloth).momentum[1] / measure(cloth).mass / (3 * (1 - 1 / (1 + 0.72 * 3)))).toBeCloseTo(1, 1);
});
