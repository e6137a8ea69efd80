// Parts of the library that are loaded when they are first wanted: until they are here, a cloth stands still.
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { ClothBaker, ClothBehavior, RopeBehavior, RigidBodyBehavior } from "../../../src/index";
import type { ClothOptions } from "../../../src/index";
import { contactModule, pinReactionModule, selfCollisionModule } from "../../../src/engine/index";
import { meshColliderModule } from "../../../src/engine/collision/shapes/mesh.lazy";
import { ropeSegmentModule } from "../../../src/engine/rope/ropeSegments.lazy";
import { disposeWorlds, FRAME, listen, makeSquare, makeWorld, told, toldBesidesAdvice } from "./harness";

const parts = [contactModule, selfCollisionModule, ropeSegmentModule, meshColliderModule, pinReactionModule];

beforeEach(() => {
    listen("warn");
    listen("error");
    for (const part of parts) part.set(null);
});
afterEach(async () => {
    disposeWorlds();
    jest.restoreAllMocks();
    for (const part of parts) await part.load();
});

function begin(options: ClothOptions) {
    const world = makeWorld();
    const mesh = makeSquare(world.scene, 8, "square");
    const cloth = new ClothBehavior(options);
    mesh.addBehavior(cloth);
    return { ...world, mesh, cloth };
}

const places = (cloth: ClothBehavior): number[] => [...cloth.getParticlePositions()];

test("cloth that keeps off itself begins when that is loaded, and moves as if it had been here from the start", async () => {
    const { cloth, frame, mesh } = begin({ selfCollision: "triangles" });
    const rest = places(cloth);
    frame(FRAME, 5);
    expect([cloth.attachedNode, places(cloth)]).toEqual([mesh, rest]);
    await cloth.whenReady();
    frame(FRAME, 30);
    const other = begin({ selfCollision: "triangles" });
    await other.cloth.whenReady();
    other.frame(FRAME, 30);
    expect(places(cloth)).toEqual(places(other.cloth));
    expect(places(cloth)).not.toEqual(rest);
    expect([toldBesidesAdvice(), told("error")]).toEqual([[], []]);
});

test("stepped by hand, it says so; a recording is refused; a warm start waits for it", async () => {
    const { cloth, frame } = begin({ selfCollision: "particles" });
    const rest = places(cloth);
    cloth.step(1);
    cloth.step(1);
    expect(places(cloth)).toEqual(rest);
    expect(toldBesidesAdvice()).toEqual([expect.stringMatching(/step: .*await whenReady/)]);
    expect(() => ClothBaker.record(cloth, 1)).toThrow(/record\(cloth\).*ready/);
    let steps = 0;
    cloth.onAfterStepObservable.add(() => steps++);
    const warm = cloth.simulate(0.5, 1000);
    frame(FRAME, 3);
    expect(steps).toBe(0);
    await cloth.whenReady();
    frame(FRAME, 3);
    await warm;
    expect(steps).toBeGreaterThanOrEqual(30);
});

test("asked for in motion, it comes a moment later; taken back or off by then, it does not", async () => {
    const { cloth, frame, scene } = begin({});
    frame(FRAME, 10);
    expect(selfCollisionModule.isLoaded).toBe(false);
    const other = MeshBuilder.CreateGround("other", { subdivisions: 4 }, scene);
    const [gone, back] = [new ClothBehavior({ selfCollision: "particles" }), cloth];
    other.addBehavior(gone);
    other.removeBehavior(gone);
    back.selfCollision = "triangles";
    back.selfCollision = false;
    await Promise.all([gone.whenReady(), back.whenReady()]);
    const before = places(cloth);
    frame(FRAME, 10);
    expect(places(cloth)).not.toEqual(before);
    cloth.selfCollision = "triangles";
    expect([cloth.selfCollision, gone.attachedNode]).toEqual(["triangles", null]);
    frame(FRAME, 10);
    expect([toldBesidesAdvice(), told("error")]).toEqual([[], []]);
});

test.each(["torus knot", "ball"])(
    "a collider is met from the start, though what meets it comes a moment later: a %s",
    async (kind) => {
        const fall = async (isWaited: boolean) => {
            const world = begin({});
            const solid =
                kind === "ball"
                    ? MeshBuilder.CreateSphere("ball", { diameter: 0.8 }, world.scene)
                    : MeshBuilder.CreateTorusKnot("knot", { radius: 0.3, tube: 0.1, radialSegments: 32 }, world.scene);
            solid.position.y = -0.2;
            expect(() => world.cloth.addCollider(solid, { friction: -1 })).toThrow(/friction/);
            world.cloth.addCollider(solid);
            world.cloth.addCollider(solid, { shape: "box", mask: 0 });
            if (isWaited) await world.cloth.whenReady();
            world.frame(FRAME, 2);
            await world.cloth.whenReady();
            world.frame(FRAME, isWaited ? 58 : 60);
            return places(world.cloth);
        };
        const late = await fall(false);
        expect([contactModule.isLoaded, meshColliderModule.isLoaded]).toEqual([true, kind !== "ball"]);
        expect(await fall(true)).toEqual(late);
        expect(late.filter((_, i) => i % 3 === 1).some((y) => y > -0.3)).toBe(true);
        expect([toldBesidesAdvice(), told("error")]).toEqual([[], []]);
    },
);

test.each([false, true])(
    "a body hangs on its rope as soon as what it is pulled by is here, body first: %s",
    async (isBodyFirst) => {
        const { scene, frame } = makeWorld();
        scene.gravity = new Vector3(0, -9.81, 0);
        const box = MeshBuilder.CreateBox("box", { size: 0.2 }, scene);
        const path = Array.from({ length: 9 }, (_, i) => new Vector3(0, 0.1 + i / 8, 0));
        const tube = MeshBuilder.CreateTube("rope", { path, radius: 0.02 }, scene);
        const hook = new TransformNode("hook", scene);
        hook.position.y = 1.1;
        const rope = new RopeBehavior({ start: box, end: hook });
        const body = new RigidBodyBehavior({ mass: 2 });
        if (isBodyFirst) box.addBehavior(body);
        tube.addBehavior(rope);
        // Known of from the start, where the body is.
        if (isBodyFirst) await rope.whenReady();
        expect(pinReactionModule.isLoaded).toBe(isBodyFirst);
        if (!isBodyFirst) box.addBehavior(body);
        frame(FRAME, 3);
        await rope.whenReady();
        expect(pinReactionModule.isLoaded).toBe(true);
        frame(FRAME, 120);
        expect(Math.abs(box.position.y)).toBeLessThan(0.03);
        expect([toldBesidesAdvice(), told("error")]).toEqual([[], []]);
    },
);

test("a rope waits for what its links meet colliders by, cloth does not ask for it", async () => {
    const { scene, frame } = makeWorld();
    scene.gravity = new Vector3(0, -9.81, 0);
    const bar = MeshBuilder.CreateCylinder("bar", { height: 0.02, diameter: 0.5 }, scene);
    const sheet = makeSquare(scene, 4, "square");
    const cloth = new ClothBehavior({ colliders: [bar] });
    sheet.addBehavior(cloth);
    await cloth.whenReady();
    expect([contactModule.isLoaded, ropeSegmentModule.isLoaded]).toEqual([true, false]);
    const path = Array.from({ length: 5 }, (_, i) => new Vector3(i / 2 - 1, 0.2, 0.05));
    const rope = new RopeBehavior({ colliders: [bar] });
    MeshBuilder.CreateTube("rope", { path, radius: 0.01 }, scene).addBehavior(rope);
    frame(FRAME, 1);
    await rope.whenReady();
    expect(ropeSegmentModule.isLoaded).toBe(true);
    frame(FRAME, 90);
    expect(Math.max(...rope.getParticlePositions().filter((_, k) => k % 3 === 1))).toBeGreaterThan(0);
});

test("where it cannot be loaded, that is said once, and the cloth goes on without", async () => {
    jest.spyOn(selfCollisionModule, "load").mockRejectedValue(new TypeError("Failed to fetch dynamically imported module"));
    const { cloth, frame } = begin({ selfCollision: "particles" });
    const rest = places(cloth);
    await cloth.whenReady();
    frame(FRAME, 10);
    expect(places(cloth)).not.toEqual(rest);
    expect(toldBesidesAdvice()).toEqual([expect.stringMatching(/ClothBehavior: .*Failed to fetch/)]);
});
