/*
 * A few lines more than 400: one attached mesh, whose frame is one order of calls; what stands alone is beside it.
 */
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import {
    OutOfMemoryError,
    Stopwatch,
    canCollide,
    getKernels,
    identity,
    invert,
    isNearlyIdentity,
    mapPointCloud,
    multiply,
    perturbFlat,
    reject,
} from "../../engine/index";
import type { Affine, Body, ClothSettings, Groups, VectorLike, World } from "../../engine/index";
import type { BodyInstanceHost, WorldEdit, BodyBinding, BodyKind, SavedMotion } from "./bodyKind";
import type { Edit } from "../mesh/userEdits";
import type { ColliderBinding } from "../colliders/colliderBinding";
import { ActiveColliders } from "../colliders/activeColliders";
import { worldMatrixOf } from "../support/carriers";
import { TeleportDetector } from "../scene/teleport";
import type { InertiaBinding } from "./inertiaBinding";
import { readMotion, writeMotion } from "./savedMotion";
import { carrySuddenPose, carryUnfelt } from "./unfeltMotion";
import { SimulationSpace } from "./simulationSpace";
import { worldOf } from "../scene/bodyWorld";
import { SceneLoop } from "../scene/sceneLoop";
import { Suddenness } from "../pins/pinBinding";
import type { PinBinding } from "../pins/pinBinding";
import type { SkinFollower } from "../skin/skinFollower";
import { pickVertices } from "../pins/select";
import { contextOf } from "../pins/selectContext";

/** Cloth that has moved less than this along any axis is not drawn anew [m]. */
const MIN_VISIBLE_MOTION = 1e-5;

/** Within a call: a motion of what carries a cloth. */
const teleportMotion = identity();
/** Arguments of the draw, within a call: a number that is no integer would be boxed as an argument. */
const view = { toLocal: identity(), alpha: NaN };

/**
 * A behavior's hold on one mesh, from attach to detach: the binding, the cloth, and what happens in a frame.
 *
 *     poses of pins and colliders → fixed steps → write-back
 */
export class BodyInstance {
    readonly mesh: Mesh;
    readonly binding: BodyBinding;
    readonly cloth: Body;
    /** Of its scene. */
    readonly world: World;
    /** Map between mesh and simulation space. */
    readonly space: SimulationSpace;
    /** Time of a frame's write-back. */
    readonly stopwatch = new Stopwatch(1);
    /** The mesh's world matrix when it was last drawn, and its revision; -1 where what is drawn goes ahead of it. */
    private readonly _drawnWorld = identity();
    private _drawnRevision = -1;
    private readonly _bodyList: readonly Body[];
    private readonly _pinnedVertices = new WeakMap<PinBinding, readonly number[]>();
    /** Jumps of what carries the cloth. */
    readonly teleports = new TeleportDetector();
    private _inertia: InertiaBinding | null = null;
    /** The skin that the particles follow; null: none. */
    skin: SkinFollower | null = null;
    private readonly _loop: SceneLoop;
    /** The colliders that the cloth meets. */
    readonly activeColliders: ActiveColliders;
    /** The scene's time when it was last asked, and what the cloth takes for the world's [s]. */
    private _sceneTime = NaN;
    private _worldTime = NaN;
    /** Length of the frame that is to begin [s]; what is no time counts as 0. As an argument it would be boxed. */
    seconds = NaN;
    /** True if the mesh shows a correction by colliders that the particles do not have. */
    private _hasRenderCorrection = false;
    /** The pins of the present frame. */
    private _framePins: readonly PinBinding[] = [];
    private _isStepping = false;
    private _isDisposed = false;

    /**
     * @throws RangeError or Error when the mesh cannot be cloth; the mesh is then as it was
     */
    constructor(
        mesh: Mesh,
        /** As the user has set them; {@link cloth}'s may be shared with others' and are then computed. */
        private readonly _settings: ClothSettings,
        private readonly _kind: BodyKind,
        private readonly _host: BodyInstanceHost,
    ) {
        this.mesh = mesh;
        const place = (this.space = new SimulationSpace(mesh, _kind.owner));
        this._drawnWorld.set(place.worldMatrix);
        this._loop = SceneLoop.of(mesh.getScene());
        this.world = worldOf(this._loop);
        this._sceneTime = this._worldTime = this.world.time;
        const kernels = getKernels();
        this.binding = _kind.bind(mesh, kernels, place.pose, _host);
        if (this.binding.detectNodeMove) place.pinMatrix = place.worldMatrix.slice();
        place.centre(this.binding.restPositions);
        try {
            this.cloth = _kind.build(this.binding, kernels, _settings, place.pose, this.restPositions, place.origin);
        } catch (error) {
            this.binding.dispose();
            throw error;
        }
        this.activeColliders = new ActiveColliders(this.cloth, this._loop.colliders, mesh, (part) => _host.requestModule(part));
        // Nothing is drawn yet.
        this.cloth.accumulatedMotion = Infinity;
        this.cloth.winds = this.world.winds;
        this._bodyList = [this.cloth];
    }

    /** Anchor that the cloth rides on, and its shares; null: the world. */
    set inertia(value: InertiaBinding | null) {
        const isSameAnchor = value !== null && value.options.anchor === this._inertia?.options.anchor;
        if (!isSameAnchor) this.cloth.inertia = null;
        else if (this.cloth.inertia) this.cloth.inertia.settings = value.options;
        this._inertia = value;
        // A running body already has its velocity: the anchor's motion counts from the next frame on.
        if (!isSameAnchor) value?.start(this.cloth.clock.time > 0);
    }

    /** Rest positions of the particles at the mesh's present transform, simulation space [m], shape [particleCount, 3]. */
    get restPositions(): Float32Array {
        this.space.update();
        return this.skin?.readPlaces() ?? transformPoints(this.binding.restPositions, this.space.pose);
    }

    /** Starts to hold a pin's vertices. @param vertices left out: those that the pin selects */
    addPin(pin: PinBinding, vertices: readonly number[] = this._pickVertices(pin)): void {
        const held = new Map<number, number>();
        for (const v of vertices) held.set(this.binding.particleOfVertex[v], v);
        const particles = Uint32Array.from(held.keys());
        const { restPositions, weld } = this.binding;
        const numbers = { particles, vertices: Uint32Array.from(held.values()) };
        const at = { ...numbers, context: contextOf(this.binding), restPositions, isTorn: weld !== null, skin: this.skin };
        // A body that moves its own node is held in the world.
        pin.attach(this.cloth, at, this.space, this.space.pinMatrix ?? this._drawnWorld, this._host);
        this._pinnedVertices.set(pin, vertices);
    }

    private _pickVertices(pin: PinBinding): readonly number[] {
        const vertices = pickVertices(
            `${this._kind.owner}: pin`,
            pin.select,
            contextOf(this.binding, this._kind.isSheet ? this._host.warn : undefined),
        );
        if (vertices.length === 0) this._host.warn(`a pin of "${this.mesh.name}" selects no vertex`);
        return vertices;
    }

    /** The vertices that a pin holds, by their numbers after an edit of the mesh. */
    pinnedVertices(pin: PinBinding, edit: Edit | null): readonly number[] | undefined {
        const pinned = this._pinnedVertices.get(pin);
        const sources = edit?.origins?.sources;
        if (!pinned || !sources) return edit ? undefined : pinned;
        const isPinned = new Set(pinned);
        return Array.from(sources.keys()).filter((v) => isPinned.has(sources[v]));
    }

    /**
     * Has the cloth meet its own colliders and those of its scene, as far as their groups and masks agree, and no others.
     * @throws RangeError when one of its own is the mesh itself, or there is no memory left
     */
    syncColliders(own: readonly ColliderBinding[], groups: Groups): void {
        const meshes: readonly unknown[] = this.binding.parts?.meshes ?? [this.mesh];
        const isMesh = ({ source, providers }: ColliderBinding): boolean =>
            meshes.includes(source) || (providers.list.length > 0 && providers.list.every(({ node }) => meshes.includes(node)));
        if (own.some(isMesh)) {
            reject(`${this._kind.owner}: addCollider`, "source", "another mesh than the one that is cloth", this.mesh.name);
        }
        const others = this._loop.colliders.sceneWide.filter((collider) => !isMesh(collider));
        this.activeColliders.sync([...own, ...others].filter(({ settings }) => canCollide(settings, groups)));
    }

    /** Advances by hand, alone. For the arguments see {@link beginFrame}. */
    advance(pins: readonly PinBinding[]): void {
        if (!this.beginFrame(pins)) return;
        this.world.advance(this._bodyList);
        this.endFrame();
    }

    /**
     * Begins a frame's motion: tells the poses. The world then takes the steps.
     * @returns whether it has begun: not from within the cloth's own steps
     */
    beginFrame(pins: readonly PinBinding[]): boolean {
        if (this._isStepping) return false;
        if (!(this.seconds > 0)) this.seconds = 0;
        this._syncWorldTime();
        this.cloth.rebaseIfFar();
        this.space.update();
        // The longest distance that is motion, not a jump; of a late frame, in the time that is left of it.
        const { fixedTimeStep, maxStepsPerFrame } = this._settings;
        const { teleports, seconds: time } = this;
        teleports.distance = teleports.speedLimit * fixedTimeStep * Math.max(1, Math.min(maxStepsPerFrame, time / fixedTimeStep));
        teleports.seconds = Math.max(fixedTimeStep, time);
        teleports.elapsed = time > 0 ? time : fixedTimeStep;
        this.skin?.beginFrame();
        const { frame, impulses } = this._loop.colliders;
        for (let i = 0; i < pins.length; i++) {
            pins[i].findDynamicCarrier(impulses!, frame, this.space.origin, this._host);
            pins[i].update(this.space.origin);
        }
        this.adoptNodeMove();
        this._framePins = pins;
        this.activeColliders.updatePoses(teleports);
        const isAnchorJump = this._inertia?.beginFrame(this.cloth, teleports);
        // A skin's pins have places of their own.
        const isArriving = this.cloth.inertia?.isArriving === true && !this.skin;
        const suddenness = isAnchorJump || isArriving ? Suddenness.anchorJump : teleports.measure(pins);
        const isFree = pins.length === 0 && !this._inertia && !this.binding.detectNodeMove;
        const hasNodeJumped = isFree && teleports.hasNodeJumped(this.space.worldMatrix);
        if (hasNodeJumped && suddenness === Suddenness.none) this._warnOfFreeNode();
        const isSudden = this.skin?.isSudden(teleports) || suddenness !== Suddenness.none;
        if (!isSudden) carryUnfelt(this.cloth, pins, teleports, this._inertia, this.seconds);
        else if (this.skin) this.skin.carry();
        else if (suddenness === Suddenness.pose) {
            carrySuddenPose(this.cloth, pins, teleports);
            this.space.update();
        } else if (this._readTeleport(suddenness === Suddenness.anchorJump ? [] : pins)) this._teleport();
        if (isArriving) this.seconds = 0;
        this._isStepping = true;
        this.cloth.clock.frameSeconds = this.seconds;
        this.cloth.clock.frameEnd = this._worldTime;
        this.cloth.beginFrame();
        if (this._kind.isSheet) perturbFlat(this.cloth);
        return true;
    }

    /** Writes how the cloth has jumped to {@link teleportMotion}; false where that cannot be told. */
    private _readTeleport(pins: readonly PinBinding[]): boolean {
        const { cloth, space, teleports } = this;
        return teleports.readTeleport(pins, this._drawnWorld, space.worldMatrix, teleportMotion, cloth.inertia?.frame);
    }

    /** Has a body whose node was moved be there. */
    adoptNodeMove(): void {
        if (this.binding.detectNodeMove?.(teleportMotion)) this._teleport();
    }

    private _warnOfFreeNode(): void {
        const { name } = this.mesh;
        this._host.warn(
            `the node of "${name}" has jumped, but nothing carries its cloth, which stays: teleport() takes it along, ClothOrigin.shift() all of a scene`,
        );
    }

    /** Follows a move of the world's origin: what is told relative to that of simulation space is as before. */
    shiftOrigin(offset: VectorLike, pins: readonly PinBinding[]): void {
        const by = [offset.x, offset.y, offset.z];
        for (let c = 0; c < 3; c++) {
            this.cloth.origin[c] += by[c];
            this._drawnWorld[12 + c] += by[c];
        }
        for (const pin of pins) pin.shiftOrigin(by);
        this.teleports.forgetNode();
        this._inertia?.shiftOrigin(this.cloth, by);
        this.binding.shiftOrigin?.(by);
        this.cloth.accumulatedMotion = Infinity;
    }

    /** Comes along with its mesh in another size or shape, without motion. */
    comeAlong(pins: readonly PinBinding[]): void {
        for (const pin of pins) pin.update(this.space.origin);
        this._inertia?.beginFrame(this.cloth, this.teleports);
        if (this.teleports.readTeleport([], this._drawnWorld, this.space.worldMatrix, teleportMotion)) this._teleport();
    }

    /** Lets the frame that has begun pass without its steps; what carries the cloth takes it along as it is. */
    skipFrame(pins: readonly PinBinding[]): void {
        const { cloth } = this;
        cloth.skipFrame();
        if (!cloth.hasMovingCarrier) return;
        if (this.skin) this.skin.carry();
        else if (this._readTeleport(pins)) this._teleport();
    }

    /** The cloth has come along with its carrier's {@link teleportMotion}, and its origin maybe with it. */
    private _teleport(): void {
        this.cloth.teleport(teleportMotion);
        this.cloth.accumulatedMotion = Infinity;
        this.space.update();
    }

    /** Ends a frame's motion. */
    endFrame(): void {
        this._isStepping = false;
        this.activeColliders.applyReactions();
        for (let i = 0; i < this._framePins.length; i++)
            this._framePins[i].applyReaction(this._loop.colliders.impulses!, this.space.origin);
        try {
            this.cloth.endFrame();
        } catch (error) {
            if (!(error instanceof OutOfMemoryError)) throw error;
            this._host.endOutOfMemory(error);
        } finally {
            if (this._isDisposed) this.cloth.release();
        }
    }

    /** Keeps to the scene's time. Where the scene does not run, what is stepped by hand makes its own. */
    private _syncWorldTime(): void {
        const { time } = this.world;
        if (time !== this._sceneTime) this._worldTime = this._sceneTime = time;
        else if (this.seconds < Infinity) this._worldTime += this.seconds;
    }

    /** Writes the present state into the mesh. @param isUntouched whether the mesh is for certain where it was when the frame began */
    write(isUntouched = false): void {
        if (this._isDisposed) return;
        this.stopwatch.beginFrame();
        this.stopwatch.start();
        if (!(isUntouched ? this.space.isInvertible : this.space.update())) {
            this._host.warn(`the world matrix of "${this.mesh.name}" is not finite and invertible; it is not drawn anew`);
            return;
        }
        const { clock, settings, state, renderer } = this.cloth;
        const alpha = (view.alpha = renderer.motion.alpha = clock.alpha(settings));
        renderer.update(this.cloth);
        if (renderer.isPushed || this._hasRenderCorrection || !this._isUpToDate()) {
            this._draw();
            // What it has moved is where it was drawn.
            if (this.binding.detectNodeMove) this.space.update();
            this._hasRenderCorrection = renderer.isPushed;
            this._drawnWorld.set(this.space.worldMatrix);
            this._drawnRevision = renderer.motion.isMoving ? -1 : this.space.revision;
            this.cloth.accumulatedMotion = (1 - alpha) * state.motion;
        }
        this.stopwatch.lap(0);
        this.stopwatch.endFrame();
    }

    /** True if the mesh already shows this state, or one that looks the same. */
    private _isUpToDate(): boolean {
        const { accumulatedMotion: drift } = this.cloth;
        if (!(drift < MIN_VISIBLE_MOTION) || this._drawnRevision !== this.space.revision) return false;
        return !this.cloth.hasMovingCarrier;
    }

    private _draw(): void {
        const { state, renderer } = this.cloth;
        view.toLocal = this.space.toLocal;
        if (!renderer.isCopied) return this.binding.write(state, view);
        try {
            const copy = renderer.draw(this.cloth);
            view.alpha = 1;
            this.binding.write(copy, view);
        } catch (error) {
            if (!(error instanceof OutOfMemoryError)) throw error;
            this._host.endOutOfMemory(error);
        }
    }

    /** Back to the rest shape at the mesh's present transform, at rest; pins hold it there. What is scaled to nothing is nowhere to go back to. */
    reset(pins: readonly PinBinding[]): void {
        if (!this.space.update()) return;
        this.skin?.beginFrame();
        this._worldTime = this._sceneTime;
        // What it lies on may have been put elsewhere, too.
        this._loop.colliders.beginFrame();
        this.activeColliders.updatePoses(this.teleports);
        this.teleports.cancelExpected();
        this.cloth.resetTo(this.restPositions);
        this.cloth.accumulatedMotion = Infinity;
        for (const pin of pins) pin.captureOffsets(this.space.origin);
    }

    /** Saves positions and velocities of the particles. */
    saveMotion(): SavedMotion {
        return readMotion(this, this._worldTime);
    }

    /** Takes over the motion of the same mesh's last attachment; pins hold their particles there. @param edit of the mesh since */
    restoreMotion(motion: SavedMotion, pins: readonly PinBinding[], edit: WorldEdit | null = null): void {
        this._worldTime = motion.worldTime;
        this._sceneTime = this.world.time;
        writeMotion(this, motion, edit);
        for (const pin of pins) pin.captureOffsets(this.space.origin);
    }

    /** Has the host hear of the steps. */
    observeSteps(): void {
        this.cloth.observer = this._host;
    }

    /** True if the user has given the mesh other vertices or triangles than the cloth has. */
    get isEdited(): boolean {
        return this.binding.isEdited;
    }

    /**
     * Gives the mesh its shape back and frees all memory; what is being stepped, at the end of the step. Idempotent.
     * @returns what the user has done to the mesh's vertices and triangles meanwhile; null for nothing
     */
    dispose(): WorldEdit | null {
        if (this._isDisposed) return null;
        this._isDisposed = true;
        this.activeColliders.sync([]);
        this.skin?.handBack(false);
        this.world.disableSelfCollision(this.cloth);
        const back = identity();
        const toLocal = identity();
        if (!this.mesh.isDisposed() && invert(worldMatrixOf(this.mesh), toLocal)) multiply(this._drawnWorld, toLocal, back);
        const edit = this.binding.dispose(back);
        this.cloth.clock.stop();
        if (!this._isStepping) this.cloth.release();
        return edit && { ...edit, isVertexMove: isNearlyIdentity(back) };
    }
}

/** Points mapped by a pose, shape [n, 3]. */
function transformPoints(local: Float32Array, pose: Affine): Float32Array {
    return mapPointCloud(local, pose).mapped;
}
