import type { Observer } from "@babylonjs/core/Misc/observable";
import type { Scene } from "@babylonjs/core/scene";

/** What a scene asks of a cloth in a frame. */
export interface FrameListener {
    /** Time has passed [s]. */
    onTime(seconds: number): void;
    /** The frame is about to be drawn. */
    onDraw(): void;
}

/** Observers of all cloths: they need no order among themselves. */
const hooks = new WeakSet<Observer<Scene>>();

/**
 * Ties a listener to a scene's frames: time and drawing in the before-render observable, after every other observer there, so
 * that what users move in theirs counts in the same frame. With a deterministic lockstep engine, time comes once per lockstep
 * step, after its animations and physics.
 */
export class FrameHook {
    private readonly _render: Observer<Scene>;
    private readonly _order: Observer<Scene>;
    private readonly _lockstep: Observer<Scene> | null = null;

    constructor(private readonly _scene: Scene, listener: FrameListener) {
        const engine = _scene.getEngine();
        const isLockstep = engine.isDeterministicLockStep();
        if (isLockstep) {
            this._lockstep = _scene.onAfterStepObservable.add(() => listener.onTime(engine.getTimeStep() / 1000));
        }
        this._render = _scene.onBeforeRenderObservable.add(() => {
            if (!isLockstep) listener.onTime(engine.getDeltaTime() / 1000);
            listener.onDraw();
        });
        hooks.add(this._render);
        this._order = _scene.onBeforeAnimationsObservable.add(() => this._goLast());
    }

    /** Ends the tie. Idempotent. */
    dispose(): void {
        this._scene.onBeforeRenderObservable.remove(this._render);
        this._scene.onBeforeAnimationsObservable.remove(this._order);
        this._scene.onAfterStepObservable.remove(this._lockstep);
    }

    private _goLast(): void {
        const { onBeforeRenderObservable } = this._scene;
        const { observers } = onBeforeRenderObservable;
        for (let i = observers.length - 1; i >= 0 && observers[i] !== this._render; i--) {
            if (!hooks.has(observers[i])) {
                onBeforeRenderObservable.makeObserverBottomPriority(this._render);
                return;
            }
        }
    }
}
