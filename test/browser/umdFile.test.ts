// The UMD file: required and imported beside the babylonjs package, and loaded by a script tag after babylon.js.
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { inPage, root } from "./browser";
import { consumer, expectHangingCloth, program, required, runNode, writeIn } from "./consumer";

const project = consumer();

const umdFile = "umd/babylon-cloth.umd.js";

describe("UMD file", () => {
    const names = "NullEngine, Scene, FreeCamera, Vector3, CreateGround, Logger";

    test("is require()d beside the babylonjs package", () => {
        writeIn(
            project.folder,
            "umd.cjs",
            program(required(names, "babylonjs") + required("ClothBehavior, select", "babylon-cloth/umd")),
        );
        expectHangingCloth(JSON.parse(runNode(["umd.cjs"], project.folder)));
    });

    test("is imported beside the babylonjs package, by its names", () => {
        writeIn(
            project.folder,
            "umd.mjs",
            program(`import BABYLON from "babylonjs";
            const { ${names} } = BABYLON;
            import { ClothBehavior, Fabrics, Wind, select } from "babylon-cloth/umd";
            if (!Fabrics.silk || !Wind) throw new Error("names are missing");`),
        );
        expectHangingCloth(JSON.parse(runNode(["umd.mjs"], project.folder)));
    });

    test("is BABYLONCLOTH in a page after babylon.js, and its cloth moves as the page renders", async () => {
        const folders = { "/babylonjs/": join(root, "node_modules/babylonjs"), "/": join(project.installed, "dist") };
        const pages = {
            "/": `<!doctype html><canvas id="canvas" width="320" height="240"></canvas>
                <script src="/babylonjs/babylon.js"></script>
                <script src="/${umdFile}"></script>
                <script>
                    const engine = new BABYLON.Engine(document.getElementById("canvas"));
                    const scene = new BABYLON.Scene(engine);
                    new BABYLON.ArcRotateCamera("camera", -1.6, 1.2, 5, BABYLON.Vector3.Zero(), scene);
                    new BABYLON.HemisphericLight("light", BABYLON.Vector3.Up(), scene);
                    const flag = BABYLON.MeshBuilder.CreateGround(
                        "flag", { width: 2, height: 2, subdivisions: 24, updatable: false }, scene);
                    const { ClothBehavior, Wind, select } = BABYLONCLOTH;
                    window.cloth = new ClothBehavior({
                        pins: [{ select: select.edge("-x") }],
                        wind: new Wind({ velocity: new BABYLON.Vector3(4, 0, 1) }),
                    });
                    flag.addBehavior(cloth);
                    const ball = BABYLON.MeshBuilder.CreateSphere("ball", { diameter: 0.6 }, scene);
                    ball.position.set(0.4, -0.8, 0);
                    cloth.addCollider(ball);
                    engine.runRenderLoop(() => scene.render());
                </script>`,
        };
        await inPage({ folders, pages, size: { width: 320, height: 240 } }, async ({ page }) => {
            const moved = `(() => {
                const y = Array.from(cloth.getParticlePositions()).filter((_, i) => i % 3 === 1);
                if (!y.every(Number.isFinite)) throw new Error("non-finite particles");
                return Math.min(...y) < -0.2;
            })()`;
            await page.waitForFunction(moved);
            expect(await page.evaluate("cloth.particleCount")).toBe(25 * 25);
        });
    }, 240_000);
});
