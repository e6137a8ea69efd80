// Installs the dependencies when node_modules does not hold what package-lock.json asks for; otherwise takes
// a few milliseconds and says nothing. Plain Node, no dependencies: it is the first thing every command runs.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

const major = Number(process.versions.node.split(".")[0]);
if (major < 20) {
    console.error(`babylon-cloth needs Node 20.19 or newer, this is ${process.version}.`);
    process.exit(1);
}

/** Compares versions and folders, not file times: a checkout or a copy touches times without changing what is installed. */
function isInstalled() {
    const installedPath = join(root, "node_modules", ".package-lock.json");
    if (!existsSync(installedPath)) return false;
    const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
    const installed = JSON.parse(readFileSync(installedPath, "utf8")).packages;
    for (const path in wanted) {
        if (path === "" || wanted[path].optional || wanted[path].devOptional) continue;
        if (installed[path]?.version !== wanted[path].version || !existsSync(join(root, path))) return false;
    }
    return true;
}

function npm(...args) {
    const { status } = spawnSync("npm", [...args, "--no-audit", "--no-fund", "--loglevel=error"], {
        cwd: root,
        stdio: "inherit",
        shell: process.platform === "win32",
    });
    return status ?? 1;
}

if (!isInstalled()) {
    console.log("Installing dependencies ...");
    // npm install adds what is missing to what is there; npm ci begins from nothing. It refuses a lock file that lacks another
    // platform's optional package, and a registry that lacks that package makes such lock files: then npm install takes the
    // same versions and only leaves the package out.
    const isUpdate = existsSync(join(root, "node_modules"));
    const status = (isUpdate || npm("ci")) && npm("install", "--no-save");
    if (status !== 0) {
        console.error("The dependencies could not be installed; npm says why above.");
        process.exit(status);
    }
}
