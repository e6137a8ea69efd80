import type { Node } from "@babylonjs/core/node";
import type { Body } from "../../engine/bodies/body";
import type { Collider } from "../../engine/collision/shapes/collider";
import type { MotionLimit } from "../../engine/collision/shapes/jumpDetector";
import { contactPart, shapeParts } from "../../engine/world/lazyModules";
import type { Part } from "../../engine/world/lazyModules";
import { noImpulse } from "../physics/impulses";
import type { ColliderBinding } from "./colliderBinding";
import type { Source } from "./source";
import type { SceneCollider, SceneColliders } from "./sceneColliders";

/** Within a call. */
const impulse = noImpulse();

/** A cloth and a collider of its scene that meet. */
export interface Meeting {
    readonly binding: ColliderBinding;
    /** Which of the shapes that the collider follows. */
    readonly part: Source;
    readonly inScene: SceneCollider;
    readonly inBody: Collider;
}

/** The colliders that a cloth meets. */
export class Meetings {
    private readonly _meetings: Meeting[] = [];

    /** All of them. */
    get all(): readonly Meeting[] {
        return this._meetings;
    }

    constructor(
        private readonly _cloth: Body,
        private readonly _scene: SceneColliders,
        /** The cloth's mesh, which it does not meet; null: none. */
        private readonly _mesh: Node | null,
        /** Told of what shapes lack, which are not met until it is here and they are reviewed again. */
        private readonly _lacks: (part: Part<unknown>) => void,
    ) {}

    /**
     * Has the cloth meet these colliders, and no others.
     * @throws RangeError when there is no memory left; some are then not met
     */
    review(colliders: readonly ColliderBinding[]): void {
        const { _meetings: meetings } = this;
        const met = new Set(meetings.map(({ part }) => part));
        const wanted = new Map<Source, ColliderBinding>();
        const lacking = new Set<Part<unknown>>();
        for (const binding of colliders) {
            for (const part of binding.followed.parts) {
                // A physics body of several meshes may carry the cloth, too.
                if (this._mesh && part.node === this._mesh) continue;
                const lacks = [contactPart, shapeParts[part.shape], this._cloth.definition.colliderModule].filter(
                    (code) => code?.isLoaded === false,
                );
                if (lacks.length === 0) wanted.set(part, binding);
                for (const code of lacks) lacking.add(code!);
            }
        }
        lacking.forEach(this._lacks);
        for (let i = meetings.length - 1; i >= 0; i--) if (!wanted.has(meetings[i].part)) this._end(i);
        for (const [part, binding] of wanted) if (!met.has(part)) this._begin(binding, part);
    }

    /** Tells the cloth where its colliders are in this frame. @param limit what counts as motion */
    follow(limit: MotionLimit): void {
        const { _meetings: meetings, _cloth: cloth, _scene: scene } = this;
        for (let i = 0; i < meetings.length; i++) {
            const { inScene, inBody, binding } = meetings[i];
            inScene.read(scene.frame);
            const { taker } = inScene;
            if (!taker || binding.settings.influence === 0) inBody.dynamicBody = null;
            else if (inBody.dynamicBody) {
                inBody.dynamicBody.mass = taker.mass;
                inBody.dynamicBody.gyration = taker.gyration;
            } else inBody.dynamicBody = new contactPart.module.DynamicBodyProxy(taker.mass, taker.gyration);
            inBody.updatePose(inScene.world, cloth.origin, limit);
        }
    }

    /** Gives what the contacts of this frame have given back to the physics bodies that take it. */
    giveBack(): void {
        const { _meetings: meetings, _cloth: cloth, _scene: scene } = this;
        for (let i = 0; i < meetings.length; i++) {
            const { inScene, inBody, binding } = meetings[i];
            if (!inScene.taker || !inBody.dynamicBody) continue;
            inBody.dynamicBody.takeImpulse(inBody.data, impulse, cloth.settings);
            scene.impulses.add(inScene.taker, impulse, cloth.origin, binding.settings.influence);
        }
    }

    private _begin(binding: ColliderBinding, part: Source): void {
        const inScene = this._scene.acquire(binding.source, part);
        try {
            inScene.read(this._scene.frame);
            const inBody = contactPart.module.attachCollider(this._cloth, inScene.world, binding.settings);
            this._meetings.push({ binding, part, inScene, inBody });
        } catch (error) {
            this._scene.release(inScene);
            throw error;
        }
    }

    private _end(index: number): void {
        const [{ inScene, inBody }] = this._meetings.splice(index, 1);
        this._cloth.removeCollider(inBody);
        inBody.release();
        this._scene.release(inScene);
    }
}
