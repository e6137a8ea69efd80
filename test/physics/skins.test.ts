/** Cloth on triangles that bones carry. */
import { describe, expect, jest, test } from "@jest/globals";
import type { Body, Collider } from "../../src/engine/index";
import { validateState } from "../../src/engine/state/state";
import { grid, gridIndex, lying } from "./meshes";
import { Limb, RADIUS } from "./skins";
import { at, lowest, makeCloth, measure, runSeconds, runSteps } from "./support";

const COTTON = { arealDensity: 0.2, shearStiffness: 200, damping: 0.6, thickness: 0.01, friction: 0.5 };

/** Least distance of particles [m], of those that are near. */
function least(cloth: Body, limb: Limb): number {
    let nearest = 0.03;
    for (let i = 0; i < cloth.state.particleCount; i++) nearest = Math.min(nearest, limb.distance(at(cloth, i), nearest));
    return nearest;
}

describe("skins", () => {
    function drape(substepCount = 4, size = 0.9): { cloth: Body; limb: Limb; collider: Collider } {
        const cloth = makeCloth(grid(20, 20, lying(size, size, RADIUS + 0.012)), { fabric: COTTON, substepCount });
        const limb = new Limb();
        return { cloth, limb, collider: limb.attachTo(cloth) };
    }

    test("a sheet lies over a limb at rest, at its thickness", () => {
        const { cloth, limb } = drape();
        runSeconds(cloth, 3);
        expect(Math.abs(least(cloth, limb) - COTTON.thickness)).toBeLessThan(1e-4);
        expect(lowest(cloth)).toBeLessThan(-0.1);
        expect(Math.sqrt((2 * measure(cloth).kinetic) / measure(cloth).mass)).toBeLessThan(0.1);
        validateState(cloth.state);
    });

    test.each([
        [1, 2],
        [4, 8],
    ])("a limb that bends and rolls has the sheet on it at its thickness, %d substeps, %d rad/s", (substepCount, rate) => {
        const { cloth, limb, collider } = drape(substepCount);
        let nearest = Infinity;
        runSeconds(cloth, 3, (step) => {
            // The first pose lies some mm within the sheet, which comes out within half a second.
            if (step > 30 && step % 15 === 0) nearest = Math.min(nearest, least(cloth, limb));
            const t = (step + 1) / 60;
            limb.put(0.5 * Math.sin(2 * rate * t), 0.5 * Math.sin(rate * t));
            limb.follow(cloth, collider);
        });
        expect(nearest).toBeGreaterThan(COTTON.thickness - 1e-3);
        validateState(cloth.state);
    });

    test("what lies on a limb that rolls goes along with its surface", () => {
        const { cloth, limb, collider } = drape(4, 0.15);
        const rate = 0.3;
        const angle = (): number => {
            const [, y, z] = at(cloth, gridIndex(20, 10, 10));
            return Math.atan2(z, y);
        };
        let begin = 0;
        runSeconds(cloth, 1, (step) => {
            if (step === 30) begin = angle();
            limb.put(0, (rate * (step + 1)) / 60);
            limb.follow(cloth, collider);
        });
        expect(Math.abs((angle() - begin) / (rate / 2) - 1)).toBeLessThan(0.02);
    });

    test("a limb that stands still again costs and moves nothing", () => {
        const { cloth, limb, collider } = drape();
        const carry = jest.spyOn(cloth.kernels, "advanceSkin");
        for (let step = 0; step < 20; step++) {
            if (step < 10) limb.put(0.02 * step);
            limb.follow(cloth, collider);
            runSteps(cloth, 1);
            if (step === 9) expect(carry).toHaveBeenCalled();
            if (step === 12) carry.mockClear();
        }
        expect(carry).not.toHaveBeenCalled();
        carry.mockRestore();
    });
});
