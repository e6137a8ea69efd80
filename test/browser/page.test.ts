// The playground's page in a real Chromium: its controls, the sources that it gives to copy, run where they will be pasted, beside the UMD
// files, and other engines. Its scenes: playground.test.ts.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type * as Core from "@babylonjs/core";
import type { Engine } from "@babylonjs/core/Engines/engine";
import type { Scene } from "@babylonjs/core/scene";
import { describe, expect, test } from "@jest/globals";
import { isAll, longTest } from "../long";
import type * as Cloth from "../../src/index";
import { scenes } from "../../playground/gallery";
import { COARSE, launchBrowser, newWatchedPage, prepare, root } from "./browser";
import type { Page } from "./browser";
import { playground, screenshots } from "./playground";
import { inFirefox, launchFirefox } from "./firefox";
import { loadRecording } from "../replay";
import { openScene, runTo, seePixels } from "./scenes";

const ids = scenes.map((scene) => scene.id);

const opened = playground({
    umd: true,
    pages: {
        "/online.html":
            '<!doctype html><canvas width="320" height="200"></canvas>' +
            '<script src="/babylonjs/babylon.js"></script><script src="/havok/HavokPhysics_umd.js"></script>' +
            '<script src="/umd/babylon-cloth.umd.js"></script>',
    },
});

const phone = { width: 390, height: 844 };

describe("the page", () => {
    test("plays by itself, and its controls act on the cloth", async () => {
        const { page, errors } = await newWatchedPage(opened.browser, { width: 900, height: 600 });
        await openScene(page, `${opened.url}/?scene=flag`);
        await waitForTime(page, 0.3);
        const links = await page.$$eval("nav a", (all) => all.map((link) => link.getAttribute("href")));
        expect(links.sort()).toEqual(ids.map((id) => `?scene=${id}`).sort());

        await page.click("#record");
        await waitForTime(page, 0.5);
        const [download] = await Promise.all([page.waitForEvent("download"), page.click("#record")]);
        const recorded = await loadRecording(readFileSync(await download.path(), "utf8"));
        let frames = 0;
        while (await recorded.replay.step()) frames++;
        expect(frames).toBeGreaterThan(0);
        recorded.dispose();

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
        await page.waitForFunction(() => document.querySelector("#drawer code")!.textContent !== "");
        expect(await page.textContent("#drawer code")).toMatch(/^\/\/ Flag: .*\nconst createScene = async function \(\) \{/);
        await page.screenshot({ path: join(screenshots, "page.png") });
        expect(errors).toEqual([]);
    }, 180_000);

    longTest(
        "a tap pushes the cloth under the pointer",
        async () => {
            const { page } = await newWatchedPage(opened.browser, { width: 640, height: 400 });
            await openScene(page, `${opened.url}/?scene=tablecloth&paused=1&ui=0`);
            await runTo(page, 1.5);
            const energy = () => page.evaluate(async () => (await window.playground.ready).cloths[0].stats.kineticEnergy);
            const before = await energy();
            // Where the bounding box's middle is seen there is cloth before it.
            const [right, down] = await page.evaluate(async () => {
                const { scene, cloths } = await window.playground.ready;
                const { x, y, z } = cloths[0].attachedNode!.getBoundingInfo().boundingBox.centerWorld;
                const m = scene.getTransformMatrix().asArray();
                return [0, 1].map(
                    (c) => (x * m[c] + y * m[4 + c] + z * m[8 + c] + m[12 + c]) / (x * m[3] + y * m[7] + z * m[11] + m[15]),
                );
            });
            await page.mouse.click(320 * (1 + right), 200 * (1 - down));
            await page.waitForTimeout(500);
            expect(await energy()).toBeGreaterThan(before + 0.01);
        },
        180_000,
    );

    longTest(
        "on a phone the panel is a drawer that fingers open, use and close",
        async () => {
            const context = await opened.browser.newContext({
                viewport: phone,
                hasTouch: true,
                isMobile: true,
                deviceScaleFactor: COARSE,
            });
            const page = await context.newPage();
            await prepare(page);
            await openScene(page, `${opened.url}/?scene=flag&paused=1`);
            const panel = page.locator("#panel");
            expect(await panel.isVisible()).toBe(false);
            await page.tap("#controls");
            expect(await panel.isVisible()).toBe(true);

            const slider = page.locator("label:has-text('damping') input");
            await slider.scrollIntoViewIfNeeded();
            const { x, y, width, height } = (await slider.boundingBox())!;
            await page.touchscreen.tap(x + 0.5 * width, y + height / 2);
            const damping = await page.evaluate(async () => (await window.playground.ready).cloths[0].fabric.damping);
            // The middle of 0 to 5, as near as the slider tells it.
            expect(damping / 2.5).toBeCloseTo(1, 1);
            await page.screenshot({ path: join(screenshots, "phone.png") });

            const grip = (await page.locator("#grip").boundingBox())!;
            const touch = await context.newCDPSession(page);
            const finger = (down: number) => [{ x: grip.x + grip.width / 2, y: grip.y + grip.height / 2 + down }];
            await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: finger(0) });
            for (const down of [15, 30, 45])
                await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: finger(down) });
            await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
            expect(await panel.isVisible()).toBe(false);
            await page.tap("#controls");
            expect(await panel.isVisible()).toBe(true);
            await page.tap("#grip");
            expect(await panel.isVisible()).toBe(false);
            await context.close();
        },
        180_000,
    );

    longTest(
        "Escape closes one drawer after the other",
        async () => {
            const { page } = await newWatchedPage(opened.browser, phone);
            await openScene(page, `${opened.url}/?scene=flag&paused=1`);
            await page.click("#controls");
            await page.evaluate(() =>
                [...document.querySelectorAll("button")].find((button) => button.textContent === "Source")!.click(),
            );
            const open = () =>
                page.evaluate(() => ["panel", "drawer"].filter((id) => document.getElementById(id)!.offsetWidth > 0));
            expect(await open()).toEqual(["panel", "drawer"]);
            await page.keyboard.press("Escape");
            expect(await open()).toEqual(["panel"]);
            await page.keyboard.press("Escape");
            expect(await open()).toEqual([]);
        },
        180_000,
    );

    longTest(
        "Preset shows what is set, and Reset gives every slider its place back",
        async () => {
            const { page } = await newWatchedPage(opened.browser, { width: 900, height: 600 });
            await openScene(page, `${opened.url}/?scene=banner&paused=1`);
            const sliders = () =>
                page.$$eval("#panel input[type=range]", (all) => (all as HTMLInputElement[]).map((input) => input.value));
            const settings = () =>
                page.evaluate(async () =>
                    (await window.playground.ready).cloths.map(({ fabric, wind, substepCount }) =>
                        JSON.stringify([
                            fabric,
                            wind && [wind.velocity.x, wind.velocity.y, wind.velocity.z],
                            wind?.turbulence,
                            substepCount,
                        ]),
                    ),
                );
            const preset = () => page.locator("#panel select").inputValue();
            const authored = [await sliders(), await settings()];
            expect(await preset()).toBe("scene");
            for (const slider of await page.locator("#panel input[type=range]").all()) {
                await slider.focus();
                await page.keyboard.press("ArrowRight");
                await page.keyboard.press("ArrowLeft");
                await page.keyboard.press("ArrowLeft");
            }
            expect(await preset()).toBe("changed");
            await page.locator("#panel select").selectOption("silk");
            expect(await preset()).toBe("silk");
            await page.locator("label:has-text('friction') input").fill("1");
            expect(await preset()).toBe("changed");
            await page.locator("label:has-text('friction') input").fill("0.2");
            expect(await preset()).toBe("silk");
            const changed = [await sliders(), await settings()];
            await page.click("text=Reset");
            const back = [await sliders(), await settings()];
            expect(back).toEqual(authored);
            expect(changed[0].slice(6)).not.toEqual(authored[0].slice(6));
            expect(changed[1]).not.toEqual(authored[1]);
            expect(await preset()).toBe("scene");
        },
        180_000,
    );

    test("an unknown scene is told, and the way to the others stays", async () => {
        const { page } = await newWatchedPage(opened.browser, { width: 640, height: 400 });
        await page.goto(`${opened.url}/?scene=nothing`);
        expect(await page.textContent("#failure")).toContain('There is no scene "nothing"');
        await page.click("nav summary:has-text('Flags')");
        await page.click("nav a:has-text('Banner')");
        await page.waitForURL(/scene=banner/);
    }, 180_000);

    longTest(
        "a taken port is told in one line",
        async () => {
            const other = createServer();
            await new Promise<void>((resolve) => other.listen(0, resolve));
            const { port } = other.address() as AddressInfo;
            const { status, stdout, stderr } = spawnSync(
                process.execPath,
                ["node_modules/webpack/bin/webpack.js", "serve", "--env", "playground"],
                {
                    cwd: root,
                    encoding: "utf8",
                    timeout: 150_000,
                    env: { ...process.env, PORT: `${port}` },
                },
            );
            other.close();
            expect({ status, lines: (stdout + stderr).trim().split("\n") }).toEqual({
                status: 1,
                lines: [expect.stringMatching(`^Port ${port} is in use`)],
            });
        },
        180_000,
    );
});

describe("the copied source", () => {
    /** The glTF loader is no part of babylon.js; the online Playground has it, this test does not. */
    const online = ids.filter((id) => !["skirt", "cape", "ragdoll"].includes(id));
    const texts: Record<string, string> = {};

    longTest(
        "is JavaScript without imports or types, for every scene",
        async () => {
            const { page } = await newWatchedPage(opened.browser, { width: 320, height: 200 });
            await openScene(page, `${opened.url}/?paused=1&ui=0`);
            for (const id of ids) {
                texts[id] = await page.evaluate((scene) => window.playground.source(scene), id);
                expect(() => new Function(texts[id])).not.toThrow();
                expect(texts[id]).not.toMatch(/^(import|export) /m);
            }
            expect(texts.skirt).toContain('"skirt.glb": "data:;base64,');
        },
        120_000,
    );

    longTest(
        "runs beside the UMD files",
        async () => {
            const { page, errors } = await newWatchedPage(opened.browser, { width: 320, height: 200 });
            await page.goto(`${opened.url}/online.html`);
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
        },
        120_000,
    );
});

describe("other engines", () => {
    inFirefox(test, "two scenes of the playground")(
        "Firefox draws the flag and the ball",
        async () => {
            const firefox = await launchFirefox();
            try {
                const { page, errors } = await firefox.newPage();
                for (const id of ["flag", "ball"]) {
                    // Of a page, openScene and the others use what both drivers have.
                    const scene = page as unknown as Page;
                    await openScene(scene, `${opened.url}/?scene=${id}&paused=1&ui=0`);
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
        },
        180_000,
    );

    test.each(isAll ? [true, false] : [true])(
        "Babylon's WebGPU engine draws moving cloth, compatibility mode %s",
        async (compatibilityMode) => {
            const software = await launchBrowser({ webgpu: true });
            try {
                const { page, errors } = await newWatchedPage(software, { width: 320, height: 200 });
                await page.goto(`${opened.url}/online.html`);
                const seen = await page.evaluate(drawOnWebGPU, compatibilityMode);
                if (!seen)
                    process.stderr.write(
                        "\nSKIPPED, this Chromium has no WebGPU adapter, not even a software one: cloth on WebGPUEngine\n",
                    );
                else {
                    // The sheet fills a good part of the picture, moves, and is a hole where it is hidden.
                    for (const share of [seen.start, seen.end]) expect(share).toBeGreaterThan(0.05);
                    expect(seen.moved).toBeGreaterThan(0.02);
                }
                expect(errors).toEqual([]);
            } finally {
                await software.close();
            }
        },
        120_000,
    );
});

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
