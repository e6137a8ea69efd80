// The package as its users get it: packed, checked by publint and are-the-types-wrong, laid out as npm would install it, then
// imported and required in plain Node. Bundlers, script tags and types: files of their own. Nothing here reaches into src/.
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { root } from "./browser";
import { consumer, core, expectHangingCloth, imported, program, required, runNode, writeIn } from "./consumer";

const project = consumer();

const umdFile = "umd/babylon-cloth.umd.js";

/** require() of ES modules, which @babylonjs/core are: from Node 20.19 and 22.12 on. */
const canRequireModules = "require_module" in process.features;

describe("the packed file", () => {
    const text = (name: string) => readFileSync(join(project.installed, name), "utf8");

    test("every entry point names a file in it", () => {
        const manifest = JSON.parse(text("package.json"));
        const paths: string[] = ["main", "module", "types", "unpkg", "jsdelivr"].map((key) => manifest[key]);
        JSON.stringify(manifest.exports, (_, value) => (typeof value === "string" && paths.push(value), value));
        expect(paths.length).toBeGreaterThan(10);
        for (const path of paths) expect([path, existsSync(join(project.installed, path))]).toEqual([path, true]);
    });

    test("its README's pictures and links lead to files of this version in the repository", () => {
        const { bugs, repository, version } = JSON.parse(text("package.json"));
        const links = [...text("README.md").matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link);
        const base = bugs.url.replace(/issues$/, "");
        expect(repository.url).toBe(`git+${base.slice(0, -1)}.git`);
        const own = [...links.join("\n").matchAll(new RegExp(`^${base}(blob|raw)/v${version}/([^#\\n]+)`, "gm"))];
        const paths = own.map(([, view, path]) => `${view} ${path}`);
        expect(paths).toEqual(expect.arrayContaining(["raw docs/images/flag.jpg", "blob docs/reference/README.md"]));
        for (const [, , path] of own) expect([path, existsSync(join(root, path))]).toEqual([path, true]);
        for (const link of links) expect(link).toMatch(/^(https:|#)/);
    });

    test("has the library, its types, README and licence only, in at most 1.2 MB", () => {
        const [tarball] = readdirSync(project.folder).filter((name) => name.endsWith(".tgz"));
        expect(statSync(join(project.folder, tarball)).size).toBeLessThanOrEqual(1.2e6);
        expect(readdirSync(project.installed).sort()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
        const files = readdirSync(join(project.installed, "dist"), { recursive: true, encoding: "utf8" });
        expect(files.filter((name) => name.endsWith(".map"))).toEqual([]);
        for (const name of files.filter((each) => each.endsWith(".js"))) {
            expect([name, text(`dist/${name}`).includes("sourceMappingURL")]).toEqual([name, false]);
        }
    });

    test("holds one build of the library, and none of its tools", () => {
        const scripts = readdirSync(join(project.installed, "dist"), { recursive: true, encoding: "utf8" })
            .filter((file) => /\.c?js$/.test(file))
            .sort();
        const isModule = (file: string): boolean => existsSync(join(root, "src", file.replace(/\.js$/, ".ts")));
        expect(scripts.filter((file) => !isModule(file))).toEqual(["files.cjs", "index.cjs", "loader.cjs", umdFile, "vrm.cjs"]);
        expect(scripts).toEqual(expect.arrayContaining(["files.js", "index.js", "loader.js"]));
        expect(scripts.filter((file) => /umd\.js|allModules|printable|assembly/.test(file))).toEqual([umdFile]);
        expect(text("dist/index.cjs").length).toBeLessThan(200);
        expect(Object.keys(JSON.parse(text("package.json")))).not.toContain("devDependencies");
    });
});

describe("ES module", () => {
    test("is imported in plain Node", () => {
        writeIn(project.folder, "use.js", program(core(imported) + imported("ClothBehavior, select", "babylon-cloth")));
        expectHangingCloth(JSON.parse(runNode(["use.js"], project.folder)));
    });

    (canRequireModules ? test : test.skip)("is require()d in plain Node, and is the same module then", () => {
        writeIn(project.folder, "use.cjs", program(core(required) + required("ClothBehavior, select", "babylon-cloth")));
        expectHangingCloth(JSON.parse(runNode(["use.cjs"], project.folder)));
        writeIn(
            project.folder,
            "both.mjs",
            `import { createRequire } from "node:module";
            import * as imported from "babylon-cloth";
            console.log(createRequire(import.meta.url)("babylon-cloth").ClothBehavior === imported.ClothBehavior);`,
        );
        expect(runNode(["both.mjs"], project.folder)).toBe("true\n");
    });

    test("its further ways in are of one piece with it: files and the loader's extension", () => {
        writeIn(
            project.folder,
            "further.mjs",
            `import { ClothBehavior } from "babylon-cloth";
            import "babylon-cloth/files";
            import { CLOTH_EXTENSION } from "babylon-cloth/loader";
            import { registeredGLTFExtensions } from "@babylonjs/loaders/glTF/2.0/glTFLoaderExtensionRegistry.js";
            console.log(new ClothBehavior().serialize().format, registeredGLTFExtensions.has(CLOTH_EXTENSION));`,
        );
        expect(runNode(["further.mjs"], project.folder)).toBe("babylon-cloth true\n");
    });

    test("without WebAssembly says so once, and nothing dies", () => {
        const first = writeIn(project.folder, "noWebAssembly.mjs", "delete globalThis.WebAssembly;");
        const main = writeIn(
            project.folder,
            "refused.mjs",
            `${core(imported)}${imported("ClothBehavior", "babylon-cloth")}
            console.log(ClothBehavior.isSupported);`,
        );
        expect(runNode(["--import", pathToFileURL(first).href, main], project.folder)).toContain("false");
    });

    test("asks for single modules of @babylonjs/core only", () => {
        const dist = join(project.installed, "dist");
        const modules = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) => /(?<!umd)\.js$/.test(file));
        const texts = modules.map((file) => readFileSync(join(dist, file), "utf8"));
        const requests = texts.flatMap((text) =>
            [...text.matchAll(/^(?:import .*|} )from "([^".][^"]*)";$/gm)].map((match) => match[1]),
        );
        expect(requests.length).toBeGreaterThan(10);
        for (const request of requests) expect(request).toMatch(/^@babylonjs\/(core|loaders)\/.+\.js$/);
    });
});
