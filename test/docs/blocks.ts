/** The programs in README.md and docs/, taken out as they stand. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A Markdown file of this project: its path from the root, and its text. */
export interface Page {
    path: string;
    text: string;
}

/** README.md, CONTRIBUTING.md and all of docs/. */
export function readPages(root: string): Page[] {
    const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".md"))
        .map((name) => `docs/${name.replaceAll("\\", "/")}`)
        .sort();
    return ["README.md", "CONTRIBUTING.md", ...docs].map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** Named programs by name: blocks that begin with "```ts name". */
export function programsOf(pages: readonly Page[]): Map<string, string> {
    const programs = new Map<string, string>();
    for (const { path, text } of pages) {
        for (const [, name, code] of text.matchAll(/^```ts (\w+)\n(.*?)^```$/gms)) {
            if (programs.has(name)) throw new Error(`${path}: there are two programs of the name ${name}`);
            programs.set(name, code);
        }
    }
    return programs;
}

/** Lines for a program that has a `scene`, by name: blocks that begin with "```ts name in a scene". Those of guides have imports. */
export function fragmentsOf(pages: readonly Page[]): Record<string, string> {
    const found = pages.flatMap(({ text }) => [...text.matchAll(/^```ts (\w+) in a scene\n(.*?)^```$/gms)]);
    const fragments = new Map<string, string>();
    for (const [, name, code] of found) {
        if (fragments.has(name)) throw new Error(`there are two fragments of the name ${name}`);
        fragments.set(name, code);
    }
    return Object.fromEntries(fragments);
}

/** Modules that run fragments with imports in `globalThis.scene`, and export all that the fragments declare; by name. */
export function guideProgramsOf(pages: readonly Page[]): Map<string, string> {
    const fragments = Object.entries(fragmentsOf(pages)).filter(([, code]) => /^import /m.test(code));
    return new Map(
        fragments.map(([name, code]) => {
            const declared = Array.from(code.matchAll(/^const (?:(\w+)|\{ (.*?) \})/gm), ([, one, several]) => one ?? several);
            const scene = 'const scene = (globalThis as unknown as { scene: import("@babylonjs/core").Scene }).scene;';
            return [name, `${scene}\n${code}\nexport { ${declared.join(", ")} };\n`];
        }),
    );
}

/** What fragments name of Babylon, and of the package. */
export const NAMES_OF_FRAGMENTS = {
    "@babylonjs/core": ["Animation", "MeshBuilder"],
    "babylon-cloth": ["ClothBuilder", "FabricMaterials"],
};

/** Writes the programs to a folder as modules. */
export function writePrograms(programs: ReadonlyMap<string, string>, folder: string): void {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const [name, code] of programs) writeFileSync(join(folder, `${name}.ts`), code);
}

/** Writes programs to a folder and runs them by a script of this folder, in a process of its own. @returns what that prints, as JSON */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- numbers, and shapes of them
export function runPrograms(programs: ReadonlyMap<string, string>, folder: string, script: string): Record<string, any> {
    writePrograms(programs, folder);
    const path = `test/docs/${script}`;
    const { stdout, stderr } = spawnSync(process.execPath, ["--import", "./.ci/ts.mjs", path, folder], { encoding: "utf8" });
    try {
        // eslint-disable-next-line @typescript-eslint/no-explicit-any
        return JSON.parse(stdout.trim().split("\n").pop()!) as Record<string, any>;
    } catch {
        throw new Error(`${path} failed\n${stdout}\n${stderr}`);
    }
}
