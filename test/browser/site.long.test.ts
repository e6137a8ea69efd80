// The site's reference, as npm run site builds it: without a warning, links that lead somewhere, no barriers. Its page: studio.test.ts.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { findBarriers } from "./barriers";
import { launchBrowser, newWatchedPage, root, serve } from "./browser";

let site = "";
beforeAll(() => {
    site = mkdtempSync(join(tmpdir(), "babylon-cloth-site-"));
    const { status, stdout, stderr } = spawnSync(process.execPath, [".ci/site.mjs", "--only", "reference", "--out", site], {
        cwd: root,
        encoding: "utf8",
    });
    // TypeDoc tells warnings as errors.
    expect([status, stdout + stderr]).toEqual([0, ""]);
}, 180_000);

afterAll(() => rmSync(site, { recursive: true, force: true }));

/** What a page's links, pictures and scripts name, beside itself. */
function linksOf(html: string): string[] {
    return [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, link]) => link.replaceAll("&amp;", "&"));
}

/** Places of a page that links can lead to. */
function anchorsOf(html: string): Set<string> {
    return new Set([...html.matchAll(/\s(?:id|name)="([^"]*)"/g)].map(([, id]) => id));
}

test("its links lead somewhere, and need no server's root", () => {
    const pages = new Map(
        readdirSync(site, { recursive: true, encoding: "utf8" })
            .filter((path) => path.endsWith(".html"))
            .map((path) => [join(site, path), readFileSync(join(site, path), "utf8")]),
    );
    expect(pages.size).toBeGreaterThan(50);
    const anchors = new Map([...pages].map(([path, html]) => [path, anchorsOf(html)]));
    const gallery = join(site, "index.html");
    const broken: string[] = [];
    let count = 0;
    for (const [path, html] of pages) {
        for (const link of linksOf(html)) {
            if (/^(https?:|data:|mailto:)/.test(link)) continue;
            count++;
            const [file, anchor] = link.replace(/\?[^#]*/, "").split("#");
            const target = file ? resolve(dirname(path), decodeURIComponent(file)) : path;
            // The page is not built here.
            if (target === gallery) continue;
            const isThere =
                existsSync(target) && (!anchor || !anchors.has(target) || anchors.get(target)!.has(decodeURIComponent(anchor)));
            if (link.startsWith("/") || !isThere) broken.push(`${relative(site, path)}: ${link}`);
        }
    }
    expect(count).toBeGreaterThan(1000);
    expect(broken).toEqual([]);
});

test("it has no barriers", async () => {
    const server = await serve({ "/some/folder/": site });
    const browser = await launchBrowser();
    try {
        for (const path of ["index.html", "classes/reference.ClothBehavior.html", "documents/docs_reference_README.html"]) {
            const { page, errors } = await newWatchedPage(browser);
            await page.goto(`${server.url}/some/folder/reference/${path}`);
            expect([path, await findBarriers(page)]).toEqual([path, []]);
            // Badges of the README are on other hosts.
            expect(errors.filter((error) => !/https:\/\/(github\.com|img\.shields\.io)\//.test(error))).toEqual([]);
            await page.close();
        }
    } finally {
        await browser.close();
        await server.close();
    }
}, 180_000);
