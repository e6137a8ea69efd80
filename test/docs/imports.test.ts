// The picture of imports: they point one way. Types count, too.
import { expect, test } from "@jest/globals";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const SRC = join(process.cwd(), "src");

/** Files of src/ and those that they import. */
const graph = new Map(
    readdirSync(SRC, { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(".ts") && !path.includes("assembly"))
        .map((path): [string, string[]] => {
            const requests = readFileSync(join(SRC, path), "utf8").matchAll(/from "(\.[^"]*)"/g);
            return [path, Array.from(requests, ([, request]) => `${join(dirname(path), request)}.ts`)];
        }),
);

/** Circles of imports, each as its files in order. */
function circles(): string[] {
    const found: string[] = [];
    const path: string[] = [];
    const done = new Set<string>();
    const visit = (file: string): void => {
        if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file].join(" → "));
        if (path.includes(file) || done.has(file)) return;
        path.push(file);
        graph.get(file)?.forEach(visit);
        path.pop();
        done.add(file);
    };
    [...graph.keys()].forEach(visit);
    return found;
}

test("no file imports itself through others", () => {
    expect(graph.size).toBeGreaterThan(50);
    expect(circles()).toEqual([]);
});
