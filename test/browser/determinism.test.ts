// One scene, one hash: the kernels give the same bits in Node, in Chromium and in Firefox, and on every machine that runs this.
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import type * as Core from "@babylonjs/core";
import * as Babylon from "babylonjs";
import * as Cloth from "../../src/index";
import { launchBrowser, newWatchedPage, root, serve } from "./browser";
import type { StaticServer } from "./browser";
import { builtUmd } from "./builds";
import { inFirefox, launchFirefox } from "./firefox";

/** Hash of the particles after 1,000 fixed steps. It changes when the method does; then say so in the changelog. */
const GOLDEN = "1b95b8cc a54a49af";
/** The same after 100 steps of cloths that keep off each other, by particles and by triangles. */
const GOLDEN_LAYERS = { particles: "b1204be5 cd834978", triangles: "f7359530 15db19f5", robust: "1b2b29e4 08000283" };
/** The same after 400 steps of a rope. */
const GOLDEN_ROPE = "2d757112";
/** The same after 300 steps of a block and a blade that keep their shape. */
const GOLDEN_PLANTS = "95f73738 f53daa13";
/** The same after 400 steps of a rigid body. */
const GOLDEN_BODY = "53d8f784";
type Tier = keyof typeof GOLDEN_LAYERS;
const TIERS = Object.keys(GOLDEN_LAYERS) as Tier[];

/** FNV-1a hash of the particles of a body. Runs here and, as text, in the page; so do those below. */
function hashOf(body: Pick<Cloth.ClothBehavior, "getParticlePositions">): string {
    let hash = 0x811c9dc5;
    for (const byte of new Uint8Array(body.getParticlePositions().buffer)) hash = Math.imul(hash ^ byte, 0x01000193);
    return (hash >>> 0).toString(16).padStart(8, "0");
}

/**
 * A box that falls on a sphere and a plane, pushed, turned about a pin, and let go.
 * @returns hash of its particles
 */
function simulateBody(BABYLON: typeof Core, { RigidBodyBehavior }: typeof Cloth): string {
    const engine = new BABYLON.NullEngine();
    const scene = new BABYLON.Scene(engine);
    const sphere = { centerWorld: new BABYLON.Vector3(0.1, -0.5, 0), radiusWorld: 0.25 } as Core.BoundingSphere;
    const mesh = BABYLON.MeshBuilder.CreateBox("box", { width: 0.5, height: 0.25, depth: 0.375 }, scene);
    const body = new RigidBodyBehavior({
        autoStep: false,
        gravity: new BABYLON.Vector3(0, -9.81, 0),
        mass: 2,
        colliders: [sphere, new BABYLON.Plane(0, 1, 0, 1.5)],
    });
    mesh.addBehavior(body);
    for (let step = 1; step <= 400; step++) {
        if (step % 61 === 0) body.applyImpulse(sphere.centerWorld, new BABYLON.Vector3(0.5, 4, -0.25), 1);
        if (step === 200) body.pin([0, 1]);
        if (step === 300) body.unpin(body.pins[0]);
        body.step(1 / 60);
    }
    const hash = hashOf(body);
    scene.dispose();
    engine.dispose();
    return hash;
}

/**
 * A rope with a load across a moving sphere, over a plane: tied to a node, then let go; kicked, stiffened, and taken in and paid out by a winch.
 * It is made of a line along an axis, since tubes are made of sines.
 * @returns hash of its particles
 */
function simulateRope(BABYLON: typeof Core, { RopeBehavior }: typeof Cloth): string {
    const engine = new BABYLON.NullEngine();
    const scene = new BABYLON.Scene(engine);
    const sphere = { centerWorld: new BABYLON.Vector3(0, -0.5, 0), radiusWorld: 0.25 } as Core.BoundingSphere;
    const hook = new BABYLON.TransformNode("hook", scene);
    const points = Array.from({ length: 33 }, (_, i) => new BABYLON.Vector3(i / 16 - 1, 0, 0));
    const mesh = BABYLON.MeshBuilder.CreateLines("rope", { points }, scene);
    const rope = new RopeBehavior({
        autoStep: false,
        start: hook,
        endMass: 0.25,
        colliders: [sphere, new BABYLON.Plane(0, 1, 0, 1.5)],
    });
    mesh.addBehavior(rope);
    for (let step = 1; step <= 400; step++) {
        sphere.centerWorld.x = (step % 64) / 128 - 0.5;
        hook.position.y = (step % 128) / 512;
        if (step % 97 === 0) rope.applyImpulse(sphere.centerWorld, new BABYLON.Vector3(0.1, 0.4, -0.2), 0.7);
        if (step > 100 && step <= 200) rope.length! += step > 150 ? 1 / 128 : -1 / 128;
        if (step === 250) rope.bendStiffness = 0.125;
        if (step === 300) rope.start = null;
        rope.step(1 / 60);
    }
    const hash = hashOf(rope);
    scene.dispose();
    engine.dispose();
    return hash;
}

/**
 * A block and a blade: the one falls on a plane, and is kicked; the other is held, in wind, and gets stiffer.
 * @returns hashes of their particles
 */
function simulatePlants(BABYLON: typeof Core, { PlantBehavior, Wind }: typeof Cloth): string {
    const engine = new BABYLON.NullEngine();
    const scene = new BABYLON.Scene(engine);
    const options = { width: 0.25, height: 0.5, subdivisionsX: 2, subdivisionsY: 6 };
    const blade = BABYLON.MeshBuilder.CreateGround("blade", options, scene);
    const block = BABYLON.MeshBuilder.CreateTiledBox("block", { width: 0.5, height: 0.5, depth: 0.5, tileSize: 0.125 }, scene);
    const held = new PlantBehavior({
        autoStep: false,
        pins: [{ select: ({ z }) => z < -0.125 }],
        wind: new Wind({ velocity: new BABYLON.Vector3(2, 1, 0), turbulence: 0 }),
    });
    const free = new PlantBehavior({ autoStep: false, stiffness: 5e4, colliders: [new BABYLON.Plane(0, 1, 0, 0.5)] });
    blade.addBehavior(held);
    block.addBehavior(free);
    for (let step = 1; step <= 300; step++) {
        if (step % 97 === 0) free.applyImpulse(new BABYLON.Vector3(0.25, 0, 0), new BABYLON.Vector3(20, 40, -30), 0.5);
        if (step === 150) held.stiffness = 1e9;
        held.step(1 / 60);
        free.step(1 / 60);
    }
    const hashes = [held, free].map((plant) => hashOf(plant));
    scene.dispose();
    engine.dispose();
    return hashes.join(" ");
}

/**
 * A pinned and a free cloth in gusty wind, on a moving sphere and a plane; kicks and a change of pins on the way. Only
 * arithmetic that IEEE 754 fixes: no sines in the scene either.
 * @returns hashes of the pinned and of the free cloth's particles
 */
function simulate(
    BABYLON: typeof Core,
    BABYLONCLOTH: typeof Cloth,
    selfCollision: "particles" | "triangles" | "robust" | false = false,
): string {
    BABYLON.Logger.LogLevels = BABYLON.Logger.ErrorLogLevel | BABYLON.Logger.WarningLogLevel;
    const { ClothBehavior, Wind, select } = BABYLONCLOTH;
    const engine = new BABYLON.NullEngine();
    const scene = new BABYLON.Scene(engine);
    const sphere = { centerWorld: new BABYLON.Vector3(0, -1, 0), radiusWorld: 0.5 } as Core.BoundingSphere;
    const floor = new BABYLON.Plane(0, 1, 0, 2);
    const wind = new Wind({ velocity: new BABYLON.Vector3(3, 0.5, 2), turbulence: 0.6, seed: 7 });
    const cloths = [0, 1].map((i) => {
        const mesh = BABYLON.MeshBuilder.CreateGround(`cloth${i}`, { width: 2, height: 2, subdivisions: 24 }, scene);
        mesh.position.y = selfCollision ? -0.3 * i : 0;
        const cloth = new ClothBehavior({ autoStep: false, wind, colliders: [sphere, floor], selfCollision });
        mesh.addBehavior(cloth);
        return cloth;
    });
    const pin = cloths[0].pin(select.corners("-x+z", "+x+z"));
    const steps = selfCollision === "robust" ? 50 : selfCollision ? 100 : 1000;
    for (let step = 1; step <= steps; step++) {
        sphere.centerWorld.x = (step % 200) / 200 - 0.5;
        for (const cloth of cloths) {
            if (step % 97 === 0) cloth.applyImpulse(sphere.centerWorld, new BABYLON.Vector3(0.1, 0.4, -0.2), 0.7);
            if (step === 500) cloth.substepCount = 3;
            cloth.step(1 / 60);
        }
        if (step === 600) cloths[0].unpin(pin);
        if (step === 700) cloths[0].pin(select.edge("-x"));
    }
    const hashes = cloths.map(hashOf);
    scene.dispose();
    engine.dispose();
    return hashes.join(" ");
}

/** The UMD build, typed as what it is. */
const core = Babylon as unknown as typeof Core;

/** Serves a page that runs the scenes. */
async function serveScene(): Promise<StaticServer> {
    return serve(
        { "/babylonjs/": join(root, "node_modules/babylonjs"), "/": await builtUmd() },
        {
            pages: {
                "/": `<!doctype html><title>cloth</title>
                    <script src="/babylonjs/babylon.js"></script>
                    <script src="/babylon-cloth.umd.js"></script>
                    <script>
                        ${[hashOf, simulate, simulateRope, simulatePlants, simulateBody].map((run) => run.toString()).join("\n")}
                        window.result = simulate(BABYLON, BABYLONCLOTH);
                        const engine = new BABYLON.NullEngine();
                        const ground = BABYLON.MeshBuilder.CreateGround("g", { subdivisions: 4 }, new BABYLON.Scene(engine));
                        const cloth = new BABYLONCLOTH.ClothBehavior();
                        ground.addBehavior(cloth);
                        window.layers = ${JSON.stringify(TIERS)}.map((tier) => simulate(BABYLON, BABYLONCLOTH, tier));
                        window.rope = simulateRope(BABYLON, BABYLONCLOTH);
                        window.plants = simulatePlants(BABYLON, BABYLONCLOTH);
                        window.body = simulateBody(BABYLON, BABYLONCLOTH);
                    </script>`,
            },
        },
    );
}

/** Runs the scene in a page of Chromium. */
async function simulateInPage(): Promise<{ result: string; layers: string[]; rope: string; plants: string; body: string }> {
    const server = await serveScene();
    const browser = await launchBrowser();
    try {
        const { page, errors } = await newWatchedPage(browser);
        await page.goto(server.url);
        const result = (await page.evaluate("window.result")) as string;
        expect(errors).toEqual([]);
        const layers = (await page.evaluate("window.layers")) as string[];
        const rope = (await page.evaluate("window.rope")) as string;
        const plants = (await page.evaluate("window.plants")) as string;
        const body = (await page.evaluate("window.body")) as string;
        return { result, layers, rope, plants, body };
    } finally {
        await browser.close();
        await server.close();
    }
}

test("Node has the golden hash", () => {
    expect(simulate(core, Cloth)).toBe(GOLDEN);
}, 300_000);

test.each(TIERS)(
    "Node has the golden hash of layers of %s",
    (tier) => {
        expect(simulate(core, Cloth, tier)).toBe(GOLDEN_LAYERS[tier]);
    },
    60_000,
);

test("Node has the golden hash of a rope", () => {
    expect(simulateRope(core, Cloth)).toBe(GOLDEN_ROPE);
});

test("Node has the golden hash of plants", () => {
    expect(simulatePlants(core, Cloth)).toBe(GOLDEN_PLANTS);
});

test("Node has the golden hash of a rigid body", () => {
    expect(simulateBody(core, Cloth)).toBe(GOLDEN_BODY);
});

test("Chromium has the golden hash", async () => {
    const { result, layers, rope, plants, body } = await simulateInPage();
    expect(result).toBe(GOLDEN);
    expect(layers).toEqual(Object.values(GOLDEN_LAYERS));
    expect(rope).toBe(GOLDEN_ROPE);
    expect(plants).toBe(GOLDEN_PLANTS);
    expect(body).toBe(GOLDEN_BODY);
}, 300_000);

inFirefox(test, "the golden hash")(
    "Firefox has the golden hash",
    async () => {
        const server = await serveScene();
        const firefox = await launchFirefox();
        try {
            const { page, errors } = await firefox.newPage();
            await page.goto(server.url);
            expect(await page.evaluate("[window.result, ...window.layers, window.rope, window.plants, window.body]")).toEqual([
                GOLDEN,
                ...Object.values(GOLDEN_LAYERS),
                GOLDEN_ROPE,
                GOLDEN_PLANTS,
                GOLDEN_BODY,
            ]);
            expect(errors).toEqual([]);
        } finally {
            await firefox.close();
            await server.close();
        }
    },
    120_000,
);
