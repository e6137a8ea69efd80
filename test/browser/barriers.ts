// What keeps people out of a page, as axe-core finds it.
import { join } from "node:path";
import type { AxeResults, RunOptions } from "axe-core";
import { root } from "./browser";
import type { Page } from "./browser";

/** What it finds against WCAG 2.1, A and AA: rule, place and reason of each. */
export async function findBarriers(page: Page): Promise<string[]> {
    await page.addScriptTag({ path: join(root, "node_modules/axe-core/axe.min.js") });
    const { violations } = await page.evaluate(() => {
        const { axe } = window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
        return axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] });
    });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`));
}
