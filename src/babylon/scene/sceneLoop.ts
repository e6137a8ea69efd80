import type { Observer } from "@babylonjs/core/Misc/observable";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Scene } from "@babylonjs/core/scene";
import { MAX_BATCH_PARTICLES, WorldTime, newScheduleEntry } from "../../engine/index";
import type { Body, Budget, ScheduleEntry, VectorLike, World } from "../../engine/index";
import { checkScene } from "../support/validation";
import { Visibility } from "./visibility";
import { SceneColliders } from "../colliders/sceneColliders";

/** A frame of a cloth that has begun. */
export interface StartedFrame {
    readonly cloth: Body;
    /** The steps have been taken. */
    endFrame(): void;
}

/** A body as its scene's loop calls it in a frame. */
export interface FrameListener {
    /** Turn under a time budget. */
    readonly turn: ScheduleEntry;
    /** True if it moves and is drawn before the others begin, which may collide with its node or be pinned to it. */
    readonly runsFirst: boolean;
    /** True if, of those that run first, it is the last: bone chains follow what ragdolls have posed. */
    readonly isLastOfFirst?: true;
    /**
     * Time has passed: {@link SceneLoop.seconds}.
     * @returns what has begun a frame, whose steps are then taken; null for nothing
     */
    beginFrame(): StartedFrame | null;
    /** Ends a begun frame without steps. */
    skipFrame(): void;
    /**
     * The frame is about to be drawn.
     * @param isUntouched whether no code of the user's has run since it was told to begin this frame
     */
    onDraw(isUntouched: boolean): void;
    /** Follows a move of the world's origin, see {@link ClothOrigin.shift}. */
    shiftOrigin?(offset: VectorLike): void;
}

/** Stands for a listener that was removed while the others are told. */
const REMOVED_LISTENER: FrameListener = {
    turn: newScheduleEntry(),
    runsFirst: false,
    beginFrame: () => null,
    skipFrame() {},
    onDraw() {},
};

/** In the list of begun frames, a place that is free. */
const EMPTY_FRAME: StartedFrame = { cloth: undefined as unknown as Body, endFrame() {} };

const loops = new WeakMap<Scene, SceneLoop>();
/** The observers that draw, of all scenes: they need no order among themselves. */
const renderObservers = new WeakSet<Observer<Scene>>();

/**
 * The frames of a scene, for all its cloths: time and drawing come in the before-render observable, after every other
 * observer there, so that what users move in theirs counts in the same frame. With a deterministic lockstep engine, time
 * comes once per lockstep step, after its animations and physics.
 */
export class SceneLoop {
    /** Time that the scene has run while it had cloth, and its winds. */
    readonly clock = new WorldTime();
    /** The bodies' world, see {@link worldOf}; null: there was none so far. */
    world: World | null = null;
    readonly colliders = new SceneColliders(this);
    readonly visibility: Visibility;
    /** Limits the time that they take of a frame; null: nothing does. */
    budget: Budget | null = null;
    /** Time scale beside the engine's; 0: in {@link step} only. */
    timeScale = 1;
    /** Time of the present frame [s]: 0 if the scene is rendered again within one. As an argument it would be boxed. */
    seconds = NaN;
    /** Those that have begun a frame, and their bodies. */
    private readonly _startedFrames: StartedFrame[] = [];
    private readonly _bodies: Body[] = [];
    /** True while a frame runs. */
    isRunningFrame = false;
    /** True if users observe steps: all cloths then begin before their code runs, and none is drawn before. */
    private _hasStepObservers = false;
    private _failure: { error: unknown } | null = null;
    private readonly _listeners: FrameListener[] = [];
    /** Number of bodies that run first. */
    private _firstCount = 0;
    /** Meshes that were not in the scene's list when they were last looked up. */
    private readonly _missingMeshes = new WeakSet<AbstractMesh>();
    private _missingCount = 0;
    private _removeObservers: (() => void) | null = null;
    /** True between begin and end of an engine's frame; beside it, if that frame's time was taken. */
    private _isInFrame = false;
    private _isFrameTimeCounted = false;

    private constructor(private readonly _scene: Scene) {
        this.visibility = new Visibility(_scene);
    }

    /** The frames of a scene; one object a scene. */
    static of(scene: Scene): SceneLoop {
        let frames = loops.get(scene);
        if (!frames) loops.set(scene, (frames = new SceneLoop(scene)));
        return frames;
    }

    /** Begins to tell a listener. */
    add(listener: FrameListener): void {
        this._listeners.push(listener);
        this._removeObservers ??= this._observe();
    }

    /** Ends it; with the last listener the scene and the engine have their observers back. */
    remove(listener: FrameListener): void {
        const index = this._listeners.indexOf(listener);
        if (index < 0) return;
        this._listeners[index] = REMOVED_LISTENER;
        if (this._listeners.some((other) => other !== REMOVED_LISTENER)) return;
        this._removeObservers!();
        this._removeObservers = null;
        this._hasStepObservers = false;
    }

    /** Moves all bodies. @param offset added to places in the world [m] */
    shiftOrigin(offset: VectorLike): void {
        for (const listener of this._listeners) listener.shiftOrigin?.(offset);
    }

    /** Says that users hear of the steps of a cloth. */
    observeSteps(): void {
        this._hasStepObservers = true;
    }

    /** True if a mesh that was in the scene when its cloth began, or is to be looked for again, is in the scene's list. */
    hasMesh(mesh: AbstractMesh): boolean {
        if (this._missingCount === 0 || !this._missingMeshes.has(mesh)) return true;
        // A mesh that comes back is told of too late, after its first frame.
        if (!this._scene.meshes.includes(mesh)) return false;
        this._missingMeshes.delete(mesh);
        this._missingCount--;
        return true;
    }

    /** Marks a mesh to be looked for in the scene's list. */
    recheckMesh(mesh: AbstractMesh): void {
        if (this._missingMeshes.has(mesh)) return;
        this._missingMeshes.add(mesh);
        this._missingCount++;
    }

    private _observe(): () => void {
        const scene = this._scene;
        const engine = scene.getEngine();
        const isLockstep = engine.isDeterministicLockStep();
        const step = isLockstep
            ? scene.onAfterStepObservable.add(() => {
                  if (this.timeScale > 0) this._runFrame(true);
              })
            : null;
        const render = scene.onBeforeRenderObservable.add(() => {
            // Rendered from within a step, time has been told.
            if (!isLockstep && !this.isRunningFrame && this.timeScale > 0) this._runFrame(false);
            else for (let i = 0; i < this._listeners.length; i++) this._listeners[i].onDraw(false);
        });
        renderObservers.add(render);
        const order = scene.onBeforeAnimationsObservable.add(() => this._moveObserverLast(render));
        const removed = scene.onMeshRemovedObservable.add((mesh) => this.recheckMesh(mesh));
        const begin = engine.onBeginFrameObservable.add(() => {
            this._isInFrame = true;
            this._isFrameTimeCounted = false;
        });
        const end = engine.onEndFrameObservable.add(() => {
            this._isInFrame = false;
        });
        return () => {
            scene.onAfterStepObservable.remove(step);
            scene.onBeforeRenderObservable.remove(render);
            scene.onBeforeAnimationsObservable.remove(order);
            scene.onMeshRemovedObservable.remove(removed);
            engine.onBeginFrameObservable.remove(begin);
            engine.onEndFrameObservable.remove(end);
            this._isInFrame = false;
        };
    }

    /** A frame's time passes once, however often the scene is rendered in it. */
    private _measureTime(isLockstep: boolean): void {
        const engine = this._scene.getEngine();
        if (isLockstep) this.seconds = (engine.getTimeStep() / 1000) * this.timeScale;
        else if (this._isInFrame && this._isFrameTimeCounted) this.seconds = 0;
        else {
            this._isFrameTimeCounted = true;
            this.seconds = (engine.getDeltaTime() / 1000) * this.timeScale;
        }
    }

    /** @param isLockstep whether this is a step of a lockstep engine, which does not draw; else they are drawn, too */
    private _runFrame(isLockstep: boolean): void {
        if (this.isRunningFrame) return;
        this._measureTime(isLockstep);
        this.visibility.update();
        this._advanceFrame(!isLockstep, this.budget);
    }

    /** A frame by hand, not within another: whoever sees them, all move and are drawn. @param seconds time that passes [s] */
    step(seconds: number): void {
        this.seconds = seconds;
        this.visibility.showEverything();
        this._sortListeners();
        this._advanceFrame(true, null);
    }

    /**
     * Has the listeners begin a frame, the world take the steps, and the listeners end it. What one of them throws comes last:
     * it leaves no other untold or undrawn.
     */
    private _advanceFrame(isDrawn: boolean, budget: Budget | null): void {
        this.isRunningFrame = true;
        const { _listeners: listeners } = this;
        const count = listeners.length;
        this._failure = null;
        this.clock.advanceTime(this.seconds);
        this.colliders.beginFrame();
        budget?.beginFrame(listeners);
        for (let first = 0; first < count;) {
            budget?.beginGroup();
            const end = this._stepListeners(first, count, budget);
            if (isDrawn || end <= this._firstCount) this._drawListeners(first, end, !this._hasStepObservers);
            budget?.endGroup();
            first = end;
        }
        if (isDrawn) this._drawListeners(count, listeners.length, false);
        // Not emptied: lists that are give their memory back, and ask for it anew.
        this._startedFrames.fill(EMPTY_FRAME);
        this._bodies.fill(EMPTY_FRAME.cloth);
        this.colliders.impulses?.apply();
        this.isRunningFrame = false;
        if (this._failure) throw (this._failure as { error: unknown }).error;
    }

    /** Moves a group of listeners, from the `first`-th on, through a frame; all of them where users hear of steps. @returns the one after the last */
    private _stepListeners(first: number, count: number, budget: Budget | null): number {
        const { world, _startedFrames: startedFrames, _bodies: bodies, _listeners: listeners } = this;
        let end = first;
        let startedCount = 0;
        const areFirst = first < this._firstCount;
        const isWhole = this._hasStepObservers || world?.hasSteppingGroups || areFirst;
        const last = areFirst ? this._firstCount : count;
        for (let particles = 0; end < last && (particles < MAX_BATCH_PARTICLES || isWhole); end++) {
            try {
                const listener = listeners[end];
                const frame = listener.beginFrame();
                if (!frame) continue;
                if (budget && !fitsBudget(budget, listener.turn, frame.cloth)) listener.skipFrame();
                startedFrames[startedCount] = frame;
                bodies[startedCount++] = frame.cloth;
                particles += frame.cloth.state.paddedCount;
            } catch (error) {
                this._failure ??= { error };
            }
        }
        try {
            world?.advance(bodies, startedCount);
        } catch (error) {
            this._failure ??= { error };
        }
        for (let i = 0; i < startedCount; i++) {
            try {
                startedFrames[i].endFrame();
            } catch (error) {
                this._failure ??= { error };
            }
        }
        return end;
    }

    private _drawListeners(first: number, end: number, isUntouched: boolean): void {
        for (let i = first; i < end; i++) {
            try {
                this._listeners[i].onDraw(isUntouched);
            } catch (error) {
                this._failure ??= { error };
            }
        }
    }

    /** Forgets who was removed, and puts those first that go first. */
    private _sortListeners(): void {
        const { _listeners: listeners } = this;
        for (let i = listeners.length - 1; i >= 0; i--) {
            if (listeners[i] === REMOVED_LISTENER) listeners.splice(i, 1);
        }
        this._firstCount = 0;
        for (let i = 0; i < listeners.length; i++) {
            if (!listeners[i].runsFirst) continue;
            const last = this._firstCount++;
            const place = last > 0 && listeners[last - 1].isLastOfFirst ? last - 1 : last;
            if (i > place) listeners.splice(place, 0, ...listeners.splice(i, 1));
        }
    }

    private _moveObserverLast(render: Observer<Scene>): void {
        this._sortListeners();
        const { onBeforeRenderObservable } = this._scene;
        const { observers } = onBeforeRenderObservable;
        for (let i = observers.length - 1; i >= 0 && observers[i] !== render; i--) {
            if (!renderObservers.has(observers[i])) {
                onBeforeRenderObservable.makeObserverBottomPriority(render);
                return;
            }
        }
    }
}

/** True if a cloth's due steps fit the budget. */
function fitsBudget(budget: Budget, turn: ScheduleEntry, { clock, settings, state }: Body): boolean {
    return clock.steps === 0 || budget.accepts(turn, clock.steps, settings.substepCount * state.paddedCount);
}

/** The frames of a scene that a user gives. @throws RangeError when it is none */
export function sceneLoopOf(owner: string, scene: Scene): SceneLoop {
    checkScene(owner, scene);
    return SceneLoop.of(scene);
}
