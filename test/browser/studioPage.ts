// The studio's page as its tests use it: opened, asked, clicked, drawn on.
import { readFileSync } from "node:fs";
import type { Page } from "./browser";

/** Opens the studio, and waits until its cloth is there. */
export async function openStudio(page: Page, address: string): Promise<void> {
    await page.goto(address);
    await page.waitForFunction(() => window.studio !== undefined);
    await page.evaluate(async () => (await window.studio!).studio.settled);
}

/** The document, once it is shown. */
export function documentOf(page: Page) {
    return page.evaluate(async () => {
        const { studio } = await window.studio!;
        await studio.settled;
        return studio.document;
    });
}

/** What is shown of it, in numbers. */
export function clothsOf(page: Page) {
    return page.evaluate(async () => {
        const { studio } = await window.studio!;
        await studio.settled;
        return [...studio.view.shown.values()].map(({ cloth, mesh }) => ({
            mesh: mesh.name,
            material: mesh.material!.name,
            density: cloth.fabric.arealDensity,
            damping: cloth.fabric.damping,
            speed: Math.hypot(cloth.wind!.velocity.x, cloth.wind!.velocity.z),
            held: cloth.pins.reduce((sum, pin) => sum + pin.particleCount, 0),
            energy: cloth.stats.kineticEnergy,
        }));
    });
}

/** Where a share of an upright cloth's width and height is on the page. */
export function placeOf(page: Page, u: number, v: number) {
    return page.evaluate(
        async ([across, up]) => {
            const { studio } = await window.studio!;
            const { minimumWorld: low, maximumWorld: high } = studio.view.shown.get("a")!.mesh.getBoundingInfo().boundingBox;
            const point = low.clone();
            point.x += across * (high.x - low.x);
            point.y += up * (high.y - low.y);
            point.z = (low.z + high.z) / 2;
            const { left, top } = studio.view.canvas.getBoundingClientRect();
            const { x, y } = studio.view.project(point);
            return { x: left + x, y: top + y };
        },
        [u, v],
    );
}

/** Draws with the mouse from one place of the cloth to another. */
export async function stroke(page: Page, from: [number, number], to: [number, number]): Promise<void> {
    const start = await placeOf(page, ...from);
    const end = await placeOf(page, ...to);
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move(end.x, end.y, { steps: 6 });
    await page.mouse.up();
}

/** Pulls a slider to a share of its range. */
export async function pull(page: Page, label: string, share: number): Promise<void> {
    const track = page.locator(`[role=slider][aria-label="${label}"]`);
    await track.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await track.boundingBox())!;
    await page.mouse.move(x + 0.1 * width, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + share * width, y + height / 2, { steps: 5 });
    await page.mouse.up();
}

export const choose = (page: Page, list: string, name: string) =>
    page.locator(`select[aria-label="${list}"]`).selectOption({ label: name });
export const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** What is downloaded of an export, a byte a letter. */
export async function download(page: Page, tab: string): Promise<string> {
    await page.getByRole("tab", { name: tab, exact: true }).click();
    const button = page.getByRole("button", { name: "Download" });
    await page.waitForFunction(() => ![...document.querySelectorAll("button")].find((b) => b.textContent === "Download")!.disabled);
    const [file] = await Promise.all([page.waitForEvent("download"), button.click()]);
    return readFileSync(await file.path(), "latin1");
}
