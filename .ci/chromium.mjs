// Finds a Chromium for the browser tests: CHROME_PATH, else an installed one, else Debian's package when root.
// Prints its path when run; import { findChromium } from TypeScript tests through test/browser/browser.ts.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"];
const places = [
    "/usr/bin/chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

function isExecutable(path) {
    try {
        accessSync(path, constants.X_OK);
        return true;
    } catch {
        return false;
    }
}

/** Path of a Chromium, or undefined. Throws where CHROME_PATH is set but is no program. */
export function findChromium() {
    const chosen = process.env.CHROME_PATH;
    if (chosen) {
        if (!isExecutable(chosen)) throw new Error(`CHROME_PATH must name a Chromium program, got ${chosen}`);
        return chosen;
    }
    const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
    for (const name of names) {
        for (const folder of folders) {
            if (isExecutable(join(folder, name))) return join(folder, name);
        }
    }
    return places.find(isExecutable);
}

function installOnDebian() {
    if (process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) return;
    console.error("Installing Chromium (apt-get install chromium) ...");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    for (const args of [
        ["update", "-qq"],
        ["install", "-y", "-qq", "-o", "DPkg::Lock::Timeout=300", "chromium"],
    ]) {
        const { status } = spawnSync("apt-get", args, { env, stdio: ["ignore", "ignore", "inherit"] });
        if (status !== 0) return;
    }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
    try {
        if (!findChromium()) installOnDebian();
        const path = findChromium();
        if (!path) {
            throw new Error(
                "The browser tests need Chromium or Chrome and found none. Install one, or set CHROME_PATH to its " +
                    "program. (As root on Debian it is installed by itself.)",
            );
        }
        console.log(path);
    } catch (error) {
        console.error(error.message);
        process.exit(1);
    }
}
