// The studio as hands use it, further: every builder picked, models of every format dropped, by keys alone, and all of it with fingers on a phone.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { StandardMaterial } from "@babylonjs/core/Materials/standardMaterial";
import { Logger } from "@babylonjs/core/Misc/logger";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { SceneSerializer } from "@babylonjs/core/Misc/sceneSerializer";
import { Scene } from "@babylonjs/core/scene";
import { expect, test } from "@jest/globals";
import { COARSE, newWatchedPage, prepare, root } from "./browser";
import type { Page } from "./browser";
import { playground } from "./playground";
import { choose, clothsOf, documentOf, download, openStudio, placeOf, press } from "./studioPage";

Logger.LogLevels = Logger.ErrorLogLevel;

const opened = playground();
const address = (): string => `${opened.url}/?studio`;
const desktop = { width: 640, height: 480 };

type Files = Record<string, Buffer>;

/** The skirt's .glb as a .gltf with its .bin. */
function inTwoFiles(glb: Buffer): Files {
    const length = glb.readUInt32LE(12);
    const json = JSON.parse(glb.toString("utf8", 20, 20 + length)) as { buffers: { uri?: string }[] };
    json.buffers[0].uri = "skirt.bin";
    return { "skirt.gltf": Buffer.from(JSON.stringify(json)), "skirt.bin": glb.subarray(28 + length) };
}

function babylonFile(): Files {
    const scene = new Scene(new NullEngine());
    const towel = CreateGround("towel", { width: 2, height: 1, subdivisions: 16 }, scene);
    towel.material = new StandardMaterial("blue", scene);
    const text = JSON.stringify(SceneSerializer.Serialize(scene));
    scene.getEngine().dispose();
    return { "towel.babylon": Buffer.from(text) };
}

/** Lets files fall on the canvas. */
async function drop(page: Page, files: Files): Promise<void> {
    const data = Object.entries(files).map(([name, bytes]) => [name, bytes.toString("base64")]);
    await page.evaluate((all) => {
        const dataTransfer = new DataTransfer();
        for (const [name, bytes] of all)
            dataTransfer.items.add(new File([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], name));
        const event = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
        document.querySelector("canvas")!.dispatchEvent(event);
    }, data);
}

test("every builder is picked, and models of every format are dropped", async () => {
    const { page, errors } = await newWatchedPage(opened.browser, desktop);
    await openStudio(page, address());
    const makers = await page.locator('select[aria-label="make"] option').allTextContents();
    expect(makers).toHaveLength(8);
    for (const maker of makers) {
        await choose(page, "make", maker);
        const [{ mesh }] = await clothsOf(page);
        expect(mesh).toBe(maker.toLowerCase());
    }
    const glb = readFileSync(join(root, "playground/assets/skirt.glb"));
    for (const [files, mesh] of [
        [{ "skirt.glb": glb }, "Skirt"],
        [inTwoFiles(glb), "Skirt"],
        [babylonFile(), "towel"],
    ] as const) {
        await drop(page, files);
        expect(await clothsOf(page)).toMatchObject([{ mesh, held: 0 }]);
        expect((await documentOf(page)).source).toMatchObject({ file: Object.keys(files)[0] });
        await press(page, "Top");
        expect((await clothsOf(page))[0].held).toBeGreaterThan(10);
    }
    expect(errors).toEqual([]);
}, 180_000);

test("by keys alone", async () => {
    const { page, errors } = await newWatchedPage(opened.browser, desktop);
    await openStudio(page, address());
    const pressed = (name: string) =>
        page.getByRole("button", { name, exact: true }).evaluate((button) => button.getAttribute("aria-pressed"));
    for (const [key, name] of [
        ["p", "Pause"],
        ["g", "Plots"],
        ["t", "Turn"],
        ["c", "Compare"],
        ["b", "Paint"],
    ]) {
        const before = await pressed(name);
        await page.keyboard.press(key);
        expect([name, await pressed(name)]).toEqual([name, before === "true" ? "false" : "true"]);
    }
    expect(await clothsOf(page)).toHaveLength(2);
    await page.keyboard.press("c");
    await page.keyboard.press("Control+z");
    expect(await clothsOf(page)).toHaveLength(2);
    await page.keyboard.press("Control+y");
    expect(await clothsOf(page)).toHaveLength(1);

    // One click is one dab.
    const [{ held }] = await clothsOf(page);
    const { x, y } = await placeOf(page, 0.5, 0.5);
    await page.mouse.click(x, y);
    expect((await clothsOf(page))[0].held).toBeGreaterThan(held + 3);

    await page.keyboard.press("s");
    await page.waitForFunction(() => /link/.test(document.querySelector("#message")!.textContent!));
    // From the bar to the lists: all can be reached, and letters that are typed there are no commands.
    await page.getByLabel("fabric", { exact: true }).focus();
    await page.keyboard.press("c");
    expect(await clothsOf(page)).toHaveLength(1);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Export", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.locator("#export .cm-content").waitFor();
    await page.keyboard.press("Escape");
    expect(await page.locator("#export").isVisible()).toBe(false);
    expect(errors).toEqual([]);
}, 180_000);

test("a hand pulls, a gust blows and is over", async () => {
    const { page, errors } = await newWatchedPage(opened.browser, desktop);
    await openStudio(page, address());
    await choose(page, "wind", "still");
    await page.evaluate(async () => (await window.studio!).studio.settled);
    const { x, y } = await placeOf(page, 0.7, 0.5);
    const grips = () => page.evaluate(async () => (await window.studio!).studio.view.shown.get("a")!.cloth.pins.length);
    const before = await grips();
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y - 60, { steps: 5 });
    const held = await grips();
    const speed = () => clothsOf(page).then(([cloth]) => cloth.speed);
    await page.mouse.up();
    expect([before, held, await grips()]).toEqual([1, 2, 1]);
    await press(page, "Gust");
    expect(await speed()).toBeGreaterThan(3);
    await page.waitForTimeout(1700);
    expect(await speed()).toBe(0);
    expect(errors).toEqual([]);
}, 120_000);

test("a collider is added, chosen, moved by its arrows, sized, removed and undone", async () => {
    const { page, errors } = await newWatchedPage(opened.browser, desktop);
    await openStudio(page, address());
    await press(page, "Sphere");
    const { solids } = await documentOf(page);
    expect(solids).toMatchObject([{ shape: "Sphere", sizes: { diameter: 0.45 } }]);
    const count = () => page.evaluate(async () => (await window.studio!).studio.view.shown.get("a")!.cloth.colliders.length);
    const colliders = await count();
    // The arrow along x, from the middle outwards.
    const arrow = () =>
        page.evaluate(async () => {
            const { view } = (await window.studio!).studio;
            const mesh = view.shown.get("a")!.solids[0];
            const { left, top } = view.canvas.getBoundingClientRect();
            const [middle, aside] = [0, 0.12].map((x) => view.project(mesh.position.add(mesh.position.clone().set(x, 0, 0))));
            const length = Math.hypot(aside.x - middle.x, aside.y - middle.y);
            return { left, top, middle, along: { x: (aside.x - middle.x) / length, y: (aside.y - middle.y) / length } };
        });
    await page.waitForTimeout(1500);
    const { left, top, middle, along } = await arrow();
    const at = (pixels: number) => [left + middle.x + pixels * along.x, top + middle.y + pixels * along.y] as const;
    let moved = solids;
    for (let pixels = 16; pixels < 90 && moved === solids; pixels += 6) {
        await page.mouse.move(...at(pixels));
        await page.mouse.down();
        await page.mouse.move(...at(pixels + 40), { steps: 4 });
        await page.mouse.up();
        const now = (await documentOf(page)).solids;
        if (now[0].position[0] !== solids[0].position[0]) moved = now;
    }
    expect(moved[0].position[0]).toBeGreaterThan(solids[0].position[0] + 0.05);
    expect(moved[0].position.slice(1)).toEqual(solids[0].position.slice(1));
    await page.keyboard.press("Control+z");
    expect((await documentOf(page)).solids).toEqual(solids);
    await press(page, "Box");
    expect([(await documentOf(page)).solids.length, await count()]).toEqual([2, colliders + 1]);
    await press(page, "Remove it");
    expect([(await documentOf(page)).solids.length, await count()]).toEqual([1, colliders]);
    expect(errors).toEqual([]);
}, 120_000);

test("on a phone: fingers tune, erase, compare, share and export", async () => {
    const context = await opened.browser.newContext({
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
        deviceScaleFactor: COARSE,
        acceptDownloads: true,
    });
    const page = await context.newPage();
    await prepare(page);
    await openStudio(page, address());
    const client = await context.newCDPSession(page);
    const draw = async (points: readonly { x: number; y: number }[]): Promise<void> => {
        await client.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [points[0]] });
        for (const point of points) await client.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [point] });
        await client.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    };
    const tap = (name: string) => page.getByRole("button", { name, exact: true }).tap();

    const track = page.locator('[role=slider][aria-label="speed [m/s]"]');
    await track.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await track.boundingBox())!;
    await draw([0.1, 0.2, 0.3, 0.4].map((share) => ({ x: x + share * width, y: y + height / 2 })));
    const [{ speed }] = await clothsOf(page);
    expect(speed).toBeGreaterThan(9);
    expect(speed).toBeLessThan(15);

    await tap("Compare");
    await choose(page, "fabric", "denim");
    await tap("Swap A and B");
    expect(await clothsOf(page)).toMatchObject([{ density: 0.4 }, { density: 0.12 }]);
    expect(await page.locator("#labels b").count()).toBe(2);
    await choose(page, "tune", "A, on the left");
    await tap("Compare");
    expect(await clothsOf(page)).toMatchObject([{ density: 0.4 }]);

    await tap("Paint");
    await tap("Top");
    const [{ held }] = await clothsOf(page);
    await page.getByLabel("erase").locator("..").tap();
    await draw(await Promise.all([0.3, 0.4, 0.5, 0.6].map((u) => placeOf(page, u, 0.98))));
    expect((await clothsOf(page))[0].held).toBeLessThan(held);

    await tap("Share");
    await page.waitForFunction(() => /link/.test(document.querySelector("#message")!.textContent!));
    const shared = await documentOf(page);
    const other = await context.newPage();
    await prepare(other);
    await openStudio(other, page.url());
    expect(await documentOf(other)).toEqual(shared);
    await other.close();
    await tap("Export");
    expect(JSON.parse(await download(page, "JSON"))).toMatchObject({ options: { fabric: { arealDensity: 0.4 } } });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await tap("Close");
    expect(await page.locator("#export").isVisible()).toBe(false);
    await context.close();
}, 180_000);
