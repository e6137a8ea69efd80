import { describe, expect, test } from "@jest/globals";
import { SelfCollisionParameter, ProxyParameter } from "../../../src/kernels/selfCollisionLayout";
import { ROW } from "../../../src/kernels/layout";
import type { SelfCollision } from "../../../src/engine/collision/self/selfCollision";
import { areDisplacementsWithin } from "../../../src/engine/collision/self/displacementBounds";
import type { CollisionProxy } from "../../../src/engine/collision/self/collisionProxy";
import { seededRandom } from "../../random";
import { grid, lying } from "../../physics/meshes";
import { Heap } from "../../physics/layers";
import { makeCloth } from "../../physics/support";

describe("displacements of a crowd", () => {
    /** The crowd of a sheet, whose lists have been made. */
    function crowdOf(): { crowd: SelfCollision; member: CollisionProxy } {
        const heap = new Heap([makeCloth(grid(12, 12, lying(1, 1, 0)), { gravity: [0, 0, 0] })]).run(1);
        const crowd = heap.cloths[0].selfCollision!;
        return { crowd, member: crowd.proxies[0] };
    }

    test("what it says is near has come no farther against each other, and little else is said to be far", () => {
        const { member } = crowdOf();
        const { shared: arrays, body, numbers, first, particleCount } = member;
        const { positions: x } = body.state;
        const random = seededRandom(3);
        let near = 0;
        for (let run = 0; run < 200; run++) {
            const drift = [random() - 0.5, random() - 0.5, random() - 0.5];
            const size = 0.02 * random();
            const d: number[][] = [];
            for (let i = 0; i < particleCount; i++) {
                // Most of it goes along; some shakes in all directions.
                const shakes = random() < 0.1 ? size : 0.1 * size;
                d.push(drift.map((c) => c + shakes * (2 * random() - 1)));
                for (let c = 0; c < 3; c++)
                    x[i * ROW + c] = arrays.snapshot[(first + i) * ROW + c] - numbers[ProxyParameter.offset + c] + d[i][c];
            }
            let most = 0;
            for (const a of d) for (const b of d) most = Math.max(most, Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
            const isNear = (within: number): boolean => areDisplacementsWithin(body.kernels, [member], arrays, within);
            expect(isNear(0.999 * most - 1e-5)).toBe(false);
            expect(isNear(1.74 * most + 1e-5)).toBe(true);
            if (isNear(1.2 * most + 1e-5)) near++;
            expect(arrays.numbers[SelfCollisionParameter.maxSquaredDeviation]).toBeGreaterThanOrEqual(0);
        }
        // By their box alone hardly any would be.
        expect(near).toBeGreaterThan(150);
    });
});
