// docs/adding.md is true: its examples, taken from the page as they stand and put into a copy of the project, compile, have the
// types of the project, and pass the tests that the page gives them.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { apply, changesOf } from "./changes";

const root = process.cwd();
const copy = join(root, ".cache/adding");
const changes = changesOf(readFileSync(join(root, "docs/adding.md"), "utf8"));
const tests = [...new Set(changes.map(({ path }) => path).filter((path) => path.endsWith(".test.ts")))];

/** What the titles of the page's tests have in common. */
const EXAMPLES = "struts|tablet";

/** Runs a Node program in the copy; its output. Fails with it, unless it exits with 0. */
function run(...args: string[]): Promise<string> {
    return new Promise((resolve, reject) => {
        const child = spawn(process.execPath, args, { cwd: copy });
        let output = "";
        for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
        child.on("close", (code) => (code === 0 ? resolve(output) : reject(new Error(`exit code ${code}\n${output}`))));
    });
}

beforeAll(() => {
    rmSync(copy, { recursive: true, force: true });
    mkdirSync(copy, { recursive: true });
    for (const name of ["src", "test", "package.json", "tsconfig.json", ".swcrc"]) {
        cpSync(join(root, name), join(copy, name), { recursive: true });
    }
    for (const name of [".ci", "node_modules"]) symlinkSync(join(root, name), join(copy, name));
    for (const change of changes) apply(copy, change);
});

test("the page's examples compile, have the right types and pass their tests", async () => {
    expect(tests.length).toBeGreaterThan(0);
    await run("src/kernels/build.mjs");
    const compilerOptions = { incremental: false, tsBuildInfoFile: null, types: ["node"] };
    const include = changes.map(({ path }) => path).filter((path) => !path.includes("/assembly/"));
    writeFileSync(join(copy, "tsconfig.changes.json"), JSON.stringify({ extends: "./tsconfig.json", compilerOptions, include }));
    const jest = ["--experimental-vm-modules", "--disable-warning=ExperimentalWarning", "node_modules/jest/bin/jest.js"];
    const [results] = await Promise.all([
        run(...jest, "--rootDir", copy, `--cacheDirectory=${root}/.cache/jest`, "--reporters=default", "-t", EXAMPLES, ...tests),
        run("node_modules/typescript/bin/tsc", "-p", "tsconfig.changes.json"),
    ]);
    expect(results).toMatch(/^Tests: .*\b[1-9]\d* passed/m);
}, 300_000);

test("a change that does not fit is told with its file", () => {
    const change = { path: "src/kernels/layout.ts", kind: "diff", text: " no such line\n+another\n" } as const;
    expect(() => apply(root, change)).toThrow("src/kernels/layout.ts: has 0 times");
    expect(() => apply(root, { ...change, kind: "ts" })).toThrow("src/kernels/layout.ts: is to be new, but exists");
});
