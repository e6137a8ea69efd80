// The package as its users get it: packed, checked by publint and are-the-types-wrong, laid out as npm would install it, then
// imported and required in plain Node, bundled by webpack (ts-loader, CommonJS) and esbuild, loaded by a script tag after
// babylon.js, and type-checked. Nothing here reaches into src/.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { build } from "esbuild";
import { sizeOfApp } from "../appSize";
import { programsOf, readPages } from "../docs/blocks";
import { launchBrowser, newWatchedPage, root, serve } from "./browser";

/**
 * Most that ClothBehavior adds to an app [bytes, minified, gzip level 9], WASM included, Babylon excluded: what it is, and 1 %. What
 * an app does not name (viewers, builders, bodies) may not come along. The design asks for 45 kB, which is missed.
 */
const maxAppGzipBytes = 111_500;

/** A user's project: its node_modules holds babylon-cloth as installed and links to Babylon. */
let project = "";
const installed = () => join(project, "node_modules/babylon-cloth");
const umdFile = "umd/babylon-cloth.umd.js";

/** require() of ES modules, which @babylonjs/core are: from Node 20.19 and 22.12 on. */
const canRequireModules = "require_module" in process.features;

function runNode(args: string[], cwd: string): string {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: "utf8" });
    if (status !== 0) throw new Error(`node ${args.join(" ")} failed\n${stdout}\n${stderr}`);
    return stdout;
}

/** What every consumer does: a ground pinned at one edge, attached, stepped by hand and by the scene. */
const useCloth = `
    const engine = new NullEngine();
    const scene = new Scene(engine);
    new FreeCamera("camera", new Vector3(0, 0, -5), scene);
    const ground = CreateGround("ground", { width: 2, height: 2, subdivisions: 16 }, scene);
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("-x") }], autoStep: false });
    ground.addBehavior(cloth);
    for (let frame = 0; frame < 60; frame++) {
        cloth.step(1 / 60);
        scene.render();
    }
    const positions = Array.from(cloth.getParticlePositions());
    const result = {
        particleCount: cloth.particleCount,
        backend: cloth.stats.backend,
        finite: positions.every(Number.isFinite),
        lowest: Math.min(...positions.filter((_, i) => i % 3 === 1)),
        highest: Math.max(...positions.filter((_, i) => i % 3 === 1)),
        meshLowest: Math.min(...ground.getVerticesData("position").filter((_, i) => i % 3 === 1)),
    };
    ground.removeBehavior(cloth);
    scene.dispose();
    engine.dispose();
`;

function expectHangingCloth(result: Record<string, unknown>): void {
    expect(result).toMatchObject({ particleCount: 17 * 17, finite: true });
    expect(result.lowest).toBeLessThan(-0.5);
    expect(result.lowest).toBeGreaterThan(-2.5);
    expect(result.highest).toBeCloseTo(0, 1);
    expect(result.meshLowest).toBeCloseTo(result.lowest as number, 1);
}

/** A program of the user that prints what became of the cloth; Babylon and the cloth come by `head`. */
function program(head: string): string {
    return `${head}
        Logger.LogLevels = Logger.ErrorLogLevel;
        ${useCloth}
        console.log(JSON.stringify(result));`;
}

/** The names that programs use, from single modules of @babylonjs/core; `load` makes an import of names and module. */
const core = (load: (names: string, request: string) => string, ending = ".js") =>
    [
        ["NullEngine", "Engines/nullEngine"],
        ["Scene", "scene"],
        ["FreeCamera", "Cameras/freeCamera"],
        ["Vector3", "Maths/math.vector"],
        ["CreateGround", "Meshes/Builders/groundBuilder"],
        ["Logger", "Misc/logger"],
    ]
        .map(([names, path]) => load(names, `@babylonjs/core/${path}${ending}`))
        .join("\n");
const imported = (names: string, request: string) => `import { ${names} } from "${request}";`;
const required = (names: string, request: string) => `const { ${names} } = require("${request}");`;

/** Writes a file of the user's project. */
function write(name: string, text: string): string {
    const path = join(project, name);
    writeFileSync(path, text);
    return path;
}

beforeAll(() => {
    project = mkdtempSync(join(tmpdir(), "babylon-cloth-consumer-"));
    mkdirSync(installed(), { recursive: true });
    // Fails on anything that publint or are-the-types-wrong find.
    runNode([join(root, ".ci/package.mjs"), "--out", project], root);
    const tarball = readdirSync(project).find((name) => name.endsWith(".tgz"))!;
    const { status } = spawnSync("tar", ["-xzf", tarball, "-C", installed(), "--strip-components=1"], { cwd: project });
    expect(status).toBe(0);
    for (const name of ["@babylonjs", "babylonjs"]) {
        symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name), "junction");
    }
    write("package.json", JSON.stringify({ name: "consumer", type: "module" }));
}, 300_000);

afterAll(() => {
    if (project) rmSync(project, { recursive: true, force: true });
});

describe("the packed file", () => {
    const text = (name: string) => readFileSync(join(installed(), name), "utf8");

    test("every entry point names a file in it", () => {
        const manifest = JSON.parse(text("package.json"));
        const paths: string[] = ["main", "module", "types", "unpkg", "jsdelivr"].map((key) => manifest[key]);
        JSON.stringify(manifest.exports, (_, value) => (typeof value === "string" && paths.push(value), value));
        expect(paths.length).toBeGreaterThan(10);
        for (const path of paths) expect([path, existsSync(join(installed(), path))]).toEqual([path, true]);
    });

    test("its README's pictures and links lead to its own files, on a CDN and of this version", () => {
        const { name, version } = JSON.parse(text("package.json"));
        const links = [...text("README.md").matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link);
        const base = `https://cdn.jsdelivr.net/npm/${name}@${version}/`;
        const own = links.filter((link) => link.startsWith(base)).map((link) => link.slice(base.length).split("#")[0]);
        expect(own).toContain("docs/images/flag.jpg");
        for (const path of own) expect([path, existsSync(join(installed(), path))]).toEqual([path, true]);
        for (const link of links) expect(link).toMatch(/^(https:|#)/);
    });

    test("holds one build of the library, and none of its tools", () => {
        const scripts = readdirSync(join(installed(), "dist"), { recursive: true, encoding: "utf8" })
            .filter((file) => /\.c?js$/.test(file))
            .sort();
        const entries = ["files.cjs", "files.js", "index.cjs", "index.js", "loader.cjs", "loader.js"];
        expect(scripts).toEqual([...entries, "scalar.js", umdFile]);
        expect(text("dist/index.cjs").length).toBeLessThan(200);
        expect(Object.keys(JSON.parse(text("package.json")))).not.toContain("devDependencies");
    });
});

describe("ES module", () => {
    test("is imported in plain Node", () => {
        write("use.js", program(core(imported) + imported("ClothBehavior, select", "babylon-cloth")));
        expectHangingCloth(JSON.parse(runNode(["use.js"], project)));
    });

    (canRequireModules ? test : test.skip)("is require()d in plain Node, and is the same module then", () => {
        write("use.cjs", program(core(required) + required("ClothBehavior, select", "babylon-cloth")));
        expectHangingCloth(JSON.parse(runNode(["use.cjs"], project)));
        write(
            "both.mjs",
            `import { createRequire } from "node:module";
            import * as imported from "babylon-cloth";
            console.log(createRequire(import.meta.url)("babylon-cloth").ClothBehavior === imported.ClothBehavior);`,
        );
        expect(runNode(["both.mjs"], project)).toBe("true\n");
    });

    test("its further ways in are of one piece with it: files and the loader's extension", () => {
        write(
            "further.mjs",
            `import { ClothBehavior } from "babylon-cloth";
            import "babylon-cloth/files";
            import { CLOTH_EXTENSION } from "babylon-cloth/loader";
            import { registeredGLTFExtensions } from "@babylonjs/loaders/glTF/2.0/glTFLoaderExtensionRegistry.js";
            console.log(new ClothBehavior().serialize().format, registeredGLTFExtensions.has(CLOTH_EXTENSION));`,
        );
        expect(runNode(["further.mjs"], project)).toBe("babylon-cloth true\n");
    });

    test("is bundled by webpack with ts-loader and module commonjs, without the babylonjs package", () => {
        mkdirSync(join(project, "webpack"));
        write("webpack/use.ts", program(core(imported, "") + imported("ClothBehavior, select", "babylon-cloth")));
        write(
            "webpack/tsconfig.json",
            JSON.stringify({
                compilerOptions: { module: "commonjs", target: "ES2022" },
                files: ["use.ts"],
            }),
        );
        write(
            "webpack/config.cjs",
            `module.exports = {
            mode: "development", devtool: false, target: "node", context: __dirname,
            entry: "./use.ts", output: { path: __dirname, filename: "out.cjs" },
            module: { rules: [{
                test: /\\.ts$/, loader: ${JSON.stringify(join(root, "node_modules/ts-loader"))}, options: { transpileOnly: true },
            }] },
            resolve: { extensions: [".ts", ".js"], symlinks: false },
            // No such package here, as in most projects.
            externals: { babylonjs: "commonjs no-such-package" },
        };`,
        );
        runNode([join(root, "node_modules/webpack/bin/webpack.js"), "--config", "webpack/config.cjs"], project);
        expect(readFileSync(join(project, "webpack/out.cjs"), "utf8")).not.toContain("no-such-package");
        expectHangingCloth(JSON.parse(runNode(["webpack/out.cjs"], project)));
    }, 240_000);

    test.each([
        ["import", "js", core(imported) + imported("ClothBehavior, select", "babylon-cloth")],
        ["require", "cjs", core(required) + required("ClothBehavior, select", "babylon-cloth")],
    ])(
        "is bundled by esbuild from %s",
        async (way, ending, head) => {
            const outfile = join(project, `esbuild-${way}.cjs`);
            await build({
                stdin: { contents: program(head), resolveDir: project, sourcefile: `${way}.${ending}` },
                bundle: true,
                platform: "node",
                format: "cjs",
                logLevel: "error",
                outfile,
                preserveSymlinks: true,
            });
            expectHangingCloth(JSON.parse(runNode([outfile], project)));
        },
        240_000,
    );

    test(`adds at most ${maxAppGzipBytes} bytes to an app that names ClothBehavior only`, async () => {
        const { text, gzip, later } = await sizeOfApp('export { ClothBehavior } from "babylon-cloth";', project);
        expect(gzip).toBeLessThanOrEqual(maxAppGzipBytes);
        expect(text).not.toContain("ClothBuilder");
        // The fallback's kernels are a file of their own.
        expect(later).toBeGreaterThan(10_000);
    });

    test("loads the scalar kernels where there is no WebAssembly", () => {
        const late = program(core(imported) + imported("ClothBehavior, select", "babylon-cloth"));
        const wait = "await new Promise((resolve) => setTimeout(resolve, 500));";
        const first = write("noWebAssembly.mjs", "delete globalThis.WebAssembly;");
        const main = write("late.mjs", late.replace("for (let frame", `${wait}\nfor (let frame`));
        const result = JSON.parse(runNode(["--import", pathToFileURL(first).href, main], project));
        expectHangingCloth(result);
        expect(result.backend).toBe("scalar");
    });

    test("runs the README's quick start in a page, where its flag is seen from both sides", async () => {
        const quickstart = programsOf(readPages(root)).get("quickstart")!;
        const outfile = join(project, "page/quickstart.js");
        await build({
            stdin: {
                contents: `${quickstart} Object.assign(globalThis, { engine, scene, camera, cloth });`,
                resolveDir: project,
                loader: "ts",
            },
            bundle: true,
            format: "esm",
            logLevel: "error",
            outfile,
            preserveSymlinks: true,
        });
        const server = await serve(
            { "/": join(project, "page") },
            {
                pages: {
                    "/": '<!doctype html><canvas style="width: 320px; height: 180px"></canvas><script type="module" src="/quickstart.js"></script>',
                },
            },
        );
        const browser = await launchBrowser();
        try {
            const { page, errors } = await newWatchedPage(browser, { width: 360, height: 240 });
            await page.goto(`${server.url}/`);
            await page.waitForFunction(
                "globalThis.cloth && Math.max(...cloth.getParticlePositions().filter((_, i) => i % 3 === 2)) > 0.3",
            );
            /** Share of the picture that is red. */
            const redShare = () =>
                page.evaluate<number>(`new Promise((resolve) => scene.onAfterRenderObservable.addOnce(async () => {
                const pixels = await engine.readPixels(0, 0, engine.getRenderWidth(), engine.getRenderHeight());
                let red = 0;
                for (let o = 0; o < pixels.length; o += 4) if (pixels[o] > 40 && pixels[o] > 2 * pixels[o + 1] && pixels[o] > 2 * pixels[o + 2]) red++;
                resolve(4 * red / pixels.length);
            }))`);
            expect(await redShare()).toBeGreaterThan(0.1);
            await page.evaluate("camera.alpha += Math.PI");
            expect(await redShare()).toBeGreaterThan(0.1);
            expect(errors).toEqual([]);
        } finally {
            await browser.close();
            await server.close();
        }
    }, 240_000);

    test("asks for single modules of @babylonjs/core only", () => {
        const text = readFileSync(join(join(installed(), "dist"), "index.js"), "utf8");
        const requests = [...text.matchAll(/^import .*from "([^"]+)";$/gm)].map((match) => match[1]);
        expect(requests.length).toBeGreaterThan(0);
        for (const request of requests) expect(request).toMatch(/^@babylonjs\/core\/.+\.js$/);
    });
});

describe("UMD file", () => {
    const names = "NullEngine, Scene, FreeCamera, Vector3, CreateGround, Logger";

    test("is require()d beside the babylonjs package", () => {
        write("umd.cjs", program(required(names, "babylonjs") + required("ClothBehavior, select", "babylon-cloth/umd")));
        expectHangingCloth(JSON.parse(runNode(["umd.cjs"], project)));
    });

    test("is imported beside the babylonjs package, by its names", () => {
        write(
            "umd.mjs",
            program(`import BABYLON from "babylonjs";
            const { ${names} } = BABYLON;
            import { ClothBehavior, Fabrics, Wind, select } from "babylon-cloth/umd";
            if (!Fabrics.silk || !Wind) throw new Error("names are missing");`),
        );
        expectHangingCloth(JSON.parse(runNode(["umd.mjs"], project)));
    });

    test("is BABYLONCLOTH in a page after babylon.js, and its cloth moves as the page renders", async () => {
        const server = await serve(
            { "/babylonjs/": join(root, "node_modules/babylonjs"), "/": join(installed(), "dist") },
            {
                pages: {
                    "/": `<!doctype html><canvas id="canvas" width="320" height="240"></canvas>
                        <script src="/babylonjs/babylon.js"></script>
                        <script src="/${umdFile}"></script>
                        <script>
                            const engine = new BABYLON.Engine(document.getElementById("canvas"));
                            const scene = new BABYLON.Scene(engine);
                            new BABYLON.ArcRotateCamera("camera", -1.6, 1.2, 5, BABYLON.Vector3.Zero(), scene);
                            new BABYLON.HemisphericLight("light", BABYLON.Vector3.Up(), scene);
                            const flag = BABYLON.MeshBuilder.CreateGround(
                                "flag", { width: 2, height: 2, subdivisions: 24, updatable: false }, scene);
                            const { ClothBehavior, Wind, select } = BABYLONCLOTH;
                            window.cloth = new ClothBehavior({
                                pins: [{ select: select.edge("-x") }],
                                wind: new Wind({ velocity: new BABYLON.Vector3(4, 0, 1) }),
                            });
                            flag.addBehavior(cloth);
                            const ball = BABYLON.MeshBuilder.CreateSphere("ball", { diameter: 0.6 }, scene);
                            ball.position.set(0.4, -0.8, 0);
                            cloth.addCollider(ball);
                            engine.runRenderLoop(() => scene.render());
                        </script>`,
                },
            },
        );
        const browser = await launchBrowser();
        try {
            const { page, errors } = await newWatchedPage(browser, { width: 320, height: 240 });
            await page.goto(`${server.url}/`);
            const moved = `(() => {
                const y = Array.from(cloth.getParticlePositions()).filter((_, i) => i % 3 === 1);
                if (!y.every(Number.isFinite)) throw new Error("non-finite particles");
                return Math.min(...y) < -0.2;
            })()`;
            await page.waitForFunction(moved, undefined, { timeout: 30_000 });
            expect(await page.evaluate("cloth.particleCount")).toBe(25 * 25);
            expect(errors).toEqual([]);
        } finally {
            await browser.close();
            await server.close();
        }
    }, 240_000);
});

describe("declarations", () => {
    test("declare what users may name, and no insides", () => {
        const types = readFileSync(join(installed(), "dist/index.d.ts"), "utf8");
        const declared = types.matchAll(/^(?:declare )?(?:abstract )?(?:const|class|interface|type|function|enum) (\w+)/gm);
        const exported = types.matchAll(/^export (?:type )?\{([^}]*)\};$/gm);
        expect(Array.from(declared, ([, name]) => name).sort()).toEqual(
            Array.from(exported, ([, names]) => names.trim().split(/,\s*/))
                .flat()
                .sort(),
        );
    });

    // The wrong assignments fail only where the types were found: an unresolved module would be `any`.
    const source = (head: string) => `${head}
        export function dress(mesh: Mesh): number {
            const cloth = new ClothBehavior({ wind: new Wind({ velocity: new Vector3(1, 0, 0) }) });
            mesh.addBehavior(cloth);
            const pin: Pin = cloth.pin(select.edge("-x"));
            cloth.unpin(pin);
            cloth.addCollider(mesh);
            // @ts-expect-error
            cloth.step("1");
            // @ts-expect-error
            select.edge("w");
            // @ts-expect-error
            const wrong: string = cloth.particleCount;
            return Object.keys(Fabrics).length + wrong.length;
        }`;
    const ours = (name: string) => `import { ClothBehavior, Fabrics, Wind, select } from "${name}";
        import type { Pin } from "${name}";
        // @ts-expect-error: a type only, nothing to construct
        import { Pin as NoValue } from "${name}"; new NoValue();`;
    const withCore = (ending = "") =>
        source(`${ours("babylon-cloth")}
        import "babylon-cloth/files";
        import { CLOTH_EXTENSION } from "babylon-cloth/loader";
        // @ts-expect-error
        export const notANumber: number = CLOTH_EXTENSION;
        import type { Mesh } from "@babylonjs/core/Meshes/mesh${ending}";
        import { Vector3 } from "@babylonjs/core/Maths/math.vector${ending}";`);
    const withUmd = source(`${ours("babylon-cloth/umd")} import { Mesh, Vector3 } from "babylonjs";`);
    const withGlobals = `/// <reference types="babylonjs" />
        /// <reference types="babylon-cloth/global" />
        declare const mesh: BABYLON.Mesh;
        const cloth: BABYLONCLOTH.ClothBehavior = new BABYLONCLOTH.ClothBehavior();
        mesh.addBehavior(cloth);
        // @ts-expect-error
        cloth.step("1");`;

    test.each<[string, Record<string, string>, Record<string, string>]>([
        ["bundler", { module: "ESNext" }, { "core.ts": withCore(), "umd.ts": withUmd, "globals.ts": withGlobals }],
        [
            "nodenext",
            { module: "NodeNext" },
            { "core.ts": withCore(".js"), "core.cts": withCore(".js"), "umd.ts": withUmd, "umd.cts": withUmd },
        ],
        ["node10", { module: "CommonJS", ignoreDeprecations: "6.0" }, { "core.ts": withCore(), "umd.ts": withUmd }],
    ])(
        "fit Babylon's with moduleResolution %s",
        (moduleResolution, options, files) => {
            const folder = `types-${moduleResolution}`;
            mkdirSync(join(project, folder));
            for (const [name, text] of Object.entries(files)) write(`${folder}/${name}`, text);
            write(
                `${folder}/tsconfig.json`,
                JSON.stringify({
                    compilerOptions: {
                        ...options,
                        moduleResolution,
                        target: "ES2022",
                        lib: ["ES2022", "DOM"],
                        types: [],
                        strict: true,
                        noEmit: true,
                        preserveSymlinks: true,
                        skipLibCheck: true,
                    },
                    files: Object.keys(files),
                }),
            );
            const { stdout } = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder], {
                cwd: project,
                encoding: "utf8",
            });
            expect(stdout).toBe("");
        },
        240_000,
    );
});
