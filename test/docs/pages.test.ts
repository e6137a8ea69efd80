// What README.md and docs/ say that can be held against the code: lengths, links, versions.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "@jest/globals";
import { readPages } from "./blocks";

const root = process.cwd();
const pages = readPages(root);
const textOf = (path: string) => pages.find((page) => page.path === path)!.text;
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

test("the README is read in one sitting: at most 1,200 words", () => {
    expect(textOf("README.md").split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(1200);
});

/** A heading's anchor, as GitHub makes it. */
const anchorOf = (heading: string) =>
    heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replace(/ /g, "-");

test.each(pages)("$path: its links lead somewhere", ({ path, text }) => {
    for (const [, link] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^https:/.test(link)) continue;
        const [file, anchor] = link.split("#");
        const target = file ? join(root, dirname(path), file) : join(root, path);
        expect([link, existsSync(target)]).toEqual([link, true]);
        if (!anchor) continue;
        const anchors = [...readFileSync(target, "utf8").matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading));
        expect([link, anchors.includes(anchor)]).toEqual([link, true]);
    }
});

test("what is loaded from a CDN or installed from a file is of this version", () => {
    const snippet = readFileSync(join(root, "playground/page/snippet.ts"), "utf8");
    const texts = [...pages.map(({ text }) => text), snippet];
    const found = texts.flatMap((text) => [...text.matchAll(/npm\/babylon-cloth([^"`\s)]*)|babylon-cloth-([\d.]+)\.tgz/g)]);
    expect(found.length).toBeGreaterThanOrEqual(4);
    for (const [whole, cdn, file] of found) expect([whole, cdn?.slice(1) ?? file]).toEqual([whole, version]);
});

test("the reference's contents list its sections, in order", () => {
    const text = readFileSync("docs/reference.md", "utf8");
    const listed = [...text.matchAll(/^- \[(.*)\]\(#(.*)\)$/gm)].map(([, title, anchor]) => [title, anchor]);
    expect(listed).toEqual([...text.matchAll(/^## (.*)$/gm)].map(([, title]) => [title, anchorOf(title)]));
});
