// A user's project: babylon-cloth in its node_modules as npm would install it from the packed file, and links to Babylon. Packed once a run.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect } from "@jest/globals";
import { root } from "./browser";
import { builtOnce } from "./builds";

/** A user's project, known from the first test on. */
export interface Consumer {
    /** Its folder, shared by all test files that have one: names of what they write differ. */
    folder: string;
    /** Where babylon-cloth is installed. */
    installed: string;
}

/** To be called once in a file. */
export function consumer(): Consumer {
    const project = {} as Consumer;
    beforeAll(async () => {
        project.folder = await builtOnce("consumer", install);
        project.installed = join(project.folder, PLACE);
    }, 300_000);
    return project;
}

const PLACE = "node_modules/babylon-cloth";

function install(project: string): void {
    const installed = join(project, PLACE);
    mkdirSync(installed, { recursive: true });
    // Fails on anything that publint or are-the-types-wrong find.
    runNode([join(root, ".ci/package.mjs"), "--out", project], root);
    const tarball = readdirSync(project).find((name) => name.endsWith(".tgz"))!;
    const { status } = spawnSync("tar", ["-xzf", tarball, "-C", installed, "--strip-components=1"], { cwd: project });
    expect(status).toBe(0);
    for (const name of ["@babylonjs", "babylonjs"]) {
        symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name), "junction");
    }
    writeIn(project, "package.json", JSON.stringify({ name: "consumer", type: "module" }));
}

/** Writes a file of a folder. @returns its path */
export function writeIn(folder: string, name: string, text: string): string {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
}

/**
 * Bundles a TypeScript program of a user's project by webpack with ts-loader.
 * @param folder to be made for it, in the project's
 * @param module the form of its modules before webpack reads them
 * @param config what else the configuration says
 * @returns path of the bundle
 */
export function bundleByWebpack(folder: string, text: string, module: "commonjs" | "es2022", config: object): string {
    mkdirSync(folder);
    writeIn(folder, "use.ts", text);
    writeIn(folder, "tsconfig.json", JSON.stringify({ compilerOptions: { module, target: "ES2022" }, files: ["use.ts"] }));
    const loader = JSON.stringify(join(root, "node_modules/ts-loader"));
    writeIn(
        folder,
        "config.cjs",
        `module.exports = {
            ...${JSON.stringify(config)},
            devtool: false, context: __dirname, entry: "./use.ts", output: { path: __dirname, filename: "out.cjs" },
            module: { rules: [{ test: /\\.ts$/, loader: ${loader}, options: { transpileOnly: true } }] },
            resolve: { extensions: [".ts", ".js"], symlinks: false },
        };`,
    );
    runNode([join(root, "node_modules/webpack/bin/webpack.js"), "--config", "config.cjs"], folder);
    return join(folder, "out.cjs");
}

/** What Node prints of a program; fails with all of it where the program does. */
export function runNode(args: string[], cwd: string): string {
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

/** The cloth of {@link program} hangs from its edge. */
export function expectHangingCloth(result: Record<string, unknown>): void {
    expect(result).toMatchObject({ particleCount: 17 * 17, finite: true });
    expect(result.lowest).toBeLessThan(-0.5);
    expect(result.lowest).toBeGreaterThan(-2.5);
    expect(result.highest).toBeCloseTo(0, 1);
    expect(result.meshLowest).toBeCloseTo(result.lowest as number, 1);
}

/** A program of the user that prints what became of the cloth; Babylon and the cloth come by `head`. */
export function program(head: string): string {
    return `${head}
        Logger.LogLevels = Logger.ErrorLogLevel;
        ${useCloth}
        console.log(JSON.stringify(result));`;
}

/** The names that programs use, from single modules of @babylonjs/core; `load` makes an import of names and module. */
export const core = (load: (names: string, request: string) => string, ending = ".js") =>
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
/** An import of names from a module. */
export const imported = (names: string, request: string) => `import { ${names} } from "${request}";`;
/** The same by require(). */
export const required = (names: string, request: string) => `const { ${names} } = require("${request}");`;
