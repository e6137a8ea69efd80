// What README.md and docs/ say that can be held against the code: lengths, links, versions.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "@jest/globals";
import { readPages } from "./blocks";
import { changed, changesOf } from "./changes";

const root = process.cwd();
const pages = readPages(root);
const textOf = (path: string) => pages.find((page) => page.path === path)!.text;
const { version, homepage, bugs, scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
/** Pages for users that are written as prose. */
const prose = pages.filter(({ path }) => /^(README|docs\/(getting-started|guides\/))/.test(path));
/** Pages that are written as prose; the others are lists of names and measurements. */
const written = pages.filter(({ path }) => !/(reference|benchmark|experiments|sources)\.md$/.test(path));
const guides = prose.filter(({ path }) => path.startsWith("docs/guides/"));

/** Words of a text. */
const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean);
/** Text without code, tables, headings and the targets of links. */
const plain = (text: string) =>
    text
        .replace(/^ *```.*?^ *```$/gms, "")
        .replace(/^(\||#).*$/gm, "")
        .replace(/<!--.*?-->/gs, "")
        .replace(/!?\[((?:[^[\]]|\[[^\]]*\])*)\]\([^)]*\)/g, "$1");
/** Paragraphs and list items. */
const blocksOf = (text: string) =>
    plain(text)
        .split(/\n\s*\n|\n(?=\s*(?:-|\d+\.) )/)
        .map((block) =>
            block
                .replace(/^\s*(?:-|\d+\.) /, "")
                .replace(/\s+/g, " ")
                .trim(),
        )
        .filter(Boolean);
const sentencesOf = (text: string) => blocksOf(text).flatMap((block) => block.split(/(?<=[.!?:])\s+(?=[A-Z`*"])/));

test("the README is read in one sitting: at most 1,200 words, of them 800 of prose", () => {
    expect(wordsOf(textOf("README.md")).length).toBeLessThanOrEqual(1200);
    expect(wordsOf(plain(textOf("README.md"))).length).toBeLessThanOrEqual(800);
});

test("a guide has at most 900 words, and the first page 600 of prose", () => {
    expect(guides.length).toBeGreaterThanOrEqual(12);
    for (const { path, text } of guides) expect([path, wordsOf(text).length <= 900]).toEqual([path, true]);
    expect(wordsOf(plain(textOf("docs/getting-started.md"))).length).toBeLessThanOrEqual(600);
});

test("the design pages and adding.md have at most 8,000 words beside code", () => {
    const design = pages.filter(({ path }) => /^docs\/(design.*|adding)\.md$/.test(path));
    const lengths = design.map(({ text }) => wordsOf(text.replace(/^```.*?^```$/gms, "")).length);
    expect(lengths.reduce((sum, length) => sum + length)).toBeLessThanOrEqual(8000);
});

test("README and guides: at most 3 % of the sentences have more than 30 words", () => {
    const sentences = prose.flatMap(({ text }) => sentencesOf(text));
    expect(sentences.length).toBeGreaterThan(300);
    const long = sentences.filter((sentence) => wordsOf(sentence).length > 30);
    expect([long.length <= 0.03 * sentences.length, long]).toEqual([true, expect.anything()]);
});

test.each(written)("$path: no paragraph, item, cell or heading begins with What, Who, Whether, Where or How", ({ text }) => {
    const cells = [...text.matchAll(/^(?:\||#+) *(.*)$/gm)].flatMap(([, row]) => row.split("|").map((cell) => cell.trim()));
    const begun = [...blocksOf(text), ...cells].filter((block) => /^\W*(What|Who|Whether|Where|How)\b/i.test(block));
    expect(begun).toEqual([]);
});

test("each guide has a picture, is listed on the first page, and is found from the README", () => {
    for (const { path, text } of guides) {
        expect([path, /!\[.+\]\(\.\.\/images\//.test(text)]).toEqual([path, true]);
        expect(textOf("docs/getting-started.md")).toContain(`(${path.replace("docs/", "")})`);
        expect(textOf("README.md")).toContain(`(${path})`);
    }
});

test("each picture is shown by a page, and has a text in its place", () => {
    const shown = pages.flatMap(({ path, text }) =>
        [...text.matchAll(/!\[([^\]]*)\]\(((?!https:)[^)]+)\)/g)].map(([, title, file]) => {
            expect([file, title.length > 2]).toEqual([file, true]);
            return join(dirname(path), file);
        }),
    );
    const files = readdirSync("docs/images", { recursive: true, encoding: "utf8" }).filter((name) => /\.\w+$/.test(name));
    expect(files.filter((file) => !shown.includes(join("docs/images", file)))).toEqual([]);
});

test("the README's film is a looping WebP of at most 2.5 MB", () => {
    const [, file] = /!\[[^\]]+\]\(([^)]+\.webp)\)/.exec(textOf("README.md"))!;
    const bytes = readFileSync(file);
    expect(bytes.length).toBeLessThanOrEqual(2.5e6);
    expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
    const chunks: string[] = [];
    for (let at = 12; at < bytes.length; at += 8 + bytes.readUInt32LE(at + 4) + (bytes.readUInt32LE(at + 4) % 2)) {
        chunks.push(bytes.toString("latin1", at, at + 4));
        // After the background of four bytes, zero loops mean for ever.
        if (chunks.at(-1) === "ANIM") expect(bytes.readUInt16LE(at + 12)).toBe(0);
    }
    expect(chunks.slice(0, 2)).toEqual(["VP8X", "ANIM"]);
    expect(chunks.filter((name) => name === "ANMF").length).toBeGreaterThan(40);
});

test("links to the site, its scenes and the repository have the addresses of package.json", () => {
    const repository = bugs.url.replace(/issues$/, "");
    const links = prose.flatMap(({ text }) =>
        [...text.matchAll(/\]\((https:\/\/[^)]*babylon-cloth\/[^)]*)\)/g)].map(([, link]) => link),
    );
    expect(links.length).toBeGreaterThan(8);
    for (const link of links) {
        expect([link, link.startsWith(homepage) || link.startsWith(repository)]).toEqual([link, true]);
        const scene = /\?scene=(\w+)/.exec(link)?.[1];
        if (scene) expect([scene, existsSync(`playground/scenes/${scene}.ts`)]).toEqual([scene, true]);
    }
});

test("CONTRIBUTING names each file that has the owner's placeholder", () => {
    const [, named] = /sed -i 's\/OWNER\/[^']*' ([^`]+)`/.exec(textOf("CONTRIBUTING.md"))!;
    const withOwner = pages.filter(({ text }) => /OWNER\.github|\/OWNER\//.test(text.replace(/`sed [^`]*`/g, "")));
    expect(named.split(" ").sort()).toEqual(["package.json", ...withOwner.map(({ path }) => path)].sort());
});

test("commands that pages and workflows name are scripts of the package", () => {
    const workflows = readdirSync(".github/workflows").map((name) => readFileSync(`.github/workflows/${name}`, "utf8"));
    const texts = [...workflows, ...pages.map(({ text }) => text)];
    const named = texts.flatMap((text) => Array.from(text.matchAll(/npm run (?:-s )?([\w:]+)/g), ([, name]) => name));
    expect(named.length).toBeGreaterThan(10);
    for (const name of named) expect(Object.keys(scripts)).toContain(name);
});

/** A heading's anchor, as GitHub makes it. */
const anchorOf = (heading: string) =>
    heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replace(/ /g, "-");

test.each(pages.filter(({ text }) => /\]\([^)\s]+\)/.test(text)))("$path: its links lead somewhere", ({ path, text }) => {
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

test("the reference lists its pages by their titles; none has over 1,200 words beside its tables", () => {
    const listed = [...textOf("docs/reference/README.md").matchAll(/^\| \[(.*?)\]\((.*?)\) \|/gm)].map(([, title, file]) => [
        title,
        `docs/reference/${file}`,
    ]);
    const all = pages.filter(({ path }) => /^docs\/reference\/(?!README)/.test(path));
    expect(all.length).toBeGreaterThan(15);
    expect(listed.sort()).toEqual(all.map(({ path, text }) => [/^# (.*)$/m.exec(text)![1], path]).sort());
    for (const { path, text } of all) expect([path, wordsOf(plain(text)).length <= 1200]).toEqual([path, true]);
});

test("the changes of docs/adding.md fit the sources; adding.long.test.ts makes and runs them", () => {
    const files = new Map<string, string>();
    for (const change of changesOf(textOf("docs/adding.md"))) {
        const { path } = change;
        const before = files.get(path) ?? (existsSync(path) ? readFileSync(path, "utf8") : undefined);
        files.set(path, changed(before, change));
    }
    expect(files.size).toBeGreaterThan(10);
});
