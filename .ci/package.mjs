// npm run package: builds, writes babylon-cloth-<version>.tgz, and checks that file as its users' tools read it (publint,
// are-the-types-wrong); no network. That file is what is published: npm publish babylon-cloth-<version>.tgz
// Another folder: node .ci/package.mjs --out <folder>
// CLOTH_DIST names a folder that npm run build has just written, to be packed as it is.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const outAt = process.argv.indexOf("--out");
const out = resolve(root, outAt > 0 ? process.argv[outAt + 1] : ".");

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
// What concerns this repository only.
for (const key of ["scripts", "devDependencies", "jest"]) delete manifest[key];

const stage = mkdtempSync(join(tmpdir(), "babylon-cloth-pack-"));
process.on("exit", () => rmSync(stage, { recursive: true, force: true }));

function run(command, args, options = {}) {
    const { status } = spawnSync(command, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"], ...options });
    if (status !== 0) process.exit(status ?? 1);
}

/** A registry shows the README alone: its links lead to this version in the repository. Pictures are asked for as files. */
function withAbsoluteLinks(text) {
    const repository = manifest.bugs.url.replace(/\/issues$/, "");
    return text.replace(/\]\((?![a-z]+:|#)([^)\s]+)/g, (_, path) => {
        const view = /\.(jpg|png|svg|webp)$/.test(path) ? "raw" : "blob";
        return `](${repository}/${view}/v${manifest.version}/${path}`;
    });
}

/** Takes source maps away, which are half of the package: its modules are not minified. */
function removeSourceMaps(folder) {
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
        const path = join(folder, name);
        if (name.endsWith(".map")) rmSync(path);
        else if (name.endsWith(".js")) {
            writeFileSync(path, readFileSync(path, "utf8").replace(/^\/\/# sourceMappingURL=\S+\s*$/m, ""));
        }
    }
}

if (process.env.CLOTH_DIST) cpSync(process.env.CLOTH_DIST, join(stage, "dist"), { recursive: true });
else run(process.execPath, [".ci/build.mjs", "--out", join(stage, "dist")]);
removeSourceMaps(join(stage, "dist"));
cpSync(join(root, "LICENSE"), join(stage, "LICENSE"));
writeFileSync(join(stage, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
writeFileSync(join(stage, "README.md"), withAbsoluteLinks(readFileSync(join(root, "README.md"), "utf8")));

mkdirSync(out, { recursive: true });
const isWindows = process.platform === "win32";
run("npm", ["pack", "--loglevel=error", "--pack-destination", out], { cwd: stage, shell: isWindows, stdio: "ignore" });
const tarball = join(out, `${manifest.name}-${manifest.version}.tgz`);
run(process.execPath, ["node_modules/publint/src/cli.js", "--strict", tarball]);
run(process.execPath, ["node_modules/@arethetypeswrong/cli/dist/index.js", "--no-color", "--format", "ascii", tarball]);
if (manifest.homepage.includes("OWNER")) console.log("OWNER in package.json is a placeholder: see Release in CONTRIBUTING.md");
console.log(relative(process.cwd(), tarball));
