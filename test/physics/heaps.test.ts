import { describe, expect, test } from "@jest/globals";
import { backendNames } from "../../src/kernels/backend";
import type { BackendName } from "../../src/kernels/kernels";
import type { Body } from "../../src/solver/body";
import { Heap } from "./layers";
import { grid } from "./meshes";
import { addCollider, makeCloth, pose } from "./support";

const FABRIC = { thickness: 0.01, friction: 0.4, shearStiffness: 200, bendStiffness: 5e-5, arealDensity: 0.2 };

/** A sheet that lies turned at a height. */
function turned(backend: BackendName, height: number, turn: number): Body {
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    const sheet = grid(7, 7, (u, v) => [(u - 0.5) * c - (v - 0.5) * s, height, (u - 0.5) * s + (v - 0.5) * c]);
    const cloth = makeCloth(backend, sheet, { fabric: FABRIC, sleepSpeed: 2e-3 });
    addCollider(cloth, "halfSpace", pose([0, 0, 0], [1, 1, 1], -Math.PI / 2, "x"));
    return cloth;
}

describe.each(backendNames)("cloths that lie on each other, %s", (backend) => {
    // Those above lie on what lies on the ground: without that, they creep and shake for ever.
    test.each(["triangles", "robust"] as const)("by %s, sheets of a turned pile fall asleep together", (tier) => {
        const cloths = [0, 0.7, 2.8].map((turn, k) => turned(backend, 0.05 + 0.06 * k, turn));
        const heap = new Heap(cloths, null, [], tier).run(180);
        expect(heap.crossings).toBe(0);
        for (const { isAsleep } of cloths) expect(isAsleep).toBe(true);
    });

    test("what falls on a heap asleep wakes all of it", () => {
        const cloths = [turned(backend, 0.02, 0), turned(backend, 0.04, 0.7), turned(backend, 8, 0.2)];
        const heap = new Heap(cloths, null, [], "triangles");
        const asleep = (): boolean[] => cloths.map(({ isAsleep }) => isAsleep);
        heap.run(75);
        expect(asleep()).toEqual([true, true, false]);
        heap.run(15);
        expect(asleep()).toEqual([false, false, false]);
    });
});
