// The package as its users get it: built, laid out as npm would install it, then imported in plain Node, required,
// loaded by a script tag after babylon.js, and type-checked. Nothing here reaches into src/.
import { spawnSync } from "node:child_process";
import {
    cpSync,
    existsSync,
    mkdirSync,
    mkdtempSync,
    readFileSync,
    readdirSync,
    rmSync,
    symlinkSync,
    writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { launchBrowser, newWatchedPage, root, serve } from "./browser";

/** Largest UMD file [bytes, gzip level 9], WASM included, Babylon excluded. */
const maxUmdGzipBytes = 40_000;

/** A user's project: its node_modules holds babylon-cloth as installed and links to Babylon. */
let project = "";
const dist = () => join(project, "node_modules/babylon-cloth/dist");

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

beforeAll(() => {
    project = mkdtempSync(join(tmpdir(), "babylon-cloth-consumer-"));
    const installed = join(project, "node_modules/babylon-cloth");
    mkdirSync(installed, { recursive: true });
    runNode([join(root, ".ci/build.mjs"), "--out", join(installed, "dist")], root);
    cpSync(join(root, "package.json"), join(installed, "package.json"));
    for (const name of ["@babylonjs", "babylonjs"]) {
        symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name), "junction");
    }
    writeFileSync(join(project, "package.json"), JSON.stringify({ name: "consumer", type: "module" }));
}, 120_000);

afterAll(() => {
    if (project) rmSync(project, { recursive: true, force: true });
});

describe("package.json", () => {
    test("every entry point names a file that the build writes", () => {
        const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
        const entries = ["main", "module", "types", "unpkg", "jsdelivr"].map((key) => manifest[key]);
        for (const path of [...entries, ...Object.values<string>(manifest.exports["."])]) {
            expect([path, existsSync(join(dist(), "..", path))]).toEqual([path, true]);
        }
    });
});

describe("ES module", () => {
    test("runs in plain Node", () => {
        writeFileSync(
            join(project, "use.js"),
            `import { NullEngine } from "@babylonjs/core/Engines/nullEngine.js";
            import { Scene } from "@babylonjs/core/scene.js";
            import { FreeCamera } from "@babylonjs/core/Cameras/freeCamera.js";
            import { Vector3 } from "@babylonjs/core/Maths/math.vector.js";
            import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder.js";
            import { Logger } from "@babylonjs/core/Misc/logger.js";
            import { ClothBehavior, select } from "babylon-cloth";
            Logger.LogLevels = Logger.ErrorLogLevel;
            ${useCloth}
            console.log(JSON.stringify(result));`,
        );
        expectHangingCloth(JSON.parse(runNode(["use.js"], project)));
    });

    test("asks for single modules of @babylonjs/core only", () => {
        const text = readFileSync(join(dist(), "index.js"), "utf8");
        const requests = [...text.matchAll(/^import .*from "([^"]+)";$/gm)].map((match) => match[1]);
        expect(requests.length).toBeGreaterThan(0);
        for (const request of requests) expect(request).toMatch(/^@babylonjs\/core\/.+\.js$/);
    });
});

describe("UMD file", () => {
    test("is require()d in Node with the babylonjs package", () => {
        writeFileSync(
            join(project, "use.cjs"),
            `const { NullEngine, Scene, FreeCamera, Vector3, CreateGround, Logger } = require("babylonjs");
            const { ClothBehavior, select } = require("babylon-cloth");
            Logger.LogLevels = Logger.ErrorLogLevel;
            ${useCloth}
            console.log(JSON.stringify(result));`,
        );
        expectHangingCloth(JSON.parse(runNode(["use.cjs"], project)));
    });

    test("is BABYLONCLOTH in a page after babylon.js, and its cloth moves as the page renders", async () => {
        const server = await serve(
            { "/babylonjs/": join(root, "node_modules/babylonjs"), "/": dist() },
            {
                pages: {
                    "/": `<!doctype html><canvas id="canvas" width="320" height="240"></canvas>
                        <script src="/babylonjs/babylon.js"></script>
                        <script src="/babylon-cloth.umd.js"></script>
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
    }, 60_000);

    test(`is at most ${maxUmdGzipBytes} bytes gzip`, () => {
        const gzip = gzipSync(readFileSync(join(dist(), "babylon-cloth.umd.js")), { level: 9 }).length;
        expect(gzip).toBeLessThanOrEqual(maxUmdGzipBytes);
    });
});

describe("declarations", () => {
    test("import only files that exist, by their full name", () => {
        const names = readdirSync(dist(), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".d.ts"));
        expect(names).toContain("index.d.ts");
        for (const name of names) {
            const path = join(dist(), name);
            for (const [, request] of readFileSync(path, "utf8").matchAll(/(?:from |import\()"([^"]+)"/g)) {
                const file = request.startsWith(".")
                    ? join(dirname(path), request)
                    : join(project, "node_modules", request);
                expect([name, request, existsSync(file.replace(/\.js$/, ".d.ts"))]).toEqual([name, request, true]);
            }
        }
    });

    // The wrong assignments fail only where the types were found: an unresolved module would be `any`.
    const source = (ending: string) => `
        import { ClothBehavior, Fabrics, Wind, select } from "babylon-cloth";
        import type { Mesh } from "@babylonjs/core/Meshes/mesh${ending}";
        import { Vector3 } from "@babylonjs/core/Maths/math.vector${ending}";
        export function dress(mesh: Mesh): number {
            const cloth = new ClothBehavior({ wind: new Wind({ velocity: new Vector3(1, 0, 0) }) });
            mesh.addBehavior(cloth);
            cloth.unpin(cloth.pin(select.edge("-x")));
            // @ts-expect-error
            cloth.step("1");
            // @ts-expect-error
            select.edge("w");
            // @ts-expect-error
            const wrong: string = cloth.particleCount;
            return Object.keys(Fabrics).length + wrong.length;
        }`;

    test.each([
        ["bundler", "ESNext", ""],
        ["nodenext", "NodeNext", ".js"],
    ])("resolve with moduleResolution %s", (moduleResolution, module, ending) => {
        writeFileSync(join(project, `${moduleResolution}.ts`), source(ending));
        writeFileSync(
            join(project, "tsconfig.json"),
            JSON.stringify({
                compilerOptions: {
                    module,
                    moduleResolution,
                    target: "ES2022",
                    lib: ["ES2022", "DOM"],
                    types: [],
                    strict: true,
                    noEmit: true,
                    preserveSymlinks: true,
                    skipLibCheck: true,
                },
                files: [`${moduleResolution}.ts`],
            }),
        );
        const { stdout } = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc")], {
            cwd: project,
            encoding: "utf8",
        });
        expect(stdout).toBe("");
    }, 60_000);
});
