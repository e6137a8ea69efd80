import { describe, expect, test } from "@jest/globals";
import { MinHeap } from "../../../src/kernels/scalar/minHeap";
import { seededRandom } from "../../random";

/** Items in the order of a heap: by key, of equal ones the lowest first. */
const sorted = (items: Iterable<number>, keys: Float32Array): number[] => [...items].sort((a, b) => keys[a] - keys[b] || a - b);

describe("a heap hands out items by key, of equal ones the lowest first", () => {
    test.each([1, 2, 3, 7, 40, 200])("%d of them, in any order, with many equal keys", (count) => {
        const random = seededRandom(count);
        for (let round = 0; round < 30; round++) {
            const keys = Float32Array.from({ length: count }, () => Math.floor(random() * (round % 5 === 0 ? 1 : 1 + count / 3)));
            const heap = new MinHeap(keys);
            const items = Array.from({ length: count }, (_, i) => i).sort(() => random() - 0.5);
            for (const item of items) heap.push(item);
            expect(heap.size).toBe(count);
            expect([...heap.places].every((place) => place > 0)).toBe(true);
            expect(Array.from({ length: count }, () => heap.pop())).toEqual(sorted(items, keys));
            expect(heap.size).toBe(0);
            expect([...heap.places].every((place) => place === 0)).toBe(true);
        }
    });

    test("also while keys fall and items come in between", () => {
        const random = seededRandom(9);
        const keys = Float32Array.from({ length: 60 }, () => 100 + Math.floor(random() * 20));
        const heap = new MinHeap(keys);
        const inside = new Set<number>();
        for (let i = 0; i < 2000; i++) {
            const item = Math.floor(random() * 60);
            if (random() < 0.35 && inside.size > 0) {
                const [first] = sorted(inside, keys);
                expect(heap.pop()).toBe(first);
                inside.delete(first);
            } else {
                keys[item] = inside.has(item) ? keys[item] - Math.floor(random() * 5) : 100 + Math.floor(random() * 20);
                heap.push(item);
                inside.add(item);
            }
            expect(heap.size).toBe(inside.size);
            expect(new Set([...heap.places.keys()].filter((p) => heap.places[p] > 0))).toEqual(inside);
        }
    });
});
