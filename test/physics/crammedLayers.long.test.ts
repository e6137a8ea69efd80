import { expect, test } from "@jest/globals";
import { MAX_RELISTS } from "../../src/engine/tunables";
import type { SelfCollisionTier } from "../../src/engine/collision/self/collisionProxy";
import { validateState } from "../../src/engine/state/state";
import { costOf, OVERFLOW_WARNING } from "./layerCost";
import type { LayerCost } from "./layerCost";
import { Heap } from "./layers";
import { grid, lying } from "./meshes";
import { makeCloth } from "./support";

/** What each tier may cost at most, see {@link LayerCost}: lists of touches are made once a substep, or as the budget says. */
const MOST: Record<SelfCollisionTier, LayerCost> = {
    particles: { relists: 0, contacts: 0, pairs: 8, bytes: 1_500 },
    triangles: { relists: 4, contacts: 48, pairs: 0, bytes: 5_000 },
    robust: { relists: MAX_RELISTS, contacts: 192, pairs: 0, bytes: 16_000 },
};
const TIERS = Object.keys(MOST) as SelfCollisionTier[];

/** Runs frames of what is too much, and sees that it costs no more than its tier may. */
function expectBounded(heap: Heap, tier: SelfCollisionTier, frames: number): void {
    const { relists, contacts, pairs, bytes } = costOf(heap, frames);
    const most = MOST[tier];
    expect(relists).toBeLessThanOrEqual(most.relists);
    expect(contacts).toBeLessThanOrEqual(most.contacts);
    expect(pairs).toBeLessThanOrEqual(most.pairs);
    expect(bytes).toBeLessThanOrEqual(most.bytes);
    for (const { state } of heap.cloths) validateState(state);
}

test.each(TIERS)("a thousand layers in one place, %s: finite, in bounded lists and memory, one warning", (tier) => {
    const cloths = Array.from({ length: 1000 }, () => makeCloth(grid(1, 1, lying(0.1, 0.1, 1)), {}));
    const heap = new Heap(cloths, null, [], tier).run(1);
    const { byteLength } = cloths[0].selfCollision!;
    expectBounded(heap, tier, 1);
    // Of no thickness and at rest: triangles list nothing.
    expect(heap.warnings).toEqual(tier === "triangles" ? [] : [OVERFLOW_WARNING]);
    expect(cloths[0].selfCollision!.byteLength).toBe(byteLength);
});

test.each(TIERS)("all of a cloth's particles in one point, %s: finite, in bounded lists and memory", (tier) => {
    const cloth = makeCloth(grid(15, 15, lying(1, 1, 1)), {});
    const heap = new Heap([cloth], null, [], tier);
    cloth.resetTo(new Float32Array(3 * cloth.state.particleCount).fill(0.5));
    expectBounded(heap, tier, 5);
    // Triangles look no farther than they keep apart; what has no distance has no side to keep.
    expect(heap.warnings).toEqual(tier === "triangles" ? [] : [OVERFLOW_WARNING]);
});

test.each(TIERS)("layers a kilometre thick, %s: finite, in bounded lists and memory, a warning each", (tier) => {
    const cloths = [1, 1.02].map((y) => makeCloth(grid(6, 6, lying(1, 1, y)), {}));
    const heap = new Heap(cloths, 1e3, [], tier);
    expectBounded(heap, tier, 10);
    const tooThick = "selfThickness 1000 is more than triangles of its mesh keep: it counts as 0.38 m, about two of its edges";
    // Particles keep apart what they are asked to, in as many pairs as there is room for.
    expect(heap.warnings).toEqual(tier === "particles" ? [OVERFLOW_WARNING] : [tooThick, tooThick]);
});
