// The studio's document without a page: what is undone, what links carry, and that the exported code makes what the studio shows.
import * as fc from "fast-check";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Logger } from "@babylonjs/core/Misc/logger";
import { Scene } from "@babylonjs/core/scene";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import * as BABYLON from "../../../playground/babylon";
import { assemble } from "../../../playground/studio/assemble";
import { toCode } from "../../../playground/studio/code";
import { checkDocument, newDocument } from "../../../playground/studio/document";
import type { StudioDocument, Tuning } from "../../../playground/studio/document";
import { History } from "../../../playground/studio/history";
import { fieldsOf, kinds } from "../../../playground/studio/kinds";
import type { KindName } from "../../../playground/studio/kinds";
import { materialOf } from "../../../playground/studio/look";
import { fromFragment, toFragment } from "../../../playground/studio/share";
import * as BABYLONCLOTH from "../../../src/index";
import { expectHolds } from "../../property";

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
    look: fc.option(anyFabric),
    colour: fc.constantFrom(null, "#c8352e"),
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
        pins: fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 5 })),
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
        ["pins", (d) => ({ ...d, pins: [-1] }), "pins must be null or a list"],
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
            const { authored, mesh, met } = shown;
            const code = toCode(document, document.a, "playground", {
                direction: authored.direction,
                pins: authored.pins,
                mesh: mesh.name,
                colliders: met,
            });
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
        const { authored, rest } = await assemble(plain, plain.a, scene);
        const rings = authored.pins.flatMap(({ select }) => select);
        const painted = Array.from({ length: rest.vertexCount }, (_, v) => v).filter(
            (v) => Math.hypot(rest.positions[3 * v] - 0.4, rest.positions[3 * v + 1] + 0.9) < 0.5,
        );
        expect(painted.length).toBeGreaterThan(700);
        const document = { ...plain, pins: [...new Set([...rings, ...painted])] };
        const { cloth } = await assemble(document, document.a, scene);
        const told = { direction: authored.direction, pins: authored.pins, mesh: "curtain", colliders: [] };
        const code = toCode(document, document.a, "playground", told);
        expect(code.split("\n").length).toBeLessThan(45);
        expect(Math.max(...code.split("\n").map((line) => line.length))).toBeLessThan(260);
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
        const less = { ...plain, pins: document.pins.filter((v) => v !== rings[3] && v % 2 === 0) };
        expect(toCode(less, less.a, "typescript", told)).toContain("(select as number[]).filter(");
    });

    test("for a module imports what it uses", async () => {
        for (const kind of names) {
            const document = newDocument(kind);
            const scene = new Scene(engine);
            const { authored } = await assemble(document, document.a, scene);
            const { direction, pins } = authored;
            const code = toCode(document, document.a, "typescript", { direction, pins, mesh: kind, colliders: [] });
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
