import type { Observer } from "@babylonjs/core/Misc/observable";
import type { Scene } from "@babylonjs/core/scene";
import { newScheduleEntry } from "../../engine/index";
import type { BoneRig } from "../../engine/index";
import { colliderRevision } from "../colliders/colliderBinding";
import { SceneLoop } from "../scene/sceneLoop";
import { StartedAnimations } from "./startedAnimations";
import type { FrameListener } from "../scene/sceneLoop";

/** Chains of one node, as their scene moves them. */
export interface SceneChains {
    /** Takes in colliders that have changed. */
    refresh(): void;
    /** Reads the pose of this frame. @returns the rig that is to be stepped; null: none */
    beginFrame(seconds: number): BoneRig | null;
    /** Writes the result to the bones. */
    endFrame(): void;
    /** Puts the animated pose back. */
    putBack(): void;
}

const scenes = new WeakMap<Scene, BoneChainScene>();

/** All bone chains of a scene: they are stepped one after the other, before the cloth of the same frame, with the pose of that frame; before the next animation, that pose is put back. */
export class BoneChainScene implements FrameListener {
    readonly turn = newScheduleEntry();
    readonly runsFirst = true;
    readonly isLastOfFirst = true;
    readonly loop: SceneLoop;
    private readonly _chains: SceneChains[] = [];
    private readonly _started: StartedAnimations;
    private _observer: Observer<Scene> | null = null;
    /** True if time has passed in this frame. */
    private _hasTime = false;
    private _seenColliderRevision = -1;

    private constructor(private readonly _scene: Scene) {
        this.loop = SceneLoop.of(_scene);
        this._started = new StartedAnimations(_scene);
    }

    static of(scene: Scene): BoneChainScene {
        let chains = scenes.get(scene);
        if (!chains) scenes.set(scene, (chains = new BoneChainScene(scene)));
        return chains;
    }

    add(chains: SceneChains): void {
        this._chains.push(chains);
        if (this._observer) return;
        this.loop.add(this);
        // Before all others, which may read or set poses.
        this._observer = this._scene.onBeforeAnimationsObservable.add(() => this._putBack(), undefined, true);
    }

    remove(chains: SceneChains): void {
        const index = this._chains.indexOf(chains);
        if (index >= 0) this._chains.splice(index, 1);
        if (this._chains.length > 0 || !this._observer) return;
        this.loop.remove(this);
        this._scene.onBeforeAnimationsObservable.remove(this._observer);
        this._observer = null;
    }

    beginFrame(): null {
        this._hasTime = true;
        if (this._seenColliderRevision !== colliderRevision.count) {
            this._seenColliderRevision = colliderRevision.count;
            for (const chains of this._chains.slice()) chains.refresh();
        }
        return null;
    }

    skipFrame(): void {}

    /** Steps and draws: after all others that run first, such as ragdolls, are drawn. Drawn again without time, the same is drawn. */
    onDraw(): void {
        const { _chains: chains } = this;
        const seconds = this._hasTime ? this.loop.seconds : 0;
        this._hasTime = false;
        for (let i = 0; i < chains.length; i++) {
            const rig = chains[i].beginFrame(seconds);
            if (!rig) continue;
            rig.step();
            chains[i].endFrame();
        }
    }

    private _putBack(): void {
        this._started.correct();
        for (let i = 0; i < this._chains.length; i++) this._chains[i].putBack();
    }
}
