// glTF files bring their cloth along: with what `writeScene` writes, or with settings by hand and painted attributes.
import { readFileSync } from "node:fs";
import { LoadAssetContainerAsync, ImportMeshAsync } from "@babylonjs/core/Loading/sceneLoader";
import { PBRMaterial } from "@babylonjs/core/Materials/PBR/pbrMaterial";
import { Plane } from "@babylonjs/core/Maths/math.plane";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import "@babylonjs/loaders/glTF/2.0/index";
import { GLTF2Export } from "@babylonjs/serializers/glTF/2.0/glTFSerializer";
import type { IExportOptions } from "@babylonjs/serializers/glTF/2.0/glTFSerializer";
import { ClothBehavior, ClothFiles, Fabrics, RailHold, SoftHold, Wind, select } from "babylon-cloth";
import type { Paint } from "babylon-cloth";
import { CLOTH_EXTENSION } from "babylon-cloth/loader";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { column, difference, disposeWorlds, FRAME, listen, makeSquare, makeWorld, told } from "./harness";

beforeEach(() => listen("error"));
afterEach(disposeWorlds);

const clothOn = (mesh: object | null | undefined) =>
    (mesh as Mesh).behaviors.find((behavior) => behavior.name === "Cloth") as ClothBehavior | undefined;

const load = (scene: Scene, bytes: Uint8Array) => ImportMeshAsync(bytes, scene, { pluginExtension: ".glb" });

async function toGlb(scene: Scene, options: { state?: boolean } = {}, exportOptions: IExportOptions = {}): Promise<Uint8Array> {
    const { files } = await ClothFiles.writeScene(scene, () => GLTF2Export.GLBAsync(scene, "model", exportOptions), options);
    return new Uint8Array(await (files["model.glb"] as Blob).arrayBuffer());
}

describe("a scene that was written with its cloth", () => {
    /** A cloth on a hand and over a ball, in wind, under a scaled parent. */
    function makeStage(rightHanded: boolean) {
        const world = makeWorld({ rightHanded });
        const { scene } = world;
        const parent = new TransformNode("parent", scene);
        parent.position.set(1, 2, 3);
        parent.scaling.setAll(1.5);
        const mesh = makeSquare(scene, 12, "sheet");
        mesh.parent = parent;
        mesh.rotation.y = 0.4;
        mesh.material = new PBRMaterial("material", scene);
        const hand = new TransformNode("hand", scene);
        hand.position.set(0.5, 2, 3);
        const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.7 }, scene);
        ball.position.set(1.2, -3, 3);
        const cloth = new ClothBehavior({
            pins: [{ select: select.corners("-x-z") }, { select: select.corners("+x-z"), target: hand }],
            colliders: [{ source: ball, friction: 0.9 }],
            fabric: { ...Fabrics.denim, damping: 2 },
            wind: new Wind({ velocity: new Vector3(1, 0, 2), turbulence: 0 }),
            tetherSlack: Infinity,
        });
        mesh.addBehavior(cloth);
        return { ...world, cloth, mesh };
    }

    test.each([
        [false, false],
        [true, false],
        [false, true],
    ])("moves the same, to the bit (right-handed: %s; from the middle of a motion: %s)", async (rightHanded, state) => {
        const first = makeStage(rightHanded);
        if (state) first.frame(FRAME, 40);
        const bytes = await toGlb(first.scene, { state });
        const { scene, frame } = makeWorld({ rightHanded });
        const { meshes } = await load(scene, bytes);
        const cloth = clothOn(meshes.find(({ name }) => name === "sheet"))!;
        expect(cloth.fabric).toEqual(first.cloth.fabric);
        expect(cloth.pins.map(({ target }) => target?.name ?? null)).toEqual([null, "hand"]);
        expect(cloth.colliders[0]).toMatchObject({ friction: 0.9, shape: "sphere" });
        for (let i = 0; i < 300; i++) {
            for (const world of [first, { frame }]) world.frame();
            if (i % 50 !== 0 && i < 299) continue;
            expect([i, difference(cloth.getParticlePositions(), first.cloth.getParticlePositions())]).toEqual([i, 0]);
        }
    });

    /** All that is local to a node: a rail, a wind in a zone, places of pins, a plane; and a vector of the world. */
    function makeFair(rightHanded: boolean, isMirrored = false) {
        const side = isMirrored ? -1 : 1;
        const world = makeWorld({ rightHanded });
        const { scene } = world;
        const mesh = makeSquare(scene, 10, "sheet");
        const rod = new TransformNode("rod", scene);
        rod.position.set(side * 0.05, 0, 0);
        rod.rotation.y = side * 0.1;
        const fan = new TransformNode("fan", scene);
        fan.scaling.setAll(20);
        fan.rotation.z = side * 0.2;
        const cloth = new ClothBehavior({
            pins: [
                {
                    select: select.edge("+z"),
                    target: rod,
                    hold: new RailHold([new Vector3(-side, -0.15, 0.5), new Vector3(side, 0.15, 0.5)], { friction: 0 }),
                },
                { select: select.corners(isMirrored ? "+x-z" : "-x-z"), target: rod, hold: new SoftHold({ stiffness: 30 }) },
            ],
            colliders: [new Plane(side * 0.1, 1, 0, 0.6)],
            fabric: { ...Fabrics.wool, bendStiffness: { warp: 1e-4, weft: 2e-5 } },
            wind: new Wind({ velocity: new Vector3(side * 2, 0, 1), turbulence: 0, zone: { shape: "box", node: fan } }),
            gravity: new Vector3(side, -9, 0),
        });
        mesh.addBehavior(cloth);
        return { ...world, mesh, cloth, rod };
    }

    const exportOptions = { exportUnusedUVs: true };

    test("from the middle of a motion, with what is local to nodes: to the bit", async () => {
        const first = makeFair(false);
        first.frame(FRAME, 30);
        const second = makeWorld();
        const { meshes, transformNodes } = await load(second.scene, await toGlb(first.scene, { state: true }, exportOptions));
        const cloth = clothOn(meshes.find(({ name }) => name === "sheet"))!;
        const rods = [first.rod, transformNodes.find(({ name }) => name === "rod")!];
        for (let i = 0; i < 100; i++) {
            for (const rod of rods) rod.position.y += 0.002;
            for (const { frame } of [first, second]) frame();
            expect([i, difference(cloth.getParticlePositions(), first.cloth.getParticlePositions())]).toEqual([i, 0]);
        }
    });

    test.each([false, true])("in a scene of other axes, as in a mirror (written right-handed: %s)", async (rightHanded) => {
        const bytes = await toGlb(makeFair(rightHanded).scene, {}, exportOptions);
        // The same stage, built in the mirror.
        const first = makeFair(!rightHanded, true);
        const second = makeWorld({ rightHanded: !rightHanded });
        const { meshes } = await load(second.scene, bytes);
        const cloth = clothOn(meshes.find(({ name }) => name === "sheet"))!;
        for (const { frame } of [first, second]) frame(FRAME, 20);
        const middleOf = (x: Float32Array) =>
            [0, 1, 2].map((c) => column(x, c).reduce((sum, value) => sum + value) / (x.length / 3));
        const [a, b] = [cloth, first.cloth].map((each) => middleOf(each.getParticlePositions()));
        // Faces of the air have six corners at most, which a mirror picks otherwise.
        expect(difference(a, b)).toBeLessThan(0.04);
        const moving = makeFair(rightHanded);
        moving.frame();
        await expect(
            load(makeWorld({ rightHanded: !rightHanded }).scene, await toGlb(moving.scene, { state: true })),
        ).rejects.toThrow(
            /ClothLoader: state must be of a (left|right)-handed scene, as the one that it is loaded into, got "(left|right)-handed"/,
        );
    });

    test("may be loaded twice, each with its own nodes, and into a container", async () => {
        const bytes = await toGlb(makeStage(false).scene);
        const { scene } = makeWorld();
        const targets = new Set<unknown>();
        for (let i = 0; i < 2; i++) {
            const { meshes } = await load(scene, bytes);
            targets.add(clothOn(meshes.find(({ name }) => name === "sheet"))!.pins[1].target);
        }
        expect(targets.size).toBe(2);
        const container = await LoadAssetContainerAsync(bytes, scene, { pluginExtension: ".glb" });
        const cloth = clothOn(container.meshes.find(({ name }) => name === "sheet"))!;
        expect(container.transformNodes).toContain(cloth.pins[1].target);
    });
});

/** A square of 5 × 5 vertices as a .glb; red from left to right, green from front to back, blue the product. @param change of the file before it is written */
function fileOf(cloth: unknown, change: (gltf: Gltf) => void = () => undefined): Uint8Array {
    const side = 5;
    const at = (f: (x: number, z: number) => number[]) =>
        Float32Array.from({ length: side * side }, (_, i) => i).reduce<number[]>(
            (all, i) => [...all, ...f((i % side) / (side - 1), Math.floor(i / side) / (side - 1))],
            [],
        );
    const positions = at((x, z) => [x, 0, z]);
    const arrays: [string, number[]][] = [
        ["VEC3", positions],
        ["VEC4", at((x, z) => [x, z, x * z, 1])],
        ["SCALAR", at((_, z) => [z])],
        ["SCALAR", at((x) => [0.4 * x])],
    ];
    const indices = new Uint32Array((side - 1) * (side - 1) * 6);
    for (let i = 0, o = 0; i < side * (side - 1); i++) {
        if (i % side === side - 1) continue;
        for (const k of [i, i + side, i + 1, i + 1, i + side, i + side + 1]) indices[o++] = k;
    }
    const parts = [...arrays.map(([, values]) => Buffer.from(Float32Array.from(values).buffer)), Buffer.from(indices.buffer)];
    let byteOffset = 0;
    const bufferViews = parts.map(({ length: byteLength }) => {
        const view = { buffer: 0, byteOffset, byteLength };
        byteOffset += byteLength;
        return view;
    });
    const gltf: Gltf = {
        asset: { version: "2.0" },
        scene: 0,
        scenes: [{ nodes: [0, 1] }],
        nodes: [
            { name: "sheet", mesh: 0, extras: { cloth } },
            { name: "pole", translation: [0, 0, 0] },
        ],
        meshes: [{ primitives: [{ attributes: { POSITION: 0, COLOR_0: 1, _CLOTH_PIN: 2, _REACH: 3 }, indices: 4 }] }],
        accessors: [
            ...arrays.map(([type], bufferView) => ({ bufferView, componentType: 5126, type, count: side * side })),
            { bufferView: 4, componentType: 5125, type: "SCALAR", count: indices.length },
        ],
        bufferViews,
        buffers: [
            { byteLength: byteOffset, uri: `data:application/octet-stream;base64,${Buffer.concat(parts).toString("base64")}` },
        ],
    };
    Object.assign(gltf.accessors[0], { min: [0, 0, 0], max: [1, 0, 1] });
    change(gltf);
    return packGlb(gltf);
}

/** A .glb that holds its buffers in its JSON. */
function packGlb(gltf: Gltf): Uint8Array {
    const text = JSON.stringify(gltf);
    const json = Buffer.from(text + " ".repeat((4 - (Buffer.byteLength(text) % 4)) % 4));
    const head = Buffer.from(Uint32Array.of(0x46546c67, 2, 20 + json.length, json.length, 0x4e4f534a).buffer);
    return new Uint8Array(Buffer.concat([head, json]));
}

interface Gltf {
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    [part: string]: any;
}

describe("settings by hand", () => {
    async function clothOf(extras: unknown, change?: (gltf: Gltf) => void) {
        const world = makeWorld();
        const { meshes } = await load(world.scene, fileOf(extras, change));
        return { ...world, cloth: clothOn(meshes.find(({ name }) => name === "sheet")) };
    }

    test.each<[string, unknown]>([
        ["true", true],
        ["a fabric", "silk"],
        ["an object", { fabric: "silk", substepCount: 7 }],
        ["JSON", '{ "fabric": "silk", "substepCount": 7 }'],
    ])("as %s; pinned by _CLOTH_PIN", async (name, extras) => {
        const { cloth, frame } = await clothOf(extras);
        expect(cloth!.fabric).toEqual(name === "true" ? Fabrics.cotton : Fabrics.silk);
        expect(cloth!.substepCount).toBe(typeof extras === "object" || name === "JSON" ? 7 : 4);
        expect(cloth!.pins.map(({ particleCount }) => particleCount)).toEqual([15]);
        frame(FRAME, 10);
        expect(Math.min(...column(cloth!.getParticlePositions(), 1))).toBeLessThan(-0.01);
    });

    test.each([false, 0, null])("%s: it is no cloth", async (extras) => {
        expect((await clothOf(extras)).cloth).toBeUndefined();
    });

    test("pins by colour, by another attribute, by vertices; a node that carries them; distances; colliders", async () => {
        const first = await clothOf({ pins: { color: "r", threshold: 0.9 }, target: "pole" });
        expect(first.cloth!.pins.map(({ particleCount, target }) => [particleCount, target?.name])).toEqual([[5, "pole"]]);
        const second = await clothOf({
            pins: { attribute: "_REACH", threshold: 0.35 },
            maxDistance: { attribute: "_REACH", to: 0.5 },
        });
        expect(second.cloth!.pins.map(({ particleCount }) => particleCount)).toEqual([5, 25]);
        second.frame(FRAME, 60);
        // Free by half of x, which is 0.4 at most: nothing falls farther.
        expect(Math.min(...column(second.cloth!.getParticlePositions(), 1))).toBeGreaterThan(-0.21);
        const third = await clothOf(
            { pins: [0, 4], maxDistance: { color: "r", from: 0.1, to: 1 } },
            ({ nodes }) => (nodes[1].name = "other"),
        );
        expect(third.cloth!.pins.map(({ particleCount }) => particleCount)).toEqual([2, 25]);
        const floor = (gltf: Gltf) => Object.assign(gltf.nodes[1], { name: "floor", mesh: 1, translation: [0, -0.1, 0] });
        const fourth = await clothOf({ pins: [], colliders: ["floor"] }, (gltf) => {
            gltf.meshes.push(structuredClone(gltf.meshes[0]));
            floor(gltf);
        });
        expect(fourth.cloth!.colliders.map(({ shape }) => shape)).toEqual(["plane"]);
    });

    describe("limits on a skin", () => {
        /** The square with a morph target and normals, and attributes by the numbers of their accessors. */
        const posed = (attributes: Record<string, number>) => (gltf: Gltf) => {
            const [primitive] = gltf.meshes[0].primitives;
            primitive.attributes = { POSITION: 0, NORMAL: 0, COLOR_0: 1, ...attributes };
            primitive.targets = [{ POSITION: 0 }];
        };
        /** Of each vertex, by one that reads numbers and paints. */
        const numbersOf = (cloth: ClothBehavior, value: unknown): number[] => {
            const context = { mesh: cloth.attachedNode, vertexCount: 25 };
            return Array.from((value as Paint).read(context as never), (x) => Number(x.toFixed(3)));
        };
        const at = (f: (x: number, z: number) => number) =>
            Array.from({ length: 25 }, (_, v) => Number((1e-9 + f((v % 5) / 4, Math.floor(v / 5) / 4)).toFixed(3)));

        test("by attributes in metres: _CLOTH_DISTANCE, _CLOTH_BACKSTOP, _CLOTH_BACKSTOP_RADIUS", async () => {
            const { cloth } = await clothOf(true, posed({ _CLOTH_DISTANCE: 3, _CLOTH_BACKSTOP: 3, _CLOTH_BACKSTOP_RADIUS: 2 }));
            expect(numbersOf(cloth!, cloth!.maxDistance)).toEqual(at((x) => 0.4 * x));
            expect(numbersOf(cloth!, cloth!.backstop!.distance)).toEqual(at((x) => 0.4 * x));
            expect(numbersOf(cloth!, cloth!.backstop!.radius)).toEqual(at((_, z) => z));
        });

        test("by one paint: red pins, green is the max distance, blue the backstop, between given bounds", async () => {
            const bounds = { maxDistance: [0.1, 0.3], backstop: [0, 0.05] };
            const { cloth, frame } = await clothOf({ paint: bounds }, posed({ _CLOTH_PAINT: 1 }));
            expect(cloth!.pins.map(({ particleCount }) => particleCount)).toEqual([15]);
            expect(numbersOf(cloth!, cloth!.maxDistance)).toEqual(at((_, z) => 0.1 + 0.2 * z));
            expect(numbersOf(cloth!, cloth!.backstop!.distance)).toEqual(at((x, z) => 0.05 * x * z));
            await cloth!.whenReady();
            frame(FRAME, 60);
            // Unpinned, free by 0.1 to 0.3 m.
            const low = Math.min(...column(cloth!.getParticlePositions(), 1));
            expect(low).toBeLessThan(-0.05);
            expect(low).toBeGreaterThan(-0.31);
        });

        test("a paint without bounds pins alone; colours are bounds of any option; what is wrong is told", async () => {
            const { cloth } = await clothOf(true, posed({ _CLOTH_PAINT: 1 }));
            expect([cloth!.pins.length, cloth!.maxDistance, cloth!.backstop]).toEqual([1, null, null]);
            const painted = { maxDistance: 0.2, backstop: { distance: { color: "b", to: 0.1 }, radius: 0.5 } };
            const second = (await clothOf(painted, posed({})))!.cloth!;
            expect(numbersOf(second, second.backstop!.distance)).toEqual(at((x, z) => 0.1 * x * z));
            expect(second.backstop!.radius).toBe(0.5);
            const refused = (extras: unknown, attributes = { _CLOTH_PAINT: 1 } as Record<string, number>) =>
                clothOf(extras, posed(attributes)).then(String, ({ message }: Error) => message);
            expect(await refused({ paint: { maxDistance: 0.3 } })).toContain(
                'extras.cloth of "sheet".paint.maxDistance must be two numbers >= 0, at 0 and at 1, got',
            );
            expect(await refused({ paint: { pin: [0, 1] } })).toContain('paint: unknown option "pin"');
            expect(await refused({ paint: { maxDistance: [0, 1] } }, {})).toContain(
                "paint.attribute must be an attribute of the mesh",
            );
        });
    });

    test("held by nothing it falls, with a warning, unless it shall", async () => {
        listen("warn");
        const unpainted = ({ meshes }: Gltf) => delete meshes[0].primitives[0].attributes._CLOTH_PIN;
        const first = await clothOf(true, unpainted);
        expect(first.cloth!.pins).toEqual([]);
        expect(told("warn")).toEqual([
            expect.stringContaining(
                'ClothLoader: extras.cloth of "sheet" holds nothing, so it falls: neither pins nor _CLOTH_PIN or _CLOTH_DISTANCE, but position, color, _REACH (in Blender, tick Attributes',
            ),
        ]);
        expect((await clothOf({ pins: [] }, unpainted)).cloth!.pins).toEqual([]);
        expect(told("warn")).toHaveLength(1);
    });

    test("on the mesh instead of the node; two nodes of one mesh are two cloths", async () => {
        const world = makeWorld();
        const bytes = fileOf(undefined, (gltf) => {
            gltf.nodes[0].extras = undefined;
            gltf.meshes[0].extras = { cloth: true };
            Object.assign(gltf.nodes[1], { mesh: 0 });
        });
        const { meshes } = await load(world.scene, bytes);
        const cloths = meshes.filter((mesh) => mesh.getTotalVertices() > 0).map(clothOn);
        expect(cloths).toHaveLength(2);
        expect(new Set(cloths).size).toBe(2);
    });

    test("several materials of a mesh are one cloth of several parts, with their attributes", async () => {
        const { scene, frame } = makeWorld();
        const bytes = fileOf(true, (gltf) => {
            const [primitive] = gltf.meshes[0].primitives;
            const { count } = gltf.accessors[4];
            const half = { ...gltf.accessors[4], count: count / 2 };
            gltf.accessors.push(half, { ...half, byteOffset: 2 * count });
            gltf.meshes[0].primitives = [5, 6].map((indices) => ({ ...primitive, indices }));
        });
        await load(scene, bytes);
        const meshes = scene.meshes.filter((mesh) => mesh.getTotalVertices() > 0) as Mesh[];
        const [first, ...others] = meshes.map(clothOn).filter((each) => each !== undefined);
        expect([others, [first.attachedNode, ...first.parts]]).toEqual([[], meshes]);
        await first.whenReady();
        expect(first.particleCount).toBe(25);
        // The back half pins; the front half hangs on it across the border.
        expect(first.pins.map(({ particleCount }) => particleCount)).toEqual([15]);
        frame(FRAME, 10);
        expect(Math.min(...column(first.getParticlePositions(), 1))).toBeLessThan(-0.01);
    });

    test("nothing else is touched: other files, other nodes", async () => {
        const { cloth, scene } = await clothOf(undefined);
        expect(cloth).toBe(undefined);
        expect((scene.meshes.find(({ name }) => name === "sheet") as Mesh).getVerticesDataKinds()).not.toContain("_REACH");
        expect(CLOTH_EXTENSION).toBe("BABYLON_cloth_extras");
    });
});

describe("a file from Blender (blender/makeCloth.py)", () => {
    const load34 = (scene: Scene) => load(scene, readFileSync(new URL("blender/cloth.glb", import.meta.url)));

    test("is held and kept near by its attributes, which Blender 3.4 gives one more underscore, and carried by its pole", async () => {
        const { scene, frame } = makeWorld();
        const { meshes } = await load34(scene);
        const [hung, painted] = ["Hung", "Painted"].map((name) => clothOn(meshes.find((mesh) => mesh.name === name))!);
        expect(hung.fabric).toEqual(Fabrics.silk);
        expect(hung.pins.map(({ particleCount, target, hold }) => [particleCount, target?.name, hold === null])).toEqual([
            [9, "Pole", true],
            [81, "Pole", false],
        ]);
        expect(hung.colliders.map(({ source }) => (source as Mesh).name)).toEqual(["Pole"]);
        expect(painted.fabric).toEqual(Fabrics.denim);
        expect(painted.pins.map(({ particleCount, target }) => [particleCount, target])).toEqual([[9, null]]);
        const pole = scene.getMeshByName("Pole")!;
        for (let i = 0; i < 60; i++) {
            pole.position.z += 0.005;
            frame(FRAME);
        }
        // The upper edge is where the pole is, and below it no particle is farther from its place than it is from that edge.
        const [y, z] = [1, 2].map((axis) => column(hung.getParticlePositions(), axis));
        const [y0, z0] = [1, 2].map((axis) => column(painted.getParticlePositions(), axis));
        const along = (i: number) => Math.sign(pole.getAbsolutePosition().z) * z[i];
        const upper = Array.from(y.keys()).filter((i) => y[i] > 1.499);
        expect(upper).toHaveLength(9);
        for (const i of upper) expect(along(i)).toBeCloseTo(0.3, 3);
        for (const i of y.keys()) expect(Math.abs(along(i) - 0.3)).toBeLessThan(1.5 - y[i] + 0.001);
        expect(Math.max(...z0.map(Math.abs))).toBeLessThan(0.01);
        expect(hung.stats.meanStretch).toBeLessThan(0.01);
        expect(Math.min(...y0)).toBeCloseTo(0.5, 1);
    });
});

describe("what is wrong rejects the loading, and nothing becomes cloth", () => {
    const where = 'extras.cloth of "sheet"';
    test.each<[string, unknown, string, ((gltf: Gltf) => void)?]>([
        ["no settings", 4, `ClothLoader: ${where} must be an object, a text or true, got 4`],
        ["no JSON", "{ fabric", `ClothLoader: ${where} must be JSON (`],
        ["an unknown fabric", "velvet", "ClothFiles: parse: options.fabric must be one of chiffon, "],
        ["an unknown option", { stiffness: 3 }, "ClothFiles: parse: unknown option stiffness"],
        ["a later version", { format: "babylon-cloth", version: 9 }, "ClothFiles: parse: version must be 1, got 9"],
        ["a colour that is none", { pins: { color: "x" } }, "select: vertexColor(channel) must be "],
        [
            "no colours",
            { pins: { color: "r" } },
            `ClothLoader: ${where}.pins.color must be painted: the mesh must have COLOR_0, got position`,
            ({ meshes }) => delete meshes[0].primitives[0].attributes.COLOR_0,
        ],
        [
            "an attribute that is not there",
            { pins: { attribute: "_PINS" } },
            `ClothLoader: ${where}.pins.attribute must be an attribute of the mesh: position, color, _CLOTH_PIN, _REACH (in Blender, tick Attributes as you export), got _PINS`,
        ],
        [
            "two paints",
            { pins: { attribute: "_REACH", color: "r" } },
            `ClothLoader: ${where}.pins must be one of color and attribute`,
        ],
        [
            "a node that is not there",
            { target: "mast" },
            "ClothFiles: parse: pins[0].target must be a name that is in the scene, got mast",
        ],
        [
            "no list of colliders",
            { colliders: "floor" },
            `ClothLoader: ${where}.colliders must be a list of names of nodes, got floor`,
        ],
        [
            "two materials of what was written for one mesh",
            { format: "babylon-cloth", version: 1 },
            `ClothLoader: ${where} must be on a mesh of one material; cut it apart, or give it one, got 2 materials`,
            ({ meshes }) => meshes[0].primitives.push({ ...meshes[0].primitives[0] }),
        ],
        [
            "lines",
            true,
            `ClothLoader: ${where} must be on triangles, got mode 1`,
            ({ meshes }) => (meshes[0].primitives[0].mode = 1),
        ],
        [
            "compressed",
            true,
            `ClothLoader: ${where}: _CLOTH_PIN must be not compressed: Draco keeps attributes from other readers, got no buffer view`,
            ({ accessors }) => delete accessors[2].bufferView,
        ],
    ])("%s", async (...row) => {
        const [, extras, message, change] = row;
        const { scene } = makeWorld();
        const loading = load(scene, fileOf(extras, change));
        await expect(
            loading.then(
                () => "loaded",
                (error: Error) => error.message.replaceAll('"', "").replaceAll("'", ""),
            ),
        ).resolves.toContain(message.replaceAll('"', "").replaceAll("'", ""));
        for (const mesh of scene.meshes) expect(clothOn(mesh)).toBe(undefined);
    });
});
