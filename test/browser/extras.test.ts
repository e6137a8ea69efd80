// What only a real graphics processor and a real browser show of the extras: a vertex animation in pixels, and a .glb written and loaded there.
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { build } from "esbuild";
import { inPage, root } from "./browser";

const program = `
    import { Engine } from "@babylonjs/core/Engines/engine";
    import { FreeCamera } from "@babylonjs/core/Cameras/freeCamera";
    import { ImportMeshAsync } from "@babylonjs/core/Loading/sceneLoader";
    import { StandardMaterial } from "@babylonjs/core/Materials/standardMaterial";
    import { Color3 } from "@babylonjs/core/Maths/math.color";
    import { Vector3 } from "@babylonjs/core/Maths/math.vector";
    import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
    import { Scene } from "@babylonjs/core/scene";
    import "@babylonjs/loaders/glTF/2.0";
    import { GLTF2Export } from "@babylonjs/serializers/glTF/2.0/glTFSerializer";
    import { ClothBaker, ClothBehavior, ClothBuilder, ClothFiles, VertexAnimation } from "babylon-cloth";
    import { CLOTH_EXTENSION } from "babylon-cloth/loader";
    // Sources, other than the package, are dropped where nothing is asked of them.
    globalThis.extension = CLOTH_EXTENSION;

    const engine = new Engine(document.querySelector("canvas"), false, { preserveDrawingBuffer: true });

    /** Where the middle of a red square is seen, in its own widths, at times of a recording in which it goes from 0 to 1 in a frame. */
    globalThis.play = async () => {
        const scene = new Scene(engine);
        const camera = new FreeCamera("camera", new Vector3(0, 0, -5), scene);
        camera.setTarget(Vector3.Zero());
        camera.mode = 1;
        Object.assign(camera, { orthoLeft: -2, orthoRight: 2, orthoTop: 2, orthoBottom: -2 });
        const square = CreateGround("square", { width: 1, height: 1, subdivisions: 40 }, scene);
        square.rotation.x = -Math.PI / 2;
        const material = (square.material = new StandardMaterial("red", scene));
        material.disableLighting = true;
        material.emissiveColor = Color3.Red();
        const cloth = new ClothBehavior({ autoStep: false });
        square.addBehavior(cloth);
        const rest = ClothBaker.record(cloth, 1e-3);
        const [first] = rest.positions;
        const recording = { ...rest, framesPerSecond: 1, positions: [first, first.map((x, i) => (i % 3 === 0 ? x + 1 : x))], normals: rest.normals.slice(0, 2) };
        const animation = new VertexAnimation(cloth, recording);
        square.setEnabled(false);
        animation.speed = 0;
        const places = [];
        for (const time of [0, 0.25, 1, 1.5]) {
            animation.time = time;
            await scene.whenReadyAsync();
            scene.render();
            const [width, height] = [engine.getRenderWidth(), engine.getRenderHeight()];
            const pixels = await engine.readPixels(0, 0, width, height);
            let [sum, count] = [0, 0];
            for (let i = 0; i < width * height; i++) {
                if (pixels[4 * i] > 200 && pixels[4 * i + 1] < 50) [sum, count] = [sum + ((i % width) + 0.5) / width, count + 1];
            }
            places.push([4 * (sum / count) - 2, (16 * count) / (width * height)]);
        }
        return places;
    };

    /** How far a flag of a .glb is from that which was written, after as many steps [m]. */
    globalThis.carry = async (steps) => {
        const scenes = [new Scene(engine), new Scene(engine)];
        const { cloth } = ClothBuilder.CreateFlag("flag", { subdivisions: 12, wind: "breeze" }, scenes[0]);
        for (let i = 0; i < 20; i++) cloth.step(1 / 60);
        const { files } = await ClothFiles.writeScene(scenes[0], () => GLTF2Export.GLBAsync(scenes[0], "flag"), { state: true });
        await ImportMeshAsync(new File([files["flag.glb"]], "flag.glb"), scenes[1]);
        // Babylon adds behaviors when a scene has done loading.
        if (scenes[1].isLoading) await new Promise((resolve) => scenes[1].onDataLoadedObservable.addOnce(resolve));
        const other = scenes[1].getMeshByName("flag").getBehaviorByName("Cloth");
        let most = 0;
        for (let i = 0; i < steps; i++) {
            for (const each of [cloth, other]) each.step(1 / 60);
            const [x, y] = [cloth, other].map((each) => each.getParticlePositions());
            for (let k = 0; k < x.length; k++) most = Math.max(most, Math.abs(x[k] - y[k]));
        }
        return most;
    };
`;

test("in Chromium a vertex animation is where its frames are, and a .glb moves on to the bit", async () => {
    const { outputFiles } = await build({
        stdin: { contents: program, resolveDir: root },
        alias: Object.fromEntries(
            ["index", "files", "loader"].map((name) => [
                name === "index" ? "babylon-cloth" : `babylon-cloth/${name}`,
                join(root, `src/${name}.ts`),
            ]),
        ),
        bundle: true,
        splitting: false,
        format: "esm",
        write: false,
        logLevel: "error",
    });
    const script = outputFiles[0].text.replaceAll("</script", "<\\/script");
    const html = `<!doctype html><canvas width="128" height="128"></canvas><script type="module">${script}</script>`;
    await inPage({ pages: { "/": html }, size: { width: 200, height: 200 } }, async ({ page }) => {
        await page.waitForFunction("globalThis.carry");
        const places = await page.evaluate<[number, number][]>("play()");
        places.forEach(([x, area], i) => {
            expect([i, x]).toEqual([i, expect.closeTo([0, 0.25, 1, 0.5][i], 1)]);
            expect([i, area]).toEqual([i, expect.closeTo(1, 1)]);
        });
        expect(await page.evaluate("carry(100)")).toBe(0);
    });
}, 120_000);
