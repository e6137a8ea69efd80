import { expect, test } from "@jest/globals";
import { backendNames } from "../../src/kernels/backend";
import { Uniform } from "../../src/kernels/layout";
import type { WindField } from "../../src/solver/settings";
import { grid, lying } from "../physics/meshes";
import { makeCloth, measure, runSeconds, runSteps } from "../physics/support";

/** Blows upwards [m/s] with a drag [kg/(m² s)]. */
const wind = (speed: number, drag: number): WindField => ({
    sample(_time, uniforms) {
        uniforms.fill(0, Uniform.windVelocity, Uniform.gustPhase + 1);
        uniforms[Uniform.windVelocity + 1] = speed;
        return drag;
    },
});

// Each triangle was braked as if it were alone on its corners: the centre of mass of silk paper flew off with 1.5 times the wind.
test.each(backendNames)("cloth of a gram per m² does not outrun the wind, %s", (backend) => {
    const cloth = makeCloth(backend, grid(8, 8, lying()), {
        gravity: [0, 0, 0],
        fabric: { arealDensity: 0.001 },
        wind: wind(5, 2),
    });
    for (let step = 0; step < 30; step++) {
        runSteps(cloth, 1);
        expect(measure(cloth).momentum[1] / measure(cloth).mass).toBeLessThan(5.01);
    }
});

// The impulse moved `previous` by less than its ulp: 200 m from the origin, with 16 substeps, there was no wind.
test.each(backendNames)("wind blows 200 m from the origin of simulation space, %s", (backend) => {
    const cloth = makeCloth(backend, grid(4, 4, lying(1, 1, 200)), { gravity: [0, 0, 0], substepCount: 16, wind: wind(3, 0.3) });
    runSeconds(cloth, 1);
    expect(measure(cloth).momentum[1] / measure(cloth).mass / (3 * (1 - Math.exp(-0.3)))).toBeCloseTo(1, 1);
});
