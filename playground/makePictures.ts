/**
 * Draws the pictures of the documentation in Chromium: node --import ./.ci/ts.mjs playground/makePictures.ts
 *
 *     docs/images/*.jpg           every maker of the studio, as it opens, after four seconds; sheets of scenes of the gallery
 *     docs/images/scenes/*.jpg    one scene each, for the README and the guides; `--only scenes` draws these alone
 *     docs/images/hands.webp      a hand draws a curtain and tears a sheet, as a looping film; `--only film`
 *     docs/images/studio.jpg      the studio while a model is painted; `--only studio`
 *     .cache/sequences/*.png      `--sequence NAME`: contact sheet of a scene of the gallery over time, to judge its motion by; flags in four steady winds
 *                                 are flag:2.5, flag:4.4, flag:9.4 and flag:19 [m/s]. Several names: `--sequence curtain --sequence skirt`
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { launchBrowser, root, serve, webpack } from "../test/browser/browser";
import type { Browser, Page } from "../test/browser/browser";
import { animatedWebp } from "./animatedWebp";
import type { create as createHands } from "./scenes/hands";
import { kinds } from "./studio/kinds";
import type { KindName } from "./studio/kinds";

const FRAMES = 240;
const SMALL = { width: 300, height: 240 };
const SINGLE_SIZE = { width: 400, height: 260 };
const LARGE = { width: 800, height: 500 };
/** Scenes of the gallery, and when they are seen [s]. */
const MOMENTS: [scene: string, time: number][] = [
    ["curtain", 14],
    ["ball", 2.2],
    ["tablecloth", 8],
    ["cape", 5],
    ["skirt", 2],
    ["physics", 4],
];
/** Scenes with a picture of their own, and the time of the picture [s]. */
const SINGLE: [scene: string, time: number][] = [
    ["flag", 6],
    ["curtain", 14],
    ["cape", 5],
    ["skirt", 2],
    ["tablecloth", 8],
    ["ball", 2.2],
    ["colliders", 4],
    ["layers", 5],
    ["ropes", 4],
    ["plants", 4],
    ["bodies", 4],
    ["physics", 4],
    ["banner", 5],
    ["flags", 5],
    ["chains", 2.1],
    ["baked", 3],
];
const FILM_SIZE = { width: 560, height: 340 };
/** Frames of the film, and pictures a second. */
const FILM_FRAMES = 72;
const FILM_RATE = 15;
const images = join(root, "docs/images");
const { values: chosen } = parseArgs({ options: { only: { type: "string" }, sequence: { type: "string", multiple: true } } });
/** Contact sheets of motion: size of a picture, pictures in a row and over all, time of the first one and between two [s]. */
const SEQUENCE = { size: { width: 240, height: 180 }, columns: 6, count: 18, begin: 0.5, every: 0.5 };

/** A maker's cloth alone, as it hangs or flies. */
async function picture(page: Page, kind: KindName, size: { width: number; height: number }): Promise<Buffer> {
    await page.setViewportSize(size);
    await page.evaluate(
        async ([chosen, frames]) => {
            const { studio } = await window.studio!;
            studio.begin(chosen);
            await studio.settled;
            studio.view.isPaused = true;
            for (const { cloth } of studio.view.shown.values()) for (let i = 0; i < frames; i++) cloth.step(1 / 60);
            // Bounds, shadows and textures follow in a frame or two.
            for (let i = 0; i < 3; i++) await new Promise((resolve) => studio.view.engine.onEndFrameObservable.addOnce(resolve));
        },
        [kind, FRAMES] as const,
    );
    return page.screenshot({ type: "png" });
}

/** A scene of the gallery without what lies over it. */
async function sceneAt(
    page: Page,
    url: string,
    [id, time]: [scene: string, time: number],
    size: typeof SMALL,
    type: "png" | "jpeg" = "png",
): Promise<Buffer> {
    await page.setViewportSize(size);
    await page.goto(`${url}/?scene=${id}&paused=1&ui=0`);
    await page.evaluate(async (until) => {
        const stage = await window.playground.ready;
        stage.advance(until - stage.time);
        for (let i = 0; i < 3; i++) await new Promise((resolve) => stage.scene.onAfterRenderObservable.addOnce(resolve));
    }, time);
    return type === "png" ? page.screenshot({ type }) : page.screenshot({ type, quality: 78 });
}

/** A scene over time. @param name a scene of the gallery, after a colon the speed of a steady wind on its first cloth [m/s] */
async function sequence(page: Page, url: string, name: string): Promise<string[]> {
    const [id, speed] = name.split(":");
    const { size, count, begin, every } = SEQUENCE;
    await page.setViewportSize(size);
    await page.goto(`${url}/?scene=${id}&paused=1&ui=0`);
    await page.evaluate(
        async (wind) => {
            const { world } = await window.playground.ready;
            const blown = world.cloths[0].wind;
            if (!(wind > 0) || !blown) return;
            blown.velocity.set(wind, 0, 0.05 * wind);
            blown.turbulence = 0;
        },
        Number(speed ?? 0),
    );
    const figures: string[] = [];
    for (let i = 0; i < count; i++) {
        const time = begin + every * i;
        await page.evaluate(async (until) => {
            const stage = await window.playground.ready;
            stage.advance(until - stage.time);
            for (let k = 0; k < 2; k++) await new Promise((resolve) => stage.scene.onAfterRenderObservable.addOnce(resolve));
        }, time);
        figures.push(figure(await page.screenshot({ type: "png" }), `${time} s`));
    }
    return figures;
}

/** Pictures side by side in rows, as one file: a JPEG of docs/images, or a PNG at a path. */
async function sheetOf(
    browser: Browser,
    name: string,
    columns: number,
    figures: string[],
    size: typeof SMALL,
    png?: string,
): Promise<void> {
    const rows = Math.ceil(figures.length / columns);
    const sheet = await browser.newPage({ viewport: { width: columns * size.width, height: rows * size.height } });
    await sheet.setContent(`<style>body { margin: 0; display: flex; flex-wrap: wrap; font: 600 17px Georgia, serif; }
        figure { margin: 0; position: relative; } img { display: block; }
        figcaption { position: absolute; left: 10px; top: 8px; padding: 1px 8px; border-radius: 5px; background: #faf8f3d9; color: #26241f; }</style>${figures.join("")}`);
    if (png) await sheet.screenshot({ type: "png", path: png });
    else await sheet.screenshot({ type: "jpeg", quality: 82, path: join(images, `${name}.jpg`) });
    await sheet.close();
}

function figure(shot: Buffer, title = ""): string {
    const caption = title && `<figcaption>${title}</figcaption>`;
    return `<figure><img src="data:image/png;base64,${shot.toString("base64")}">${caption}</figure>`;
}

/** A hand draws the curtain of the scene "hands" along its rail, lets go, and then tears the sheet. A white disc shows the hand. */
async function film(page: Page, url: string): Promise<Buffer> {
    await page.setViewportSize(FILM_SIZE);
    await page.goto(`${url}/?scene=hands&paused=1&ui=0`);
    const frames = await page.evaluate(
        async ([count, rate, { width, height }]) => {
            const stage = await window.playground.ready;
            const { scene } = stage;
            const { picker, cloths } = stage.world as unknown as ReturnType<typeof createHands>;
            const camera = scene.activeCamera!;
            const Vector = camera.position.constructor as typeof Vector3;
            const view = () => camera.viewport.toGlobal(width, height);
            const identity = camera.getViewMatrix().constructor as typeof Matrix;
            const canvas = document.createElement("canvas");
            Object.assign(canvas, { width, height });
            const context = canvas.getContext("2d", { alpha: false })!;
            stage.advance(1.5);
            /** Places where a hand takes hold and lets go, for shares of the film. */
            const pulls = [
                { cloth: cloths[0], begin: 0.06, end: 0.42, from: new Vector(-0.5, 1.3, 0), to: new Vector(-1.35, 1.15, -0.35) },
                { cloth: cloths[1], begin: 0.52, end: 0.86, from: new Vector(1.1, 0.95, 0), to: new Vector(1.35, 0.45, -0.9) },
            ];
            let grip: ReturnType<typeof picker.grab> = null;
            const files: string[] = [];
            for (let i = 0; i < count; i++) {
                const share = i / count;
                const pull = pulls.find(({ begin, end }) => share >= begin && share < end);
                if (pull) {
                    grip ??= picker.grab(pull.cloth, pull.from);
                    const t = (share - pull.begin) / (pull.end - pull.begin);
                    grip?.moveTo(Vector.Lerp(pull.from, pull.to, t * t * (3 - 2 * t)));
                } else if (grip) {
                    grip.release();
                    grip = null;
                }
                stage.advance(1 / rate);
                await new Promise((resolve) => scene.onAfterRenderObservable.addOnce(resolve));
                await new Promise((resolve) => scene.onAfterRenderObservable.addOnce(resolve));
                context.drawImage(stage.engine.getRenderingCanvas()!, 0, 0, width, height);
                if (grip) {
                    const { x, y } = Vector.Project(grip.point as Vector3, identity.Identity(), scene.getTransformMatrix(), view());
                    context.beginPath();
                    context.arc(x, y, 9, 0, 2 * Math.PI);
                    context.fillStyle = "#ffffffc0";
                    context.fill();
                    context.lineWidth = 2;
                    context.strokeStyle = "#333";
                    context.stroke();
                }
                files.push(canvas.toDataURL("image/webp", 0.7).split(",")[1]);
            }
            return files;
        },
        [FILM_FRAMES, FILM_RATE, FILM_SIZE] as const,
    );
    const files = frames.map((text) => Buffer.from(text, "base64"));
    return animatedWebp(files, FILM_SIZE.width, FILM_SIZE.height, Math.round(1000 / FILM_RATE));
}

/** The studio with a skirt whose largest distance is being painted. */
async function studioPicture(page: Page, url: string): Promise<Buffer> {
    await page.setViewportSize({ width: 1000, height: 620 });
    await page.goto(`${url}/?studio`);
    await page.waitForFunction(() => window.studio !== undefined);
    await page.evaluate(
        async (text) => {
            const { studio, brush } = await window.studio!;
            await studio.take([new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], "skirt.glb")]);
            const shown = studio.view.shown.get("a")!;
            // From nothing at the waist to all at the hem.
            const { positions } = shown.surface;
            const heights = Array.from({ length: positions.length / 3 }, (_, v) => positions[3 * v + 1]);
            const [low, high] = [Math.min(...heights), Math.max(...heights)];
            const shades = Uint8Array.from(heights, (height) => 1 + (254 * (high - height)) / (high - low));
            studio.change({ distance: { reach: 0.3, paint: shown.surface.write(shades) } });
            brush.layer = "distance";
            brush.isOn = true;
            studio.onChange();
            await studio.settled;
            document.querySelector('select[aria-label="layer"]')!.scrollIntoView({ block: "center" });
            for (let i = 0; i < 20; i++) await new Promise((resolve) => studio.view.engine.onEndFrameObservable.addOnce(resolve));
        },
        readFileSync(join(root, "playground/assets/skirt.glb")).toString("base64"),
    );
    return page.screenshot({ type: "jpeg", quality: 80 });
}

/** The flag alone, and the sheets of makers, scenes and fabrics. */
async function drawSheets(page: Page): Promise<void> {
    await page.goto(`${server.url}/?studio`);
    await page.waitForFunction(() => window.studio !== undefined);
    await page.evaluate(() => window.studio);
    await page.addStyleTag({
        content: `.studio { display: block; } .studio canvas { height: 100vh; }
            #tools, #panel, #plots, #labels, #legend, #message { display: none !important; }`,
    });
    await page.evaluate(async () => ((await window.studio!).studio.view.bottom = 0));
    // Another one first: the studio opens with a flag, and begins anew only with something else.
    await picture(page, "net", LARGE);
    await picture(page, "flag", LARGE);
    // As the README's three lines have it.
    await page.evaluate(async () => {
        const { studio } = await window.studio!;
        studio.tune({ look: "silk", colour: null });
        for (let i = 0; i < 3; i++) await new Promise((resolve) => studio.view.engine.onEndFrameObservable.addOnce(resolve));
    });
    await page.screenshot({ type: "jpeg", quality: 85, path: join(images, "flag.jpg") });

    const makers: string[] = [];
    for (const [kind, { title }] of Object.entries(kinds)) makers.push(figure(await picture(page, kind as KindName, SMALL), title));
    await sheetOf(browser, "builders", 4, makers, SMALL);

    const seen: string[] = [];
    for (const moment of MOMENTS) seen.push(figure(await sceneAt(page, server.url, moment, SMALL)));
    await sheetOf(browser, "gallery", 3, seen, SMALL);
    await sheetOf(browser, "fabrics", 1, [figure(await sceneAt(page, server.url, ["fabrics", 5], LARGE))], LARGE);
}

const built = mkdtempSync(join(tmpdir(), "babylon-cloth-pictures-"));
webpack("--env", "playground", "--no-optimization-minimize", "--env", `out=${built}`);
const server = await serve({ "/": built });
const browser = await launchBrowser();
try {
    const page = await browser.newPage({ viewport: LARGE, deviceScaleFactor: 1 });
    page.setDefaultTimeout(0);
    const isWanted = (part: string) => chosen.sequence === undefined && (chosen.only === undefined || chosen.only === part);
    for (const name of chosen.sequence ?? []) {
        const folder = join(root, ".cache/sequences");
        mkdirSync(folder, { recursive: true });
        const { size, columns } = SEQUENCE;
        await sheetOf(
            browser,
            name,
            columns,
            await sequence(page, server.url, name),
            size,
            join(folder, `${name.replace(":", "-")}.png`),
        );
    }
    mkdirSync(join(images, "scenes"), { recursive: true });
    for (const moment of isWanted("scenes") ? SINGLE : []) {
        writeFileSync(join(images, `scenes/${moment[0]}.jpg`), await sceneAt(page, server.url, moment, SINGLE_SIZE, "jpeg"));
    }
    if (isWanted("film")) writeFileSync(join(images, "hands.webp"), await film(page, server.url));
    if (isWanted("studio")) writeFileSync(join(images, "studio.jpg"), await studioPicture(page, server.url));
    if (isWanted("sheets")) await drawSheets(page);
} finally {
    await browser.close();
    await server.close();
    rmSync(built, { recursive: true, force: true });
}
