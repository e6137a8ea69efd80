import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Scene } from "@babylonjs/core/scene";
import { newScheduleEntry, reject } from "../../engine/index";
import { runtimeOf } from "../behaviors/bodyRuntime";
import type { BodyRuntime } from "../behaviors/bodyRuntime";
import { SceneLoop, sceneLoopOf } from "../scene/sceneLoop";
import type { FrameListener, StartedFrame } from "../scene/sceneLoop";
import { writeHold, writeOptions } from "./clothData";
import type { SerializableBehavior } from "./clothData";
import { encodeNumbers } from "./format/fileFormat";
import { readState, writeState } from "./fileState";
import { hashOf, isBone, keyNodes, poseOf } from "./recordedNodes";
import type { PosedNode } from "./recordedNodes";
import { attachedCloths, writeCloths } from "./sceneFiles";

/** One thing that came into the engine; fields are left out where nothing of the kind came. Bodies are given by their index in {@link InputRecordingData.bodies}. */
export interface RecordedInput {
    /** New poses: index in {@link InputRecordingData.nodes}, and its pose. */
    readonly poses?: readonly (readonly [node: number, pose: readonly number[]])[];
    /** A property that was set: body, name, value as in a file; "wind.*": its wind, changed in place. */
    readonly option?: readonly [body: number, name: string, value?: unknown];
    /** Gravity of the scene, if it was changed [m/s²]. */
    readonly gravity?: readonly number[];
    /** A method that was called: body, name, arguments as data. */
    readonly call?: readonly [body: number, name: string, ...values: unknown[]];
    /** A frame that passed. */
    readonly frame?: RecordedFrame;
}

/** A frame of all bodies. */
export interface RecordedFrame {
    /** Time that passed [s]. */
    readonly seconds: number;
    /** Bodies that passed the frame over, unseen or still loading. */
    readonly paused: readonly number[];
    /** Hash of all bodies after the frame; null: not known. */
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
    /** Reason for which the recording ended before {@link InputRecording.stop}: something that no recording holds. */
    readonly endedBy: string | null;
}

/** A recording that runs. */
export interface InputRecording {
    /** Number of frames so far. */
    readonly frameCount: number;
    /** Ends the recording. Idempotent. */
    stop(): InputRecordingData;
}

/** Methods that are recorded with their arguments, which are numbers or vectors. */
const CALLS = ["applyImpulse", "step", "reset", "teleport"] as const;
/** Methods after which the lists of pins and colliders are read anew. */
const LIST_CALLS = ["pin", "unpin", "addCollider", "removeCollider"] as const;

/** See {@link ClothRecorder.record}. */
export function startRecording(scene: Scene, write: () => unknown): InputRecording {
    sceneLoopOf("ClothRecorder: record", scene);
    if (typeof write !== "function") reject("ClothRecorder: record", "write", "a function", write);
    return new Recorder(scene, write);
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
    /** Nodes of which a copy of the scene has the geometry. */
    private readonly _written: ReadonlySet<unknown>;
    /** Last recorded pose of each key. */
    private readonly _poses = new Map<string, number[]>();
    private readonly _gravity: number[] = [];
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
        for (const { cloth, mesh } of attachedCloths(_scene)) {
            if (Object.hasOwn(cloth, "pin")) throw new Error("ClothRecorder: record: the scene is being recorded");
            if (!cloth.pins.some(({ target }) => target?.doNotSerialize)) continue;
            throw new Error(
                `ClothRecorder: record: "${mesh.name}" is held by a node that files leave out, such as a hand: release it first`,
            );
        }
        // Before the cloths, which are put on again.
        this._loop.add(this);
        let written: unknown;
        try {
            written = writeCloths(_scene, write, { state: true });
            if (written instanceof Promise) reject("ClothRecorder: record", "write", "a function that returns no promise", written);
        } catch (error) {
            this._loop.remove(this);
            throw error;
        }
        for (const { cloth, mesh } of attachedCloths(_scene)) resume(mesh, cloth);
        this._nodes = keyNodes(_scene);
        this._written = new Set(Array.from(this._nodes.values()).filter((node) => !node.doNotSerialize));
        const cloths = attachedCloths(_scene);
        this._data = {
            format: "babylon-cloth-recording",
            version: 1,
            scene: written,
            nodes: this._keys,
            bodies: cloths.map(({ mesh }) => this.indexOf(mesh)),
            inputs: this._inputs,
            endedBy: null,
        };
        this._bodies = cloths.map(({ cloth }, i) => new RecordedBody(cloth, i, this));
        this.recordChanges();
    }

    beginFrame(): StartedFrame | null {
        this._endFrame();
        this.recordChanges();
        if (this._isStopped) return null;
        const paused = this._bodies.flatMap(({ runtime }, i) => (runtime.pendingModules.isLoading ? [i] : []));
        this._frame = { seconds: this._loop.seconds, paused, hash: null };
        this.frameCount++;
        return null;
    }

    skipFrame(): void {}

    onDraw(): void {}

    stop(): InputRecordingData {
        this._endFrame();
        this._end(null);
        return { ...this._data, endedBy: this._endedBy };
    }

    /** Records all that has changed since the last input. What cannot be recorded ends the recording. */
    recordChanges(): void {
        this.attempt(() => {
            this._endFrame();
            const cloths = attachedCloths(this._scene);
            const isSame = cloths.length === this._bodies.length && cloths.every(({ cloth }, i) => cloth === this._bodies[i].cloth);
            if (!isSame) throw new Error("a cloth was added or removed");
            this._recordPoses();
            const { x, y, z } = this._scene.gravity;
            const gravity = [x, y, z];
            if (gravity.some((number, c) => number !== this._gravity[c])) {
                this._gravity.splice(0, 3, ...gravity);
                this.record({ gravity });
            }
            for (const body of this._bodies) body.recordChanges();
        });
    }

    /** Adds an input. */
    record(input: RecordedInput): void {
        this._inputs.push(input);
    }

    /** Runs an action; an error ends the recording, and never what the user called. */
    attempt(action: () => void): void {
        if (this._isStopped) return;
        if (this._frame && this._loop.isRunningFrame) {
            // The frame that it is in has no place in the recording.
            this._frame = null;
            this.frameCount--;
            return this._end("a cloth was changed within a step");
        }
        try {
            action();
        } catch (error) {
            this._end((error as Error).message);
        }
    }

    /** Index of a node in the recording. */
    indexOf(node: unknown): number {
        keyNodes(this._scene, this._nodes);
        for (const [key, known] of this._nodes) {
            if (known !== node) continue;
            const index = this._keys.indexOf(key);
            return index >= 0 ? index : this._keys.push(key) - 1;
        }
        throw new Error("a cloth was given a node that is not in the scene");
    }

    /** True if a copy of the scene has a node's geometry. */
    isWritten(node: unknown): boolean {
        return this._written.has(node);
    }

    private _recordPoses(): void {
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
            poses.push([this.indexOf(node), copy]);
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
        // A body that was built anew since then has other positions.
        const hash = this._bodies.every(({ isSameInstance }) => isSameInstance) ? hashOf(runtimes) : null;
        this.record({ frame: { ...frame, paused, hash } });
    }

    private _end(reason: string | null): void {
        if (this._isStopped) return;
        this._isStopped = true;
        this._endedBy = reason;
        this._loop.remove(this);
        for (const body of this._bodies) body.release();
    }
}

/** Records what is called and set on one body. */
class RecordedBody {
    readonly runtime: BodyRuntime;
    private readonly _options: Record<string, string> = {};
    private readonly _pins: unknown[];
    private readonly _colliders: unknown[];
    private _wind: unknown;
    private _instance: unknown;

    constructor(
        readonly cloth: SerializableBehavior,
        private readonly _index: number,
        private readonly _recorder: Recorder,
    ) {
        this.runtime = runtimeOf(cloth)!;
        this._pins = this.runtime.pinList.userPins.slice();
        this._colliders = this.runtime.colliders.slice();
        this._wind = cloth.wind;
        this._instance = this.runtime.instance;
        for (const [name, value] of Object.entries(writeOptions(cloth))) this._options[name] = JSON.stringify(value);
        for (const name of [...CALLS, ...LIST_CALLS, "simulate"] as const) this._observe(name);
    }

    /** True if it was not built anew since changes were recorded last. */
    get isSameInstance(): boolean {
        return this.runtime.instance !== null && this.runtime.instance === this._instance;
    }

    /** Has calls of a method recorded, before they are made; those of lists after. */
    private _observe(name: (typeof CALLS | typeof LIST_CALLS)[number] | "simulate"): void {
        const { cloth, _recorder: recorder, _index: index } = this;
        const method = cloth[name] as (...values: unknown[]) => unknown;
        const isCall = (CALLS as readonly string[]).includes(name);
        const call = (...values: unknown[]): unknown => {
            recorder.recordChanges();
            recorder.attempt(() => {
                if (name === "simulate") throw new Error("a cloth was warmed up by simulate");
                if (isCall) recorder.record({ call: [index, name, ...argumentsOf(values)] });
            });
            const result = method.apply(cloth, values);
            // It builds the cloth anew where the mesh has another size, as its copy does.
            if (name === "reset") this._instance = this.runtime.instance;
            if (!isCall) recorder.attempt(() => this._recordLists());
            return result;
        };
        Object.defineProperty(cloth, name, { value: call, configurable: true });
    }

    /** Gives the body its own methods back. */
    release(): void {
        for (const name of [...CALLS, ...LIST_CALLS, "simulate"]) Reflect.deleteProperty(this.cloth, name);
    }

    /** Records the options and lists that have changed. @throws Error on what cannot be recorded */
    recordChanges(): void {
        let isChanged = false;
        for (const [name, value] of Object.entries(writeOptions(this.cloth))) {
            const text = JSON.stringify(value);
            if (text === this._options[name]) continue;
            isChanged = true;
            this._options[name] = text;
            const isSameWind = name === "wind" && this.cloth.wind && this.cloth.wind === this._wind;
            const option = [this._index, isSameWind ? "wind.*" : name] as const;
            // In a list, JSON has no undefined.
            this._recorder.record({ option: value === undefined ? option : [...option, value] });
        }
        this._wind = this.cloth.wind;
        if (this.runtime.instance?.isEdited || (!this.isSameInstance && !isChanged))
            throw new Error("a cloth was torn, edited, or attached anew");
        this._instance = this.runtime.instance;
        this._recordLists();
    }

    private _recordLists(): void {
        const { runtime, _recorder: recorder, _index: index } = this;
        const pins = runtime.pinList.userPins.filter(({ target }) => !target?.isDisposed());
        const colliders = runtime.colliders.filter(({ source }) => !isDisposed(source));
        this._recordRemoved("unpin", this._pins, pins);
        this._recordRemoved("removeCollider", this._colliders, colliders);
        for (const pin of pins) {
            if (this._pins.includes(pin)) continue;
            const target = pin.target && recorder.indexOf(pin.target);
            const hold = pin.hold && writeHold("ClothRecorder: record", "hold", pin.hold, runtime.instance);
            recorder.record({ call: [index, "pin", [...runtime.instance!.pinnedVertices(pin, null)!], target, hold] });
            this._pins.push(pin);
        }
        for (const collider of colliders) {
            if (this._colliders.includes(collider)) continue;
            const { source, options } = collider;
            const isPlane = "normal" in source;
            if (!isPlane && !recorder.isWritten(source)) throw new Error("a collider was made after the scene was written");
            const { x, y, z } = isPlane ? source.normal : Vector3.ZeroReadOnly;
            const place = isPlane ? [x, y, z, source.d] : recorder.indexOf(source);
            recorder.record({ call: [index, "addCollider", place, encodeNumbers(options)] });
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

/** Builds a body anew in its present state, as its copy is from the file. */
function resume(mesh: Mesh, cloth: SerializableBehavior): void {
    const runtime = runtimeOf(cloth)!;
    const state = writeState(
        runtime.instance!,
        runtime.pins.map(() => true),
    );
    mesh.removeBehavior(cloth);
    runtime.hooks.onAttached = (instance) => readState(instance, state);
    mesh.addBehavior(cloth);
}

/** True of a node that is gone; planes and bounds cannot be. */
function isDisposed(source: object): boolean {
    return "getClassName" in source && (source as TransformNode).isDisposed();
}

/** Arguments as data: vectors as { x, y, z }; those left out at the end are left out. */
function argumentsOf(values: readonly unknown[]): unknown[] {
    const { length } = values.filter((value) => value !== undefined);
    return values.slice(0, length).map((value) => {
        if (typeof value !== "object" || value === null) return encodeNumbers(value);
        const { x, y, z } = value as Vector3;
        return { x, y, z };
    });
}
