// What the browser tests ask of a scene of the playground, through the page's own handle.
import type { Page } from "./browser";

/** What was read of a cloth's mesh. */
export interface ClothReading {
    /** Positions, normals or bounds that are not finite. */
    badNumbers: number;
    /** Normals whose length is not 1 within a hundredth. */
    badNormals: number;
    /** Largest world coordinate of a particle [m]. */
    reach: number;
}

/** What a picture shows. */
export interface Picture {
    /** Number of different colours. */
    colours: number;
    /** Share of the pixels that change when the bodies are hidden. */
    clothShare: number;
    /** Brightness of every eighth pixel, 0 to 255. */
    grey: number[];
}

/** Goes to a page of the playground and waits until its scene is drawn. */
export async function openScene(page: Page, url: string): Promise<void> {
    await page.goto(url);
    await page.evaluate(() => window.playground.ready.then(() => undefined));
}

/** From now on a page draws only when it is asked to: software takes a tenth of a second for a frame. */
export function holdStill(page: Page): Promise<void> {
    return page.evaluate(async () => (await window.playground.ready).engine.stopRenderLoop());
}

/** Draws a scene anew by so many pixels of the canvas per CSS pixel, and so from now on. */
export function drawBy(page: Page, pixelRatio: number): Promise<void> {
    return page.evaluate(async (pixelRatio) => {
        const { scene, engine } = await window.playground.ready;
        engine.setHardwareScalingLevel(1 / pixelRatio);
        scene.render();
    }, pixelRatio);
}

/** Runs a paused scene on to a time since its start [s], and draws it. */
export function runTo(page: Page, time: number): Promise<ClothReading[]> {
    return page.evaluate(async (until) => {
        const stage = await window.playground.ready;
        stage.advance(until - stage.time);
        stage.scene.render();
        const isBad = (x: number): boolean => !Number.isFinite(x);
        return stage.cloths.map((cloth) => {
            const mesh = cloth.attachedNode!;
            const positions = Array.from(mesh.getVerticesData("position")!);
            const normals = Array.from(mesh.getVerticesData("normal")!);
            const bounds = mesh.getBoundingInfo().boundingBox;
            let badNormals = 0;
            for (let i = 0; i < normals.length; i += 3) {
                if (Math.abs(Math.hypot(normals[i], normals[i + 1], normals[i + 2]) - 1) > 0.01) badNormals++;
            }
            const ends = [...bounds.minimumWorld.asArray(), ...bounds.maximumWorld.asArray()];
            return {
                badNumbers: [...positions, ...normals, ...ends].filter(isBad).length,
                badNormals,
                reach: cloth.getParticlePositions().reduce((most, x) => Math.max(most, Math.abs(x)), 0),
            };
        });
    }, time);
}

/** Looks at the canvas, with the scene's bodies, recorded ones and ragdolls' figures too, and without. */
export function seePixels(page: Page): Promise<Picture> {
    return page.evaluate(async () => {
        const { scene, engine, world } = await window.playground.ready;
        const bodies = [...world.cloths, ...(world.bodies ?? [])].map((body) => body.attachedNode!);
        const shown = [
            ...bodies,
            ...(world.ragdolls ?? []).map(({ mesh }) => mesh),
            ...scene.meshes.filter((mesh) => mesh.material?.pluginManager?.getPlugin("ClothVertexAnimation")),
        ];
        const canvas = engine.getRenderingCanvas()!;
        const copy = new OffscreenCanvas(canvas.width, canvas.height);
        const context = copy.getContext("2d", { willReadFrequently: true })!;
        const read = (): Uint8ClampedArray => {
            scene.render();
            context.drawImage(canvas, 0, 0);
            return context.getImageData(0, 0, copy.width, copy.height).data;
        };
        // The bodies last, so that they are on the canvas afterwards.
        for (const mesh of shown) mesh.isVisible = false;
        const bare = read();
        for (const mesh of shown) mesh.isVisible = true;
        const seen = read();

        const colours = new Set<number>();
        const grey: number[] = [];
        let changed = 0;
        for (let i = 0; i < seen.length; i += 4) {
            colours.add((seen[i] << 16) | (seen[i + 1] << 8) | seen[i + 2]);
            const change = Math.abs(seen[i] - bare[i]) + Math.abs(seen[i + 1] - bare[i + 1]) + Math.abs(seen[i + 2] - bare[i + 2]);
            if (change > 24) changed++;
            if (i % 32 === 0) grey.push(Math.round((seen[i] + seen[i + 1] + seen[i + 2]) / 3));
        }
        return { colours: colours.size, clothShare: changed / (seen.length / 4), grey };
    });
}

/** What the page shows of a scene at a size of the window. */
export interface View {
    size: { width: number; height: number };
    /** World to canvas, of the camera. */
    matrix: number[];
    /** What lies over the canvas: title, panel and bar [CSS pixels]. */
    covers: { left: number; right: number; top: number; bottom: number }[];
}

/** Gives the window a size, and lets the camera follow it in a frame that shows nothing, since drawing takes longer than all else. */
export async function viewAt(page: Page, size: View["size"]): Promise<View> {
    await page.setViewportSize(size);
    return page.evaluate(async (size) => {
        const { scene, engine } = await window.playground.ready;
        // What lies over the canvas has its place after the next frame of the page.
        for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
        engine.resize();
        const camera = scene.activeCamera!;
        const { layerMask } = camera;
        camera.layerMask = 0;
        scene.renderTargetsEnabled = false;
        scene.render();
        camera.layerMask = layerMask;
        scene.renderTargetsEnabled = true;
        const covers = ["title", "panel", "bar"].map((id) => {
            const { left, right, top, bottom } = document.getElementById(id)!.getBoundingClientRect();
            return { left, right, top, bottom };
        });
        return {
            size,
            matrix: Array.from(scene.getTransformMatrix().asArray()),
            covers: covers.filter(({ left, right }) => right > left),
        };
    }, size);
}

/**
 * Looks for what a view does not show of the cloths and of the meshes that the scene's world lists, floors aside.
 * @returns a line for each point outside of the window or under what lies over the canvas, at most one a mesh
 */
export function unseen(page: Page, views: View[]): Promise<string[]> {
    return page.evaluate(async (views) => {
        const { cloths, world, time } = await window.playground.ready;
        const listed = Object.values(world).flat() as { name: string; getBoundingInfo?(): unknown }[];
        const meshes = listed.filter((item) => item.getBoundingInfo && item.name !== "floor") as unknown as NonNullable<
            (typeof cloths)[0]["attachedNode"]
        >[];
        const bodies = [
            ...cloths.map((cloth) => ({
                name: cloth.attachedNode!.name,
                points: cloth.getParticlePositions() as ArrayLike<number>,
            })),
            ...meshes
                .filter((mesh) => !cloths.some((cloth) => cloth.attachedNode === mesh))
                .map((mesh) => {
                    const local = mesh.getVerticesData("position") ?? [];
                    const m = mesh.computeWorldMatrix(true).asArray();
                    const points = Float32Array.from(local, (_, k) => {
                        const [axis, i] = [k % 3, k - (k % 3)];
                        return local[i] * m[axis] + local[i + 1] * m[4 + axis] + local[i + 2] * m[8 + axis] + m[12 + axis];
                    });
                    return { name: mesh.name, points: points as ArrayLike<number> };
                }),
        ];
        const found: string[] = [];
        for (const { size, matrix: m, covers } of views) {
            for (const { name, points } of bodies) {
                for (let i = 0; i < points.length; i += 3) {
                    const [x, y, z] = [points[i], points[i + 1], points[i + 2]];
                    const w = x * m[3] + y * m[7] + z * m[11] + m[15];
                    const right = (0.5 + (0.5 * (x * m[0] + y * m[4] + z * m[8] + m[12])) / w) * size.width;
                    const down = (0.5 - (0.5 * (x * m[1] + y * m[5] + z * m[9] + m[13])) / w) * size.height;
                    const isOut = w <= 0 || right < 0 || right > size.width || down < 0 || down > size.height;
                    if (isOut || covers.some((c) => right > c.left && right < c.right && down > c.top && down < c.bottom)) {
                        found.push(
                            `${name} at ${right.toFixed()}, ${down.toFixed()} of ${size.width}x${size.height}, ${time.toFixed(1)} s`,
                        );
                        break;
                    }
                }
            }
        }
        return found;
    }, views);
}
