import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { Logger } from "@babylonjs/core/Misc/logger";
import { WorldCollider, areEqual, identity } from "../../engine/index";
import type { Collider, ColliderSource } from "./colliderOptions";
import type { SceneImpulses } from "../physics/bodyImpulses";
import type { ImpulseAccumulator } from "../physics/bodyImpulses";
import { colliderRevision } from "./colliderBinding";
import type { ColliderBinding } from "./colliderBinding";
import type { ShapeProvider } from "./shapeProvider";

const pose = identity();
/** Of whom the developer was told that it is nowhere; one source may be many shapes. */
const warned = new WeakSet<ColliderSource>();

/** Knows which meshes were taken out of their scene. */
export interface MeshPresence {
    /** True if a mesh is in the scene, and of a node that is no mesh. */
    hasMesh(mesh: AbstractMesh): boolean;
    /** Marks a mesh to be looked for in the scene's list. */
    recheckMesh(mesh: AbstractMesh): void;
}

/** A source as one collider of its scene, read once a frame however many cloths meet it. */
export class SceneCollider {
    readonly world: WorldCollider;
    /** True if it is enabled, its parents, too, and in the scene; else it is not solid. */
    isPresent = true;
    /** Number of cloths that collide with it. */
    referenceCount = 0;
    /** Accumulator of its contact impulses in this frame; null for a collider that takes none. */
    accumulator: ImpulseAccumulator | null = null;
    private _frame = -1;
    private _stamp = NaN;

    constructor(
        readonly source: ColliderSource,
        readonly provider: ShapeProvider,
        private readonly _scene: SceneColliders,
        private readonly _presence: MeshPresence,
    ) {
        const { node, carrier = node } = provider;
        // It may have been taken out before.
        if (carrier && "getTotalVertices" in carrier) _presence.recheckMesh(carrier as AbstractMesh);
        this.world = new WorldCollider(provider.shape, provider.form, provider.skin);
    }

    /** Reads where the source is, unless that has been read in this frame. What is not finite stays where it was. */
    read(frame: number): void {
        if (frame === this._frame) return;
        this._frame = frame;
        const { node, instance, carrier = node } = this.provider;
        this.isPresent = !carrier || (carrier.isEnabled() && this._presence.hasMesh(carrier as AbstractMesh));
        if (!this.isPresent) return;
        this.accumulator = (node && this._scene.impulses?.accumulatorOf(node, instance, frame, false)) ?? null;
        const stamp = this.provider.poseRevision?.() ?? NaN;
        if (stamp === this._stamp) return;
        this._stamp = stamp;
        if (this.provider.readPose(pose, frame)) this.world.setPose(pose);
        else if (!warned.has(this.source)) {
            warned.add(this.source);
            const name = (this.source as { name?: string }).name ?? this.provider.shape;
            Logger.Warn(`Colliders: the place of the collider "${name}" is not finite; it stays where it was`);
        }
    }
}

/** The colliders of a scene: each source once, for as long as a cloth meets it. */
export class SceneColliders {
    /** Number of frames begun, the scene's and those by hand. */
    frame = 0;
    /** Those that are given to all its cloths. */
    readonly sceneWide: ColliderBinding[] = [];
    /** Impulses of cloths on the scene's physics bodies; null: there was no cloth so far. */
    impulses: SceneImpulses | null = null;
    constructor(private readonly _presence: MeshPresence) {}

    private readonly _colliders = new Map<ColliderSource, SceneCollider[]>();

    /** Begins a frame: sources are read anew, and those that were disposed are given to no one any more. */
    beginFrame(): void {
        this.frame++;
        for (let i = this.sceneWide.length - 1; i >= 0; i--) {
            const collider = this.sceneWide[i];
            const loss = collider.review(this.sceneWide.length);
            if (loss === null) continue;
            Logger.Warn(`Colliders: the collider "${collider.name}" ${loss}; it is dropped`);
            this.remove(collider);
        }
    }

    /** Gives a collider to all cloths of the scene, from their next frame on. */
    add(collider: ColliderBinding): void {
        this.sceneWide.push(collider);
        colliderRevision.count++;
    }

    /** Takes it from them. */
    remove(collider: Collider): void {
        const index = this.sceneWide.findIndex((own) => own === collider);
        if (index < 0) return;
        this.sceneWide.splice(index, 1);
        colliderRevision.count++;
    }

    /** The collider of the scene that stands for a shape of a source; to be given back with {@link release}. */
    acquire(source: ColliderSource, followed: ShapeProvider): SceneCollider {
        let all = this._colliders.get(source);
        if (!all) this._colliders.set(source, (all = []));
        let found = all.find(
            ({ provider: { shape, form, fit } }) =>
                shape === followed.shape && areEqual(form, followed.form) && areEqual(fit, followed.fit),
        );
        if (!found) all.push((found = new SceneCollider(source, followed, this, this._presence)));
        found.referenceCount++;
        return found;
    }

    /** Lets go of a collider; it ends with the last one who does. */
    release(collider: SceneCollider): void {
        if (--collider.referenceCount > 0) return;
        const all = this._colliders.get(collider.source)!;
        all.splice(all.indexOf(collider), 1);
        if (all.length === 0) this._colliders.delete(collider.source);
    }
}
