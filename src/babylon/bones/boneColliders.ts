import { Logger } from "@babylonjs/core/Misc/logger";
import { reject, writeBoneCollider } from "../../engine/index";
import type { BoneRig, WorldCollider } from "../../engine/index";
import { ColliderBinding } from "../colliders/colliderBinding";
import type { ColliderEntry, ColliderSource } from "../colliders/colliderOptions";
import { isColliderEntry } from "../colliders/colliderOptions";
import type { SceneCollider, SceneColliders } from "../colliders/sceneColliders";
import type { ShapeProvider } from "../colliders/shapeProvider";
import { OWNER } from "./boneChainOptions";

/** A collider of bone chains: a source, each of its shapes a {@link SceneCollider} while the chains are in a scene. */
export class BoneCollider {
    /** Number of shapes. */
    readonly count: number;
    private _shapes: SceneCollider[] = [];
    private readonly _revisions: number[] = [];
    private _margin = NaN;
    /** True if it is told that it can be followed no longer. */
    private _isTold = false;

    /** Parts of {@link ColliderBinding.providers} that it follows: others after a change of the geometry. */
    private readonly _parts: readonly ShapeProvider[];

    private constructor(
        readonly binding: ColliderBinding,
        readonly isInside: boolean,
    ) {
        this._parts = binding.providers.list;
        this.count = this._parts.length;
    }

    /** @throws RangeError on a source or option that cannot be used, or a shape that chains do not meet */
    static from(entry: ColliderSource | ColliderEntry): BoneCollider {
        const { source, inside = false, ...options } = isColliderEntry(entry) ? entry : ({ source: entry } as ColliderEntry);
        const binding = new ColliderBinding(source, options, OWNER);
        const { shape } = binding.providers;
        if (inside && shape !== "sphere" && shape !== "capsule")
            reject(OWNER, "inside", "false but for a sphere or a capsule", shape);
        return (
            BoneCollider.of(binding, inside) ??
            reject(OWNER, "colliders", 'spheres, capsules, boxes and planes (give `shape: "box"` or `"capsule"`)', shape)
        );
    }

    /** Null for a shape that chains do not meet. */
    static of(binding: ColliderBinding, isInside = false): BoneCollider | null {
        const { list } = binding.providers;
        return list.every((part) => writeBoneCollider.supports(part.shape)) ? new BoneCollider(binding, isInside) : null;
    }

    /** True if the source has other parts by now. */
    get isStale(): boolean {
        return this.binding.providers.list !== this._parts;
    }

    /** That of the source as it is now; itself where nothing has changed, or chains do not meet it any more. */
    renewed(): BoneCollider {
        return (this.isStale && BoneCollider.of(this.binding, this.isInside)) || this;
    }

    get source(): ColliderSource {
        return this.binding.source;
    }

    /** Its shapes in the world. */
    get worlds(): WorldCollider[] {
        return this._shapes.map(({ world }) => world);
    }

    /** Begins in a scene. */
    start(colliders: SceneColliders): void {
        this._shapes = this._parts.map((part) => colliders.acquire(this.binding.source, part));
        this._revisions.length = 0;
    }

    stop(colliders: SceneColliders): void {
        for (const shape of this._shapes) colliders.release(shape);
        this._shapes = [];
    }

    /** Writes where its shapes are, from an index on. */
    write(rig: BoneRig, first: number, frame: number): void {
        const { _shapes: shapes, _revisions: revisions, binding } = this;
        const { margin } = binding;
        const loss = binding.review(1);
        const isGone = loss !== null;
        if (isGone && !this._isTold) Logger.Warn(`${OWNER}: the collider "${binding.name}" ${loss}; it is met no longer`);
        this._isTold = isGone;
        for (let i = 0; i < shapes.length; i++) {
            const shape = shapes[i];
            if (!isGone) shape.read(frame);
            if (isGone || !shape.isPresent || shape.world.revision === 0) {
                writeBoneCollider.none(rig, first + i);
                revisions[i] = -1;
            } else if (revisions[i] !== shape.world.revision || margin !== this._margin) {
                revisions[i] = shape.world.revision;
                writeBoneCollider.at(
                    rig,
                    first + i,
                    shape.world.shape,
                    shape.world.geometry,
                    shape.world.pose,
                    this.isInside,
                    margin,
                );
            }
        }
        this._margin = margin;
    }
}
