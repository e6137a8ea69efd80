import { Bone } from "@babylonjs/core/Bones/bone";
import { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { ClothBehavior, select } from "../../../src/index";
import type { ClothOptions, Pin } from "../../../src/index";
import {
    difference,
    disposeWorlds,
    FRAME,
    listen,
    makeSquare,
    makeWorld,
    messageOf,
    rows,
    told,
    worldVertices,
    toldBesidesAdvice,
} from "./harness";

beforeEach(() => listen("warn"));
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

function setUp(options: ClothOptions = {}) {
    const world = makeWorld();
    const mesh = makeSquare(world.scene);
    const cloth = new ClothBehavior(options);
    mesh.addBehavior(cloth);
    const at = (vertex: number): number[] => rows(worldVertices(mesh), [vertex]);
    return { ...world, mesh, cloth, at };
}

describe("pins hold", () => {
    test.each([
        ["indices", [0, 6]],
        ["a typed array", Uint16Array.of(0, 6)],
        ["a predicate", (position: Vector3, index: number) => index % 6 === 0 && position.z > 0.4 && Math.abs(position.x) > 0.4],
        ["a helper", select.corners("-x+z", "+x+z")],
        ["another helper", select.near(new Vector3(0.5, 0, 0.5), 0.01)],
    ])("%s", (name, selection) => {
        const { cloth, mesh, frame } = setUp({ pins: [{ select: selection }] });
        const rest = worldVertices(mesh);
        frame(FRAME, 60);
        const now = worldVertices(mesh);
        const pinned = name === "another helper" ? [6] : [0, 6];
        expect(cloth.pins[0].particleCount).toBe(pinned.length);
        for (let v = 0; v < 49; v++) {
            const moved = difference(rows(rest, [v]), rows(now, [v]));
            if (pinned.includes(v)) expect(moved).toBeLessThan(1e-6);
            else expect(moved).toBeGreaterThan(1e-4);
        }
    });
});

describe("what a selection sees", () => {
    test("rest positions in mesh-local space and every vertex once, whatever the mesh's place and shape now", () => {
        const { cloth, mesh, frame } = setUp();
        mesh.position.x = 5;
        mesh.scaling.setAll(3);
        frame(FRAME, 30);
        const seen: number[][] = [];
        cloth.pin((position, index) => {
            seen[index] = position.asArray();
            return false;
        });
        cloth.reset();
        expect(difference(seen.flat(), makeSquare(mesh.getScene()).getVerticesData("position")!)).toBeLessThan(1e-7);
    });

    test("a vertex of a seam pins its particle once, for all vertices at its place", () => {
        const { scene, frame } = makeWorld();
        const ball = MeshBuilder.CreateSphere("ball", { segments: 6 }, scene);
        const cloth = new ClothBehavior({ pins: [{ select: select.edge("+y") }] });
        ball.addBehavior(cloth);
        expect(cloth.pins[0].particleCount).toBe(1);
        frame(FRAME, 20);
        const top = cloth.particleOfVertex(0);
        for (let v = 0; v < ball.getTotalVertices(); v++) {
            if (cloth.particleOfVertex(v) === top) expect(worldVertices(ball)[3 * v + 1]).toBeCloseTo(0.5, 5);
        }
    });

    test.each([
        [[0, 49], "ClothBehavior: pin: select index 1 must be an integer in 0..48, got 49"],
        [[-1], "ClothBehavior: pin: select index 0 must be an integer in 0..48, got -1"],
        [[1.5], "ClothBehavior: pin: select index 0 must be an integer in 0..48, got 1.5"],
        [[NaN], "ClothBehavior: pin: select index 0 must be an integer in 0..48, got NaN"],
        [select.indices(3, 100), "ClothBehavior: pin: select index 1 must be an integer in 0..48, got 100"],
        [{ pick: () => [77] }, "ClothBehavior: pin: select index 0 must be an integer in 0..48, got 77"],
        [null, "ClothBehavior: pin: select must be vertex indices, a predicate, or a helper of select, got null"],
        ["-x", 'ClothBehavior: pin: select must be vertex indices, a predicate, or a helper of select, got "-x"'],
        [
            { pick: 4 },
            "ClothBehavior: pin: select must be vertex indices, a predicate, or a helper of select, got an object (Object)",
        ],
    ])("what cannot be selected: %p", (selection, message) => {
        const { cloth, frame } = setUp();
        expect(messageOf(() => cloth.pin(selection as number[]))).toBe(message);
        expect(cloth.pins).toEqual([]);
        frame();
    });

    test("a predicate that throws is the caller's error, and pins nothing", () => {
        const { cloth, frame } = setUp();
        const predicate = (): boolean => {
            throw new TypeError("mine");
        };
        expect(() => cloth.pin(predicate)).toThrow(new TypeError("mine"));
        expect(cloth.pins).toEqual([]);
        frame();
    });

    test("nothing: the developer is told once, and the rest goes on", () => {
        const { cloth, mesh, frame } = setUp({ pins: [{ select: [] }, { select: () => false }] });
        frame(FRAME, 3);
        cloth.pin([]);
        mesh.removeBehavior(cloth);
        mesh.addBehavior(cloth);
        frame(FRAME, 3);
        expect(told("warn")).toEqual(['ClothBehavior: a pin of "square" selects no vertex']);
        expect(cloth.pins.map((pin) => pin.particleCount)).toEqual([0, 0, 0]);
    });
});

describe("targets", () => {
    test.each([
        ["an object", {}, "an object (Object)"],
        ["a vector", Vector3.Zero(), "an object (Vector3)"],
        ["a number", 5, "5"],
    ])("%s cannot carry", (_, target, shown) => {
        const { cloth } = setUp();
        expect(messageOf(() => cloth.pin([0], target as never))).toBe(
            `ClothBehavior: pin: target must be a TransformNode or Bone, got ${shown}`,
        );
    });

    test("one that is disposed is refused", () => {
        const { cloth, scene } = setUp();
        const node = new TransformNode("gone", scene);
        node.dispose();
        expect(messageOf(() => cloth.pin([0], node))).toBe(
            'ClothBehavior: pin: target must be a node that is not disposed, got "gone"',
        );
    });

    const victims: Record<string, (scene: ReturnType<typeof makeWorld>["scene"]) => [TransformNode | Bone, () => void]> = {
        "a TransformNode": (scene) => {
            const node = new TransformNode("hand", scene);
            return [node, () => node.dispose()];
        },
        "a node with its parent": (scene) => {
            const node = new TransformNode("hand", scene);
            node.parent = new TransformNode("arm", scene);
            return [node, () => (node.parent as TransformNode).dispose()];
        },
        "a bone": (scene) => {
            const bone = new Bone("hand", new Skeleton("s", "s", scene));
            return [bone, () => bone.dispose()];
        },
        "a bone with its skeleton": (scene) => {
            const skeleton = new Skeleton("s", "s", scene);
            return [new Bone("hand", skeleton), () => skeleton.dispose()];
        },
    };

    test.each(Object.keys(victims))("%s that is disposed while it carries lets go, and the developer is told once", (name) => {
        const { cloth, scene, frame, at } = setUp();
        const [target, dispose] = victims[name](scene);
        cloth.pin([0], target);
        const kept = cloth.pin([6]);
        frame(FRAME, 10);
        expect(at(0)[1]).toBeCloseTo(0, 6);
        dispose();
        frame(FRAME, 30);
        expect(told("warn")).toEqual(['ClothBehavior: the pin target "hand" was disposed; its pin is dropped']);
        expect(cloth.pins).toEqual([kept]);
        expect(at(0)[1]).toBeLessThan(-0.1);
        expect(at(6)[1]).toBeCloseTo(0, 6);
    });

    test("disposed before the cloth is attached: dropped at the first frame", () => {
        const { scene, frame } = makeWorld();
        const node = new TransformNode("hand", scene);
        const cloth = new ClothBehavior({ pins: [{ select: [0], target: node }] });
        node.dispose();
        makeSquare(scene).addBehavior(cloth);
        frame();
        expect(cloth.pins).toEqual([]);
        expect(toldBesidesAdvice().length).toBe(1);
    });

    test.each([0, NaN])("a target of scale %d at first: the vertices stay where they are until it has one", (scale) => {
        const { cloth, scene, frame, at } = setUp();
        frame(FRAME, 3);
        const node = new TransformNode("hand", scene);
        node.position.set(3, 0, 0);
        node.scaling.setAll(scale);
        const before = rows(cloth.getParticlePositions(), [0]);
        cloth.pin([0], node);
        frame(FRAME, 3);
        expect(difference(at(0), before)).toBeLessThan(1e-6);
        node.scaling.setAll(1);
        frame(FRAME, 3);
        expect(difference(at(0), before)).toBeLessThan(1e-6);
        node.position.x += 0.1;
        frame(FRAME, 3);
        expect(at(0)[0]).toBeCloseTo(before[0] + 0.1, 5);
    });

    test("a target that is not finite for a while: the vertices wait", () => {
        const { cloth, scene, frame, at } = setUp();
        const node = new TransformNode("hand", scene);
        cloth.pin([0], node);
        frame(2 * FRAME, 3);
        node.position.x = 0.1;
        frame(2 * FRAME);
        node.position.x = NaN;
        const xs: number[] = [];
        cloth.onAfterStepObservable.add(() => xs.push(cloth.getParticlePositions()[0]));
        frame(2 * FRAME, 3);
        for (const x of xs) expect(x).toBeCloseTo(-0.4, 6);
        expect(difference(at(0), [-0.4, 0, 0.5])).toBeLessThan(1e-6);
        node.position.x = 0.25;
        frame(2 * FRAME, 3);
        expect(difference(at(0), [-0.25, 0, 0.5])).toBeLessThan(1e-6);
    });
});

describe("while the cloth runs", () => {
    test("a new pin holds the vertices where they are", () => {
        const { cloth, frame, at } = setUp({ pins: [{ select: [0, 6] }] });
        frame(FRAME, 20);
        const before = at(48);
        expect(before[1]).toBeLessThan(-0.1);
        const pin = cloth.pin([48]);
        expect(pin.particleCount).toBe(1);
        frame(FRAME, 30);
        expect(difference(at(48), before)).toBeLessThan(1e-5);
    });

    test("unpin lets them go with the speed of their carrier", () => {
        for (const hertz of [30, 60, 144]) {
            const { cloth, scene, frame } = setUp({ gravity: Vector3.Zero(), fabric: { damping: 0 } });
            const node = new TransformNode("node", scene);
            const pin = cloth.pin(select.all(), node);
            for (let i = 0; i < 48; i++) {
                node.position.x += 2 / hertz;
                frame(1000 / hertz);
            }
            cloth.unpin(pin);
            const start = cloth.getParticlePositions()[0];
            frame(1000 / 60, 30);
            expect(cloth.getParticlePositions()[0] - start).toBeGreaterThan(0.97);
            expect(cloth.getParticlePositions()[0] - start).toBeLessThan(1.04);
        }
    });

    test("two pins on one vertex: it is held until both are gone", () => {
        const { cloth, scene, frame, at } = setUp();
        const node = new TransformNode("node", scene);
        const first = cloth.pin([0, 1]);
        const second = cloth.pin([0], node);
        frame(FRAME, 10);
        node.position.y = 0.2;
        frame(FRAME, 1);
        expect(at(0)[1]).toBeCloseTo(0.2, 5);
        cloth.unpin(second);
        frame(FRAME, 10);
        expect(difference(at(0), [-0.5, 0, 0.5])).toBeLessThan(1e-5);
        cloth.unpin(first);
        frame(FRAME, 10);
        expect(at(0)[1]).toBeLessThan(-0.05);
    });

    test("the same vertex twice in one selection", () => {
        const { cloth, frame, at } = setUp({ pins: [{ select: [0, 0, 0] }] });
        expect(cloth.pins[0].particleCount).toBe(1);
        frame(FRAME, 10);
        expect(at(0)[1]).toBeCloseTo(0, 6);
    });

    test("all vertices", () => {
        const { mesh, frame } = setUp({ pins: [{ select: select.all() }] });
        const rest = worldVertices(mesh);
        frame(FRAME, 10);
        expect(difference(worldVertices(mesh), rest)).toBeLessThan(1e-6);
    });

    test("unpin twice, or another cloth's pin, changes nothing", () => {
        const { cloth, scene, frame } = setUp({ pins: [{ select: [0] }] });
        const other = new ClothBehavior({ pins: [{ select: [0] }] });
        makeSquare(scene, 2, "other").addBehavior(other);
        const pin = cloth.pin([1]);
        cloth.unpin(pin);
        cloth.unpin(pin);
        cloth.unpin(other.pins[0]);
        cloth.unpin(undefined as unknown as Pin);
        frame();
        expect([cloth.pins.length, other.pins.length, pin.particleCount]).toEqual([1, 1, 0]);
    });

    test("pin and unpin inside the step observers", () => {
        const { cloth, frame, at } = setUp({ pins: [{ select: [0, 6] }] });
        let pin: Pin | null = null;
        let step = 0;
        cloth.onBeforeStepObservable.add(() => {
            if (++step % 10 === 5) pin = cloth.pin([48]);
        });
        cloth.onAfterStepObservable.add(() => {
            if (step % 10 === 8) cloth.unpin(pin!);
        });
        frame(FRAME, 6);
        const held = at(48);
        frame(FRAME, 2);
        expect(difference(at(48), held)).toBeLessThan(1e-5);
        frame(FRAME, 60);
        expect(cloth.getParticlePositions().every(Number.isFinite)).toBe(true);
        expect(cloth.pins.length).toBe(1);
    });

    test("reset puts them back to the rest shape, held there", () => {
        const { cloth, scene, frame, at, mesh } = setUp();
        const node = new TransformNode("node", scene);
        cloth.pin([0], node);
        frame(FRAME, 10);
        node.position.x = 1;
        frame(FRAME, 10);
        expect(at(0)[0]).toBeCloseTo(0.5, 5);
        cloth.reset();
        expect(difference(worldVertices(mesh), worldVertices(makeSquare(scene, 6, "fresh")))).toBeLessThan(1e-6);
        frame(FRAME, 10);
        expect(difference(at(0), [-0.5, 0, 0.5])).toBeLessThan(1e-6);
        node.position.x = 1.5;
        frame();
        expect(at(0)[0]).toBeCloseTo(0, 5);
    });

    test("pins outlive detach and hold again on the next mesh", () => {
        const { cloth, scene, mesh, frame } = setUp({ pins: [{ select: [0] }] });
        frame();
        mesh.removeBehavior(cloth);
        expect(cloth.pins[0].particleCount).toBe(0);
        const other = makeSquare(scene, 3, "other");
        other.position.y = 2;
        other.addBehavior(cloth);
        frame(FRAME, 30);
        expect(difference(rows(worldVertices(other), [0]), [-0.5, 2, 0.5])).toBeLessThan(1e-6);
    });
});
