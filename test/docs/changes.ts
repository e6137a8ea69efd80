/**
 * The changes that a page tells to make, taken out as they stand. A block that begins with "```ts path" is a new file; one that
 * begins with "```diff path" changes a file: its lines without a mark, and those with a minus, stand there once, in this order.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** One block of a page. */
export interface Change {
    /** File, from the project's root. */
    path: string;
    kind: "ts" | "diff";
    text: string;
}

/** The changes of a page, in order. */
export function changesOf(page: string): Change[] {
    return [...page.matchAll(/^```(ts|diff) (\S+\/\S+)\n(.*?)^```$/gms)].map(([, kind, path, text]) => ({
        path,
        kind: kind as Change["kind"],
        text,
    }));
}

/**
 * The text of a file after a change.
 * @param before its text; undefined: there is no such file
 * @throws Error where a new file exists already, or the lines to be changed do not stand there exactly once
 */
export function changed(before: string | undefined, { path, kind, text }: Change): string {
    if (kind === "ts") {
        if (before !== undefined) throw new Error(`${path}: is to be new, but exists`);
        return text;
    }
    const lines = text.split("\n").slice(0, -1);
    const pick = (marks: string): string =>
        lines.flatMap((line) => (marks.includes(line[0] ?? " ") ? [`${line.slice(1)}\n`] : [])).join("");
    const from = pick(" -");
    const parts = `\n${before}`.split(`\n${from}`);
    if (parts.length !== 2) throw new Error(`${path}: has ${parts.length - 1} times what is to be changed:\n${from}`);
    return parts.join(`\n${pick(" +")}`).slice(1);
}

/** Makes a change in a copy of the project. @throws Error as {@link changed} */
export function apply(root: string, change: Change): void {
    const file = join(root, change.path);
    const after = changed(existsSync(file) ? readFileSync(file, "utf8") : undefined, change);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, after);
}
