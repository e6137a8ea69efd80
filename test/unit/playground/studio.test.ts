// The studio's document without a page: what is undone, what links carry, and that the exported code makes what the studio shows.
import * as fc from "fast-check";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Logger } from "@babylonjs/core/Misc/logger";
import { Scene } from "@babylonjs/core/scene";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import * as BABYLON from "../../../playground/babylon";
import { assemble } from "../../../playground/studio/assemble";
import { buildOnMesh } from "../../../playground/studio/build";
import { knownOf, toCode } from "../../../playground/studio/code";
import { OWN_PINS, checkDocument, documentOfFile, newDocument } from "../../../playground/studio/document";
import type { StudioDocument, Tuning } from "../../../playground/studio/document";
import { History } from "../../../playground/studio/history";
import { fieldsOf, kinds } from "../../../playground/studio/kinds";
import type { KindName } from "../../../playground/studio/kinds";
import { materialOf } from "../../../playground/studio/look";
import { ERASED, HELD, SIDES, applyLayers, heldVertices, sidesOfMesh, surfaceForm } from "../../../playground/studio/pins";
import type { SideName } from "../../../playground/studio/pins";
import { LIBRARY } from "../../../playground/studio/presets";
import { fromFragment, readText, toFragment } from "../../../playground/studio/share";
import { MASK_SIZE, Surface, encode } from "../../../playground/studio/surface";
import * as BABYLONCLOTH from "../../../src/index";
import type { ClothBehavior } from "../../../src/index";
import { expectHolds } from "../../property";
import { disposeWorlds, makeWorld } from "../babylon/harness";
import { makeSleeve } from "../babylon/skins";

Logger.LogLevels = Logger.ErrorLogLevel;

const { ClothFiles, Fabrics, WindSpeeds } = BABYLONCLOTH;
const names = Object.keys(kinds) as KindName[];

const anyFabric = fc.constantFrom(...(Object.keys(Fabrics) as (keyof typeof Fabrics)[]));
const positive = fc.double({ min: 0.05, max: 3, noNaN: true });
const anyTuning: fc.Arbitrary<Tuning> = fc.record({
    fabric: fc.oneof(
        fc.constant(null),
        anyFabric,
        fc.record({ arealDensity: positive, stretchStiffness: fc.constantFrom(0, 500, Infinity), damping: positive }),
    ),
    wind: fc.oneof(
        fc.constantFrom(...(Object.keys(WindSpeeds) as BABYLONCLOTH.WindName[])),
        fc.record({ speed: positive, direction: fc.integer({ min: -180, max: 180 }), turbulence: positive }),
    ),
    substepCount: fc.option(fc.integer({ min: 1, max: 16 })),
    selfCollision: fc.constantFrom(null, false as const, "particles" as const, "robust" as const),
    tetherSlack: fc.option(fc.constantFrom(0, 0.25)),
    look: fc.option(anyFabric),
    colour: fc.constantFrom(null, "#c8352e"),
});
const anyPaint = fc
    .uniqueArray(fc.tuple(fc.integer({ min: 0, max: MASK_SIZE * MASK_SIZE - 1 }), fc.constantFrom(ERASED, 90, HELD)), {
        minLength: 1,
        maxLength: 5,
    })
    .map((texels) => {
        const bytes = new Uint8Array(MASK_SIZE * MASK_SIZE);
        for (const [texel, byte] of texels) bytes[texel] = byte;
        return { uv: encode(bytes) };
    });
const anyDocument: fc.Arbitrary<StudioDocument> = fc.constantFrom(...names).chain((kind) =>
    fc.record({
        source: fc.record({
            kind: fc.constant(kind),
            options: fc.record(
                Object.fromEntries(
                    fieldsOf(kind)
                        .filter(({ name }) => name !== "subdivisions")
                        // Sizes of one order: a net of 10 m with meshes of 2 cm is no one's wish.
                        .map(({ name, usual, min, max }) => [
                            name,
                            fc
                                .double({ min: Math.max(min, 0.8 * usual), max: Math.min(max, 1.2 * usual + 0.1), noNaN: true })
                                .map((value) => (name === "pleats" ? Math.round(value) : value)),
                        ]),
                ),
                { requiredKeys: [] },
            ) as unknown as fc.Arbitrary<Record<string, number>>,
        }),
        solids: fc.array(
            fc.record({
                shape: fc.constantFrom("Sphere" as const, "Capsule" as const, "Box" as const),
                position: fc.tuple(positive, positive, positive),
                sizes: fc.record({ diameter: positive, width: positive, height: positive, depth: positive }),
            }),
            { maxLength: 2 },
        ),
        pins: fc.record({
            own: fc.boolean(),
            sides: fc.subarray(["Left", "Corners"] as SideName[]),
            paint: fc.option(anyPaint),
        }),
        distance: fc.option(fc.record({ reach: fc.constantFrom(0.1, 0.25), paint: anyPaint })),
        backstop: fc.constant(null),
        a: anyTuning,
        b: fc.option(anyTuning),
    }),
);

/** Without fast-check's empty prototypes. */
function plain<T>(value: T): T {
    return structuredClone(value);
}

describe("history", () => {
    test("undoes strokes as one, and forgets what was undone at the next change", () => {
        const history = new History(0);
        history.change(1);
        for (const value of [2, 3, 4]) history.change(value, "slider");
        history.endStroke();
        history.change(5, "slider");
        const seen = () => [history.value, history.canUndo, history.canRedo];
        history.undo();
        expect(seen()).toEqual([4, true, true]);
        history.undo();
        expect(seen()).toEqual([1, true, true]);
        history.undo();
        history.undo();
        expect(seen()).toEqual([0, false, true]);
        history.redo();
        expect(seen()).toEqual([1, true, true]);
        history.change(9);
        expect(seen()).toEqual([9, true, false]);
        history.redo();
        expect(history.value).toBe(9);
    });
});

describe("links", () => {
    test("carry every document to the bit, in letters that need no escape", () => {
        expectHolds(
            fc.property(anyDocument, (document) => {
                const fragment = toFragment(document);
                expect(fragment).toMatch(/^#1=[\w-]+$/);
                expect(fromFragment(fragment)).toEqual(plain(document));
            }),
            { numRuns: 100 },
        );
    });

    test("an ordinary one is short", () => {
        expect(toFragment(newDocument("curtain")).length).toBeLessThan(250);
    });

    test.each([
        ["#2=abc", "another version"],
        ["#1=!!", "damaged"],
        ["#1=abcdef", "damaged"],
    ])("%s is refused: %s", (fragment, message) => {
        expect(() => fromFragment(fragment)).toThrow(message);
        expect(fromFragment("")).toBeNull();
    });

    test.each<[string, (document: StudioDocument) => unknown, string]>([
        ["fabric", (d) => ({ ...d, a: { ...d.a, fabric: "velvet" } }), "a.fabric must be one of chiffon"],
        ["wind", (d) => ({ ...d, a: { ...d.a, wind: { speed: "fast" } } }), "a.wind.speed must be a number"],
        ["maker", (d) => ({ ...d, source: { kind: "tent", options: {} } }), "source.kind must be one of flag"],
        ["option", (d) => ({ ...d, source: { kind: "flag", options: { depth: 1 } } }), "option must be one of width"],
        ["pins", (d) => ({ ...d, pins: [-1] }), "pins must be null, a list"],
        ["colour", (d) => ({ ...d, b: { ...d.a, colour: "red" } }), 'b.colour must be "#rrggbb"'],
        ["document", () => 7, "document must be an object"],
    ])("a wrong %s is told", (_, spoil, message) => {
        expect(() => checkDocument(spoil(newDocument("flag")))).toThrow(message);
    });
});

describe("exported code", () => {
    let engine: NullEngine;
    beforeEach(() => {
        engine = new NullEngine();
        Object.assign(globalThis, { BABYLONCLOTH });
    });
    afterEach(() => {
        engine.dispose();
        delete (globalThis as Partial<{ BABYLONCLOTH: unknown }>).BABYLONCLOTH;
    });

    /** Everything of a cloth and its mesh that is to be the same, to six digits. */
    function tell(mesh: BABYLON.Mesh): unknown {
        const cloth = mesh.getBehaviorByName("Cloth") as BABYLONCLOTH.ClothBehavior;
        const { albedoColor } = mesh.material as BABYLON.PBRMaterial;
        const data = ClothFiles.serialize(cloth);
        const all = [data, Array.from(cloth.getParticlePositions()), mesh.material!.name, albedoColor?.asArray()];
        return JSON.parse(JSON.stringify(all));
    }

    /** Where two trees of data differ, numbers by more than the code's six digits. */
    function differences(a: unknown, b: unknown, path = ""): string[] {
        if (typeof a === "number" && typeof b === "number")
            return Math.abs(a - b) <= 1e-5 * (1 + Math.abs(a)) ? [] : [`${path}: ${a} ${b}`];
        if (typeof a !== "object" || a === null || typeof b !== "object" || b === null)
            return a === b ? [] : [`${path}: ${a} ${b}`];
        const names = new Set([...Object.keys(a), ...Object.keys(b)]);
        return [...names].flatMap((name) => differences(Reflect.get(a, name), Reflect.get(b, name), `${path}.${name}`));
    }

    test("of the Playground makes what the studio shows, of any document", async () => {
        for (const document of fc.sample(anyDocument, { seed: 42, numRuns: 14 })) {
            const scene = new Scene(engine);
            const shown = await assemble(document, document.a, scene);
            const material = materialOf(document.a, scene);
            if (material) shown.mesh.material = material;
            const { mesh } = shown;
            const code = toCode(document, document.a, "playground", knownOf(shown, document));
            const make = new Function("engine", "BABYLON", "BABYLONCLOTH", `${code}; return createScene();`);
            const made = (await make(engine, BABYLON, BABYLONCLOTH)) as Scene;
            const found = differences(tell(made.getMeshByName(mesh.name) as BABYLON.Mesh), tell(mesh));
            expect([code, found.slice(0, 5)]).toEqual([code, []]);
            scene.dispose();
            made.dispose();
        }
    }, 60_000);

    test("of painted pins is a mask; a curtain keeps its rings", async () => {
        const plain = newDocument("curtain");
        const scene = new Scene(engine);
        const { authored, rest, surface } = await assemble(plain, plain.a, scene);
        const rings = authored.pins.flatMap(({ select }) => select);
        const painted = Array.from({ length: rest.vertexCount }, (_, v) => v).filter(
            (v) => Math.hypot(rest.positions[3 * v] - 0.4, rest.positions[3 * v + 1] + 0.9) < 0.5,
        );
        expect(painted.length).toBeGreaterThan(700);
        const isPainted = new Set(painted);
        const withPaint = (byteOf: (vertex: number) => number) => ({
            ...plain,
            pins: { ...OWN_PINS, paint: surface.write(surface.spread(byteOf)) },
        });
        const document = withPaint((vertex) => (isPainted.has(vertex) ? HELD : 0));
        const shown = await assemble(document, document.a, scene);
        const { cloth } = shown;
        const code = toCode(document, document.a, "playground", knownOf(shown, document));
        expect(code.split("\n").length).toBeLessThan(45);
        // All but the line for the studio.
        expect(Math.max(...code.split("\n").map((line) => (line.includes("#1=") ? 0 : line.length)))).toBeLessThan(260);
        const make = new Function("engine", "BABYLON", "BABYLONCLOTH", `${code}; return createScene();`);
        const made = ((await make(engine, BABYLON, BABYLONCLOTH)) as Scene).getMeshByName("curtain") as BABYLONCLOTH.CurtainMesh;
        for (const pins of [cloth.pins, made.cloth.pins]) {
            expect(pins.map(({ hold, target, particleCount }) => [hold?.constructor.name, target?.name, particleCount])).toEqual([
                ["RailHold", "curtain rail", 17],
                [undefined, "curtain ring 0", 1],
                [undefined, "curtain ring 16", 1],
                [undefined, undefined, painted.length],
            ]);
        }
        // One ring and a part of the paint let go.
        const less = withPaint((vertex) => (vertex === rings[3] ? ERASED : 0));
        const lessShown = await assemble(less, less.a, scene);
        expect(toCode(less, less.a, "typescript", knownOf(lessShown, less))).toContain("(select as number[]).filter(");
    });

    test("for a module imports what it uses", async () => {
        for (const kind of names) {
            const document = newDocument(kind);
            const scene = new Scene(engine);
            const shown = await assemble(document, document.a, scene);
            const code = toCode(document, document.a, "typescript", knownOf(shown, document));
            const imported = [...code.matchAll(/^import (?:type )?\{ ([^}]*) \}/gm)].flatMap(([, list]) => list.split(", "));
            const used = new Set(
                code
                    .replace(/^import.*$/gm, "")
                    .match(/\b(MeshBuilder|Vector3|Color3|Scene|Cloth\w+|CurtainMesh|FabricMaterials|Wind)\b/g),
            );
            expect([...used].sort()).toEqual(imported.sort());
            scene.dispose();
        }
    });
});

describe("painted", () => {
    let engine: NullEngine;
    beforeEach(() => {
        engine = new NullEngine();
    });
    afterEach(() => engine.dispose());

    const at = (kind: KindName, options: Record<string, number>, pins: StudioDocument["pins"]) => {
        const document = { ...newDocument(kind), source: { kind, options }, pins };
        return assemble(document, document.a, new Scene(engine));
    };

    /** Texture coordinates of vertices, and of held texels. */
    const uvsOf = (mesh: BABYLON.Mesh, vertices: readonly number[]) => {
        const uvs = mesh.getVerticesData("uv")!;
        return vertices.map((v) => [uvs[2 * v], uvs[2 * v + 1]]);
    };

    test.each(names)("pins of a %s stay within half an edge in every size", async (kind) => {
        const plain = await at(kind, {}, OWN_PINS);
        const bytes = new Uint8Array(MASK_SIZE * MASK_SIZE);
        const painted: number[][] = [];
        // A stroke aslant.
        for (let site = 0; site < bytes.length; site++) {
            const [u, v] = [(site % MASK_SIZE) / (MASK_SIZE - 1), Math.floor(site / MASK_SIZE) / (MASK_SIZE - 1)];
            if (Math.abs(v - 0.4 - 0.3 * u) > 0.03 || u < 0.2 || u > 0.7) continue;
            // A sail is a triangle.
            if (Number.isNaN(plain.surface.positions[3 * site])) continue;
            bytes[site] = HELD;
            painted.push([u, v]);
        }
        const pins = { own: false, sides: [], paint: plain.surface.write(bytes) };
        const size = kind === "tablecloth" ? { size: 3 } : { width: kind === "cape" ? 0.7 : 3 };
        for (const options of [{ subdivisions: 16 }, { subdivisions: 64 }, size]) {
            const { rest, mesh, cloth, surface, authored } = await at(kind, options as object as Record<string, number>, pins);
            const held = uvsOf(mesh, heldVertices({ rest, surface, authored }, pins));
            expect(cloth.pins.reduce((sum, pin) => sum + pin.particleCount, 0)).toBeGreaterThan(2);
            const [du, dv] = [0, 1].map((axis) => {
                const places = [
                    ...new Set(uvsOf(mesh, [...rest.positions.keys()].slice(0, rest.vertexCount)).map((uv) => uv[axis])),
                ];
                places.sort((a, b) => a - b);
                return Math.max(...places.slice(1).map((place, i) => place - places[i]));
            });
            const texel = 1 / (MASK_SIZE - 1);
            const isNear = ([u, v]: number[], [s, t]: number[]) =>
                Math.abs(u - s) <= du / 2 + texel && Math.abs(v - t) <= dv / 2 + texel;
            expect(held.filter((each) => !painted.some((place) => isNear(each, place)))).toEqual([]);
            expect([options, painted.filter((place) => !held.some((each) => isNear(each, place))).length]).toEqual([options, 0]);
        }
    });

    test("an earlier link's vertices become a mask that holds the same ones", async () => {
        const earlier = [3, 4, 5, 130];
        const text = JSON.stringify({ ...newDocument("flag"), pins: earlier });
        const document = checkDocument(JSON.parse(text));
        const shown = await assemble(document, document.a, new Scene(engine));
        const { pins } = surfaceForm(shown, document);
        expect(pins.paint).toHaveProperty("uv");
        expect(heldVertices(shown, pins)).toEqual(earlier);
    });

    test("thin axes have no sides", async () => {
        const sides = async (kind: KindName) => sidesOfMesh((await at(kind, {}, OWN_PINS)).rest);
        expect(await sides("flag")).toEqual(["Left", "Right", "Top", "Bottom", "Corners"]);
        expect(await sides("tablecloth")).toEqual(["Left", "Right", "Back", "Front", "Corners"]);
        expect(await sides("curtain")).toEqual(Object.keys(SIDES));
    });

    test("code, JSON and links are read again, to the bit", async () => {
        for (const document of fc.sample(anyDocument, { seed: 7, numRuns: 8 }).map(plain)) {
            const shown = await assemble(document, document.a, new Scene(engine));
            const code = toCode(document, document.a, "typescript", knownOf(shown, document));
            const json = JSON.stringify({ ...ClothFiles.serialize(shown.cloth), extras: { studio: toFragment(document) } });
            const link = `https://example.org/?studio${toFragment(document)}`;
            for (const text of [code, json, link]) expect(readText("text", text, newDocument("flag"))).toEqual(document);
            ClothFiles.parse(JSON.parse(json) as BABYLONCLOTH.ClothData, shown.mesh.getScene());
        }
        expect(() => readText("notes.txt", "wash at 30", newDocument("flag"))).toThrow(/^notes\.txt holds no cloth: drop a model/);
        const foreign = {
            format: "babylon-cloth",
            version: 1,
            options: { fabric: "denim" },
            pins: [{ vertices: [1], target: null }],
        };
        expect(readText("a.json", JSON.stringify(foreign), newDocument("cape"))).toMatchObject({
            source: { kind: "cape" },
            a: { fabric: "denim", wind: "still" },
        });
    });

    test("all presets of the library are built", async () => {
        for (const document of Object.values(LIBRARY)) {
            expect(checkDocument(JSON.parse(JSON.stringify(document)))).toEqual(document);
            await assemble(document, document.a, new Scene(engine));
        }
    });
});

describe("layers of a skinned model", () => {
    afterEach(disposeWorlds);

    test("count from its skin, and the code says the same", () => {
        const { scene } = makeWorld();
        const { mesh } = makeSleeve(scene);
        const count = mesh.getTotalVertices();
        const plain = documentOfFile("sleeve.glb");
        const surface = new Surface(buildOnMesh(mesh.clone("copy"), plain, plain.a).rest, false);
        const shades = Uint8Array.from({ length: count }, (_, v) => (v % 3 === 0 ? 0 : 1 + (v % 255)));
        const depths = Uint8Array.from({ length: count }, (_, v) => (v % 5 === 0 ? 255 : 0));
        const document: StudioDocument = {
            ...plain,
            distance: { reach: 0.4, paint: surface.write(shades) },
            backstop: { reach: 0.05, paint: surface.write(depths) },
        };
        expect(fromFragment(toFragment(document))).toEqual(document);
        const built = buildOnMesh(mesh, document, document.a);
        const { cloth } = built;
        const far = cloth.maxDistance as number[];
        const { distance, radius } = cloth.backstop as { distance: number[]; radius: number[] };
        const around = [0, 1, 5, 100].map((v) => [far[v], distance[v], radius[v]]);
        const shade = (v: number) => (0.4 * (v % 255)) / 254;
        expect(around).toEqual([
            [1000, 0.05, 10],
            [shade(1), 0, 0],
            [shade(5), 0.05, 10],
            [shade(100), 0.05, 10],
        ]);
        // Without paint, or without the file's own, there is nothing.
        applyLayers(built, { ...document, distance: null, backstop: null });
        expect([cloth.maxDistance, cloth.backstop]).toEqual([null, null]);

        const assembled = { ...built, choices: [], label: "", meets: "nothing" as const, met: [], refusals: [], clips: [] };
        const code = toCode(document, document.a, "playground", knownOf(assembled, document));
        const [statements] = /^ {4}const shades[^]*^ {4}\};$/m.exec(code)!;
        const made = {} as ClothBehavior;
        new Function("cloth", statements.replace(/\bBABYLONCLOTH\b/g, "globalThis"))(made);
        expect([made.maxDistance, made.backstop]).toEqual([far, { distance, radius }]);
    });
});
