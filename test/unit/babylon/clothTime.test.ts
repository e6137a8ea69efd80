// The time of all that a scene simulates: slower, stopped, or by hand.
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { ClothBehavior, ClothTime, select, RigidBodyBehavior, Wind } from "../../../src/index";
import type { ClothOptions } from "../../../src/index";
import { disposeWorlds, FRAME, listen, makeSquare, makeWorld, messageOf } from "./harness";
import type { World } from "./harness";

beforeEach(() => void listen("warn"));
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

function hang({ scene }: World, options: ClothOptions = {}): ClothBehavior {
    const mesh = makeSquare(scene, 6);
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("-x") }], ...options });
    mesh.addBehavior(cloth);
    return cloth;
}

/** Two sheets that fall on each other and on a crate that falls. */
async function drop({ scene }: World) {
    const floor = MeshBuilder.CreateGround("floor", { width: 20, height: 20 }, scene);
    const crate = MeshBuilder.CreateBox("crate", { size: 0.4 }, scene);
    crate.position.y = 0.3;
    const cloths = [0.7, 0.75].map((y) => {
        const mesh = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 8 }, scene);
        mesh.position.y = y;
        const cloth = new ClothBehavior({ colliders: [floor, crate], selfCollision: "triangles", selfThickness: 0.02 });
        mesh.addBehavior(cloth);
        return cloth;
    });
    const body = new RigidBodyBehavior({ colliders: [floor] });
    crate.addBehavior(body);
    await Promise.all([...cloths, body].map((each) => each.whenReady()));
    return () => [...cloths.map((cloth) => Array.from(cloth.getParticlePositions())), crate.position.asArray()];
}

const now = (cloth: ClothBehavior) => Array.from(cloth.getParticlePositions());

describe("by hand", () => {
    test("all moves as in frames of the scene", async () => {
        const [rendered, stepped] = [makeWorld(), makeWorld()];
        const ends = [await drop(rendered), await drop(stepped)];
        rendered.frame(FRAME, 30);
        for (let i = 0; i < 30; i++) ClothTime.step(stepped.scene, FRAME / 1000);
        expect(ends[1]()).toEqual(ends[0]());
        expect(Math.min(...ends[1]().flat())).toBeLessThan(0.25);
    });

    test("a stopped scene moves by steps only, and is drawn as it is", () => {
        const world = makeWorld();
        const cloth = hang(world);
        ClothTime.setScale(world.scene, 0);
        const before = now(cloth);
        world.frame(FRAME, 5);
        expect(now(cloth)).toEqual(before);
        ClothTime.step(world.scene, 0.1);
        const stepped = now(cloth);
        expect(stepped).not.toEqual(before);
        world.frame(FRAME, 5);
        expect(now(cloth)).toEqual(stepped);
        ClothTime.setScale(world.scene, 1);
        world.frame();
        expect(now(cloth)).not.toEqual(stepped);
    });

    test("in lockstep, too", () => {
        const world = makeWorld({ lockstepMaxSteps: 4 });
        const cloth = hang(world);
        ClothTime.setScale(world.scene, 0);
        const before = now(cloth);
        world.frame(100, 3);
        expect(now(cloth)).toEqual(before);
        ClothTime.step(world.scene, 0.1);
        expect(now(cloth)).not.toEqual(before);
    });

    test("what no camera sees moves, and what has its own time does not", () => {
        const world = makeWorld();
        // A canvas, without which everything counts as seen.
        Object.assign(world.engine, { getRenderingCanvas: () => ({}) });
        const [unseen, own] = [hang(world), hang(world, { autoStep: false })];
        for (const cloth of [unseen, own]) cloth.attachedNode!.position.z = -100;
        for (const cloth of [unseen, own]) cloth.reset();
        world.frame(FRAME, 20);
        const before = [unseen, own].map(now);
        world.frame();
        expect([unseen, own].map(now)).toEqual(before);
        ClothTime.step(world.scene, 0.1);
        expect(now(unseen)).not.toEqual(before[0]);
        expect(now(own)).toEqual(before[1]);
    });

    test("within a step it is refused", () => {
        const world = makeWorld();
        const cloth = hang(world);
        let message = "";
        cloth.onAfterStepObservable.addOnce(() => (message = messageOf(() => ClothTime.step(world.scene, 0.1))));
        world.frame();
        expect(message).toBe("ClothTime: step: a step of the scene's cloths is being taken");
        ClothTime.step(world.scene, 0.1);
    });
});

test("slow motion takes the same steps, later", () => {
    const [slow, whole] = [makeWorld(), makeWorld()];
    const cloths = [slow, whole].map((world) => hang(world));
    ClothTime.setScale(slow.scene, 0.25);
    expect(ClothTime.getScale(slow.scene)).toBe(0.25);
    slow.frame(FRAME, 80);
    whole.frame(FRAME, 20);
    expect(now(cloths[0])).toEqual(now(cloths[1]));
    expect(ClothTime.get(slow.scene)).toBeCloseTo(20 * (FRAME / 1000), 9);
});

test("gusts are those of the time that is set", () => {
    const world = makeWorld();
    const cloth = hang(world, { wind: new Wind({ velocity: { x: 0, y: 0, z: 4 }, turbulence: 1 }) });
    const run = () => {
        cloth.reset();
        for (let i = 0; i < 30; i++) ClothTime.step(world.scene, FRAME / 1000);
        return now(cloth);
    };
    const first = run();
    const other = run();
    ClothTime.set(world.scene, 0);
    expect(run()).toEqual(first);
    expect(other).not.toEqual(first);
});

test("what is no scene, scale or time is refused", () => {
    const { scene } = makeWorld();
    const names = ["getScale", "get", "setScale", "set", "step"] as const;
    for (const name of names) {
        const call = ClothTime[name] as (scene: unknown, value?: unknown) => unknown;
        for (const bad of [null, undefined, {}, "scene", new Mesh("mesh", scene)]) {
            expect(messageOf(() => call(bad, 1))).toMatch(new RegExp(`ClothTime: ${name}: scene must be a Scene`));
        }
        for (const bad of name.startsWith("get") ? [] : [NaN, -1, Infinity, "1", undefined]) {
            expect(messageOf(() => call(scene, bad))).toMatch(new RegExp(`ClothTime: ${name}: .* must be a finite number >= 0`));
        }
    }
    ClothTime.step(scene, 1);
    expect(ClothTime.get(scene)).toBe(1);
});
