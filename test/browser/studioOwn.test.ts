// The studio with what artists bring and take: painted pins in other sizes, its own exports, models, bad files.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { newWatchedPage, root } from "./browser";
import type { Page } from "./browser";
import { playground } from "./playground";
import { choose, clothsOf, documentOf, download, openStudio, placeOf, press } from "./studioPage";

const opened = playground();
const address = (): string => `${opened.url}/?studio`;
const desktop = { width: 640, height: 400 };

const messageOf = (page: Page) => page.textContent("#message");

/** Opens a file of bytes, and waits for what comes of it. */
async function give(page: Page, name: string, bytes: Uint8Array | string): Promise<void> {
    await page.evaluate(
        async ([title, text]) => {
            const { studio } = await window.studio!;
            await studio.take([new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], title)]);
        },
        [name, Buffer.from(bytes as Uint8Array).toString("base64")],
    );
}

/** Texture coordinates of the held vertices. */
function heldUvs(page: Page) {
    return page.evaluate(async () => {
        const { studio } = await window.studio!;
        await studio.settled;
        const { mesh, cloth } = studio.view.shown.get("a")!;
        const uvs = mesh.getVerticesData("uv")!;
        return cloth.pins.flatMap(({ select }) => [...(select as number[])].map((v) => [uvs[2 * v], uvs[2 * v + 1]]));
    });
}

/** True if document, link and picture agree. */
function agrees(page: Page) {
    return page.evaluate(async () => {
        const { studio } = await window.studio!;
        await studio.settled;
        const shown = studio.view.shown.get("a");
        const { source } = studio.document;
        return !!shown && ("kind" in source ? shown.label === source.kind : source.mesh === null || source.mesh === shown.label);
    });
}

test("painted pins stay where they are in another size; a fast stroke has no gaps; thin axes have no buttons", async () => {
    const { page, errors } = await newWatchedPage(opened.browser, desktop);
    await openStudio(page, address());
    const off = async (name: string) => page.getByRole("button", { name, exact: true }).isDisabled();
    expect([await off("Back"), await off("Front"), await off("Left"), await off("Top")]).toEqual([true, true, false, false]);
    await press(page, "None");
    await press(page, "Paint");
    const from = await placeOf(page, 0.2, 0.5);
    const to = await placeOf(page, 0.8, 0.5);
    // One move, as fast as a hand can.
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 1 });
    await page.mouse.up();
    const fast = await heldUvs(page);
    const columns = new Set(fast.map(([u]) => u));
    await page.keyboard.press("Control+z");
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 30 });
    await page.mouse.up();
    const slow = await heldUvs(page);
    expect(new Set(slow.map(([u]) => u))).toEqual(columns);
    expect(Math.abs(fast.length - slow.length)).toBeLessThanOrEqual(0.05 * slow.length);

    const [low, high] = [Math.min(...slow.map(([, v]) => v)), Math.max(...slow.map(([, v]) => v))];
    for (const options of [{ subdivisions: 64 }, { subdivisions: 16 }, { width: 3 }]) {
        await page.evaluate(async (sizes) => {
            const { studio } = await window.studio!;
            studio.change({ source: { kind: "flag", options: sizes as never } });
        }, options);
        const held = await heldUvs(page);
        expect(held.length).toBeGreaterThan(5);
        expect(Math.min(...held.map(([, v]) => v))).toBeGreaterThan(low - 0.06);
        expect(Math.max(...held.map(([, v]) => v))).toBeLessThan(high + 0.06);
        expect(await agrees(page)).toBe(true);
    }
    expect(errors).toEqual([]);
}, 120_000);

test("what it exports is opened again, and so is a link that is pasted", async () => {
    const { page, errors } = await newWatchedPage(opened.browser, desktop);
    await openStudio(page, address());
    await choose(page, "make", "Banner");
    await choose(page, "fabric", "silk");
    await page.evaluate(async () => {
        const { studio, brush } = await window.studio!;
        studio.tune({ wind: { speed: 3.21, direction: 40, turbulence: 0.3 } });
        brush.layer = "distance";
        brush.value = 0.5;
        brush.apply("Flood");
        brush.layer = "pins";
        studio.onChange();
        await studio.settled;
    });
    await press(page, "Bottom");
    const document = await documentOf(page);
    expect(document.distance!.reach).toBeGreaterThan(0);
    const held = await heldUvs(page);
    await press(page, "Export");
    const files: [string, Uint8Array][] = [];
    for (const [tab, name] of [
        ["TypeScript", "cloth.ts"],
        ["Playground", "playground.js"],
        ["JSON", "cloth.json"],
        [".glb", "banner.glb"],
    ])
        files.push([name, Buffer.from(await download(page, tab), "latin1")]);
    await page.keyboard.press("Escape");
    for (const [name, bytes] of files) {
        await choose(page, "make", "Flag");
        await give(page, name, bytes);
        expect([name, await documentOf(page)]).toEqual([name, document]);
        expect(await heldUvs(page)).toEqual(held);
    }
    const link = page.url();
    await choose(page, "make", "Flag");
    await documentOf(page);
    await page.evaluate((text) => (location.hash = new URL(text).hash), link);
    await page.waitForFunction(async () => "options" in (await window.studio!).studio.document.source && location.hash.length > 2);
    expect(await documentOf(page)).toEqual(document);
    await choose(page, "make", "Flag");
    await page.evaluate((text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text", text);
        dispatchEvent(new ClipboardEvent("paste", { clipboardData }));
    }, link);
    expect(await documentOf(page)).toEqual(document);
    expect(errors).toEqual([]);
}, 180_000);

/** A .glb of triangles: meshes by name, with a skeleton if they are skinned. */
function glbOf(meshes: readonly { name: string; width: number }[]): Buffer {
    const n = 9;
    const positions: number[] = [];
    const indices: number[] = [];
    for (let j = 0; j < n; j++) for (let i = 0; i < n; i++) positions.push(i / (n - 1) - 0.5, 2 - j / (n - 1), 0);
    for (let j = 0; j + 1 < n; j++)
        for (let i = 0; i + 1 < n; i++) {
            const a = j * n + i;
            indices.push(a, a + n, a + 1, a + 1, a + n, a + n + 1);
        }
    const bin = Buffer.concat([Buffer.from(Float32Array.from(positions).buffer), Buffer.from(Uint32Array.from(indices).buffer)]);
    const json = {
        asset: { version: "2.0" },
        scene: 0,
        scenes: [{ nodes: meshes.map((_, i) => i) }],
        nodes: meshes.map(({ name, width }, i) => ({ name, mesh: 0, scale: [width, width, width], translation: [1.5 * i, 0, 0] })),
        meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
        accessors: [
            { bufferView: 0, componentType: 5126, count: n * n, type: "VEC3", min: [-0.5, 1, 0], max: [0.5, 2, 0] },
            { bufferView: 1, componentType: 5125, count: indices.length, type: "SCALAR" },
        ],
        bufferViews: [
            { buffer: 0, byteOffset: 0, byteLength: 4 * positions.length },
            { buffer: 0, byteOffset: 4 * positions.length, byteLength: 4 * indices.length },
        ],
        buffers: [{ byteLength: bin.length }],
    };
    let text = JSON.stringify(json);
    while (text.length % 4) text += " ";
    const head = Buffer.alloc(20);
    [0x46546c67, 2, 28 + text.length + bin.length, text.length, 0x4e4f534a].forEach((word, i) => head.writeUInt32LE(word, 4 * i));
    const next = Buffer.alloc(8);
    next.writeUInt32LE(bin.length, 0);
    next.writeUInt32LE(0x004e4942, 4);
    return Buffer.concat([head, Buffer.from(text), next, bin]);
}

/** A model with its first mesh once more, as a cape, with or without its skeleton. */
function withCape(glb: Buffer, isSkinned = false): Buffer {
    const length = glb.readUInt32LE(12);
    const json = JSON.parse(glb.toString("utf8", 20, 20 + length)) as {
        nodes: object[];
        scenes: { nodes: number[] }[];
        meshes: { primitives: { attributes: { POSITION: number }; indices: number }[] }[];
    };
    const [{ attributes, indices }] = json.meshes[0].primitives;
    json.scenes[0].nodes.push(json.nodes.length);
    json.nodes.push({ name: "Cape", mesh: json.meshes.length, ...(isSkinned && { skin: 0 }) });
    json.meshes.push({ primitives: [{ attributes: isSkinned ? attributes : { POSITION: attributes.POSITION }, indices }] });
    let text = JSON.stringify(json);
    while (Buffer.byteLength(text) % 4) text += " ";
    const chunk = Buffer.from(text);
    const head = Buffer.from(glb.subarray(0, 20));
    head.writeUInt32LE(glb.length - length + chunk.length, 8);
    head.writeUInt32LE(chunk.length, 12);
    return Buffer.concat([head, chunk, glb.subarray(20 + length)]);
}

test("a baked loop plays without cloth", async () => {
    const { page, errors } = await newWatchedPage(opened.browser, desktop);
    await openStudio(page, address());
    await press(page, "Export");
    const glb = Buffer.from(await download(page, "Baked .glb"), "latin1");
    expect(await page.textContent("#export .code")).toMatch(/^\d+ kB: a loop of [23]\.\d s in \d+ morph targets/);
    const json = JSON.parse(glb.toString("utf8", 20, 20 + glb.readUInt32LE(12))) as {
        nodes: { extras?: object }[];
        meshes: { primitives: { targets?: object[] }[] }[];
        animations: object[];
    };
    // The flag, and the pole that carries it.
    expect([json.nodes.length, json.animations.length, json.nodes.some(({ extras }) => extras)]).toEqual([2, 1, false]);
    const targets = json.meshes.map(({ primitives: [{ targets: all }] }) => all?.length ?? 0);
    expect(Math.min(...targets)).toBe(0);
    expect(Math.max(...targets)).toBeGreaterThan(28);
    expect(errors).toEqual([]);
}, 120_000);

test("bad files are told in plain words, and document, link and picture agree", async () => {
    const { page, errors } = await newWatchedPage(opened.browser, desktop);
    await openStudio(page, address());
    const good = glbOf([{ name: "Cape", width: 1 }]);
    const url = page.url();
    const cut = Buffer.from(good);
    // The header says that there is less than its JSON asks for.
    const short = Buffer.concat([good.subarray(0, good.length - 600)]);
    short.writeUInt32LE(short.length, 8);
    cut.fill(0x20, 30, 60);
    const { source: flag } = await documentOf(page);
    for (const [name, bytes, message] of [
        ["empty.glb", Buffer.alloc(0), "empty.glb cannot be loaded: it is empty"],
        ["short.glb", good.subarray(0, 300), "short.glb cannot be loaded: it is cut off"],
        ["less.glb", short, "less.glb cannot be loaded: its data are damaged or cut off"],
        ["spoilt.glb", cut, "spoilt.glb cannot be loaded: its JSON is damaged"],
        ["text.gltf", "not JSON", "text.gltf cannot be loaded: it is no glTF file"],
        ["list.babylon", "[]", "list.babylon cannot be loaded: it is no .babylon file"],
        ["lone.gltf", '{"asset":{"version":"2.0"},"buffers":[{"uri":"lone.bin"}]}', "lone.gltf needs lone.bin: drop them together"],
        ["notes.json", '{"a":1}', 'notes.json holds no cloth: its format is not "babylon-cloth"'],
    ] as const) {
        await give(page, name, bytes as Uint8Array);
        expect(await messageOf(page)).toBe(message);
        expect((await documentOf(page)).source).toEqual(flag);
        expect([page.url(), await agrees(page)]).toEqual([url, true]);
    }
    // A size that cannot be built.
    await page.evaluate(async () => {
        const { studio } = await window.studio!;
        studio.change({ source: { kind: "cape", options: { width: 3 } } });
        await studio.settled;
    });
    expect(await messageOf(page)).toContain("flare must be less than");
    expect((await documentOf(page)).source).toEqual(flag);
    expect(page.url()).toBe(url);
    await give(page, "cape.glb", good);
    expect(await messageOf(page)).toBe("");
    expect(await clothsOf(page)).toMatchObject([{ mesh: "Cape" }]);
    expect(errors).toEqual([]);
}, 120_000);

test("of a model, the garment is suggested, another mesh chosen by clicking; .vrm is glTF; names may repeat", async () => {
    const { page, errors } = await newWatchedPage(opened.browser, desktop);
    await openStudio(page, address());
    const model = glbOf([
        { name: "Body", width: 1.2 },
        { name: "Cape", width: 1 },
        { name: "Cape", width: 0.8 },
    ]);
    await give(page, "avatar.vrm", model);
    expect(await clothsOf(page)).toMatchObject([{ mesh: "Cape" }]);
    const labels = await page.locator('select[aria-label="mesh"] option').allTextContents();
    expect(labels).toEqual(["Cape", "Cape (2)", "Body"]);
    await press(page, "Choose by clicking");
    const { x, y } = await page.evaluate(async () => {
        const { view } = (await window.studio!).studio;
        const body = view.shown.get("a")!.choices.find(({ label }) => label === "Cape (2)")!.mesh;
        body.computeWorldMatrix(true);
        const { left, top } = view.canvas.getBoundingClientRect();
        const at = view.project(body.getBoundingInfo().boundingBox.centerWorld);
        return { x: left + at.x, y: top + at.y };
    });
    await page.mouse.click(x, y);
    await page.waitForFunction(
        () => document.querySelector<HTMLSelectElement>('select[aria-label="mesh"]')?.selectedOptions[0]?.text === "Cape (2)",
    );
    expect((await documentOf(page)).source).toEqual({ file: "avatar.vrm", mesh: "Cape (2)", meets: null });

    // Exported and opened again: the same mesh is cloth, as it was.
    await press(page, "Top");
    await choose(page, "fabric", "denim");
    const [before] = await clothsOf(page);
    expect(before.held).toBe(9);
    await press(page, "Export");
    const glb = Buffer.from(await download(page, ".glb"), "latin1");
    await page.keyboard.press("Escape");
    const own = await documentOf(page);
    await choose(page, "make", "Flag");
    await give(page, "out.glb", glb);
    expect(await documentOf(page)).toEqual({ ...own, source: { ...own.source, file: "out.glb" } });
    expect(await clothsOf(page)).toMatchObject([{ held: 9, density: 0.4 }]);
    // A skinned figure is met by capsules on its bones, and walks.
    await give(page, "walker.glb", withCape(readFileSync(join(root, "playground/assets/walker.glb"))));
    const walker = await page.evaluate(async () => {
        const { view } = (await window.studio!).studio;
        const { label, meets, met, cloth } = view.shown.get("a")!;
        view.clips.name = "walk";
        const before = view.clips.place;
        view.clips.place = 0.5;
        return { label, meets, met, count: cloth.colliders.length, clips: view.clips.names, places: [before, view.clips.place] };
    });
    expect(walker).toMatchObject({ label: "Cape", meets: "capsules", met: ["Walker"], clips: ["walk"] });
    expect(walker.count).toBeGreaterThan(5);
    expect(walker.places[1]).toBeCloseTo(0.5, 1);
    expect(errors).toEqual([]);
}, 120_000);

test("the guide's cape: held, limited, kept off the back, seen walking, exported, opened again", async () => {
    const { page, errors } = await newWatchedPage(opened.browser, desktop);
    await openStudio(page, address());
    await give(page, "walker.glb", withCape(readFileSync(join(root, "playground/assets/walker.glb")), true));
    expect(await clothsOf(page)).toMatchObject([{ mesh: "Cape", held: 0 }]);
    expect(await page.locator('select[aria-label="meets"] option:checked').textContent()).toBe("capsules on the bones");
    await press(page, "Top");
    await choose(page, "layer", "max distance");
    await page.locator('input[aria-label="gradient"]').evaluate((box: HTMLInputElement) => box.click());
    await press(page, "Paint");
    const [top, hem] = [await placeOf(page, 0.5, 0.78), await placeOf(page, 0.5, 0.55)];
    await page.mouse.move(top.x, top.y);
    await page.mouse.down();
    await page.mouse.move(hem.x, hem.y, { steps: 4 });
    await page.mouse.up();
    await press(page, "Paint");
    await choose(page, "layer", "backstop");
    await press(page, "Flood");
    await choose(page, "clip", "walk");
    await press(page, "Gust");
    const limits = () =>
        page.evaluate(async () => {
            const { studio } = await window.studio!;
            await studio.settled;
            const { cloth } = studio.view.shown.get("a")!;
            const far = cloth.maxDistance as number[];
            const deep = cloth.backstop!.distance as number[];
            return { low: Math.min(...far), high: Math.max(...far), deep: Math.max(...deep), count: far.length };
        });
    const before = await limits();
    const { distance, backstop } = await documentOf(page);
    expect(before.low).toBe(0);
    expect(before.high).toBeCloseTo(distance!.reach, 6);
    expect(before.deep).toBeCloseTo(backstop!.reach, 6);
    await press(page, "Export");
    const glb = Buffer.from(await download(page, ".glb"), "latin1");
    await page.keyboard.press("Escape");
    const own = await documentOf(page);
    await choose(page, "make", "Flag");
    await give(page, "out.glb", glb);
    expect(await documentOf(page)).toEqual({ ...own, source: { ...own.source, file: "out.glb" } });
    expect(await limits()).toEqual(before);
    expect(errors).toEqual([]);
}, 120_000);
