// The declarations, one file for each way in. Classes of @babylonjs/core, of the babylonjs package and of its global BABYLON are
// three families that do not fit each other, so each has ours in its own terms.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const source = join(dirname(fileURLToPath(import.meta.url)), "../src/index.ts");

/** Names that exist when the program runs; the barrel exports the others as types. */
export const values = [...readFileSync(source, "utf8").matchAll(/^export \{([^}]*)\} from/gm)]
    .flatMap(([, names]) => names.split(","))
    .map((name) => name.trim().replace(/^.* as /, ""))
    .filter(Boolean);

/** Ways in for modules, by their files. */
export const entries = ["index", "files", "loader", "vrm"];

/**
 * @param emitted folder of tsc's declarations
 * @param out folder of the package's files
 */
export async function writeTypes(emitted, out) {
    const output = await bundle("index", emitted);
    const { body, imports } = takeImports(withTypeExports(output[0].code));
    for (const name of entries.slice(1)) await writeEntry(name, emitted, out);

    // With ".js", since @babylonjs/core has no exports map: moduleResolution node16 and nodenext resolve as Node does.
    const core = ([request, names]) => `import type { ${names.join(", ")} } from "${request.replace(/(\.js)?$/, ".js")}"`;
    const write = (name, head, foot = "") => writeFileSync(join(out, name), `${head.join("\n")}\n\n${body}${foot}`);
    write(
        "index.d.ts",
        imports.map((entry) => `${core(entry)};`),
    );
    write(
        "index.d.cts",
        imports.map((entry) => `${core(entry)} with { "resolution-mode": "import" };`),
    );
    const names = imports.flatMap(([, some]) => some).sort();
    write("umd/babylon-cloth.umd.d.ts", [`import type { ${names.join(", ")} } from "babylonjs";`]);
    const aliases = names.map((name) => `import ${name} = BABYLON.${name};`);
    write("umd/global.d.ts", ['/// <reference types="babylonjs" />', ...aliases], "export as namespace BABYLONCLOTH;\n");
}

/** One declaration file of an entry's. The main one is not taken in by the others. */
async function bundle(name, emitted) {
    const { rollup } = await import("rollup");
    const { dts } = await import("rollup-plugin-dts");
    const main = join(emitted, "index");
    const isOutside = (request, from) =>
        /^@babylonjs\//.test(request) || (name !== "index" && from !== undefined && resolve(dirname(from), request) === main);
    const made = await rollup({ input: join(emitted, `${name}.d.ts`), external: isOutside, plugins: [dts()] });
    const { output } = await made.generate({ format: "es" });
    await made.close();
    return output;
}

/** The declarations of a further way in: they refer to the main ones. */
async function writeEntry(name, emitted, out) {
    const [{ code }] = await bundle(name, emitted);
    const text =
        code.replace(/from ['"][^'"]*\/index(?:\.js)?['"]/g, 'from "./index.js"').trim() || 'import "./index.js";\nexport {};';
    writeFileSync(join(out, `${name}.d.ts`), `${text}\n`);
    writeFileSync(join(out, `${name}.d.cts`), `${text.replaceAll('"./index.js"', '"./index.cjs"')}\n`);
}

/** The bundler exports classes of which the barrel exports only the type as if one could construct them. */
function withTypeExports(code) {
    const entries = [];
    const rest = code.replace(/^export (?:type )?\{([^}]*)\};\n/gm, (_, names) => {
        entries.push(...names.split(",").map((name) => name.trim()));
        return "";
    });
    const isValue = (entry) => values.includes(entry.replace(/^.* as /, ""));
    const list = (chosen) => chosen.sort().join(", ");
    return (
        `${rest.trimEnd()}\n\nexport { ${list(entries.filter(isValue))} };\n` +
        `export type { ${list(entries.filter((entry) => !isValue(entry)))} };\n`
    );
}

/** Splits off the imports, as [request, names]. */
function takeImports(code) {
    const imports = [];
    const body = code.replace(/^import (?:type )?\{([^}]*)\} from ['"]([^'"]+)['"];\n/gm, (_, names, request) => {
        imports.push([request, names.split(",").map((name) => name.trim())]);
        return "";
    });
    return { body: body.trimStart(), imports };
}
