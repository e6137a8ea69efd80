// Code of docs/getting-started.md and docs/guides/: blocks "in a scene" are type-checked and run (see runGuides.ts); the other
// blocks, of these pages and of the README, are type-checked with the names of the text around them.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import * as library from "babylon-cloth";
import { guideProgramsOf, readPages, runPrograms, writePrograms } from "./blocks";

const root = process.cwd();
const folder = join(root, ".cache/guides");
const pages = readPages(root).filter(({ path }) => /^(README|docs\/(getting-started|guides\/))/.test(path));
const programs = guideProgramsOf(pages);
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- what runGuides.ts prints
let results: Record<string, any> = {};

beforeAll(() => {
    results = runPrograms(programs, folder, "runGuides.ts");
}, 300_000);

test("each guide has a block that runs", () => {
    const guides = pages.filter(({ path }) => path.startsWith("docs/guides/"));
    expect(guides.length).toBeGreaterThanOrEqual(13);
    for (const { path, text } of guides) expect([path, /^```ts \w+ in a scene$/m.test(text)]).toEqual([path, true]);
});

test.each([...programs.keys()])("%s runs without a warning, and all that moves is finite", (name) => {
    const { error, bodies, messages } = results[name];
    expect([error, messages]).toEqual([undefined, []]);
    for (const body of bodies) expect(body).toMatchObject({ isFinite: true });
    // The file of the loader's block has no scene of its own; a chain of bones is no body.
    if (!["gltfData", "tail"].includes(name)) expect(bodies.length).toBeGreaterThan(0);
});

test("the blocks do what their pages say", () => {
    const { pins, pinsCurtain, colliders, selfCollision, rope, tail, bodies, tearing, baking, migrated, gettingStarted } = results;
    expect(pins).toMatchObject({ held: 3, lifted: 1, weak: 1 });
    // Rings of an open curtain are gathered.
    expect(pinsCurtain.rings).toBeLessThan(0.9);
    expect(pinsCurtain.bodies[0].lowest).toBeGreaterThan(-2.4);
    // The sheet lies on the table, and hangs over its sides.
    expect(colliders.bodies[0].lowest).toBeGreaterThan(0);
    expect(colliders.bodies[0].lowest).toBeLessThan(0.5);
    expect(selfCollision.gap).toBeGreaterThan(0.005);
    expect(rope.length).toBeCloseTo(2 - 0.001 * 120);
    // Bones swing, and keep their lengths.
    expect(tail.swing[0]).not.toBe(0);
    expect(Math.hypot(...tail.swing)).toBeLessThan(0.4001);
    expect(bodies.crate[1]).toBeCloseTo(0.2, 2);
    expect(bodies.crate[0]).toBeGreaterThan(2.1);
    expect(bodies.angle).toBeGreaterThan(0.2);
    expect(bodies.angle).toBeLessThan(1.55);
    expect(tearing.wasCut).toBe(true);
    expect(tearing.grew).toBeGreaterThan(4);
    expect(baking.targets).toBeGreaterThanOrEqual(45);
    expect(baking.bytes).toBeLessThan(0.5e6);
    expect(baking.bytes).toBeGreaterThan(0.4e6);
    expect(migrated.pins).toEqual([2, 1]);
    // The ball of 0.3 m is met at the thickness of 0.05 m.
    expect(migrated.nearest).toBeGreaterThan(0.3);
    expect(migrated.nearest).toBeLessThan(0.4);
    for (const { stretch } of [migrated, gettingStarted]) expect(stretch).toBeLessThan(0.02);
});

/** Names that the blocks take from the text around them. */
const AROUND = `
import { ImportMeshAsync, Mesh, SceneSerializer, TransformNode, Vector3 } from "@babylonjs/core";
import type { Scene } from "@babylonjs/core";
declare const scene: Scene;
declare const cloth: ClothBehavior, coat: ClothBehavior, shirt: ClothBehavior, lining: ClothBehavior;
declare const crane: TransformNode, train: TransformNode, hook: TransformNode;
declare const ball: Mesh, ground: Mesh, hero: Mesh, crate: Mesh;
declare const mesh: Mesh, cape: ClothMesh;
declare const top: Collider, breeze: Wind, wind: Wind, tearing: ClothTearing, recording: ClothRecording;
declare const door: { opening: number }, rip: { play(): void };
import type { ClothMesh, ClothRecording, Collider } from "babylon-cloth";
`;

test("the other blocks have the types of the library", () => {
    const blocks = new Map<string, string>(programs);
    for (const { path, text } of pages) {
        const found = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code);
        found.forEach((code, i) => {
            const declared = new Set(Array.from(code.matchAll(/^const (\w+)/gm), ([, name]) => name));
            const imports = Object.keys(library).filter((name) => !new RegExp(`^import .*\\b${name}\\b`, "m").test(code));
            const around = AROUND.split("\n").map((line) =>
                line.startsWith("declare")
                    ? line
                          .replace(/^declare const |;$/g, "")
                          .split(/, (?=\w+: )/)
                          .filter((each) => !declared.has(each.split(":")[0]))
                          .map((each) => `declare const ${each};`)
                          .join("\n")
                    : line,
            );
            // A block with imports of its own from Babylon is whole.
            const head = /from "@babylonjs\/core"/.test(code)
                ? ""
                : `import { ${imports.join(", ")} } from "babylon-cloth";${around.join("\n")}`;
            blocks.set(`${path.replace(/\W/g, "_")}_${i}`, `${head}\n${code}\nexport {};\n`);
        });
    }
    expect(blocks.size).toBeGreaterThan(30);
    const checked = `${folder}/types`;
    writePrograms(blocks, checked);
    const compilerOptions = {
        noEmit: true,
        incremental: false,
        tsBuildInfoFile: null,
        types: [],
        noUnusedLocals: false,
        paths: {
            "babylon-cloth": [join(root, "src/index.ts")],
            "babylon-cloth/loader": [join(root, "src/loader.ts")],
        },
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
