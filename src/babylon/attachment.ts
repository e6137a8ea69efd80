import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { identity, invert, isNearlyIdentity, multiply } from "../engine/math/affine";
import type { Affine } from "../engine/math/affine";
import { getKernels } from "../engine/world/kernelAccess";
import { mapPointCloud } from "../engine/math/pointCloud";
import type { Body } from "../engine/bodies/body";
import type { ClothSettings } from "../engine/state/settings";
import { perturbFlat } from "../engine/state/perturbFlat";
import { canCollide } from "../engine/collision/broadphase/collisionGroups";
import type { Groups } from "../engine/collision/broadphase/collisionGroups";
import { Stopwatch } from "../engine/world/stopwatch";
import { reject } from "../engine/state/validate";
import type { World } from "../engine/world/world";
import type { AttachmentHost, WorldEdit } from "./attachmentHost";
import type { BodyBinding, Form } from "./form";
import type { Edit } from "./mesh/edits";
import type { ColliderBinding } from "./sources/colliderBinding";
import { Meetings } from "./sources/meetings";
import { worldMatrixOf } from "./nodes";
import { Jumps } from "./frames/jumps";
import type { Motion } from "./motion";
import { Place } from "./place";
import { SceneFrames } from "./frames/sceneFrames";
import type { PinBinding } from "./pins/pinBinding";
import { pickVertices } from "./pins/select";
import { contextOf } from "./pins/selectContext";

/** Cloth that has moved less than this along any axis is not drawn anew [m]. */
const VISIBLE_MOTION = 1e-5;

/** Within a call: a motion of what carries a cloth; mean displacement of its pins since what is drawn, x y z [m], and their number; a map with that. */
const jump = identity();
const lag = new Float64Array(4);
const lagged = identity();
/** How the cloth is drawn, within a call: as an argument, a number that is no integer would be boxed. */
const view = { toLocal: lagged, alpha: NaN };

/**
 * A behavior's hold on one mesh, from attach to detach: the binding, the cloth, and what happens in a frame.
 *
 *     poses of pins and colliders → fixed steps → write-back
 */
export class Attachment {
    readonly mesh: Mesh;
    readonly binding: BodyBinding;
    readonly cloth: Body;
    /** Of its scene. */
    readonly world: World;
    /** Where the mesh is. */
    readonly place: Place;
    /** Time of a frame's write-back. */
    readonly stopwatch = new Stopwatch(1);
    /** The mesh's world matrix when it was last drawn, and its revision; -1 where what is drawn goes ahead of it. */
    private readonly _drawnWorld = identity();
    private _drawnRevision = -1;
    private readonly _alone: readonly Body[];
    private readonly _pinned = new WeakMap<PinBinding, readonly number[]>();
    /** Jumps of what carries the cloth. */
    readonly jumps = new Jumps();
    private readonly _frames: SceneFrames;
    /** The colliders that the cloth meets. */
    readonly meetings: Meetings;
    /** The scene's time when it was last asked, and what the cloth takes for the world's [s]. */
    private _sceneTime = NaN;
    private _worldTime = NaN;
    /** Length of the frame that is to begin [s]; what is no time counts as 0. As an argument it would be boxed. */
    seconds = NaN;
    /** Whether the mesh shows what colliders have pushed in the picture only. */
    private _isCaughtUp = false;
    /** The pins of the present frame. */
    private _pulling: readonly PinBinding[] = [];
    private _isStepping = false;
    private _isDisposed = false;

    /**
     * @throws RangeError or Error when the mesh cannot be cloth; the mesh is then as it was
     */
    constructor(
        mesh: Mesh,
        settings: ClothSettings,
        private readonly _form: Form,
        private readonly _host: AttachmentHost,
    ) {
        this.mesh = mesh;
        const place = (this.place = new Place(mesh, _form.owner));
        this._drawnWorld.set(place.matrix);
        this._frames = SceneFrames.of(mesh.getScene());
        this.world = this._frames.world;
        this._sceneTime = this._worldTime = this.world.time;
        const kernels = getKernels();
        this.binding = _form.bind(mesh, kernels, place.pose, _host.clones);
        if (this.binding.takeMove) place.home = place.matrix.slice();
        place.centre(this.binding.restPositions);
        try {
            this.cloth = _form.build(this.binding, kernels, settings, place.pose, this.restPositions, place.origin);
        } catch (error) {
            this.binding.dispose();
            throw error;
        }
        this.meetings = new Meetings(this.cloth, this._frames.colliders, mesh, (part) => _host.lacks(part));
        // Nothing is drawn yet.
        this.cloth.accumulatedMotion = Infinity;
        this.cloth.winds = this.world.winds;
        this._alone = [this.cloth];
    }

    /** Rest positions of the particles at the mesh's present transform, simulation space [m], shape [particleCount, 3]. */
    get restPositions(): Float32Array {
        this.place.locate();
        return posed(this.binding.restPositions, this.place.pose);
    }

    /** Starts to hold a pin's vertices. @param vertices left out: those that the pin selects */
    addPin(pin: PinBinding, vertices: readonly number[] = this._select(pin)): void {
        const held = new Map<number, number>();
        for (const v of vertices) held.set(this.binding.particleOfVertex[v], v);
        const particles = Uint32Array.from(held.keys());
        const { restPositions, weld } = this.binding;
        const numbers = { particles, vertices: Uint32Array.from(held.values()) };
        const at = { ...numbers, context: contextOf(this.binding), restPositions, isTorn: weld !== null };
        pin.attach(this.cloth, at, this.place, this.place.origin, this._host);
        this._pinned.set(pin, vertices);
    }

    private _select(pin: PinBinding): readonly number[] {
        const vertices = pickVertices(`${this._form.owner}: pin`, pin.select, contextOf(this.binding));
        if (vertices.length === 0) this._host.warn(`a pin of "${this.mesh.name}" selects no vertex`);
        return vertices;
    }

    /** The vertices that a pin holds, by their numbers after an edit of the mesh. */
    pinnedBy(pin: PinBinding, edit: Edit | null): readonly number[] | undefined {
        const pinned = this._pinned.get(pin);
        const sources = edit?.origins?.sources;
        if (!pinned || !sources) return edit ? undefined : pinned;
        const isPinned = new Set(pinned);
        return Array.from(sources.keys()).filter((v) => isPinned.has(sources[v]));
    }

    /**
     * Has the cloth meet its own colliders and those of its scene, as far as their groups and masks agree, and no others.
     * @throws RangeError when one of its own is the mesh itself, or there is no memory left
     */
    meet(own: readonly ColliderBinding[], groups: Groups): void {
        const isMesh = ({ source, followed }: ColliderBinding): boolean =>
            source === this.mesh || (followed.parts.length > 0 && followed.parts.every(({ node }) => node === this.mesh));
        if (own.some(isMesh)) {
            reject(`${this._form.owner}: addCollider`, "source", "another mesh than the one that is cloth", this.mesh.name);
        }
        const others = this._frames.colliders.given.filter((collider) => !isMesh(collider));
        this.meetings.review([...own, ...others].filter(({ settings }) => canCollide(settings, groups)));
    }

    /** Advances by hand, alone. For the arguments see {@link beginFrame}. */
    advance(pins: readonly PinBinding[]): void {
        if (!this.beginFrame(pins)) return;
        this.world.advance(this._alone);
        this.endFrame();
    }

    /**
     * Begins a frame's motion: tells the poses. The world then takes the steps.
     * @returns whether it has begun: not from within the cloth's own steps
     */
    beginFrame(pins: readonly PinBinding[]): boolean {
        if (this._isStepping) return false;
        if (!(this.seconds > 0)) this.seconds = 0;
        this._followWorldTime();
        this.cloth.rebaseIfFar();
        this.place.locate();
        // The longest distance that is motion, not a jump. What is dropped of a long frame makes its motion faster.
        const { fixedTimeStep, maxStepsPerFrame } = this.cloth.settings;
        const { jumps, seconds: time } = this;
        jumps.distance = jumps.speedLimit * fixedTimeStep * Math.max(1, Math.min(maxStepsPerFrame, time / fixedTimeStep));
        const { frame, impulses } = this._frames.colliders;
        for (let i = 0; i < pins.length; i++) {
            pins[i].findTaker(impulses, frame, this.place.origin, this._host);
            pins[i].update(this.place.origin);
        }
        this.takeMove();
        this._pulling = pins;
        this.meetings.follow(jumps);
        if (jumps.isJump(pins) && jumps.take(pins, this._drawnWorld, this.place.matrix, jump)) {
            this._teleport();
        }
        this._isStepping = true;
        this.cloth.clock.frameSeconds = this.seconds;
        this.cloth.clock.frameEnd = this._worldTime;
        this.cloth.beginFrame();
        if (this._form.buckles) perturbFlat(this.cloth);
        return true;
    }

    /** Has a body whose node was moved be there. */
    takeMove(): void {
        if (this.binding.takeMove?.(jump)) this._teleport();
    }

    /** Lets the frame that has begun pass without its steps; what carries the cloth takes it along as it is. */
    skipFrame(pins: readonly PinBinding[]): void {
        const { cloth, jumps } = this;
        cloth.skipFrame();
        if (!cloth.hasMovingCarrier || !jumps.take(pins, this._drawnWorld, this.place.matrix, jump)) return;
        this._teleport();
    }

    /** The cloth has come along with its carrier's {@link jump}, and its origin maybe with it. */
    private _teleport(): void {
        this.cloth.teleport(jump);
        this.cloth.accumulatedMotion = Infinity;
        this.place.locate();
    }

    /** Ends a frame's motion. */
    endFrame(): void {
        this._isStepping = false;
        this.meetings.giveBack();
        for (let i = 0; i < this._pulling.length; i++)
            this._pulling[i].giveBack(this._frames.colliders.impulses, this.place.origin);
        try {
            this.cloth.endFrame();
        } finally {
            if (this._isDisposed) this.cloth.release();
        }
    }

    /** Keeps to the scene's time. Where the scene does not run, what is stepped by hand makes its own. */
    private _followWorldTime(): void {
        const { time } = this.world;
        if (time !== this._sceneTime) this._worldTime = this._sceneTime = time;
        else if (this.seconds < Infinity) this._worldTime += this.seconds;
    }

    /** Writes the present state into the mesh. @param isUntouched whether the mesh is for certain where it was when the frame began */
    write(isUntouched = false): void {
        if (this._isDisposed) return;
        this.stopwatch.beginFrame();
        this.stopwatch.start();
        if (!(isUntouched ? this.place.isSomewhere : this.place.locate())) {
            this._host.warn(`the world matrix of "${this.mesh.name}" is not finite and invertible; it is not drawn anew`);
            return;
        }
        const { clock, settings, state, renderContacts: picture } = this.cloth;
        const alpha = clock.alpha(settings);
        view.alpha = alpha;
        const isLagging = this._measureLag();
        // Nothing that moves is near what is asleep.
        const isBehind = picture !== null && !this.cloth.isAsleep && picture.needsUpdate(this.cloth, alpha, lag);
        if (isBehind || this._isCaughtUp || !this._isDrawn()) {
            this._draw(isBehind, isLagging);
            // What it has moved is where it was drawn.
            if (this.binding.takeMove) this.place.locate();
            this._isCaughtUp = isBehind;
            this._drawnWorld.set(this.place.matrix);
            this._drawnRevision = isLagging ? -1 : this.place.revision;
            this.cloth.accumulatedMotion = (1 - alpha) * state.motion;
        }
        this.stopwatch.lap(0);
        this.stopwatch.endFrame();
    }

    /** Whether the mesh already shows this, or something that no one can tell from it. */
    private _isDrawn(): boolean {
        const { accumulatedMotion: drift } = this.cloth;
        if (!(drift < VISIBLE_MOTION) || this._drawnRevision !== this.place.revision) return false;
        return !this.cloth.hasMovingCarrier;
    }

    /**
     * The picture shows the cloth up to a step ago, but pins where they are now: the whole cloth is drawn moved along by the
     * pins' mean displacement since then, so that a fast carrier does not tear a gap between the pins and their neighbours.
     * @returns whether there is any
     */
    private _measureLag(): boolean {
        const { pins } = this.cloth;
        lag.fill(0);
        let isSettled = true;
        for (let i = 0; i < pins.length; i++) isSettled &&= pins[i].isSettled;
        if (isSettled) return false;
        for (let i = 0; i < pins.length; i++) pins[i].addRenderLag(view.alpha, lag);
        for (let c = 0; c < 3 && lag[3] > 0; c++) lag[c] /= lag[3];
        return lag[0] !== 0 || lag[1] !== 0 || lag[2] !== 0;
    }

    /** Writes the mesh. @param isBehind whether colliders have yet to push what is drawn */
    private _draw(isBehind: boolean, isLagging: boolean): void {
        const { toLocal: m } = this.place;
        const { state, pins, renderContacts: picture } = this.cloth;
        for (let i = 0; i < pins.length; i++) pins[i].placeForRender(state, lag[0], lag[1], lag[2]);
        if (isBehind) {
            picture!.resolve(this.cloth, view.alpha, lag);
            view.toLocal = m;
            view.alpha = 1;
            this.binding.write(picture!, view);
        } else if (isLagging) {
            lagged.set(m);
            for (let c = 0; c < 3; c++) lagged[12 + c] += lag[0] * m[c] + lag[1] * m[4 + c] + lag[2] * m[8 + c];
            view.toLocal = lagged;
            this.binding.write(state, view);
        } else {
            view.toLocal = m;
            this.binding.write(state, view);
        }
        for (let i = 0; isLagging && i < pins.length; i++) pins[i].placeForRender(state, 0, 0, 0);
    }

    /** Back to the rest shape at the mesh's present transform, at rest; pins hold it there. What is scaled to nothing is nowhere to go back to. */
    reset(pins: readonly PinBinding[]): void {
        if (!this.place.locate()) return;
        this._worldTime = this._sceneTime;
        // What it lies on may have been put elsewhere, too.
        this._frames.colliders.beginFrame();
        this.meetings.follow(this.jumps);
        this.jumps.forget();
        this.cloth.resetTo(this.restPositions);
        this.cloth.accumulatedMotion = Infinity;
        for (const pin of pins) pin.grab(this.place.origin);
    }

    /** Where the particles are and how they move. */
    saveMotion(): Motion {
        const { _worldTime: worldTime, cloth, binding } = this;
        const { origin } = this.place;
        cloth.collisionProxy?.restoreSubsteps();
        const { substep, definition: plan, state } = cloth;
        const particleOfVertex = binding.particleOfVertex.slice();
        const fineness = plan.substepController?.saveState(cloth);
        return { origin, worldTime, substep, fineness, ofParticles: state.saveMotion(), particleOfVertex };
    }

    /** Takes over the motion of the same mesh's last attachment; pins hold their particles there. @param edit of the mesh since */
    restoreMotion(motion: Motion, pins: readonly PinBinding[], edit: WorldEdit | null = null): void {
        const { cloth } = this;
        const { origin } = this.place;
        this._worldTime = motion.worldTime;
        this._sceneTime = this.world.time;
        cloth.rebase(motion.origin[0] - origin[0], motion.origin[1] - origin[1], motion.origin[2] - origin[2]);
        origin.set(motion.origin);
        // By vertices: what rides on what depends on the mesh's size, too.
        const sources = edit?.origins!.sources;
        const from = sources ? sources.map((v) => motion.particleOfVertex[v]) : motion.particleOfVertex;
        cloth.substep = motion.substep;
        cloth.invalidate();
        cloth.definition.substepController?.restoreState(motion.fineness);
        cloth.state.restoreMotion(motion.ofParticles, this.binding.particleOfVertex, from, motion.blend);
        if (edit?.moves) this._move(edit.origins!.map);
        for (const pin of pins) pin.grab(origin);
    }

    /** Moves the particles as a map of mesh-local space moves the mesh. */
    private _move(map: Affine): void {
        const local = identity();
        const world = identity();
        if (!this.place.locate()) return;
        multiply(this.place.toLocal, map, local);
        multiply(local, this.place.pose, world);
        this.cloth.state.transform(world);
    }

    /** Has the host hear of the steps. */
    listen(): void {
        this.cloth.observer = this._host;
    }

    /** Whether the user has given the mesh other vertices or triangles than the cloth has. */
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
        this.meetings.review([]);
        this.world.disableSelfCollision(this.cloth);
        const back = identity();
        const toLocal = identity();
        if (!this.mesh.isDisposed() && invert(worldMatrixOf(this.mesh), toLocal)) multiply(this._drawnWorld, toLocal, back);
        const edit = this.binding.dispose(back);
        this.cloth.clock.stop();
        if (!this._isStepping) this.cloth.release();
        return edit && { ...edit, moves: isNearlyIdentity(back) };
    }
}

/** Points mapped by a pose, shape [n, 3]. */
function posed(local: Float32Array, pose: Affine): Float32Array {
    return mapPointCloud(local, pose).mapped;
}
