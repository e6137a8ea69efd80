import type { Bone } from "@babylonjs/core/Bones/bone";
import { Plane } from "@babylonjs/core/Maths/math.plane";
import { Matrix, Quaternion } from "@babylonjs/core/Maths/math.vector";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { reject } from "../../engine/index";
import { makeNode } from "../builders/babylonObjects";
import { runtimeOf } from "../behaviors/bodyRuntime";
import type { BodyRuntime } from "../behaviors/bodyRuntime";
import { SceneLoop, sceneLoopOf } from "../scene/sceneLoop";
import type { ColliderOptions } from "../colliders/colliderOptions";
import { worldMatrixOf } from "../support/carriers";
import { readHold, readOption } from "./clothData";
import type { SerializableBehavior } from "./clothData";
import { decodeNumbers } from "./format/fileFormat";
import { hashOf, isBone, keyNodes } from "./recordedNodes";
import type { RecordedFrame, RecordedInput, InputRecordingData } from "./recording";
import type { Wind } from "../wind/wind";
import { attachedCloths, readCloths } from "./sceneFiles";

const OWNER = "ClothRecorder: replay";

/** A recording that is played. */
export interface InputReplay {
    /** The bodies, in the order in which they were recorded. */
    readonly bodies: readonly SerializableBehavior[];
    /** Number of frames played. */
    readonly frame: number;
    /** First frame (from 1) after which the positions are not, to the bit, those that were recorded; null: none so far. */
    readonly firstDifference: number | null;
    /** Plays the next frame; await it before the next call. @returns false at the end */
    step(): Promise<boolean>;
}

/** See {@link ClothRecorder.replay}. */
export async function startReplay(data: InputRecordingData, scene: Scene): Promise<InputReplay> {
    sceneLoopOf(OWNER, scene);
    if (data?.format !== "babylon-cloth-recording") reject(OWNER, "format", '"babylon-cloth-recording"', data?.format);
    if (data.version !== 1) reject(OWNER, "version", "1", data.version);
    const nodes = keyNodes(scene);
    for (const key of data.nodes) {
        if (nodes.has(key)) continue;
        // A node that files leave out, such as a hand: any node can carry.
        const node = makeNode(key.replace(/#\d+$/, ""), scene.meshes[0], 0, 0, 0);
        node.parent = null;
        nodes.set(key, node);
    }
    const player = new Player(data, scene, nodes);
    player.applyPoses(data.inputs[0]?.poses ?? []);
    readCloths(scene);
    const cloths = attachedCloths(scene);
    for (const index of data.bodies) {
        const key = data.nodes[index];
        const found = cloths.find(({ mesh }) => mesh === nodes.get(key));
        player.bodies.push(found?.cloth ?? reject(OWNER, "scene", `the recorded scene, in which "${key}" is cloth`, scene));
    }
    await Promise.all(player.bodies.map((cloth) => cloth.whenReady()));
    return player;
}

class Player implements InputReplay {
    readonly bodies: SerializableBehavior[] = [];
    frame = 0;
    firstDifference: number | null = null;
    private _next = 0;
    private readonly _loop: SceneLoop;

    constructor(
        private readonly _data: InputRecordingData,
        private readonly _scene: Scene,
        private readonly _nodes: ReadonlyMap<string, TransformNode | Bone>,
    ) {
        this._loop = SceneLoop.of(_scene);
        // Nothing moves with the scene's own frames.
        this._loop.timeScale = 0;
    }

    async step(): Promise<boolean> {
        for (;;) {
            const input = this._data.inputs[this._next++] as RecordedInput | undefined;
            if (!input) return false;
            const { poses, option, gravity, call, frame } = input;
            if (poses) this.applyPoses(poses);
            if (option) this._setOption(...option);
            if (gravity) this._scene.gravity.set(gravity[0], gravity[1], gravity[2]);
            if (call) this._call(...call);
            if (!frame) continue;
            // Paused bodies were still loading, or unseen.
            await Promise.all(this.bodies.filter((_, i) => !frame.paused.includes(i)).map((body) => body.whenReady()));
            this._playFrame(frame);
            return true;
        }
    }

    applyPoses(poses: NonNullable<RecordedInput["poses"]>): void {
        const nodes = poses.map(([index]) => this._nodes.get(this._data.nodes[index])!);
        poses.forEach(([, pose], i) => applyLocalPose(nodes[i], pose));
        // Parents, pivots and frozen matrices are not recorded: what they amount to is.
        poses.forEach(([, pose], i) => applyWorldPose(nodes[i], pose));
    }

    private _playFrame({ seconds, paused, hash }: RecordedFrame): void {
        const held = paused.map((index) => this.bodies[index]).filter(({ enabled }) => enabled);
        for (const body of held) body.enabled = false;
        this._loop.step(seconds);
        for (const body of held) body.enabled = true;
        this.frame++;
        if (hash !== null && hash !== hashOf(this.bodies.map(runtimeIn))) this.firstDifference ??= this.frame;
    }

    private _setOption(body: number, name: string, value: unknown): void {
        const cloth = this.bodies[body];
        if (name === "wind.*") changeWind(cloth.wind!, readOption("wind", value, this._scene) as Wind);
        else Object.assign(cloth, { [name]: readOption(name, value, this._scene) });
    }

    private _call(body: number, name: string, ...values: unknown[]): void {
        const cloth = this.bodies[body];
        const runtime = runtimeIn(cloth);
        if (name === "pin") {
            const [vertices, target, hold] = values as [number[], number | null, unknown];
            cloth.pin(
                vertices,
                target === null ? null : this._nodeAt(target),
                hold === null ? null : readHold(OWNER, "hold", hold),
            );
        } else if (name === "addCollider") {
            const [place, options] = values as [number | number[], object];
            const source = Array.isArray(place) ? Plane.FromArray(place) : (this._nodeAt(place) as TransformNode);
            cloth.addCollider(source, decodeNumbers(options) as ColliderOptions);
        } else if (name === "unpin") cloth.unpin(runtime.pinList.userPins[values[0] as number]);
        else if (name === "removeCollider") cloth.removeCollider(runtime.colliders[values[0] as number]);
        else (cloth as unknown as Record<string, (...args: unknown[]) => void>)[name](...values.map(decodeNumbers));
    }

    private _nodeAt(index: number): TransformNode | Bone {
        return this._nodes.get(this._data.nodes[index])!;
    }
}

function runtimeIn(cloth: SerializableBehavior): BodyRuntime {
    return runtimeOf(cloth)!;
}

/** Gives a wind the numbers of another: gusts go on. */
function changeWind(wind: Wind, { velocity, turbulence, gustLength, airDensity, drag, skinFriction, seed, zone }: Wind): void {
    Object.assign(wind, { velocity, turbulence, gustLength, airDensity, drag, skinFriction, seed, zone });
}

/** Gives a bone its recorded pose, and a node what is local of it. */
function applyLocalPose(node: TransformNode | Bone, pose: readonly number[]): void {
    if (isBone(node)) {
        node.updateMatrix(Matrix.FromArray(pose), false, true);
        return;
    }
    if (node.isWorldMatrixFrozen) node.unfreezeWorldMatrix();
    const [px, py, pz, sx, sy, sz, x, y, z, w] = pose.slice(17);
    node.setEnabled(pose[0] === 1);
    node.position.set(px, py, pz);
    node.scaling.set(sx, sy, sz);
    if (w === undefined) {
        node.rotationQuaternion = null;
        node.rotation.set(x, y, z);
    } else node.rotationQuaternion = new Quaternion(x, y, z, w);
}

/** Holds a node at its recorded world matrix, where what is local does not bring it there. */
function applyWorldPose(node: TransformNode | Bone, pose: readonly number[]): void {
    if (isBone(node)) return;
    const world = worldMatrixOf(node);
    for (let i = 0; i < 16; i++) {
        if (world[i] === pose[1 + i]) continue;
        node.freezeWorldMatrix(Matrix.FromArray(pose, 1));
        return;
    }
}
