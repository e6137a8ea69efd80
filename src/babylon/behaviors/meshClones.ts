import type { Behavior } from "@babylonjs/core/Behaviors/behavior";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { identity, invert, multiply } from "../../engine/index";
import type { BodyHooks } from "./bodyHooks";
import type { BodyInstance } from "./bodyInstance";
import { CopiedHierarchy } from "../mesh/copiedHierarchy";
import type { CloneListener } from "../mesh/geometryOverride";

/** A cloth that can be made again. */
export interface Cloneable {
    /**
     * Another like it, on no mesh yet.
     * @param begin called once, with its first attachment
     * @param onFirstFrame called once, before its first frame
     */
    copy(
        begin: (instance: BodyInstance) => void,
        onFirstFrame: (copied: CopiedBody) => void,
        parts?: readonly Mesh[],
    ): Behavior<Mesh>;
}

/** A copy before its first frame. */
export interface CopiedBody {
    /** Has it hang on, and meet, the copies of what its original does, where those were copied. */
    followCopies(hierarchy: CopiedHierarchy): void;
}

/** The cloth whose mesh is copied. */
interface CloneSource {
    readonly instance: BodyInstance | null;
    readonly hooks: BodyHooks;
    readonly skin: { readonly isFollowed: boolean };
}

/** Makes cloth of the copies of a cloth's mesh: of the same settings, pins and colliders, in the same drape and motion. */
export class MeshCloneListener implements CloneListener {
    private readonly _copies = new WeakMap<Mesh, Behavior<Mesh>>();

    constructor(
        private readonly _behavior: Cloneable,
        private readonly _original: CloneSource,
        private readonly _warn: (message: string) => void,
    ) {}

    onCloned(clone: Mesh, isPosed: boolean): void {
        const { instance, skin } = this._original;
        if (!isPosed && !instance!.binding.parts) return this._copyTo(clone);
        if (isPosed && !skin.isFollowed) return;
        // Babylon gives it a skeleton and targets of its own right after this, and copies its parts.
        clone.getScene().onBeforeRenderObservable.addOnce(() => {
            if (this._original.instance && !clone.isDisposed() && !clone.getBehaviorByName("Cloth")) this._copyTo(clone);
        });
    }

    private _copyTo(clone: Mesh): void {
        const { mesh, binding } = this._original.instance!;
        try {
            const copy = this._behavior.copy(
                (instance) => {
                    // On a skin, which may be posed otherwise, it begins there.
                    if (this._original.instance && !instance.skin) copyMotion(instance, this._original.instance);
                },
                // Babylon copies the rest of the hierarchy after the geometry of a mesh.
                (copied) => copied.followCopies(new CopiedHierarchy(mesh, clone)),
                binding.parts?.copiesIn(new CopiedHierarchy(mesh, clone)),
            );
            this._copies.set(clone, copy);
            clone.addBehavior(copy);
            // What builders make has its behavior at hand.
            if ((mesh as { cloth?: unknown }).cloth === this._behavior) Object.assign(clone, { cloth: copy });
            this._original.hooks.onCloned?.(clone, copy);
        } catch (error) {
            this._warn(`a clone of "${mesh.name}" stands still: ${(error as Error).message}`);
        }
    }

    onToolCloned(clone: Mesh): void {
        const copy = this._copies.get(clone);
        if (copy) clone.removeBehavior(copy);
    }
}

/** Has a copy take over the motion of its original, as far from it as their meshes are apart. */
function copyMotion(copy: BodyInstance, original: BodyInstance): void {
    const { cloth, space } = copy;
    copy.restoreMotion(original.saveMotion(), []);
    cloth.clock.restoreMotion(original.cloth.clock.saveMotion());
    const copies = cloth.pins.filter(({ isCoupling }) => !isCoupling);
    original.cloth.pins
        .filter(({ isCoupling }) => !isCoupling)
        .forEach((pins, i) => copies[i].restoreMotion(pins.offsets, pins.saveMotion()));
    const change = identity();
    if (!original.space.update() || !invert(original.space.worldMatrix, change)) return;
    multiply(change.slice(), space.worldMatrix, change);
    cloth.teleport(change);
    cloth.accumulatedMotion = Infinity;
    space.update();
    // It may be put elsewhere before the next frame.
    copy.teleports.expectTeleport();
}
