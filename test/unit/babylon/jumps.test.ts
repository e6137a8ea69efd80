// What carries a cloth jumps: the cloth comes along.
import { BoundingSphere } from "@babylonjs/core/Culling/boundingSphere";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, describe, expect, test } from "@jest/globals";
import { ClothBehavior, select } from "../../../src/index";
import type { ClothOptions } from "../../../src/index";
import { TeleportDetector } from "../../../src/babylon/scene/teleport";
import type { PinBinding } from "../../../src/babylon/pins/pinBinding";
import { identity } from "../../../src/engine/index";
import type { Affine } from "../../../src/engine/index";
import { column, difference, disposeWorlds, FRAME, makeSquare, makeWorld, toWorld, worldVertices } from "./harness";

afterEach(disposeWorlds);

/** A curtain that hangs at rest from a node, with its mesh under the node. */
function hang(options: ClothOptions = {}) {
    const world = makeWorld();
    const carrier = new TransformNode("carrier", world.scene);
    const mesh = makeSquare(world.scene, 8);
    mesh.parent = carrier;
    mesh.rotation.x = -Math.PI / 2;
    const cloth = new ClothBehavior({ wind: null, pins: [{ select: select.edge("+z") }], fabric: { damping: 4 }, ...options });
    mesh.addBehavior(cloth);
    world.frame(FRAME, 90);
    return { ...world, carrier, mesh, cloth };
}

/** The cloth as its mesh sees it. */
const shape = (mesh: Mesh): ArrayLike<number> => mesh.getVerticesData("position")!.slice();

function speedOf(cloth: ClothBehavior): number {
    const mass = 0.2;
    return Math.sqrt((2 * cloth.stats.kineticEnergy) / mass);
}

/** Runs frames; the largest stretch and speed in them. */
function worst(cloth: ClothBehavior, frame: () => void, count = 30): { stretch: number; speed: number } {
    let stretch = 0;
    let speed = 0;
    for (let i = 0; i < count; i++) {
        frame();
        stretch = Math.max(stretch, cloth.stats.maxStretch);
        speed = Math.max(speed, speedOf(cloth));
    }
    return { stretch, speed };
}

describe("a jump of the carrier", () => {
    test.each([FRAME, 7, 30, 16.3])("of 2 m and more in a frame of %d ms takes the cloth along at rest", (milliseconds) => {
        for (const way of [new Vector3(2, 0, 0), new Vector3(0, 0, -30), new Vector3(4000, 200, -7000)]) {
            const { carrier, mesh, cloth, frame } = hang({});
            frame(milliseconds);
            const before = shape(mesh);
            carrier.position.addInPlace(way);
            frame(milliseconds);
            const tolerance = way.length() > 100 ? 2e-3 : 1e-3;
            expect(difference(shape(mesh), before)).toBeLessThan(tolerance);
            const { stretch, speed } = worst(cloth, () => frame(milliseconds));
            expect(stretch).toBeLessThan(0.02);
            expect(speed).toBeLessThan(0.05);
            expect(difference(shape(mesh), before)).toBeLessThan(10 * tolerance);
        }
    });

    test("that turns it turns the cloth, and what it does goes on", () => {
        const { carrier, mesh, cloth, frame } = hang({ gravity: Vector3.Zero(), fabric: { damping: 0 } });
        cloth.applyImpulse(new Vector3(0, 0, 0.4), new Vector3(0, 0.2, 0.1), 0.6);
        frame(FRAME, 2);
        const energy = cloth.stats.kineticEnergy;
        const before = shape(mesh);
        // Far from the origin, where 32 bits of a position hold 0.5 mm.
        carrier.position.set(5000, 0, 3000);
        carrier.rotation.y = 2;
        frame(0);
        expect(difference(shape(mesh), before)).toBeLessThan(1e-3);
        expect(cloth.stats.kineticEnergy / energy).toBeCloseTo(1, 3);
    });

    test("is told by teleport() where it is slow; before or after the move", () => {
        for (const isBefore of [true, false]) {
            const { carrier, mesh, cloth, frame } = hang({});
            const before = shape(mesh);
            if (isBefore) cloth.teleport();
            carrier.position.x = 0.5;
            if (!isBefore) cloth.teleport();
            frame();
            expect(difference(shape(mesh), before)).toBeLessThan(1e-3);
            expect(worst(cloth, frame).speed).toBeLessThan(0.05);
            // It was for one frame.
            carrier.position.x = 0.6;
            frame();
            expect(difference(shape(mesh), before)).toBeGreaterThan(0.02);
        }
    });

    test("is motion with another limit", () => {
        const { carrier, cloth, frame } = hang({ teleportSpeed: Infinity });
        carrier.position.x = 2;
        expect(worst(cloth, frame, 3).speed).toBeGreaterThan(10);
        cloth.teleportSpeed = 0;
        const slow = hang({ teleportSpeed: 0 });
        slow.carrier.position.x = 0.1;
        expect(worst(slow.cloth, slow.frame).speed).toBeLessThan(0.05);
    });

    test.each([10, 45])("is not what moves at %d m/s, at any frame rate", (speed) => {
        for (const milliseconds of [33, FRAME, 7, 4]) {
            const { carrier, mesh, frame } = hang({});
            const before = shape(mesh);
            for (let i = 0; i < 3; i++) {
                carrier.position.x += (speed * milliseconds) / 1000;
                frame(milliseconds);
            }
            frame(FRAME, 3);
            expect(difference(shape(mesh), before)).toBeGreaterThan(0.02);
        }
    });

    test("is not what comes to a high speed by and by", () => {
        const { scene, carrier, mesh, cloth, frame } = hang({ gravity: Vector3.Zero() });
        const ground = MeshBuilder.CreateGround("ground", { width: 3, height: 3 }, scene);
        ground.position.y = -2;
        const rider = makeSquare(scene, 4);
        rider.position.y = -1.98;
        const riding = new ClothBehavior({ colliders: [ground], fabric: { friction: 100 } });
        rider.addBehavior(riding);
        frame(FRAME, 3);
        const before = shape(mesh);
        for (let i = 0; i < 120; i++) {
            carrier.position.x += i / 60;
            ground.position.y += i / 60;
            frame();
        }
        // At 120 m/s it trails behind, or lies on what lifts it.
        expect(difference(shape(mesh), before)).toBeGreaterThan(0.2);
        expect(cloth.stats.maxStretch).toBeLessThan(0.5);
        expect(Math.min(...column(riding.getParticlePositions(), 1)) - ground.position.y).toBeGreaterThan(0);
    });

    test("after a long frame, whose time is dropped, the cloth comes along", () => {
        const { carrier, cloth, frame } = hang({});
        carrier.position.x = 12;
        frame(2000);
        const { stretch, speed } = worst(cloth, frame);
        expect(stretch).toBeLessThan(0.02);
        expect(speed).toBeLessThan(0.05);
    });

    test("of one of two carriers is no jump of the cloth; of the one that holds most, it is", () => {
        const { scene, mesh, cloth, frame } = hang({ pins: [], gravity: Vector3.Zero() });
        const [left, right] = [new TransformNode("left", scene), new TransformNode("right", scene)];
        cloth.pin([0], left);
        const many = cloth.pin([8], right);
        frame(FRAME, 2);
        const before = worldVertices(mesh);
        right.position.y = 1.2;
        frame();
        expect(worldVertices(mesh)[0]).toBeCloseTo(before[0], 4);
        expect(Math.abs(worldVertices(mesh)[3 * 9 + 1] - before[3 * 9 + 1])).toBeLessThan(0.6);
        right.position.y = 0;
        frame(FRAME, 60);
        cloth.unpin(many);
        cloth.pin([7, 8, 17], right);
        frame();
        const height = worldVertices(mesh)[3 * 40 + 1];
        right.position.y = 3;
        left.position.y = 3;
        frame();
        expect(worldVertices(mesh)[3 * 40 + 1] - height).toBeCloseTo(3, 1);
    });

    test("a ball on the carrier comes along without a sweep, one alone does not sweep either", () => {
        const { scene, carrier, mesh, cloth, frame } = hang({});
        const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.4, segments: 6 }, scene);
        ball.parent = carrier;
        ball.position.set(0, 0, 0.15);
        const sweeper = new BoundingSphere(new Vector3(-0.3, -0.3, -0.3), new Vector3(0.3, 0.3, 0.3));
        sweeper.centerWorld.set(0, 0, 9);
        cloth.addCollider(ball);
        cloth.addCollider(sweeper);
        frame(FRAME, 60);
        const before = shape(mesh);
        carrier.position.x = 7;
        frame();
        expect(difference(shape(mesh), before)).toBeLessThan(5e-3);
        expect(worst(cloth, frame).speed).toBeLessThan(0.1);
        sweeper.centerWorld.set(7, 0, -9);
        expect(worst(cloth, frame).speed).toBeLessThan(0.1);
    });

    test("without pins, the cloth stays where it lies, unless it is told to come", () => {
        const { carrier, mesh, cloth, frame } = hang({ pins: [], gravity: Vector3.Zero() });
        const before = worldVertices(mesh);
        carrier.position.x = 30;
        frame();
        expect(difference(worldVertices(mesh), before)).toBeLessThan(1e-4);
        const local = shape(mesh);
        carrier.position.set(50, 8, 0);
        carrier.rotation.z = 1;
        cloth.teleport();
        frame();
        expect(difference(shape(mesh), local)).toBeLessThan(1e-4);
        expect(difference(cloth.getParticlePositions(), toWorld(mesh, local))).toBeLessThan(1e-4);
        expect(worst(cloth, frame).speed).toBeLessThan(1e-3);
    });

    test("to nowhere is none: it comes along when the place is finite again", () => {
        const { carrier, mesh, cloth, frame } = hang({});
        const before = shape(mesh);
        cloth.teleport();
        carrier.position.x = NaN;
        frame(FRAME, 2);
        carrier.position.x = 20;
        frame();
        expect(difference(shape(mesh), before)).toBeLessThan(2e-2);
        expect(worst(cloth, frame).speed).toBeLessThan(0.1);
    });
});

test("teleport is safe without a mesh", () => {
    expect(() => new ClothBehavior().teleport()).not.toThrow();
});

test("a jump is that of the pin that holds most particles, wherever it is in the list", () => {
    const pin = (particleCount: number, x: number): PinBinding =>
        ({
            particleCount,
            readMotion: (motion: Affine) => {
                motion[12] = x;
                return true;
            },
        }) as Partial<PinBinding> as PinBinding;
    const [small, large, none] = [pin(2, 1), pin(9, 2), pin(0, 3)];
    for (const pins of [
        [small, large, none],
        [large, small, none],
        [none, large, small],
    ]) {
        const motion = identity();
        expect(new TeleportDetector().readTeleport(pins, identity(), identity(), motion)).toBe(true);
        expect(motion[12]).toBe(2);
    }
});
