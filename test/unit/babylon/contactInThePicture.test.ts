// What is drawn may not be inside a collider as it is drawn in the same frame, whatever the frame times.
import { Plane } from "@babylonjs/core/Maths/math.plane";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Scene } from "@babylonjs/core/scene";
import { afterEach, describe, expect, test } from "@jest/globals";
import { ClothBehavior, select } from "../../../src/index";
import type { ClothOptions, ColliderSource } from "../../../src/index";
import { identity, invert } from "../../../src/engine/index";
import { disposeWorlds, makeWorld, worldVertices } from "./harness";

afterEach(disposeWorlds);

/** Deepest that a drawn vertex may be [m]. */
const ALLOWED = 1e-3;

/** Frame times [s] that never are the fixed step. */
const RATES: Record<string, (frame: number) => number> = {
    "30 Hz": () => 1 / 30,
    "59.94 Hz": () => 1 / 59.94,
    "90 Hz": () => 1 / 90,
    "144 Hz": () => 1 / 144,
    "16.1 to 17.1 ms": (frame) => 0.0161 + 0.001 * ((frame * 0.618034) % 1),
    "2 to 35 ms": (frame) => 0.002 + 0.033 * ((frame * 0.618034) % 1),
};

interface Case {
    /** Places the mesh that is to be cloth. */
    cloth(scene: Scene): Mesh;
    options?: ClothOptions;
    collider(scene: Scene): ColliderSource;
    /** Puts the collider, and the cloth's mesh, where they are at a time [s]. */
    move(collider: never, time: number, mesh: Mesh): void;
    /** With toUnit from the collider's present matrix: signed distance of a point of the world to the surface of the collider as drawn now [m], < 0 inside. */
    height(collider: never, x: number, y: number, z: number): number;
    seconds: number;
}

/** World space to the frame of the mesh that is the collider. */
const toUnit = identity();

/** First-order distance to the unit sphere under the mesh's present matrix; exact for a sphere, and at zero. */
function heightOverBall(ball: Mesh, x: number, y: number, z: number): number {
    const u = toUnit;
    const qx = x * u[0] + y * u[4] + z * u[8] + u[12];
    const qy = x * u[1] + y * u[5] + z * u[9] + u[13];
    const qz = x * u[2] + y * u[6] + z * u[10] + u[14];
    const length = Math.sqrt(qx * qx + qy * qy + qz * qz);
    const gx = qx * u[0] + qy * u[1] + qz * u[2];
    const gy = qx * u[4] + qy * u[5] + qz * u[6];
    const gz = qx * u[8] + qy * u[9] + qz * u[10];
    return ((length - 1) * length) / Math.sqrt(gx * gx + gy * gy + gz * gz);
}

/** Height over a board, a mesh across local x and z, where the point is over it; Infinity beside it. */
function heightOverBoard(board: Mesh, x: number, y: number, z: number): number {
    const m = board.getWorldMatrix().m;
    const u = toUnit;
    const a = x * u[0] + y * u[4] + z * u[8] + u[12];
    const c = x * u[2] + y * u[6] + z * u[10] + u[14];
    if (Math.abs(a) > 1 || Math.abs(c) > 1) return Infinity;
    const length = Math.hypot(m[4], m[5], m[6]);
    return ((x - m[12]) * m[4] + (y - m[13]) * m[5] + (z - m[14]) * m[6]) / length;
}

const makeBall =
    (radius: number) =>
    (scene: Scene): Mesh => {
        const ball = MeshBuilder.CreateSphere("ball", { diameter: 2, segments: 8 }, scene);
        ball.scaling.setAll(radius);
        return ball;
    };

const makeCurtain = (scene: Scene): Mesh => {
    const mesh = MeshBuilder.CreateGround("curtain", { width: 2, height: 2, subdivisions: 20 }, scene);
    mesh.rotation.x = -Math.PI / 2;
    mesh.position.y = -1;
    return mesh;
};

const makeSheet = (scene: Scene): Mesh => {
    const mesh = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 16 }, scene);
    mesh.position.y = 0.02;
    return mesh;
};

const makeTray = (scene: Scene): Mesh => {
    const tray = MeshBuilder.CreateGround("tray", { width: 2, height: 2 }, scene);
    tray.scaling.setAll(1.5);
    return tray;
};

const heightOverPlane = (plane: Plane, x: number, y: number, z: number): number =>
    plane.normal.x * x + plane.normal.y * y + plane.normal.z * z + plane.d;

const hung: ClothOptions = { pins: [{ select: select.edge("+z") }] };

/** There and back between two points, at a mean speed; as a sine. */
const swing = (time: number, way: number, speed: number): number => way * Math.sin((speed / way) * time);

const CASES: Record<string, Case> = {
    "a ball at 1 m/s": {
        cloth: makeCurtain,
        options: hung,
        collider: makeBall(0.3),
        seconds: 0.9,
        move: (ball: Mesh, t) => ball.position.set(0.1, -1, 0.8 - t),
        height: heightOverBall,
    },
    "a ball at 10 m/s": {
        cloth: makeCurtain,
        options: hung,
        collider: makeBall(0.3),
        seconds: 0.4,
        move: (ball: Mesh, t) => ball.position.set(0.1, -1, 1 - 10 * t),
        height: heightOverBall,
    },
    "a small ball at 5 m/s": {
        cloth: makeCurtain,
        options: hung,
        collider: makeBall(0.12),
        seconds: 0.5,
        move: (ball: Mesh, t) => ball.position.set(0.1, -1, 1 - 5 * t),
        height: heightOverBall,
    },
    "a ball that swings at up to 6 m/s": {
        cloth: makeCurtain,
        options: hung,
        collider: makeBall(0.3),
        seconds: 0.6,
        move: (ball: Mesh, t) => ball.position.set(0, -1, 0.45 - swing(t, 0.5, 6)),
        height: heightOverBall,
    },
    "an ellipsoid that moves and turns": {
        cloth: makeCurtain,
        options: hung,
        collider: (scene) => {
            const ball = makeBall(1)(scene);
            ball.scaling.set(0.5, 0.25, 0.25);
            return ball;
        },
        seconds: 0.6,
        move: (ball: Mesh, t) => {
            ball.position.set(0, -1, 0.8 - 2 * t);
            ball.rotation.y = 5 * t;
            ball.rotation.z = 2 * t;
        },
        height: heightOverBall,
    },
    "a ball that stands where the curtain is drawn over it at up to 4 m/s": {
        cloth: makeCurtain,
        options: hung,
        collider: makeBall(0.3),
        seconds: 0.8,
        move: (ball: Mesh, t, curtain) => {
            ball.position.set(0.1, -1, -0.5);
            curtain.position.z = -swing(t, 0.5, 4);
        },
        height: heightOverBall,
    },
    "a plane that rises at 10 m/s": {
        cloth: makeSheet,
        collider: () => new Plane(0, 1, 0, 0),
        seconds: 0.4,
        move: (plane: Plane, t) => void (plane.d = -10 * t),
        height: heightOverPlane,
    },
    "a plane that tilts and swings at up to 2 m/s": {
        cloth: makeSheet,
        collider: () => new Plane(0, 1, 0, 0),
        seconds: 0.8,
        move: (plane: Plane, t) => {
            plane.normal.set(Math.sin(swing(t, 0.3, 2)), Math.cos(swing(t, 0.3, 2)), 0);
            plane.d = -swing(t, 0.5, 2);
        },
        height: heightOverPlane,
    },
    "a tray that rises at 10 m/s": {
        cloth: makeSheet,
        collider: makeTray,
        seconds: 0.4,
        move: (tray: Mesh, t) => void (tray.position.y = 10 * t),
        height: heightOverBoard,
    },
    "a tray that rocks": {
        cloth: makeSheet,
        collider: makeTray,
        seconds: 0.8,
        move: (tray: Mesh, t) => {
            tray.position.y = swing(t, 0.2, 1);
            tray.rotation.z = swing(t, 0.15, 1);
        },
        height: heightOverBoard,
    },
};

/** The deepest drawn vertex of a whole run [m]. */
function deepest(
    { cloth: make, options, collider: makeCollider, move, height, seconds }: Case,
    rate: (frame: number) => number,
): number {
    const { scene, frame } = makeWorld();
    scene.gravity = new Vector3(0, -9.81, 0);
    const collider = makeCollider(scene);
    const mesh = make(scene);
    move(collider as never, 0, mesh);
    const cloth = new ClothBehavior({ colliders: [collider], ...options });
    mesh.addBehavior(cloth);
    const pinned = new Set(options?.pins ? vertical(mesh) : []);
    let time = 0;
    let least = Infinity;
    // The place in which a collider is first seen is where it begins.
    frame(21, 3);
    for (let i = 0; time < seconds; i++) {
        const dt = rate(i);
        time += dt;
        move(collider as never, time, mesh);
        frame(dt * 1000);
        const x = worldVertices(mesh);
        if ("computeWorldMatrix" in collider) invert(collider.computeWorldMatrix(true).m, toUnit);
        for (let v = 0; v < x.length / 3; v++) {
            if (!pinned.has(v)) least = Math.min(least, height(collider as never, x[3 * v], x[3 * v + 1], x[3 * v + 2]));
        }
    }
    expect(least).toBeLessThan(0.1);
    return -least;
}

/** Vertices of the curtain's rod. */
function vertical(mesh: Mesh): number[] {
    const x = worldVertices(mesh);
    return Array.from({ length: x.length / 3 }, (_, v) => v).filter((v) => x[3 * v + 1] > -1e-6);
}

describe("contact holds in the picture", () => {
    const rates = Object.keys(RATES).slice(0);
    describe.each(Object.keys(CASES))("%s", (name) => {
        test.each(rates)("%s", (rate) => {
            expect(deepest(CASES[name], RATES[rate])).toBeLessThan(ALLOWED);
        });
    });
});
