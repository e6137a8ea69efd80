import { describe, expect, test } from "@jest/globals";
import { identity, multiply, PinSet, transformPoint } from "../../../src/engine/index";
import type { Affine } from "../../../src/engine/index";
import { CarrierMotion } from "../../../src/engine/attachments/carrierMotion";
import { BodyState } from "../../../src/engine/state/state";
import { pose } from "../../physics/support";
import { seededRandom } from "../../random";
import { HeapArena } from "../../reference/heapArena";

/** Pins at places that a map moves since the last step. */
function pinsMoved(places: number[][], map: Affine): PinSet {
    const state = new BodyState(new HeapArena(), places.length);
    state.resetTo(Float32Array.from(places.flat()));
    const pins = new PinSet(Uint32Array.from(places.keys()));
    pins.attach(state, identity());
    pins.setTargets(map);
    return pins;
}

/** Farthest distance between two maps' images of a unit box. */
function distanceOf(a: Affine, b: Affine): number {
    let most = 0;
    for (let i = 0; i < 8; i++) {
        const corner = Float64Array.of(i & 1, (i >> 1) & 1, i >> 2);
        const images = [a, b].map((map) => {
            const image = new Float64Array(3);
            transformPoint(map, corner, 0, image, 0);
            return image;
        });
        most = Math.max(most, Math.hypot(...images[0].map((x, c) => x - images[1][c])));
    }
    return most;
}

describe("the motion of what carries pins", () => {
    test("rigid motions up to 0.3 rad come back", () => {
        const random = seededRandom(1);
        for (let life = 0; life < 200; life++) {
            const places = Array.from({ length: 3 + Math.floor(9 * random()) }, () => [random(), random(), random()]);
            const axes = ["x", "y", "z"] as const;
            const map = identity();
            const turned = pose([random() - 0.5, random() - 0.5, random() - 0.5], [1, 1, 1], 0.3 * random(), axes[life % 3]);
            multiply(turned, pose([0, 0, 0], [1, 1, 1], 0.1 * random(), axes[(life + 1) % 3]), map);
            const motion = Object.assign(new CarrierMotion(), { alpha: 1 });
            motion.measure([pinsMoved(places, map)]);
            expect(motion.isMoving).toBe(true);
            // What is left of flat clouds is damping.
            expect(motion.spread).toBeLessThan(2e-3);
            if (places.length > 6) expect(distanceOf(motion.map, map)).toBeLessThan(0.02);
        }
    });

    test("one place does not turn, nor does a line about itself", () => {
        const motion = Object.assign(new CarrierMotion(), { alpha: 1 });
        motion.measure([pinsMoved([[1, 2, 3]], pose([0, 0, 0], [1, 1, 1], 0.2, "y"))]);
        expect([0, 5, 10].map((i) => motion.map[i])).toEqual([1, 1, 1]);
        expect(motion.spread).toBeLessThan(1e-6);
        const line = [0, 0.1, 0.2, 0.3].map((x) => [x, 0, 0]);
        motion.measure([pinsMoved(line, pose([0, 0, 0], [1, 1, 1], 0.2, "x"))]);
        expect(motion.isMoving).toBe(false);
        motion.measure([pinsMoved(line, pose([0, 0, 0], [1, 1, 1], 0.2, "y"))]);
        expect(motion.spread).toBeLessThan(1e-5);
    });

    test("carriers that part are a spread, about their mean", () => {
        const motion = Object.assign(new CarrierMotion(), { alpha: 1 });
        const [a, b] = [pinsMoved([[0, 0, 0]], pose([-0.01, 0, 0])), pinsMoved([[1, 0, 0]], pose([0.03, 0, 0]))];
        motion.measure([a, b]);
        expect(motion.map[12]).toBeCloseTo(0.01, 9);
        expect(motion.spread).toBeCloseTo(0.02, 9);
    });

    test("where nothing moves, it moves nothing", () => {
        const motion = Object.assign(new CarrierMotion(), { alpha: 1 });
        motion.measure([pinsMoved([[0, 0, 0]], pose([0, 1, 0]))]);
        motion.measure([pinsMoved([[0, 0, 0]], identity())]);
        expect([motion.isMoving, motion.spread, [...motion.map]]).toEqual([false, 0, [...identity()]]);
        motion.measure([]);
        expect(motion.isMoving).toBe(false);
    });
});
