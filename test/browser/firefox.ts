// A real Firefox for the tests, where one is installed, driven by WebDriver BiDi. Its headless mode has no WebGL on machines
// without a graphics card; under Xvfb it has.
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { Page } from "puppeteer-core";

export type { Page as FirefoxPage };

const NAMES = ["firefox-esr", "firefox"];
const PLACES = ["/Applications/Firefox.app/Contents/MacOS/firefox", "C:\\Program Files\\Mozilla Firefox\\firefox.exe"];

/** Path of a Firefox, FIREFOX_PATH first; undefined where there is none, or no display and no Xvfb to draw on. */
export function findFirefox(): string | undefined {
    const firefox = process.env.FIREFOX_PATH ?? findProgram(NAMES) ?? PLACES.find(isExecutable);
    return needsDisplay() && !findProgram(["Xvfb"]) ? undefined : firefox;
}

/** A running Firefox; the caller closes it. */
export interface Firefox {
    /** Opens a page; `errors` grows with what goes wrong in it. */
    newPage(): Promise<{ page: Page; errors: string[] }>;
    close(): Promise<void>;
}

export async function launchFirefox(): Promise<Firefox> {
    const { default: puppeteer } = await import("puppeteer-core");
    const display = needsDisplay() ? await startDisplay() : null;
    const browser = await puppeteer
        .launch({
            browser: "firefox",
            executablePath: findFirefox(),
            headless: false,
            env: { ...process.env, ...(display && { DISPLAY: display.name }) },
            extraPrefsFirefox: { "webgl.force-enabled": true, "datareporting.policy.dataSubmissionEnabled": false },
        })
        .catch((error: unknown) => {
            display?.process.kill();
            throw error;
        });
    return {
        async newPage() {
            const page = await browser.newPage();
            await page.setViewport({ width: 640, height: 400 });
            const errors: string[] = [];
            page.on("pageerror", (error) => errors.push(`uncaught: ${error instanceof Error ? error.message : String(error)}`));
            page.on("console", (message) => {
                if (message.type() === "error") errors.push(`console: ${message.text()}`);
            });
            return { page, errors };
        },
        async close() {
            await browser.close();
            display?.process.kill();
        },
    };
}

/**
 * `test`, or where there is no Firefox `test.skip`, said aloud.
 * @param what the tests that are skipped
 */
export function inFirefox<T extends { skip: unknown }>(test: T, what: string): T | T["skip"] {
    if (findFirefox()) return test;
    process.stderr.write(`\nSKIPPED, no Firefox with a display or Xvfb is installed: ${what}\n`);
    return test.skip;
}

function needsDisplay(): boolean {
    return process.platform === "linux" && !process.env.DISPLAY;
}

/** Starts Xvfb on a display that is free. */
function startDisplay(): Promise<{ name: string; process: ChildProcess }> {
    const server = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "800x600x24", "-nolisten", "tcp"], {
        stdio: ["ignore", "ignore", "ignore", "pipe"],
    });
    return new Promise((resolve, reject) => {
        server.once("error", reject);
        server.once("exit", (code) => reject(new Error(`Xvfb ended with ${code}`)));
        server.stdio[3]!.once("data", (data: Buffer) => resolve({ name: `:${String(data).trim()}`, process: server }));
    });
}

function findProgram(names: readonly string[]): string | undefined {
    const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
    return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
    try {
        accessSync(path, constants.X_OK);
        return true;
    } catch {
        return false;
    }
}
