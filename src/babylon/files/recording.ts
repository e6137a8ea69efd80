import type { Bone } from "@babylonjs/core/Bones/bone";
import type { Node } from "@babylonjs/core/node";
import type { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { newScheduleEntry, reject } from "../../engine/index";
import { runtimeOf } from "../behaviors/bodyRuntime";
import type { BodyRuntime } from "../behaviors/bodyRuntime";
import { SceneLoop, sceneLoopOf } from "../scene/sceneLoop";
import type { FrameListener, StartedFrame } from "../scene/sceneLoop";
import { writeCollider, writeOptions, writePin } from "./clothData";
import type { SerializableBehavior } from "./clothData";
import { attachedCloths, writeCloths } from "./sceneFiles";

/** One thing that came into the engine; fields are left out where nothing of the kind came. Bodies are given by their index in {@link InputRecordingData.bodies}. */
export interface RecordedInput {
    /** New poses: index in {@link InputRecordingData.nodes}, and {@link poseOf}. Applied before the rest of this input. */
    readonly poses?: readonly (readonly [node: number, pose: readonly number[]])[];
    /** A property that was set: body, name, value as in a file; "wind.*": its wind, changed in place. */
    readonly option?: readonly [body: number, name: string, value: unknown];
    /** A method that was called: body, name, arguments as data. */
    readonly call?: readonly [body: number, name: string, ...values: unknown[]];
    /** A frame that passed. */
    readonly frame?: RecordedFrame;
}

/** A frame of all bodies. */
export interface RecordedFrame {
    /** Time that passed [s]. */
    readonly seconds: number;
    /** Gravity of the scene [m/s²]. */
    readonly gravity: readonly number[];
    /** Bodies that passed the frame over, unseen or still loading. */
    readonly paused: readonly number[];
    /** {@link hashOf} all bodies after the frame; null: not known. */
    hash: number | null;
}

/** A recording of a scene's cloths: plain data, for JSON. */
export interface InputRecordingData {
    readonly format: "babylon-cloth-recording";
    readonly version: 1;
    /** The scene as it was at the start, in the format that `write` wrote. */
    readonly scene: unknown;
    /** Keys of nodes and bones: name and number among those of the same name. */
    readonly nodes: readonly string[];
    /** Nodes that carry the bodies. */
    readonly bodies: readonly number[];
    /** All that came in, in order. */
    readonly inputs: readonly RecordedInput[];
    /** What ended the recording before {@link InputRecording.stop}: something that no recording holds. */
    readonly endedBy: string | null;
}

/** A recording that runs. */
export interface InputRecording {
    /** Number of frames so far. */
    readonly frameCount: number;
    /** Ends the recording. Idempotent. */
    stop(): InputRecordingData;
}

type PosedNode = TransformNode | Bone;

/** Methods that are recorded with their arguments, which are numbers or vectors. */
const CALLS = ["applyImpulse", "step", "reset", "teleport"] as const;
/** Methods after which the lists of pins and colliders are read anew. */
const LIST_CALLS = ["pin", "unpin", "addCollider", "removeCollider"] as const;

/** See {@link ClothFiles.record}. */
export function startRecording(scene: Scene, write: () => unknown): InputRecording {
    sceneLoopOf("ClothFiles: record", scene);
    if (typeof write !== "function") reject("ClothFiles: record", "write", "a function", write);
    return new Recorder(scene, write);
}

/** True of a bone, whichever Babylon made it. */
export function isBone(node: Node): node is Bone {
    return node.getClassName() === "Bone";
}

/** Nodes and bones of a scene by key. Those that files leave out come last, so that the others have the same keys in a copy. */
export function keyNodes(scene: Scene, byKey = new Map<string, PosedNode>()): Map<string, PosedNode> {
    const nodes: PosedNode[] = [...scene.transformNodes, ...scene.meshes, ...scene.skeletons.flatMap(({ bones }) => bones)];
    const known = new Set(byKey.values());
    for (const isLeftOut of [false, true])
        for (const node of nodes) {
            if (known.has(node) || Boolean(node.doNotSerialize) !== isLeftOut) continue;
            let key = node.name;
            for (let i = 1; byKey.has(key); i++) key = `${node.name}#${i}`;
            byKey.set(key, node);
        }
    return byKey;
}

/** Pose as numbers: of a bone its local matrix; of a node 1 if enabled, position, scaling, and quaternion or Euler angles. */
function poseOf(node: PosedNode, target: number[]): number[] {
    if (isBone(node)) {
        target.length = 16;
        const { m } = node.getLocalMatrix();
        for (let i = 0; i < 16; i++) target[i] = m[i];
        return target;
    }
    target.length = 0;
    target.push(node.isEnabled(false) ? 1 : 0);
    for (const vector of [node.position, node.scaling]) target.push(vector.x, vector.y, vector.z);
    const turn: Quaternion | Vector3 = node.rotationQuaternion ?? node.rotation;
    target.push(turn.x, turn.y, turn.z);
    if ("w" in turn) target.push(turn.w);
    return target;
}

/** Hash of the positions of bodies, to the bit (FNV-1a, 32 bits). */
export function hashOf(runtimes: readonly BodyRuntime[]): number {
    let hash = 0x811c9dc5;
    for (const { instance } of runtimes) {
        const { positions } = instance!.cloth.state;
        const words = new Uint32Array(positions.buffer, positions.byteOffset, positions.length);
        for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ words[i], 0x01000193);
    }
    return hash >>> 0;
}

/** Records what comes in where the engine begins a frame: as the first of the scene's listeners. */
class Recorder implements InputRecording, FrameListener {
    readonly turn = newScheduleEntry();
    readonly runsFirst = false;
    frameCount = 0;
    private readonly _inputs: RecordedInput[] = [];
    private readonly _data: InputRecordingData;
    private readonly _loop: SceneLoop;
    private readonly _nodes: Map<string, PosedNode>;
    private readonly _keys: string[] = [];
    /** Last recorded pose of each key. */
    private readonly _poses = new Map<string, number[]>();
    private readonly _bodies: RecordedBody[];
    /** The frame that has begun. */
    private _frame: RecordedFrame | null = null;
    private _endedBy: string | null = null;
    private _isStopped = false;

    constructor(
        private readonly _scene: Scene,
        write: () => unknown,
    ) {
        this._loop = SceneLoop.of(_scene);
        // Before the cloths, which are taken off and put on again by writing.
        this._loop.add(this);
        let written: unknown;
        try {
            written = writeCloths(_scene, write, { state: true });
            if (written instanceof Promise) reject("ClothFiles: record", "write", "a function that returns no promise", written);
        } catch (error) {
            this._loop.remove(this);
            throw error;
        }
        this._nodes = keyNodes(_scene);
        const cloths = attachedCloths(_scene);
        this._bodies = cloths.map(({ cloth }, i) => new RecordedBody(cloth, i, this));
        const keyOf = new Map(Array.from(this._nodes, ([key, node]) => [node, key]));
        this._data = {
            format: "babylon-cloth-recording",
            version: 1,
            scene: written,
            nodes: this._keys,
            bodies: cloths.map(({ mesh }) => this._indexOf(keyOf.get(mesh)!)),
            inputs: this._inputs,
            endedBy: null,
        };
        this.recordPoses();
    }

    beginFrame(): StartedFrame | null {
        this._endFrame();
        const { gravity } = this._scene;
        this._attempt(() => {
            const cloths = attachedCloths(this._scene);
            const isSame = cloths.length === this._bodies.length && cloths.every(({ cloth }, i) => cloth === this._bodies[i].cloth);
            if (!isSame) throw new Error("a cloth was added or removed");
            for (const body of this._bodies) body.recordChanges();
            this.recordPoses();
        });
        if (this._isStopped) return null;
        const paused = this._bodies.flatMap(({ runtime }, i) => (runtime.pendingModules.isLoading ? [i] : []));
        const seconds = this._loop.seconds;
        this._frame = { seconds, gravity: [gravity.x, gravity.y, gravity.z], paused, hash: null };
        this.frameCount++;
        return null;
    }

    skipFrame(): void {}

    onDraw(): void {}

    stop(): InputRecordingData {
        this._endFrame();
        this._end();
        return { ...this._data, endedBy: this._endedBy };
    }

    /** Adds an input. */
    record(input: RecordedInput): void {
        if (this._isStopped) return;
        if (this._loop.isRunningFrame && this._frame) return this._end("a cloth was changed within a step");
        this._endFrame();
        this._inputs.push(input);
    }

    /** Records the poses that have changed. */
    recordPoses(): void {
        if (this._isStopped) return;
        const poses: [number, number[]][] = [];
        const now: number[] = [];
        for (const [key, node] of keyNodes(this._scene, this._nodes)) {
            if (node.isDisposed()) continue;
            if (isBone(node)) node.getSkeleton().prepare(true);
            poseOf(node, now);
            const before = this._poses.get(key);
            if (before && before.length === now.length && before.every((number, i) => number === now[i])) continue;
            const copy = now.slice();
            this._poses.set(key, copy);
            poses.push([this._indexOf(key), copy]);
        }
        if (poses.length > 0) this.record({ poses });
    }

    /** The frame that had begun has passed. */
    private _endFrame(): void {
        const { _frame: frame } = this;
        if (!frame) return;
        this._frame = null;
        const runtimes = this._bodies.map(({ runtime }) => runtime);
        const paused = runtimes.flatMap(({ isSkippedFrame }, i) => (isSkippedFrame || frame.paused.includes(i) ? [i] : []));
        const hash = runtimes.every(({ instance }) => instance) ? hashOf(runtimes) : null;
        this._inputs.push({ frame: { ...frame, paused, hash } });
    }

    /** What cannot be recorded ends the recording. */
    private _attempt(action: () => void): void {
        if (this._isStopped) return;
        try {
            action();
        } catch (error) {
            this._end((error as Error).message);
        }
    }

    private _end(reason: string | null = null): void {
        if (this._isStopped) return;
        this._endedBy = reason;
        this._isStopped = true;
        this._loop.remove(this);
        for (const body of this._bodies) body.release();
    }

    private _indexOf(key: string): number {
        const index = this._keys.indexOf(key);
        return index >= 0 ? index : this._keys.push(key) - 1;
    }
}

/** Records what is called and set on one body. */
class RecordedBody {
    readonly runtime: BodyRuntime;
    private readonly _options: Record<string, string> = {};
    private readonly _pins: unknown[];
    private readonly _colliders: unknown[];
    private _wind: unknown;

    constructor(
        readonly cloth: SerializableBehavior,
        private readonly _index: number,
        private readonly _recorder: Recorder,
    ) {
        this.runtime = runtimeOf(cloth)!;
        // The file leaves out pins to such nodes: they are added by the first frame.
        this._pins = this.runtime.pins.filter(({ target }) => !target?.doNotSerialize);
        this._colliders = this.runtime.colliders.slice();
        this._wind = cloth.wind;
        for (const [name, value] of Object.entries(writeOptions(cloth))) this._options[name] = JSON.stringify(value);
        for (const name of [...CALLS, ...LIST_CALLS]) this._observe(name);
    }

    /** Has calls of a method recorded, before they are made; those of lists after. */
    private _observe(name: (typeof CALLS | typeof LIST_CALLS)[number]): void {
        const method = this.cloth[name] as (...values: unknown[]) => unknown;
        const isOfList = (LIST_CALLS as readonly string[]).includes(name);
        const call = (...values: unknown[]): unknown => {
            this._recorder.recordPoses();
            if (!isOfList) this._recorder.record({ call: [this._index, name, ...values.map(plain)] });
            const result = method.apply(this.cloth, values);
            if (isOfList) this._recordLists();
            return result;
        };
        Object.defineProperty(this.cloth, name, { value: call, configurable: true });
    }

    /** Gives the body its own methods back. */
    release(): void {
        for (const name of [...CALLS, ...LIST_CALLS]) Reflect.deleteProperty(this.cloth, name);
    }

    /** Records the options and lists that have changed. */
    recordChanges(): void {
        for (const [name, value] of Object.entries(writeOptions(this.cloth))) {
            const text = JSON.stringify(value);
            if (text === this._options[name]) continue;
            this._options[name] = text;
            const isSameWind = name === "wind" && this.cloth.wind !== null && this.cloth.wind === this._wind;
            this._recorder.record({ option: [this._index, isSameWind ? "wind.*" : name, value] });
        }
        this._wind = this.cloth.wind;
        this._recordLists();
    }

    private _recordLists(): void {
        const { runtime, _recorder: recorder, _index: index } = this;
        const pins = runtime.pins.filter(({ target }) => !target?.isDisposed());
        const colliders = runtime.colliders.filter(({ source }) => !isDisposed(source));
        this._recordRemoved("unpin", this._pins, pins);
        this._recordRemoved("removeCollider", this._colliders, colliders);
        for (const pin of pins) {
            if (this._pins.includes(pin)) continue;
            recorder.recordPoses();
            recorder.record({ call: [index, "pin", writePin(pin, "pin", runtime.instance)] });
            this._pins.push(pin);
        }
        for (const collider of colliders) {
            if (this._colliders.includes(collider)) continue;
            recorder.record({ call: [index, "addCollider", writeCollider(collider, "collider")] });
            this._colliders.push(collider);
        }
    }

    private _recordRemoved(name: "unpin" | "removeCollider", known: unknown[], now: readonly unknown[]): void {
        for (let i = known.length - 1; i >= 0; i--) {
            if (now.includes(known[i])) continue;
            this._recorder.record({ call: [this._index, name, i] });
            known.splice(i, 1);
        }
    }
}

/** True of a node that is gone; planes and bounds cannot be. */
function isDisposed(source: object): boolean {
    return "getClassName" in source && (source as TransformNode).isDisposed();
}

/** A vector as { x, y, z }, a number as it is. */
function plain(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    const { x, y, z } = value as Vector3;
    return { x, y, z };
}
