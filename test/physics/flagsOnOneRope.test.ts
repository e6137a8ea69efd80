/** Flags side by side on one rope, that swing into each other. */
import { describe, expect, test } from "@jest/globals";
import { Heap } from "./layers";
import { grid, gridIndex } from "./meshes";
import { line, makeRope } from "./ropes";
import { lowest, makeCloth, setVelocity } from "./support";
import { couplingIslandOf, ParticleTie, TieEnd } from "../../src/engine/index";
import type { RopeSettings } from "../../src/engine/index";

const FABRIC = { thickness: 0.01, friction: 0.4, damping: 0.6, shearStiffness: 200, bendStiffness: 5e-5, arealDensity: 0.2 };
const QUADS = 4;
const SIZE = 0.4;
/** Links of the rope, of 5 cm, and those that the flags hang from by a corner, side by side across it. */
const LINKS = 20;
const KNOTS = [6, 10, 14];

describe("flags on one rope", () => {
    test.each(["triangles", "robust"] as const)("are thrown at each other, and hang from it apart: %s", (tier) => {
        const rope = makeRope(line([0, 0, 0], [0.05 * LINKS, 0, 0], LINKS + 1), { pinned: [0, LINKS], fabric: FABRIC });
        const flags = KNOTS.map((knot, k) =>
            makeCloth(
                grid(QUADS, QUADS - (k % 2), (u, v) => [0.05 * knot, SIZE * (v - 1), SIZE * u]),
                { fabric: FABRIC },
            ),
        );
        const heap = new Heap(flags, null, [], tier);
        flags.forEach((flag, k) => {
            const corner = gridIndex(QUADS, 0, QUADS - (k % 2));
            couplingIslandOf(heap.world).add(new ParticleTie(new TieEnd(flag, corner), new TieEnd(rope, KNOTS[k])));
            // The outer ones at the middle one.
            for (let i = 0; i < flag.state.particleCount; i++) if (i !== corner) setVelocity(flag, i, [2 * (1 - k), 0, 0]);
        });
        (rope.settings as RopeSettings).leader = flags[0].settings;
        rope.invalidate();
        const all = [rope, ...flags];
        for (let f = 0; f < 90; f++) {
            for (const body of all) {
                body.clock.frameSeconds = 1 / 60;
                body.beginFrame();
            }
            heap.world.advance(all);
            for (const body of all) body.endFrame();
            expect(heap.crossings).toBe(0);
        }
        for (const flag of flags) {
            expect(lowest(flag)).toBeLessThan(-0.3);
            expect(lowest(flag)).toBeGreaterThan(-0.8);
        }
    });
});
