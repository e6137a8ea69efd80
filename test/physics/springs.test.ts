/** Springs between two particles, beside what XPBD projects. */
import { describe, expect, test } from "@jest/globals";
import { Body } from "../../src/engine/bodies/body";
import type { SpringEnd } from "../../src/engine/index";
import { grid, gridIndex, lying } from "./meshes";
import { line, makeRope } from "./ropes";
import { at, G, kernelsOf, makeCloth, measure, setVelocity, settingsOf, velocityOf } from "./support";
import type { ClothOptions } from "./support";
import { TiedWorld } from "./tied";

/** Free particles: masses [kg], places x y z [m]. */
function makePoints(masses: number[], places: number[], options: ClothOptions = {}): Body {
    const plan = {
        particleCount: masses.length,
        shares: Float32Array.from(masses),
        density: () => 1,
        triangles: new Uint32Array(0),
        constraints: {},
        passes: [],
        passesAfterContact: [],
        lengthConstraints: [],
    };
    const settings = settingsOf({ gravity: [0, 0, 0], ...options });
    return new Body(kernelsOf(), plan, Float32Array.from(places), settings, new Float64Array(3));
}

const LAW = { stiffness: 100, damping: 0, length: 1, breakForce: Infinity };
/** Of the pair [kg], and what swings as one would. */
const [M1, M2] = [0.5, 1.5];
const REDUCED = (M1 * M2) / (M1 + M2);

describe("springs", () => {
    /** Two masses in one body or two, a tenth of a metre farther apart than the spring is long. */
    function pair(law: Partial<typeof LAW>, substepCount: number, isOne = true, places = [0, 0, 0, 1.1, 0, 0]) {
        const options = { substepCount };
        const bodies = isOne
            ? [makePoints([M1, M2], places, options)]
            : [M1, M2].map((mass, k) => makePoints([mass], places.slice(3 * k, 3 * k + 3), options));
        const world = new TiedWorld(bodies);
        const spring = world.spring(bodies[0], 0, bodies[isOne ? 0 : 1], isOne ? 1 : 0, { ...LAW, ...law });
        const total = (of: "momentum" | "spin"): number[] =>
            [0, 1, 2].map((c) => bodies.reduce((sum, body) => sum + measure(body)[of][c], 0));
        return { bodies, world, spring, total };
    }

    /** Runs a pair for a time [s]: its period, its largest way within the last second, and the largest ever [m]. */
    function swing({ world, spring }: ReturnType<typeof pair>, seconds: number) {
        const crossings: number[] = [];
        let before = spring.measure() - 1;
        let [late, most] = [0, 0];
        world.run(60 * seconds, (step) => {
            const way = spring.measure() - 1;
            if (before > 0 && way <= 0) crossings.push((step + before / (before - way)) / 60);
            before = way;
            most = Math.max(most, Math.abs(way));
            if (step >= 60 * (seconds - 1)) late = Math.max(late, Math.abs(way));
        });
        return { period: (crossings[crossings.length - 1] - crossings[0]) / (crossings.length - 1), late, most };
    }

    test.each([
        // Stiffness [N/m] and substeps: the period lasts 23, 92, 14 and 15 of them.
        [100, 1, true],
        [100, 4, false],
        [4000, 4, true],
        [1000, 2, false],
    ])("two masses swing by their period within 1 %%: %s N/m, %s substeps; of one body: %s", (stiffness, substepCount, isOne) => {
        const { period, late } = swing(pair({ stiffness }, substepCount, isOne), 10);
        const theory = 2 * Math.PI * Math.sqrt(REDUCED / stiffness);
        expect(Math.abs(period / theory - 1)).toBeLessThan(0.01);
        // Nothing is lost, and nothing gained.
        expect(Math.abs(late / 0.1 - 1)).toBeLessThan(0.05);
    });

    test.each([0.2, 1, 4])("a damper takes what theory says: %s N s/m", (damping) => {
        const seconds = 2;
        const own = pair({ damping }, 8);
        const envelopes: number[] = [];
        own.world.run(60 * seconds, () => {
            // What it holds, and what of it moves.
            const v = velocityOf(own.bodies[0], 1)[0] - velocityOf(own.bodies[0], 0)[0];
            envelopes.push(Math.hypot(own.spring.measure() - 1, v * Math.sqrt(REDUCED / LAW.stiffness)));
        });
        const rate = Math.log(envelopes[9] / envelopes[99]) / (90 / 60);
        expect(Math.abs(rate / (damping / (2 * REDUCED)) - 1)).toBeLessThan(0.05);
    });

    test.each([true, false])("momentum and spin are kept to rounding; of one body: %s", (isOne) => {
        const own = pair({ stiffness: 1000, damping: 0.5 }, 4, isOne, [0, 0, 0, 1, 0.3, -0.2]);
        const { bodies, world, total } = own;
        for (const body of bodies) body.prepare();
        setVelocity(bodies[0], 0, [1, 2, 3]);
        setVelocity(bodies[isOne ? 0 : 1], isOne ? 1 : 0, [-1, 1, 0.5]);
        const [momentum, spin] = [total("momentum"), total("spin")];
        world.run(300);
        total("momentum").forEach((value, c) => expect(Math.abs(value - momentum[c])).toBeLessThan(2e-5));
        total("spin").forEach((value, c) => expect(Math.abs(value - spin[c])).toBeLessThan(0.01 * Math.hypot(...spin)));
    });

    test("the stiffest and the most damped are stable, and rest", () => {
        for (const [stiffness, damping] of [
            [1e6, 0],
            [1e6, 1e6],
            [1e6, 10],
            [0, 1e6],
            [100, 1e6],
        ]) {
            for (const substepCount of [1, 4]) {
                const { late, most } = swing(pair({ stiffness, damping }, substepCount), 3);
                expect(most).toBeLessThan(0.1001);
                if (stiffness === 1e6) expect(late).toBeLessThan(1e-4);
            }
        }
    });

    test("dozens in one place gain nothing", () => {
        const places = Array.from({ length: 20 }, (_, i) => [Math.cos(i), Math.sin(i), Math.cos(3 * i)]).flat();
        const body = makePoints(Array(20).fill(0.01), places);
        const world = new TiedWorld([body]);
        for (let i = 0; i < 20; i++)
            for (let k = 0; k < i; k++) {
                const [a, b] = [at(body, i), at(body, k)];
                world.spring(body, i, body, k, { ...LAW, stiffness: 1e5, length: Math.hypot(...a.map((x, c) => x - b[c])) });
            }
        body.prepare();
        for (let i = 0; i < 20; i++) setVelocity(body, i, [Math.sin(5 * i), Math.sin(7 * i), Math.sin(11 * i)]);
        const before = body.kineticEnergy;
        let most = 0;
        world.run(60, () => (most = Math.max(most, body.kineticEnergy)));
        expect(most).toBeLessThan(before);
    });

    test.each([
        [100, 0.5, 4],
        [1000, 5, 2],
        [1e4, 5, 4],
    ])(
        "%s N/m bear a rope with %s kg below a sheet by their number, whatever the vertex weighs; substeps: %s",
        (stiffness, endMass, substepCount) => {
            const corners = [0, 8].flatMap((i) => [gridIndex(8, i, 0), gridIndex(8, i, 8)]);
            const fabric = { arealDensity: 0.2, damping: 2 };
            const cloth = makeCloth(grid(8, 8, lying()), { pinned: corners, tetherSlack: 0, fabric, substepCount });
            const rope = makeRope(line([0, -0.5, 0], [0, -1, 0], 9), {
                rope: { endMass, linearDensity: 0.1 },
                fabric: { damping: 2 },
                substepCount,
            });
            const world = new TiedWorld([cloth, rope]);
            const spring = world.spring(cloth, gridIndex(8, 4, 4), rope, 0, {
                stiffness,
                damping: 2,
                length: 0.4,
                breakForce: Infinity,
            });
            let [force, ways] = [0, 0];
            world.run(420, (step) => {
                if (step < 360) return;
                force += spring.force / 60;
                ways += (spring.measure() - 0.4) / 60;
            });
            const weight = (endMass + 0.05) * G;
            expect(Math.abs(force / weight - 1)).toBeLessThan(0.005);
            expect(Math.abs((ways * stiffness) / weight - 1)).toBeLessThan(0.01);
        },
    );

    test("it breaks by what is too much, and is heard of where nothing else moves", () => {
        const holds = pair({ breakForce: 10.1 }, 4);
        holds.world.run(60);
        expect(holds.spring.isBroken).toBe(false);
        const breaks = pair({ breakForce: 9.9 }, 4);
        breaks.world.run(60);
        expect([breaks.spring.isBroken, breaks.spring.measure()]).toEqual([true, expect.closeTo(1.1, 5)]);
    });

    test("inertia that comes with it brings no speed, and goes with it", () => {
        const cloth = makeCloth(grid(4, 4, lying()), { gravity: [0, 0, 0] });
        const world = new TiedWorld([cloth]);
        for (let i = 0; i < 25; i++) setVelocity(cloth, i, [1, 0, 0]);
        const before = cloth.kineticEnergy;
        const spring = world.spring(cloth, 0, cloth, 24, { ...LAW, stiffness: 1e5, length: Math.SQRT2 });
        const end = spring.a as SpringEnd;
        world.run(1);
        expect(end.addedMass).toBeCloseTo(0.1 - 0.5 / 16 / 2, 1);
        expect(cloth.kineticEnergy).toBeLessThan(before);
        world.unspring(spring);
        world.run(1);
        expect(end.addedMass).toBe(0);
        expect(cloth.couplingIsland).toBeNull();
    });
});
