import type { Behavior } from "@babylonjs/core/Behaviors/behavior";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Node } from "@babylonjs/core/node";
import { identity, invert, multiply } from "../engine/math/affine";
import type { Attachment } from "./attachment";
import type { Clones } from "./mesh/geometryLoan";
import type { PinBinding } from "./pins/pinBinding";

/** A cloth that can be made again. */
export interface Copied {
    /**
     * Another like it, on no mesh yet.
     * @param begin called once, with its first attachment
     * @param onFirstFrame called once, before its first frame
     */
    copy(begin: (attachment: Attachment) => void, onFirstFrame: (pins: readonly PinBinding[]) => void): Behavior<Mesh>;
}

/** The cloth whose mesh is copied. */
interface Original {
    readonly attachment: Attachment | null;
}

/** Makes cloth of the copies of a cloth's mesh: of the same settings, pins and colliders, in the same drape and motion. */
export class ClothClones implements Clones {
    private readonly _made = new WeakMap<Mesh, Behavior<Mesh>>();

    constructor(
        private readonly _behavior: Copied,
        private readonly _original: Original,
        private readonly _warn: (message: string) => void,
    ) {}

    begin(clone: Mesh): void {
        const { mesh } = this._original.attachment!;
        try {
            const copy = this._behavior.copy(
                (attachment) => {
                    if (this._original.attachment) takeAfter(attachment, this._original.attachment);
                },
                // Babylon copies the mesh's children after its geometry.
                (pins) => pins.forEach((pin) => followChild(pin, mesh, clone)),
            );
            this._made.set(clone, copy);
            clone.addBehavior(copy);
            // What builders make has its behavior at hand.
            if ((mesh as { cloth?: unknown }).cloth === this._behavior) Object.assign(clone, { cloth: copy });
        } catch (error) {
            this._warn(`a clone of "${mesh.name}" stands still: ${(error as Error).message}`);
        }
    }

    end(clone: Mesh): void {
        const copy = this._made.get(clone);
        if (copy) clone.removeBehavior(copy);
    }
}

/** What a child of the original carries, its copy carries, where there is one. */
function followChild(pin: PinBinding, original: Mesh, clone: Mesh): void {
    const copy = pin.target ? twinOf(pin.target, original, clone) : null;
    if (copy) pin.moveTo(copy as TransformNode);
}

/** The copy of a node under a mesh that was copied: of the same name, after that of its parent. */
function twinOf(node: Node, original: Node, clone: Node): Node | null {
    if (node === original) return clone;
    const parent = node.parent && twinOf(node.parent, original, clone);
    if (!parent) return null;
    const order = node.parent!.getChildren(({ name }) => name === node.name).indexOf(node);
    return parent.getChildren(({ name }) => name === `${parent.name}.${node.name}`)[order] ?? null;
}

/** Has a copy take over the motion of its original, as far from it as their meshes are apart. */
function takeAfter(copy: Attachment, original: Attachment): void {
    const { cloth, place } = copy;
    copy.restoreMotion(original.saveMotion(), []);
    cloth.clock.restoreMotion(original.cloth.clock.saveMotion());
    original.cloth.pins
        .filter(({ isCoupling: isTie }) => !isTie)
        .forEach((pins, i) => cloth.pins[i].restoreMotion(pins.offsets, pins.saveMotion()));
    const change = identity();
    if (!original.place.locate() || !invert(original.place.matrix, change)) return;
    multiply(change.slice(), place.matrix, change);
    cloth.teleport(change);
    cloth.accumulatedMotion = Infinity;
    place.locate();
    // It may be put elsewhere before the next frame.
    copy.jumps.expect();
}
