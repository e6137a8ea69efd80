// Far colliders change nothing: cloth among many moves as among the near ones alone, to the bit.
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { ClothBehavior, select } from "../../../src/index";
import type { Collider } from "../../../src/index";
import { disposeWorlds, FRAME, listen, makeSquare, makeWorld, told } from "./harness";

beforeEach(() => listen("warn"));
afterEach(() => {
    disposeWorlds();
    jest.restoreAllMocks();
});

const MANY = 40;

interface Stage {
    readonly scene: Scene;
    readonly square: Mesh;
    readonly cloth: ClothBehavior;
    readonly block: Mesh;
    readonly collider: Collider;
}

/** What happens at a frame to a sheet that hangs by a row, and to a block that rests 10 m away. */
type Act = (stage: Stage, frame: number) => void;

const ACTS: Record<string, Act> = {
    "the block comes at 20 m/s": ({ block }, f) => {
        if (f > 20 && f <= 60) block.position.z = Math.max(0.1, 10 - (f - 20) / 3);
    },
    "it is put there": ({ block }, f) => {
        if (f === 30) block.position.set(0, -0.2, 0.05);
    },
    "its parent brings it": ({ block, scene }, f) => {
        block.parent ??= MeshBuilder.CreateBox("parent", {}, scene);
        if (f > 20) (block.parent as Mesh).position.z = Math.max(-9.9, (20 - f) / 4);
    },
    "as much is kept from it": ({ collider }, f) => {
        if (f > 20 && f < 60) collider.margin = (f - 20) / 4;
    },
    "the sheet comes": ({ square }, f) => {
        if (f > 20) square.position.z = Math.min(9.9, (f - 20) / 4);
    },
    "the sheet is put there": ({ square, cloth }, f) => {
        if (f !== 30) return;
        square.position.z = 9.9;
        cloth.teleport();
    },
    "all let go and fall on it": ({ cloth, block }, f) => {
        if (f === 0) block.position.set(0, -12, 0);
        if (f === 20) cloth.unpin(cloth.pins[0]);
    },
    "it grows": ({ block }, f) => {
        if (f > 20) block.scaling.setAll(Math.min(42, 1 + (f - 20) / 2));
    },
};

function run(act: Act, many: number, milliseconds: number): Float32Array {
    const { scene, frame } = makeWorld();
    const square = makeSquare(scene, 8);
    square.rotation.x = -Math.PI / 2;
    const cloth = new ClothBehavior({ sleepSpeed: 0, pins: [{ select: select.edge("+z") }] });
    square.addBehavior(cloth);
    const block = MeshBuilder.CreateBox("block", { size: 0.5 }, scene);
    block.position.z = 10;
    const collider = cloth.addCollider(block);
    const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.3, segments: 8 }, scene);
    ball.position.set(0, -0.2, -0.1);
    cloth.addCollider(ball);
    for (let i = 0; i < many; i++) {
        const far = i % 2 ? MeshBuilder.CreateBox("far", {}, scene) : MeshBuilder.CreateSphere("far", { segments: 4 }, scene);
        far.position.set(20 + 2 * i, 0, 0);
        cloth.addCollider(far);
    }
    for (let f = 0; f < 120; f++) {
        act({ scene, square, cloth, block, collider }, f);
        frame(milliseconds);
    }
    const positions = new Float32Array(cloth.getParticlePositions());
    expect(told("warn")).toEqual([]);
    return positions;
}

describe("far colliders", () => {
    test.each(Object.keys(ACTS))("%s", (name) => {
        // Frames of whole steps, and of none.
        const milliseconds = name.length % 2 ? FRAME : 1000 / 144;
        const few = run(ACTS[name], 0, milliseconds);
        const still = run(() => {}, 0, milliseconds);
        const many = run(ACTS[name], MANY, milliseconds);
        expect(many).toEqual(few);
        expect(few).not.toEqual(still);
    });

    test("one that is disposed is dropped at once, one whose geometry changes is taken anew in its turn", () => {
        const { scene, frame } = makeWorld();
        const square = makeSquare(scene, 8);
        const cloth = new ClothBehavior({});
        square.addBehavior(cloth);
        const boxes = Array.from({ length: 200 }, (_, i) => {
            const box = MeshBuilder.CreateBox("box", { updatable: true }, scene);
            box.position.set(0, -20 - 2 * i, 0);
            return box;
        });
        const colliders = boxes.map((box) => cloth.addCollider(box));
        frame(FRAME, 5);
        boxes[100].dispose();
        frame();
        expect(cloth.colliders).toHaveLength(199);
        expect(told("warn")).toEqual([expect.stringContaining("was disposed")]);
        // The lid of a box becomes smaller.
        const corners = Float32Array.from(boxes[150].getVerticesData("position")!);
        for (let o = 0; o < corners.length; o += 3) if (corners[o + 1] > 0) corners[o] /= 2;
        boxes[150].updateVerticesData("position", corners);
        frame(FRAME, 12);
        expect(colliders[150].shape).toBe("hull");
    });
});

test("a sheet among many falls on the one below it", () => {
    const { scene, frame } = makeWorld();
    const square = makeSquare(scene, 8);
    const cloth = new ClothBehavior({ wind: null, gravity: new Vector3(0, -9.8, 0) });
    square.addBehavior(cloth);
    for (let i = 0; i < 100; i++) {
        const ground = MeshBuilder.CreateGround("ground", { width: 2, height: 2 }, scene);
        ground.position.set(3 * ((i % 10) - 5), -30, 3 * (Math.floor(i / 10) - 5));
        cloth.addCollider(ground);
    }
    frame(FRAME, 240);
    const heights = cloth.getParticlePositions().filter((_, k) => k % 3 === 1);
    expect(Math.min(...heights)).toBeGreaterThan(-30);
    expect(Math.max(...heights)).toBeLessThan(-29.9);
});

test.each([24, 27.5, 30])("a sheet that falls by metres in a frame meets a ball %d m below as if it were one of few", (depth) => {
    const { scene, frame } = makeWorld();
    const square = makeSquare(scene, 8);
    const cloth = new ClothBehavior({ wind: null, gravity: new Vector3(0, -9.8, 0), maxStepsPerFrame: 15 });
    square.addBehavior(cloth);
    for (let i = 0; i < 100; i++) {
        const ball = MeshBuilder.CreateSphere("ball", { diameter: 3, segments: 8 }, scene);
        ball.position.set(3 * ((i % 10) - 5), -depth, 3 * (Math.floor(i / 10) - 5));
        cloth.addCollider(ball);
    }
    frame(250, 14);
    const heights = cloth.getParticlePositions().filter((_, k) => k % 3 === 1);
    expect(Math.max(...heights)).toBeLessThan(1.6 - depth);
});
