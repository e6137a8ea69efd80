// The playground in a real Chromium: every scene is opened, run and looked at, and its copied source is run where it will
// be pasted, beside the UMD files. Screenshots go to test/browser/screenshots/, to be looked at by people.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type * as Core from "@babylonjs/core";
import type { Engine } from "@babylonjs/core/Engines/engine";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Logger } from "@babylonjs/core/Misc/logger";
import { Scene } from "@babylonjs/core/scene";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import type {} from "../../playground/index";
import type * as Cloth from "../../src/index";
import { rewind, run, scenes } from "../../playground/scenes";
import type { Assets } from "../../playground/scenes";
import { launchBrowser, newWatchedPage, root, serve } from "./browser";
import type { Browser, Page, StaticServer } from "./browser";
import { inFirefox, launchFirefox } from "./firefox";
import { openScene, runTo, seePixels } from "./scenes";

/** When screenshots are taken, since the start [s]. */
const moments = [0.4, 1.5, 4];
const screenshots = join(root, "test/browser/screenshots");
const ids = scenes.map((scene) => scene.id);

let built = "";
let server: StaticServer;
let browser: Browser;

function webpack(...args: string[]): void {
    const program = join(root, "node_modules/webpack/bin/webpack.js");
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd: root, encoding: "utf8" });
    if (status !== 0) throw new Error(`webpack ${args.join(" ")} failed\n${stdout}\n${stderr}`);
}

beforeAll(async () => {
    built = mkdtempSync(join(tmpdir(), "babylon-cloth-playground-"));
    mkdirSync(screenshots, { recursive: true });
    webpack("--env", "playground", "--env", `out=${join(built, "page")}`);
    webpack("--config-name", "umd", "--env", `out=${join(built, "umd")}`);
    server = await serve(
        { "/": join(built, "page"), "/umd/": join(built, "umd"), "/babylonjs/": join(root, "node_modules/babylonjs") },
        {
            pages: {
                "/online.html":
                    '<!doctype html><canvas width="320" height="200"></canvas>' +
                    '<script src="/babylonjs/babylon.js"></script><script src="/umd/babylon-cloth.umd.js"></script>',
            },
        },
    );
    browser = await launchBrowser();
}, 180_000);

afterAll(async () => {
    await browser?.close();
    await server?.close();
    if (built) rmSync(built, { recursive: true, force: true });
});

afterEach(async () => {
    for (const page of browser.contexts().flatMap((context) => context.pages())) await page.close();
});

describe("every scene", () => {
    test.each(ids)("%s draws moving cloth and throws nothing", async (id) => {
        const { page, errors, warnings } = await newWatchedPage(browser, { width: 640, height: 400 });
        await openScene(page, `${server.url}/?scene=${id}&paused=1&ui=0`);
        const frames: number[][] = [];
        for (const moment of moments) {
            const cloths = await runTo(page, moment);
            for (const cloth of cloths) {
                expect(cloth).toMatchObject({ badNumbers: 0, badNormals: 0 });
                expect(cloth.reach).toBeLessThan(20);
            }
            if (moment !== moments[1]) {
                const picture = await seePixels(page);
                expect(picture.colours).toBeGreaterThan(100);
                // What differs when the cloths are hidden is cloth that was seen.
                expect(picture.clothShare).toBeGreaterThan(0.01);
                frames.push(picture.grey);
            }
            await page.screenshot({ path: join(screenshots, `${id}-${moment}s.png`) });
        }
        expect(difference(frames[0], frames[1])).toBeGreaterThan(0.1);
        expect(errors).toEqual([]);
        expect(warnings.filter((text) => !/GPU stall|GroupMarkerNotSet/.test(text))).toEqual([]);
    }, 60_000);
});

describe("the page", () => {
    test("plays by itself, and its controls act on the cloth", async () => {
        const { page, errors } = await newWatchedPage(browser, { width: 720, height: 450 });
        await openScene(page, server.url);
        await waitForTime(page, 0.3);
        const links = await page.$$eval("nav a", (all) => all.map((link) => link.getAttribute("href")));
        expect(links).toEqual(ids.map((id) => `?scene=${id}`));

        await page.click("text=Pause");
        const paused = await timeOf(page);
        await page.click("text=Step");
        expect(await timeOf(page)).toBeCloseTo(paused + 1 / 60, 6);
        await page.locator("label:has-text('substeps') input").fill("7");
        await page.locator("label:has-text('speed') input").fill("0");
        await page.locator("#panel select").selectOption("denim");
        const set = await page.evaluate(async () => {
            const { cloths } = await window.playground.ready;
            const { substepCount, wind, fabric } = cloths[0];
            return { substepCount, speed: Math.hypot(wind!.velocity.x, wind!.velocity.z), density: fabric.arealDensity };
        });
        expect(set).toEqual({ substepCount: 7, speed: 0, density: 0.4 });
        expect(await page.textContent("#numbers")).toMatch(/particles[\d,]{4,}/);
        await page.click("text=Reset");
        expect(await timeOf(page)).toBe(0);

        await page.click("text=Source");
        expect(await page.textContent("#drawer code")).toMatch(/^const createScene = async function \(\) \{/);
        await page.screenshot({ path: join(screenshots, "page.png") });
        expect(errors).toEqual([]);
    }, 60_000);

    test("a tap pushes the cloth under the pointer", async () => {
        const { page } = await newWatchedPage(browser, { width: 640, height: 400 });
        await openScene(page, `${server.url}/?scene=tablecloth&paused=1&ui=0`);
        await runTo(page, 1.5);
        const energy = () => page.evaluate(async () => (await window.playground.ready).cloths[0].stats.kineticEnergy);
        const before = await energy();
        await page.mouse.click(320, 200);
        await page.waitForTimeout(500);
        expect(await energy()).toBeGreaterThan(before + 0.01);
    }, 60_000);

    test("an unknown scene is told", async () => {
        const { page } = await newWatchedPage(browser, { width: 640, height: 400 });
        await page.goto(`${server.url}/?scene=nothing`);
        expect(await page.textContent("#failure")).toContain('there is no scene "nothing"');
    }, 60_000);
});

describe("the copied source", () => {
    /** The glTF loader is no part of babylon.js; the online Playground has it, this test does not. */
    const online = ids.filter((id) => id !== "skirt");
    const texts: Record<string, string> = {};

    test("is JavaScript without imports or types, for every scene", async () => {
        const { page } = await newWatchedPage(browser, { width: 320, height: 200 });
        await openScene(page, `${server.url}/?paused=1&ui=0`);
        for (const id of ids) {
            texts[id] = await page.evaluate((scene) => window.playground.source(scene), id);
            expect(() => new Function(texts[id])).not.toThrow();
            expect(texts[id]).not.toMatch(/^(import|export) /m);
        }
        expect(texts.skirt).toContain('"skirt.glb": "data:;base64,');
    }, 120_000);

    test("runs beside the UMD files", async () => {
        const { page, errors } = await newWatchedPage(browser, { width: 320, height: 200 });
        await page.goto(`${server.url}/online.html`);
        for (const id of online) {
            const particles = await page.evaluate(async (text) => {
                // The globals of the online Playground.
                const canvas = document.querySelector("canvas")!;
                const { BABYLON } = window as unknown as { BABYLON: { Engine: typeof Engine } };
                const engine = new BABYLON.Engine(canvas);
                const createScene = new Function("engine", "canvas", `${text}; return createScene;`)(engine, canvas);
                const scene: Scene = await createScene();
                for (let frame = 0; frame < 2; frame++) {
                    engine.beginFrame();
                    scene.render();
                    engine.endFrame();
                }
                const count = scene.meshes.flatMap((mesh) => mesh.behaviors).filter(({ name }) => name === "Cloth").length;
                engine.dispose();
                return count;
            }, texts[id]);
            expect(particles).toBeGreaterThan(0);
        }
        expect(errors).toEqual([]);
    }, 120_000);
});

describe("other engines", () => {
    inFirefox(test, "two scenes of the playground")("Firefox draws the flag and the ball", async () => {
        const firefox = await launchFirefox();
        try {
            const { page, errors } = await firefox.newPage();
            for (const id of ["flag", "ball"]) {
                // Of a page, openScene and the others use what both drivers have.
                const scene = page as unknown as Page;
                await openScene(scene, `${server.url}/?scene=${id}&paused=1&ui=0`);
                for (const cloth of await runTo(scene, 1.5)) {
                    expect(cloth).toMatchObject({ badNumbers: 0, badNormals: 0 });
                    expect(cloth.reach).toBeLessThan(20);
                }
                const picture = await seePixels(scene);
                expect(picture.colours).toBeGreaterThan(100);
                expect(picture.clothShare).toBeGreaterThan(0.01);
                await page.screenshot({ path: join(screenshots, `${id}-firefox.png`) as `${string}.png` });
            }
            expect(errors).toEqual([]);
        } finally {
            await firefox.close();
        }
    }, 180_000);

    test.each([true, false])("Babylon's WebGPU engine draws moving cloth, compatibility mode %s", async (compatibilityMode) => {
        const software = await launchBrowser({ webgpu: true });
        try {
            const { page, errors } = await newWatchedPage(software, { width: 320, height: 200 });
            await page.goto(`${server.url}/online.html`);
            const seen = await page.evaluate(drawOnWebGPU, compatibilityMode);
            if (!seen) process.stderr.write("\nSKIPPED, this Chromium has no WebGPU adapter, not even a software one: cloth on WebGPUEngine\n");
            else {
                // The sheet fills a good part of the picture, moves, and is a hole where it is hidden.
                for (const share of [seen.start, seen.end]) expect(share).toBeGreaterThan(0.05);
                expect(seen.moved).toBeGreaterThan(0.02);
            }
            expect(errors).toEqual([]);
        } finally {
            await software.close();
        }
    }, 120_000);
});

describe("the definitions", () => {
    const skirt = readFileSync(join(root, "playground/assets/skirt.glb")).toString("base64");
    const assets: Assets = { "skirt.glb": `data:;base64,${skirt}` };

    test.each(scenes)("$id runs without drawing, the same each time", async (entry) => {
        Logger.LogLevels = Logger.ErrorLogLevel;
        const engine = new NullEngine();
        const { create } = await entry.load();
        const world = await create(new Scene(engine), assets);
        const positions = () => world.cloths.map((cloth) => Array.from(cloth.getParticlePositions()));
        run(world, 0, 3.4);
        const first = positions();
        expect(first.flat().every(Number.isFinite)).toBe(true);
        rewind(world);
        run(world, 0, 3.4);
        expect(positions()).toEqual(first);
        engine.dispose();
    });
});

/** Mean difference of two pictures, of 255. */
function difference(a: number[], b: number[]): number {
    return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length;
}

function timeOf(page: Page): Promise<number> {
    return page.evaluate(async () => (await window.playground.ready).time);
}

async function waitForTime(page: Page, seconds: number): Promise<void> {
    await page.evaluate(async (until) => {
        const stage = await window.playground.ready;
        while (stage.time < until) await new Promise((resolve) => requestAnimationFrame(resolve));
    }, seconds);
}

/**
 * Runs in the page: a sheet that swings down from one edge, on Babylon's WebGPU engine.
 * @returns shares of the picture: where the cloth is at the start and at the end, and what has changed between; null: no adapter
 */
async function drawOnWebGPU(compatibilityMode: boolean): Promise<{ start: number; end: number; moved: number } | null> {
    const { BABYLON, BABYLONCLOTH } = window as unknown as { BABYLON: typeof Core; BABYLONCLOTH: typeof Cloth };
    if (!(await BABYLON.WebGPUEngine.IsSupportedAsync)) return null;
    const canvas = document.querySelector("canvas")!;
    const engine = new BABYLON.WebGPUEngine(canvas);
    await engine.initAsync();
    engine.compatibilityMode = compatibilityMode;
    const scene = new BABYLON.Scene(engine);
    new BABYLON.ArcRotateCamera("camera", -1.3, 1.2, 3.5, BABYLON.Vector3.Zero(), scene);
    new BABYLON.HemisphericLight("light", BABYLON.Vector3.Up(), scene);
    const mesh = BABYLON.MeshBuilder.CreateGround("sheet", { width: 2, height: 2, subdivisions: 16 }, scene);
    mesh.material = new BABYLON.StandardMaterial("cloth", scene);
    mesh.material.backFaceCulling = false;
    const cloth = new BABYLONCLOTH.ClothBehavior({ autoStep: false, pins: [{ select: BABYLONCLOTH.select.edge("+z") }] });
    mesh.addBehavior(cloth);
    await scene.whenReadyAsync();
    engine.runRenderLoop(() => scene.render());

    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true })!;
    const look = async (): Promise<Uint8ClampedArray> => {
        // Two frames: the first may have begun already. The picture is whole, and still there, when a frame ends.
        for (let i = 0; i < 2; i++) await new Promise((resolve) => engine.onEndFrameObservable.addOnce(resolve));
        copy.drawImage(canvas, 0, 0);
        return copy.getImageData(0, 0, canvas.width, canvas.height).data;
    };
    const changed = (a: Uint8ClampedArray, b: Uint8ClampedArray): number => {
        let count = 0;
        for (let i = 0; i < a.length; i += 4) {
            if (Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) + Math.abs(a[i + 2] - b[i + 2]) > 24) count++;
        }
        return count / (a.length / 4);
    };
    const start = await look();
    for (let i = 0; i < 40; i++) cloth.step(1 / 60);
    const end = await look();
    mesh.isVisible = false;
    const bare = await look();
    engine.stopRenderLoop();
    engine.dispose();
    return { start: changed(start, bare), end: changed(end, bare), moved: changed(start, end) };
}
