// A cloth that has been changed while it ran is the same as one built with all its pins and settings, to the bit.
import { describe, expect, test } from "@jest/globals";
import type { Body, PinSet } from "../../src/engine/index";
import { Bend } from "../../src/engine/solvers/xpbd/bend";
import { DistanceConstraints } from "../../src/engine/solvers/xpbd/distanceConstraints";
import { Tethers } from "../../src/engine/solvers/xpbd/tethers";
import { disc, grid, irregular, lying } from "./meshes";
import { clearMarks } from "./stickWeights";
import { makeCloth, pinParticles, runSteps } from "./support";
import { seededRandom } from "../random";

/** Everything that a cloth derives from its rest shape, pins and settings; of constraints that are off, nothing. */
function derived({ state, constraints, settings }: Body): Record<string, ArrayLike<number>> {
    const numbers: Record<string, ArrayLike<number>> = { inverseMasses: state.inverseMasses };
    for (const constraint of constraints) {
        if (constraint instanceof DistanceConstraints && settings.fabric[constraint.stiffness] !== 0)
            numbers[constraint.name] = clearMarks(constraint);
        if (constraint instanceof Bend && settings.fabric.bendStiffness !== 0) {
            const records = constraint.levels.flatMap(({ kinds }) => kinds.map((kind) => kind.records));
            Object.assign(numbers, Object.fromEntries(records.map((each, i) => [`bend ${i}`, each])), { bends: [records.length] });
        }
        if (constraint instanceof Tethers && settings.fabric.stretchStiffness !== 0 && settings.tetherSlack < Infinity) {
            const { particles, anchors, maxLengths, elastic } = constraint;
            Object.assign(numbers, { count: [constraint.count], particles, anchors, maxLengths, springs: elastic?.records ?? [] });
        }
    }
    return numbers;
}

/** Names of the arrays that differ. */
function differences(a: Body, b: Body): string[] {
    const [one, other] = [derived(a), derived(b)];
    return Object.keys(other).filter(
        (name) =>
            one[name].length !== other[name].length ||
            Array.prototype.some.call(one[name], (value, i) => !Object.is(value, other[name][i])),
    );
}

describe("changes while it runs", () => {
    test("lead to the same tethers, rest lengths and weights as building it anew", () => {
        for (let seed = 1; seed <= 25; seed++) {
            const random = seededRandom(seed);
            const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)];
            const sheet = pick([
                () => grid(9, 7, lying(2)),
                () => disc(12, 5, lying(1)),
                () => irregular(8, 8, lying(1), random),
            ])();
            const particleCount = sheet.positions.length / 3;
            const anyParticles = (): number[] =>
                Array.from({ length: 1 + Math.floor(random() * 4) }, () => Math.floor(random() * particleCount));
            const cloth = makeCloth(sheet, { tetherSlack: 0 });
            const pins: PinSet[] = [];
            const changes = [
                () => pins.push(pinParticles(cloth, anyParticles())),
                () => pins.push(pinParticles(cloth, anyParticles())),
                () => pins.length > 0 && cloth.removePins(pins.splice(Math.floor(random() * pins.length), 1)[0]),
                () => (cloth.settings.fabric = { ...cloth.settings.fabric, stretchStiffness: pick([0, 50, 3000, Infinity]) }),
                () => (cloth.settings.fabric = { ...cloth.settings.fabric, shearStiffness: pick([0, 100, Infinity]) }),
                () => (cloth.settings.fabric = { ...cloth.settings.fabric, bendStiffness: pick([0, 1e-4]), damping: random() }),
                () => (cloth.settings.fabric = { ...cloth.settings.fabric, arealDensity: pick([0.1, 0.2, 1]) }),
                () => (cloth.settings.tetherSlack = pick([0, 0.1, Infinity])),
                () => (cloth.settings.substepCount = pick([1, 3, 4])),
            ];
            for (let change = 0; change < 12; change++) {
                for (let k = Math.floor(random() * 3); k >= 0; k--) pick(changes)();
                cloth.invalidate();
                runSteps(cloth, 1);
                const pinned = pins.flatMap(({ particles }) => [...particles]);
                const fresh = makeCloth(sheet, { ...cloth.settings, gravity: [0, 0, 0], pinned });
                expect([seed, change, ...differences(cloth, fresh)]).toEqual([seed, change]);
                fresh.release();
            }
            cloth.release();
        }
    });

    test("a change of damping, thickness or friction alone derives nothing anew", () => {
        const cloth = makeCloth(grid(6, 6, lying(1)), { tetherSlack: 0, pinned: [0, 6] });
        const filled = Object.values(derived(cloth)).filter(({ length }) => length > 0);
        const marks = filled.map((numbers) => {
            (numbers as number[])[numbers.length - 1] = 7;
            return numbers;
        });
        cloth.settings.fabric = { ...cloth.settings.fabric, damping: 3, thickness: 0.05, friction: 0.9 };
        cloth.invalidate();
        cloth.prepare();
        marks.forEach((numbers) => expect(numbers[numbers.length - 1]).toBe(7));
    });
});
