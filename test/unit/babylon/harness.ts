import { FreeCamera } from "@babylonjs/core/Cameras/freeCamera";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Logger } from "@babylonjs/core/Misc/logger";
import { Scene } from "@babylonjs/core/scene";
import { jest } from "@jest/globals";

Logger.LogLevels = Logger.ErrorLogLevel;

/** A scene without a screen, whose frames take the time that the test says. */
export interface World {
    readonly engine: NullEngine;
    readonly scene: Scene;
    readonly camera: FreeCamera;
    /** Renders `count` frames, each `milliseconds` after the last. */
    frame(milliseconds?: number, count?: number): void;
}

export interface WorldOptions {
    rightHanded?: boolean;
    /** Most steps in a frame; makes the engine run in deterministic lockstep. */
    lockstepMaxSteps?: number;
}

/** One frame at 60 Hz [ms]. */
export const FRAME = 1000 / 60;

const worlds: World[] = [];

export function makeWorld({ rightHanded = false, lockstepMaxSteps }: WorldOptions = {}): World {
    const engine = new NullEngine({
        renderWidth: 512,
        renderHeight: 256,
        textureSize: 512,
        deterministicLockstep: lockstepMaxSteps !== undefined,
        lockstepMaxSteps: lockstepMaxSteps ?? 4,
    });
    const scene = new Scene(engine);
    scene.useRightHandedSystem = rightHanded;
    const camera = new FreeCamera("camera", new Vector3(0, 0, rightHanded ? 10 : -10), scene);
    camera.setTarget(Vector3.Zero());
    let delta = 0;
    engine.getDeltaTime = () => delta;
    const frame = (milliseconds = FRAME, count = 1): void => {
        delta = milliseconds;
        for (let i = 0; i < count; i++) scene.render();
    };
    const world = { engine, scene, camera, frame };
    worlds.push(world);
    return world;
}

/** Disposes every world that the test has made; for afterEach. */
export function disposeWorlds(): void {
    for (const { engine } of worlds.splice(0)) if (!engine.isDisposed) engine.dispose();
}

/** A flat square of cloth, 1 m wide, across x and z. */
export function makeSquare(scene: Scene, subdivisions = 6, name = "square"): Mesh {
    return MeshBuilder.CreateGround(name, { width: 1, height: 1, subdivisions }, scene);
}

/** The vertices as Babylon holds them, in world space, shape [vertexCount, 3]. */
export function worldVertices(mesh: AbstractMesh): Float64Array {
    return toWorld(mesh, mesh.getVerticesData("position")!);
}

/** Mesh-local points in world space. */
export function toWorld(node: TransformNode, points: ArrayLike<number>): Float64Array {
    const m = node.computeWorldMatrix(true).m;
    const world = new Float64Array(points.length);
    for (let i = 0; i < points.length; i += 3) {
        for (let c = 0; c < 3; c++) {
            world[i + c] = points[i] * m[c] + points[i + 1] * m[4 + c] + points[i + 2] * m[8 + c] + m[12 + c];
        }
    }
    return world;
}

/** The rows of `points` that `indices` names. */
export function rows(points: ArrayLike<number>, indices: ArrayLike<number>): number[] {
    return Array.from(indices).flatMap((i) => [points[3 * i], points[3 * i + 1], points[3 * i + 2]]);
}

/** Largest difference between two arrays; Infinity where the lengths differ or something is NaN. */
export function difference(a: ArrayLike<number>, b: ArrayLike<number>): number {
    let largest = a.length === b.length ? 0 : Infinity;
    for (let i = 0; i < a.length; i++) {
        const d = Math.abs(a[i] - b[i]);
        if (!(d <= largest)) largest = Number.isNaN(d) ? Infinity : d;
    }
    return largest;
}

/** A coordinate of every point: 0 = x, 1 = y, 2 = z. */
export function column(points: ArrayLike<number>, axis: number): number[] {
    return Array.from({ length: points.length / 3 }, (_, i) => points[3 * i + axis]);
}

/** What `run` throws, as text; fails when it throws nothing. */
export function messageOf(run: () => unknown): string {
    try {
        run();
    } catch (error) {
        return (error as Error).message;
    }
    throw new Error("nothing was thrown");
}

const METHODS = { warn: "Warn", error: "Error" } as const;

/** Everything that has been told to Babylon's logger, one line a call. */
export function told(method: "warn" | "error"): string[] {
    return jest.mocked(Logger[METHODS[method]]).mock.calls.map(([message]) => String([message].flat()[0]));
}

/** Warnings but for those about how a cloth begins, which are tested in advice.test.ts: small meshes do for the tests of other things. */
export function toldBesidesAdvice(): string[] {
    return told("warn").filter((line) => !/cannot fold|falls, with no pin|hang on nothing/.test(line));
}

/** Silences a method of Babylon's logger and lets {@link told} read it; for beforeEach, with jest.restoreAllMocks in afterEach. */
export function listen(method: "warn" | "error"): void {
    jest.spyOn(Logger, METHODS[method]).mockImplementation(() => {});
}
