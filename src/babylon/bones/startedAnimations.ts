import type { Animatable } from "@babylonjs/core/Animations/animatable.core";
import type { Matrix, Quaternion } from "@babylonjs/core/Maths/math.vector";
import type { Scene } from "@babylonjs/core/scene";
import { jointOf } from "./jointNodes";

/** Babylon's record of an animation that runs: what it has found, and the properties' names. */
interface StartedAnimation {
    readonly targetPath: string;
    readonly _originalValue: readonly (Quaternion | Matrix)[];
}

/**
 * An animation that starts between frames finds the simulated pose, and blends towards it by its weight for as long as it runs. Before the animations of the next frame,
 * it is given the pose that others have set.
 */
export class StartedAnimations {
    private readonly _known = new WeakSet<Animatable>();
    /** Number of animations at the last call, and the last of them: where both are the same, none has started. */
    private _count = 0;
    private _last: Animatable | undefined;

    constructor(private readonly _scene: Scene) {}

    /** Looks at those that have started since the last call. */
    correct(): void {
        const { animatables } = this._scene;
        const count = animatables?.length ?? 0;
        const last = count > 0 ? animatables[count - 1] : undefined;
        if (count === this._count && last === this._last) return;
        this._count = count;
        this._last = last;
        for (const animatable of animatables ?? []) {
            if (this._known.has(animatable)) continue;
            this._known.add(animatable);
            const joint = jointOf.get(animatable.target as object);
            if (!joint) continue;
            for (const animation of animatable.getAnimations() as unknown as StartedAnimation[]) {
                const found = animation._originalValue?.[0];
                if (found) joint.nodes.correct(joint.index, animation.targetPath, found);
            }
        }
    }
}
