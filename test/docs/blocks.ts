/** The programs in README.md and docs/, taken out as they stand. */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A Markdown file of this project: its path from the root, and its text. */
export interface Page {
    path: string;
    text: string;
}

/** README.md and all of docs/. */
export function readPages(root: string): Page[] {
    const docs = readdirSync(join(root, "docs"))
        .filter((name) => name.endsWith(".md"))
        .map((name) => `docs/${name}`);
    return ["README.md", ...docs].map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
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

/** Lines for a program that has a `scene`, by name: blocks that begin with "```ts name in a scene". */
export function fragmentsOf(pages: readonly Page[]): Record<string, string> {
    const found = pages.flatMap(({ text }) => [...text.matchAll(/^```ts (\w+) in a scene\n(.*?)^```$/gms)]);
    return Object.fromEntries(found.map(([, name, code]) => [name, code]));
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
