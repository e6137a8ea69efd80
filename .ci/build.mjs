// npm run build: dist/index.js, dist/babylon-cloth.umd.js, dist/babylon-cloth.umd.cjs and the .d.ts files.
// Another folder for a trial: node .ci/build.mjs --out <folder>
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const outAt = process.argv.indexOf("--out");
const out = resolve(root, outAt > 0 ? process.argv[outAt + 1] : "dist");

function run(args) {
    const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
    if (status !== 0) process.exit(status ?? 1);
}

/**
 * Gives the relative and the deep @babylonjs imports of a declaration file their ".js". TypeScript consumers with
 * moduleResolution "node16" or "nodenext" resolve as Node does and find nothing without it.
 */
function completeImports(path) {
    const text = readFileSync(path, "utf8");
    const complete = text.replace(
        /(\bfrom |\bimport\(|\bimport |\bmodule )(["'])(\.{1,2}\/[^"']+|@babylonjs\/[^/"']+\/[^"']+)\2/g,
        (whole, before, quote, specifier) => {
            if (/\.js$/.test(specifier)) return whole;
            const isFolder = specifier.startsWith(".") && existsSync(join(dirname(path), specifier, "index.d.ts"));
            return `${before}${quote}${specifier}${isFolder ? "/index.js" : ".js"}${quote}`;
        },
    );
    if (complete !== text) writeFileSync(path, complete);
}

rmSync(out, { recursive: true, force: true });
run(["node_modules/webpack/bin/webpack.js", "--env", `out=${out}`]);
// require() of a .js file inside a "type": "module" package yields an empty namespace, hence the second name.
copyFileSync(join(out, "babylon-cloth.umd.js"), join(out, "babylon-cloth.umd.cjs"));
run(["node_modules/typescript/bin/tsc", "--project", ".ci/tsconfig.types.json", "--outDir", out]);
for (const name of readdirSync(out, { recursive: true, encoding: "utf8" })) {
    if (name.endsWith(".d.ts")) completeImports(join(out, name));
}

const umd = join(out, "babylon-cloth.umd.js");
const gzip = gzipSync(readFileSync(umd), { level: 9 }).length;
console.log(`${relative(root, umd)}: ${statSync(umd).size} bytes, ${gzip} bytes gzip`);
