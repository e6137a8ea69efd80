// The playground's scenes in a real Chromium: each is opened, run and looked at. Screenshots go to test/browser/screenshots/, to be
// looked at by people.
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { scenes } from "../../playground/gallery";
import { isAll, longTest } from "../long";
import { COARSE, newWatchedPage } from "./browser";
import type { Page } from "./browser";
import { playground, screenshots } from "./playground";
import { drawBy, holdStill, openScene, runTo, seePixels, unseen, viewAt } from "./scenes";

/** When a scene is looked at, since the start [s]; a screenshot is taken of the last. */
const moments = [0.4, 4];
const ids = scenes.map((scene) => scene.id);
/** One scene of each feature: what a scene of its own shows, and how it is drawn. */
const FEATURES = ["dancer", "flag", "cape", "colliders", "layers", "ropes", "bodies", "rain", "plants"];

const opened = playground();

/** Sizes of the window at which every scene must be seen as a whole. */
const laptop = { width: 1280, height: 720 };
const phone = { width: 390, height: 844 };
const phoneOnItsSide = { width: 844, height: 390 };
/** The same of the screenshots. */
const picture = { width: 960, height: 600 };

describe("scene", () => {
    (isAll ? test.each(ids) : test.each(FEATURES))(
        "%s draws moving cloth, and throws nothing",
        async (id) => {
            const { page, errors, warnings } = await newWatchedPage(opened.browser, { width: 320, height: 200 }, 1);
            await openScene(page, `${opened.url}/?scene=${id}&paused=1&ui=0`);
            await holdStill(page);
            const frames: number[][] = [];
            for (const moment of [0.4, 1.2]) frames.push(await lookAt(page, moment));
            expect(difference(frames[0], frames[1])).toBeGreaterThan(0.1);
            expectNoComplaint(errors, warnings);
        },
        180_000,
    );

    longTest.each(ids)(
        "%s is seen as a whole in every window, after seconds too",
        async (id) => {
            const { page, errors, warnings } = await newWatchedPage(opened.browser, phone, 1);
            await openScene(page, `${opened.url}/?scene=${id}&paused=1`);
            await holdStill(page);
            await drawBy(page, COARSE);
            const views = [await viewAt(page, phone)];
            await page.click("#controls");
            views.push(await viewAt(page, phone), await viewAt(page, phoneOnItsSide), await viewAt(page, laptop));
            expect(views.map(({ covers }) => covers.length)).toEqual([2, 3, 3, 3]);
            expect(await unseen(page, views)).toEqual([]);

            await page.keyboard.press("Escape");
            await viewAt(page, picture);
            const frames: number[][] = [];
            for (const moment of moments) {
                frames.push(await lookAt(page, moment));
                expect(await unseen(page, views)).toEqual([]);
            }
            await drawBy(page, 1);
            await page.screenshot({ path: join(screenshots, `${id}.png`) });
            expect(difference(frames[0], frames[1])).toBeGreaterThan(0.1);
            expectNoComplaint(errors, warnings);
        },
        180_000,
    );
});

longTest(
    "the lab plots every solver, and says why what explodes has exploded",
    async () => {
        const { page, errors } = await newWatchedPage(opened.browser, laptop);
        await openScene(page, `${opened.url}/?scene=lab&paused=1`);
        await holdStill(page);
        await page.waitForSelector("#comparison canvas");
        await runTo(page, 1);
        const told = () => page.locator("#told li").allTextContents();
        expect(await told()).toEqual([]);
        await page.getByLabel("substeps").fill("2");
        const cloths = await runTo(page, 2);
        expect(cloths.every(({ badNumbers }) => badNumbers === 0)).toBe(true);
        const lines = await told();
        for (const solver of ["explicitEuler", "symplecticEuler", "midpoint", "rungeKutta4", "verlet"])
            expect(
                lines.filter((line) => line.includes(`solver "${solver}": a substep is 8.33 ms; the largest stable one is`)),
            ).toHaveLength(1);
        expect(lines).toHaveLength(5);
        expect(errors).toEqual([]);
    },
    180_000,
);

test("the gallery opens with the dancer, whose buttons choose clips, the animation alone, and the paint", async () => {
    const { page, errors } = await newWatchedPage(opened.browser, { width: 480, height: 320 });
    await openScene(page, `${opened.url}/?paused=1`);
    await holdStill(page);
    expect(await page.evaluate(() => window.playground.id)).toBe("dancer");
    const press = (label: string) => page.click(`#choices >> text=${label}`);
    await press("walk");
    await runTo(page, 0.3);
    expect(await page.getAttribute("#choices >> text=walk", "aria-pressed")).toBe("true");
    await press("max distances");
    await runTo(page, 0.35);
    const read = () =>
        page.evaluate(async () =>
            (await window.playground.ready).cloths.map(({ attachedNode, skinBlend }) => ({
                isPainted: attachedNode!.useVertexColors,
                skinBlend,
            })),
        );
    expect(await read()).toEqual(Array(4).fill({ isPainted: true, skinBlend: 1 }));
    await press("max distances");
    await press("skin only");
    await runTo(page, 0.4);
    expect(await read()).toEqual(Array(4).fill({ isPainted: false, skinBlend: 0 }));
    expect(errors).toEqual([]);
}, 180_000);

describe("hands", () => {
    const size = { width: 480, height: 320 };

    /** Where a place of the world is on the page, and how far a cloth's particles have moved off to the right since it was asked last. */
    const onPage = (page: Page, x: number, y: number) =>
        page.evaluate(
            async ([x, y, width, height]) => {
                const { scene } = await window.playground.ready;
                const m = scene.getTransformMatrix().asArray();
                const w = x * m[3] + y * m[7] + m[15];
                return {
                    x: (0.5 + (0.5 * (x * m[0] + y * m[4] + m[12])) / w) * width,
                    y: (0.5 - (0.5 * (x * m[1] + y * m[5] + m[13])) / w) * height,
                };
            },
            [x, y, size.width, size.height],
        );
    const held = (page: Page) =>
        page.evaluate(async () => {
            const { world, cloths } = await window.playground.ready;
            const { picker } = world as unknown as { picker: { grips: readonly unknown[] } };
            const [curtain, sheet] = cloths;
            const x = curtain.getParticlePositions();
            return {
                grips: picker.grips.length,
                right: x.reduce((most, at, i) => (i % 3 === 0 ? Math.max(most, at) : most), -9),
                particles: sheet.particleCount,
            };
        });

    /** Waits for what comes with the page's frames. */
    const until = async (isSo: () => Promise<boolean>): Promise<void> => {
        while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 100));
    };

    test("drag a curtain along its rail by mouse, and tear a sheet by touch", async () => {
        const { page, errors } = await newWatchedPage(opened.browser, size);
        await openScene(page, `${opened.url}/?scene=hands`);
        // Where a place is on the page is known once a frame is drawn.
        await until(() => page.evaluate(async () => (await window.playground.ready).scene.getFrameId() > 1));
        const from = await onPage(page, -0.5, 1.4);
        const to = await onPage(page, 0.1, 1.5);
        await page.mouse.move(from.x, from.y);
        await page.mouse.down();
        expect((await held(page)).grips).toBe(1);
        await page.mouse.move(to.x, to.y, { steps: 6 });
        await until(async () => (await held(page)).right > -0.1);
        await page.mouse.up();
        const before = await held(page);
        expect(before.grips).toBe(0);
        const client = await page.context().newCDPSession(page);
        const touch = async (type: "touchStart" | "touchMove" | "touchEnd", x: number, y: number): Promise<void> => {
            const { x: left, y: top } = await onPage(page, x, y);
            await client.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x: left, y: top }] });
        };
        await touch("touchStart", 1.1, 1.2);
        for (let i = 1; i <= 6; i++) await touch("touchMove", 1.1, 1.2 - 0.15 * i);
        await until(async () => (await held(page)).particles > before.particles);
        await touch("touchEnd", 1.1, 0.3);
        const after = await held(page);
        expect(after.grips).toBe(0);
        expect(after.particles).toBeGreaterThan(before.particles);
        await page.screenshot({ path: join(screenshots, "hands.png") });
        expect(errors).toEqual([]);
    }, 180_000);
});

/** Runs a scene on to a moment [s], and checks its cloths and its picture. @returns brightness of the picture */
async function lookAt(page: Page, moment: number): Promise<number[]> {
    for (const cloth of await runTo(page, moment)) {
        expect(cloth).toMatchObject({ badNumbers: 0, badNormals: 0 });
        expect(cloth.reach).toBeLessThan(20);
    }
    const { colours, clothShare, grey } = await seePixels(page);
    expect(colours).toBeGreaterThan(100);
    // The share of pixels that change when the bodies are hidden is what of them was seen.
    expect(clothShare).toBeGreaterThan(0.01);
    return grey;
}

function expectNoComplaint(errors: readonly unknown[], warnings: readonly string[]): void {
    expect(errors).toEqual([]);
    expect(warnings.filter((text) => !/GPU stall|GroupMarkerNotSet/.test(text))).toEqual([]);
}

/** Mean difference of two pictures, of 255. */
function difference(a: number[], b: number[]): number {
    return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length;
}
