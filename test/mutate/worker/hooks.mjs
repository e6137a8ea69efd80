// Module hooks of the worker. A module asked for with "?<generation>" takes all that it imports of this project from the same
// generation, so that one process can load the project again and again; the generation's overlay holds the texts that differ.
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "@swc/core";
import * as base from "../../../.ci/tsHooks.mjs";

const cwd = fileURLToPath(new URL("../../..", import.meta.url));
const globals = new URL("./globals.mjs", import.meta.url).href;
const overlays = new Map();
const compiled = new Map();

export async function resolve(specifier, context, nextResolve) {
    if (specifier === "@jest/globals") return { url: globals, format: "module", shortCircuit: true };
    const [parentURL, generation] = (context.parentURL ?? "").split("?");
    const resolved = await base.resolve(specifier, generation ? { ...context, parentURL } : context, nextResolve);
    return generation && isOurs(resolved.url) ? { ...resolved, url: `${resolved.url}?${generation}` } : resolved;
}

export async function load(url, context, nextLoad) {
    const [plain, generation] = url.split("?");
    if (!generation || !isOurs(plain)) return base.load(url, context, nextLoad);
    const path = fileURLToPath(plain);
    const text = overlayOf(generation)[relative(cwd, path)] ?? readFileSync(path, "utf8");
    if (!compiled.has(text)) compiled.set(text, transformSync(text, { filename: path, cwd, swcrc: true }).code);
    return { format: "module", source: compiled.get(text), shortCircuit: true };
}

function isOurs(url) {
    return url.endsWith(".ts") && url.startsWith("file:") && !url.includes("/node_modules/");
}

/** Texts of a generation by path from the root. */
function overlayOf(generation) {
    if (!overlays.has(generation)) {
        overlays.clear();
        const path = `${cwd}/.cache/overlays/${generation}.json`;
        overlays.set(generation, existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {});
    }
    return overlays.get(generation);
}
