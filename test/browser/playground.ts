// The playground as both its test files look at it: built, served and opened in Chromium; pages are closed after each test.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll } from "@jest/globals";
import { launchBrowser, root, serve, webpack } from "./browser";
import type { Browser, ServeOptions, StaticServer } from "./browser";

export const screenshots = join(root, "test/browser/screenshots");

/** Known from the first test on. */
export interface Playground {
    browser: Browser;
    /** Of the page, without a slash at the end; the page is at /some/folder/, too, the UMD files are at /umd/, Babylon's at /babylonjs/, Havok's at /havok/. */
    url: string;
    /** Folder of the built page. */
    folder: string;
}

/** To be called once in a file. @param umd whether the UMD file is wanted, too */
export function playground({ umd = false, pages }: { umd?: boolean; pages?: ServeOptions["pages"] } = {}): Playground {
    const opened = {} as Playground;
    let built = "";
    let server: StaticServer | undefined;

    beforeAll(async () => {
        built = mkdtempSync(join(tmpdir(), "babylon-cloth-playground-"));
        opened.folder = join(built, "page");
        mkdirSync(screenshots, { recursive: true });
        webpack("--env", "playground", "--no-optimization-minimize", "--env", `out=${opened.folder}`);
        if (umd) webpack("--config-name", "umd", "--no-optimization-minimize", "--env", `out=${join(built, "umd")}`);
        const folders = {
            "/": opened.folder,
            "/some/folder/": opened.folder,
            "/umd/": join(built, "umd"),
            "/babylonjs/": join(root, "node_modules/babylonjs"),
            "/havok/": join(root, "node_modules/@babylonjs/havok/lib/umd"),
        };
        server = await serve(folders, { pages });
        opened.url = server.url;
        opened.browser = await launchBrowser();
    }, 180_000);

    afterEach(async () => {
        for (const page of opened.browser.contexts().flatMap((context) => context.pages())) await page.close();
    });

    afterAll(async () => {
        await opened.browser?.close();
        await server?.close();
        if (built) rmSync(built, { recursive: true, force: true });
    });

    return opened;
}
