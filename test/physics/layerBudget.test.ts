import { expect, jest, test } from "@jest/globals";
import { MAX_RELISTS } from "../../src/engine/tunables";
import { CcdRollback } from "../../src/engine/collision/self/ccdRollback";
import { SelfContacts } from "../../src/engine/collision/self/selfContacts";
import { Heap } from "./layers";
import { grid, lying } from "./meshes";
import { makeCloth } from "./support";

test("a robust crowd that nothing makes clean keeps to its budget of lists and stays where it is", () => {
    const cloths = [1, 1.004].map((y) => makeCloth(grid(3, 3, lying(0.1, 0.1, y)), { substepCount: 40 }));
    const heap = new Heap(cloths, 0.004, [], "robust").run(1);
    const lists = jest.spyOn(SelfContacts.prototype, "list");
    const end = jest.spyOn(CcdRollback.prototype, "resolve").mockReturnValue(false);
    try {
        for (let frame = 0; frame < 3; frame++) {
            lists.mockClear();
            heap.run(1);
            expect(lists.mock.calls.length).toBeGreaterThanOrEqual(MAX_RELISTS);
            // Two for each substep, and those of the last one.
            expect(lists.mock.calls.length).toBeLessThanOrEqual(2 * 40 + 4);
        }
    } finally {
        lists.mockRestore();
        end.mockRestore();
    }
    heap.run(10);
    expect(heap.crossings).toBe(0);
});
