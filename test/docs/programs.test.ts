// Every named program of README.md and docs/ as it stands there: type-checked against the library, and run (see run.ts).
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { fragmentsOf, NAMES_OF_FRAGMENTS, programsOf, readPages, runPrograms, writePrograms } from "./blocks";

const root = process.cwd();
const folder = join(root, ".cache/docs");
const pages = readPages(root);
const programs = programsOf(pages);
/** Fragments without imports; those of the guides are run by guides.test.ts. */
const fragments = Object.fromEntries(Object.entries(fragmentsOf(pages)).filter(([, code]) => !/^import /m.test(code)));
/** What run.ts prints: numbers, and shapes of them. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Result = any;
let results: Record<string, Result> = {};

beforeAll(() => {
    const runnable = new Map(programs);
    // A page has an Engine, Node a NullEngine.
    runnable.set("quickstart", programs.get("quickstart")!.replace(/\bEngine,/, "NullEngine as Engine,"));
    results = runPrograms(runnable, folder, "run.ts");
}, 300_000);

/** A program's result; fails with its error. */
function resultOf(name: string): Result {
    expect(results[name]?.error).toBeUndefined();
    return results[name];
}

test("each program is run", () => {
    expect([...programs.keys()].sort()).toEqual([...results.names].sort());
});

test("a flag takes three lines, a curtain that opens on a click six", () => {
    const counts = Object.entries(fragments).map(([name, code]) => [name, code.trimEnd().split("\n").length]);
    expect(Object.fromEntries(counts)).toEqual({ flag: 3, curtain: 6 });
});

test("the quick start has at most 25 lines of code", () => {
    const lines = programs
        .get("quickstart")!
        .split("\n")
        .filter((line) => line.trim() !== "");
    expect(lines.length).toBeLessThanOrEqual(25);
});

test("each program, and each fragment in a scene, has the types of the library", () => {
    const checked = `${folder}/types`;
    const whole = Object.entries(fragments).map(([name, code]): [string, string] => {
        const imports = Object.entries(NAMES_OF_FRAGMENTS).map(
            ([from, names]) => `import { ${names.filter((each) => code.includes(`${each}.`)).join(", ")} } from "${from}";`,
        );
        const scene = 'import type { Scene } from "@babylonjs/core"; declare const scene: Scene;';
        return [`${name}InAScene`, [...imports, scene, code].join("\n")];
    });
    writePrograms(new Map([...programs, ...whole]), checked);
    const compilerOptions = {
        noEmit: true,
        incremental: false,
        tsBuildInfoFile: null,
        types: [],
        paths: { "babylon-cloth": [join(root, "src/index.ts")] },
    };
    writeFileSync(
        join(checked, "tsconfig.json"),
        JSON.stringify({ extends: join(root, "tsconfig.json"), compilerOptions, include: ["*.ts"] }),
    );
    const { stdout } = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", checked], {
        encoding: "utf8",
    });
    expect(stdout).toBe("");
}, 300_000);

test("quick start: the flag flies, meets the ball, and is drawn from both sides in the light", () => {
    const { before, after, distance, material, lights } = resultOf("quickstart");
    expect(before.count).toBe(49 * 33);
    expect(after.z[1]).toBeGreaterThan(0.3);
    expect(after.stretch).toBeLessThan(0.02);
    expect(distance).toBeGreaterThan(0.4);
    expect(distance).toBeLessThan(0.45);
    expect(material).toEqual([false, true]);
    expect(lights).toBe(1);
});

test("cape: hangs at the bone that carries it, behind the body, while the character walks", () => {
    const { standing, walked, parts, pins, nearest, isTwoSided } = resultOf("cape");
    expect(standing.y[0]).toBeCloseTo(0.37, 1);
    expect(standing.z[1]).toBeLessThan(-0.1);
    expect(pins).toEqual([21]);
    expect(nearest).toBeLessThan(1e-4);
    for (const depth of parts) expect(depth).toBeLessThan(0);
    expect(walked.stretch).toBeLessThan(0.02);
    expect(isTwoSided).toBe(true);
});

test("garments: all hang on the figure while it walks, none is stretched or lost", () => {
    const { drawn, ...garments } = resultOf("garments");
    expect(Object.keys(garments)).toEqual(["cape", "skirt", "coat", "scarf", "tabard"]);
    for (const [name, { stretch, x, y, z }] of Object.entries<ReturnType<typeof resultOf>>(garments)) {
        expect([name, stretch < 0.05]).toEqual([name, true]);
        expect([name, y[1] > 0.9 && y[1] < 1.6]).toEqual([name, true]);
        expect([name, y[0] > 0.05 && y[0] < 0.95]).toEqual([name, true]);
        for (const side of [...x, ...z]) expect([name, Math.abs(side) < 1]).toEqual([name, true]);
    }
    // The scarf is behind, the tabard's first panel before the body.
    expect(garments.scarf.z[1]).toBeLessThan(-0.1);
    expect(garments.tabard.z[0]).toBeGreaterThan(0.05);
    expect(drawn).toEqual([true, true]);
});

test("curtain: every ring holds its piece, and drawing gathers the cloth", () => {
    const { open, gap, pins } = resultOf("curtain");
    expect(pins).toBe(9);
    expect(gap).toBeLessThan(1e-4);
    expect(open.x[1] - open.x[0]).toBeLessThan(1.3);
    expect(open.y[0]).toBeGreaterThan(-0.05);
    expect(open.stretch).toBeLessThan(0.02);
});

test("glTF: nodes that share a mesh become two cloths", () => {
    const { cloths, classes } = resultOf("gltf");
    expect(classes).toEqual(["Mesh", "Mesh"]);
    expect(cloths.map(({ count }: { count: number }) => count)).toEqual([169, 169]);
    for (const { y } of cloths) expect(y[0]).toBeCloseTo(-0.5, 1);
    expect(Math.abs(cloths[0].x[0] - cloths[1].x[0])).toBeCloseTo(3, 1);
});

test("units: a cloth in centimetres moves as one in metres", () => {
    const { moved, difference, bend } = resultOf("units");
    expect(moved).toBeGreaterThan(0.5);
    expect(difference).toBeLessThan(0.01);
    expect(bend).toBeCloseTo(0.5);
});

test("chains: lanterns hang down, an antenna without weight keeps its pose", () => {
    const { lanterns, antenna } = resultOf("chains");
    expect(lanterns[1]).toBeLessThan(-0.2);
    expect(antenna[0]).toBeCloseTo(0.4, 2);
});
