// A real headless Chromium for the tests, and a server of static files for its pages.
import { spawnSync } from "node:child_process";
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize, sep } from "node:path";
import { chromium } from "playwright-core";
import type { Browser, Page } from "playwright-core";
import { findChromium } from "../../.ci/chromium.mjs";

export type { Browser, Page };

/** Repository root; Jest and the npm scripts run there. */
export const root = process.cwd();

const flags = [
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

/** WebGPU on the software rasteriser, with a canvas; all four are needed. */
const webgpuFlags = ["--enable-unsafe-webgpu", "--enable-features=Vulkan", "--use-vulkan=swiftshader", "--use-angle=swiftshader"];

/** Starts Chromium; the caller closes it. WebGL 2 works either way, in software. */
export async function launchBrowser(options: { webgpu?: boolean; args?: string[] } = {}): Promise<Browser> {
    const executablePath = findChromium();
    if (!executablePath) throw new Error("No Chromium found; set CHROME_PATH or run: node .ci/chromium.mjs");
    return chromium.launch({
        executablePath,
        headless: true,
        args: [...flags, ...(options.webgpu ? webgpuFlags : []), ...(options.args ?? [])],
    });
}

/** Runs webpack on the repository; throws with what it said where it fails. */
export function webpack(...args: string[]): void {
    const program = join(root, "node_modules/webpack/bin/webpack.js");
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd: root, encoding: "utf8" });
    if (status !== 0) throw new Error(`webpack ${args.join(" ")} failed\n${stdout}\n${stderr}`);
}

/** A page and all that went wrong in it: uncaught errors, console errors, failed requests. */
export interface WatchedPage {
    page: Page;
    /** Grows as errors come; empty on a healthy page. */
    errors: string[];
    /** Console warnings, in order. */
    warnings: string[];
}

/** Pixels of the canvas per CSS pixel: software draws few of them sooner. */
export const COARSE = 0.4;

/**
 * Opens a new page that records its errors and warnings; go to a URL with `page.goto`.
 * @param pixelRatio pixels of the canvas per CSS pixel
 */
export async function newWatchedPage(
    browser: Browser,
    size = { width: 800, height: 600 },
    pixelRatio = COARSE,
): Promise<WatchedPage> {
    const page = await browser.newPage({ viewport: size, deviceScaleFactor: pixelRatio });
    await prepare(page);
    const errors: string[] = [];
    const warnings: string[] = [];
    page.on("pageerror", (error) => errors.push(`uncaught: ${error.stack ?? error.message}`));
    page.on("console", (message) => {
        if (message.type() === "error") errors.push(`console: ${message.text()} (${message.location().url})`);
        if (message.type() === "warning") warnings.push(message.text());
    });
    page.on("requestfailed", (request) => {
        errors.push(`request failed: ${request.url()} ${request.failure()?.errorText ?? ""}`);
    });
    return { page, errors, warnings };
}

/** A page, and a browser and a server that are there for it alone. */
export interface PageOptions extends ServeOptions {
    /** See {@link serve}; default none. */
    folders?: Record<string, string>;
    size?: { width: number; height: number };
}

/**
 * Opens "/" of a server in a browser of its own, and closes both.
 * @param look at it
 * @returns what that returns
 * @throws what that throws, or Error where anything went wrong in the page
 */
export async function inPage<T>(options: PageOptions, look: (opened: WatchedPage) => Promise<T>): Promise<T> {
    const server = await serve(options.folders ?? {}, options);
    const browser = await launchBrowser();
    try {
        const opened = await newWatchedPage(browser, options.size);
        // What waits for a page that has failed would wait for ever.
        const failed = new Promise<never>((_, reject) => opened.page.once("pageerror", reject));
        await opened.page.goto(`${server.url}/`);
        const result = await Promise.race([look(opened), failed]);
        if (opened.errors.length > 0) throw new Error(opened.errors.join("\n"));
        return result;
    } finally {
        await browser.close();
        await server.close();
    }
}

/**
 * Share of the picture that is of a colour, in a page with globals `engine` and `scene`.
 * @param isOfIt an expression in red, green and blue, `r`, `g` and `b`, 0 to 255
 */
export function shareOf(page: Page, isOfIt: string): Promise<number> {
    return page.evaluate<number>(`new Promise((resolve) => scene.onAfterRenderObservable.addOnce(async () => {
        const pixels = await engine.readPixels(0, 0, engine.getRenderWidth(), engine.getRenderHeight());
        let count = 0;
        for (let o = 0; o < pixels.length; o += 4) {
            const [r, g, b] = pixels.subarray(o, o + 3);
            if (${isOfIt}) count++;
        }
        resolve((4 * count) / pixels.length);
    }))`);
}

/** What every page of the tests needs before it goes anywhere; {@link newWatchedPage} does it. */
export async function prepare(page: Page): Promise<void> {
    // Jest limits the time of a test; a busy machine is no error.
    page.setDefaultTimeout(0);
    // Fewer frames: drawn by software, 60 a second would take the processors from what is tested.
    await page.addInitScript(() => {
        const [request, cancel] = [window.requestAnimationFrame.bind(window), window.cancelAnimationFrame.bind(window)];
        const begun = new Map<number, number>();
        window.requestAnimationFrame = (callback) => {
            const frame = window.setTimeout(() => {
                begun.set(
                    frame,
                    request((time) => {
                        begun.delete(frame);
                        callback(time);
                    }),
                );
            }, 40);
            return frame;
        };
        window.cancelAnimationFrame = (frame) => {
            window.clearTimeout(frame);
            cancel(begun.get(frame) ?? 0);
        };
    });
}

const contentTypes: Record<string, string> = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".wasm": "application/wasm",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".webp": "image/webp",
    ".svg": "image/svg+xml",
    ".glb": "model/gltf-binary",
    ".gltf": "model/gltf+json",
};

export interface StaticServer {
    /** "http://127.0.0.1:<port>", without a slash at the end. */
    url: string;
    close(): Promise<void>;
}

export interface ServeOptions {
    /** Pages from memory by path, e.g. { "/test.html": "<!doctype html>..." }; they win over files. */
    pages?: Record<string, string>;
    /** Sends COOP and COEP, which SharedArrayBuffer needs. */
    isolated?: boolean;
    /** A Content-Security-Policy for every answer. */
    contentSecurityPolicy?: string;
}

/**
 * Serves folders on a free port of this machine. `folders` maps URL prefixes to folders, longest prefix first:
 * { "/": "dist", "/babylonjs/": "node_modules/babylonjs" }. "/" answers index.html.
 */
export async function serve(folders: Record<string, string>, options: ServeOptions = {}): Promise<StaticServer> {
    const prefixes = Object.keys(folders).sort((a, b) => b.length - a.length);

    function findFile(path: string): string | undefined {
        for (const prefix of prefixes) {
            if (!path.startsWith(prefix)) continue;
            const folder = normalize(folders[prefix]);
            const file = join(folder, path.slice(prefix.length));
            if (file !== folder && !file.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return undefined;
            if (existsSync(file) && statSync(file).isFile()) return file;
            const index = join(file, "index.html");
            if (existsSync(index)) return index;
        }
        return undefined;
    }

    const server = createServer((request, response) => {
        const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname);
        if (options.isolated) {
            response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
            response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
        }
        if (options.contentSecurityPolicy) {
            response.setHeader("Content-Security-Policy", options.contentSecurityPolicy);
        }
        const text = options.pages?.[path];
        if (text !== undefined) {
            response.setHeader("Content-Type", contentTypes[".html"]);
            response.end(text);
            return;
        }
        if (path === "/favicon.ico") {
            response.writeHead(204).end();
            return;
        }
        const file = findFile(path);
        if (!file) {
            response.writeHead(404).end(`${path} not found`);
            return;
        }
        response.setHeader("Content-Type", contentTypes[extname(file)] ?? "application/octet-stream");
        createReadStream(file).pipe(response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    return {
        url: `http://127.0.0.1:${port}`,
        close: () =>
            new Promise((resolve) => {
                server.close(() => resolve());
                server.closeAllConnections();
            }),
    };
}
