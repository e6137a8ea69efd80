// The studio in a real Chromium, as hands use it: clicked, dragged, painted, undone, compared, shared and exported, on a desktop and on a phone.
import { join } from "node:path";
import { Logger } from "@babylonjs/core/Misc/logger";
import { expect, test } from "@jest/globals";
import { longTest } from "../long";
import { driftOf } from "../unit/playground/fromGlb";
import { findBarriers } from "./barriers";
import { COARSE, newWatchedPage, prepare, root } from "./browser";
import { playground, screenshots } from "./playground";
import { choose, clothsOf, documentOf, download, openStudio, placeOf, press, pull, stroke } from "./studioPage";

Logger.LogLevels = Logger.ErrorLogLevel;

const opened = playground();

const address = (): string => `${opened.url}/?studio`;

const desktop = { width: 800, height: 520 };

test("on a desktop: made, tuned, painted, undone and redone", async () => {
    const { page, errors } = await newWatchedPage(opened.browser, desktop);
    await openStudio(page, address());
    expect(await clothsOf(page)).toMatchObject([{ mesh: "flag", density: 0.12 }]);
    expect(await findBarriers(page)).toEqual([]);

    // A fabric, and a slider, whose pull is one step back.
    await choose(page, "fabric", "denim");
    expect(await clothsOf(page)).toMatchObject([{ density: 0.4, material: "denim" }]);
    await pull(page, "speed [m/s]", 0.5);
    const [{ speed }] = await clothsOf(page);
    expect(speed / 15).toBeGreaterThan(0.8);
    expect(speed / 15).toBeLessThan(1.2);
    await page.keyboard.press("Control+z");
    expect(await clothsOf(page)).toMatchObject([{ density: 0.4, speed: expect.closeTo(4.4, 5) }]);
    await press(page, "Undo");
    expect(await clothsOf(page)).toMatchObject([{ density: 0.12 }]);
    expect(await page.getByRole("button", { name: "Undo", exact: true }).isDisabled()).toBe(true);
    await press(page, "Redo");
    await page.keyboard.press("Control+Shift+Z");
    expect((await clothsOf(page))[0].speed).toBe(speed);
    // By keys alone.
    await page.locator('[role=slider][aria-label="damping [1/s]"]').focus();
    const [{ damping }] = await clothsOf(page);
    await page.keyboard.press("ArrowRight");
    expect((await clothsOf(page))[0].damping).toBeGreaterThan(damping);

    // Pins: painted, erased, undone.
    await press(page, "Paint");
    const [{ held }] = await clothsOf(page);
    await stroke(page, [0.6, 0.9], [0.6, 0.5]);
    const [{ held: painted }] = await clothsOf(page);
    expect(painted).toBeGreaterThan(held + 10);
    await page.keyboard.down("Shift");
    await stroke(page, [0.6, 0.9], [0.6, 0.7]);
    await page.keyboard.up("Shift");
    const [{ held: erased }] = await clothsOf(page);
    expect(erased).toBeLessThan(painted);
    expect(erased).toBeGreaterThan(held);
    await page.screenshot({ path: join(screenshots, "studio-pins.png") });
    await press(page, "Undo");
    expect(await clothsOf(page)).toMatchObject([{ held: painted }]);
    await page.keyboard.press("b");
    await press(page, "None");
    expect(await clothsOf(page)).toMatchObject([{ held: 0 }]);
    await press(page, "Left");
    expect(await clothsOf(page)).toMatchObject([{ held }]);

    expect(errors).toEqual([]);
}, 180_000);

longTest(
    "on a desktop: compared, shared and exported",
    async () => {
        const { page, errors } = await newWatchedPage(opened.browser, desktop);
        await openStudio(page, address());
        await choose(page, "fabric", "denim");
        // Two of them, with their colours.
        await press(page, "Compare");
        await choose(page, "fabric", "chiffon");
        expect(await clothsOf(page)).toMatchObject([{ density: 0.4 }, { density: 0.045 }]);
        await choose(page, "show", "stretch");
        expect(await clothsOf(page)).toMatchObject([{ material: "heat" }, { material: "heat" }]);
        const colours = await page.evaluate(async () => {
            const { shown } = (await window.studio!).studio.view;
            await new Promise((resolve) => setTimeout(resolve, 500));
            return [...shown.values()].map(({ mesh }) => new Set(mesh.getVerticesData("color")!).size);
        });
        for (const count of colours) expect(count).toBeGreaterThan(20);
        await page.screenshot({ path: join(screenshots, "studio.png") });
        expect(await page.textContent("#plots")).toMatch(/mean stretch \[%\][\d.]+/);

        // The link is all of it.
        const document = await documentOf(page);
        const { page: other } = await newWatchedPage(opened.browser, { width: 500, height: 400 });
        await openStudio(other, page.url());
        expect(await documentOf(other)).toEqual(document);
        await other.close();

        await press(page, "Compare");
        expect(await clothsOf(page)).toMatchObject([{ density: 0.045 }]);
        // No flutter, in which the smallest difference grows.
        await choose(page, "wind", "still");
        await press(page, "Export");
        await page.locator("#export .cm-content").waitFor();
        expect(await page.textContent("#export .cm-content")).toContain("ClothBuilder.CreateFlag(");
        expect(await findBarriers(page)).toEqual([]);
        expect(await download(page, "Playground")).toContain("const createScene = async function () {");
        const { extras, ...data } = JSON.parse(await download(page, "JSON"));
        expect(extras.studio).toBe(new URL(page.url()).hash);
        expect(data).toMatchObject({ format: "babylon-cloth", options: { fabric: { arealDensity: 0.045 } } });
        expect(data.pins[0].vertices.length).toBeGreaterThan(20);
        const glb = Buffer.from(await download(page, ".glb"), "latin1");
        expect(readExtras(glb)).toEqual(data);
        // Written by Chromium, read by Node. More of it: studioGlb.test.ts.
        expect(await driftOf(await documentOf(page), new Uint8Array(glb), 60)).toBe(0);
        await page.keyboard.press("Escape");
        expect(await page.locator("#export").isVisible()).toBe(false);
        expect(errors).toEqual([]);
    },
    180_000,
);

/** The cloth's settings in a .glb's nodes. */
function readExtras(glb: Buffer): unknown {
    expect(glb.toString("latin1", 0, 4)).toBe("glTF");
    const { nodes } = JSON.parse(glb.toString("utf8", 20, 20 + glb.readUInt32LE(12))) as {
        nodes: { extras?: { cloth?: unknown } }[];
    };
    return nodes.find(({ extras }) => extras?.cloth)!.extras!.cloth;
}

longTest(
    "a model of one's own: opened, pinned, and refused where it is none",
    async () => {
        const { page, errors } = await newWatchedPage(opened.browser, desktop);
        await openStudio(page, address());
        await page.setInputFiles("input[type=file]", join(root, "README.md"));
        expect(await page.textContent("#message")).toBe(
            "Drop a .glb, .gltf, .vrm or .babylon file (with its .bin and images), or what the studio has exported; got README.md",
        );
        expect(await clothsOf(page)).toMatchObject([{ mesh: "flag" }]);
        await page.setInputFiles("input[type=file]", join(root, "playground/assets/skirt.glb"));
        await choose(page, "mesh", "Skirt");
        expect(await clothsOf(page)).toMatchObject([{ mesh: "Skirt", held: 0 }]);
        await press(page, "Top");
        const [{ held }] = await clothsOf(page);
        expect(held).toBeGreaterThan(20);
        await page.screenshot({ path: join(screenshots, "studio-model.png") });
        await press(page, "Export");
        await page.locator("#export .cm-content").waitFor();
        expect(await page.textContent("#export .cm-content")).toMatch(
            /ImportMeshAsync\("skirt\.glb", scene\).*getMeshByName\("Skirt"\)/s,
        );

        // What is tuned while a file is loaded counts.
        await page.evaluate(async () => {
            const { studio } = await window.studio!;
            const { source } = studio.document;
            studio.begin("flag");
            await studio.settled;
            studio.change({ source });
            studio.tune({ fabric: "denim" });
        });
        expect(await clothsOf(page)).toMatchObject([{ mesh: "Skirt", density: 0.4 }]);
        expect(errors).toEqual([]);
    },
    120_000,
);

longTest(
    "on a phone: fingers make, pin and undo",
    async () => {
        const context = await opened.browser.newContext({
            viewport: { width: 390, height: 844 },
            hasTouch: true,
            isMobile: true,
            deviceScaleFactor: COARSE,
        });
        const page = await context.newPage();
        await prepare(page);
        await openStudio(page, address());
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
        await choose(page, "make", "Banner");
        const [{ mesh, held }] = await clothsOf(page);
        expect(mesh).toBe("banner");

        await page.getByRole("button", { name: "Paint", exact: true }).tap();
        const touch = await context.newCDPSession(page);
        const points = await Promise.all([0.3, 0.4, 0.5, 0.6].map((u) => placeOf(page, u, 0.5)));
        await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [points[0]] });
        for (const point of points) await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [point] });
        await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
        expect((await clothsOf(page))[0].held).toBeGreaterThan(held + 5);
        await page.screenshot({ path: join(screenshots, "studio-phone.png") });
        await page.getByRole("button", { name: "Undo", exact: true }).tap();
        expect(await clothsOf(page)).toMatchObject([{ held }]);
        const sizes = await page.$$eval("#tools button, #panel .row button", (all) =>
            all.map((button) => button.getBoundingClientRect().height),
        );
        expect(Math.min(...sizes)).toBeGreaterThanOrEqual(34);
        await context.close();
    },
    120_000,
);

longTest(
    "the gallery loads nothing of the studio, and has no barriers",
    async () => {
        const { page } = await newWatchedPage(opened.browser, desktop);
        const scripts: string[] = [];
        page.on("response", async (response) => {
            if (response.url().endsWith(".js")) scripts.push(await response.text());
        });
        // From any folder.
        await page.goto(`${opened.url}/some/folder/?scene=flag&paused=1`);
        await page.evaluate(() => window.playground.ready);
        const isTweakpane = (text: string): boolean => text.includes("tp-rotv");
        expect([scripts.length > 0, scripts.some(isTweakpane)]).toEqual([true, false]);
        expect(await findBarriers(page)).toEqual([]);
        await page.click("text=Studio");
        await page.waitForFunction(() => window.studio !== undefined);
        await page.evaluate(() => window.studio);
        expect(scripts.some(isTweakpane)).toBe(true);
    },
    120_000,
);
