import { describe, expect, test } from "@jest/globals";
import { Islands } from "../../../src/engine/rigidbody/islands";

/** What islands hold: of each, its bodies and its contacts. */
function listed(islands: Islands): [number[], number[]][] {
    const contacts = new Int32Array(64);
    islands.build(contacts);
    const { bodies, bodyEnds, contactEnds: ends, count } = islands;
    const part = (of: Int32Array, to: Int32Array, i: number): number[] => Array.from(of.subarray(i > 0 ? to[i - 1] : 0, to[i]));
    return Array.from({ length: count }, (_, i) => [part(bodies, bodyEnds, i), part(contacts, ends, i)]);
}

describe("Islands", () => {
    test("hold what contacts join, in the order in which it came", () => {
        const islands = new Islands();
        islands.reset(7, 8);
        for (const [contact, a, b] of [[0, 5, 4], [1, 0, 2], [3, 4, 4], [4, 2, 6], [6, 1, 1]]) islands.addContact(contact, a, b); // prettier-ignore
        for (const body of [0, 1, 2, 4, 5, 6]) islands.include(body);
        expect(listed(islands)).toEqual([
            [
                [0, 2, 6],
                [1, 4],
            ],
            [[1], [6]],
            [
                [4, 5],
                [0, 3],
            ],
        ]);
    });

    test("those of tied bodies are one, the first, with contacts or without", () => {
        const islands = new Islands();
        islands.reset(6, 2);
        islands.couple(5, 4);
        islands.couple(2, 2);
        islands.addContact(0, 0, 1);
        islands.addContact(1, 3, 2);
        for (const body of [0, 1, 2, 3, 4, 5]) islands.include(body);
        expect(listed(islands)).toEqual([
            [[2, 3, 4, 5], [1]],
            [[0, 1], [0]],
        ]);
        islands.reset(2, 0);
        islands.couple(0, 1);
        islands.include(1);
        expect(listed(islands)).toEqual([[[1], []]]);
    });
});
