import { describe, expect, test } from "@jest/globals";
import { ROW, rowOf } from "../../src/kernels/layout";
import type { Body, World } from "../../src/engine/index";
import { advance, Heap } from "./layers";
import { grid } from "./meshes";
import { addCollider, makeCloth, pose } from "./support";

const FABRIC = { thickness: 0.01, friction: 0.4, shearStiffness: 200, bendStiffness: 5e-5, arealDensity: 0.2 };

/** A sheet that lies turned at a height. */
function turned(height: number, turn: number): Body {
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    const sheet = grid(7, 7, (u, v) => [(u - 0.5) * c - (v - 0.5) * s, height, (u - 0.5) * s + (v - 0.5) * c]);
    const cloth = makeCloth(sheet, { fabric: FABRIC, sleepSpeed: 2e-3 });
    addCollider(cloth, "halfSpace", pose([0, 0, 0], [1, 1, 1], -Math.PI / 2, "x"));
    return cloth;
}

function meanHeight({ state: { positions, particleCount } }: Body): number {
    let sum = 0;
    for (let row = 0; row < rowOf(particleCount); row += ROW) sum += positions[row + 1];
    return sum / particleCount;
}

describe("cloths that lie on each other", () => {
    // Those above lie on what lies on the ground: without that, they creep and shake for ever.
    test.each(["triangles", "robust"] as const)("by %s, sheets of a turned pile fall asleep together", (tier) => {
        const cloths = [0, 0.7, 2.8].map((turn, k) => turned(0.05 + 0.06 * k, turn));
        const heap = new Heap(cloths, null, [], tier).run(180);
        expect(heap.crossings).toBe(0);
        for (const { isAsleep } of cloths) expect(isAsleep).toBe(true);
    });

    test("what falls on a heap asleep wakes all of it", () => {
        const cloths = [turned(0.02, 0), turned(0.04, 0.7), turned(8, 0.2)];
        const heap = new Heap(cloths, null, [], "triangles");
        const asleep = (): boolean[] => cloths.map(({ isAsleep }) => isAsleep);
        heap.run(75);
        expect(asleep()).toEqual([true, true, false]);
        heap.run(15);
        expect(asleep()).toEqual([false, false, false]);
    });

    /** A turned heap that has fallen asleep, and what it is with the lowest sheet, and the others. */
    const sleepingHeap = (): { world: World; lowest: Body; others: Body[] } => {
        const [lowest, ...others] = [0, 0.7, 2.8].map((turn, k) => turned(0.05 + 0.06 * k, turn));
        const { world } = new Heap([lowest, ...others], null, [], "triangles").run(180);
        for (const { isAsleep } of others) expect(isAsleep).toBe(true);
        return { world, lowest, others };
    };

    test("what lies on a sheet that is taken away wakes, and comes down", () => {
        const { world, lowest, others } = sleepingHeap();
        const before = others.map(meanHeight);
        world.disableSelfCollision(lowest);
        advance(world, others, 60);
        others.forEach((cloth, i) => expect(meanHeight(cloth)).toBeLessThan(before[i] - 0.005));
    });

    test("what lies on a sheet that meets it no more wakes, and comes down", () => {
        const { world, lowest, others } = sleepingHeap();
        const before = others.map(meanHeight);
        lowest.collisionProxy!.options.groups.mask = 0;
        advance(world, [lowest, ...others], 60);
        others.forEach((cloth, i) => expect(meanHeight(cloth)).toBeLessThan(before[i] - 0.005));
    });
});
