import type { Behavior } from "@babylonjs/core/Behaviors/behavior";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Observable } from "@babylonjs/core/Misc/observable";
import { isSupported } from "../engine/world/kernelAccess";
import type { StepObserver } from "../engine/bodies/body";
import { newScheduleEntry } from "../engine/world/budget";
import { defaultGroups } from "../engine/collision/broadphase/collisionGroups";
import type { ClothSettings } from "../engine/state/settings";
import type { VectorLike } from "../engine/math/vector";
import { Arrivals } from "./frames/arrivals";
import { Attachment } from "./attachment";
import type { AttachmentHost, WorldEdit } from "./attachmentHost";
import { ClothClones } from "./clones";
import type { Copied } from "./clones";
import type { Form } from "./form";
import type { ClothCollision, Collider } from "./handles";
import { DEFAULT_TELEPORT_SPEED } from "./frames/jumps";
import { dropLost } from "./frames/losses";
import { NearBodies } from "./physics/nearBodies";
import { Layers } from "./layers";
import type { PinBinding } from "./pins/pinBinding";
import { PinList } from "./pins/pinList";
import { SceneFrames } from "./frames/sceneFrames";
import type { FrameListener } from "./frames/sceneFrames";
import { changesOfMeetings } from "./sources/colliderBinding";
import type { ColliderBinding } from "./sources/colliderBinding";
import { reportRefusal, warner } from "./warner";
import { Watch } from "./frames/watch";

/** The vertices that a pin held before its cloth was built anew. */
export type PinnedVertices = (pin: PinBinding) => readonly number[] | undefined;

/** What a driver reads of its behavior. */
export interface Driven extends Behavior<Mesh>, Copied {
    readonly attachedNode: Mesh | null;
    readonly onCollisionObservable: Observable<ClothCollision>;
    readonly autoStep: boolean;
    readonly enabled: boolean;
    readonly gravity: VectorLike | null;
}

const drivers = new WeakMap<object, ClothDriver>();

/** The driver of a cloth's behavior, for what looks into it; undefined of anything else. */
export function driverOf(behavior: object): ClothDriver | undefined {
    return drivers.get(behavior);
}

/**
 * Takes a behavior's cloth through its life: attached to a mesh, stepped and drawn with its scene's frames, built anew where
 * the mesh or the memory asks for it, and detached. Pins and colliders stay from one attachment to the next.
 */
export class ClothDriver implements FrameListener {
    readonly pinList = new PinList(() => this.attachment);
    readonly pins: readonly PinBinding[] = this.pinList.all;
    readonly colliders: ColliderBinding[] = [];
    /** See {@link ClothBehavior.collisionGroup}. */
    readonly groups = defaultGroups();
    readonly layers: Layers;
    /** What it waits for, at rest. */
    readonly arrivals: Arrivals;
    readonly turn = newScheduleEntry();
    /** Whether and how finely it moves, by who sees it. */
    readonly watch: Watch;
    /** The cloth on its mesh, while it is on one. */
    attachment: Attachment | null = null;
    /** Time that {@link advance} adds [s]; as an argument it would be boxed. */
    seconds = NaN;
    /** Called before the first attachment; gives what undoes it, where there is none after all. */
    onAttaching: ((mesh: Mesh) => () => void) | null = null;
    /** Called once with the first attachment; what it throws ends that. */
    onAttached: ((attachment: Attachment) => void) | null = null;
    /** Called once before the first frame. */
    onFirstFrame: (() => void) | null = null;
    /** What ends each of the warm starts that go on: they step the cloth in place of the scene. */
    readonly warmStarts = new Set<() => void>();
    private _teleportSpeed = DEFAULT_TELEPORT_SPEED;
    private _frames: SceneFrames | null = null;
    private _near: NearBodies | null = null;
    /** See {@link changesOfMeetings}. */
    private _seenChanges = 0;
    private readonly _warn: (message: string) => void;
    /** Whether users have ever heard of the steps. */
    private _isHeard = false;
    /** Whether this frame has begun, so that what it began with need not be asked for again to draw it. */
    private _hasBegun = false;
    private readonly _clones: ClothClones;
    /** Whether no one sees it in this frame. */
    private _isUnseen = false;
    readonly goesFirst: boolean;

    constructor(
        private readonly _behavior: Driven,
        private readonly _settings: ClothSettings,
        private readonly _form: Form,
        private readonly _observer: StepObserver,
    ) {
        drivers.set(_behavior, this);
        this._warn = warner(_form.owner);
        this.goesFirst = _form.goesFirst ?? false;
        this.arrivals = new Arrivals(this._warn);
        this.layers = new Layers(this.groups, this.arrivals, () => this.meet());
        this.watch = new Watch(_settings);
        this._clones = new ClothClones(_behavior, this, this._warn);
    }

    /** See {@link ClothBehavior.teleportSpeed}. */
    get teleportSpeed(): number {
        return this._teleportSpeed;
    }
    set teleportSpeed(value: number) {
        this._teleportSpeed = value;
        if (this.attachment) this.attachment.jumps.speedLimit = value;
    }

    /** Users hear of the steps from now on. */
    listen(): void {
        this._isHeard = true;
        this.attachment?.listen();
        this._frames?.hear();
    }

    /** @throws RangeError when the cloth cannot meet it; it is then not added */
    addCollider(collider: ColliderBinding): void {
        this.colliders.push(collider);
        try {
            this.meet();
        } catch (error) {
            this.colliders.splice(this.colliders.indexOf(collider), 1);
            throw error;
        }
    }

    removeCollider(collider: Collider): void {
        const index = this.colliders.findIndex((own) => own === collider);
        if (index < 0) return;
        this.colliders.splice(index, 1);
        this.meet();
    }

    /** See {@link ClothBehavior.collideWithPhysics}. */
    get collideWithPhysics(): boolean {
        return this._near !== null;
    }
    set collideWithPhysics(value: boolean) {
        if (value === this.collideWithPhysics) return;
        this._near = value ? new NearBodies() : null;
        this.meet();
    }

    /** Its own colliders, and bodies that are near. */
    private get _met(): readonly ColliderBinding[] {
        return this._near ? [...this.colliders, ...this._near.all] : this.colliders;
    }

    /** Has the cloth meet what it is to meet. */
    meet(): void {
        const { attachment } = this;
        this._seenChanges = changesOfMeetings.count;
        attachment?.meet(this._met, this.groups);
        if (attachment) this.layers.review(attachment);
    }

    /**
     * Attaches at once. Where WebAssembly SIMD is refused, logs one error and leaves the mesh as it is.
     * @throws Error when the mesh cannot be cloth; it is then as it was
     */
    attach(mesh: Mesh): void {
        const { _behavior: own, attachment } = this;
        const { owner } = this._form;
        if (attachment) throw new Error(`${owner}: it can be on one mesh only; this one is on "${attachment.mesh.name}"`);
        for (const behavior of mesh.behaviors) {
            if (behavior !== own && "onCollisionObservable" in behavior && (behavior as Driven).attachedNode === mesh) {
                throw new Error(`${owner}: a mesh can be one body only; "${mesh.name}" is one by its "${behavior.name}"`);
            }
        }
        const undo = this.onAttaching?.(mesh);
        try {
            if (!isSupported()) return reportRefusal(this._form.owner);
            this._start(mesh);
            if (!this.attachment) return;
            this.onAttached?.(this.attachment);
        } catch (error) {
            this._stop();
            undo?.();
            throw error;
        }
        this.onAttaching = this.onAttached = null;
        this._frames?.remove(this);
        this._frames = SceneFrames.of(mesh.getScene());
        this._frames.doubt(mesh);
        this._frames.sight.watch(mesh);
        this._frames.add(this);
        if (this._isHeard) this._frames.hear();
    }

    /** Idempotent. */
    detach(): void {
        const { _frames: frames, attachment } = this;
        frames?.remove(this);
        if (attachment) frames?.sight.forget(attachment.mesh);
        this._frames = null;
        this._isUnseen = false;
        this._stop();
    }

    /** Builds the cloth anew where it is attached. */
    rebuild(): void {
        const mesh = this.attachment?.mesh;
        if (!mesh) return;
        this.detach();
        this.attach(mesh);
    }

    beginFrame(): Attachment | null {
        this._hasBegun = false;
        if (!this._behavior.autoStep || this.warmStarts.size > 0) return null;
        const isPaused = this._isPaused || this.arrivals.areDue;
        this._isUnseen = !isPaused && !this.watch.isDue(this.attachment!, this, this._frames!.sight);
        if (!isPaused && !this._isUnseen) {
            const attachment = this._prepareFrame();
            if (!attachment) return null;
            attachment.seconds = this._frames!.seconds;
            this._hasBegun = attachment.beginFrame(this.pins);
            return this._hasBegun ? attachment : null;
        }
        this.attachment?.jumps.expect();
        return null;
    }

    skipFrame(): void {
        this.attachment?.skipFrame(this.pins);
    }

    onDraw(isUntouched: boolean): void {
        if (this._isUnseen) return;
        if (isUntouched && this._hasBegun) return this.attachment?.write(true);
        this.adoptEdit();
        if (this._behavior.autoStep && !this._isPaused) this.attachment?.write();
    }

    /** Fixed steps for the time of a frame by hand, {@link seconds}. */
    advance(): void {
        this._frames?.colliders.beginFrame();
        const attachment = this._prepareFrame();
        if (!attachment) return;
        attachment.seconds = this.seconds;
        attachment.advance(this.pins);
        this._frames?.colliders.impulses.give();
    }

    /** Takes in what may have changed since the last frame. @returns what is to begin a frame */
    private _prepareFrame(): Attachment | null {
        this.adoptEdit();
        if (!this.attachment) return null;
        this.onFirstFrame?.();
        this.onFirstFrame = null;
        dropLost(this, this._warn);
        const { mesh, cloth } = this.attachment;
        cloth.recordContactEvents(this._behavior.onCollisionObservable.hasObservers());
        if (cloth.solver?.warning) this._warn(cloth.solver.warning);
        const areOthersNear = this._near?.review(mesh, this.colliders, this._frames!.colliders.given);
        if (areOthersNear || this._seenChanges !== changesOfMeetings.count) this.meet();
        const gravity = this._behavior.gravity ?? mesh.getScene().gravity;
        // Vectors may be changed in place, past the setter: what is not finite is no gravity.
        this._settings.gravity[0] = Number.isFinite(gravity.x) ? gravity.x : 0;
        this._settings.gravity[1] = Number.isFinite(gravity.y) ? gravity.y : 0;
        this._settings.gravity[2] = Number.isFinite(gravity.z) ? gravity.z : 0;
        return this.attachment;
    }

    private get _isPaused(): boolean {
        const mesh = this.attachment?.mesh;
        return !mesh || !this._behavior.enabled || !mesh.isEnabled() || !this._frames!.has(mesh);
    }

    /** Ends the running cloth. @returns what the user has done to the mesh's vertices and triangles meanwhile */
    private _stop(): WorldEdit | null {
        const attachment = this.attachment;
        this.attachment = null;
        if (!attachment) return null;
        for (const pin of this.pins) pin.detach();
        return attachment.dispose();
    }

    /**
     * Where the user has edited the mesh's vertices or triangles, the cloth goes on with them as far as they are its own, starts
     * anew from another shape, or ends.
     */
    adoptEdit(): void {
        const attachment = this.attachment;
        if (!attachment?.isEdited) return;
        const { mesh } = attachment;
        const motion = attachment.saveMotion();
        const edit = this._stop()!;
        try {
            if (edit.isRefined) throw new Error("its new vertices have no place in the rest shape");
            this._start(mesh, (pin) => attachment.pinnedBy(pin, edit));
            if (edit.origins) this.attachment?.restoreMotion(motion, this.pins, edit);
            else this._warn(`"${mesh.name}" was given another shape while it is cloth; the cloth starts anew from it`);
        } catch (error) {
            this._warn(`the cloth on "${mesh.name}" ends, since the mesh was edited: ${(error as Error).message}`);
            mesh.removeBehavior(this._behavior);
            this.detach();
        }
    }

    /**
     * Takes the cloth off its mesh, for `change` to give that other vertices, and builds it anew.
     * @param change says which of them pins hold
     * @throws what building throws; the cloth is then off its mesh
     */
    replace(change: () => PinnedVertices): Attachment {
        const { mesh } = this.attachment!;
        this._stop();
        return this._start(mesh, change());
    }

    /**
     * Builds the cloth on a mesh. Where it fails, nothing is left of it.
     * @param pinned vertices that pins go on to hold; where it has none, those that they select
     */
    private _start(mesh: Mesh, pinned: PinnedVertices = () => undefined): Attachment {
        const host: AttachmentHost = {
            ...this._observer,
            clones: this._clones,
            warn: this._warn,
            lacks: (part) => this.arrivals.when(part, () => this.meet()),
        };
        const attachment = new Attachment(mesh, this._settings, this._form, host);
        attachment.jumps.speedLimit = this._teleportSpeed;
        if (this._isHeard) attachment.listen();
        this.attachment = attachment;
        try {
            for (const pin of this.pins) attachment.addPin(pin, pinned(pin));
            attachment.meet(this._met, this.groups);
            this.layers.review(attachment);
            attachment.cloth.prepare();
        } catch (error) {
            this._stop();
            throw error;
        }
        return attachment;
    }
}
