import { spawnSync } from "node:child_process";
import { beforeAll, expect, test } from "@jest/globals";
import { isAll } from "../../long";

/**
 * An object a particle would be 2500 bytes here, an object a stick 10,000; what is left are numbers that V8 boxes. The
 * benchmark (npm run bench) reports it exactly, with the functions to blame.
 */
const BOUND = 1000;

let bytes: Record<string, number>;

/** Reads all cases in a process of its own. */
function read(): Record<string, number> {
    const { stdout, stderr } = spawnSync(process.execPath, ["--import", "./.ci/ts.mjs", "test/unit/babylon/allocated.ts"], {
        encoding: "utf8",
    });
    if (!stdout) throw new Error(stderr);
    return JSON.parse(stdout) as Record<string, number>;
}

beforeAll(() => {
    bytes = read();
    // On a busy machine V8 may box a number for good that it does not box in the next process: what is ours is there in each.
    for (let again = 0; again < 2 && Object.values(bytes).some((value) => value >= BOUND); again++)
        for (const [name, value] of Object.entries(read())) bytes[name] = Math.min(bytes[name], value);
}, 300_000);

// Pins on a rail made 11,000 bytes by Math.hypot, a winch 21,000 by calls that were recorded for one step, ten crates 3600 by settings of several shapes.
const layers = ["layers", ...(isAll ? ["a pile"] : [])].flatMap((what) =>
    ["particles", "triangles", "robust"].map((tier) => `${what}, ${tier}`),
);
const others = [
    "wasm",
    "wasm with colliders",
    "a rail",
    "a swung rope",
    "a winch",
    "a crate",
    "a sleeve",
    "a spring and forces",
    "a leaf between curtains",
    "a stack of crates",
    "rain",
];
test.each([...others, ...layers])("a frame in steady state makes no objects: %s", (name) => {
    expect(bytes[name]).toBeLessThan(BOUND);
});

test("the measure sees what it should", () => {
    expect(bytes["a vector each"]).toBeGreaterThan(30);
});
