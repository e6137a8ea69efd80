// A late frame: what it drops of time it drops of all motion. Nothing is flung.
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { ClothBehavior, RopeBehavior, select } from "babylon-cloth";
import type { BodyBehavior } from "babylon-cloth";
import { afterEach, expect, test } from "@jest/globals";
import { disposeWorlds, makeWorld } from "./harness";

afterEach(disposeWorlds);

interface Life {
    readonly body: Pick<BodyBehavior, "getParticlePositions" | "particleCount">;
    /** What carries it. */
    readonly carrier: TransformNode;
    /** Puts all in place. */
    move(time: number): void;
}

/** Largest speed of a particle relative to its carrier [m/s] from frame `at` on, which is late. */
function speedOf(make: (scene: Scene) => Life, late: number, at = 60): number {
    const { scene, frame } = makeWorld();
    const { body, carrier, move } = make(scene);
    let time = 0;
    let before: Float64Array | null = null;
    let fastest = 0;
    for (let f = 0; f < 150; f++) {
        const seconds = f === at && late > 0 ? late : 1 / 60;
        time += seconds;
        move(time);
        frame(1000 * seconds);
        const now = relativeTo(carrier, body.getParticlePositions());
        if (f > at + 1)
            for (let i = 0; i < now.length; i += 3) {
                const distance = Math.hypot(now[i] - before![i], now[i + 1] - before![i + 1], now[i + 2] - before![i + 2]);
                fastest = Math.max(fastest, 60 * distance);
            }
        before = now;
    }
    return fastest;
}

function relativeTo(node: TransformNode, points: Float32Array): Float64Array {
    const inverse = node.computeWorldMatrix(true).clone().invert();
    const point = new Vector3();
    const result = new Float64Array(points.length);
    for (let i = 0; i < points.length; i += 3) {
        Vector3.TransformCoordinatesFromFloatsToRef(points[i], points[i + 1], points[i + 2], inverse, point);
        result.set([point.x, point.y, point.z], i);
    }
    return result;
}

/** A cape that hangs from a node. */
function cape(scene: Scene, move: (node: TransformNode, time: number) => void, addBody = false): Life {
    const mesh = MeshBuilder.CreateGround("cape", { width: 0.6, height: 1, subdivisions: 12 }, scene);
    mesh.rotation.x = -Math.PI / 2;
    mesh.position.y = 1;
    const carrier = new TransformNode("carrier", scene);
    carrier.position.y = 1.5;
    const colliders = [];
    if (addBody) {
        const capsule = MeshBuilder.CreateCapsule("body", { radius: 0.15, height: 1.4 }, scene);
        capsule.parent = carrier;
        capsule.position.set(0, -0.6, 0.2);
        colliders.push(capsule);
    }
    const body = new ClothBehavior({ pins: [{ select: select.edge("+z"), target: carrier }], colliders });
    mesh.addBehavior(body);
    return { body, carrier, move: (time) => move(carrier, time) };
}

const SCENES: [string, (scene: Scene) => Life][] = [
    ["a cape that walks", (scene) => cape(scene, (node, time) => void (node.position.z = 1.5 * time))],
    ["a cape that walks on a body", (scene) => cape(scene, (node, time) => void (node.position.z = -1.5 * time), true)],
    [
        "a cape that turns",
        (scene) =>
            cape(scene, (node, time) => void (node.rotationQuaternion = Quaternion.RotationAxis(Vector3.Up(), 0.6 * time)), true),
    ],
    [
        "a rope that is carried",
        (scene) => {
            const mesh = MeshBuilder.CreateTube(
                "rope",
                { path: [new Vector3(0, 2, 0), new Vector3(0, 1, 0)], radius: 0.02 },
                scene,
            );
            const carrier = new TransformNode("carrier", scene);
            carrier.position.y = 2;
            const body = new RopeBehavior({ start: carrier });
            mesh.addBehavior(body);
            return { body, carrier, move: (time) => void (carrier.position.x = 1.5 * time) };
        },
    ],
    [
        "a curtain that a ball meets",
        (scene) => {
            const ball = MeshBuilder.CreateSphere("ball", { diameter: 0.4 }, scene);
            const life = cape(scene, () => undefined);
            (life.body as ClothBehavior).addCollider(ball);
            return { ...life, move: (time) => void ball.position.set(0, 1, 2.4 - 2 * time) };
        },
    ],
];

test.each(SCENES)("%s", (name, make) => {
    const speed = /walks|carried/.test(name) ? 1.5 : 0;
    const even = Math.max(speed, speedOf(make, 0));
    // What a ball whips up is as fast by chance.
    const most = name.includes("ball") ? 1.1 * even : 1.05 * even;
    for (const late of [0.1, 0.25, 0.5, 1, 2, 5]) expect(speedOf(make, late)).toBeLessThan(most);
});

test("a curtain that a ball meets, whenever the frame is late", () => {
    const [, make] = SCENES[SCENES.length - 1];
    const even = speedOf(make, 0);
    for (let at = 46; at < 76; at += 5)
        for (const late of [0.1, 0.15, 0.25, 0.4]) expect(speedOf(make, late, at)).toBeLessThan(1.1 * even);
});
