// npm run site: .cache/site/, static files that run from any folder of any server. Another one: node .ci/site.mjs --out <folder>
//
//   index.html     the gallery; index.html?studio the studio
//   reference/     every public name, README and docs/, by TypeDoc, which must have nothing to complain of
//
// --only reference  leaves the page out.
import { spawnSync } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { values } = parseArgs({ options: { out: { type: "string", default: ".cache/site" }, only: { type: "string" } } });
const out = resolve(root, values.out);

function run(...args) {
    const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
    if (status !== 0) process.exit(status ?? 1);
}

// The page first: it empties the folder.
if (values.only !== "reference") {
    const docs = "docs=reference/index.html";
    run("node_modules/webpack/bin/webpack.js", "--env", "playground", "--env", `out=${out}`, "--env", docs);
}
run("node_modules/typedoc/bin/typedoc", "--options", ".ci/typedoc.json", "--out", join(out, "reference"), "--logLevel", "Warn");
