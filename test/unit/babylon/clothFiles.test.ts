// Cloth as data: what goes to JSON comes back, and moves on to the bit.
import { Bone } from "@babylonjs/core/Bones/bone";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { Plane } from "@babylonjs/core/Maths/math.plane";
import { Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { readFileSync } from "node:fs";
import "@babylonjs/core/Loading/Plugins/babylonFileLoader";
import { AppendSceneAsync } from "@babylonjs/core/Loading/sceneLoader";
import "@babylonjs/core/Materials/colorCurves";
import "@babylonjs/core/Materials/standardMaterial";
import "@babylonjs/core/Meshes/groundMesh";
import { SceneSerializer } from "@babylonjs/core/Misc/sceneSerializer";
import Ajv from "ajv/dist/2020.js";
import {
    ClothBehavior,
    ClothFiles,
    Fabrics,
    MaxDistanceHold,
    PlantBehavior,
    RailHold,
    RopeBehavior,
    SoftHold,
    Wind,
    paint,
    select,
} from "babylon-cloth";
import "babylon-cloth/files";
import type { ClothData } from "babylon-cloth";
import { afterEach, describe, expect, test } from "@jest/globals";
import { disposeWorlds, FRAME, makeSquare, makeWorld, messageOf } from "./harness";
import type { World } from "./harness";

afterEach(disposeWorlds);

interface Made extends World {
    mesh: Mesh;
    cloth: ClothBehavior;
}

/** What a cloth's file needs of its scene: a mesh, a node that carries, a ball, and a fan. */
function makeStage() {
    const world = makeWorld();
    const { scene } = world;
    const mesh = makeSquare(scene, 12, "sheet");
    mesh.position.set(3, 1, -2);
    mesh.rotation.y = 0.3;
    const carrier = new TransformNode("carrier", scene);
    carrier.position.set(2.6, 1, -2);
    const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.5 }, scene);
    ball.position.set(3.1, 0.6, -2);
    const fan = new TransformNode("fan", scene);
    fan.scaling.setAll(20);
    return { ...world, mesh, carrier, ball, fan };
}

/** Everything that a file can hold. */
function makeFirst(options: object = {}) {
    const stage = makeStage();
    const { mesh, carrier, ball, fan } = stage;
    const wind = new Wind({
        velocity: new Vector3(3, 0.5, 1),
        turbulence: 0.4,
        seed: 3,
        zone: { shape: "box", node: fan, falloff: 0.2 },
    });
    const cloth = new ClothBehavior({
        pins: [{ select: select.corners("-x-z") }, { select: (p) => p.x > 0.49 && p.z > 0.49, target: carrier }],
        colliders: [{ source: ball, friction: 0.7, margin: 0.01, group: 3 }, new Plane(0, 1, 0, -0.1)],
        fabric: { ...Fabrics.silk, damping: 1 },
        wind,
        gravity: new Vector3(0, -9, 0.5),
        substepCount: 3,
        tetherSlack: Infinity,
        ...options,
    });
    mesh.addBehavior(cloth);
    return { ...stage, cloth };
}

/** The same from a file, on a mesh of another scene. */
function makeSecond(data: ClothData, place: (stage: ReturnType<typeof makeStage>) => void = () => undefined): Made {
    const stage = makeStage();
    place(stage);
    const cloth = ClothBehavior.Parse(JSON.parse(JSON.stringify(data)), stage.scene);
    stage.mesh.addBehavior(cloth);
    return { ...stage, cloth };
}

/** @param near how far what is drawn may be apart [m] */
function expectSameMotion(a: Made, b: Made, frames = 300, near = 0): void {
    for (let i = 0; i < frames; i++) {
        a.frame(FRAME);
        b.frame(FRAME);
        if (i % 20 !== 0 && i < frames - 1) continue;
        const [x, y] = [a, b].map(({ cloth }) => Buffer.from(cloth.getParticlePositions().buffer));
        expect([i, x.equals(y)]).toEqual([i, true]);
        const [p, q] = [a, b].map(({ mesh }) => Array.from(mesh.getVerticesData("position")!));
        expect([i, p.every((value, k) => Math.abs(value - q[k]) <= near)]).toEqual([i, true]);
    }
}

describe("round trip", () => {
    test("of all settings", () => {
        const { cloth } = makeFirst();
        const data = cloth.serialize();
        const second = makeSecond(data);
        expect(second.cloth.serialize()).toEqual(data);
        expect(second.cloth.tetherSlack).toBe(Infinity);
        expect(second.cloth.fabric).toEqual({ ...Fabrics.silk, damping: 1 });
        expect(second.cloth.pins.map(({ target }) => target?.name ?? null)).toEqual([null, "carrier"]);
        expect(second.cloth.colliders[0]).toMatchObject({ shape: "sphere", friction: 0.7, margin: 0.01, group: 3 });
        expect(second.cloth.colliders[1]).toMatchObject({ shape: "halfSpace", friction: null });
        expect(second.cloth.wind).toMatchObject({ turbulence: 0.4, seed: 3 });
    });

    test("from rest, the next 300 steps are equal to the bit", () => {
        const first = makeFirst();
        expectSameMotion(first, makeSecond(first.cloth.serialize()));
    });

    test.each<[string, object]>([
        ["in wind, on a ball", {}],
        ["without air, scalar", { wind: null }],
    ])("from the middle of a motion, the next 300 steps are equal to the bit: %s", (_, options) => {
        const first = makeFirst(options);
        const move = ({ carrier }: { carrier: TransformNode }, i: number) => carrier.position.set(2.6 + 0.003 * i, 1, -2);
        for (let i = 1; i <= 70; i++) {
            move(first, i);
            first.frame(FRAME);
        }
        const data = first.cloth.serialize({ state: true });
        const second = makeSecond(data, (stage) => move(stage, 70));
        for (let i = 71; i < 100; i++) {
            for (const stage of [first, second as Made & { carrier: TransformNode }]) {
                move(stage, i);
                stage.frame(FRAME);
            }
            const [x, y] = [first, second].map(({ cloth }) => Buffer.from(cloth.getParticlePositions().buffer));
            expect([i, x.equals(y)]).toEqual([i, true]);
        }
        expectSameMotion(first, second, 271);
    });

    test("between two steps of uneven frames, and asleep", () => {
        const first = makeFirst({ wind: null, fabric: { damping: 8 }, colliders: [] });
        for (let i = 0; i < 50; i++) first.frame(11 + (i % 7));
        const second = makeSecond(first.cloth.serialize({ state: true }));
        for (const { frame } of [first, second]) for (let i = 0; i < 900; i++) frame(11 + (i % 7));
        expect(first.cloth.getParticlePositions()).toEqual(second.cloth.getParticlePositions());
        expect(first.cloth.stats.isAsleep).toBe(true);
        const third = makeSecond(first.cloth.serialize({ state: true }));
        expect(third.cloth.stats.isAsleep).toBe(true);
        // What sleeps is drawn as it fell asleep, between two steps of less than 1 mm/s.
        expectSameMotion(first, third, 30, 1e-4);
    });

    test.each(["file", "clone"])("a %s that is made as soon as other substeps are asked for falls as fast", (kind) => {
        const [first, second] = [makeWorld(), makeWorld()];
        const mesh = makeSquare(first.scene);
        const cloth = new ClothBehavior({ fabric: { damping: 0 } });
        mesh.addBehavior(cloth);
        first.frame(FRAME, 20);
        cloth.substepCount = 1;
        const target = kind === "file" ? makeSquare(second.scene) : mesh.clone("clone");
        if (kind === "file") {
            const data = JSON.parse(JSON.stringify(ClothFiles.serialize(cloth, { state: true })));
            target.addBehavior(ClothFiles.parse(data, second.scene));
        }
        for (const { frame } of [first, second]) frame(FRAME, 3);
        const [copy] = target.behaviors as unknown as ClothBehavior[];
        expect(Math.abs(copy.getParticlePositions()[1] - cloth.getParticlePositions()[1])).toBeLessThan(1e-5);
    });

    test("bones, and pins by indices before attach", () => {
        const withBone = (scene: Scene) => {
            const wearer = MeshBuilder.CreateBox("wearer", {}, scene);
            wearer.skeleton = new Skeleton("skeleton", "skeleton", scene);
            return new Bone("neck", wearer.skeleton, null, Matrix.Translation(0, 1, 0));
        };
        const bone = withBone(makeWorld().scene);
        const data = new ClothBehavior({ pins: [{ select: [3, 4], target: bone }] }).serialize();
        expect(data.pins).toEqual([{ vertices: [3, 4], target: { bone: "neck", skeleton: "skeleton" }, hold: null }]);
        const { scene } = makeWorld();
        const other = withBone(scene);
        expect(ClothBehavior.Parse(data, scene).pins[0].target).toBe(other);
    });

    test("what keeps cloth within", () => {
        const { scene, mesh } = makeStage();
        const room = MeshBuilder.CreateBox("room", { size: 30 }, scene);
        const first = new ClothBehavior({ colliders: [{ source: room, inside: true, influence: 0.5 }] });
        mesh.addBehavior(first);
        const data = first.serialize();
        mesh.removeBehavior(first);
        const second = ClothBehavior.Parse(data, scene);
        mesh.addBehavior(second);
        expect(second.serialize()).toEqual(data);
        expect(data.colliders[0]).toMatchObject({ inside: true, influence: 0.5 });
        second.step(1 / 60);
        expect(Math.max(...second.getParticlePositions())).toBeLessThan(4);
    });

    test("a fabric by its name", () => {
        const data = { format: "babylon-cloth", version: 1, options: { fabric: "denim" }, pins: [], colliders: [] } as const;
        expect(ClothBehavior.Parse(data, makeWorld().scene).fabric).toEqual(Fabrics.denim);
    });
});

/** What is written to a .babylon file, loaded into another scene. */
async function reload(scene: Scene, options?: { state?: boolean }): Promise<World & { cloths: ClothBehavior[] }> {
    const text = JSON.stringify(ClothFiles.writeScene(scene, () => SceneSerializer.Serialize(scene), options));
    const world = makeWorld();
    await AppendSceneAsync(`data:${text}`, world.scene, { pluginExtension: ".babylon" });
    return { ...world, cloths: ClothFiles.readScene(world.scene) };
}

describe("a scene's file", () => {
    test.each([false, true])("brings cloth along, the next 300 steps equal to the bit (with its state: %s)", async (state) => {
        const first = makeFirst();
        if (state) first.frame(FRAME, 60);
        const second = await reload(first.scene, { state });
        expect(second.cloths).toHaveLength(1);
        const [cloth] = second.cloths;
        expectSameMotion(first, { ...second, cloth, mesh: cloth.attachedNode! });
    });

    test("leaves the scene as it was: shape, motion and metadata, also where writing fails, or takes its time", async () => {
        const [first, second] = [makeFirst(), makeFirst()];
        const metadata = { gltf: { extras: { mine: 1 } } };
        first.mesh.metadata = metadata;
        for (const { frame } of [first, second]) frame(FRAME, 40);
        const { scene, mesh } = first;
        expect(() =>
            ClothFiles.writeScene(scene, () => {
                expect(mesh.metadata.gltf.extras).toMatchObject({ mine: 1, cloth: { format: "babylon-cloth" } });
                expect(Math.max(...mesh.getVerticesData("position")!.filter((_, i) => i % 3 === 1))).toBe(0);
                throw new Error("no");
            }),
        ).toThrow("no");
        expect(mesh.metadata).toBe(metadata);
        const later = ClothFiles.writeScene(scene, () => Promise.resolve(4));
        expect(first.cloth.attachedNode).toBe(mesh);
        expect(await later).toBe(4);
        expect(first.cloth.attachedNode).toBe(mesh);
        expectSameMotion(first, second, 100);
    });

    test("is refused whole where a cloth cannot be written, or cannot be read", () => {
        const { scene, mesh, cloth, ball } = makeFirst();
        scene.removeMesh(ball);
        expect(messageOf(() => ClothFiles.writeScene(scene, 1 as never))).toBe(
            "ClothFiles: writeScene: write must be a function, got 1",
        );
        expect(messageOf(() => ClothFiles.writeScene(scene, () => 0))).toMatch(/must be a node of the scene, got "ball"/);
        expect(cloth.attachedNode).toBe(mesh);
        const world = makeWorld();
        const [a, b] = [makeSquare(world.scene), makeSquare(world.scene)];
        const data = new ClothBehavior().serialize();
        a.metadata = { gltf: { extras: { cloth: data } } };
        b.metadata = { gltf: { extras: { cloth: { ...data, version: 2 } } } };
        expect(messageOf(() => ClothFiles.readScene(world.scene))).toBe("ClothFiles: parse: version must be 1, got 2");
        expect(a.behaviors).toEqual([]);
    });

    test("is refused whole where a motion does not fit its mesh", () => {
        const world = makeWorld();
        const [a, b] = [makeSquare(world.scene, 4), makeSquare(world.scene, 5)];
        const moving = new ClothBehavior();
        a.addBehavior(moving);
        const cloth = ClothFiles.serialize(moving, { state: true });
        a.removeBehavior(moving);
        for (const mesh of [a, b]) mesh.metadata = { gltf: { extras: { cloth } } };
        expect(messageOf(() => ClothFiles.readScene(world.scene))).toContain("state must be of a mesh with the same vertices");
        expect([...a.behaviors, ...b.behaviors]).toEqual([]);
    });
});

describe("the schema", () => {
    const schema = JSON.parse(readFileSync("docs/cloth.schema.json", "utf8"));
    const names = (part: { properties: object }) => Object.keys(part.properties).sort();

    test("names what is written, and no more", () => {
        const { cloth, frame } = makeFirst();
        frame(FRAME);
        const data = ClothFiles.serialize(cloth, { state: true });
        const keys = (part: object) => Object.keys(part).sort();
        const { options, pins, colliders, state } = data;
        const { $defs, properties } = schema;
        expect(schema.properties.version.const).toBe(data.version);
        const others = [new RopeBehavior(), new PlantBehavior()].map((behavior) => ClothFiles.serialize(behavior));
        // Of other tools: read over, and never written.
        expect(names(schema)).toEqual(keys({ ...data, ...others[0], extras: {} }));
        expect(names(properties.options)).toEqual(keys({ ...options, ...others[0].options, ...others[1].options }));
        expect(names($defs.fabric)).toEqual(keys(options.fabric as object));
        expect(names($defs.wind)).toEqual(keys(options.wind as object));
        expect(names($defs.zone)).toEqual(keys((options.wind as { zone: object }).zone));
        expect(names($defs.pin)).toEqual(keys(pins[0]));
        expect(names($defs.collider)).toEqual(keys(colliders[0]));
        expect(names($defs.state)).toEqual(keys(state!));
    });

    const isValid = new Ajv({ formats: {}, strict: true, allowUnionTypes: true }).compile(schema);
    /** What the schema says against it; null: nothing. */
    const faultsOf = (data: unknown) => (isValid(data) ? null : isValid.errors!.map(({ instancePath }) => instancePath));

    test("holds what is written: with every hold, every kind of source, and a motion", () => {
        const { mesh, cloth, scene, frame } = makeFirst();
        const count = mesh.getTotalVertices();
        mesh.setVerticesData("color", new Float32Array(4 * count).fill(0.5));
        for (const hold of [
            new SoftHold({ stiffness: 30, maxForce: 2, slips: true }),
            new MaxDistanceHold(0.1),
            new MaxDistanceHold(paint.vertexColor("r", 0, 0.2)),
            new RailHold([Vector3.Zero(), Vector3.Right()], { spacing: 0.01 }),
        ]) {
            cloth.pin([70, 71], null, hold);
        }
        const wearer = MeshBuilder.CreateBox("wearer", {}, scene);
        wearer.skeleton = new Skeleton("skeleton", "skeleton", scene);
        cloth.pin([5], new Bone("neck", wearer.skeleton, null, Matrix.Identity()));
        cloth.fabric = { ...Fabrics.silk, stretchStiffness: { warp: 2000, weft: 900 } };
        frame(FRAME, 2);
        const data = JSON.parse(JSON.stringify(ClothFiles.serialize(cloth, { state: true })));
        expect(faultsOf(data)).toBe(null);
        expect(data.pins).toHaveLength(7);
        expect(faultsOf({ ...data, version: 2 })).toEqual(["/version"]);
        expect(faultsOf({ ...data, options: { ...data.options, substepCount: 0 } })).toEqual(["/options/substepCount"]);
    });
});

describe("wrong files are refused, by name and value", () => {
    const good = () => JSON.parse(JSON.stringify(ClothFiles.serialize(makeFirst().cloth)));

    test.each<[string, (data: ReturnType<typeof good>) => void, string]>([
        ["another format", (data) => (data.format = "glTF"), 'ClothFiles: parse: format must be "babylon-cloth", got "glTF"'],
        ["a later version", (data) => (data.version = 2), "ClothFiles: parse: version must be 1, got 2"],
        ["an unknown field", (data) => (data.extra = 1), 'ClothFiles: parse: unknown option "extra"; the options are format'],
        [
            "an unknown option",
            (data) => (data.options.stiff = 1),
            'ClothFiles: parse: unknown option "stiff"; the options are fabric',
        ],
        ["an unknown preset", (data) => (data.options.fabric = "jute"), "ClothFiles: parse: options.fabric must be one of chiffon"],
        ["an unknown property", (data) => (data.options.fabric.weight = 1), 'ClothBehavior: fabric: unknown option "weight"'],
        [
            "a bad value",
            (data) => (data.options.substepCount = 0),
            "ClothBehavior: substepCount must be an integer from 1 to 256, got 0",
        ],
        ["a bad wind", (data) => (data.options.wind.drag = -1), "Wind: drag must be a finite number >= 0, got -1"],
        [
            "a bad vector",
            (data) => (data.options.gravity = [1, 2]),
            "ClothFiles: parse: options.gravity must be a list of x, y and z",
        ],
        [
            "a node that is not there",
            (data) => (data.pins[1].target.node = "nobody"),
            'pins[1].target must be a name that is in the scene, got "nobody"',
        ],
        ["a bone that is not there", (data) => (data.pins[1].target = { bone: "a", skeleton: "b" }), 'in the scene, got "a of b"'],
        ["no vertices", (data) => delete data.pins[0].vertices, "pins[0].vertices must be a list of vertices, got undefined"],
        ["pins that are no list", (data) => (data.pins = 3), "ClothFiles: parse: pins must be a list, got 3"],
        ["a source that is none", (data) => (data.colliders[0].source = 7), "colliders[0].source must be { node }"],
        ["a bad plane", (data) => (data.colliders[1].source.plane = [1]), "colliders[1].source.plane must be four numbers"],
        ["an unknown option of a collider", (data) => (data.colliders[0].bounce = 1), 'colliders[0]: unknown option "bounce"'],
        ["a state that is none", (data) => (data.state = { origin: 1 }), "ClothFiles: parse: state: worldTime must be"],
    ])("%s", (_, spoil, message) => {
        const data = good();
        spoil(data);
        const { scene } = makeStage();
        expect(messageOf(() => ClothFiles.parse(data, scene))).toContain(message);
    });

    test("two nodes of one name", () => {
        const data = good();
        const { scene } = makeStage();
        new TransformNode("carrier", scene);
        expect(messageOf(() => ClothFiles.parse(data, scene))).toContain("must be a name that is the scene's only one");
    });

    test("what is not known, or no file can hold", () => {
        expect(messageOf(() => ClothFiles.serialize({} as never))).toContain("cloth must be a ClothBehavior");
        const loose = new ClothBehavior({ pins: [{ select: select.edge("-x") }] });
        expect(messageOf(() => ClothFiles.serialize(loose))).toContain(
            "pins[0].select must be vertex indices, or the cloth on a mesh",
        );
        expect(messageOf(() => ClothFiles.serialize(loose, { state: true }))).toContain("cloth must be on a mesh to have a state");
        const { scene } = makeWorld();
        const sphere = makeSquare(scene).getBoundingInfo().boundingSphere;
        const bounded = new ClothBehavior({ colliders: [sphere] });
        expect(messageOf(() => ClothFiles.serialize(bounded))).toContain("colliders[0].source must be a node or a Plane");
    });

    test("a state on another mesh: nothing is attached, and the mesh is as it was", () => {
        const first = makeFirst();
        first.frame(FRAME, 3);
        const data = ClothFiles.serialize(first.cloth, { state: true });
        const { scene } = makeStage();
        const cloth = ClothFiles.parse({ ...data, pins: [] }, scene);
        const other = makeSquare(scene, 5);
        const before = Float32Array.from(other.getVerticesData("position")!);
        expect(messageOf(() => other.addBehavior(cloth))).toBe(
            'ClothFiles: parse: state: state must be of a mesh with the same vertices and pins, got "square"',
        );
        expect(cloth.attachedNode).toBeNull();
        expect(Float32Array.from(other.getVerticesData("position")!)).toEqual(before);
    });

    const textOf = (...numbers: number[]) => Buffer.from(new Float64Array(numbers).buffer).toString("base64");
    const NAN = Buffer.from(new Float32Array(4).fill(NaN).buffer).toString("base64");

    test.each<[string, object, string]>([
        ["a short clock", { clock: textOf(1) }, "state: clock must be 4 numbers of 64 bits, got "],
        ["a cut sleep", { sleep: "" }, "state: sleep must be 15 numbers of 64 bits, got "],
        ["half a number", { origin: "AAAAAA==" }, "state: origin must be 3 numbers of 64 bits, got "],
        ["no place", { origin: textOf(1, NaN, 3) }, "state: origin[1] must be a finite number, got NaN"],
        ["no positions", { particles: [NAN] }, "state: state must be of a mesh with the same vertices and pins"],
        ["a pin elsewhere", { places: [textOf(1, 2, Infinity), textOf(0, 0, 0)] }, "state: places[0][2] must be a finite number"],
        ["time owed", { clock: textOf(0, -1e6, 1, 0) }, "state: clock[1] must be a time >= 0, got -1000000"],
        ["a time without a number", { clock: textOf(NaN, 0, 0, 0) }, "state: clock[0] must be a finite number, got NaN"],
        [
            "endless stillness",
            { sleep: textOf(...new Array<number>(15).fill(Infinity)) },
            "state: sleep[0] must be a finite number",
        ],
        [
            "a place beyond numbers of 32 bits",
            { origin: textOf(1e300, 0, 0) },
            "state: origin[0] must be a number from -1000000000000 to 1000000000000, got 1e+300",
        ],
        ["air of others", { air: NAN }, "state: air[0] must be a finite number, got NaN"],
    ])("a state with %s: nothing is attached", (...row) => {
        const [, change, message] = row;
        const first = makeFirst();
        first.frame(FRAME, 3);
        const { state, ...data } = JSON.parse(JSON.stringify(ClothFiles.serialize(first.cloth, { state: true })));
        const { scene, mesh } = makeStage();
        const cloth = ClothFiles.parse({ ...data, state: { ...state, ...change } }, scene);
        expect(messageOf(() => mesh.addBehavior(cloth))).toContain(`ClothFiles: parse: ${message}`);
        expect(cloth.attachedNode).toBeNull();
    });
});
