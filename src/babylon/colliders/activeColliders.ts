import type { Node } from "@babylonjs/core/node";
import { contactModule, shapeModules } from "../../engine/index";
import type { Body, Collider, LazyModule, MotionLimit } from "../../engine/index";
import { createImpulse } from "../physics/bodyImpulses";
import type { ColliderBinding } from "./colliderBinding";
import type { ShapeProvider } from "./shapeProvider";
import type { SceneCollider, SceneColliders } from "./sceneColliders";

/** Within a call. */
const impulse = createImpulse();

/** A cloth and a collider of its scene that meet. */
export interface ActiveCollider {
    readonly binding: ColliderBinding;
    /** Shape that the collider follows. */
    readonly provider: ShapeProvider;
    readonly sceneCollider: SceneCollider;
    readonly bodyCollider: Collider;
}

/** The colliders that a cloth meets. */
export class ActiveColliders {
    private readonly _active: ActiveCollider[] = [];

    /** All of them. */
    get all(): readonly ActiveCollider[] {
        return this._active;
    }

    constructor(
        private readonly _cloth: Body,
        private readonly _scene: SceneColliders,
        /** The cloth's mesh, which it does not meet; null: none. */
        private readonly _mesh: Node | null,
        /** Told of what shapes lack, which are not met until it is here and they are reviewed again. */
        private readonly _requestModule: (part: LazyModule<unknown>) => void,
    ) {}

    /**
     * Has the cloth meet these colliders, and no others.
     * @throws RangeError when there is no memory left; some are then not met
     */
    sync(colliders: readonly ColliderBinding[]): void {
        const { _active: activeColliders } = this;
        const met = new Set(activeColliders.map(({ provider }) => provider));
        const wanted = new Map<ShapeProvider, ColliderBinding>();
        const lacking = new Set<LazyModule<unknown>>();
        for (const binding of colliders) {
            for (const part of binding.providers.list) {
                // A physics body of several meshes may carry the cloth, too.
                if (this._mesh && part.node === this._mesh) continue;
                const lacks = [contactModule, shapeModules[part.shape], this._cloth.definition.colliderModule].filter(
                    (code) => code?.isLoaded === false,
                );
                if (lacks.length === 0) wanted.set(part, binding);
                for (const code of lacks) lacking.add(code!);
            }
        }
        lacking.forEach(this._requestModule);
        for (let i = activeColliders.length - 1; i >= 0; i--) if (!wanted.has(activeColliders[i].provider)) this._deactivate(i);
        for (const [part, binding] of wanted) if (!met.has(part)) this._activate(binding, part);
    }

    /** Tells the cloth where its colliders are in this frame. @param limit what counts as motion */
    updatePoses(limit: MotionLimit): void {
        const { _active: activeColliders, _cloth: cloth, _scene: scene } = this;
        for (let i = 0; i < activeColliders.length; i++) {
            const { sceneCollider, bodyCollider, binding } = activeColliders[i];
            sceneCollider.read(scene.frame);
            if (sceneCollider.isPresent !== bodyCollider.hasPose) cloth.wake();
            if (!sceneCollider.isPresent) {
                if (bodyCollider.hasPose) bodyCollider.leave();
                continue;
            }
            const { accumulator } = sceneCollider;
            if (!accumulator || binding.settings.influence === 0) bodyCollider.dynamicBody = null;
            else if (bodyCollider.dynamicBody) {
                bodyCollider.dynamicBody.mass = accumulator.mass;
                bodyCollider.dynamicBody.gyration = accumulator.gyration;
            } else bodyCollider.dynamicBody = new contactModule.module.DynamicBodyProxy(accumulator.mass, accumulator.gyration);
            bodyCollider.updatePose(sceneCollider.world, cloth.origin, limit);
        }
    }

    /** Gives what the contacts of this frame have given back to the physics bodies that take it. */
    applyReactions(): void {
        const { _active: activeColliders, _cloth: cloth, _scene: scene } = this;
        for (let i = 0; i < activeColliders.length; i++) {
            const { sceneCollider, bodyCollider, binding } = activeColliders[i];
            if (!sceneCollider.accumulator || !bodyCollider.dynamicBody) continue;
            bodyCollider.dynamicBody.takeImpulse(bodyCollider.data, impulse, cloth.settings);
            scene.impulses!.add(sceneCollider.accumulator, impulse, cloth.origin, binding.settings.influence);
        }
    }

    private _activate(binding: ColliderBinding, part: ShapeProvider): void {
        const inScene = this._scene.acquire(binding.source, part);
        try {
            inScene.read(this._scene.frame);
            const inBody = contactModule.module.attachCollider(this._cloth, inScene.world, binding.settings);
            this._active.push({ binding, provider: part, sceneCollider: inScene, bodyCollider: inBody });
        } catch (error) {
            this._scene.release(inScene);
            throw error;
        }
    }

    private _deactivate(index: number): void {
        const [{ sceneCollider, bodyCollider }] = this._active.splice(index, 1);
        this._cloth.removeCollider(bodyCollider);
        bodyCollider.release();
        this._scene.release(sceneCollider);
    }
}
