import { describe, expect, test } from "@jest/globals";
import { boolean, finite, integer, knownOptions, nonNegative, positive, reject, finiteVector } from "../../../src/engine/index";
import { nearestName, show, stiffness } from "../../../src/engine/validate";

const messageOf = (run: () => unknown): string => {
    try {
        run();
    } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
        return (error as Error).message;
    }
    throw new Error("nothing was thrown");
};

/** What each check lets through, and what it says of the rest. */
const checks: Record<string, { check: (value: unknown) => unknown; good: unknown[]; bad: [unknown, string][] }> = {
    finite: {
        check: (value) => finite("Owner", "option", value),
        good: [0, -0, 1e300, -5, Number.MIN_VALUE],
        bad: [
            [NaN, "a finite number, got NaN"],
            [-Infinity, "a finite number, got -Infinity"],
            ["1", 'a finite number, got "1"'],
            [undefined, "a finite number, got undefined"],
            [null, "a finite number, got null"],
            [5n, "a finite number, got 5"],
            [true, "a finite number, got true"],
            [[1], "a finite number, got an object (Array)"],
        ],
    },
    "finite with a limit": {
        check: (value) => finite("Owner", "option", value, 100),
        good: [100, -100, 0],
        bad: [
            [100.1, "a number from -100 to 100, got 100.1"],
            [-1e9, "a number from -100 to 100, got -1000000000"],
        ],
    },
    positive: {
        check: (value) => positive("Owner", "option", value),
        good: [1e-6, 1, 1e6],
        bad: [
            [0, "a finite number > 0, got 0"],
            [-1, "a finite number > 0, got -1"],
            [NaN, "a finite number > 0, got NaN"],
            [Infinity, "a finite number > 0, got Infinity"],
            [1e-7, "a number from 0.000001 to 1000000, got 1e-7"],
            [1e7, "a number from 0.000001 to 1000000, got 10000000"],
            [{}, "a finite number > 0, got an object (Object)"],
        ],
    },
    nonNegative: {
        check: (value) => nonNegative("Owner", "option", value),
        good: [0, -0, Number.MIN_VALUE, 1e6],
        bad: [
            [-1e-9, "a finite number >= 0, got -1e-9"],
            [Infinity, "a finite number >= 0, got Infinity"],
            [1e7, "a number from 0 to 1000000, got 10000000"],
            [() => 1, "a finite number >= 0, got a function"],
        ],
    },
    stiffness: {
        check: (value) => stiffness("Owner", "option", value),
        good: [0, 1, Infinity],
        bad: [
            [-1, "a number >= 0 (Infinity = inextensible), got -1"],
            [NaN, "a number >= 0 (Infinity = inextensible), got NaN"],
        ],
    },
    integer: {
        check: (value) => integer("Owner", "option", 1, value),
        good: [1, 2, 1e9],
        bad: [
            [0, "an integer >= 1, got 0"],
            [1.5, "an integer >= 1, got 1.5"],
            [Infinity, "an integer >= 1, got Infinity"],
            ["3", 'an integer >= 1, got "3"'],
        ],
    },
    boolean: {
        check: (value) => boolean("Owner", "option", value),
        good: [true, false],
        bad: [
            [0, "true or false, got 0"],
            ["true", 'true or false, got "true"'],
            [undefined, "true or false, got undefined"],
        ],
    },
};

describe.each(Object.keys(checks))("%s", (name) => {
    const { check, good, bad } = checks[name];

    test.each(good)("passes %p through", (value) => {
        expect(check(value)).toBe(value);
    });

    test.each(bad)("refuses %p", (value, rule) => {
        expect(messageOf(() => check(value))).toBe(`Owner: option must be ${rule}`);
    });
});

test("reject names owner, option, rule and value", () => {
    expect(messageOf(() => reject("Owner", "option", "good", "bad"))).toBe('Owner: option must be good, got "bad"');
});

test("show fits a value on one line", () => {
    class Thing {}
    expect([show("a\nb"), show(new Thing()), show(Object.create(null)), show([]), show(Symbol("s")), show(undefined)]).toEqual([
        '"a\\nb"',
        "an object (Thing)",
        "an object (no class)",
        "an object (Array)",
        "Symbol(s)",
        "undefined",
    ]);
    expect(show("x".repeat(1000)).length).toBeLessThan(50);
});

test("knownOptions", () => {
    expect(() => knownOptions("Owner", { a: 1 }, ["a", "b"])).not.toThrow();
    expect(() => knownOptions("Owner", {}, [])).not.toThrow();
    expect(messageOf(() => knownOptions("Owner", { a: 1, c: undefined }, ["a", "b"]))).toBe(
        'Owner: unknown option "c"; the options are a, b',
    );
    // What an object inherits is not an option.
    expect(() => knownOptions("Owner", Object.create({ c: 1 }) as object, ["a"])).not.toThrow();
});

test("finiteVector takes anything with three finite numbers", () => {
    expect(() => finiteVector("Owner", "v", { x: 0, y: -1, z: 1e300 })).not.toThrow();
    expect(() => finiteVector("Owner", "v", { x: 0, y: 0 } as never)).toThrow("Owner: v.z must be a finite number, got undefined");
    expect(() => finiteVector("Owner", "v", undefined as never)).toThrow("Owner: v must be a Vector3, got undefined");
    expect(() => finiteVector("Owner", "v", [1, 2, 3] as never)).toThrow("Owner: v.x must be a finite number, got undefined");
});

test.each([
    ["substeps", ["pins", "substepCount", "sleepSpeed"], "substepCount"],
    ["strian", ["strain", "onTear"], "strain"],
    ["Damping", ["damping", "thickness"], "damping"],
    ["radius", ["shape", "margin"], null],
    ["", ["a", "b"], null],
    ["x", [], null],
])("the name nearest to %p", (name, names, nearest) => {
    expect(nearestName(name, names)).toBe(nearest);
    if (nearest) expect(messageOf(() => knownOptions("Owner", { [name]: 1 }, names))).toContain(`; did you mean "${nearest}"?`);
});
