// The few lines that a flag takes, and a curtain that opens on a click, as they stand in the docs: in an empty project that has the
// packed package, bundled by Vite and by webpack, and by script tags; looked at, and clicked on, in Chromium.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { fragmentsOf, NAMES_OF_FRAGMENTS, readPages } from "../docs/blocks";
import { inPage, root, shareOf } from "./browser";
import type { PageOptions } from "./browser";
import { bundleByWebpack, consumer, imported, runNode, writeIn } from "./consumer";

const project = consumer();
const { flag, curtain } = fragmentsOf(readPages(root));

/** What the stage about the fragments names of Babylon. */
const STAGE_NAMES = ["ArcRotateCamera", "Engine", "HemisphericLight", "Matrix", "Scene", "Vector3"];
const ofBabylon = [...NAMES_OF_FRAGMENTS["@babylonjs/core"], ...STAGE_NAMES].join(", ");
const ofCloth = NAMES_OF_FRAGMENTS["babylon-cloth"].join(", ");

/** A flag at a pole, and a curtain beside it; TypeScript, and JavaScript. */
const program = `
    const engine = new Engine(document.querySelector("canvas"), true);
    const scene = new Scene(engine);
    const camera = new ArcRotateCamera("camera", -Math.PI / 2, 1.4, 5, new Vector3(1.9, 0, 0), scene);
    new HemisphericLight("light", new Vector3(0.5, 1, -1), scene);
    ${flag}
    ${curtain}
    curtain.position.set(3, 1.2, 0);
    /** Where a mesh is on the canvas, from 0 to 1 to the right and down. */
    const placeOf = (mesh) => Vector3.Project(
        mesh.getBoundingInfo().boundingBox.centerWorld, Matrix.IdentityReadOnly, scene.getTransformMatrix(), camera.viewport);
    Object.assign(globalThis, { engine, scene, flag, curtain, placeOf });
    engine.runRenderLoop(() => scene.render());
`;

/** Where a larger app that imports single modules has the names from, and what Babylon asks it to name beside them. */
const MODULES = {
    Animation: "Animations/animation",
    ArcRotateCamera: "Cameras/arcRotateCamera",
    Engine: "Engines/engine",
    HemisphericLight: "Lights/hemisphericLight",
    "Matrix, Vector3": "Maths/math.vector",
    MeshBuilder: "Meshes/meshBuilder",
    Scene: "scene",
};
const BESIDE = ["Animations/animatable", "Culling/ray", "Materials/PBR/pbrMaterial", "Materials/standardMaterial"];

const CANVAS = { width: 320, height: 180 };
const html = (scripts: string) =>
    `<!doctype html><style>html, body { margin: 0; height: 100% } canvas { width: 100%; height: 100%; display: block }</style><canvas></canvas>${scripts}`;

const ways: Record<string, () => PageOptions> = {
    Vite() {
        const folder = join(project.folder, "vite");
        mkdirSync(folder);
        writeIn(folder, "main.ts", imported(ofBabylon, "@babylonjs/core") + imported(ofCloth, "babylon-cloth") + program);
        writeIn(folder, "index.html", html('<script type="module" src="/main.ts"></script>'));
        runNode([join(root, "node_modules/vite/bin/vite.js"), "build", "--logLevel", "error"], folder);
        return { folders: { "/": join(folder, "dist") } };
    },
    webpack() {
        const folder = join(project.folder, "webpack-page");
        const imports = [
            ...Object.entries(MODULES).map(([names, path]) => imported(names, `@babylonjs/core/${path}`)),
            ...BESIDE.map((path) => `import "@babylonjs/core/${path}";`),
            imported(ofCloth, "babylon-cloth"),
        ];
        const config = { mode: "production", optimization: { minimize: false }, performance: { hints: false } };
        bundleByWebpack(folder, imports.join("\n") + program, "es2022", config);
        return { folders: { "/": folder }, pages: { "/": html('<script src="/out.cjs"></script>') } };
    },
    "script tags"() {
        const names = `const { ${ofBabylon} } = BABYLON; const { ${ofCloth} } = BABYLONCLOTH;`;
        const files = ["/babylonjs/babylon.js", "/umd/babylon-cloth.umd.js"].map((file) => `<script src="${file}"></script>`);
        return {
            folders: { "/babylonjs/": join(root, "node_modules/babylonjs"), "/": join(project.installed, "dist") },
            pages: { "/": html(`${files.join("")}<script>${names} ${program}</script>`) },
        };
    },
};

const isSilk = "r > 40 && r > 2 * g && r > 2 * b";
const isLinen = "r > 60 && r > 1.1 * b && b > 0.5 * r && g > 0.8 * r";

test.each(Object.keys(ways))(
    "by %s: the flag flies, and the curtain opens as it is clicked on",
    async (way) => {
        await inPage({ ...ways[way](), size: CANVAS }, async ({ page }) => {
            await page.waitForFunction("globalThis.scene?.isReady() && flag.cloth.stats.kineticEnergy > 1e-3");
            /** World size of the curtain across [m]. */
            const width = () => page.evaluate<number>("2 * curtain.getBoundingInfo().boundingBox.extendSizeWorld.x");
            const whole = await width();
            expect(whole).toBeGreaterThan(1.4);
            expect(await shareOf(page, isSilk)).toBeGreaterThan(0.02);
            const shut = await shareOf(page, isLinen);
            expect(shut).toBeGreaterThan(0.07);

            const { x, y } = await page.evaluate<{ x: number; y: number }>("(({ x, y }) => ({ x, y }))(placeOf(curtain))");
            await page.mouse.click(x * CANVAS.width, y * CANVAS.height);
            await page.waitForFunction("curtain.open === 1");
            // The cloth follows its rings, some frames later: how much later in seconds is the machine's.
            const shares = async () => [(await width()) / whole, (await shareOf(page, isLinen)) / shut];
            let open = await shares();
            for (let tries = 0; tries < 100 && Math.max(...open) >= 0.6; tries++) {
                await page.waitForTimeout(100);
                open = await shares();
            }
            expect(Math.max(...open)).toBeLessThan(0.6);
            const isSound = `[flag, curtain].every((mesh) =>
                ["position", "normal"].every((kind) => mesh.getVerticesData(kind).every(Number.isFinite)))`;
            expect(await page.evaluate(isSound)).toBe(true);
        });
    },
    240_000,
);
