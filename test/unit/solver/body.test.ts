import { describe, expect, test } from "@jest/globals";
import { particleAt, DistanceRecord } from "../../../src/kernels/layout";
import { createCloth } from "../../../src/engine/index";
import type { UnilateralLimits } from "../../../src/engine/solvers/xpbd/unilateralLimits";
import { DistanceConstraints } from "../../../src/engine/solvers/xpbd/distanceConstraints";
import { Tethers } from "../../../src/engine/solvers/xpbd/tethers";
import { sagAllowance } from "../../../src/engine/materials/fabric";
import { buildTopology } from "../../../src/engine/topology/topology";
import { grid, gridIndex, hanging, lying, topRow } from "../../physics/meshes";
import { addCollider, at, makeCloth, measure, pinParticles, pose, runSteps } from "../../physics/support";

/** A half-space whose surface is the plane y = 0, front up. */
const floor = pose([0, 0, 0], [1, 1, 1], -Math.PI / 2, "x");

describe("a cloth", () => {
    test.each([true, false])("what a ball presses on a floor stays above it, the floor being added first: %s", (floorFirst) => {
        const cloth = makeCloth(grid(10, 10, lying(1, 1, 0.02)), { fabric: { thickness: 0.01 } });
        const height = (step: number): number => 0.4 - step / 200;
        if (floorFirst) addCollider(cloth, "halfSpace", floor);
        const ball = addCollider(cloth, "sphere", pose([0, height(0), 0], [0.3, 0.3, 0.3]));
        if (!floorFirst) addCollider(cloth, "halfSpace", floor);
        runSteps(cloth, 30, (step) => {
            ball.setPose(pose([0, height(step + 1), 0], [0.3, 0.3, 0.3]));
            for (let i = 0; i < 121; i++) expect(at(cloth, i)[1]).toBeGreaterThan(0.0099);
        });
        // Planes are sorted to the end as a step begins, and so have the last word.
        expect(cloth.colliders.map(({ isOneSided }) => isOneSided)).toEqual([false, true]);
    });

    test("a removed collider is met no more, and is the caller's to release", () => {
        const cloth = makeCloth(grid(4, 4, lying(1, 1, 0.1)));
        const kept = addCollider(cloth, "halfSpace", pose([0, -5, 0], [1, 1, 1], -Math.PI / 2, "x"));
        const gone = addCollider(cloth, "halfSpace", floor);
        cloth.removeCollider(gone);
        cloth.removeCollider(gone);
        expect(cloth.colliders).toEqual([kept]);
        expect(gone.byteLength).toBeGreaterThan(0);
        runSteps(cloth, 30);
        expect(at(cloth, 12)[1]).toBeLessThan(-0.5);
        gone.release();
    });

    test.each([
        ["free", []],
        ["half of it pinned, within the impulse's reach too", Array.from({ length: 45 }, (_, i) => i)],
    ])("an impulse is the momentum that the free particles gain: %s", (_, pinned) => {
        const cloth = makeCloth(grid(8, 9, lying(1, 1)), { gravity: [0, 0, 0], pinned });
        cloth.applyImpulse(0, 0, 0, 0.1, 0.3, -0.2, 0.6);
        const { momentum } = measure(cloth);
        [0.1, 0.3, -0.2].forEach((j, c) => expect(momentum[c]).toBeCloseTo(j, 5));
        const before = cloth.kineticEnergy;
        cloth.applyImpulse(9, 0, 0, 0.1, 0.3, -0.2, 0.6);
        expect(cloth.kineticEnergy).toBe(before);
    });

    test.each([
        [1, 0, 0],
        [0, -2, 0],
        [0, 0, 3],
        [0.5, 1, -2],
    ])("kinetic energy of what flies at %d %d %d m/s", (...velocity) => {
        const cloth = makeCloth(grid(4, 3, lying(2, 1)), { gravity: [0, 0, 0] });
        const { mass } = measure(cloth);
        const [x, y, z] = velocity.map((v) => v * mass);
        cloth.applyImpulse(0, 0, 0, x, y, z, 1e6);
        const expected = 0.5 * mass * velocity.reduce((sum, v) => sum + v * v, 0);
        expect(cloth.kineticEnergy / expected).toBeCloseTo(1, 4);
        runSteps(cloth, 3);
        expect(cloth.kineticEnergy / expected).toBeCloseTo(1, 4);
    });

    test("before it is prepared nothing moves, and it has no energy", () => {
        const { kernels, settings } = makeCloth(grid(2, 2, lying()));
        const { positions, triangles } = grid(2, 2, lying());
        const body = createCloth(kernels, buildTopology(positions, triangles), positions, settings);
        expect(body.kineticEnergy).toBe(0);
    });

    test("the origin goes to the whole metre nearest to the first particle once that is far", () => {
        for (const place of [300.7, 300.2, -300.7]) {
            const cloth = makeCloth(grid(2, 2, (u, v) => [place + u, v - 2 * place, 0.5 * place + 0.4]));
            cloth.rebaseIfFar();
            const nearest = [place, -2 * place, 0.5 * place + 0.4].map(Math.round);
            expect([...cloth.origin]).toEqual(nearest);
            nearest.forEach((c, axis) =>
                expect(at(cloth, 0)[axis] + c).toBeCloseTo([place, -2 * place, 0.5 * place + 0.4][axis], 4),
            );
        }
    });

    test("a particle without mass stands still", () => {
        const { positions, triangles } = grid(2, 2, lying());
        const topology = buildTopology(positions, triangles);
        const cloth = makeCloth({ ...topology, areas: topology.areas.map((area, i) => (i === 4 ? 0 : area)) });
        const before = at(cloth, 4);
        runSteps(cloth, 10);
        expect(at(cloth, 4)).toEqual(before);
        expect(cloth.state.inverseMasses[4]).toBe(0);
        expect(cloth.state.inverseMasses[3]).toBeGreaterThan(0);
    });

    test("rest lengths stay, however often masses and weights are derived anew, and come back with the fabric", () => {
        const cloth = makeCloth(grid(12, 12, hanging()), { fabric: { stretchStiffness: 40 }, pinned: topRow(12, 12) });
        const lengths = (): number[] =>
            cloth.constraints.flatMap((constraint) =>
                constraint instanceof DistanceConstraints
                    ? Array.from({ length: constraint.constraintCount }, (_, s) => constraint.constraintAt(s).restLength)
                    : [],
            );
        const before = lengths();
        for (let i = 0; i < 5; i++) {
            cloth.invalidate();
            cloth.prepare();
        }
        expect(lengths()).toEqual(before);
        // A fabric that stretches leaves the long limits room for its weight; one that does not, none.
        const { fabric } = cloth.settings;
        const limitOf = (stretchStiffness: number): number => {
            cloth.settings.fabric = { ...fabric, stretchStiffness };
            cloth.invalidate();
            cloth.prepare();
            return (
                cloth.constraints.find((constraint) => constraint.name === "unilateralLimits") as UnilateralLimits
            ).constraintAt(0).restLength;
        };
        // The sheet's diagonal hangs at most on one place.
        const room = sagAllowance(fabric, 9.81, Math.SQRT2) / 40;
        const limit = limitOf(Infinity);
        expect(limitOf(40) / limit).toBeCloseTo(1 + room, 5);
        expect(limitOf(80) / limit).toBeCloseTo(1 + room / 2, 5);
        expect(limitOf(40) / limit).toBeCloseTo(1 + room, 5);
        // Where things weigh more, more.
        cloth.settings.gravity[1] = -29.43;
        expect(limitOf(40) / limit).toBeCloseTo(1 + 3 * room, 5);
        cloth.settings.gravity[1] = 0;
        limitOf(40);
        lengths().forEach((length, s) => expect(length).toBeCloseTo(before[s], 6));
    });

    test("a particle is tethered to the pin that is nearest to it, among however many pins", () => {
        const pinned = [0, 2, 4, 6, 8, 10, 12, 14].map((i) => gridIndex(14, i, i % 4));
        const cloth = makeCloth(grid(14, 3, lying(1.4, 0.3)), { tetherSlack: 0, pinned });
        const tethers = cloth.constraints.find((constraint) => constraint instanceof Tethers)!;
        const way = (p: number, q: number): number => Math.hypot(...at(cloth, p).map((x, c) => x - at(cloth, q)[c]));
        const nearest = new Float64Array(60).fill(Infinity);
        for (let t = 0; t < tethers.tetherCount; t++) {
            const p = tethers.particles[t];
            if (p < 60) nearest[p] = Math.min(nearest[p], way(p, tethers.anchors[t]));
        }
        for (let p = 0; p < 60; p++) {
            if (pinned.includes(p)) continue;
            expect(nearest[p]).toBeCloseTo(Math.min(...pinned.map((pin) => way(p, pin))), 5);
        }
    });

    test("tethers of a fabric that stretches are springs, as soft as sticks leave them", () => {
        const height = 0.6;
        const cloth = makeCloth(grid(4, 6, hanging(0.4, height)), { tetherSlack: 0.02, pinned: topRow(4, 6) });
        const tethers = cloth.constraints.find((constraint) => constraint instanceof Tethers)!;
        const { fabric } = cloth.settings;
        const makeOf = (stretchStiffness: number): void => {
            cloth.settings.fabric = { ...fabric, arealDensity: 0.5, stretchStiffness };
            cloth.invalidate();
            cloth.prepare();
        };
        makeOf(600);
        const { constraintCount, records, recordFloats } = tethers.elastic!;
        let count = 0;
        for (let s = 0; s < constraintCount; s++) {
            const [row, lane] = [DistanceRecord.count * (s >> 2) + 2 * (s & 3), DistanceRecord.count * (s >> 2) + (s & 3)];
            const p = particleAt(records[row + 1]);
            if (p >= cloth.state.particleCount) continue;
            count++;
            const distance = Math.hypot(...at(cloth, p).map((x, c) => x - at(cloth, particleAt(records[row]))[c]));
            expect(recordFloats[lane + DistanceRecord.restLengths]).toBeCloseTo(distance * 1.02, 5);
            // The pass over sticks carries m/dt²; two passes over tethers the rest.
            const left = 600 - 0.5 * 0.1 ** 2 * 240 ** 2;
            const give = (0.5 * 240 ** 2 * (height * distance - distance ** 2 / 2)) / left;
            expect(recordFloats[lane + DistanceRecord.weightsA]).toBe(0);
            expect((1 - recordFloats[lane + DistanceRecord.weightsB]) ** 2).toBeCloseTo(give / (1 + give), 4);
        }
        expect([count, tethers.count]).toEqual([30, 30]);
        makeOf(200);
        expect([tethers.elastic, tethers.count]).toEqual([null, 0]);
        makeOf(Infinity);
        expect([tethers.elastic, tethers.count]).toEqual([null, 30]);
    });

    test.each([
        ["sphere", -0.5],
        ["plane", 0],
        ["halfSpace", 0],
    ] as const)("lies on a %s at rest still when the origin moves", (shape, y) => {
        const cloth = makeCloth(grid(6, 6, lying(0.3, 0.3, 0.01)), {
            fabric: { thickness: 0.01, damping: 2, friction: 1 },
        });
        addCollider(
            cloth,
            shape,
            shape === "sphere" ? pose([0, y, 0], [0.5, 0.5, 0.5]) : pose([0, y, 0], [1, 1, 1], -Math.PI / 2, "x"),
        );
        runSteps(cloth, 30);
        const before = Array.from({ length: 49 }, (_, i) => at(cloth, i)[1]);
        cloth.rebase(8, -512, 16);
        runSteps(cloth, 30);
        before.forEach((height, i) => expect(Math.abs(at(cloth, i)[1] - 512 - height)).toBeLessThan(0.03));
        expect(at(cloth, 24)[0]).toBeCloseTo(-8, 2);
    });

    test("a pin that two hold is held until both let go", () => {
        const cloth = makeCloth(grid(4, 4, hanging()));
        const [first, second] = [pinParticles(cloth, [20, 24]), pinParticles(cloth, [24])];
        const before = at(cloth, 24);
        cloth.removePins(first);
        runSteps(cloth, 20);
        expect(at(cloth, 24)).toEqual(before);
        cloth.removePins(second);
        runSteps(cloth, 20);
        expect(at(cloth, 24)[1]).toBeLessThan(before[1] - 0.1);
    });
});
