// Random sessions of the studio: whatever is changed, painted, undone and opened again, document, link and picture agree, and nothing is said on the console.
// STUDIO_SESSIONS=300 for a longer survey.
import { expect, test } from "@jest/globals";
import { seededRandom } from "../random";
import { newWatchedPage } from "./browser";
import { playground } from "./playground";
import { openStudio } from "./studioPage";

const opened = playground();
const SESSIONS = Number(process.env.STUDIO_SESSIONS ?? 12);
const ACTIONS = 10;

test(`${SESSIONS} random sessions`, async () => {
    const { page, errors } = await newWatchedPage(opened.browser, { width: 480, height: 320 });
    await openStudio(page, `${opened.url}/?studio`);
    for (let session = 0; session < SESSIONS; session++) {
        const random = seededRandom(session + 1);
        const numbers = Array.from({ length: 12 * ACTIONS }, random);
        const wrong = await page.evaluate(
            async ([values, actions]) => {
                const { studio, brush } = await window.studio!;
                let next = 0;
                const share = () => values[next++ % values.length];
                const pick = <T>(list: readonly T[]): T => list[Math.floor(share() * list.length)];
                const kinds = ["flag", "banner", "curtain", "tablecloth", "cape", "sail", "net", "awning"] as const;
                const fabrics = ["silk", "cotton", "denim", "leather", "chiffon"] as const;
                const done: string[] = [];
                const acts: Record<string, () => unknown> = {
                    begin: () => studio.begin(pick(kinds)),
                    size: () => {
                        const { source } = studio.document;
                        if (!("kind" in source)) return;
                        const name = pick(
                            source.kind === "tablecloth" ? ["size", "subdivisions"] : ["width", "height", "subdivisions"],
                        );
                        const value = name === "subdivisions" ? 8 * Math.floor(6 * share()) : 0.3 + 2 * share();
                        studio.change({ source: { ...source, options: { ...source.options, [name]: value } } });
                    },
                    fabric: () => studio.tune({ fabric: pick([null, ...fabrics]), look: pick([null, ...fabrics]) }),
                    numbers: () => studio.tune({ fabric: { damping: share(), arealDensity: 0.05 + share() } }, "damping"),
                    wind: () => studio.tune({ wind: { speed: 12 * share(), direction: 360 * share() - 180, turbulence: share() } }),
                    options: () =>
                        studio.tune({
                            substepCount: pick([null, 2, 5]),
                            selfCollision: pick([null, false, "particles" as const]),
                            tetherSlack: pick([null, 0.2]),
                        }),
                    paint: () => {
                        brush.layer = pick(["pins", "distance"] as const);
                        brush.value = share();
                        brush.apply(pick(["Flood", "Clear", "Invert", "Grow", "Shrink", "Smooth"] as const));
                    },
                    still: () => (brush.isOn = share() < 0.5),
                    solid: () => {
                        const position = [share(), share(), share()] as const;
                        const solid = {
                            shape: pick(["Sphere", "Box", "Capsule"] as const),
                            position,
                            sizes: { diameter: 0.3, width: 0.3, height: 0.4, depth: 0.2 },
                        };
                        studio.change({ solids: share() < 0.3 ? [] : [...studio.document.solids.slice(0, 2), solid] });
                    },
                    compare: () => studio.compare(),
                    undo: () => studio.history.undo(),
                    redo: () => studio.history.redo(),
                    open: () => studio.takeText(location.href),
                };
                for (let i = 0; i < actions; i++) {
                    const name = pick(Object.keys(acts));
                    done.push(name);
                    acts[name]();
                    // Some changes come before the one before them is shown.
                    if (share() < 0.7) await studio.settled;
                }
                await studio.settled;
                const { document } = studio;
                const sides = [...studio.view.shown.keys()].join();
                const found: string[] = [];
                if (sides !== (document.b ? "a,b" : "a")) found.push(`shown ${sides}`);
                for (const [side, { cloth, solids, mesh, label }] of studio.view.shown) {
                    const tuning = document[side]!;
                    if ("kind" in document.source && label !== document.source.kind)
                        found.push(`${label} instead of ${document.source.kind}`);
                    if (solids.length !== document.solids.length) found.push("solids");
                    if (tuning.substepCount !== null && cloth.substepCount !== tuning.substepCount) found.push("substeps");
                    if (tuning.selfCollision !== null && cloth.selfCollision !== tuning.selfCollision) found.push("selfCollision");
                    if (typeof tuning.wind === "object" && Math.abs(cloth.wind!.velocity.length() - tuning.wind.speed) > 1e-4)
                        found.push("wind");
                    if (typeof tuning.fabric === "object" && tuning.fabric && cloth.fabric.damping !== tuning.fabric.damping)
                        found.push("fabric");
                    if (mesh.getVerticesData("position")!.some((x) => !Number.isFinite(x))) found.push("not finite");
                }
                // Whatever the order of the names.
                const told = (): string =>
                    JSON.stringify(studio.document, (_, value: unknown) =>
                        typeof value === "object" && value !== null && !Array.isArray(value)
                            ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
                            : value,
                    );
                const before = told();
                await studio.takeText(location.href);
                if (told() !== before) found.push("link", before, told());
                return found.length > 0 ? [...found, done.join(" "), window.document.querySelector("#message")!.textContent] : [];
            },
            [numbers, ACTIONS] as const,
        );
        expect([session, wrong, errors]).toEqual([session, [], []]);
    }
}, 600_000);
