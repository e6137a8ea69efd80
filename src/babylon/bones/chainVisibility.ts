import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { BOUNDS_SCALE, FADE, HYSTERESIS, UNSEEN_FRAMES } from "../scene/updatePolicy";
import type { Visibility } from "../scene/visibility";

/** Within a call. */
const distance = new Float64Array(1);

/** Settings of when chains pause; an object, as a number as an argument would be boxed. */
interface Pauses {
    readonly alwaysUpdate: boolean;
    readonly pauseDistance: number;
}

/** Tells whether chains are seen, and how near they are: out of view of all cameras, and beyond their pause distance, they stand as animated. */
export class ChainVisibility {
    /** Meshes that the chains move, or lie on; none: they always count as seen. */
    private readonly _meshes: readonly Mesh[];
    /** Share of the simulation: falls to 0 over the fifth before where a pause may begin. */
    nearness = 1;
    private _isTooFar = false;
    private _unseenFrames = 0;

    constructor(
        node: TransformNode,
        wearer: TransformNode,
        private readonly _visibility: Visibility,
    ) {
        const all = new Set([node, wearer, ...node.getChildMeshes(false)] as Mesh[]);
        this._meshes = Array.from(all).filter((mesh) => mesh.getTotalVertices?.() > 0);
    }

    /** True if the chains move in this frame. @param ball world x y z and radius of what they may reach [m]; its radius is changed */
    update(ball: Float64Array, { alwaysUpdate, pauseDistance }: Pauses): boolean {
        this.nearness = 1;
        if (pauseDistance < Infinity) {
            this._visibility.measureDistance(ball, distance);
            const far = (distance[0] - ball[3]) / pauseDistance;
            this._isTooFar = far > (this._isTooFar ? 1 - HYSTERESIS : 1);
            if (this._isTooFar) return false;
            this.nearness = Math.min(1, Math.max(0, (1 - HYSTERESIS - far) / FADE));
        }
        ball[3] *= BOUNDS_SCALE;
        if (alwaysUpdate || this._isSeen(ball)) this._unseenFrames = 0;
        else if (this._unseenFrames < UNSEEN_FRAMES) this._unseenFrames++;
        return this._unseenFrames < UNSEEN_FRAMES;
    }

    private _isSeen(ball: Float64Array): boolean {
        const { _meshes: meshes, _visibility: visibility } = this;
        if (visibility.isEverythingVisible || meshes.length === 0) return true;
        for (let i = 0; i < meshes.length; i++) if (visibility.isVisible(meshes[i], ball)) return true;
        return false;
    }
}
