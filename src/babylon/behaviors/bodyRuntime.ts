/*
 * Longer than 400 lines: one life, from attach to detach. What stands alone (size, advice, hooks, unfelt motion) is beside it.
 */
import type { Bone } from "@babylonjs/core/Bones/bone";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Logger } from "@babylonjs/core/Misc/logger";
import {
    JumpDetector,
    OutOfMemoryError,
    defaultGroups,
    editModule,
    inertiaModule,
    isSupported,
    newScheduleEntry,
    skinTargetModule,
} from "../../engine/index";
import type { ClothSettings, StepObserver, VectorLike } from "../../engine/index";
import { meshTools } from "../mesh/meshBinding";
import { rareModule } from "../scene/rare.lazy";
import { PausedPose } from "../mesh/pausedPose";
import { skinModule } from "../skin/skin.lazy";
import type { SkinFollower, SkinSettings } from "../skin/skinFollower";
import { PendingModules } from "../scene/pendingModules";
import { BodyInstance } from "./bodyInstance";
import { checkFree } from "./runtimeHost";
import type { RuntimeHost } from "./runtimeHost";
import { adoptSize } from "./adoptSize";
import { BodyAdvice } from "./bodyAdvice";
import { BodyHooks } from "./bodyHooks";
import type { BodyInstanceHost, WorldEdit, BodyKind } from "./bodyKind";
import { MeshCloneListener } from "./meshClones";
import { DEFAULT_TELEPORT_SPEED } from "../scene/teleport";
import type { NearBodies } from "../colliders/nearBodies";
import { SelfCollisionBinding } from "./selfCollisionBinding";
import type { PinBinding } from "../pins/pinBinding";
import { PinList } from "../pins/pinBinding";
import { readGravity } from "../support/validation";
import { SceneLoop } from "../scene/sceneLoop";
import type { FrameListener } from "../scene/sceneLoop";
import { reportUnsupported, createWarnOnce } from "../support/logger";
import { UpdatePolicy } from "../scene/updatePolicy";
import type { Collider } from "../colliders/colliderOptions";
import { dropDisposed } from "./dropDisposed";
import type { InertiaBinding } from "./inertiaBinding";
import { colliderRevision, followCopiedSources } from "../colliders/colliderBinding";
import { ColliderBinding } from "../colliders/colliderBinding";
import type { CopiedHierarchy } from "../mesh/copiedHierarchy";

/** The vertices that a pin held before its cloth was built anew. */
export type PinnedVertices = (pin: PinBinding) => readonly number[] | undefined;

const runtimes = new WeakMap<object, BodyRuntime>();

/** The driver of a cloth's behavior, for what looks into it; undefined of anything else. */
export function runtimeOf(behavior: object): BodyRuntime | undefined {
    return runtimes.get(behavior);
}

/**
 * Takes a behavior's cloth through its life: attached to a mesh, stepped and drawn with its scene's frames, built anew where
 * the mesh or the memory asks for it, and detached. Pins and colliders stay from one attachment to the next.
 */
export class BodyRuntime implements FrameListener {
    readonly pinList = new PinList(() => this.instance);
    readonly pins: readonly PinBinding[] = this.pinList.all;
    readonly colliders: ColliderBinding[] = [];
    /** See {@link ClothBehavior.collisionGroup}. */
    readonly groups = defaultGroups();
    readonly selfCollision: SelfCollisionBinding;
    /** Modules that are still loading; the cloth rests meanwhile. */
    readonly pendingModules: PendingModules;
    readonly turn = newScheduleEntry();
    /** Decides by visibility and distance if, and how finely, the cloth moves. */
    readonly updatePolicy: UpdatePolicy;
    /** The cloth on its mesh, while it is on one. */
    instance: BodyInstance | null = null;
    /** Time of the frame that begins, of a scene or by hand ({@link advance}) [s]; as an argument it would be boxed. */
    seconds = NaN;
    readonly hooks = new BodyHooks();
    /** Functions that end the warm starts in progress: these step the cloth in place of the scene. */
    readonly warmStarts = new Set<() => void>();
    readonly advice: BodyAdvice;
    private _teleportSpeed = DEFAULT_TELEPORT_SPEED;
    private _inertia: InertiaBinding | null = null;
    private _loop: SceneLoop | null = null;
    private _collidesWithPhysics = false;
    /** Null without {@link collideWithPhysics}, and until its code is here. */
    private _nearBodies: NearBodies | null = null;
    /** See {@link colliderRevision}. */
    private _seenColliderRevision = 0;
    private readonly _warn: (message: string) => void;
    /** True if an observer of the steps was ever added. */
    private _hasStepObservers = false;
    /** True if this frame has begun, so that drawing need not ask for its input again. */
    private _hasBegunFrame = false;
    /** Name of the mesh whose disposal has ended the body; null: none. */
    private _lostMesh: string | null = null;
    private readonly _cloneListener: MeshCloneListener;
    /** True if no camera sees it in this frame, which it therefore passes over. */
    isSkippedFrame = false;
    readonly runsFirst: boolean;
    /** See {@link ClothBehavior.skin}, {@link ClothBehavior.skinStiffness} and {@link ClothBehavior.skinBlend}. */
    readonly skin: SkinSettings;

    /** See {@link ClothBehavior.parts}. */
    parts: readonly Mesh[] = [];

    /** True while a body that is attached is not prepared at once, see attachAsync.ts. */
    isPreparedLater = false;

    constructor(
        private readonly _behavior: RuntimeHost,
        private readonly _settings: ClothSettings,
        private readonly _kind: BodyKind,
        private readonly _observer: StepObserver,
    ) {
        runtimes.set(_behavior, this);
        this._warn = createWarnOnce(_kind.owner);
        this.advice = new BodyAdvice(this._warn);
        this.runsFirst = _kind.runsFirst ?? false;
        this.pendingModules = new PendingModules(this._warn);
        this.selfCollision = new SelfCollisionBinding(this.groups, this.pendingModules, () => this.syncColliders());
        this.updatePolicy = new UpdatePolicy(_settings);
        this.skin = { isFollowed: _kind.isSheet ?? false, stiffness: 0, blend: 1, lod: this.updatePolicy.lod };
        this._cloneListener = new MeshCloneListener(_behavior, this, this._warn);
    }

    /** See {@link ClothBehavior.teleportSpeed}. */
    get teleportSpeed(): number {
        return this._teleportSpeed;
    }
    set teleportSpeed(value: number) {
        this._teleportSpeed = value;
        if (this.instance) this.instance.teleports.speedLimit = value;
    }

    /** See {@link ClothBehavior.inertia}. */
    get inertia(): InertiaBinding | null {
        return this._inertia;
    }
    set inertia(value: InertiaBinding | null) {
        const skin = this.instance?.skin;
        if (skin) value &&= value.withAnchor(skin.root);
        this._inertia = value;
        if (this.instance) this.instance.inertia = value;
        if (value) this.pendingModules.whenLoaded(inertiaModule, () => {});
    }

    /** Users hear of the steps from now on. */
    observeSteps(): void {
        this._hasStepObservers = true;
        this.instance?.observeSteps();
        this._loop?.observeSteps();
    }

    /** @throws RangeError when the cloth cannot meet it; it is then not added */
    addCollider(collider: ColliderBinding): void {
        this.colliders.push(collider);
        try {
            this.syncColliders();
        } catch (error) {
            this.colliders.splice(this.colliders.indexOf(collider), 1);
            throw error;
        }
    }

    removeCollider(collider: Collider): void {
        const index = this.colliders.findIndex((own) => own === collider);
        if (index < 0) return;
        this.colliders.splice(index, 1);
        this.syncColliders();
    }

    /** See {@link ClothBehavior.collideWithPhysics}. */
    get collideWithPhysics(): boolean {
        return this._collidesWithPhysics;
    }
    set collideWithPhysics(value: boolean) {
        if (value === this.collideWithPhysics) return;
        this._collidesWithPhysics = value;
        this._nearBodies = null;
        this.syncColliders();
        if (!value) return;
        this.pendingModules.whenLoaded(rareModule, () => {
            if (this._collidesWithPhysics)
                this._nearBodies ??= new rareModule.module.NearBodies((body) => new ColliderBinding(body));
        });
    }

    /** Its own colliders, and bodies that are near. */
    private get _allColliders(): readonly ColliderBinding[] {
        return this._nearBodies ? [...this.colliders, ...this._nearBodies.all] : this.colliders;
    }

    followCopies(hierarchy: CopiedHierarchy): void {
        for (const pin of this.pins) {
            const target = pin.target && hierarchy.copyOf(pin.target);
            if (target) pin.retarget(target as TransformNode | Bone);
        }
        this.inertia = this._inertia?.followCopy(hierarchy) ?? null;
        const { wind } = this._behavior;
        if (wind) this._behavior.wind = wind._followCopy(hierarchy);
        if (followCopiedSources(this.colliders, hierarchy)) this.syncColliders();
    }

    /** The running body, for a method of that name; warns where its mesh is gone. */
    running(method: string): BodyInstance | null {
        if (this._lostMesh !== null)
            this._warn(`${method} does nothing: the mesh "${this._lostMesh}" was disposed; add the behavior to another`);
        return this.instance;
    }

    /** Has the cloth meet what it is to meet. */
    syncColliders(): void {
        const { instance } = this;
        this._seenColliderRevision = colliderRevision.count;
        instance?.syncColliders(this._allColliders, this.groups);
        if (instance) this.selfCollision.sync(instance);
    }

    /**
     * Attaches at once. Where WebAssembly SIMD is refused, logs one error and leaves the mesh as it is.
     * @throws Error when the mesh cannot be cloth; it is then as it was
     */
    attach(mesh: Mesh): void {
        checkFree(this._kind.owner, this._behavior, mesh);
        if (this.parts.length > 0 && !rareModule.isLoaded)
            return this.pendingModules.whenLoaded(
                rareModule,
                () => mesh.behaviors.includes(this._behavior) && this._behavior.attach(mesh),
            );
        const undo = this.hooks.onAttaching?.(mesh);
        try {
            if (!isSupported()) return reportUnsupported(this._kind.owner);
            const start = performance.now();
            this._start(mesh);
            if (!this.instance) return;
            this.advice.attachMilliseconds = performance.now() - start;
            this._whenSkinned(this.hooks.onAttached);
        } catch (error) {
            this._stop();
            undo?.();
            throw error;
        }
        if (this._kind.isSheet) this.advice.request();
        this.hooks.onAttaching = this.hooks.onAttached = this._lostMesh = null;
        this._loop?.remove(this);
        this._loop = SceneLoop.of(mesh.getScene());
        this._loop.recheckMesh(mesh);
        this._loop.visibility.track(mesh);
        this._loop.add(this);
        if (this._hasStepObservers) this._loop.observeSteps();
    }

    private get _isSkinned(): boolean {
        return this.skin.isFollowed && PausedPose.of(this.instance!.mesh);
    }

    private _createSkin(instance: BodyInstance): SkinFollower {
        const skin = (instance.skin = new skinModule.module.SkinFollower(
            instance,
            this.skin,
            skinTargetModule.module,
            new JumpDetector(),
        ));
        this.inertia = this._inertia;
        return skin;
    }

    /** Calls what builds on the attachment; on a skin, once that is loaded. */
    private _whenSkinned(call: BodyHooks["onAttached"]): void {
        const instance = this.instance!;
        if (!this._isSkinned || instance.skin) return call?.(instance);
        this.pendingModules.whenLoaded(skinModule, () => {
            if (instance !== this.instance) return;
            this._createSkin(instance).takeOver(this.pins);
            call?.(instance);
        });
    }

    /** Idempotent. */
    detach(): void {
        const { _loop: frames, instance } = this;
        if (instance?.mesh.isDisposed()) this._lostMesh = instance.mesh.name;
        frames?.remove(this);
        if (instance) frames?.visibility.untrack(instance.mesh);
        this._loop = null;
        this.isSkippedFrame = false;
        this._stop();
    }

    /** Builds the cloth anew where it is attached. */
    rebuild(): void {
        const mesh = this.instance?.mesh;
        if (!mesh) return;
        this.hooks.onReset?.();
        this.detach();
        this.attach(mesh);
    }

    /** Puts the body back into its rest shape, in the size that its mesh now has. */
    reset(): void {
        if (this.instance?.space.isResized) return this.rebuild();
        this.hooks.onReset?.();
        this.instance?.reset(this.pins);
    }

    beginFrame(): BodyInstance | null {
        this._hasBegunFrame = false;
        if (!this._behavior.autoStep || this.warmStarts.size > 0) return null;
        const isPaused = this._isPaused || this.pendingModules.isLoading;
        this.isSkippedFrame = !isPaused && !this.updatePolicy.shouldUpdate(this.instance!, this, this._loop!.visibility);
        if (!isPaused && !this.isSkippedFrame) {
            this.seconds = this._loop!.seconds;
            const instance = this._prepareFrame();
            if (!instance) return null;
            this._hasBegunFrame = instance.beginFrame(this.pins);
            return this._hasBegunFrame ? instance : null;
        }
        this.instance?.teleports.expectTeleport();
        return null;
    }

    shiftOrigin(offset: VectorLike): void {
        this.instance?.shiftOrigin(offset, this.pins);
    }

    skipFrame(): void {
        this.instance?.skipFrame(this.pins);
    }

    onDraw(isUntouched: boolean): void {
        if (this.isSkippedFrame) return;
        if (isUntouched && this._hasBegunFrame) return this.instance?.write(true);
        if (this.adoptEdit() && this._behavior.autoStep && !this._isPaused) this.instance?.write();
    }

    /** Fixed steps for the time of a frame by hand, {@link seconds}. */
    advance(): void {
        this._loop?.colliders.beginFrame();
        const instance = this._prepareFrame();
        if (!instance) return;
        instance.advance(this.pins);
        this._loop?.colliders.impulses?.apply();
    }

    /** Takes in what may have changed since the last frame. @returns what is to begin a frame */
    private _prepareFrame(): BodyInstance | null {
        if (!this.adoptEdit() || !this.instance || this.instance.skin?.isHandedBack() || !this._adoptSize(this.instance))
            return null;
        this.hooks.onFirstFrame?.();
        this.hooks.onFirstFrame = null;
        dropDisposed(this, this._warn);
        const { mesh, cloth } = this.instance;
        cloth.recordContactEvents(this._behavior.onCollisionObservable.hasObservers());
        if (cloth.solver?.warning) this._warn(cloth.solver.warning);
        if (cloth.contacts?.warning) this._warn(`"${mesh.name}": ${cloth.contacts.warning}`);
        const areOthersNear = this._nearBodies?.update(mesh, this.colliders, this._loop!.colliders.sceneWide);
        if (areOthersNear || this._seenColliderRevision !== colliderRevision.count) this._syncInFrame();
        if (!this.instance) return null;
        readGravity(this._behavior.gravity ?? mesh.getScene().gravity, this._settings.gravity);
        this.instance.seconds = this.seconds;
        this.hooks.onBeginFrame?.(Math.min(this.seconds, this._settings.maxStepsPerFrame * this._settings.fixedTimeStep));
        const { activeColliders } = this.instance;
        const hasSupport =
            this.pins.length + activeColliders.all.length > 0 ||
            this._collidesWithPhysics ||
            !!(cloth.steppingGroup ?? cloth.observer);
        this.advice.give(this.instance, hasSupport);
        return this.instance;
    }

    /** Synchronises colliders where no caller could take an error. */
    private _syncInFrame(): void {
        try {
            this.syncColliders();
        } catch (error) {
            if (!(error instanceof OutOfMemoryError)) throw error;
            this._endOutOfMemory(error);
        }
    }

    /** Takes the body off its mesh, which gets its rest shape back, and logs one error; the scene goes on. */
    private _endOutOfMemory({ message }: OutOfMemoryError): void {
        const mesh = this.instance?.mesh;
        if (!mesh) return;
        Logger.Error(`${this._kind.owner}: the simulation of "${mesh.name}" ends: ${message}`);
        mesh.removeBehavior(this._behavior);
        this.detach();
    }

    private get _isPaused(): boolean {
        const mesh = this.instance?.mesh;
        return !mesh || !this._behavior.enabled || !mesh.isEnabled() || !this._loop!.hasMesh(mesh);
    }

    /** Ends the running cloth. @returns what the user has done to the mesh's vertices and triangles meanwhile */
    private _stop(): WorldEdit | null {
        const instance = this.instance;
        this.instance = null;
        if (!instance) return null;
        for (const pin of this.pins) pin.detach();
        return instance.dispose();
    }

    /**
     * Takes over the user's edit of the mesh's vertices or triangles: the cloth goes on with them as far as they are its own, starts anew from another shape,
     * or ends.
     * @returns false while the code for that is loading, and the cloth stands still
     */
    adoptEdit(): boolean {
        const instance = this.instance;
        if (!instance?.isEdited) return true;
        if (!editModule.isLoaded) {
            if (!this.pendingModules.isLoading) this.pendingModules.whenLoaded(editModule, () => {});
            return false;
        }
        const { mesh } = instance;
        const motion = instance.saveMotion();
        const edit = this._stop()!;
        try {
            if (edit.isRefined) throw new Error("its new vertices have no place in the rest shape");
            this._start(mesh, (pin) => instance.pinnedVertices(pin, edit));
            if (edit.origins) {
                this.instance!.restoreMotion(motion, this.pins, edit);
                this.instance!.cloth.inertia = instance.cloth.inertia;
            } else this._warn(`"${mesh.name}" was given another shape while it is cloth; the cloth starts anew from it`);
        } catch (error) {
            this._endRebuild(mesh, "was edited", error);
        }
        return true;
    }

    /** Goes on in another size of the mesh. @returns true if the body moves in this frame */
    private _adoptSize(instance: BodyInstance): boolean {
        try {
            return adoptSize(this, instance, this._warn);
        } catch (error) {
            this._endRebuild(instance.mesh, "has another size", error);
            return false;
        }
    }

    /** Takes the body, which could not be built anew, off its mesh. */
    private _endRebuild(mesh: Mesh, change: string, error: unknown): void {
        this._warn(`the cloth on "${mesh.name}" ends, since the mesh ${change}: ${(error as Error).message}`);
        mesh.removeBehavior(this._behavior);
        this.detach();
    }

    /**
     * Takes the cloth off its mesh, for `change` to give that other vertices, and builds it anew.
     * @param change says which of them pins hold
     * @throws what building throws; the cloth is then off its mesh
     */
    rebuildWith(change: () => PinnedVertices): BodyInstance {
        const { mesh } = this.instance!;
        this._stop();
        return this._start(mesh, change());
    }

    /**
     * Builds the cloth on a mesh. Where it fails, nothing is left of it.
     * @param pinned vertices that pins go on to hold; where it has none, those that they select
     */
    private _start(mesh: Mesh, pinned: PinnedVertices = () => undefined): BodyInstance {
        const host: BodyInstanceHost = {
            ...this._observer,
            cloneListener: this._cloneListener,
            parts: this.parts.length > 0 ? new rareModule.module.ClothParts([mesh, ...this.parts], meshTools) : null,
            warn: this._warn,
            requestModule: (part) => this.pendingModules.whenLoaded(part, () => this._syncInFrame()),
            endOutOfMemory: (error) => this._endOutOfMemory(error),
        };
        const instance = new BodyInstance(mesh, this._settings, this._kind, host);
        instance.teleports.speedLimit = this._teleportSpeed;
        instance.inertia = this._inertia;
        if (this._hasStepObservers) instance.observeSteps();
        this.instance = instance;
        try {
            if (this._isSkinned && skinModule.isLoaded) this._createSkin(instance);
            for (const pin of this.pins) instance.addPin(pin, pinned(pin));
            instance.syncColliders(this._allColliders, this.groups);
            this.selfCollision.sync(instance);
            if (!this.isPreparedLater) instance.cloth.prepare();
        } catch (error) {
            this._stop();
            throw error;
        }
        return instance;
    }
}
