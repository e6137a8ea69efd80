// The playground's scenes in a real Chromium: each is opened, run and looked at. Screenshots go to test/browser/screenshots/, to be
// looked at by people.
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import type {} from "../../playground/index";
import { scenes } from "../../playground/gallery";
import { newWatchedPage } from "./browser";
import { playground, screenshots } from "./playground";
import { openScene, runTo, seePixels, unseen, viewAt } from "./scenes";

/** When screenshots are taken, since the start [s]. */
const moments = [0.4, 1.5, 4];
const ids = scenes.map((scene) => scene.id);

const opened = playground();

/** Sizes of the window at which every scene must be seen as a whole. */
const laptop = { width: 1280, height: 720 };
const phone = { width: 390, height: 844 };
const phoneOnItsSide = { width: 844, height: 390 };

describe("every scene", () => {
    test.each(ids)(
        "%s draws moving cloth, all of it in sight, and throws nothing",
        async (id) => {
            const { page, errors, warnings } = await newWatchedPage(opened.browser, phone, 0.5);
            await openScene(page, `${opened.url}/?scene=${id}&paused=1`);
            const views = [await viewAt(page, phone)];
            await page.click("#controls");
            views.push(await viewAt(page, phone), await viewAt(page, phoneOnItsSide), await viewAt(page, laptop));
            expect(views.map(({ covers }) => covers.length)).toEqual([2, 3, 3, 3]);
            expect(await unseen(page, views)).toEqual([]);

            await page.keyboard.press("Escape");
            await viewAt(page, { width: 960, height: 600 });
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
                expect(await unseen(page, views)).toEqual([]);
                await page.screenshot({ path: join(screenshots, `${id}-${moment}s.png`) });
            }
            expect(difference(frames[0], frames[1])).toBeGreaterThan(0.1);
            expect(errors).toEqual([]);
            expect(warnings.filter((text) => !/GPU stall|GroupMarkerNotSet/.test(text))).toEqual([]);
        },
        60_000,
    );
});

/** Mean difference of two pictures, of 255. */
function difference(a: number[], b: number[]): number {
    return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length;
}
