import { jest } from "@jest/globals";
import { SelfCollisionCounter } from "../../src/kernels/selfCollisionLayout";
import type { SelfCollisionArrays } from "../../src/kernels/selfCollisionLayout";
import { SelfContactCounter } from "../../src/kernels/selfContactLayout";
import { SelfContacts } from "../../src/engine/collision/self/selfContacts";
import { SweptContacts } from "../../src/engine/collision/self/sweptContacts";
import type { Heap } from "./layers";

/** What is said where more lies in one place than a crowd has room for. */
export const OVERFLOW_WARNING = "more of it is in one place than self-collision looks at: some layers may pass through each other";

/** The most that a crowd has made and held in any of some frames: its cost without a clock. */
export interface LayerCost {
    /** Lists of touches made in a frame. */
    relists: number;
    /** Touches and guards, and pairs, that are listed to a particle. */
    contacts: number;
    pairs: number;
    /** Bytes in the arena to a particle. */
    bytes: number;
}

/** Runs frames of a heap, and says what they cost. */
export function costOf(heap: Heap, frames: number): LayerCost {
    const particles = heap.cloths.reduce((sum, { state }) => sum + state.particleCount, 0);
    const cost: LayerCost = { relists: 0, contacts: 0, pairs: 0, bytes: 0 };
    const { list } = SelfContacts.prototype;
    const swept = jest.spyOn(SweptContacts.prototype, "list");
    const lists = jest.spyOn(SelfContacts.prototype, "list").mockImplementation(function (this: SelfContacts, ...all) {
        list.apply(this, all);
        const { progress } = this;
        const listed = progress[SelfContactCounter.contactCount] + progress[SelfContactCounter.ccdCount];
        cost.contacts = Math.max(cost.contacts, listed / particles);
    });
    try {
        for (let f = 0; f < frames; f++) {
            lists.mockClear();
            swept.mockClear();
            heap.run(1);
            const [{ selfCollision: crowd, collisionProxy: member }] = heap.cloths;
            const { progress } = member!.shared as SelfCollisionArrays;
            cost.relists = Math.max(cost.relists, lists.mock.calls.length + swept.mock.calls.length);
            cost.pairs = Math.max(cost.pairs, progress[SelfCollisionCounter.pairCount] / particles);
            cost.bytes = Math.max(cost.bytes, crowd!.byteLength / particles);
        }
    } finally {
        lists.mockRestore();
        swept.mockRestore();
    }
    return cost;
}
