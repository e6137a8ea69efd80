// The declarations, one file for each way in. Classes of @babylonjs/core, of the babylonjs package and of its global BABYLON are
// three families that do not fit each other, so each has ours in its own terms.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const source = join(dirname(fileURLToPath(import.meta.url)), "../src/index.ts");

/** Names that exist when the program runs; the barrel exports the others as types. */
export const values = [...readFileSync(source, "utf8").matchAll(/^export \{([^}]*)\} from/gm)]
    .flatMap(([, names]) => names.split(","))
    .map((name) => name.trim().replace(/^.* as /, ""))
    .filter(Boolean);

/**
 * @param emitted folder of tsc's declarations
 * @param out folder of the package's files
 */
export async function writeTypes(emitted, out) {
    const { rollup } = await import("rollup");
    const { dts } = await import("rollup-plugin-dts");
    const bundle = await rollup({ input: join(emitted, "index.d.ts"), external: /^@babylonjs\//, plugins: [dts()] });
    const { output } = await bundle.generate({ format: "es" });
    await bundle.close();
    const { body, imports } = takeImports(withTypeExports(output[0].code));

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
