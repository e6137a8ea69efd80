import { Plane } from "@babylonjs/core/Maths/math.plane";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { ClothBehavior } from "../../../src/index";
import type { ClothOptions } from "../../../src/index";
import { difference, disposeWorlds, FRAME, listen, makeSquare, makeWorld, worldVertices } from "./harness";

beforeEach(() => listen("warn"));
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

/** A sheet that lies on the floor, at rest. */
function setUp(options: ClothOptions = {}) {
    const world = makeWorld();
    const mesh = makeSquare(world.scene, 4);
    mesh.position.y = 0.02;
    const cloth = new ClothBehavior({
        wind: null,
        colliders: [new Plane(0, 1, 0, 0)],
        fabric: { damping: 20, friction: 2 },
        ...options,
    });
    mesh.addBehavior(cloth);
    world.frame(FRAME, 60);
    const error = (): number => difference(worldVertices(mesh), cloth.getParticlePositions());
    return { ...world, mesh, cloth, error };
}

/** Less than anyone can see; see VISIBLE_MOTION. */
const UNSEEN = 3e-5;

// Cloth at rest is not drawn anew; here is what must wake it.
describe("a cloth at rest is drawn right when", () => {
    test("nothing happens for long", () => {
        const { frame, error } = setUp();
        for (let i = 0; i < 100; i++) {
            frame();
            expect(error()).toBeLessThan(UNSEEN);
        }
    });

    test("the mesh or its parent moves", () => {
        const { scene, mesh, frame, error } = setUp();
        const parent = new TransformNode("parent", scene);
        mesh.parent = parent;
        for (let i = 0; i < 20; i++) {
            if (i % 4 === 0) parent.position.x += 1;
            if (i % 4 === 2) mesh.scaling.y = -mesh.scaling.y;
            frame();
            expect(error()).toBeLessThan(UNSEEN);
        }
    });

    test("its world matrix has been singular or NaN meanwhile, and is what it was", () => {
        for (const scale of [0, NaN]) {
            const { mesh, cloth, frame, error } = setUp();
            cloth.applyImpulse(Vector3.Zero(), new Vector3(0.2, 0.2, 0), 10);
            mesh.scaling.x = scale;
            frame(FRAME, 200);
            mesh.scaling.x = 1;
            frame();
            expect(error()).toBeLessThan(UNSEEN);
        }
    });

    test("it is reset, kicked, pinned, or gets another gravity", () => {
        const { cloth, frame, error } = setUp();
        const changes = [
            () => cloth.reset(),
            () => cloth.applyImpulse(Vector3.Zero(), new Vector3(0, 0.1, 0), 1),
            () => void cloth.pin([0]),
            () => void (cloth.gravity = new Vector3(0, 3, 0)),
            () => void (cloth.gravity = null),
            () => void (cloth.colliders = []),
        ];
        for (const change of changes) {
            change();
            for (let i = 0; i < 30; i++) {
                frame();
                expect(error()).toBeLessThan(UNSEEN);
            }
        }
    });

    test("it creeps: many motions that no one sees add up", () => {
        const { cloth, frame, error } = setUp({
            colliders: [],
            gravity: new Vector3(0, -1e-2, 0),
            fabric: { damping: 60 },
            sleepSpeed: 0,
        });
        const start = cloth.getParticlePositions()[1];
        for (let i = 0; i < 200; i++) {
            frame();
            expect(error()).toBeLessThan(UNSEEN);
        }
        expect(start - cloth.getParticlePositions()[1]).toBeGreaterThan((20 * UNSEEN) / 10);
    });

    test("what carried it stops at once, between two steps", () => {
        const { cloth, mesh, frame } = setUp({ gravity: Vector3.Zero(), fabric: { damping: 1e6, thickness: 0.01 } });
        const plane = cloth.colliders[0].source as Plane;
        frame(0.3 * FRAME);
        for (let i = 0; i < 20; i++) {
            plane.d -= 0.01;
            frame(0.9 * FRAME);
        }
        frame(0.9 * FRAME, 5);
        expect(difference(worldVertices(mesh), cloth.getParticlePositions())).toBeLessThan(UNSEEN);
    });

    test("it was paused meanwhile, or stepped by hand", () => {
        const { cloth, frame, error } = setUp();
        cloth.applyImpulse(Vector3.Zero(), new Vector3(0, 0.1, 0), 1);
        frame(FRAME, 2);
        cloth.enabled = false;
        frame(FRAME, 5);
        cloth.enabled = true;
        frame(FRAME, 2);
        expect(error()).toBeLessThan(UNSEEN);
        cloth.autoStep = false;
        for (let i = 0; i < 100; i++) cloth.step(1 / 60);
        expect(error()).toBeLessThan(UNSEEN);
    });
});

test("detach gives the rest shape back from rest", () => {
    const { mesh, cloth, scene } = setUp();
    mesh.removeBehavior(cloth);
    const plain = makeSquare(scene, 4, "plain");
    expect(difference(mesh.getVerticesData("position")!, plain.getVerticesData("position")!)).toBe(0);
});
