// Every scene without a browser: its camera keeps cloths and colliders in what the page leaves free, over time, at any size, and
// it moves the same after it was put back. The null engine computes the camera, and textures are never painted.
import { readFileSync } from "node:fs";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Logger } from "@babylonjs/core/Misc/logger";
import { Scene } from "@babylonjs/core/scene";
import { startHavok } from "../../physics/havok";
import { afterEach, expect, test } from "@jest/globals";
import { rewind, run, scenes } from "../../../playground/gallery";
import type { Entry, World } from "../../../playground/gallery";
import { fit } from "../../../playground/parts/framing";

Logger.LogLevels = Logger.ErrorLogLevel;

/** Sizes of the canvas and what the page covers, about as it does [CSS pixels]. */
const pages = [
    { width: 1280, height: 720, left: 12, right: 292, top: 104, bottom: 71 },
    { width: 390, height: 844, left: 12, right: 12, top: 92, bottom: 118 },
    { width: 390, height: 844, left: 12, right: 12, top: 92, bottom: 417 },
    { width: 844, height: 390, left: 12, right: 280, top: 63, bottom: 72 },
    { width: 640, height: 400, left: 0, right: 0, top: 0, bottom: 0 },
];

/** A phone held upright, among them. */
const PHONE = 1;

/** A canvas to measure and to draw nothing on. */
const ignore: unknown = new Proxy(() => undefined, { get: () => ignore, set: () => true });

let engine: NullEngine;
afterEach(() => engine.dispose());

async function build(entry: Entry): Promise<{ scene: Scene; world: World; size: { clientWidth: number; clientHeight: number } }> {
    engine = new NullEngine();
    const size = { clientWidth: 1, clientHeight: 1 };
    const canvas = new Proxy(size, { get: (target, name) => target[name as keyof typeof size] ?? ignore });
    Object.assign(engine, {
        getRenderingCanvas: () => canvas,
        createCanvas: () => ({ getContext: () => ignore }),
        updateTextureData: () => undefined,
        createRawCubeTexture: () => null,
    });
    const scene = new Scene(engine);
    const model = (name: string): [string, string] => {
        const data = readFileSync(`playground/assets/${name}`).toString("base64");
        return [name, `data:;base64,${data}`];
    };
    Object.assign(globalThis, { HavokPhysics: startHavok });
    const world = await entry.create(scene, Object.fromEntries(["skirt.glb", "walker.glb"].map(model)));
    entry.decorate(scene, world as never);
    return { scene, world, size };
}

/** World positions, x y z, of the cloths and of the meshes that the world lists, floors aside. */
function points({ cloths, ...rest }: World): ArrayLike<number>[] {
    const listed = Object.values(rest).flat() as Partial<AbstractMesh>[];
    const meshes = listed.filter((item) => item?.getBoundingInfo && item.name !== "floor") as AbstractMesh[];
    const corners = meshes
        .filter((mesh) => !cloths.some((cloth) => cloth.attachedNode === mesh))
        .map((mesh) => {
            const world = mesh.computeWorldMatrix(true);
            const local = mesh.getVerticesData("position") ?? [];
            return Array.from({ length: local.length / 3 }, (_, i) =>
                Vector3.TransformCoordinates(Vector3.FromArray(local, 3 * i), world),
            ).flatMap((corner) => corner.asArray());
        });
    return [...cloths.map((cloth) => cloth.getParticlePositions()), ...corners];
}

test.each(scenes)("$id is seen as a whole, and moves the same each time", async (entry) => {
    const { scene, world, size } = await build(entry);
    const matrices = pages.map(({ width, height, ...margins }) => {
        // The null engine has the size that it was made with, and so the camera another aspect than the page.
        engine.getRenderWidth = () => width;
        engine.getRenderHeight = () => height;
        Object.assign(size, { clientWidth: width, clientHeight: height });
        scene.metadata = { margins };
        // As a frame does, without drawing.
        scene.onBeforeRenderObservable.notifyObservers(scene);
        scene.updateTransformMatrix(true);
        return scene.getTransformMatrix().clone();
    });
    let time = 0;
    rewind(scene, world);
    const seen = new Vector3();
    const positions = () => world.cloths.map((cloth) => cloth.getParticlePositions().slice());
    const again = [0, 0.5];
    // The browser's tests look at four seconds.
    const stretches = [...again, 1, 1];
    let then: Float32Array[] = [];
    let widest = 0;
    for (const [i, seconds] of stretches.entries()) {
        time = run(scene, world, time, seconds);
        if (i === again.length - 1) then = positions();
        const bodies = points(world);
        pages.forEach(({ width, height, left, right, top, bottom }, i) => {
            const extent = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
            for (const body of bodies) {
                for (let k = 0; k < body.length; k += 3) {
                    Vector3.TransformCoordinatesFromFloatsToRef(body[k], body[k + 1], body[k + 2], matrices[i], seen);
                    const x = (0.5 + 0.5 * seen.x) * width;
                    const y = (0.5 - 0.5 * seen.y) * height;
                    extent.left = Math.min(extent.left, x);
                    extent.right = Math.max(extent.right, x);
                    extent.top = Math.min(extent.top, y);
                    extent.bottom = Math.max(extent.bottom, y);
                }
            }
            if (i === PHONE) widest = Math.max(widest, (extent.right - extent.left) / width, (extent.bottom - extent.top) / height);
            expect(extent.left).toBeGreaterThanOrEqual(left - 1);
            expect(extent.top).toBeGreaterThanOrEqual(top - 1);
            expect(extent.right).toBeLessThanOrEqual(width - right + 1);
            expect(extent.bottom).toBeLessThanOrEqual(height - bottom + 1);
        });
    }
    // Of the baked flags one alone is cloth.
    if (entry.id !== "baked") expect(widest).toBeGreaterThan(0.35);
    expect(positions().every((all) => all.every(Number.isFinite))).toBe(true);
    rewind(scene, world);
    again.reduce((from, seconds) => run(scene, world, from, seconds), 0);
    expect(positions()).toEqual(then);
});

test("a fit touches the limits of one axis and keeps within those of the other", () => {
    engine = new NullEngine();
    const corners = Array.from({ length: 8 }, (_, i) => [i & 1 ? 3 : -1, i & 2 ? 1 : -1, i & 4 ? 2 : -0.5]);
    for (const [aspect, limits] of [
        [1.8, [0.7, 0.7]],
        [0.46, [0.9, 0.7]],
    ] as const) {
        const { distance, x, y } = fit(corners, [...limits], aspect, 0.7);
        const scale = 1 / Math.tan(0.35);
        const reach = (axis: number, s: number, shift: number) =>
            corners.map((p) => Math.abs((s * (p[axis] + shift)) / (distance + p[2])));
        const across = Math.max(...reach(0, scale / aspect, x)) / limits[0];
        const high = Math.max(...reach(1, scale, y)) / limits[1];
        expect(Math.max(across, high)).toBeCloseTo(1, 9);
        expect(Math.min(...corners.map((p) => distance + p[2]))).toBeGreaterThan(0);
    }
});
