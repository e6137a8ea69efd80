// Where a content security policy forbids WebAssembly, nothing is simulated, one error says why, and the scene goes on.
import { expect, test } from "@jest/globals";
import { join } from "node:path";
import { launchBrowser, newWatchedPage, root, serve } from "./browser";
import { builtUmd } from "./builds";

test("attaching logs one error with the cure, leaves the mesh as it is, and the scene lives on", async () => {
    const server = await serve(
        { "/babylonjs/": join(root, "node_modules/babylonjs"), "/": await builtUmd() },
        {
            contentSecurityPolicy: "script-src 'self' 'unsafe-inline'",
            pages: {
                "/": `<!doctype html><title>cloth</title>
                    <script src="/babylonjs/babylon.js"></script>
                    <script src="/babylon-cloth.umd.js"></script>
                    <script>
                        const scene = new BABYLON.Scene(new BABYLON.NullEngine());
                        new BABYLON.FreeCamera("camera", BABYLON.Vector3.Zero(), scene);
                        const meshes = [0, 1].map((i) => BABYLON.MeshBuilder.CreateGround("g" + i, { subdivisions: 4 }, scene));
                        const before = meshes[0].getVerticesData("position").join();
                        const cloths = meshes.map((mesh) => {
                            const cloth = new BABYLONCLOTH.ClothBehavior({ pins: [{ select: [0] }], colliders: [meshes[1]] });
                            mesh.addBehavior(cloth);
                            return cloth;
                        });
                        for (let frame = 0; frame < 5; frame++) scene.render();
                        cloths[0].step(1);
                        meshes[1].removeBehavior(cloths[1]);
                        meshes[0].dispose();
                        scene.render();
                        window.result = [
                            BABYLONCLOTH.ClothBehavior.isSupported,
                            cloths[0].particleCount,
                            before === meshes[1].getVerticesData("position").join(),
                        ];
                    </script>`,
            },
        },
    );
    const browser = await launchBrowser();
    try {
        const { page, errors } = await newWatchedPage(browser);
        await page.goto(server.url);
        expect(await page.evaluate("window.result")).toEqual([false, 0, true]);
        const ours = errors.filter((text) => text.includes("ClothBehavior"));
        expect(ours).toHaveLength(1);
        expect(ours[0]).toContain("wasm-unsafe-eval");
    } finally {
        await browser.close();
        await server.close();
    }
}, 120_000);
