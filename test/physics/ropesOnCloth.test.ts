/** Ropes tied to particles of cloth, on either side of it. */
import { describe, expect, test } from "@jest/globals";
import { grid, gridIndex, hanging, lying } from "./meshes";
import { line, makeRope } from "./ropes";
import { at, distance, G, makeCloth, measure, setVelocity, stretchOf, velocityOf } from "./support";
import { TiedWorld } from "./tied";

const QUADS = 16;
const FABRIC = { arealDensity: 0.3, bendStiffness: 1e-5, shearStiffness: 10, damping: 1 };

const STIFFNESS = 200;

describe("ropes tied to cloth", () => {
    /** A curtain of 1 m² that hangs by its upper corners on two ropes of a metre. */
    function hangCurtain(areRopesFirst: boolean, stretchStiffness = Infinity) {
        const cloth = makeCloth(grid(QUADS, QUADS, hanging()), { fabric: FABRIC, tetherSlack: 0 });
        const ropes = [0, 1].map((x) =>
            makeRope(line([x, 1, 0], [x, 0, 0], 33), { rope: { stretchStiffness }, pinned: [0], fabric: { damping: 1 } }),
        );
        const world = new TiedWorld(areRopesFirst ? [...ropes, cloth] : [cloth, ...ropes]);
        const corners = [0, QUADS].map((i) => gridIndex(QUADS, i, QUADS));
        const knots = ropes.map((rope, k) => world.tie(rope, 32, cloth, corners[k]));
        return { cloth, ropes, world, knots, corners };
    }

    test.each([true, false])("a curtain hangs on two, which share its weight; ropes first: %s", (areRopesFirst) => {
        const { cloth, ropes, world, corners } = hangCurtain(areRopesFirst, STIFFNESS);
        world.run(500);
        const gives = ropes.map((rope) => {
            let length = 0;
            for (let i = 0; i < 32; i++) length += distance(rope, i, i + 1);
            return ((length - 1) * STIFFNESS) / G;
        });
        ropes.forEach((rope, k) => expect(at(rope, 32)).toEqual(at(cloth, corners[k])));
        // Each bears half of the curtain's 0.3 kg, and of its own 0.1 kg by a half in the mean.
        for (const give of gives) expect(Math.abs(give / 0.2 - 1)).toBeLessThan(0.01);
    });

    test("what does not stretch does so no more with a curtain on it", () => {
        const { cloth, ropes, world } = hangCurtain(true);
        world.run(400);
        for (const rope of ropes) expect(stretchOf(rope).max).toBeLessThan(1e-3);
        // The quads at the corners bear it all.
        expect(stretchOf(cloth).mean).toBeLessThan(2e-3);
        expect(stretchOf(cloth).max).toBeLessThan(0.05);
    });

    test("what is untied goes on alone", () => {
        const { cloth, ropes, world, knots } = hangCurtain(true);
        world.run(60);
        world.untie(knots[0]);
        world.run(120);
        // The end is free, the curtain hangs on the other.
        expect(at(ropes[0], 32)[1]).toBeCloseTo(0, 2);
        expect(measure(cloth).centre[1]).toBeLessThan(-0.6);
        world.untie(knots[1]);
        world.run(60);
        expect(measure(cloth).centre[1]).toBeLessThan(-3);
        expect(cloth.couplingIsland).toBeNull();
    });

    test.each([0.5, 5, 50])("a sheet held by its corners bears a lamp of %s kg on a rope in its middle", (endMass) => {
        const corners = [0, QUADS].flatMap((i) => [gridIndex(QUADS, i, 0), gridIndex(QUADS, i, QUADS)]);
        const middle = gridIndex(QUADS, QUADS / 2, QUADS / 2);
        const cloth = makeCloth(grid(QUADS, QUADS, lying()), { fabric: FABRIC, tetherSlack: 0, pinned: corners });
        const rope = makeRope(line([0, 0, 0], [0, -1, 0], 33), { rope: { endMass }, fabric: { damping: 1 } });
        const world = new TiedWorld([cloth, rope]);
        world.tie(rope, 0, cloth, middle);
        world.run(300);
        expect(at(rope, 0)).toEqual(at(cloth, middle));
        expect(Math.hypot(...velocityOf(rope, 32))).toBeLessThan(0.02);
        expect(at(rope, 32)[1]).toBeGreaterThan(-1.1);
        expect(stretchOf(rope).max).toBeLessThan(0.01);
    });

    test.each([0, 1])("a rope that flies takes a sheet along: momentum is kept, %s kg at its end", (endMass) => {
        const gravity = [0, 0, 0] as const;
        const corner = gridIndex(QUADS, 0, QUADS);
        const cloth = makeCloth(grid(QUADS, QUADS, hanging()), {
            fabric: { ...FABRIC, damping: 0 },
            gravity: [...gravity],
        });
        const rope = makeRope(line([0, 0, 0], [0, 1, 0], 33), { rope: { endMass }, gravity: [...gravity] });
        const world = new TiedWorld([rope, cloth]);
        const knot = world.tie(rope, 0, cloth, corner);
        for (let i = 1; i <= 32; i++) setVelocity(rope, i, [0, 1, i / 16]);
        const lump = knot.a.tieMass - cloth.masses.massOf(corner) - rope.masses.massOf(0);
        const total = (): number[] => {
            const v = velocityOf(cloth, corner);
            const [a, b] = [measure(cloth).momentum, measure(rope).momentum];
            return v.map((speed, c) => a[c] + b[c] + lump * speed);
        };
        const before = total();
        world.run(180);
        const after = total();
        const error = Math.hypot(...after.map((value, c) => value - before[c]));
        expect(error / Math.hypot(...before)).toBeLessThan(2e-3);
        // And the sheet has got its part of it.
        expect(measure(cloth).momentum[1]).toBeGreaterThan(0.01);
    });
});
