// Module hooks for Node: resolve extensionless imports as a bundler does, and strip the types with swc.
import { readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "@swc/core";

/** Ways into the package, as its users name them. */
const entries = Object.fromEntries(
    ["index", "files", "loader", "vrm"].map((name) => [
        name === "index" ? "babylon-cloth" : `babylon-cloth/${name}`,
        new URL(`../src/${name}.ts`, import.meta.url).href,
    ]),
);
const cwd = fileURLToPath(new URL("..", import.meta.url));

async function isFile(url) {
    try {
        return (await stat(fileURLToPath(url))).isFile();
    } catch {
        return false;
    }
}

export async function resolve(specifier, context, nextResolve) {
    if (entries[specifier]) return { url: entries[specifier], format: "module", shortCircuit: true };
    if (/^@babylonjs\/[^/]+\/.*[^/]$/.test(specifier) && !/\.(m?js|json)$/.test(specifier)) {
        // Deep imports: "@babylonjs/core/Maths/math.vector" is math.vector.js; a folder is its index.js.
        try {
            return await nextResolve(`${specifier}.js`, context);
        } catch {
            return nextResolve(`${specifier}/index.js`, context);
        }
    }
    if (/^(\.{1,2}\/|file:|\/)/.test(specifier) && context.parentURL && !context.parentURL.includes("/node_modules/")) {
        const url = new URL(specifier, context.parentURL).href;
        if (!(await isFile(url))) {
            for (const candidate of [`${url}.ts`, `${url}/index.ts`, `${url}.js`, `${url}.mjs`]) {
                if (await isFile(candidate)) return nextResolve(candidate, context);
            }
        }
    }
    return nextResolve(specifier, context);
}

export async function load(url, context, nextLoad) {
    if (!url.startsWith("file:") || extname(new URL(url).pathname) !== ".ts") return nextLoad(url, context);
    const filename = fileURLToPath(url);
    const { code } = transformSync(readFileSync(filename, "utf8"), { filename, cwd, swcrc: true, sourceMaps: "inline" });
    return { format: "module", source: code, shortCircuit: true };
}
