import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { Scene } from "@babylonjs/core/scene";

/** Decay of the longest step so far: one that something else has held up does not count for ever. */
const MAX_STEP_DECAY = 0.9;
/** Room for one that takes longer than those before, as a share of what is expected. */
const TIME_MARGIN = 0.2;

/** Share of the present frame that a scene's warm starts have used. */
interface FrameCost {
    frame: number;
    milliseconds: number;
}

const frameCosts = new WeakMap<Scene, FrameCost>();

/** A cloth, as its warm start uses it. */
export interface WarmStartBody {
    readonly attachedNode: Mesh | null;
    readonly enabled: boolean;
    readonly fixedTimeStep: number;
}

/** Steps the cloth, and keeps the scene from doing so meanwhile. */
export interface WarmStartRuntime {
    /** Functions that end the warm starts in progress. */
    readonly warmStarts: Set<() => void>;
    /** The cloth on its mesh. */
    readonly instance: { write(): void } | null;
    /** Modules that are still loading; the cloth rests meanwhile. */
    readonly pendingModules: { readonly isLoading: boolean };
    /** Time that {@link advance} adds [s]. */
    seconds: number;
    advance(): void;
}

/**
 * Takes a cloth through a time, in slices: in each frame of its scene as many fixed steps as fit, at least one, judged by the
 * longest before, and then drawn. Those of one scene share its
 * frames: the first goes first.
 * @param milliseconds for a slice
 * @returns settled when the time has passed, or the cloth is no longer on its mesh; rejected by what a step throws
 */
export function warmStart(
    cloth: WarmStartBody,
    mesh: Mesh,
    warmer: WarmStartRuntime,
    seconds: number,
    milliseconds: number,
): Promise<void> {
    const { onBeforeRenderObservable } = mesh.getScene();
    let left = Math.round(seconds / cloth.fixedTimeStep);
    const slice = new Slice(cloth, warmer, mesh.getScene(), milliseconds);
    return new Promise((resolve, reject) => {
        const observer = onBeforeRenderObservable.add(() => {
            try {
                // The scene steps it again from the frame after the last slice on.
                if (left > 0 && cloth.attachedNode === mesh) left -= slice.run(left);
                else end(resolve);
            } catch (error) {
                end(() => reject(error));
            }
        });
        const leave = (): void => end(resolve);
        const end = (settle: () => void): void => {
            onBeforeRenderObservable.remove(observer);
            warmer.warmStarts.delete(leave);
            settle();
        };
        warmer.warmStarts.add(leave);
    });
}

/** The part of a warm start that fits into a frame. */
class Slice {
    /** Longest time of a step, and of drawing, so far [ms]; both unknown at first: the first slice takes one step. */
    private _stepMilliseconds = 0;
    private _drawMilliseconds = 0;
    private _isKnown = false;

    constructor(
        private readonly _cloth: WarmStartBody,
        private readonly _runtime: WarmStartRuntime,
        private readonly _scene: Scene,
        private readonly _milliseconds: number,
    ) {}

    /** @returns how many steps it has taken, of at most `left` */
    run(left: number): number {
        const { _cloth: cloth, _runtime: warmer } = this;
        const frame = frameCostOf(this._scene);
        if (warmer.pendingModules.isLoading) return 0;
        // Someone takes a step in each frame.
        const isFirst = frame.milliseconds === 0;
        const start = performance.now() - frame.milliseconds;
        let now = start + frame.milliseconds;
        let done = 0;
        const fits = (): boolean =>
            this._isKnown &&
            now - start + (1 + TIME_MARGIN) * (this._stepMilliseconds + this._drawMilliseconds) <= this._milliseconds;
        for (; done < left && cloth.enabled && ((isFirst && done === 0) || fits()); done++) {
            warmer.seconds = cloth.fixedTimeStep;
            warmer.advance();
            const before = now;
            now = performance.now();
            this._stepMilliseconds = Math.max(now - before, MAX_STEP_DECAY * this._stepMilliseconds);
        }
        if (done === 0) return 0;
        warmer.instance?.write();
        this._drawMilliseconds = Math.max(performance.now() - now, MAX_STEP_DECAY * this._drawMilliseconds);
        this._isKnown = true;
        frame.milliseconds = performance.now() - start;
        return done;
    }
}

function frameCostOf(scene: Scene): FrameCost {
    let found = frameCosts.get(scene);
    if (!found) frameCosts.set(scene, (found = { frame: -1, milliseconds: 0 }));
    if (found.frame !== scene.getFrameId()) found.milliseconds = 0;
    found.frame = scene.getFrameId();
    return found;
}
