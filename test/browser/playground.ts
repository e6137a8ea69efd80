// The playground as both its test files look at it: built, served and opened in Chromium; pages are closed after each test.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll } from "@jest/globals";
import { launchBrowser, root, serve } from "./browser";
import type { Browser, ServeOptions, StaticServer } from "./browser";
import { builtPage, builtUmd } from "./builds";

export const screenshots = join(root, "test/browser/screenshots");

/** Known from the first test on. */
export interface Playground {
    browser: Browser;
    /** Of the page, without a slash at the end; the page is at /some/folder/, too, the UMD files are at /umd/, Babylon's at /babylonjs/, Havok's at /havok/. */
    url: string;
}

/** To be called once in a file. @param umd whether the UMD file is wanted, too */
export function playground({ umd = false, pages }: { umd?: boolean; pages?: ServeOptions["pages"] } = {}): Playground {
    const opened = {} as Playground;
    let server: StaticServer | undefined;

    beforeAll(async () => {
        mkdirSync(screenshots, { recursive: true });
        const page = await builtPage();
        const folders = {
            "/": page,
            "/some/folder/": page,
            "/babylonjs/": join(root, "node_modules/babylonjs"),
            "/havok/": join(root, "node_modules/@babylonjs/havok/lib/umd"),
            ...(umd && { "/umd/": await builtUmd() }),
        };
        server = await serve(folders, { pages });
        opened.url = server.url;
        opened.browser = await launchBrowser();
    }, 300_000);

    afterEach(async () => {
        for (const page of opened.browser.contexts().flatMap((context) => context.pages())) await page.close();
    });

    afterAll(async () => {
        await opened.browser?.close();
        await server?.close();
    });

    return opened;
}
