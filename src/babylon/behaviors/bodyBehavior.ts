import type { Behavior } from "@babylonjs/core/Behaviors/behavior";
import type { Bone } from "@babylonjs/core/Bones/bone";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Logger } from "@babylonjs/core/Misc/logger";
import { Observable } from "@babylonjs/core/Misc/observable";
import {
    deriveFabric,
    finiteVector,
    isSupported,
    knownOptions,
    nonNegative,
    positive,
    reject,
    ContactEventRecord,
} from "../../engine/index";
import type { ClothSettings, Fabric, VectorLike } from "../../engine/index";
import { BodyProperties } from "./bodyProperties";
import { BodyRuntime } from "./bodyRuntime";
import { isColliderEntry } from "../colliders/colliderOptions";
import type { BodyOptions } from "./bodyOptions";
import type { ColliderEntry, ColliderOptions, Collider, ColliderSource } from "../colliders/colliderOptions";
import type { PinOptions, Pin, PinHold } from "../pins/pinHold";
import type { BodyKind } from "./bodyKind";
import type { ClothCollision, ClothStats } from "./types";
import { checkList, syncList } from "../support/validation";
import { PinBinding } from "../pins/pinBinding";
import type { CopiedBody } from "./meshClones";
import type { Select } from "../pins/select";
import { ColliderBinding } from "../colliders/colliderBinding";
import { StatsReader } from "./types";
import { rareModule } from "../scene/rare.lazy";
import type { BodyInstance } from "./bodyInstance";

/** An event before there has been one. */
export function createCollisionEvent(): ClothCollision {
    return {
        collider: null as unknown as Collider,
        particle: 0,
        point: { x: 0, y: 0, z: 0 },
        normal: { x: 0, y: 0, z: 0 },
        speed: 0,
    };
}

/** Tells what a cloth's particles have come to in the last step. @param event used for all of them */
export function notifyCollisions(
    { cloth, activeColliders }: BodyInstance,
    observable: Observable<ClothCollision>,
    event: ClothCollision,
): void {
    const { contactEvents: impacts, origin } = cloth;
    // Whoever hears of one may have the next frame begin.
    for (let i = 0; impacts && i < impacts.count; i++) {
        const collider = impacts.colliders[i];
        let handle: Collider | null = null;
        for (let k = 0; k < activeColliders.all.length; k++)
            if (activeColliders.all[k].bodyCollider === collider) handle = activeColliders.all[k].binding;
        if (!handle) continue;
        const { numbers } = impacts;
        const at = i * ContactEventRecord.count;
        const point = at + ContactEventRecord.point;
        const normal = at + ContactEventRecord.normal;
        event.collider = handle;
        event.particle = numbers[at];
        event.point.x = numbers[point] + origin[0];
        event.point.y = numbers[point + 1] + origin[1];
        event.point.z = numbers[point + 2] + origin[2];
        event.normal.x = numbers[normal];
        event.normal.y = numbers[normal + 1];
        event.normal.z = numbers[normal + 2];
        event.speed = numbers[at + ContactEventRecord.speed];
        observable.notifyObservers(event);
    }
}

/** A behavior that simulates its mesh: what cloth and ropes have in common. */
export abstract class BodyBehavior extends BodyProperties implements Behavior<Mesh> {
    /**
     * True where bodies can be simulated: the browser has WebAssembly SIMD (all since March 2023) and the page allows it. False under a
     * content security policy without `wasm-unsafe-eval` or in Lockdown mode; attaching then logs one error and leaves the mesh as it is.
     */
    static get isSupported(): boolean {
        return isSupported();
    }

    /** Name under which `mesh.getBehaviorByName` finds it. */
    abstract readonly name: string;
    /** Before every fixed step; the argument is this behavior. */
    readonly onBeforeStepObservable = new Observable<this>(() => this._runtime.observeSteps());
    /** After every fixed step, before the mesh is written; the argument is this behavior. */
    readonly onAfterStepObservable = new Observable<this>(() => this._runtime.observeSteps());
    /**
     * Notified when a particle has come to a collider in a fixed step; once, until it has been away for 0.1 s. The argument is one object for all: copy what
     * you keep. Notified after the step, before {@link onAfterStepObservable}. Costs nothing without an observer.
     */
    readonly onCollisionObservable = new Observable<ClothCollision>(() => this._runtime.observeSteps());
    private readonly _collision = createCollisionEvent();
    private _optionNames: readonly string[] = [];
    /** Numbers about the running cloth; computed when read. */
    readonly stats: ClothStats;
    /** @internal */
    protected override readonly _runtime: BodyRuntime;

    /** @internal @param kind what it makes of its mesh */
    protected constructor(kind: BodyKind, settings: ClothSettings) {
        super(kind.owner, settings);
        this._runtime = new BodyRuntime(this, settings, kind, {
            beforeStep: () => this.onBeforeStepObservable.notifyObservers(this),
            afterStep: () => {
                const { instance } = this._runtime;
                if (instance) notifyCollisions(instance, this.onCollisionObservable, this._collision);
                this.onAfterStepObservable.notifyObservers(this);
            },
        });
        this.stats = new StatsReader(() => this._runtime.instance);
    }

    /** @internal Assigns options to the properties of their names. @throws RangeError on an unknown option or a value out of range */
    protected _assign(options: object, names: readonly string[]): void {
        if (typeof options !== "object" || options === null) reject(this._owner, "options", "an object", options);
        knownOptions(this._owner, options, names);
        this._optionNames = names;
        for (const [name, value] of Object.entries(options)) {
            if (value !== undefined) (this as Record<string, unknown>)[name] = value;
        }
    }

    /** @internal Changes what the solver is told of its material. */
    protected _changeFabric(changed: Partial<Fabric>): void {
        this._settings.fabric = deriveFabric(this._settings.fabric, changed);
        this._runtime.instance?.cloth.invalidate();
    }

    /** The mesh that it simulates now, or null. */
    get attachedNode(): Mesh | null {
        return this._runtime.instance?.mesh ?? null;
    }

    /** The pins, in the order in which they were made: a frozen copy; {@link pin} adds one. Assigning a list replaces them; pins that are in it stay. */
    get pins(): readonly Pin[] {
        return Object.freeze([...this._runtime.pinList.userPins]);
    }
    set pins(value: readonly PinOptions[]) {
        for (const entry of checkList(this._owner, "pins", value)) {
            if (typeof entry !== "object" || entry === null || !("select" in entry)) {
                reject(this._owner, "pins", "an array of { select, target?, hold? }", entry);
            }
        }
        syncList(
            this._runtime.pinList.userPins,
            value,
            ({ select, target, hold }) => this.pin(select, target, hold),
            (pin) => this.unpin(pin),
        );
    }

    /**
     * Its own colliders, in the order in which they were added: a frozen copy; {@link addCollider} adds one. Assigning a list replaces them; colliders that are
     * in it stay.
     */
    get colliders(): readonly Collider[] {
        return Object.freeze([...this._runtime.colliders]);
    }
    set colliders(value: readonly (ColliderSource | ColliderEntry | Collider)[]) {
        syncList(
            this._runtime.colliders,
            checkList(this._owner, "colliders", value),
            (entry) => {
                if (!isColliderEntry(entry)) return this.addCollider(entry as ColliderSource);
                const { source, ...options } = entry;
                return this.addCollider(source, options);
            },
            (collider) => this.removeCollider(collider),
        );
    }

    /**
     * Holds vertices. Before attach it holds them at their rest position, later where they are. They are chosen by their
     * authored positions, before skinning and morphing, and held as the mesh was posed at attach.
     * @param select vertex indices, a predicate `(position, vertexIndex) => boolean` on rest positions in mesh-local space, or
     * a helper of `select`
     * @param target TransformNode or Bone that carries them; left out: the mesh itself
     * @param hold how they are held: {@link SoftHold}, {@link MaxDistanceHold} or {@link RailHold}; left out: rigidly
     * @throws RangeError on a selection, target or hold that cannot be used
     */
    pin(select: Select, target: TransformNode | Bone | null = null, hold: PinHold | null = null): Pin {
        const pin = new PinBinding(select, target, hold, `${this._owner}: pin`);
        this._runtime.pinList.add(pin);
        return pin;
    }

    /** Lets the particles of a pin go. A pin that is not this cloth's is passed over. */
    unpin(pin: Pin): void {
        this._runtime.pinList.remove(pin);
    }

    /**
     * Adds something to lie on: a mesh (followed every frame), a Plane (solid behind it), a BoundingSphere or a BoundingBox.
     * @throws RangeError on a source or option that cannot be used
     */
    addCollider(source: ColliderSource, options: ColliderOptions = {}): Collider {
        const collider = new ColliderBinding(source, options, `${this._owner}: addCollider`);
        this._runtime.addCollider(collider);
        return collider;
    }

    /** Removes a collider. One that is not this cloth's is passed over. */
    removeCollider(collider: Collider): void {
        this._runtime.removeCollider(collider);
    }

    /**
     * Pushes the particles within `radius` of a point.
     * @param point world space [m]
     * @param impulse [N s], shared among the particles with a smooth falloff
     * @param radius [m], > 0. Default 0.5
     */
    applyImpulse(point: VectorLike, impulse: VectorLike, radius = 0.5): void {
        finiteVector(this._owner, "applyImpulse(point)", point);
        finiteVector(this._owner, "applyImpulse(impulse)", impulse);
        positive(this._owner, "applyImpulse(radius)", radius);
        const cloth = this._runtime.running("applyImpulse")?.cloth;
        if (!cloth) return;
        const [x, y, z] = cloth.origin;
        cloth.applyImpulse(point.x - x, point.y - y, point.z - z, impulse.x, impulse.y, impulse.z, radius);
    }

    /**
     * Advances by hand, on the same path as the scene's observer: fixed steps, then write-back. Winds keep to the scene's time
     * where the scene is running.
     * @param seconds time to add [s]; beyond maxStepsPerFrame steps it is dropped; negative or NaN counts as 0
     * @throws RangeError when it is no number
     */
    step(seconds: number): void {
        if (typeof seconds !== "number") reject(this._owner, "step(seconds)", "a number", seconds);
        if (!this._runtime.running("step")) return;
        if (!this.enabled) return this.teleport();
        if (this._runtime.pendingModules.isLoading) {
            return this._runtime.pendingModules.warn("step: it stands still until all is loaded: await whenReady()");
        }
        this._runtime.seconds = seconds;
        this._runtime.advance();
        this._runtime.instance?.write();
    }

    /**
     * Settled when all parts of the library that it has been asked for are loaded, which come when they are first wanted: `selfCollision`, colliders, and
     * the kernels where there is no WebAssembly. Until then it stands still. Who steps it by hand awaits this first.
     */
    async whenReady(): Promise<void> {
        await this._runtime.advice.loaded;
        await this._runtime.pendingModules.settled();
    }

    /**
     * A warm start: lets the cloth move for a time before it is shown, in slices of a few milliseconds a frame, until then not with the
     * scene. Hide the mesh meanwhile: `mesh.isVisible = false`. It waits while the cloth is not {@link enabled}.
     * @param seconds time to pass [s], >= 0, in fixed steps
     * @param millisecondsPerFrame what a frame may take of it [ms], > 0; one step is taken at least. Default 4
     * @returns settled when the time has passed, or the cloth has left its mesh
     * @throws Error when it is on no mesh
     */
    simulate(seconds: number, millisecondsPerFrame = 4): Promise<void> {
        nonNegative(this._owner, "simulate(seconds)", seconds);
        positive(this._owner, "simulate(millisecondsPerFrame)", millisecondsPerFrame);
        const mesh = this.attachedNode;
        if (!mesh) throw new Error(`${this._owner}: simulate needs an attached mesh`);
        const { pendingModules } = this._runtime;
        const start = (): Promise<void> => rareModule.module.warmStart(this, mesh, this._runtime, seconds, millisecondsPerFrame);
        if (rareModule.isLoaded) return start();
        const loading = rareModule.load();
        pendingModules.hold(loading);
        return loading.then(() => (this.attachedNode === mesh ? start() : undefined));
    }

    /**
     * Says that what carries the cloth jumps: from the last frame to the next it does not move. The cloth comes along with
     * the carrier that holds most of it (its mesh, where nothing is pinned), in the shape and with the motion that it has, and
     * colliders stand where they are then. Call it just before or after you move them. See also {@link teleportSpeed}.
     */
    teleport(): void {
        this._runtime.running("teleport")?.teleports.expectTeleport();
    }

    /** Back to the rest shape at the mesh's present transform, at rest, in the size that the mesh now has. */
    reset(): void {
        if (this._runtime.running("reset")) this._runtime.reset();
        this._runtime.instance?.write();
    }

    /** Number of particles; 0 while not attached. */
    get particleCount(): number {
        return this._runtime.instance?.binding.particleCount ?? 0;
    }

    /**
     * Positions of the particles now, world space [m]: those of the last fixed step, carried along by what carries their pins since.
     * @param target shape [particleCount, 3]; made when left out
     * @throws RangeError when the target is too short
     */
    getParticlePositions(target?: Float32Array): Float32Array {
        const count = this.particleCount;
        const result = target ?? new Float32Array(count * 3);
        if (!(result instanceof Float32Array && result.length >= count * 3)) {
            const given = (result as { length?: number } | null)?.length ?? result;
            reject(this._owner, "getParticlePositions(target)", `a Float32Array of ${count * 3} numbers or more`, given);
        }
        this._runtime.instance?.cloth.readPositions(result);
        return result;
    }

    /** The particle that a vertex of the mesh follows. @throws RangeError when there is no such vertex or no mesh */
    particleOfVertex(vertex: number): number {
        const map = this._runtime.instance?.binding.particleOfVertex;
        if (!map) throw new Error(`${this._owner}: particleOfVertex needs an attached mesh`);
        if (!Number.isInteger(vertex) || vertex < 0 || vertex >= map.length) {
            reject(this._owner, "particleOfVertex(vertex)", `an integer in 0..${map.length - 1}`, vertex);
        }
        return map[vertex];
    }

    /** @internal Another like it, see {@link Copied}. */
    copy(
        begin: (attachment: BodyInstance) => void,
        onFirstFrame: (copied: CopiedBody) => void,
        parts?: readonly Mesh[],
    ): Behavior<Mesh> {
        const { pinList, colliders, instance } = this._runtime;
        const copy = this._createAnother({
            ...Object.fromEntries(this._optionNames.map((name) => [name, this[name as keyof this]])),
            pins: pinList.userPins.map((pin) => ({
                select: instance?.pinnedVertices(pin, null) ?? pin.select,
                target: pin.target,
                hold: pin.hold,
            })),
            colliders: colliders.map(({ source, options }) => ({ source, ...options })),
            ...(parts && { parts }),
        }) as this;
        copy._runtime.hooks.onAttached = begin;
        copy._runtime.hooks.onFirstFrame = () => onFirstFrame(copy._runtime);
        return copy;
    }

    /** @internal One of its class. */
    protected abstract _createAnother(options: BodyOptions): Behavior<Mesh>;

    /** Called by Babylon before attach. */
    init(): void {}

    /**
     * Called by `mesh.addBehavior`: builds the cloth and starts it.
     * @throws RangeError where it is no mesh, Error when it cannot be cloth; it is then as it was. Babylon attaches later while a scene is loading;
     * then the error goes to Babylon's logger instead, and the scene lives on.
     */
    attach(mesh: Mesh): void {
        if (!mesh?.behaviors) reject(this._owner, "mesh", "a Mesh", mesh);
        // Taken off and on again while a scene is loading, Babylon attaches twice.
        if (this.attachedNode === mesh) return;
        const wasDeferred = mesh.behaviors.includes(this);
        try {
            this._runtime.attach(mesh);
        } catch (error) {
            if (!wasDeferred) throw error;
            Logger.Error([String(error), error]);
        }
    }

    /** Called by `mesh.removeBehavior` and when the mesh is disposed. Idempotent. */
    detach(): void {
        this._runtime.detach();
        // Their scene may never be drawn again.
        for (const end of [...this._runtime.warmStarts, ...this._runtime.hooks.onLeave]) end();
    }
}
