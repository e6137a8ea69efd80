/** What users hear of collisions. */
import { afterEach, describe, expect, test } from "@jest/globals";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { ClothBehavior } from "../../../src/index";
import type { ClothCollision } from "../../../src/index";
import { disposeWorlds, FRAME, makeWorld } from "./harness";

afterEach(disposeWorlds);

/** A sheet of 5 × 5 particles, 0.5 m over a floor, beside a ball that it does not meet. */
function setUp() {
    const world = makeWorld();
    const { scene, frame } = world;
    const mesh = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 4 }, scene);
    mesh.position.set(100, 0.5, 0);
    const floor = MeshBuilder.CreateGround("floor", { width: 300, height: 300 }, scene);
    const ball = MeshBuilder.CreateSphere("ball", { diameter: 1 }, scene);
    const cloth = new ClothBehavior({ wind: null, colliders: [floor, ball], fabric: { damping: 0, thickness: 0.01 } });
    mesh.addBehavior(cloth);
    return { scene, frame, mesh, floor, cloth };
}

const copy = ({ collider, particle, point, normal, speed }: ClothCollision) => ({
    collider,
    particle,
    point: [point.x, point.y, point.z],
    normal: [normal.x, normal.y, normal.z],
    speed,
});

describe("collision events", () => {
    test("each particle is told of once, with what it came to, where, and how fast", () => {
        const { frame, cloth } = setUp();
        const heard: ReturnType<typeof copy>[] = [];
        cloth.onCollisionObservable.add((event) => void heard.push(copy(event)));
        frame(FRAME, 10);
        expect(heard).toEqual([]);
        frame(FRAME, 90);
        expect(heard.map(({ particle }) => particle).sort((a, b) => a - b)).toEqual(Array.from({ length: 25 }, (_, i) => i));
        const positions = cloth.getParticlePositions();
        for (const { collider, particle, point, normal, speed } of heard) {
            expect(collider).toBe(cloth.colliders[0]);
            expect(Math.hypot(point[0] - positions[3 * particle], point[2] - positions[3 * particle + 2])).toBeLessThan(0.02);
            expect(Math.abs(point[1])).toBeLessThan(1e-3);
            expect(normal[1]).toBeGreaterThan(0.999);
            // It falls by 0.49 m.
            expect(Math.abs(speed - Math.sqrt(2 * 9.81 * 0.49))).toBeLessThan(0.1);
        }
    });
});

test("a triangle whose corners pass by is told of, too", () => {
    const { scene, frame } = makeWorld();
    const mesh = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 1 }, scene);
    mesh.position.set(0.05, 0.5, 0.1);
    const pebble = MeshBuilder.CreateSphere("pebble", { diameter: 0.1 }, scene);
    const cloth = new ClothBehavior({ wind: null, colliders: [pebble], fabric: { damping: 0, thickness: 0.01 } });
    mesh.addBehavior(cloth);
    const heard: ReturnType<typeof copy>[] = [];
    cloth.onCollisionObservable.add((event) => void heard.push(copy(event)));
    frame(FRAME, 30);
    expect(heard.length).toBeGreaterThan(0);
    expect(heard.length).toBeLessThan(5);
    const { point, normal, speed } = heard[0];
    expect(Math.abs(Math.hypot(...point) - 0.05)).toBeLessThan(2e-3);
    expect(normal[1]).toBeGreaterThan(0.99);
    // It falls by 0.44 m, to half of its thickness.
    expect(Math.abs(speed - Math.sqrt(2 * 9.81 * 0.445))).toBeLessThan(0.1);
});

test("it comes anew where it has been away", () => {
    const { frame, mesh, cloth } = setUp();
    let count = 0;
    cloth.onCollisionObservable.add(() => void count++);
    frame(FRAME, 60);
    expect(count).toBe(25);
    cloth.applyImpulse(mesh.position, { x: 0, y: 0.5, z: 0 }, 5);
    frame(FRAME, 90);
    expect(count).toBe(50);
});

test("no one listens: nothing is noted, and the motion is the same to the bit", () => {
    const runs = [false, true].map((isHeard) => {
        const { frame, cloth } = setUp();
        const observer = isHeard ? cloth.onCollisionObservable.add(() => {}) : null;
        frame(FRAME, 40);
        cloth.onCollisionObservable.remove(observer);
        frame(FRAME, 40);
        return cloth.getParticlePositions();
    });
    expect(runs[1]).toEqual(runs[0]);
});

test("whoever hears may remove the collider, or the cloth; what is thrown comes out of the frame", () => {
    const { frame, mesh, cloth } = setUp();
    cloth.onCollisionObservable.addOnce(({ collider }) => cloth.removeCollider(collider));
    frame(FRAME, 30);
    expect(cloth.colliders).toHaveLength(1);
    const other = setUp();
    other.cloth.onCollisionObservable.addOnce(() => {
        throw new Error("mine");
    });
    expect(() => other.frame(FRAME, 30)).toThrow("mine");
    other.frame(FRAME);
    const third = setUp();
    third.cloth.onCollisionObservable.add(() => third.mesh.removeBehavior(third.cloth));
    third.frame(FRAME, 30);
    expect(third.cloth.attachedNode).toBeNull();
    expect(mesh.isDisposed()).toBe(false);
});
