/** Cloth between two solids: each pushed it into the other, and what stood last had the last word; it stretched to four times its length. */
import { describe, expect, test } from "@jest/globals";
import type { Affine, Body } from "../../src/engine/index";
import { grid, hanging, lying, topRow } from "../physics/meshes";
import { addCollider, at, makeCloth, measure, pose, runSeconds, stretchOf } from "../physics/support";

const COTTON = { arealDensity: 0.2, shearStiffness: 200, bendStiffness: 5e-5, damping: 0.6, thickness: 0.01, friction: 0.4 };

/** Doors, and how far before them the curtain hangs [m]. */
const MIDWAY = [
    ["halfSpace", 0.06],
    ["box", 0.06],
] as const;

/** Finer curtains. */
const FINER = [
    ["halfSpace", 1.5, 0.12, 40],
    ["box", 8, 0.1, 40],
    ["box", 8, 0.12, 64],
] as const;

describe("cloth between solids", () => {
    test.each([
        ["sphere", 0.025, "first"],
        ["sphere", 0.025, "last"],
        ["capsule", 0.2, "first"],
    ] as const)("a %s pressed 5 cm into cloth on a table of half %f m that came %s", (shape, half, order) => {
        const cloth = makeCloth(grid(24, 24, lying(0.9, 0.9, 0.011)), { fabric: COTTON });
        const addTable = () => addCollider(cloth, "box", pose([0, -half, 0], [0.5, half, 0.5]));
        const heightAt = (time: number): number => Math.max(0.15, 0.5 - time / 2, time - 1.3);
        // The capsule lies.
        const place = (step: number) => pose([0.013, heightAt(step / 60), 0.007], [0.2, 0.2, 0.2], Math.PI / 2);
        if (order === "first") addTable();
        const ball = addCollider(cloth, shape, place(0));
        if (order === "last") addTable();
        let most = 0;
        let lowest = Infinity;
        runSeconds(cloth, 2, (step) => {
            most = Math.max(most, stretchOf(cloth).max);
            for (let i = 0; i < cloth.state.particleCount; i++) lowest = Math.min(lowest, at(cloth, i)[1]);
            if (step === 84) expect(measure(cloth).kinetic).toBeLessThan(1e-4);
            ball.setPose(place(step + 1));
        });
        expect(most).toBeLessThan(0.3);
        expect(lowest).toBeGreaterThan(0.0099);
        expect(stretchOf(cloth).max).toBeLessThan(0.01);
    });

    test("two boxes pressed 2 cm into each other about a hanging sheet", () => {
        const cloth = makeCloth(grid(24, 24, hanging(1.2, 1.2)), {
            fabric: COTTON,
            pinned: topRow(24, 24),
            tetherSlack: 0.02,
        });
        const half = [0.3, 0.3, 0.1] as const;
        const place = (side: number, step: number) => pose([0.6, -0.6, side * Math.max(0.09, 0.5 - step / 120)], half);
        const boxes = [-1, 1].map((side) => ({ side, box: addCollider(cloth, "box", place(side, 0)) }));
        let most = 0;
        runSeconds(cloth, 2, (step) => {
            most = Math.max(most, stretchOf(cloth).max);
            for (const { side, box } of boxes) box.setPose(place(side, step + 1));
        });
        expect(most).toBeLessThan(0.35);
    });

    test("a fist of two spheres closes about a hanging sheet, 5 cm into each other, and opens", () => {
        const cloth = makeCloth(grid(24, 24, hanging(1.2, 1.2)), {
            fabric: COTTON,
            pinned: topRow(24, 24),
            tetherSlack: 0.02,
        });
        const stretchBefore = hangingStretch(cloth);
        const place = (side: number, time: number) =>
            pose([0.6, -0.6, side * (time < 2 ? Math.max(0.125, 0.4 - time) : Math.min(0.4, time - 1.875))], [0.15, 0.15, 0.15]);
        const spheres = [-1, 1].map((side) => ({ side, sphere: addCollider(cloth, "sphere", place(side, 0)) }));
        let most = 0;
        runSeconds(cloth, 4.3, (step) => {
            for (const { side, sphere } of spheres) sphere.setPose(place(side, step / 60));
            most = Math.max(most, stretchOf(cloth).max);
        });
        expect(most).toBeLessThan(0.15);
        expect(stretchOf(cloth).max).toBeLessThan(stretchBefore + 0.005);
    });

    test.each([
        ["halfSpace", 0.011],
        ...MIDWAY,
        // The door's rim cuts triangles between what it squeezes and what hangs before it: 45 % before those were pushed out.
        ["halfSpace", 0.08],
    ] as const)("a door presses a curtain against a wall (%s), %f m before it, half of its own thickness deep", (shape, before) => {
        const cloth = makeCurtain(24, before);
        const { most, farthest } = pressByDoor(cloth, shape, 1.5);
        expect(most).toBeLessThan(0.3);
        expect(farthest).toBeLessThan(0.012);
        expect(stretchOf(cloth).max).toBeLessThan(0.01);
    });

    // Sticks were as long as what the door had before it and behind it asked for: 0.88, 1.21, 1.79 and 6.7 times as long again; the last two as it opened.
    test.each([["box", 8, 0.12, 24], ...FINER] as const)(
        "the same by its rim (%s), at %d rad/s and from %f m before it, a curtain of %d²",
        (shape, rate, before, quads) => {
            const cloth = makeCurtain(quads, before);
            const hanging = makeCurtain(quads, before);
            const { most, farthest } = pressByDoor(cloth, shape, rate);
            expect(most).toBeLessThan(0.33);
            expect(farthest).toBeLessThan(0.012);
            expect(stretchOf(cloth).max).toBeLessThan(hangingStretch(hanging) + 0.005);
        },
    );

    test("put back, it knows nothing of what squeezed it", () => {
        const cloth = makeCurtain(24, 0.12);
        const { positions } = grid(24, 24, (u, v) => [1.2 * u, 1.2 * v - 1.2, 0.12]);
        addCollider(cloth, "box", WALL);
        const door = addCollider(cloth, "box", doorAt(0, 8));
        runSeconds(cloth, 0.3, (step) => door.setPose(doorAt(step / 60, 8)));
        const isSqueezed = (): boolean =>
            cloth.contacts!.hasOpposing[0] > 0 && cloth.contacts!.newOpposing.some((name) => name > 0);
        expect(isSqueezed()).toBe(true);
        cloth.resetTo(positions);
        expect(isSqueezed()).toBe(false);
    });
});

function makeCurtain(quads: number, before: number): Body {
    return makeCloth(
        grid(quads, quads, (u, v) => [1.2 * u, 1.2 * v - 1.2, before]),
        { fabric: COTTON, pinned: topRow(quads, quads), tetherSlack: 0.02 },
    );
}

const WALL = pose([0.6, -0.6, -0.2], [1.5, 1.5, 0.2]);

/** Hinged at its left, 2 cm within the wall when it is shut, and opening again after two seconds. */
function doorAt(time: number, rate: number): Affine {
    const angle = Math.min(1.4, Math.max(0, time < 2 ? 1.4 - rate * time : rate * (time - 2)));
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    return pose([-0.1 + cos * 0.5 - sin * 0.02, -0.65, -0.02 + sin * 0.5 + cos * 0.02], [0.5, 0.5, 0.02], -angle, "y");
}

/** Shuts a door into a wall behind a curtain, and opens it again; the largest stretch, and how far before the wall the farthest of what it presses is [m]. */
function pressByDoor(cloth: Body, wall: "halfSpace" | "box", rate: number): { most: number; farthest: number } {
    addCollider(cloth, wall, wall === "box" ? WALL : pose([0, 0, 0]));
    const door = addCollider(cloth, "box", doorAt(0, rate));
    let most = 0;
    let farthest = 0;
    runSeconds(cloth, 5, (step) => {
        door.setPose(doorAt(step / 60, rate));
        most = Math.max(most, stretchOf(cloth).max);
        for (let i = 0; i < cloth.state.particleCount; i++) {
            const [x, y, z] = at(cloth, i);
            // While it is shut, nothing has come through it, to its front.
            if (step > 60 && step < 120 && x < 0.8 && y < -0.25 && y > -1.1) farthest = Math.max(farthest, z);
        }
    });
    return { most, farthest };
}

/** The largest stretch of a cloth that only hangs. */
function hangingStretch(cloth: Body): number {
    runSeconds(cloth, 2);
    return stretchOf(cloth).max;
}
