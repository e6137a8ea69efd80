// The picture of imports: they point one way, between files and between folders. Types and import() count, too.
import { expect, test } from "@jest/globals";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const SRC = join(process.cwd(), "src");

type Graph = ReadonlyMap<string, readonly string[]>;

/** Files of src/ and those that they import; without those that the build writes. */
const files: Graph = new Map(
    readdirSync(SRC, { recursive: true, encoding: "utf8" })
        .filter((path) => /(?<!\.generated)\.ts$/.test(path) && !path.includes("assembly"))
        .map((path): [string, string[]] => {
            const requests = readFileSync(join(SRC, path), "utf8").matchAll(/(?:from |import |import\()"(\.[^"]*)"/g);
            return [path, Array.from(requests, ([, request]) => `${join(dirname(path), request)}.ts`)];
        }),
);

/** The engine's door is a room of its own: all rooms of the engine lie behind it, and none asks it. */
const DOOR = join("engine", "index.ts");
const folderOf = (file: string): string => (file === DOOR ? DOOR : dirname(file));

/** Folders of src/ and those that their files import from. */
const folders: Graph = (() => {
    const found = new Map<string, Set<string>>();
    for (const [file, imported] of files) {
        const folder = folderOf(file);
        if (!found.has(folder)) found.set(folder, new Set());
        for (const other of imported) if (folderOf(other) !== folder) found.get(folder)!.add(folderOf(other));
    }
    return new Map([...found].map(([folder, others]) => [folder, [...others]]));
})();

/** Circles of a graph, each as its nodes in order. */
function circles(graph: Graph): string[] {
    const found: string[] = [];
    const path: string[] = [];
    const done = new Set<string>();
    const visit = (node: string): void => {
        if (path.includes(node)) found.push([...path.slice(path.indexOf(node)), node].join(" → "));
        if (path.includes(node) || done.has(node)) return;
        path.push(node);
        graph.get(node)?.forEach(visit);
        path.pop();
        done.add(node);
    };
    [...graph.keys()].forEach(visit);
    return found;
}

test("no file imports itself through others", () => {
    expect(files.size).toBeGreaterThan(50);
    expect(circles(files)).toEqual([]);
});

test("no folder imports itself through others", () => {
    expect(folders.size).toBeGreaterThan(20);
    expect(circles(folders)).toEqual([]);
});

test("a circle is found", () => {
    expect(circles(new Map([["a", ["b"]], ["b", ["c"]], ["c", ["a"]]]))).toEqual(["a → b → c → a"]); // prettier-ignore
});
