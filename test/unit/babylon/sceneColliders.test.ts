// Colliders of a scene, and who meets whom by groups and masks.
import { Plane } from "@babylonjs/core/Maths/math.plane";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { ClothBehavior, Colliders } from "../../../src/index";
import type { ClothOptions } from "../../../src/index";
import { getKernels } from "../../../src/engine/index";
import type { WasmArena } from "../../../src/kernels/wasmArena";
import { column, disposeWorlds, FRAME, listen, makeSquare, makeWorld, messageOf, toldBesidesAdvice } from "./harness";

beforeEach(() => listen("warn"));
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

/** A square of cloth over the ground. */
function drop(scene: Scene, options: ClothOptions = {}, name = "square"): ClothBehavior {
    const mesh = makeSquare(scene, 5, name);
    mesh.position.y = 0.1;
    const cloth = new ClothBehavior(options);
    mesh.addBehavior(cloth);
    return cloth;
}

const ground = (scene: Scene) => MeshBuilder.CreateGround("ground", { width: 9, height: 9 }, scene);
const lowest = (cloth: ClothBehavior): number => Math.min(...column(cloth.getParticlePositions(), 1));
const isHeld = (cloth: ClothBehavior): boolean => lowest(cloth) > 0;

describe("given to a scene", () => {
    test("all cloths meet it, those that come later, too; taken away, none", () => {
        const { scene, frame } = makeWorld();
        const first = drop(scene, {});
        const floor = Colliders.add(scene, ground(scene), { margin: 0.02 });
        expect([floor.shape, floor.margin, floor.friction, floor.group, floor.mask]).toEqual(["plane", 0.02, null, 1, -1]);
        frame(FRAME, 60);
        const second = drop(scene, {});
        frame(FRAME, 60);
        for (const cloth of [first, second]) expect(lowest(cloth)).toBeCloseTo(0.03, 3);
        expect(first.colliders).toEqual([]);
        Colliders.remove(scene, floor);
        Colliders.remove(scene, floor);
        frame(FRAME, 30);
        expect([first, second].map(isHeld)).toEqual([false, false]);
    });

    test("it wakes what sleeps, when it comes, when it moves and when it goes", () => {
        const { scene, frame } = makeWorld();
        const cloth = drop(scene, { colliders: [new Plane(0, 1, 0, 0)], fabric: { damping: 5 } });
        const sleep = (): void => {
            frame(FRAME, 240);
            expect(cloth.stats.isAsleep).toBe(true);
        };
        sleep();
        const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.2 }, scene);
        ball.position.y = 3;
        const collider = Colliders.add(scene, ball);
        frame();
        expect(cloth.stats.isAsleep).toBe(false);
        sleep();
        ball.position.y = 0.1;
        frame();
        expect(cloth.stats.isAsleep).toBe(false);
        ball.position.y = 3;
        frame();
        sleep();
        Colliders.remove(scene, collider);
        frame();
        expect(cloth.stats.isAsleep).toBe(false);
    });

    test("masks are honoured both ways, and live", () => {
        const { scene, frame } = makeWorld();
        const floor = Colliders.add(scene, ground(scene));
        const cloth = drop(scene, {});
        const met = (): boolean => {
            cloth.reset();
            frame(FRAME, 20);
            return isHeld(cloth);
        };
        const set = (group: number, mask: number, collisionGroup: number, collisionMask: number): void => {
            Object.assign(floor, { group, mask });
            Object.assign(cloth, { collisionGroup, collisionMask });
        };
        expect(met()).toBe(true);
        const cases: [[number, number, number, number], boolean][] = [
            [[2, -1, 1, 1], false],
            [[2, -1, 1, 2], true],
            [[2, 4, 1, 2], false],
            [[2, 4, 5, 2], true],
            [[0, -1, 1, -1], false],
            [[1 << 31, 0xffffffff, 0x80000000, 0x80000000], true],
            [[1, -1, 1, -1], true],
        ];
        for (const [numbers, isMet] of cases) {
            set(...numbers);
            expect([numbers, met()]).toEqual([numbers, isMet]);
        }
    });

    test("a cloth's own colliders have groups, too", () => {
        const { scene, frame } = makeWorld();
        const floor = ground(scene);
        const cloth = drop(scene, { collisionMask: 2, colliders: [{ source: floor, group: 4 }] });
        const other = drop(scene, { colliders: [{ source: floor, group: 4 }] });
        frame(FRAME, 20);
        expect([cloth, other].map(isHeld)).toEqual([false, true]);
        cloth.reset();
        cloth.collisionMask = 6;
        frame(FRAME, 20);
        expect(isHeld(cloth)).toBe(true);
    });
});

describe("coming and going", () => {
    test("the cloth that it is does not meet it, others do", () => {
        const { scene, frame } = makeWorld();
        const mesh = ground(scene);
        Colliders.add(scene, mesh);
        const sheet = new ClothBehavior();
        mesh.addBehavior(sheet);
        const cloth = drop(scene);
        cloth.attachedNode!.position.y = 0.1;
        frame(FRAME, 20);
        expect([lowest(sheet) < -0.1, isHeld(cloth)]).toEqual([true, true]);
        expect(toldBesidesAdvice()).toEqual([]);
    });

    test("disposed, it is dropped, and that is told once", () => {
        const { scene, frame } = makeWorld();
        const mesh = ground(scene);
        Colliders.add(scene, mesh);
        const cloths = [drop(scene), drop(scene), drop(scene, { autoStep: false })];
        frame(FRAME, 20);
        mesh.dispose();
        frame(FRAME, 20);
        for (let i = 0; i < 40; i++) cloths[2].step(1 / 60);
        expect(cloths.map(isHeld)).toEqual([false, false, false]);
        expect(toldBesidesAdvice()).toEqual(['Colliders: the collider "ground" was disposed; it is dropped']);
    });

    test("what is stepped by hand meets it in the same step", () => {
        const { scene } = makeWorld();
        const cloth = drop(scene, { autoStep: false });
        const floor = Colliders.add(scene, ground(scene));
        for (let i = 0; i < 60; i++) cloth.step(1 / 60);
        expect(isHeld(cloth)).toBe(true);
        Colliders.remove(scene, floor);
        for (let i = 0; i < 60; i++) cloth.step(1 / 60);
        expect(isHeld(cloth)).toBe(false);
    });

    test("another scene's cloth does not meet it", () => {
        const [here, there] = [makeWorld(), makeWorld()];
        Colliders.add(here.scene, new Plane(0, 1, 0, 0));
        const cloths = [here, there].map(({ scene }) => drop(scene));
        for (const { frame } of [here, there]) frame(FRAME, 20);
        expect(cloths.map(isHeld)).toEqual([true, false]);
    });

    test("added, changed and removed inside the step observers", () => {
        const { scene, frame } = makeWorld();
        const [cloth, other] = [drop(scene), drop(scene)];
        let step = 0;
        cloth.onBeforeStepObservable.add(() => {
            step++;
            const collider = Colliders.add(scene, MeshBuilder.CreateSphere(`ball ${step}`, {}, scene));
            if (step % 3 === 0) Colliders.remove(scene, collider);
            if (step % 3 === 1) collider.mask = 2;
            if (step % 3 === 2) (collider.source as Mesh).dispose();
        });
        frame(2 * FRAME, 30);
        expect(step).toBeGreaterThan(50);
        for (const each of [cloth, other]) expect(each.getParticlePositions().every(Number.isFinite)).toBe(true);
    });

    test.each([
        ["a scene", (): unknown => Colliders.add(null as never, new Plane(0, 1, 0, 0)), "scene must be a Scene, got null"],
        ["a scene", (): unknown => Colliders.add(3 as never, new Plane(0, 1, 0, 0)), "scene must be a Scene, got 3"],
        [
            "a source",
            (): unknown => add({}),
            "source must be a mesh, a Plane, a BoundingSphere, a BoundingBox or a PhysicsBody, got an object (Object)",
        ],
        [
            "a group",
            (): unknown => add(new Plane(0, 1, 0, 0), { group: 1.5 }),
            "group must be an integer from -2147483648 to 4294967295, got 1.5",
        ],
        [
            "an option",
            (): unknown => add(new Plane(0, 1, 0, 0), { radius: 1 }),
            'unknown option "radius"; the options are shape, inside, twoSided, friction, restitution, influence, margin, group, mask',
        ],
    ])("wrong: %s", (_, run, message) => {
        expect(messageOf(run)).toBe(`Colliders: add: ${message}`);
    });

    function add(source: object, options = {}): unknown {
        return Colliders.add(makeWorld().scene, source as never, options);
    }

    test("a mesh without triangles, and a handle's setters, name whom they were told", () => {
        const { scene } = makeWorld();
        const ring = MeshBuilder.CreateTorus("ring", {}, scene);
        ring.setVerticesData("position", new Float32Array(ring.getTotalVertices() * 3));
        expect(messageOf(() => Colliders.add(scene, ring))).toMatch(/^Colliders: add: source must be a mesh with triangles/);
        const collider = Colliders.add(scene, new Plane(0, 1, 0, 0));
        expect(() => (collider.mask = 0.1)).toThrow("Colliders: add: mask must be an integer");
        expect(collider.mask).toBe(-1);
    });
});

test.each(["masked", "removed", "disposed"])("memory comes back: %s, then detached", (how) => {
    const arena = getKernels().arena as WasmArena;
    const before = arena.blockCount;
    const { scene, frame } = makeWorld();
    // With a half-space of their own that moves, no calls of theirs are recorded.
    const own = new Plane(0, 1, 0, 9);
    const cloths = [0, 1].map(() => drop(scene, { colliders: [own] }));
    const mesh = ground(scene);
    const floor = Colliders.add(scene, mesh);
    frame();
    const met = arena.blockCount;
    own.d += 0.01;
    if (how === "masked") floor.mask = 0;
    if (how === "removed") Colliders.remove(scene, floor);
    if (how === "disposed") mesh.dispose();
    frame();
    // A collider and its ghost a cloth.
    expect(met - arena.blockCount).toBe(4);
    for (const cloth of cloths) cloth.attachedNode!.removeBehavior(cloth);
    expect(arena.blockCount).toBe(before);
});
