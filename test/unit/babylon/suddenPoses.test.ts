// Poses that come in one frame are jumps, at defaults: nothing is whipped. What keeps its speed for two frames is motion: bullets hit.
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { ClothBehavior, select } from "babylon-cloth";
import { afterEach, describe, expect, test } from "@jest/globals";
import { disposeWorlds, FRAME, makeWorld } from "./harness";

afterEach(disposeWorlds);

/** A cape that hangs from a node at a chest's distance, still in air. @param hasBody with a capsule for the wearer's body */
function hang(scene: Scene, hasBody: boolean) {
    const mesh = MeshBuilder.CreateGround("cape", { width: 0.5, height: 1, subdivisions: 12 }, scene);
    mesh.rotation.x = -Math.PI / 2;
    mesh.position.y = 1;
    const carrier = new TransformNode("carrier", scene);
    carrier.position.set(0, 1.3, 0.2);
    const colliders: Mesh[] = [];
    if (hasBody) {
        const body = MeshBuilder.CreateCapsule("body", { radius: 0.15, height: 1.3 }, scene);
        body.parent = carrier;
        body.position.set(0, -0.4, 0);
        colliders.push(body);
    }
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("+z"), target: carrier }], colliders });
    mesh.addBehavior(cloth);
    return { cloth, carrier };
}

/** After `act`: largest speed relative to the carrier [m/s], and height of any particle above where it hung [m]. */
function whip(
    milliseconds: number,
    act: (carrier: TransformNode) => void,
    { hasBody = false, seconds = 1.5 } = {},
): { speed: number; height: number } {
    const { scene, frame } = makeWorld();
    const { cloth, carrier } = hang(scene, hasBody);
    frame(milliseconds, Math.round((1000 * seconds) / milliseconds));
    act(carrier);
    frame(milliseconds);
    const inverse = (): ReturnType<typeof carrier.getWorldMatrix> => carrier.computeWorldMatrix(true).clone().invert();
    let before = cloth.getParticlePositions();
    const start = before.slice();
    let from = inverse();
    let [speed, height] = [0, 0];
    for (let f = 0; f < 120; f++) {
        frame(milliseconds);
        const now = cloth.getParticlePositions();
        const to = inverse();
        for (let i = 0; i < now.length; i += 3) {
            const a = Vector3.TransformCoordinates(new Vector3(before[i], before[i + 1], before[i + 2]), from);
            const b = Vector3.TransformCoordinates(new Vector3(now[i], now[i + 1], now[i + 2]), to);
            speed = Math.max(speed, (1000 * Vector3.Distance(a, b)) / milliseconds);
            height = Math.max(height, now[i + 1] - start[i + 1]);
        }
        [before, from] = [now, to];
    }
    return { speed, height };
}

describe.each([FRAME, 1000 / 144, 1000 / 30])("frames of %d ms", (milliseconds) => {
    test.each<[string, (carrier: TransformNode) => void]>([
        ["a dash of 0.7 m", (carrier) => void (carrier.position.x += 0.7)],
        ["a dash of 0.4 m", (carrier) => void (carrier.position.z += 0.4)],
        ["a chest that tilts by 0.8 rad", (carrier) => void (carrier.rotation.x = 0.8)],
        ["a turn by 2 rad", (carrier) => void (carrier.rotation.y = 2)],
    ])("%s in one frame whips nothing", (_, act) => {
        const { speed, height } = whip(milliseconds, act);
        expect(speed).toBeLessThan(3);
        expect(height).toBeLessThan(0.5);
    });
});

test.each([1000 / 30, 39, 1000 / 59.94, 1000 / 72].flatMap((milliseconds) => [1, 0].map((air) => [milliseconds, air])))(
    "a dash of what a cape rides on is not felt, nor its end, in frames of %d ms, with a share of %d of the air",
    (milliseconds, air) => {
        const { scene, frame } = makeWorld();
        const { cloth, carrier } = hang(scene, false);
        cloth.inertia = { anchor: carrier, air };
        frame(milliseconds, 30);
        // At 42 m/s: beyond 50 m/s it is a jump.
        carrier.position.z += 0.7 * Math.max(1, milliseconds / FRAME);
        frame(milliseconds);
        let before = cloth.getParticlePositions();
        let speed = 0;
        for (let f = 0; f < 10; f++) {
            frame(milliseconds);
            const now = cloth.getParticlePositions();
            for (let q = 0; q < now.length; q++) speed = Math.max(speed, (1000 * Math.abs(now[q] - before[q])) / milliseconds);
            before = now;
        }
        expect(speed).toBeLessThan(3);
    },
);

test.each([30, 31, 32, 33])("nor where its frame, the %dth of 11.3 ms, ends between steps", (frames) => {
    const { scene, frame } = makeWorld();
    const { cloth, carrier } = hang(scene, false);
    cloth.inertia = { anchor: carrier };
    frame(11.3, frames);
    carrier.position.z += 0.55;
    frame(11.3, 3);
    let before = cloth.getParticlePositions();
    let speed = 0;
    for (let f = 0; f < 10; f++) {
        frame(11.3);
        const now = cloth.getParticlePositions();
        for (let q = 0; q < now.length; q++) speed = Math.max(speed, Math.abs(now[q] - before[q]) / 0.0113);
        before = now;
    }
    expect(speed).toBeLessThan(3);
});

test("a dash as the last one, a second later, is as sudden", () => {
    const { scene, frame } = makeWorld();
    const mesh = MeshBuilder.CreateGround("cape", { width: 0.5, height: 1, subdivisions: 8 }, scene);
    mesh.rotation.x = -Math.PI / 2;
    const cloth = new ClothBehavior({ pins: [{ select: select.edge("+z") }] });
    mesh.addBehavior(cloth);
    let fastest = 0;
    for (let dash = 0; dash < 2; dash++) {
        frame(FRAME, 60);
        mesh.position.x += 0.6;
        frame(FRAME);
        let before = cloth.getParticlePositions();
        for (let f = 0; f < 10; f++) {
            frame(FRAME);
            const now = cloth.getParticlePositions();
            for (let q = 0; q < now.length; q++) fastest = Math.max(fastest, (1000 * Math.abs(now[q] - before[q])) / FRAME);
            before = now;
        }
    }
    expect(fastest).toBeLessThan(3);
});

test.each([1000 / 30, FRAME, 1000 / 144])(
    "an anchor that is placed before the first frame of %d ms whips nothing",
    (milliseconds) => {
        const { scene, frame } = makeWorld();
        const { cloth, carrier } = hang(scene, true);
        cloth.inertia = { anchor: carrier };
        carrier.position.z -= 0.7;
        frame(milliseconds);
        let before = cloth.getParticlePositions();
        let speed = 0;
        for (let f = 0; f < 30; f++) {
            frame(milliseconds);
            const now = cloth.getParticlePositions();
            for (let q = 0; q < now.length; q++) speed = Math.max(speed, (1000 * Math.abs(now[q] - before[q])) / milliseconds);
            before = now;
        }
        expect(speed).toBeLessThan(3);
    },
);

describe.each([0, 1.5])("a wearer of %d s lies down in one frame", (seconds) => {
    test.each([1.2, -1.2])("by %d rad: the cape is not caught in the body", (angle) => {
        const act = (carrier: TransformNode): void => void (carrier.rotation.x = angle);
        expect(whip(1000 / 72, act, { hasBody: true, seconds }).speed).toBeLessThan(5);
    });
});

const BULLETS: Record<string, (scene: Scene) => Mesh> = {
    ball: (scene) => MeshBuilder.CreateSphere("ball", { diameter: 0.3 }, scene),
    box: (scene) => MeshBuilder.CreateBox("box", { size: 0.3 }, scene),
    capsule: (scene) => MeshBuilder.CreateCapsule("capsule", { radius: 0.12, height: 0.5 }, scene),
};

/** Distances from their surfaces, about their centres. */
const DISTANCES: Record<string, (x: number, y: number, z: number) => number> = {
    ball: (x, y, z) => Math.hypot(x, y, z) - 0.15,
    box: (x, y, z) => Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) - 0.15,
    capsule: (x, y, z) => Math.hypot(x, Math.max(0, Math.abs(y) - 0.13), z) - 0.12,
};

describe.each(Object.keys(BULLETS))("a %s that is shot", (shape) => {
    test.each([20, 50, 60, 100, 200, 300])("at %d m/s takes the curtain along", (speed) => {
        const { scene, frame } = makeWorld();
        const mesh = MeshBuilder.CreateGround("curtain", { width: 2, height: 2, subdivisions: 24 }, scene);
        mesh.rotation.x = -Math.PI / 2;
        const bullet = BULLETS[shape](scene);
        bullet.position.set(0, 0, -100);
        const cloth = new ClothBehavior({ pins: [{ select: select.edge("+z") }], colliders: [bullet] });
        mesh.addBehavior(cloth);
        frame(FRAME, 60);
        // The third frame of its flight ends 5 cm before the curtain's plane or later.
        const step = speed / 60;
        bullet.position.z = -4.3 * step - 0.5;
        frame();
        let [most, depth] = [0, 0];
        for (let f = 0; f < 6; f++) {
            bullet.position.z += step;
            frame();
            const x = cloth.getParticlePositions();
            for (let i = 2; i < x.length; i += 3) most = Math.max(most, Math.abs(x[i]));
            // From the third frame on.
            for (let i = 0; f > 0 && i < x.length; i += 3)
                depth = Math.max(depth, -DISTANCES[shape](x[i], x[i + 1], x[i + 2] - bullet.position.z));
        }
        expect(depth).toBeLessThan(1e-3);
        expect(most).toBeGreaterThan(0.2);
    });
});
