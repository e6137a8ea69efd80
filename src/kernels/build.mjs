// Compiles assembly/ (AssemblyScript) to modules of WebAssembly SIMD and embeds them in modules/*.generated.ts; writes the
// other *.generated.ts files from layout.ts and kernelTable.ts first (generate.mjs).
// Usage: node src/kernels/build.mjs [--force]. Does nothing while sources, flags and compiler are unchanged.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const kernels = here;
const assembly = join(here, "assembly");
const output = join(kernels, "modules");

/** Flags for asc. No relaxed SIMD and no float contraction: the result has to be bit-exact on every machine. */
const flags = ["--noAssert", "--runtime", "stub", "--importMemory", "--enable", "simd"];

/** Levels of optimisation: for speed, but for the kernels that run once, at attach, also for size. */
const levels = (name) => ["--optimizeLevel", "3", "--shrinkLevel", name === "build" ? "1" : "0"];

/** Files that declare slots, structs and scratch: layout.ts and all *Layout.ts beside it. */
const layoutFiles = readdirSync(kernels, { encoding: "utf8" })
    .filter((name) => name.endsWith("ayout.ts"))
    .sort();

/** Files that the generated ones follow from. */
function sourceFiles() {
    const kernelFiles = readdirSync(assembly, { encoding: "utf8" })
        .filter((name) => name.endsWith(".ts") && !name.endsWith(".generated.ts"))
        .sort();
    return [
        ...kernelFiles.map((name) => join(assembly, name)),
        join(kernels, "structSchema.ts"),
        ...layoutFiles.map((name) => join(kernels, name)),
        join(kernels, "kernelTable.ts"),
        join(kernels, "../engine/tunables.ts"),
        join(here, "generate.mjs"),
        join(here, "printable.ts"),
        join(here, "build.mjs"),
    ];
}

/** Written beside and renamed, so that a reader at the same time never sees half a file; left alone where nothing changes. */
function write(path, text) {
    if (existsSync(path) && readFileSync(path, "utf8") === text) return;
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, text);
    renameSync(temporary, path);
}

/** Texts of all kernels. */
function kernelSources() {
    const files = readdirSync(assembly, { encoding: "utf8" }).filter((name) => /(?<!\.generated)\.ts$/.test(name));
    return files.map((name) => readFileSync(join(assembly, name), "utf8")).join("\n");
}

/** @returns the kernels by their modules */
async function writeTables() {
    await import("../../.ci/ts.mjs");
    const [{ kernelTable }, generate, ...layouts] = await Promise.all(
        ["./kernelTable.ts", "./generate.mjs", ...layoutFiles.map((name) => `./${name}`)].map((path) => import(path)),
    );
    write(generated[0], generate.assemblyLayout(Object.assign({}, ...layouts)));
    write(generated[1], generate.assemblyTunables(await import("../engine/tunables.ts"), kernelSources()));
    return { ...generate, modules: Object.entries(generate.byModule(kernelTable)) };
}

/** @param entry the text of the file that has the module's exports */
async function compile(name, entry) {
    const asc = await import("assemblyscript/asc");
    const entryName = `${name}.entry.ts`;
    let bytes = null;
    const { error, stderr } = await asc.main([entryName, ...levels(name), ...flags, "--outFile", "kernels.wasm"], {
        readFile: (name, base) => {
            if (name === entryName) return entry;
            const path = join(assembly, base ?? "", name);
            return existsSync(path) ? readFileSync(path, "utf8") : null;
        },
        writeFile: (name, contents) => {
            if (name.endsWith(".wasm")) bytes = contents;
        },
        listFiles: () => [],
    });
    const messages = stderr.toString();
    if (messages) console.error(messages);
    if (error) {
        console.error(`${error.message}: src/kernels/assembly does not compile`);
        process.exit(1);
    }
    return bytes;
}

const generated = [join(assembly, "layout.generated.ts"), join(assembly, "tunables.generated.ts")];
const version = `assemblyscript ${
    JSON.parse(readFileSync(join(here, "../../node_modules/assemblyscript/package.json"), "utf8")).version
} ${[...levels("core"), ...levels("build"), ...flags].join(" ")}`;
const digest = createHash("sha256").update(version);
for (const path of sourceFiles()) digest.update(`\0${path.slice(kernels.length)}\0`).update(readFileSync(path));
const hash = digest.digest("hex").slice(0, 16);
/** Written last: a hash of the sources of the modules. */
const stamp = join(output, "sources.generated.ts");
const isCurrent = generated.every(existsSync) && existsSync(stamp) && readFileSync(stamp, "utf8").includes(hash);

if (process.argv.includes("--force") || !isCurrent) {
    const start = performance.now();
    const { modules, moduleEntry, moduleFile } = await writeTables();
    const { printable } = await import("./printable.ts");
    mkdirSync(output, { recursive: true });
    const sizes = [];
    for (const [name, table] of modules) {
        const bytes = await compile(name, moduleEntry(table));
        write(
            join(output, `${name}.generated.ts`),
            `// Generated by build.mjs; not for editing.\n${moduleFile(name, table, printable(bytes))}`,
        );
        sizes.push(`${name} ${bytes.length} (${gzipSync(bytes).length} gzip)`);
    }
    write(stamp, `// Generated by build.mjs: sources ${hash}, ${version}\nexport {};\n`);
    console.log(`WASM kernels [bytes]: ${sizes.join(", ")}, compiled in ${Math.round(performance.now() - start)} ms`);
}
