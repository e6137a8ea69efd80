// npm run build: dist/. Another folder for a trial: node .ci/build.mjs --out <folder>
//
//   index.js, index.d.ts           ES module over @babylonjs/core
//   index.cjs, index.d.cts         its door for require(): the same module, so that no page or process holds two
//   files.js, loader.js, …         further ways in
//   babylon/, engine/, kernels/    what they import, a file each as in src/: what an app does not name, its bundler leaves out by the file
//   umd/babylon-cloth.umd.js, .d.ts    for script tags, AMD and the babylonjs package; umd/package.json makes .js CommonJS there
//   umd/global.d.ts                the globals BABYLON and BABYLONCLOTH of script tags
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { entries, writeTypes } from "./types.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const outAt = process.argv.indexOf("--out");
const out = resolve(root, outAt > 0 ? process.argv[outAt + 1] : "dist");
const source = join(root, "src");
const umd = join(out, "umd");

function run(args) {
    const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
    if (status !== 0) process.exit(status ?? 1);
}

rmSync(out, { recursive: true, force: true });
run(["node_modules/webpack/bin/webpack.js", "--env", `out=${out}`]);

// For bundlers and Node, a file for each of src/. Not minified: a bundler does that, and a developer reads it in the debugger.
const isLibrary = (file) =>
    /(?<!\.d)\.ts$/.test(file) &&
    !/^(umd|engine\/world\/allModules|babylon\/skin\/allModules|kernels\/(assembly\/.*|printable))\.?/.test(file);
await build({
    entryPoints: readdirSync(source, { recursive: true, encoding: "utf8" })
        .map((file) => file.replaceAll("\\", "/"))
        .filter(isLibrary)
        .map((file) => join(source, file)),
    outbase: source,
    outdir: out,
    format: "esm",
    bundle: true,
    sourcemap: true,
    logLevel: "warning",
    plugins: [
        {
            name: "files",
            setup({ onResolve }) {
                // With ".js": plain Node and browsers find files by their full names only, those of @babylonjs/core, too.
                onResolve({ filter: /^\.|^@babylonjs\// }, ({ path, kind }) =>
                    kind === "entry-point" ? null : { path: path.replace(/(\.js)?$/, ".js"), external: true },
                );
            },
        },
    ],
});

mkdirSync(umd);
for (const name of ["babylon-cloth.umd.js", "babylon-cloth.umd.js.map"]) renameSync(join(out, name), join(umd, name));
writeFileSync(join(umd, "package.json"), '{ "type": "commonjs" }\n');
for (const name of entries) {
    writeFileSync(
        join(out, `${name}.cjs`),
        `// Needs Node 20.19 or 22.12, which can require() ES modules; @babylonjs/core does, too.\nmodule.exports = require("./${name}.js");\n`,
    );
}

const emitted = join(out, "types");
run(["node_modules/typescript/bin/tsc", "--project", ".ci/tsconfig.types.json", "--outDir", emitted]);
await writeTypes(emitted, out);
rmSync(emitted, { recursive: true });

const file = join(umd, "babylon-cloth.umd.js");
const gzip = gzipSync(readFileSync(file), { level: 9 }).length;
console.log(`${basename(file)}: ${statSync(file).size} bytes, ${gzip} bytes gzip`);
