import "@babylonjs/core/Materials/standardMaterial";
import { Plane } from "@babylonjs/core/Maths/math.plane";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { afterEach, describe, expect, test } from "@jest/globals";
import { ClothBehavior, ClothBuilder, Fabrics, RailHold, select } from "../../../src/index";
import type { ClothOptions, RopeMesh, WindOptions } from "../../../src/index";
import { NAMES, VALUES, valueOf } from "./everyOption";
import { disposeWorlds, makeSquare, makeWorld, messageOf } from "./harness";

afterEach(disposeWorlds);

describe("every option is a property", () => {
    test.each(NAMES)("%s in the constructor", (name) => {
        expect(valueOf(new ClothBehavior({ [name]: VALUES[name] }), name)).toEqual(VALUES[name]);
    });

    test.each(NAMES)("%s assigned before attach", (name) => {
        const cloth = new ClothBehavior();
        Object.assign(cloth, { [name]: VALUES[name] });
        expect(valueOf(cloth, name)).toEqual(VALUES[name]);
        const { scene, frame } = makeWorld();
        makeSquare(scene).addBehavior(cloth);
        frame();
        expect(valueOf(cloth, name)).toEqual(VALUES[name]);
    });

    test.each(NAMES)("%s assigned after attach", (name) => {
        const { scene, frame } = makeWorld();
        const cloth = new ClothBehavior();
        makeSquare(scene).addBehavior(cloth);
        frame();
        Object.assign(cloth, { [name]: VALUES[name] });
        expect(valueOf(cloth, name)).toEqual(VALUES[name]);
        frame();
        expect(valueOf(cloth, name)).toEqual(VALUES[name]);
        expect(cloth.getParticlePositions().every(Number.isFinite)).toBe(true);
    });

    test("undefined leaves the default", () => {
        // Of a fabric it is a name misspelt.
        const names = NAMES.filter((name) => name !== "fabric");
        const cloth = new ClothBehavior(Object.fromEntries(names.map((name) => [name, undefined])));
        for (const name of NAMES) expect(valueOf(cloth, name)).toEqual(valueOf(new ClothBehavior(), name));
    });
});

describe("what the options do while the cloth runs", () => {
    test("gravity: null follows the scene's, a vector replaces it and may be changed in place", () => {
        const { scene, frame } = makeWorld();
        const cloth = new ClothBehavior();
        makeSquare(scene).addBehavior(cloth);
        const height = (): number => cloth.getParticlePositions()[1];
        scene.gravity = Vector3.Zero();
        frame();
        expect(height()).toBeCloseTo(0, 6);
        scene.gravity = new Vector3(0, 9.81, 0);
        frame();
        const rising = height();
        expect(rising).toBeGreaterThan(0);
        cloth.reset();
        cloth.gravity = (VALUES.gravity as Vector3).clone();
        frame();
        const falling = height();
        expect(falling).toBeLessThan(0);
        cloth.reset();
        cloth.gravity!.y = 1;
        frame();
        expect(height()).toBeCloseTo(-falling, 6);
        cloth.reset();
        cloth.gravity = null;
        frame();
        expect(height()).toBeCloseTo(rising, 6);
    });

    test("a gravity that is not finite along an axis is none along it", () => {
        const { scene, frame } = makeWorld();
        const cloth = new ClothBehavior({ wind: null, fabric: { damping: 0 } });
        makeSquare(scene).addBehavior(cloth);
        const start = cloth.getParticlePositions();
        for (const [axis, bad] of [
            [0, NaN],
            [1, Infinity],
            [2, -Infinity],
        ]) {
            const g = [1, 1, 1];
            g[axis] = bad;
            scene.gravity = Vector3.FromArray(g);
            cloth.reset();
            frame(undefined, 6);
            const moved = cloth.getParticlePositions().map((x, i) => x - start[i]);
            // ½ g t² with 24 substeps of 1/240 s: t = 0.1 s.
            for (let c = 0; c < 3; c++) expect(moved[c]).toBeCloseTo(c === axis ? 0 : 0.0052, 4);
        }
    });

    test("a new fabric acts at once", () => {
        const { scene, frame } = makeWorld();
        const cloth = new ClothBehavior({
            pins: [{ select: select.edge("-x") }],
            fabric: { stretchStiffness: 50, shearStiffness: 0 },
        });
        makeSquare(scene).addBehavior(cloth);
        frame(undefined, 120);
        const soft = cloth.stats.meanStretch;
        cloth.fabric = { ...cloth.fabric, stretchStiffness: Infinity };
        frame(undefined, 60);
        expect(cloth.stats.meanStretch).toBeLessThan(soft / 4);
    });

    test("tetherSlack acts at once", () => {
        const { scene, frame } = makeWorld();
        const cloth = new ClothBehavior({
            pins: [{ select: select.edge("-x") }],
            tetherSlack: Infinity,
            substepCount: 1,
            gravity: new Vector3(0, -100, 0),
            fabric: { damping: 5 },
        });
        makeSquare(scene, 20).addBehavior(cloth);
        /** Stretch at rest in so heavy a field. */
        const stretch = (): number => {
            frame(undefined, 120);
            return cloth.stats.meanStretch;
        };
        const free = stretch();
        cloth.tetherSlack = 0;
        expect(stretch()).toBeLessThan(0.5 * free);
        cloth.tetherSlack = Infinity;
        expect(stretch()).toBeGreaterThan(0.9 * free);
    });

    test("a fabric read back cannot be changed past the setter", () => {
        for (const cloth of [new ClothBehavior(), new ClothBehavior({ fabric: { damping: 1 } })]) {
            expect(() => {
                (cloth.fabric as { damping: number }).damping = 2;
            }).toThrow(TypeError);
        }
    });

    test("a list of pins or colliders replaces the old one", () => {
        const { scene } = makeWorld();
        const ball = MeshBuilder.CreateSphere("ball", {}, scene);
        const cloth = new ClothBehavior({ pins: [{ select: [0] }], colliders: [ball] });
        makeSquare(scene).addBehavior(cloth);
        cloth.pins = [{ select: [1, 2] }, { select: [3] }];
        cloth.colliders = [{ source: ball, shape: "sphere", friction: 0.9, margin: 0.01 }];
        expect(cloth.pins.map((pin) => pin.particleCount)).toEqual([2, 1]);
        expect(cloth.colliders.map(({ friction, margin }) => [friction, margin])).toEqual([[0.9, 0.01]]);
        expect(cloth.colliders[0].source).toBe(ball);
    });

    test.each([
        ["pins", [{ select: [1] }, { select: [999] }]],
        ["colliders", [Plane.FromPositionAndNormal(Vector3.Zero(), Vector3.Up()), 7]],
    ])("a bad entry leaves the old list of %s as it was", (name, value) => {
        const { scene } = makeWorld();
        const cloth = new ClothBehavior({ pins: VALUES.pins, colliders: VALUES.colliders });
        makeSquare(scene).addBehavior(cloth);
        const { pins, colliders } = cloth;
        const [pin] = pins;
        const [collider] = colliders;
        expect(() => Object.assign(cloth, { [name]: value })).toThrow(RangeError);
        expect([pins.length, colliders.length]).toEqual([1, 1]);
        expect(pins[0] === pin && colliders[0] === collider && pin.particleCount === 1).toBe(true);
    });

    test("a list may hold pins and colliders that are there already: they stay", () => {
        const { scene } = makeWorld();
        const ball = MeshBuilder.CreateSphere("ball", {}, scene);
        const cloth = new ClothBehavior({ pins: VALUES.pins, colliders: VALUES.colliders });
        makeSquare(scene).addBehavior(cloth);
        const [pin] = cloth.pins;
        const [collider] = cloth.colliders;
        cloth.pins = [...cloth.pins, { select: [1] }];
        cloth.colliders = [ball, ...cloth.colliders];
        expect([cloth.pins.length, cloth.colliders.length]).toEqual([2, 2]);
        const { pins, colliders } = cloth;
        cloth.pins = pins;
        cloth.colliders = colliders;
        expect([cloth.pins.length, cloth.colliders.length]).toEqual([2, 2]);
        expect(cloth.pins.includes(pin) && cloth.colliders.includes(collider)).toBe(true);
        cloth.pins = [];
        cloth.colliders = [];
        expect([cloth.pins.length, cloth.colliders.length]).toEqual([0, 0]);
    });
});

describe("wrong values name the class, the option, the rule and the value", () => {
    const cases: [string, unknown, string][] = [
        ["substepCount", 0, "ClothBehavior: substepCount must be an integer from 1 to 256, got 0"],
        ["substepCount", 2.5, "ClothBehavior: substepCount must be an integer from 1 to 256, got 2.5"],
        ["substepCount", "4", 'ClothBehavior: substepCount must be an integer from 1 to 256, got "4"'],
        ["substepCount", 257, "ClothBehavior: substepCount must be an integer from 1 to 256, got 257"],
        ["substepCount", 1e9, "ClothBehavior: substepCount must be an integer from 1 to 256, got 1000000000"],
        ["teleportSpeed", -1, "ClothBehavior: teleportSpeed must be a number >= 0 (Infinity = never), got -1"],
        ["teleportSpeed", NaN, "ClothBehavior: teleportSpeed must be a number >= 0 (Infinity = never), got NaN"],
        ["fixedTimeStep", 0, "ClothBehavior: fixedTimeStep must be a finite number > 0, got 0"],
        ["fixedTimeStep", -1, "ClothBehavior: fixedTimeStep must be a finite number > 0, got -1"],
        ["fixedTimeStep", NaN, "ClothBehavior: fixedTimeStep must be a finite number > 0, got NaN"],
        ["fixedTimeStep", Infinity, "ClothBehavior: fixedTimeStep must be a finite number > 0, got Infinity"],
        ["maxStepsPerFrame", 0, "ClothBehavior: maxStepsPerFrame must be an integer >= 1, got 0"],
        ["maxStepsPerFrame", Infinity, "ClothBehavior: maxStepsPerFrame must be an integer >= 1, got Infinity"],
        ["maxDistance", -1, "ClothBehavior: maxDistance must be a finite number >= 0, got -1"],
        [
            "maxDistance",
            {},
            "ClothBehavior: maxDistance must be a number, a number for each vertex, or a paint, got an object (Object)",
        ],
        ["tetherSlack", -0.1, "ClothBehavior: tetherSlack must be a number >= 0 (Infinity = no tethers), got -0.1"],
        ["tetherSlack", NaN, "ClothBehavior: tetherSlack must be a number >= 0 (Infinity = no tethers), got NaN"],
        ["collisionGroup", 0.5, "ClothBehavior: collisionGroup must be an integer from -2147483648 to 4294967295, got 0.5"],
        [
            "collisionMask",
            2 ** 32,
            "ClothBehavior: collisionMask must be an integer from -2147483648 to 4294967295, got 4294967296",
        ],
        ["selfCollision", true, 'ClothBehavior: selfCollision must be false, "particles", "triangles" or "robust", got true'],
        ["selfThickness", -0.01, "ClothBehavior: selfThickness must be a finite number >= 0, got -0.01"],
        ["autoStep", 1, "ClothBehavior: autoStep must be true or false, got 1"],
        ["enabled", null, "ClothBehavior: enabled must be true or false, got null"],
        ["gravity", 9.81, "ClothBehavior: gravity must be a Vector3, got 9.81"],
        ["gravity", new Vector3(0, NaN, 0), "ClothBehavior: gravity.y must be a finite number, got NaN"],
        ["wind", {}, "ClothBehavior: wind must be a Wind or null, got an object (Object)"],
        ["wind", 5, "ClothBehavior: wind must be a Wind or null, got 5"],
        ["fabric", null, "ClothBehavior: fabric must be a fabric's name or an object, got null"],
        ["fabric", 7, "ClothBehavior: fabric must be a fabric's name or an object, got 7"],
        ["fabric", { arealDensity: 0 }, "ClothBehavior: fabric.arealDensity must be a finite number > 0, got 0"],
        ["fabric", { damping: -1 }, "ClothBehavior: fabric.damping must be a finite number >= 0, got -1"],
        ["pins", null, "ClothBehavior: pins must be an array, got null"],
        ["pins", [[1, 2]], "ClothBehavior: pins must be an array of { select, target?, hold? }, got an object (Array)"],
        ["pins", [{ select: 7 }], "ClothBehavior: pin: select must be vertex indices, a predicate, or a helper of select, got 7"],
        [
            "pins",
            [{ select: [0], target: {} }],
            "ClothBehavior: pin: target must be a TransformNode or Bone, got an object (Object)",
        ],
        ["colliders", 3, "ClothBehavior: colliders must be an array, got 3"],
        [
            "colliders",
            [3],
            "ClothBehavior: addCollider: source must be a mesh, a Plane, a BoundingSphere, a BoundingBox or a PhysicsBody, got 3",
        ],
        [
            "colliders",
            [null],
            "ClothBehavior: addCollider: source must be a mesh, a Plane, a BoundingSphere, a BoundingBox or a PhysicsBody, got null",
        ],
    ];

    test.each(cases)("%s: %p in the constructor", (name, value, message) => {
        expect(messageOf(() => new ClothBehavior({ [name]: value }))).toBe(message);
    });

    test.each(cases)("%s: %p before and after attach, and the old value stays", (name, value, message) => {
        const { scene, frame } = makeWorld();
        const cloth = new ClothBehavior();
        for (let i = 0; i < 2; i++) {
            const before = valueOf(cloth, name as keyof ClothOptions);
            expect(messageOf(() => Object.assign(cloth, { [name]: value }))).toBe(message);
            expect(valueOf(cloth, name as keyof ClothOptions)).toEqual(before);
            if (i === 0) makeSquare(scene).addBehavior(cloth);
            frame();
        }
    });

    test("an unknown option, with the known ones", () => {
        expect(messageOf(() => new ClothBehavior({ substeps: 4 } as ClothOptions))).toBe(
            `ClothBehavior: unknown option "substeps"; the options are ${NAMES.join(", ")}; did you mean "substepCount"?`,
        );
    });

    test("an unknown property of the fabric", () => {
        expect(messageOf(() => new ClothBehavior({ fabric: { stiffness: 4 } as object }))).toBe(
            'ClothBehavior: fabric: unknown option "stiffness"; the options are arealDensity, stretchStiffness, ' +
                'shearStiffness, bendStiffness, damping, thickness, friction; did you mean "bendStiffness"?',
        );
    });

    test("a fabric by name, and what is none", () => {
        expect(new ClothBehavior({ fabric: "silk" }).fabric).toEqual(Fabrics.silk);
        const cloth = new ClothBehavior();
        cloth.fabric = "denim";
        expect(cloth.fabric).toEqual(Fabrics.denim);
        expect(messageOf(() => new ClothBehavior({ fabric: "slik" as never }))).toMatch(
            /^ClothBehavior: fabric must be one of chiffon, .* \(did you mean "silk"\?\), got "slik"$/,
        );
        expect(messageOf(() => new ClothBehavior({ fabric: (Fabrics as Record<string, object>).slik }))).toBe(
            "ClothBehavior: fabric must be a fabric's name or an object, got undefined",
        );
    });

    test("options that are no object", () => {
        expect(messageOf(() => new ClothBehavior(null as never))).toBe("ClothBehavior: options must be an object, got null");
        expect(messageOf(() => new ClothBehavior(7 as never))).toBe("ClothBehavior: options must be an object, got 7");
    });

    test("arguments of the methods", () => {
        const { scene } = makeWorld();
        const cloth = new ClothBehavior();
        makeSquare(scene).addBehavior(cloth);
        const point = Vector3.Zero();
        expect(messageOf(() => cloth.applyImpulse(point, new Vector3(Infinity, 0, 0)))).toBe(
            "ClothBehavior: applyImpulse(impulse).x must be a finite number, got Infinity",
        );
        expect(messageOf(() => cloth.applyImpulse(null as never, point))).toBe(
            "ClothBehavior: applyImpulse(point) must be a Vector3, got null",
        );
        expect(messageOf(() => cloth.applyImpulse(point, point, 0))).toBe(
            "ClothBehavior: applyImpulse(radius) must be a finite number > 0, got 0",
        );
        expect(messageOf(() => cloth.getParticlePositions(new Float32Array(3)))).toBe(
            "ClothBehavior: getParticlePositions(target) must be a Float32Array of 147 numbers or more, got 3",
        );
        expect(messageOf(() => cloth.particleOfVertex(49))).toBe(
            "ClothBehavior: particleOfVertex(vertex) must be an integer in 0..48, got 49",
        );
        expect(messageOf(() => cloth.particleOfVertex(-1))).toBe(
            "ClothBehavior: particleOfVertex(vertex) must be an integer in 0..48, got -1",
        );
        expect(messageOf(() => new ClothBehavior().particleOfVertex(0))).toBe(
            "ClothBehavior: particleOfVertex needs an attached mesh",
        );
    });

    test.each<[unknown, string]>([
        [Symbol("s"), "Symbol(s)"],
        [10n, "10"],
        ["1", '"1"'],
        [undefined, "undefined"],
        [Object.create(null), "an object (no class)"],
    ])("what is no number for one: %p", (value, shown) => {
        const { scene } = makeWorld();
        const cloth = new ClothBehavior();
        makeSquare(scene).addBehavior(cloth);
        const end = `, got ${shown}`;
        expect(messageOf(() => cloth.step(value as number))).toBe(`ClothBehavior: step(seconds) must be a number${end}`);
        const rail = (): RailHold => new RailHold([Vector3.Zero(), Vector3.Up()], { maxSpacing: value as number });
        if (value !== undefined) expect(messageOf(rail)).toBe(`RailHold: maxSpacing must be a number >= the spacing of 0${end}`);
        const rope = (): RopeMesh => ClothBuilder.CreateRope("rope", { length: value as number }, scene);
        if (value !== undefined) expect(messageOf(rope)).toBe(`ClothBuilder: CreateRope: length must be a finite number > 0${end}`);
    });

    test("a wind's options without a prototype", () => {
        const { scene } = makeWorld();
        const wind = Object.assign(Object.create(null), { turbulence: 0.7 }) as WindOptions;
        expect(ClothBuilder.CreateFlag("flag", { wind, subdivisions: 4 }, scene).cloth.wind!.turbulence).toBe(0.7);
    });
});
