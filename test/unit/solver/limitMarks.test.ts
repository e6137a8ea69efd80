// Records of limits whose ends weigh the same are marked, see LimitRecord: by the masses that there are, whatever changes those.
import { describe, expect, test } from "@jest/globals";
import type { Body } from "../../../src/engine/index";
import { grid, hanging, topRow } from "../../physics/meshes";
import { limitsOf, markedOf, clearMarks, wronglyMarked } from "../../physics/stickWeights";
import { at, makeCloth, pinParticles, runSteps } from "../../physics/support";

/** Expects the ends of all marked limits to weigh the same. @returns how many of those join a particle */
function marksAt(cloth: Body, particle: number): number {
    expect(wronglyMarked(cloth)).toEqual([]);
    return limitsOf(cloth).flatMap((limits) =>
        markedOf(limits)
            .flat()
            .filter((pair) => pair.includes(particle)),
    ).length;
}

/** Pulled to all sides, so that limits pull. */
function stretch({ state: { positions, previous } }: Body): void {
    for (let i = 0; i < positions.length; i++) {
        positions[i] *= 1.02;
        previous[i] *= 1.02;
    }
}

describe("marks of limits", () => {
    const MIDDLE = 6 * 13 + 6;
    const make = (): Body => makeCloth(grid(12, 12, hanging()), { pinned: topRow(12, 12) });
    const strain = (cloth: Body): void => {
        stretch(cloth);
        runSteps(cloth, 1);
    };

    test("follow pins that come and go", () => {
        const cloth = make();
        strain(cloth);
        const before = marksAt(cloth, MIDDLE);
        expect(before).toBeGreaterThan(4);
        const pins = pinParticles(cloth, [MIDDLE]);
        const place = at(cloth, MIDDLE);
        strain(cloth);
        expect(marksAt(cloth, MIDDLE)).toBe(0);
        expect(at(cloth, MIDDLE)).toEqual(place);
        cloth.removePins(pins);
        strain(cloth);
        // As many as pull now.
        expect(marksAt(cloth, MIDDLE)).toBeGreaterThan(4);
        cloth.release();
    });

    test("stay with another density, and change no bit of what moves", () => {
        const [cloth, other] = [make(), make()];
        for (const each of [cloth, other]) strain(each);
        limitsOf(other).forEach(clearMarks);
        for (const each of [cloth, other]) {
            each.settings.fabric = { ...each.settings.fabric, arealDensity: 1 };
            each.invalidate();
        }
        for (let step = 0; step < 20; step++) {
            limitsOf(other).forEach(clearMarks);
            for (const each of [cloth, other]) runSteps(each, 1);
        }
        expect(marksAt(cloth, MIDDLE)).toBeGreaterThan(4);
        expect(other.state.positions).toEqual(cloth.state.positions);
        for (const each of [cloth, other]) each.release();
    });
});
